/* tern_emit_litex.c : NAME_litex.py, the core and a Wishbone slave as a module of LiteX
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_emit_common.h"
#include <inttypes.h>

static const char module[] =
    "class Network(LiteXModule):\n"
    "    \"\"\"A Wishbone slave of 64 KiB (tern_wishbone) and the core behind it. `bus` goes to the SoC's bus, `ev` "
    "to its interrupts.\"\"\"\n\n"
    "    def __init__(self, platform):\n"
    "        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing=\"word\")\n"
    "        self.ev = EventManager()\n"
    "        self.ev.core = EventSourceLevel(description=\"an enabled interrupt of the slave (IRQ_STATUS)\")\n"
    "        self.ev.finalize()\n"
    "        valid, ready, write, rvalid, busy = (Signal() for _ in range(5))\n"
    "        addr, wdata, rdata = (Signal(32) for _ in range(3))\n"
    "        self.specials += Instance(\n"
    "            \"tern_wishbone\",\n"
    "            i_clk_i=ClockSignal(), i_rst_i=ResetSignal(),\n"
    "            i_wb_cyc_i=bus.cyc, i_wb_stb_i=bus.stb, i_wb_we_i=bus.we, i_wb_adr_i=bus.adr[0:14], "
    "i_wb_sel_i=bus.sel,\n"
    "            i_wb_dat_i=bus.dat_w, o_wb_dat_o=bus.dat_r, o_wb_ack_o=bus.ack, o_wb_err_o=bus.err,\n"
    "            o_host_valid_o=valid, i_host_ready_i=ready, o_host_write_o=write, o_host_addr_o=addr, "
    "o_host_wdata_o=wdata,\n"
    "            i_host_rvalid_i=rvalid, i_host_rdata_i=rdata, i_busy_i=busy,\n"
    "            i_event_i=Constant(0, 2), o_irq_o=self.ev.core.trigger)\n"
    "        self.specials += Instance(\n"
    "            TOP,\n"
    "            i_clk_i=ClockSignal(), i_rst_i=ResetSignal(),\n"
    "            i_host_valid_i=valid, o_host_ready_o=ready, i_host_write_i=write, i_host_addr_i=addr, "
    "i_host_wdata_i=wdata,\n"
    "            o_host_rvalid_o=rvalid, o_host_rdata_o=rdata, o_busy_o=busy)\n"
    "        platform.add_verilog_include_path(HERE)\n"
    "        for source in SOURCES:\n"
    "            platform.add_source(os.path.join(HERE, source), language=\"verilog\")\n\n\n"
    "def add(soc, origin=None):\n"
    "    \"\"\"Puts the network on a SoC's bus, with its interrupt if the SoC has a processor.\"\"\"\n"
    "    module = Network(soc.platform)\n"
    "    soc.add_module(name=NAME, module=module)\n"
    "    soc.bus.add_slave(NAME, module.bus, SoCRegion(origin=origin, size=0x10000, cached=False))\n"
    "    if soc.irq.enabled:\n"
    "        soc.irq.add(NAME, use_loc_if_exists=True)\n"
    "    return module\n";

void tern__emit_litex(FILE *f, const tern_model *m, const struct tern_plan *plan, const char *hash)
{
    const char *n = m->name, *const *core = tern__emit_core_files(plan);
    fprintf(f, "# %s_litex.py : the network '%s' as a module of LiteX: import it, then add(soc)\n#\n", n, n);
    tern__emit_header(f, "# ", m, hash);
    fprintf(f, "import os\n\nfrom migen import ClockSignal, Constant, Instance, ResetSignal, Signal\nfrom litex.gen "
               "import LiteXModule\n"
               "from litex.soc.integration.soc import SoCRegion\nfrom litex.soc.interconnect import wishbone\n"
               "from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel\n\n");
    fprintf(f, "NAME = \"%s\"\nTOP = \"%s_top\"\nHERE = os.path.dirname(os.path.abspath(__file__))\nSOURCES = [\n", n,
            n);
    for (const char *const *file = core; *file != NULL; ++file) fprintf(f, "    \"%s\",\n", *file);
    for (const char *const *file = tern__emit_bridge_files(); *file != NULL; ++file)
        if (!tern__emit_listed(core, *file)) fprintf(f, "    \"%s\",\n", *file);
    fprintf(f, "    \"%s_top.v\",\n]\n\n\n", n);
    fputs(module, f);
}
