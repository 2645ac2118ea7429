# tern_second.py : a second engine, after docs/20-image-format.md, 21-numerics.md and 32-records.md
# SPDX-License-Identifier: Apache-2.0
#
# Shares nothing with the C code. Slow and short: every rule stands as it is printed on the pages, N-13 in trace form.
# play.py plays the conformance vectors with it (docs/23-conformance.md).
import struct
import zlib

GEM, MB, IW, REWARD = range(4)
ABSENT = -32768


def rs(x, n):
    return (x + (1 << n >> 1)) >> n if n >= 0 else x << -n


def limit(x, bits):
    top = (1 << bits - 1) - 1
    return max(-top, min(top, x))


# ---- images (docs/20) ------------------------------------------------------------------------------------------------

def sections(path):
    data = open(path, "rb").read()
    magic, major_minor, size, _ = struct.unpack_from("<8sQQQ", data, 0)
    if magic != b"\x89TERN\r\n\x1a" or major_minor & 0xffff != 2 or size != len(data):
        raise ValueError(path + ": no image")
    found = {}
    for i in range(major_minor >> 32):
        name, offset, n, crc = struct.unpack_from("<8sQQI", data, 64 + 32 * i)
        body = data[offset:offset + n]
        if zlib.crc32(body) != crc:
            raise ValueError(path + ": checksum of " + name.decode())
        found[name.rstrip(b"\0").decode()] = body
    return found


def array(body, kind):
    return list(struct.unpack("<%d%s" % (len(body) // struct.calcsize("<" + kind), kind), body))


class Net:
    def __init__(self, path):
        s = self.sections = sections(path)
        (self.n_in, self.n_pos, self.n, self.visible, _, self.n_weights, self.n_filters, self.D, self.W, self.XF,
         self.WB, self.WF, self.rule, self.baseline) = struct.unpack("<6I8B", s["NET"])
        learn = struct.unpack("<8BHBBI", s["LEARN"])
        self.sets = [dict(zip(("R", "RL", "c_shift", "FC"), learn[4 * i:4 * i + 4])) for i in (0, 1)]
        _, self.m_shift, self.bs, self.gamma = learn[8:]
        taps = array(s["TAPS"], "H")
        self.taps = [taps[f * self.D:(f + 1) * self.D] for f in range(self.n_filters)]
        self.SIG, self.SP, self.EXP, self.LOG = (array(s[t], "H") for t in ("SIG", "SP", "EXP", "LOG"))
        self.neurons = [struct.unpack_from("<IIIBBB", s["NEURONS"], 16 * i) for i in range(self.n)]
        self.rows = [struct.unpack_from("<IIIIBB", s["ROWS"], 24 * r) for r in range(len(s["ROWS"]) // 24)]
        self.kap = array(s["KAP"], "H")
        self.eta, self.divide, _, self.kappa = struct.unpack_from("<dddd", s["RULE"], 8)
        self.every = struct.unpack_from("<I", s["RULE"], 40)[0]
        self.bits = (1 << self.D + self.W) - 1
        self.first_signal = {GEM: self.n, REWARD: 0}.get(self.rule, self.visible)
        self.n_base = (0, self.n, self.n_weights + 2 * self.n)[self.baseline]
        self.seen = {}

    def x(self, f, history, lag):
        """N-1: trace, `lag` steps back, of a history whose bit 0 is s(t-1)."""
        h = history >> lag & (1 << self.D) - 1
        if (f, h) not in self.seen:
            self.seen[f, h] = sum(a for tau, a in enumerate(self.taps[f]) if h >> tau & 1)
        return self.seen[f, h]

    def exp16(self, x):
        q, r = divmod(x, 2839)
        return self.EXP[r >> 3] >> q if q <= 16 else 0

    def ln(self, x):
        n = x.bit_length() - 1
        return (45426 * n + 8 >> 4) + self.LOG[(x << 8 >> n) & 255]  # N-18

    def rate(self, presentations):
        """Section 10, schedule."""
        eta, ef = self.eta, self.sets[0]["FC"] + self.sets[0]["c_shift"] - 15
        for _ in range(presentations // self.every if self.every else 0):
            eta /= self.divide
        y, ek = eta * 2.0 ** ef, []
        for _ in range(self.W):
            ek.append(int(y + 0.5))
            y *= self.kappa
        return ek


# ---- random numbers (section 7) --------------------------------------------------------------------------------------

def threefry(key, counter):
    mask = 0xffffffff
    k = [key[0], key[1], 0x1bd11bda ^ key[0] ^ key[1]]
    x0, x1 = counter[0] + k[0] & mask, counter[1] + k[1] & mask
    for r in range(20):
        x0 = x0 + x1 & mask
        turn = (13, 15, 26, 6, 17, 29, 16, 24)[r % 8]
        x1 = (x1 << turn & mask | x1 >> 32 - turn) ^ x0
        if r % 4 == 3:
            n = (r + 1) // 4
            x0, x1 = x0 + k[n % 3] & mask, x1 + k[(n + 1) % 3] + n & mask
    return x0, x1


def block(seed, step, purpose, group, i):
    return threefry((seed & 0xffffffff, seed >> 32), (step, purpose << 28 | group << 16 | i))


def draw16(seed, step, i, sample):
    words = block(seed, step, 0, sample >> 2, i)
    return words[sample >> 1 & 1] >> 16 * (sample & 1) & 0xffff


def dither(idx, s, bits):
    return (int(format(idx, "032b")[::-1], 2) ^ s) >> 32 - bits  # N-14


# ---- a state and its operations (section 8b) -------------------------------------------------------------------------

class State:
    def __init__(self, net, K, seed):
        s, self.net, self.K, self.seed = net.sections, net, K, seed
        self.step = self.lag_head = self.pending = self.k0 = 0
        self.sat = dict.fromkeys(("weight", "local", "potential", "coefficient", "logprob", "modulator"), 0)
        self.unicast = self.broadcast = 0
        self.weight, self.bias, self.self_ = (array(s[t], "h") for t in ("WEIGHTS", "BIAS", "SELF"))
        self.ek = array(s["EK0"], "H")
        self.base, self.basew = [0] * net.n_base, [0] * net.n_base
        self.digest, self.records = 0xcbf29ce484222325, 0
        self.trace = None
        self.clear()

    def clear(self):
        net, K = self.net, self.K
        self.hist_in, self.hist = [0] * net.n_in, [[0] * net.n_pos for _ in range(K)]
        self.last_in, self.last = [0] * (net.n_in // 32), [[0] * (net.n_pos // 32) for _ in range(K)]
        self.err = [[[0] * net.W for _ in range(K)] for _ in range(net.n)]
        self.v, self.m, self.w, self.loss = [0] * K, [0] * K, [0] * K, [0] * K
        self.pending = self.lag_head = 0

    def take_parameters(self):
        s = self.net.sections
        self.weight, self.bias, self.self_ = (array(s[t], "h") for t in ("S_WEIGHT", "S_BIAS", "S_SELF"))
        self.base, self.basew = array(s["S_BASE"], "i"), array(s["S_BASEW"], "I")

    def resume(self):
        s, net, K = self.net.sections, self.net, self.K
        self.take_parameters()
        self.ek, self.hist_in, self.last_in = array(s["S_EK"], "H"), array(s["S_HISTI"], "Q"), array(s["S_SPIKEI"], "I")
        h, e, b = array(s["S_HISTN"], "Q"), array(s["S_ERR"], "h"), array(s["S_SPIKE"], "I")
        self.hist = [h[k * net.n_pos:(k + 1) * net.n_pos] for k in range(K)]
        self.last = [b[k * net.n_pos // 32:(k + 1) * net.n_pos // 32] for k in range(K)]
        self.err = [[e[(i * K + k) * net.W:(i * K + k + 1) * net.W] for k in range(K)] for i in range(net.n)]
        self.v, self.m, self.w = array(s["S_V"], "i"), array(s["S_M"], "h"), array(s["S_W"], "i")
        self.loss = array(s["S_LOSS"], "I")
        t = struct.unpack("<QIIIIB7x8Q", s["STATE"])
        self.k0, self.step, self.lag_head, self.pending = t[2:6]
        self.sat = dict(zip(self.sat, t[6:12]))
        self.unicast, self.broadcast = t[12:]

    def limited(self, kind, x, bits):
        y = limit(x, bits)
        self.sat[kind] += y != x
        return y

    def record(self, kind, flags, sample, index, a, b, draw):
        body = struct.pack("<IBBHIIII", self.step, "WBSNVMA".index(kind), flags, sample, index, a & 0xffffffff,
                           b & 0xffffffff, draw)
        for byte in body:
            self.digest = (self.digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
        self.records += 1

    def tell(self, key, value):
        if self.trace is not None:
            self.trace[key] = str(value)

    # ---- one pass over the weights

    def taken_in(self, k, pos):
        """The history after the spikes of the last step; k None: an input."""
        h, last = (self.hist_in[pos], self.last_in) if k is None else (self.hist[k][pos], self.last[k])
        return (h << 1 | last[pos // 32] >> pos % 32 & 1) & self.net.bits

    def error(self, i, k, d):
        return self.err[i][k][(self.lag_head + self.net.W - 1 - d) % self.net.W]

    def modulator(self, k, b):
        return self.limited("modulator", rs(self.w[k] - b, self.net.m_shift), 15)  # N-19

    def baseline(self, at, g):
        """N-20 from g on; g has one entry for IW."""
        q = [rs(x * x, 4) for x in g]
        b, D = self.base[at], self.basew[at]
        D = D - (D >> self.net.bs) + sum(q)
        n = sum(y * (w - b) for y, w in zip(q, self.w))
        move = (abs(n) + (D >> 1)) // D if D else 0
        self.base[at], self.basew[at] = b + (move if n > 0 else -move), D
        return q, n

    def prepare(self, i):
        """Section 8, 2: coefficients and baseline of neuron i."""
        net, K, self.i = self.net, self.K, i
        self.signal = i >= net.first_signal
        self.set = net.sets[self.signal]
        self.by_synapse = self.signal and net.baseline == 2
        self.S = block(self.seed, self.step, 1, 0, i)[0]
        self.tell("7 S neuron %d" % i, self.S)
        e = [[self.error(i, k, d) for d in range(net.W)] for k in range(K)]
        if net.rule == IW and self.signal:
            self.broadcast += 1
        elif net.rule != MB or self.signal:
            self.broadcast += K
        if self.by_synapse:
            self.c = [[self.limited("coefficient", rs(self.ek[d] * e[k][d], self.set["c_shift"]), 16)
                       for d in range(net.W)] for k in range(K)]
            self.ch = [[rs(net.kap[d] * e[k][d], 15) for d in range(net.W)] for k in range(K)]
            return
        per_neuron = self.signal and net.baseline == 1
        self.c = []
        for k in range(K):
            m = self.modulator(k, self.base[i] if per_neuron else 0) if self.signal else self.m[k]
            self.tell("%s m neuron %d sample %d" % ("N-19" if self.signal else "4", i, k), m)
            c = []
            for d in range(net.W):
                g = self.limited("coefficient", rs(m * e[k][d], 14), 16)  # N-11
                c.append(self.limited("coefficient", rs(self.ek[d] * g, self.set["c_shift"]), 16))  # N-12
                at = "neuron %d sample %d lag %d" % (i, k, d)
                self.tell("8b e " + at, e[k][d])
                self.tell("N-11 g " + at, g)
                self.tell("N-12 c " + at, c[d])
            self.c.append(c)
        if per_neuron:
            sums = [sum(a * b for a, b in zip(net.kap, e[k])) for k in range(K)]
            g = [limit(rs(y, 21), 13) for y in ([sum(sums)] if net.rule == IW else sums)]
            before = self.base[i]
            q, n = self.baseline(i, g)
            for k, (a, b) in enumerate(zip(g, q)):
                self.tell("N-20 g neuron %d sample %d" % (i, k), a)
                self.tell("N-20 q neuron %d sample %d" % (i, k), b)
            for name, value in (("n", n), ("D", self.basew[i]), ("b", self.base[i])):
                self.tell("N-20 %s neuron %d" % (name, i), value)
            self.record("A", 0, 0, i, before, self.base[i], self.basew[i])

    def change(self, at, x):
        """dw of one parameter: x(k, lag) is its trace, `at` its baseline."""
        net, K = self.net, self.K
        G = [sum(self.c[k][d] * x(k, d) for d in range(net.W)) for k in range(K)]
        if not self.by_synapse:
            return sum(G)  # N-13, N-16
        h = [sum(self.ch[k][d] * x(k, d) for d in range(net.W)) for k in range(K)]
        dw = rs(sum(self.modulator(k, self.base[at]) * G[k] for k in range(K)), 14)
        self.baseline(at, [limit(rs(y, 6 + net.XF), 13) for y in ([sum(h)] if net.rule == IW else h)])
        return dw

    def tell_kernels(self, i):
        """The kernel form of N-13: not needed, but part of a trace."""
        net = self.net
        for f, a in enumerate(net.taps):
            for q in range(1, net.D + net.W):
                kernel = [sum(c[d] * a[q - d - 1] for d in range(net.W) if 1 <= q - d <= net.D) for c in self.c]
                for k in range(self.K):
                    self.tell("N-13 f neuron %d filter %d sample %d q %d" % (i, f, k, q), kernel[k])
                self.tell("N-13 f neuron %d filter %d q %d" % (i, f, q), sum(kernel))

    def apply(self, kind, index, old, dw, idx, R, bits, key):
        """N-14, N-15."""
        self.tell("5 old " + key, old)
        self.tell("N-13 dw " + key, dw)
        if dw == 0:
            return old
        r = dither(idx, self.S, R)
        counter = "weight" if kind == "W" else "local"
        before = self.sat[counter]
        new = self.limited(counter, old + (dw + r >> R), bits)
        self.record(kind, self.sat[counter] != before, 0, index, old, new, r)
        for name, value in (("N-14 idx ", idx), ("N-14 r ", r), ("N-15 w ", new)):
            self.tell(name + key, value)
        return new

    def update(self, i, history, synapses):
        """Bias, self-memory and weights of neuron i. history(k, pos)."""
        net, RL = self.net, self.set["RL"]
        if self.trace is not None:
            self.tell_kernels(i)
        pos, _, _, own, _, _ = net.neurons[i]
        dw = self.change(net.n_weights + i, lambda k, d: 1 << net.XF)
        self.bias[i] = self.apply("B", i, self.bias[i], dw, 1, RL, 16, "bias %d" % i)
        silent = self.by_synapse and not any(history(k, pos) for k in range(self.K))
        if own != 255 and not silent:
            dw = self.change(net.n_weights + net.n + i, lambda k, d: net.x(own, history(k, pos), 1 + d))
            self.self_[i] = self.apply("S", i, self.self_[i], dw, 0, RL, 16, "self %d" % i)
        for at, f, p, idx, shared in synapses:
            past = [history(None if shared else k, p) for k in range(self.K)]
            if self.by_synapse and not any(past):
                continue
            dw = self.change(at, lambda k, d: net.x(f, past[k], 1 + d))
            self.weight[at] = self.apply("W", at, self.weight[at], dw, idx, self.set["R"], net.WB, "weight %d" % at)

    def synapses(self, i):
        _, row0, n_rows, _, _, _ = self.net.neurons[i]
        for weight, first, count, row_dither, f, kind in self.net.rows[row0:row0 + n_rows]:
            for j in range(count):
                if self.weight[weight + j] != ABSENT:
                    yield weight + j, f, first + j, row_dither + first + j - first // 32 * 32, kind == 0

    def flush(self):
        if not self.pending:
            return
        for i in range(self.net.n):
            self.prepare(i)
            self.update(i, self.taken_in, list(self.synapses(i)))
        self.pending = 0

    def potentials(self, i, history, synapses):
        """N-1 to N-3: (u, limited) for each sample."""
        net, found = self.net, []
        pos, _, _, own, _, _ = net.neurons[i]
        for k in range(self.K):
            acc = self.bias[i] << 8
            if own != 255:
                x = net.x(own, history(k, pos), 0)
                self.tell("8 h self %d sample %d" % (i, k), "%x" % history(k, pos))
                self.tell("N-1 x self %d sample %d" % (i, k), x)
                acc += self.self_[i] * x << 8 - net.XF
            for at, f, p, _, shared in synapses:
                h = history(None if shared else k, p)
                x = net.x(f, h, 0)
                self.tell("8 h weight %d sample %d" % (at, k), "%x" % h)
                self.tell("N-1 x weight %d sample %d" % (at, k), x)
                acc += self.weight[at] * x << 20 - net.WF - net.XF
            u = max(-2047, min(2047, rs(acc, 12)))
            self.sat["potential"] += u != rs(acc, 12)
            self.tell("N-2 acc neuron %d sample %d" % (i, k), acc)
            self.tell("N-3 u neuron %d sample %d" % (i, k), u)
            found.append((u, u != rs(acc, 12)))
        return found

    def step_(self, inputs, targets, learn, clamp):
        net, K = self.net, self.K
        self.hist_in = [self.taken_in(None, p) for p in range(net.n_in)]
        self.hist = [[self.taken_in(k, p) for p in range(net.n_pos)] for k in range(K)]
        history = lambda k, p: self.hist_in[p] if k is None else self.hist[k][p]
        self.last_in, self.last = list(inputs), [[0] * (net.n_pos // 32) for _ in range(K)]
        self.loss, waiting = [0] * K, []
        for i, (pos, _, _, _, size, index) in enumerate(net.neurons):
            synapses = list(self.synapses(i))
            if self.pending:
                self.prepare(i)
                self.update(i, history, synapses)
            waiting.append(self.potentials(i, history, synapses))
            if index + 1 < size:
                continue
            first, self.clamped = i + 1 - len(waiting), clamp and i < net.visible
            wanted = [targets[net.neurons[j][0] // 32] >> net.neurons[j][0] % 32 & 1 for j in range(first, i + 1)]
            for k in range(K):
                self.fire(first, k, [n[k] for n in waiting], wanted, size != 0, learn)
            waiting = []
        self.end(learn)
        self.pending, self.step = int(learn), self.step + 1 & 0xffffffff
        self.lag_head = (self.lag_head + 1) % net.W

    def fire(self, first, k, u, wanted, circuit, learn):
        """Section 3 for one neuron, or 3b for all members of a circuit, in sample k."""
        net, last = self.net, first + len(u) - 1
        draw = 0 if self.clamped else draw16(self.seed, self.step, last, self.k0 + k)
        p, s, e, loss = (self.circuit if circuit else self.neuron)([a for a, _ in u], wanted, draw)
        if first < net.visible:
            self.loss[k] += loss
            self.unicast += learn and net.rule != REWARD
        for c, (a, over) in enumerate(u):
            pos = net.neurons[first + c][0]
            self.last[k][pos // 32] |= s[c] << pos % 32
            self.err[first + c][k][self.lag_head] = e[c] if learn else 0
            at = "neuron %d sample %d" % (first + c, k)
            for name, value in (("7 draw", draw), ("N-4 p", p[c]), ("N-5 s", s[c]), ("N-6 e", e[c]), ("N-7 l", loss)):
                self.tell(name + " " + at, value)
            self.record("N", over | s[c] << 1 | self.clamped << 2, k, first + c, a, p[c], draw)

    def neuron(self, u, wanted, draw):
        u, n = u[0], abs(u[0]) >> 2
        p = self.net.SIG[n] if u < 0 else 65536 - self.net.SIG[n]  # N-4
        s = wanted[0] if self.clamped else int(draw < p)  # N-5
        return [p], [s], [rs((s << 16) - p, 1)], 16 * max(-u if s else u, 0) + self.net.SP[n]  # N-6, N-7

    def circuit(self, u, wanted, draw):
        net, a = self.net, max(0, *u)
        E = [net.exp16(16 * (a - x)) for x in u]  # N-22
        S = net.exp16(16 * a) + sum(E)
        p = [((x << 16) + (S >> 1)) // S for x in E]  # N-23
        reached = [x for x in range(len(u)) if (wanted[x] if self.clamped else draw < sum(p[:x + 1]))]
        s = [int(reached[:1] == [c]) for c in range(len(u))]  # N-24
        e = [min(32767, rs((s[c] << 16) - p[c], 1)) for c in range(len(u))]  # N-25
        return p, s, e, max(0, 16 * a + net.ln(S) - 45426 - 16 * (u[reached[0]] if reached else 0))  # N-26

    def end(self, learn):
        """Section 8, 3."""
        net, K = self.net, self.K
        for k in range(K):
            before = self.v[k]
            self.v[k] = self.limited("logprob", rs(net.gamma * before, 16) - self.loss[k], 32)  # N-8
            self.tell("N-8 L sample %d" % k, self.loss[k])
            self.tell("N-8 v sample %d" % k, self.v[k])
            self.record("V", 0, k, 0, before, self.v[k], 0)
        if not learn or net.rule == REWARD:
            return
        if net.rule == MB:
            self.m, self.w = [(16384 + K // 2) // K] * K, [self.share(v) for v in self.v]
        else:
            E = [net.exp16(max(self.v) - v) for v in self.v]  # N-9
            S = sum(E)
            self.m = [((x << 14) + (S >> 1)) // S for x in E]  # N-10
            for k in range(K):
                self.tell("N-9 E sample %d" % k, E[k])
            self.tell("N-10 S", S)
            if net.rule == IW:
                ratio = max(self.v) + net.ln(S) - 45426 - (net.ln(K) - net.LOG[0])
                self.w = [self.limited("logprob", ratio, 32)] * K  # N-17
        for k in range(K):
            self.tell("4 m sample %d" % k, self.m[k])
            self.tell("4 w sample %d" % k, self.w[k])
            self.record("M", 0, k, 0, self.w[k], self.m[k], 0)

    def share(self, x):
        return rs((65536 + self.K // 2) // self.K * x, 16)


class Vote:
    """Section 9."""
    def __init__(self, st, first, n, by_first):
        self.st, self.n, self.by_first = st, n, by_first
        self.pos = [st.net.neurons[first + c][0] for c in range(n)]
        self.example()

    def example(self):
        self.votes, self.spikes = [0] * self.n, [0] * self.n
        self.batch()

    def batch(self):
        self.t, K = 0, self.st.K
        self.count, self.first = [[0] * self.n for _ in range(K)], [[65535] * self.n for _ in range(K)]

    def step(self):
        for k, last in enumerate(self.st.last):
            for c, p in enumerate(self.pos):
                if last[p // 32] >> p % 32 & 1:
                    self.count[k][c] = min(65535, self.count[k][c] + 1)
                    self.first[k][c] = min(self.first[k][c], self.t)
        self.t += 1

    def close(self):
        def key(k, c):  # N-27; min takes the lowest of equals
            rate, first = -self.count[k][c], self.first[k][c]
            return (first, rate) if self.by_first else (rate, first)
        self.decisions = [min(range(self.n), key=lambda c: key(k, c)) for k in range(self.st.K)]
        for k, decision in enumerate(self.decisions):
            self.votes[decision] += 1
            self.spikes = [a + b for a, b in zip(self.spikes, self.count[k])]
        self.winner = min(range(self.n), key=lambda c: (-self.votes[c], -self.spikes[c]))  # N-28
        self.batch()
