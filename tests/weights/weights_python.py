# weights_python.py : what NumPy, h5py and the NIR package make of Tern's files, and Tern of theirs
# SPDX-License-Identifier: Apache-2.0
#
#     weights_python.py TERN MODELS WORK       needs the packages numpy, h5py and nir
import os
import shutil
import subprocess
import sys

import h5py
import nir
import numpy as np

tern, models, work = sys.argv[1:]
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
os.chdir(work)
script = os.path.join(models, "digits2", "digits2.lua")


def run(*args, status=0):
    done = subprocess.run([tern, *args], capture_output=True, text=True)
    assert done.returncode == status, (args, done.stdout, done.stderr)
    return done.stdout + done.stderr


def same(a, b):
    with open(a, "rb") as x, open(b, "rb") as y:
        return x.read() == y.read()


run("data", "digits", "data", "--classes", "0,1", "--count", "2", "--duration-ms", "300")
run("train", script, "--data", "data", "-o", "t.tern", "--set", "rule.kind=mb", "--seed", "3")
for form in "npz", "h5":
    run("export", "t.tern", "-o", f"t.{form}")

# both forms hold the same arrays, of the same types
archive = dict(np.load("t.npz"))
with h5py.File("t.h5") as file:
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    assert sorted(names) == sorted(archive), set(names) ^ set(archive)
    for name in names:
        assert file[name].dtype == archive[name].dtype and (file[name][()] == archive[name]).all(), name

# written by NumPy (packed too) and by h5py, in any order, as single precision: the same image
np.savez_compressed("packed.npz", **dict(reversed(archive.items())))
run("import", "t.tern", "packed.npz", "-o", "a.tern")
assert same("a.tern", "t.tern")
with h5py.File("own.h5", "w") as file:
    for name, item in archive.items():
        chunked = {"compression": "gzip", "chunks": True} if item.ndim > 0 else {}
        file.create_dataset(name, data=item, **chunked)
run("import", "t.tern", "own.h5", "-o", "b.tern")
assert same("b.tern", "t.tern")
single = {k: v.astype(np.float32) if v.dtype == np.float64 else v for k, v in archive.items()}
np.savez("single.npz", **single)
run("import", "t.tern", "single.npz", "-o", "c.tern")
assert same("c.tern", "t.tern")
half = dict(archive)
half["weights/pixels/out/1"] = archive["weights/pixels/out/1"] * 0.5
np.savez("half.npz", **half)
run("import", "t.tern", "half.npz", "-o", "half.tern")
assert not same("half.tern", "t.tern")
run("export", "half.tern", "-o", "again.npz")
error = np.abs(np.load("again.npz")["weights/pixels/out/1"] - half["weights/pixels/out/1"]).max()
assert error <= 0.5 / 2 ** archive["tern/formats"][1], error

# spikes
run("eval", "t.tern", "--data", "data", "--samples", "5", "--spikes", "s.npz")
run("eval", "t.tern", "--data", "data", "--samples", "5", "--spikes", "s.csv")
spikes = np.load("s.npz")["spikes"]
table = np.loadtxt("s.csv", delimiter=",", skiprows=1, dtype=np.int64)
assert len(spikes) > 100
assert (np.stack([spikes[k] for k in spikes.dtype.names], 1) == table).all()

# a graph that the package reads, checks and writes again; its sums are those of the arrays
run("export", "t.tern", "-o", "t.nir")
graph = nir.read("t.nir")
nir.write("u.nir", graph)
run("import", "t.tern", "t.nir", "-o", "d.tern")
run("import", "t.tern", "u.nir", "-o", "e.tern")
assert same("d.tern", "e.tern")
run("export", "d.tern", "-o", "d.npz")
d = np.load("d.npz")
for name in archive:
    if name.split("/")[0] in ("weights", "bias", "memory"):
        assert (d[name] == archive[name]).all(), name
lif = nir.NIRGraph(
    nodes={"pixels": nir.Input(np.array([676])), "w": nir.Linear(np.ones((2, 676))),
           "out": nir.LIF(tau=np.ones(2), r=np.ones(2), v_leak=np.zeros(2), v_threshold=np.ones(2)),
           "o": nir.Output(np.array([2]))},
    edges=[("pixels", "w"), ("w", "out"), ("out", "o")])
nir.write("lif.nir", lif)
assert "is of the type LIF" in run("import", script, "lif.nir", "-o", "f.tern", status=1)
assert not os.path.exists("f.tern")

# a checkpoint of the authors: arrays at the top of an HDF5 file, single precision
rng = np.random.default_rng(1)
w = {k: v for k, v in archive.items()}
ff = np.zeros((6, 682, 3), np.float32)
for k in range(3):
    ff[0:4, 0:676, k] = w[f"weights/pixels/hid/{k + 1}"]
    ff[4:6, 0:676, k] = w[f"weights/pixels/out/{k + 1}"]
    ff[4:6, 676:680, k] = w[f"weights/hid/out/{k + 1}"]
with h5py.File("checkpoint.h5", "w") as file:
    file["ff_weights"] = ff
    file["fb_weights"] = np.concatenate([w["memory/hid"], w["memory/out"]]).astype(np.float32)[:, None]
    file["bias"] = np.concatenate([w["bias/hid"], w["bias/out"]]).astype(np.float32)
run("import", "t.tern", "checkpoint.h5", "-o", "g.tern")
assert same("g.tern", "d.tern")
print("weights_python: passed")
