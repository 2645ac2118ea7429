/* fuzz_synth.c : any bytes as what Yosys or nextpnr report, or as the description of a resident core
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte: 0 statistics, 1 log, 2 report of speed, 3 description; the device in the upper bits. The rest is the
 * file.
 */
#include "fuzz.h"
#include "tern_resident.h"
#include "tern_synth.h"

static tern_diags diags;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    static const char *const devices[4] = { "up5k", "ecp5-25k", "gw2a-18", "xc7a35t" };
    const tern_device *device = tern_device_find(devices[data[0] >> 6]);
    static tern_synth_result result;
    static tern_synth_netlist netlist;
    static tern_resident resident;
    if (device == NULL) device = tern_device_find("up5k");
    FUZZ_CHECK(device != NULL);
    fuzz_enter();
    fuzz_put("report", data + 1, size - 1);
    tern_diags_init(&diags);
    switch (data[0] & 3) {
    case 0: (void)tern_synth_read_stat("report", device, &netlist); break;
    case 1: (void)tern_synth_read_use("report", device, &result); break;
    case 2: FUZZ_CHECK(tern_synth_read_fmax("report") >= 0); break;
    default: {
        const tern_status s = tern_resident_read("report", &resident, &diags);
        if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
        break;
    }
    }
    fuzz_leave();
    return 0;
}
