#!/bin/sh
# logic_fit.sh LOGIC_FIT WORK : the fit finds the coefficients again that made-up reports come from, and refuses what is no report
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
fit=$1 work=$2/logic_fit
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0 n=0
# cells = 5000 + 2 LANES (D + W - 1) DELTA_W on a device with multipliers and no memories that need logic: lanes and window vary
for lanes in 1 2 4 8 16; do
    for lags in 2 5 9 20; do
        n=$((n + 1))
        hist=$((6 + lags))
        cells=$((5000 + 2 * lanes * (hist - 1) * 27))
        printf '{"network":"made-up","target":{"name":"ecp5-85k"},"used":{"packed":true,"cells":%d},"capacity":{"lanes":%d,"weight_w":16,"samples":4,"neurons":64,"pairs":256,"errors":1024,"taps_d":6,"lags_w":%d,"hist_w":%d,"filters":1,"rows":64,"words":999,"hist_words":99,"targets":9,"x_w":10,"kernel_w":22,"delta_w":27,"acc_w":29,"dither_min":13,"dither_max":13,"index_w":7,"signals":0,"baselines":0,"wta":0,"classes":0}}' $cells $lanes $lags $hist >report_$n.json
    done
done
echo '{"network":"cut' >report_bad.json
"$fit" table.inc report_*.json >out.txt 2>err.txt || { echo "FAILED: no fit"; cat err.txt; failed=1; }
grep -q "report_bad.json: no report" err.txt || { echo "FAILED: a damaged report was not told"; failed=1; }
[ "$(grep -c 'estimate' out.txt)" -eq $n ] || { echo "FAILED: not a line for each report"; failed=1; }
awk '{ for (i = 1; i < NF; ++i) if ($i == "estimate" && $(i + 1) ~ /^[+-]/) { e = $(i + 1) + 0; if (e > 5 || e < -5) { print "FAILED: " $0; bad = 1 } } } END { exit bad }' out.txt || failed=1
grep -q 'ECP5: 20 reports' table.inc && grep -q 'TERN_FAMILY_ICE40, 0.300' table.inc || { echo "FAILED: the table"; cat table.inc; failed=1; }
"$fit" table2.inc report_bad.json >/dev/null 2>&1 && { echo "FAILED: a table of nothing"; failed=1; }
[ $failed -eq 0 ] && echo "logic_fit: $n reports, coefficients found"
exit $failed
