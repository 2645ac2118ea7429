# _c.py : libtern.so as ctypes sees it: structures, functions, and where the library is
# SPDX-License-Identifier: Apache-2.0
#
# Structures are those of the public headers, field by field; the test python.wheel compares offsets and sizes with what
# the C compiler makes of them. ctypes.CDLL lets other Python threads run during a call.
from __future__ import annotations

import ctypes
import os
from ctypes import (CDLL, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_size_t,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_uint, c_void_p)
from pathlib import Path
from typing import Any

MAX_POPULATIONS, MAX_FILTERS, MAX_PARTS, MAX_TAPS = 64, 16, 16, 32
STEP_LEARN, STEP_CLAMP = 1, 2
ABSENT = -32768
NO_FILTER = 255


class Alloc(Structure):
    _fields_ = [("fn", c_void_p), ("ud", c_void_p)]


class Arena(Structure):
    _fields_ = [("alloc", Alloc), ("chunks", c_void_p), ("limit_bytes", c_size_t), ("used_bytes", c_size_t)]


class Diag(Structure):
    _fields_ = [("code", c_int), ("severity", c_int), ("line", c_int), ("file", c_char * 160), ("key", c_char * 96),
                ("message", c_char * 400), ("hint", c_char * 300)]


class Diags(Structure):
    _fields_ = [("n", c_size_t), ("n_errors", c_size_t), ("n_dropped", c_size_t), ("list", Diag * 20)]


class CompileOptions(Structure):
    _fields_ = [("n_sets", c_size_t), ("sets", POINTER(c_char_p)), ("script_memory_bytes", c_size_t),
                ("script_seconds", c_double)]


class Row(Structure):
    _fields_ = [("weight", c_uint32), ("first", c_uint32), ("count", c_uint32), ("dither", c_uint32),
                ("filter", c_uint8), ("kind", c_uint8)]


class Neuron(Structure):
    _fields_ = [("pos", c_uint32), ("row0", c_uint32), ("n_rows", c_uint32), ("self_filter", c_uint8),
                ("wta_size", c_uint8), ("wta_index", c_uint8)]


class Learn(Structure):
    _fields_ = [("c_shift", c_uint8), ("c_frac", c_uint8), ("dither_bits", c_uint8), ("local_bits", c_uint8)]


class Net(Structure):
    _fields_ = [("n_inputs_pos", c_uint32), ("n_neurons_pos", c_uint32), ("n_neurons", c_uint32),
                ("n_visible", c_uint32), ("n_rows", c_uint32), ("n_weights", c_uint32), ("n_filters", c_uint8),
                ("taps_d", c_uint8), ("lags_w", c_uint8), ("trace_frac", c_uint8), ("weight_bits", c_uint8),
                ("weight_frac", c_uint8), ("rule", c_uint8), ("baseline", c_uint8), ("baseline_shift", c_uint8),
                ("m_shift", c_uint8), ("learn", Learn * 2), ("n_samples", c_uint16), ("gamma_f16", c_uint32),
                ("filter_taps", c_void_p), ("sig_f16", c_void_p), ("softplus_f12", c_void_p), ("exp_f16", c_void_p),
                ("log_f12", c_void_p), ("neurons", POINTER(Neuron)), ("rows", POINTER(Row)), ("ek0", c_void_p),
                ("kap_f15", c_void_p), ("weights0", c_void_p), ("bias0_f12", c_void_p), ("self0_f12", c_void_p)]


class Population(Structure):
    _fields_ = [("name", c_char * 48), ("kind", c_uint8), ("n_dims", c_uint8), ("dims", c_uint32 * 3),
                ("size", c_uint32), ("pos", c_uint32), ("neuron0", c_uint32), ("line", c_uint32), ("wta", c_uint32)]


class Filter(Structure):
    _fields_ = [("kind", c_uint8), ("n_taps", c_uint8), ("taps", c_double * MAX_TAPS), ("cut_mass", c_double)]


class Rule(Structure):
    _fields_ = [("kind", c_uint8), ("eta", c_double), ("eta_divide", c_double), ("eta_every", c_uint32),
                ("gamma", c_double), ("kappa", c_double), ("samples", c_uint32), ("baseline", c_uint8),
                ("memory", c_uint32), ("tau", c_double)]


class Part(Structure):
    _fields_ = [("population", c_uint32), ("x", c_uint32), ("y", c_uint32), ("width", c_uint32), ("height", c_uint32)]


class DataSpec(Structure):
    _fields_ = [("present", c_bool), ("format", c_char * 16), ("mirror_x", c_bool), ("mirror_y", c_bool),
                ("sensor_width", c_uint32), ("sensor_height", c_uint32), ("crop_x", c_uint32), ("crop_y", c_uint32),
                ("crop_width", c_uint32), ("crop_height", c_uint32), ("window_us", c_uint32), ("steps", c_uint32),
                ("polarity", c_uint8), ("phases", c_uint8), ("phase_steps", c_uint8), ("shift", c_uint8),
                ("scale", c_uint32), ("n_parts", c_uint32), ("parts", Part * MAX_PARTS),
                ("label_population", c_int32), ("clear", c_bool)]


class SatCounts(Structure):
    _fields_ = [("weight", c_uint64), ("local", c_uint64), ("potential", c_uint64), ("coefficient", c_uint64),
                ("logprob", c_uint64), ("modulator", c_uint64)]


class CommCounts(Structure):
    _fields_ = [("unicast", c_uint64), ("broadcast", c_uint64)]


class State(Structure):
    _fields_ = [("net", POINTER(Net)), ("n_samples", c_uint32), ("k0", c_uint32), ("seed", c_uint64),
                ("step", c_uint32), ("lag_head", c_uint32), ("pending", c_bool), ("weights", c_void_p),
                ("bias_f12", c_void_p), ("self_f12", c_void_p), ("ek", c_void_p), ("hist_in", c_void_p),
                ("hist_neuron", c_void_p), ("errors_f15", c_void_p), ("v_f12", c_void_p), ("m_f14", c_void_p),
                ("w_f12", c_void_p), ("base_f12", c_void_p), ("base_weight", c_void_p), ("loss_f12", c_void_p),
                ("spikes", c_void_p), ("spikes_in", c_void_p), ("coef", c_void_p), ("m_neuron", c_void_p),
                ("u_wta", c_void_p), ("limited_wta", c_void_p), ("coef_kap", c_void_p), ("elig", c_void_p),
                ("kernel", c_void_p), ("acc_f20", c_void_p), ("sat", SatCounts), ("comm", CommCounts),
                ("sink", c_void_p)]


class Model(Structure):
    _fields_ = [("name", c_char * 48), ("source_sha256", c_char * 65), ("net", Net), ("n_populations", c_uint32),
                ("populations", Population * MAX_POPULATIONS), ("n_filters", c_uint32),
                ("filters", Filter * MAX_FILTERS), ("rule", Rule), ("data", DataSpec), ("seed", c_uint64),
                ("real_weights0", c_void_p), ("real_bias0", c_void_p), ("real_self0", c_void_p),
                ("presentations_done", c_uint32), ("state", POINTER(State))]


class Frames(Structure):
    _fields_ = [("n_steps", c_uint32), ("words_in", c_uint32), ("words_neuron", c_uint32), ("inputs", c_void_p),
                ("targets", c_void_p), ("label", c_int32)]


class ExamplesSpec(Structure):
    _fields_ = [("n", c_uint32), ("steps", c_uint32), ("inputs", c_void_p), ("targets", c_void_p),
                ("labels", c_void_p)]


class NetworkOptions(Structure):
    _fields_ = [("engine", c_char_p), ("threads", c_uint32), ("samples", c_uint32), ("has_seed", c_bool),
                ("fresh", c_bool), ("seed", c_uint64)]


class NetworkSteps(Structure):
    _fields_ = [("n_steps", c_uint32), ("flags", c_uint), ("inputs", c_void_p), ("targets", c_void_p),
                ("spikes", c_void_p), ("log_loss", c_void_p)]


class Presented(Structure):
    _fields_ = [("presentation", c_uint32), ("recording", c_uint32), ("label", c_int32), ("step", c_uint32),
                ("eta", c_double), ("log_loss", c_double), ("log_loss_iw", c_double), ("distance", c_double),
                ("hidden_rate", c_double), ("unicast", c_double), ("broadcast", c_double),
                ("saturations", SatCounts)]


class EvaluateOptions(Structure):
    _fields_ = [("samples", c_uint32), ("batch", c_uint32), ("has_seed", c_bool), ("early_stop", c_bool),
                ("first", c_bool), ("seed", c_uint64)]


class Evaluated(Structure):
    _fields_ = [("label", c_int32), ("decision", c_int32), ("samples", c_uint32), ("steps", c_uint32),
                ("scored", c_bool), ("log_loss", c_double), ("log_loss_iw", c_double), ("distance", c_double),
                ("entropy", c_double), ("confidence", c_double), ("confidence_votes", c_double),
                ("hidden_clamped", c_uint64), ("hidden_free", c_uint64), ("visible_free", c_uint64),
                ("visible_target", c_uint64)]


class EvaluatedSum(Structure):
    _fields_ = [("examples", c_uint32), ("scored", c_uint32), ("labelled", c_uint32), ("right", c_uint32),
                ("accuracy", c_double), ("accuracy_lo", c_double), ("accuracy_hi", c_double), ("log_loss", c_double),
                ("log_loss_error", c_double), ("log_loss_iw", c_double), ("log_loss_iw_error", c_double),
                ("distance", c_double), ("distance_error", c_double), ("ece", c_double), ("ece_votes", c_double)]


class EncodeSpec(Structure):
    _fields_ = [("code", c_uint8), ("population", c_uint32), ("lo", c_double), ("hi", c_double), ("steps", c_uint32),
                ("rate", c_double), ("threshold", c_double), ("width", c_double), ("seed", c_uint64)]


class EncodeCounts(Structure):
    _fields_ = [("n_spikes", c_uint64), ("n_clamped", c_uint64), ("n_wrong", c_uint64), ("n_lost", c_uint64)]


class SimSettings(Structure):
    _fields_ = [("seed", c_uint64), ("duration_us", c_uint32), ("refractory_us", c_uint32), ("period_us", c_uint32),
                ("path_px", c_double), ("contrast", c_double), ("threshold", c_double), ("mismatch", c_double),
                ("noise_hz", c_double), ("motion", c_uint8), ("size_px", c_double)]


class SimSet(Structure):
    _fields_ = [("classes", c_uint8 * 10), ("n_classes", c_uint32), ("first", c_uint32), ("count", c_uint32),
                ("overwrite", c_bool), ("form", c_uint8)]


class SimTotals(Structure):
    _fields_ = [("n_files", c_uint64), ("n_events", c_uint64), ("n_bytes", c_uint64), ("sha256", c_char * 65)]


SimProgress = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64, c_uint64)

# Structures by their names in C, for the test of their layouts.
STRUCTURES: dict[str, type[Structure]] = {
    "tern_alloc": Alloc, "tern_arena": Arena, "tern_diag": Diag, "tern_diags": Diags,
    "tern_compile_options": CompileOptions, "tern_row": Row, "tern_neuron": Neuron, "tern_learn": Learn,
    "tern_net": Net, "tern_population": Population, "tern_filter": Filter, "tern_rule": Rule, "tern_part": Part,
    "tern_data_spec": DataSpec, "tern_sat_counts": SatCounts, "tern_comm_counts": CommCounts, "tern_state": State,
    "tern_model": Model, "tern_frames": Frames, "tern_examples_spec": ExamplesSpec,
    "tern_network_options": NetworkOptions, "tern_network_steps": NetworkSteps, "tern_presented": Presented,
    "tern_evaluate_options": EvaluateOptions, "tern_evaluated": Evaluated, "tern_evaluated_sum": EvaluatedSum,
    "tern_encode_spec": EncodeSpec, "tern_encode_counts": EncodeCounts, "tern_sim_settings": SimSettings,
    "tern_sim_set": SimSet, "tern_sim_totals": SimTotals,
}


def _find() -> CDLL:
    named = os.environ.get("TERN_LIBRARY")
    packed = Path(__file__).with_name("libtern.so")
    path = named or (str(packed) if packed.exists() else "libtern.so.0")
    try:
        return CDLL(path)
    except OSError as e:
        raise ImportError(
            f"tern cannot load its library: {e}. If another library is named here, install it (Debian: apt install"
            " liblua5.4-0 libnettle8 zlib1g). A wheel made for this machine holds libtern.so;"
            " TERN_LIBRARY=/path/to/libtern.so names another one.") from e


lib = _find()


def _declare(name: str, result: Any, *arguments: Any) -> None:
    function = getattr(lib, name)
    function.restype = result
    function.argtypes = arguments


_D, _M = POINTER(Diags), POINTER(Model)
_declare("tern_version_text", c_char_p)
_declare("tern_status_text", c_char_p, c_int)
_declare("tern_alloc_default", Alloc)
_declare("tern_arena_init", None, POINTER(Arena), Alloc, c_size_t)
_declare("tern_arena_free", None, POINTER(Arena))
_declare("tern_diags_init", None, _D)
_declare("tern_diag_format", c_size_t, POINTER(Diag), c_char_p, c_size_t)
_declare("tern_compile_file", c_int, c_char_p, POINTER(CompileOptions), POINTER(Arena), _M, _D)
_declare("tern_compile_string", c_int, c_char_p, c_size_t, c_char_p, POINTER(CompileOptions), POINTER(Arena), _M, _D)
_declare("tern_image_encode", c_int, _M, POINTER(Arena), POINTER(c_void_p), POINTER(c_size_t))
_declare("tern_image_decode", c_int, c_char_p, c_size_t, c_char_p, POINTER(Arena), _M, _D)
_declare("tern_image_replaceable", c_int, c_char_p, _D)
_declare("tern_layout_hash", c_int, _M, c_char_p)
_declare("tern_file_read", c_int, c_char_p, c_uint64, Alloc, POINTER(c_void_p), POINTER(c_size_t), _D)
_declare("tern_file_write", c_int, c_char_p, c_char_p, c_size_t, _D)
_declare("tern_rule_eta_at", c_double, POINTER(Rule), c_uint32)
_declare("tern_order_epoch", None, c_uint64, c_uint32, c_uint32, c_void_p)
_declare("tern_encode_defaults", None, POINTER(EncodeSpec))
_declare("tern_encode_check", c_int, POINTER(EncodeSpec), _D)
_declare("tern_encode_units", c_uint32, POINTER(EncodeSpec), c_uint32)
_declare("tern_encode", c_int, POINTER(EncodeSpec), c_void_p, c_uint32, c_uint32, c_uint32, c_void_p,
         POINTER(EncodeCounts), _D)
_declare("tern_decode", c_int, POINTER(EncodeSpec), c_void_p, c_uint32, c_uint32, c_void_p, _D)
_declare("tern_sim_defaults", None, POINTER(SimSettings))
_declare("tern_sim_write_set", c_int, POINTER(SimSettings), POINTER(SimSet), c_char_p, Alloc, SimProgress, c_void_p,
         POINTER(SimTotals), _D)
_declare("tern_examples_pack", c_int, _M, POINTER(ExamplesSpec), POINTER(c_void_p), _D)
_declare("tern_examples_open", c_int, _M, c_char_p, POINTER(c_void_p), _D)
_declare("tern_examples_count", c_uint32, c_void_p)
_declare("tern_examples_get", c_int, c_void_p, c_uint32, POINTER(Frames), _D)
_declare("tern_examples_unpack", c_int, c_void_p, c_uint32, c_void_p, c_void_p, POINTER(c_int32), _D)
_declare("tern_examples_close", None, c_void_p)
_declare("tern_network_inputs", c_uint32, _M)
_declare("tern_network_open", c_int, _M, POINTER(NetworkOptions), POINTER(c_void_p), _D)
_declare("tern_network_close", None, c_void_p)
_declare("tern_network_state", POINTER(State), c_void_p)
_declare("tern_network_presentations", c_uint32, c_void_p)
_declare("tern_network_set_presentations", None, c_void_p, c_uint32)
_declare("tern_network_set_eta", c_int, c_void_p, c_double, _D)
_declare("tern_network_set_weights", c_int, c_void_p, c_void_p, c_void_p, c_void_p, _D)
_declare("tern_network_run", c_int, c_void_p, POINTER(NetworkSteps), _D)
_declare("tern_network_reward", c_int, c_void_p, c_void_p, _D)
_declare("tern_network_end", None, c_void_p, c_bool)
_declare("tern_network_train", c_int, c_void_p, c_void_p, c_uint32, c_void_p, _D)
_declare("tern_network_encode", c_int, c_void_p, POINTER(Arena), POINTER(c_void_p), POINTER(c_size_t), _D)
_declare("tern_network_save", c_int, c_void_p, c_char_p, _D)
_declare("tern_network_matrix", c_int, _M, c_void_p, c_uint32, c_uint32, c_uint32, c_void_p, _D)
_declare("tern_evaluation_open", c_int, c_void_p, POINTER(EvaluateOptions), POINTER(c_void_p), _D)
_declare("tern_evaluation_classes", c_uint32, c_void_p)
_declare("tern_evaluation_measure", c_int, c_void_p, c_void_p, c_uint32, c_void_p, c_void_p, _D)
_declare("tern_evaluation_close", None, c_void_p)
_declare("tern_evaluated_add_up", None, c_void_p, c_size_t, POINTER(EvaluatedSum))

version: str = lib.tern_version_text().decode()
byref = ctypes.byref
