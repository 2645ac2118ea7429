# setup.py : builds libtern.so by CMake into the package; everything else is in pyproject.toml
# SPDX-License-Identifier: Apache-2.0
#
# The library is used through ctypes, so one wheel serves every Python of a platform: py3-none-PLATFORM.
# TERN_PYTHON_LIBRARY=/path/to/libtern.so takes a library that is built already. TERN_CMAKE_OPTIONS is given to CMake.
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools 70.1 and newer
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # no dates in the wheel: the same bytes tomorrow
ROOT = Path(__file__).resolve().parents[2]


def built_by_cmake(work: Path) -> Path:
    if not (ROOT / "CMakeLists.txt").exists():
        raise SystemExit(
            "tern: the C sources are not here. Build from Tern's tree (pip install ./runtime/python), or"
            " give TERN_PYTHON_LIBRARY=/path/to/libtern.so"
        )
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    options = [
        "-DCMAKE_BUILD_TYPE=Release",
        "-DTERN_BUILD_TESTS=OFF",
        "-DTERN_BUILD_SHARED=ON",
        *shlex.split(os.environ.get("TERN_CMAKE_OPTIONS", "")),
    ]
    subprocess.run(["cmake", *generator, "-S", str(ROOT), "-B", str(work), *options], check=True)
    subprocess.run(["cmake", "--build", str(work), "--target", "tern_shared", "--parallel"], check=True)
    return work / "libtern.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        given = os.environ.get("TERN_PYTHON_LIBRARY")
        work = Path(self.get_finalized_command("build").build_temp).resolve() / "cmake"
        library = Path(given) if given else built_by_cmake(work)
        target = Path(self.build_lib) / "tern" / "libtern.so"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library.resolve(), target)


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True  # the wheel belongs to a platform


setup(distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
