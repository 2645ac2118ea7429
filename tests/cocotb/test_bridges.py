# test_bridges.py : a core behind AXI4-Lite or Wishbone and AXI-Stream makes the steps of the golden model, bit for bit
# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout

import tern_bridge as tb

WORK = os.environ["TERN_COCOTB_FILES"]  # folder with tiny_load.hex, tiny_stream.hex, golden.json
with open(os.path.join(WORK, "golden.json"), encoding="ascii") as f:
    GOLDEN = json.load(f)
TOP = cocotb.top._name
if "COCOTB_LOG_LEVEL" not in os.environ:  # thousands of transfers
    logging.getLogger("cocotb." + TOP).setLevel(logging.WARNING)


async def begin(dut):
    """Clock, reset; returns the core and a function that makes a read or write that may fail."""
    cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
    if TOP == "axi_tiny":
        from cocotbext.axi import AxiLiteBus, AxiLiteMaster
        master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
        async def access(address, data=None):
            if data is None:
                got = await master.read(address, 4)
                return got.resp == 0, int.from_bytes(got.data, "little")
            done = await master.write(address, data.to_bytes(4, "little"))
            return done.resp == 0, None
        access.master = master
    else:
        from cocotbext.wishbone import driver
        from cocotbext.wishbone.driver import WBOp, WishboneMaster
        # The driver for cocotb 2 sets its idle values at once. Icarus 11 shows such a value on the port, but the
        # modules behind it never see it, nor a later one: they wait for ever.
        if hasattr(driver, "set_immediate"):
            driver.set_immediate = lambda signal, value: setattr(signal, "value", value)
        names = {n: n for n in ("cyc", "stb", "we", "adr", "datwr", "datrd", "ack", "sel", "err")}
        master = WishboneMaster(dut, "wb", dut.clk, width=32, timeout=10000, signals_dict=names)
        async def access(address, data=None):
            got = (await master.send_cycle([WBOp(adr=address >> 2, dat=data)]))[0]
            return got.ack == 1, int(got.datrd) if data is None else None
        access.master = master
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)

    async def write(address, data):
        done, _ = await access(address, data)
        assert done, f"write of {address:#x} refused"
    async def read(address):
        done, data = await access(address)
        assert done, f"read of {address:#x} refused"
        return data
    core = tb.Core(write, read)
    core.access = access
    assert await read(tb.ID) == 0x54425553 and await read(tb.VERSION) == 1
    assert await core.read(0) == 0x5445524E, "register ID of the core"
    for command in (tb.CLEAR, tb.EXAMPLE):  # memories start with anything
        await core.write(tb.CORE_CONTROL, command)
    await core.load(os.path.join(WORK, "tiny_load.hex"))
    return core


async def compare_memories(core):
    """Every dynamic memory of the core is the golden model's."""
    differ = []
    for address, want in GOLDEN["final"]:
        got = await core.read(address)
        if got != want:
            differ.append(f"{address:#010x}: {got:#x} instead of {want:#x}")
    assert not differ, f"{len(differ)} of {len(GOLDEN['final'])} words differ: {differ[:5]}"


@cocotb.test()
async def steps_over_the_bus(dut):
    """Frames and targets written, steps started, spikes and losses read: by the processor, step by step."""
    core = await begin(dut)
    await core.bus_write(tb.IRQ_ENABLE, tb.IRQ_DONE)
    for example in GOLDEN["examples"]:
        command = tb.START | (tb.LEARN | tb.CLAMP if example["learn"] else 0)
        for address, data in example["targets"]:
            await core.write(address, data)
        for step in example["steps"]:
            for address, data in step["frame"]:
                await core.write(address, data)
            await core.bus_write(tb.IRQ_STATUS, 7)
            assert dut.irq.value == 0
            await core.write(tb.CORE_CONTROL, command)
            if dut.irq.value == 0:
                await with_timeout(RisingEdge(dut.irq), 100, "us")
            await RisingEdge(dut.clk)
            assert await core.bus_read(tb.STATUS) == 0, "interrupt while busy"
            got = [[i, k] for i in range(GOLDEN["neurons"]) for k in range(GOLDEN["samples"]) if await core.read(tb.SPIKE + i * GOLDEN["samples"] + k)]
            assert got == step["spikes"]
            assert [await core.read(tb.LOSS + k) for k in range(GOLDEN["samples"])] == step["loss"]
        if example["learn"]:
            await core.write(tb.CORE_CONTROL, tb.FLUSH)
            await core.write(tb.CORE_CONTROL, tb.CLEAR)  # waits by itself
    await compare_memories(core)


@cocotb.test()
async def errors_and_waiting(dut):
    """What has no answer is refused; a request waits for the core, or is refused if that is wanted."""
    core = await begin(dut)
    for address in (0x1C, 0x3FC, 0x600, 0x7FFC):
        assert not (await core.access(address))[0], f"{address:#x} is answered"
        assert not (await core.access(address, 1))[0]
    await core.bus_write(tb.WINDOW, 0xFFFFFFFF)
    assert await core.bus_read(tb.WINDOW) == 0xFFFFE000
    core.window = None
    before = await core.read(tb.CORE_STEP)
    await core.write(tb.CORE_CONTROL, tb.START)
    assert await core.bus_read(tb.STATUS) == 1, "STATUS does not wait"
    assert await core.read(tb.CORE_STATUS) & 1 == 1
    await core.read(tb.SPIKE)  # waits
    assert await core.bus_read(tb.STATUS) == 0
    assert await core.read(tb.CORE_STEP) == before + 1
    await core.bus_write(tb.CONTROL, tb.NO_WAIT)
    await core.read(tb.SPIKE)  # and moves the window
    await core.write(tb.CORE_CONTROL, tb.START)
    refused = [await core.access(tb.VIEW), await core.access(tb.REGISTERS + 4 * tb.CORE_CONTROL, tb.START)]
    assert not refused[0][0] and not refused[1][0]
    while await core.bus_read(tb.STATUS):
        pass
    assert await core.read(tb.CORE_STEP) == before + 2, "a refused start took effect"


def pauses(seed, share):
    r = random.Random(seed)
    return (r.random() < share for _ in itertools.count())


if TOP == "axi_tiny":
    from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

    async def streams(dut, shares):
        """The examples as streams, with pauses on all channels; the processor reads meanwhile."""
        source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst, byte_lanes=1)
        sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst, byte_lanes=1)
        core = await begin(dut)
        axi = core.access.master
        for n, channel in enumerate((axi.write_if.aw_channel, axi.write_if.w_channel, axi.write_if.b_channel, axi.read_if.ar_channel, axi.read_if.r_channel)):
            channel.set_pause_generator(pauses(n, shares[0]))
        source.set_pause_generator(pauses(10, shares[1]))
        sink.set_pause_generator(pauses(11, shares[2]))
        await core.load(os.path.join(WORK, "tiny_stream.hex"))
        assert await core.read(tb.S_ID) == 0x54535452
        await core.write(tb.S_NEURONS, GOLDEN["neurons"])
        await core.bus_write(tb.IRQ_STATUS, 7)
        await core.bus_write(tb.IRQ_ENABLE, tb.IRQ_EXAMPLE)
        outside = 0
        for e, example in enumerate(GOLDEN["examples"]):
            for address, data in example["targets"]:
                await core.write(address, data)
            await core.write(tb.S_END, tb.FLUSH | tb.CLEAR << 8 if example["learn"] else 0)
            await core.write(tb.S_CONTROL, tb.S_ENABLE | (tb.S_LEARN | tb.S_CLAMP if example["learn"] else 0))
            sent = tb.beats([step["units"] for step in example["steps"]])
            if e == 1:  # numbers of no unit, and a unit twice
                sent = [0xFFFFFF, 32, 31] + sent[:1] + [sent[0] & ~tb.STEP] * (not sent[0] & tb.NONE) + sent[1:] if not sent[0] & tb.STEP else [0xFFFFFF, 32, 31] + sent
                outside += 3
            await source.send(sent)
            reading = True
            async def reader():  # the processor uses the same host port all the time
                while reading:
                    assert await core.read(0) == 0x5445524E
                    assert await core.read(tb.S_SAMPLES) == GOLDEN["samples"]
            task = cocotb.start_soon(reader())
            got = await with_timeout(sink.recv(), 2, "ms")
            reading = False
            await task
            assert tb.spikes(got.tdata) == [step["spikes"] for step in example["steps"]], f"example {e}"
            assert dut.irq.value == 1, "interrupt at the end of an example"
            await core.bus_write(tb.IRQ_STATUS, 7)
            assert dut.irq.value == 0
        assert await core.read(tb.S_IGNORED) == outside
        assert sink.empty()
        await core.write(tb.S_CONTROL, 0)
        while await core.read(tb.S_STATUS):
            pass
        await compare_memories(core)

    @cocotb.test()
    async def streams_at_full_speed(dut):
        await streams(dut, (0, 0, 0))

    @cocotb.test()
    async def streams_with_pauses(dut):
        await streams(dut, (0.3, 0.5, 0.7))
