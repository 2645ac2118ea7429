# tern_bridge.py : a core behind a bridge, from the side of its bus
# SPDX-License-Identifier: Apache-2.0
"""Everything here is docs/42-bridges.md in Python; a driver in C looks the same.

    core = Core(write, read)              two coroutines: write(byte address, data), read(byte address) -> data
    await core.load("tiny_load.hex")      make the host writes of a file
    await core.write(address, data)       a word of the host port (docs/33-host-port.md)
"""

ID, VERSION, CONTROL, STATUS, WINDOW, IRQ_STATUS, IRQ_ENABLE = range(0, 28, 4)
REGISTERS, VIEW = 0x400, 0x8000
NO_WAIT = 1
IRQ_DONE, IRQ_EXAMPLE, IRQ_IGNORED = 1, 2, 4
# registers and commands of the core
CORE_CONTROL, CORE_STATUS, CORE_STEP = 2, 3, 64
START, LEARN, CLAMP, FLUSH, CLEAR, VOTE, EXAMPLE = 1, 2, 4, 1 | 8, 16, 32, 64
# regions
LOSS, SPIKE = 19 << 24, 13 << 24
# the stream: registers, beats
STREAM = 0x80 << 24
S_ID, S_CONTROL, S_STATUS, S_WORDS, S_NEURONS, S_SAMPLES, S_END, S_IGNORED = range(STREAM, STREAM + 8)
S_ENABLE, S_LEARN, S_CLAMP, S_WINNER = 1, 2, 4, 8
STEP, NONE = 1 << 31, 1 << 30


class Core:
    def __init__(self, write, read):
        self.bus_write, self.bus_read, self.window = write, read, None

    async def _place(self, address):
        """Byte address of a word of the host port; moves the window if it has to."""
        if address < 128:
            return REGISTERS + 4 * address
        if address >> 13 != self.window:
            self.window = address >> 13
            await self.bus_write(WINDOW, address & ~0x1FFF)
        return VIEW + 4 * (address & 0x1FFF)

    async def write(self, address, data):
        await self.bus_write(await self._place(address), data)

    async def read(self, address):
        return await self.bus_read(await self._place(address))

    async def load(self, path):
        """The writes of NAME_load.hex or NAME_stream.hex, in their order."""
        with open(path, encoding="ascii") as f:
            for line in f:
                if not line.startswith("//"):
                    address, data = line.split("_")
                    await self.write(int(address, 16), int(data, 16))


def beats(steps):
    """Beats of an example: for each step its unit numbers; the last beat gets TLAST from the frame."""
    out = []
    for units in steps:
        out += units[:-1] + [units[-1] | STEP if units else STEP | NONE]
    return out


def spikes(beats_out):
    """Steps of what the stream sends: for each a list of [neuron, sample]."""
    steps = [[]]
    for b in beats_out:
        if b & STEP:
            steps.append([])
        else:
            steps[-1].append([b & 0xFFFF, b >> 24 & 31])
    assert steps[-1] == [], "an example ends with a marker"
    return steps[:-1]
