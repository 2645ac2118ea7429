# soc_python.py : NAME.rdl is SystemRDL, NAME_litex.py is a module of LiteX whose Verilog is complete
# SPDX-License-Identifier: Apache-2.0
#
#     soc_python.py TERN MODELS WORK       needs the packages systemrdl-compiler, migen and litex, and Verilator
import importlib
import os
import re
import shutil
import subprocess
import sys

from migen.fhdl import verilog
from systemrdl import RDLCompiler
from systemrdl.node import RegNode

tern, models, work = sys.argv[1:]
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
for name, more in ("digits2", []), ("tiny", ["--core", "small", "--lanes", "2"]):
    folder = os.path.join(work, name)
    script = os.path.join(models, name, name + ".lua")
    subprocess.run([tern, "compile", script, "-o", folder, *more], check=True, stdout=subprocess.DEVNULL)
    sizes = dict(re.findall(r"localparam (\w+) *= *(\d+);", open(os.path.join(folder, name + ".vh")).read()))

    compiler = RDLCompiler()
    compiler.compile_file(os.path.join(folder, name + ".rdl"))
    top = compiler.elaborate().top
    found = {node.inst_name: node for node in top.children(unroll=True)}
    assert top.size == 0x10000 and found["MEMORY"].absolute_address == 0x8000
    header = open(os.path.join(folder, "tern-host.h")).read()
    registers = re.findall(r"#define TERN_REG_(\w+) +UINT32_C\((\d+)\)", header)
    assert len(registers) > 60
    for register, number in registers:
        assert found[register].absolute_address == 0x400 + 4 * int(number), register
    for register, number in re.findall(r"#define TERN_BUS_(\w+) +UINT32_C\((\d)\)", header):
        assert found["BUS_" + register].absolute_address == 4 * int(number), register
    for capacity in "LANES", "NEURONS", "SAMPLES", "WORDS", "SMALL":
        node = found["CAP_" + capacity]
        assert isinstance(node, RegNode), capacity
        assert [f.get_property("reset") for f in node.fields()] == [int(sizes[capacity])], capacity

    sys.path.insert(0, folder)
    module = importlib.import_module(name + "_litex")

    class Platform:
        sources, paths = [], []

        def add_source(self, file, language=None):
            assert os.path.exists(file), file
            self.sources.append(file)

        def add_verilog_include_path(self, path):
            self.paths.append(path)

    Platform.sources, Platform.paths = [], []
    platform = Platform()
    network = module.Network(platform)
    bus = network.bus
    ports = {bus.cyc, bus.stb, bus.we, bus.adr, bus.sel, bus.dat_w, bus.dat_r, bus.ack, bus.err, network.ev.irq}
    out = os.path.join(work, name + "_soc.v")
    verilog.convert(network, ports, name="soc").write(out)
    quiet = ["-Wno-fatal", "-Wno-lint", "-Wno-COMBDLY", "-Wno-INITIALDLY"]
    subprocess.run(["verilator", "--lint-only", *quiet, "--top-module", "soc",
                    *["-I" + p for p in platform.paths], *platform.sources, out], check=True)
print("soc_python: passed")
