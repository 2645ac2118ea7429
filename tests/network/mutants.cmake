# Mistakes made in runtime/network and runtime/runner by a sed expression: the tests of tern/network.h must notice.
# `says`: what the test prints then.
# SPDX-License-Identifier: Apache-2.0
function(tern_add_network_mutant name source test says expression)
  set(file ${CMAKE_SOURCE_DIR}/runtime/${source}.c)
  set(changed ${CMAKE_CURRENT_BINARY_DIR}/mutant_${name}.c)
  set(change ${CMAKE_SOURCE_DIR}/tests/link/link_c_mutant.sh)
  add_custom_command(OUTPUT ${changed} COMMAND sh ${change} ${file} "${expression}" ${changed}
    DEPENDS ${file} ${change} VERBATIM)
  add_executable(network_mutant_${name} $<TARGET_OBJECTS:test_network_${test}> ${changed}) # before the archive's
  set_source_files_properties(${changed} PROPERTIES COMPILE_OPTIONS -w)
  target_include_directories(network_mutant_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests
    ${CMAKE_SOURCE_DIR}/runtime/network
    ${CMAKE_SOURCE_DIR}/runtime/runner)
  target_link_libraries(network_mutant_${name} PRIVATE tern_network)
  set_target_properties(network_mutant_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME mutant.network.${name} COMMAND network_mutant_${name} 6)
  set_tests_properties(mutant.network.${name} PROPERTIES TIMEOUT 600 LABELS mutant
    PASS_REGULAR_EXPRESSION "FAILED: ${says}")
endfunction()
set(network network/tern_network)
tern_add_network_mutant(bits_of_bytes network/tern_bits run "memcmp.f.inputs"
  "s/set [*] 0x0102040810204080u) >> 56/set * 0x0102040810204080u) >> 57/")
tern_add_network_mutant(only_one network/tern_bits run "memcmp.f.inputs"
  "s/((x & low) + low) | x)/(x << 7 | x) \\& 0)/")
tern_add_network_mutant(last_units network/tern_bits run "memcmp.f.inputs"
  "s/(bytes.i. != 0) << i/(bytes[0] != 0) << i/")
tern_add_network_mutant(chunks ${network} run "wrong == 0" "s/s->inputs + (first + t)/s->inputs + t/")
tern_add_network_mutant(spikes_of_chunks ${network} run "wrong == 0" "s/s->spikes + first [*] K/s->spikes + first/")
tern_add_network_mutant(not_counted ${network} run "" "s/++net->presentations;/;/")
tern_add_network_mutant(fresh_steps ${network} run "tern_network_presentations.again"
  "s/o->fresh [?] NULL : model->state/model->state/")
tern_add_network_mutant(not_restored ${network} run "" "s/tern_runner_restore(&net->run, p->saved)/(void)0/")
tern_add_network_mutant(matrix_shifted ${network} run "out.u . from->size" "s/+ (lo - row->first)/+ (hi > lo + 1)/")
tern_add_network_mutant(no_flush runner/tern_present run "" "s/tern_runner_end(r, r->model->data.clear)/(void)0/")
tern_add_network_mutant(one_epoch runner/tern_present run "" "s,done / n != [*]epoch,*epoch == UINT32_MAX,")
tern_add_network_mutant(rate_stays runner/tern_present run "" "s/tern_runner_set_eta(r, out->eta, diags)/TERN_OK/")
tern_add_network_mutant(label_once network/tern_examples run "f.targets"
  "s/t < ex->steps; ++t)$/t < 1; ++t)/")
tern_add_network_mutant(absent_lost ${network} refuse "s != TERN_OK"
  "s/if (absent != (n->weights0/if (0 \\&\\& absent != (n->weights0/")
tern_add_network_mutant(nan_signal ${network} refuse "s != TERN_OK" "s/if (!(fabs(reward.k.) <= DBL_MAX))/if (0)/")
tern_add_network_mutant(other_sizes ${network} refuse "s != TERN_OK" "s/if (tern_network_inputs(model) == .*/if (1 ||/")
