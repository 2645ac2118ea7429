/* link_network.h : a random network loaded, run and read back over the link alone, and compared with the golden model
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compared: after every step the losses and log-probabilities of all samples, at the end every word that a state has in
 * the core. Before any operation the line may be unplugged; it is plugged in again, and the session continues.
 */
#ifndef LINK_NETWORK_H
#define LINK_NETWORK_H
#include "link_world.h"
#include "tern_netrun.h"

typedef struct link_networks {
    tern_link *link; /* open */
    link_world *world;
    uint32_t random;            /* of unplugging */
    uint32_t unplug, adapter;   /* how often, in 10,000 operations: the line, the host's adapter */
    unsigned failures;          /* each of the first ones in a line that begins with DIFFERS */
    tern_link_result worst;     /* the first result that ends it */
    uint64_t written, compared; /* words */
} link_networks;

/* have: capacities of the core, which must hold the network. */
void link_network(link_networks *s, tern_netrun *net, const tern_capacity *have, unsigned steps);
/* Waits until everything is done. */
void link_networks_sync(link_networks *s);

#endif /* LINK_NETWORK_H */
