#!/bin/sh
# mutants.sh PYTHON WORK TERN SOURCE : the tests notice faults planted in the package
# SPDX-License-Identifier: Apache-2.0
#
# plant FILE SED TEST MESSAGE: FILE of the package is changed by SED; then TEST fails, and says MESSAGE.
export LC_ALL=C
set -eu
python=$1 work=$2 tern=$3 source=$4
site=$work/site changed=$work/mutant
planted=0
export TERN_TEST_CHILD_S=3 # a child that hangs is what one of them is about
plant() {
    rm -rf "$changed"
    mkdir "$changed"
    cp -r "$site/tern" "$changed/tern"
    sed "$2" "$site/tern/$1" >"$changed/tern/$1"
    if cmp -s "$site/tern/$1" "$changed/tern/$1"; then echo "FAILED: '$2' changes nothing in $1"; exit 1; fi
    status=0
    timeout 600 sh "$source/tests/python/run.sh" "$python" "$changed" "$tern" "$source" "$3" \
        >"$work/mutant.out" 2>&1 || status=$?
    if [ "$status" -eq 0 ] || ! grep -q -e "$4" "$work/mutant.out"; then
        tail -n 20 "$work/mutant.out"
        echo "FAILED: '$2' in $1: $3 ends with $status and does not say: $4"
        exit 1
    fi
    planted=$((planted + 1))
}
P=test_package.Package R=test_refuse.Refuse L=test_life.Life
plant _c.py 's/("threads", c_uint32), ("samples", c_uint32)/("samples", c_uint32), ("threads", c_uint32)/' \
    $P.test_layout tern_network_options
plant _c.py 's/("step", c_uint32), ("lag_head"/("step", c_uint64), ("lag_head"/' $P.test_layout 'tern_state.step'
plant image.py 's/first = inputs if p.kind == 0 else p.neuron0/first = inputs/' $P.test_image "'v', 'visible'"
plant _arrays.py 's/if flags.c_contiguous and flags.aligned/if flags.aligned/' \
    $R.test_spikes_in 'ArrayError not raised\|not C contiguous'
plant _arrays.py 's/ and x.dtype in kinds:/:/' $R.test_spikes_in 'not raised\|Error'
plant _arrays.py 's/(where, True)/(where, False)/' $R.test_weights 'ValueError not raised'
plant errors.py 's/if d.severity == "warning":/if False:/' $R.test_warnings '\[\] != \[266\]'
plant _handle.py 's/if self._handle is None:/if False:/' $L.test_closed 'Error'
plant _arrays.py 's/self.owner = owner/pass/' $L.test_arrays_outlive_everything 'AssertionError\|Segmentation'
plant _handle.py 's/self.life = None if forks else _life/self.life = None/' $L.test_fork '\[1, \|\[2, \|hangs'
plant _handle.py 's/if not self._lock.acquire(blocking=False):/if not self._lock.acquire():/' \
    $L.test_threads '0 not greater than 0'
plant network.py 's/^            t += more$/            t = n/' $L.test_interrupt 'KeyboardInterrupt'
plant network.py 's/_train(pointer, data, n,/_train(pointer, data, n + 1,/' \
    $L.test_progress 'AssertionError\|free\|corrupt'
echo "$planted planted faults are noticed"
