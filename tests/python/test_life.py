# test_life.py : closed objects, memory that arrays still show, threads, fork and Ctrl-C
# SPDX-License-Identifier: Apache-2.0
import copy
import gc
import os
import pickle
import signal
import threading
import time
import unittest

import numpy as np
import tern
from common import Case, plain, random_spikes


def in_child(work):
    """The exit status of a forked child that does `work`."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work() or 0)
        except BaseException:
            os._exit(99)
    end = time.monotonic() + float(os.environ.get("TERN_TEST_CHILD_S", 300))
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


class Life(Case):
    def test_closed(self):
        image, inputs, targets = plain()
        net, ex = tern.Network(image), image.examples(inputs, targets)
        net.train(ex, 2)
        weights = net.weights
        kept = weights.copy()
        ex.close()
        self.refused(tern.UseError, 183, net.train, ex, 1, text="examples: it is closed")
        self.refused(tern.UseError, 183, ex.__getitem__, 0)
        net.close()
        net.close()
        self.assertTrue(net.closed)
        for call in (
            lambda: net.step(steps=1),
            lambda: net.train(image.examples(inputs, targets)),
            net.image,
            net.end,
            lambda: net.evaluate(image.examples(inputs, targets)),
            lambda: net.save("x"),
            lambda: net.weights,
            lambda: net.presentations,
            lambda: net.seed,
            lambda: net.saturations,
            lambda: net.set_eta(0.1),
            lambda: net.reward([1, 2, 3]),
            lambda: net.matrix("a", "h"),
            lambda: net.set_weights(kept),
        ):
            self.refused(tern.UseError, 183, call, text="network: it is closed")
        self.assertIn("closed", repr(net))
        junk = [np.full(len(kept), 7, np.int16) for _ in range(200)]  # takes memory that was freed too early
        self.assertTrue(np.array_equal(weights, kept))
        del junk

    def test_arrays_outlive_everything(self):
        freed = []
        image, inputs, targets = plain()
        net = tern.Network(image)
        net.train(image.examples(inputs, targets), 2)
        free, net._handle._free = net._handle._free, lambda p: (freed.append(p), free(p))
        weights, bias, first, kept = net.weights, net.bias, image.weights, net.weights.copy()
        again = image.bytes
        net.close()
        del net, image
        gc.collect()
        self.assertEqual(freed, [])  # the arrays hold it
        self.assertTrue(np.array_equal(weights, kept))
        self.assertTrue(np.array_equal(first, tern.Image(again).weights))
        part = weights[3:9]
        del weights, bias
        gc.collect()
        self.assertEqual(freed, [])
        self.assertTrue(np.array_equal(part, kept[3:9]))
        del part
        gc.collect()
        self.assertEqual(len(freed), 1)

    def test_order_of_deleting(self):
        for order in range(4):
            image, inputs, targets = plain()
            net, ex = tern.Network(image, threads=2), image.examples(inputs, targets)
            net.train(ex, 1)
            names = ["image", "net", "ex"]
            for name in names[order % 3 :] + names[: order % 3]:
                if name == "image":
                    del image
                elif name == "net":
                    del net
                else:
                    del ex
                gc.collect()

    def test_arrays_are_read_in_place_and_not_kept(self):
        image, inputs, targets = plain()
        ex = image.examples(inputs, targets)
        before = ex[0].inputs.copy()
        inputs[:] = 1 - inputs
        self.assertTrue(np.array_equal(ex[0].inputs, before))
        with tern.Network(image) as net:
            net.train(ex, 1)
            view = net.weights
            self.assertTrue(np.shares_memory(view, net.weights))
            old = view.copy()
            net.train(ex, 1)
            self.assertFalse(np.array_equal(old, view))  # a view, not a copy

    def test_pickle(self):
        image, inputs, targets = plain()
        self.assertEqual(pickle.loads(pickle.dumps(image)), image)
        self.assertEqual(copy.deepcopy(image).name, "plain")
        net = tern.Network(image)
        for call in (pickle.dumps, copy.copy, copy.deepcopy):
            self.refused(tern.UseError, 183, call, net, text="pickled")
        try:
            tern.Image(b"")
        except tern.ImageError as e:
            self.assertEqual(pickle.loads(pickle.dumps(e)).code, 303)

    def test_threads(self):
        """Two threads on one network: one of them is refused, nothing is lost. On two networks: both run."""
        image, inputs, targets = plain(n=50, steps=200)
        whole = tern.Network(image)
        whole.train(image.examples(inputs, targets), 300)
        net, ex = tern.Network(image, engine="golden"), image.examples(inputs, targets)
        done, refused = [0], [0]

        def work():
            while done[0] < 300:
                try:
                    net.train(ex, 1)
                    done[0] += 1
                except tern.UseError as e:
                    refused[0] += e.code == 183

        threads = [threading.Thread(target=work) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertGreater(refused[0], 0)
        self.assertEqual(net.presentations, done[0])
        expected = tern.Network(image)
        expected.train(ex, done[0])
        self.assertEqual(net.image().bytes, expected.image().bytes)
        results = {}

        def alone(seed):
            with tern.Network(image, seed=seed) as own:
                own.train(image.examples(inputs, targets), 20)
                results[seed] = own.image().bytes

        threads = [threading.Thread(target=alone, args=(s,)) for s in (1, 2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for seed in (1, 2):
            with tern.Network(image, seed=seed) as own:
                own.train(ex, 20)
                self.assertEqual(own.image().bytes, results[seed])

    def test_other_threads_run_during_calls(self):
        image, _, _ = plain()
        net = tern.Network(image, engine="golden")
        inputs = random_spikes(5, 60000, image.n_inputs)
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)

        t = threading.Thread(target=count)
        t.start()
        net._run(60000, 0, inputs, None, None, None)
        seen = counted[0]
        stop.set()
        t.join()
        self.assertGreater(seen, 5)

    def test_fork(self):
        image, inputs, targets = plain()
        net, ex = tern.Network(image, threads=2), image.examples(inputs, targets)
        net.train(ex, 2)
        bytes_now = net.image().bytes

        def refused():
            for call in (lambda: net.step(steps=1), lambda: net.train(ex, 1), net.image):
                try:
                    call()
                    return 1
                except tern.UseError as e:
                    if e.code != 183 or "fork" not in str(e):
                        return 2
            return 0

        def ends():
            nonlocal net
            del net
            gc.collect()

        def works():
            with tern.Network(image) as own:
                own.train(ex, 2)
                return 0 if own.image().bytes == bytes_now else 3

        self.assertEqual([in_child(w) for w in (refused, ends, works)], [0, 0, 0])
        net.train(ex, 1)

    def interrupted(self, begun, call):
        """Ctrl-C once begun() is true. A call that ends before is a failure."""
        over = threading.Event()

        def wait():
            while not begun():
                if over.wait(0.005):
                    return
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=wait)
        thread.start()
        try:
            self.assertRaises(KeyboardInterrupt, call)
        finally:
            over.set()
            thread.join()

    def test_interrupt(self):
        """Ctrl-C ends a long job; what was made is whole, and continues to the same bits."""
        image, inputs, targets = plain(n=50, steps=400)
        ex = image.examples(inputs, targets)
        net = tern.Network(image, engine="golden")
        first = threading.Event()
        self.interrupted(first.is_set, lambda: net.evaluate(ex, 256, progress=lambda *_: first.set()))
        for call in (lambda: net.step(steps=10**7, spikes=False), lambda: net.train(ex, 10**6)):
            made = net.steps_made
            self.interrupted(lambda: net._state.step > made + 3000, call)  # several slices
            net.step(steps=1)  # usable
        net = tern.Network(image)
        self.interrupted(lambda: net._state.step > 400, lambda: net.train(ex, 10**6))
        done = net.presentations
        self.assertGreater(done, 0)
        net.train(ex, 3)
        whole = tern.Network(image)
        whole.train(ex, done + 3)
        self.assertEqual(net.image().bytes, whole.image().bytes)

    def test_progress(self):
        image, inputs, targets = plain()
        ex = image.examples(inputs, targets)
        net = tern.Network(image)
        seen = []

        def tell(done, total, row):
            seen.append((done, total, int(row["presentation"]), net.evaluate(ex).examples))

        net.train(ex, 40, progress=tell)
        self.assertEqual(seen[-1], (40, 40, 40, 4))
        self.assertEqual([s[0] for s in seen], sorted({s[0] for s in seen}))
        whole = tern.Network(image)
        whole.train(ex, 40)
        self.assertEqual(net.image().bytes, whole.image().bytes)  # measuring in between changes nothing

        def stop(done, total, row):
            if done >= 3:
                raise StopIteration

        self.assertRaises(StopIteration, net.train, ex, 40, progress=stop)
        self.assertLess(net.presentations, 80)
        self.assertRaises(tern.UseError, net.train, ex, 40, progress=lambda *_: net.close())


if __name__ == "__main__":
    unittest.main()
