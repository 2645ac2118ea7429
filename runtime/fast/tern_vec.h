/* tern_vec.h : the few vector operations that the pass over the weights needs, for AVX-512, AVX2, NEON and any C
 * compiler
 * SPDX-License-Identifier: Apache-2.0
 *
 * A `vec` holds VEC_LANES 16-bit numbers or half as many 32-bit ones. All arithmetic wraps unless its name says that
 * it saturates. vec_pack() interleaves as the
 * processor does it, so places are counted in units of four: VEC_UNIT(u) is the place of unit u of a block of 32
 * positions
 * (docs/24-fast-engine.md, section 3). A `lanes` is a choice of 16-bit lanes.
 */
#ifndef TERN_VEC_H
#define TERN_VEC_H
#include <stdint.h>
#include <string.h>

#define VEC_INLINE static inline __attribute__((always_inline))

#if !defined TERN_VEC_PLAIN && defined __AVX512BW__ && defined __AVX512VNNI__
#include <immintrin.h>
#define VEC_OWN_PARTS 0
enum { VEC_LANES = 32, VEC_BUNDLE = 8, VEC_AHEAD = 4 };
typedef __m512i vec;
typedef __mmask32 lanes;
#define VEC_UNIT(u) ((u) >> 1 | ((u)&1u) << 2)
VEC_INLINE vec vec_zero(void) { return _mm512_setzero_si512(); }
VEC_INLINE vec vec_load(const void *p) { return _mm512_loadu_si512(p); }
VEC_INLINE void vec_store(void *p, vec a) { _mm512_storeu_si512(p, a); }
VEC_INLINE lanes vec_between(int from, int to) { return (lanes)((0xffffffffu >> (32 - to)) & (0xffffffffu << from)); }
/* Lanes from..to-1 are of memory, the others `other`; memory beyond is not touched. from < to. */
VEC_INLINE vec vec_load_part(const int16_t *p, int from, int to, int16_t other)
{
    return _mm512_mask_loadu_epi16(_mm512_set1_epi16(other), vec_between(from, to), p);
}
VEC_INLINE void vec_store_part(int16_t *p, int from, int to, vec a)
{
    _mm512_mask_storeu_epi16(p, vec_between(from, to), a);
}
VEC_INLINE vec vec_set16(int16_t x) { return _mm512_set1_epi16(x); }
VEC_INLINE vec vec_set32(int32_t x) { return _mm512_set1_epi32(x); }
/* 32-bit: sum + a0 b0 + a1 b1. As an instruction of its own, since gcc 12 copies the sums of a loop from register
 * to register with the intrinsic. */
VEC_INLINE vec vec_dot(vec sum, vec a, vec b)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    return sum;
}
VEC_INLINE vec vec_add32(vec a, vec b) { return _mm512_add_epi32(a, b); }
VEC_INLINE vec vec_xor(vec a, vec b) { return _mm512_xor_si512(a, b); }
VEC_INLINE vec vec_and(vec a, vec b) { return _mm512_and_si512(a, b); }
VEC_INLINE vec vec_or(vec a, vec b) { return _mm512_or_si512(a, b); }
VEC_INLINE vec vec_multiply32(vec a, vec b) { return _mm512_mullo_epi32(a, b); }
VEC_INLINE vec vec_min32(vec a, vec b) { return _mm512_min_epi32(a, b); }
VEC_INLINE vec vec_max32(vec a, vec b) { return _mm512_max_epi32(a, b); }
VEC_INLINE int vec_nonzero(vec a) { return _mm512_test_epi32_mask(a, a) != 0; }
VEC_INLINE vec vec_shift_right32(vec a, int n) { return _mm512_sra_epi32(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_shift_left32(vec a, int n) { return _mm512_sll_epi32(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_pack(vec a, vec b) { return _mm512_packs_epi32(a, b); } /* saturates */
VEC_INLINE vec vec_add16(vec a, vec b) { return _mm512_add_epi16(a, b); }
VEC_INLINE vec vec_add16_saturated(vec a, vec b) { return _mm512_adds_epi16(a, b); }
VEC_INLINE vec vec_min16(vec a, vec b) { return _mm512_min_epi16(a, b); }
VEC_INLINE vec vec_max16(vec a, vec b) { return _mm512_max_epi16(a, b); }
VEC_INLINE vec vec_high16(vec a, vec b) { return _mm512_mulhi_epi16(a, b); } /* of products of 32 bits */
VEC_INLINE vec vec_low16(vec a, vec b) { return _mm512_mullo_epi16(a, b); }
VEC_INLINE vec vec_left16(vec a, int n) { return _mm512_sll_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_right16(vec a, int n) { return _mm512_sra_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_right16_zeros(vec a, int n) { return _mm512_srl_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE lanes vec_differ16(vec a, vec b) { return _mm512_cmpneq_epi16_mask(a, b); }
VEC_INLINE lanes vec_both(lanes a, lanes b) { return (lanes)(a & b); }
VEC_INLINE int vec_any(lanes m) { return m != 0; }
VEC_INLINE unsigned vec_count(lanes m) { return (unsigned)__builtin_popcount(m); }
/* x + a where h has the bit */
VEC_INLINE vec vec_add_where(vec x, vec h, vec bit, vec a)
{
    return _mm512_mask_add_epi16(x, _mm512_test_epi16_mask(h, bit), x, a);
}
VEC_INLINE vec vec_tally(vec n, lanes m) { return _mm512_mask_sub_epi16(n, m, n, _mm512_set1_epi16(-1)); } /* + 1 */
VEC_INLINE uint32_t vec_pairs(vec a) { return _mm512_test_epi32_mask(a, a); } /* bits: 32-bit numbers that are not 0 */
VEC_INLINE vec vec_choose(lanes m, vec a, vec b) { return _mm512_mask_mov_epi16(b, m, a); } /* m ? a : b */
/* Square of 32-bit numbers: row becomes column. */
VEC_INLINE void vec_transpose(vec m[16])
{
    vec a[16];
    for (int i = 0; i < 16; i += 2) {
        a[i] = _mm512_unpacklo_epi32(m[i], m[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(m[i], m[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) { /* m[i + j]: of rows i..i+3, columns j, 4 + j, 8 + j, 12 + j */
        m[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
        m[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
        m[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
        m[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    for (int j = 0; j < 4; ++j) {
        a[j] = _mm512_shuffle_i32x4(m[j], m[4 + j], 0x88);          /* columns j, 8 + j of rows 0..7 */
        a[4 + j] = _mm512_shuffle_i32x4(m[j], m[4 + j], 0xdd);      /* columns 4 + j, 12 + j */
        a[8 + j] = _mm512_shuffle_i32x4(m[8 + j], m[12 + j], 0x88); /* the same of rows 8..15 */
        a[12 + j] = _mm512_shuffle_i32x4(m[8 + j], m[12 + j], 0xdd);
    }
    for (int j = 0; j < 4; ++j) {
        m[j] = _mm512_shuffle_i32x4(a[j], a[8 + j], 0x88);
        m[8 + j] = _mm512_shuffle_i32x4(a[j], a[8 + j], 0xdd);
        m[4 + j] = _mm512_shuffle_i32x4(a[4 + j], a[12 + j], 0x88);
        m[12 + j] = _mm512_shuffle_i32x4(a[4 + j], a[12 + j], 0xdd);
    }
}
VEC_INLINE int64_t vec_sum32(vec a)
{
    const __m512i lo = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(a)),
                  hi = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(a, 1));
    return _mm512_reduce_add_epi64(_mm512_add_epi64(lo, hi));
}
/* Pairs of 32-bit numbers to sums of 64 bits. */
VEC_INLINE __m512i vec_widen(vec a)
{
    return _mm512_add_epi64(_mm512_srai_epi64(_mm512_slli_epi64(a, 32), 32), _mm512_srai_epi64(a, 32));
}
#define VEC_OWN_SUMS
/* Adds the sums of four vectors of 32-bit numbers to four numbers of 64 bits. */
VEC_INLINE void vec_add_sums(const vec s[4], int64_t *to)
{
    const __m512i a = vec_widen(s[0]), b = vec_widen(s[1]), c = vec_widen(s[2]), d = vec_widen(s[3]);
    const __m512i ab = _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
                  cd = _mm512_add_epi64(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    const __m512i abcd = _mm512_add_epi64(_mm512_shuffle_i64x2(ab, cd, 0x88), _mm512_shuffle_i64x2(ab, cd, 0xdd));
    /* abab cdcd */
    const __m512i sum = _mm512_add_epi64(abcd, _mm512_shuffle_i64x2(abcd, abcd, 0xb1));
    const __m256i all = _mm512_castsi512_si256(_mm512_shuffle_i64x2(sum, sum, 0x08)),
                  old = _mm256_loadu_si256((const __m256i *)to);
    _mm256_storeu_si256((__m256i *)to, _mm256_add_epi64(old, all));
}

#elif !defined TERN_VEC_PLAIN && defined __AVX2__
#include <immintrin.h>
#define VEC_OWN_PARTS 1
enum { VEC_LANES = 16, VEC_BUNDLE = 4, VEC_AHEAD = 2 };
typedef __m256i vec;
typedef __m256i lanes;
#define VEC_UNIT(u) (((u)&4u) | ((u)&3u) >> 1 | ((u)&1u) << 1)
VEC_INLINE vec vec_zero(void) { return _mm256_setzero_si256(); }
VEC_INLINE vec vec_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
VEC_INLINE void vec_store(void *p, vec a) { _mm256_storeu_si256((__m256i *)p, a); }
VEC_INLINE vec vec_set16(int16_t x) { return _mm256_set1_epi16(x); }
VEC_INLINE vec vec_set32(int32_t x) { return _mm256_set1_epi32(x); }
VEC_INLINE vec vec_dot(vec sum, vec a, vec b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
VEC_INLINE vec vec_add32(vec a, vec b) { return _mm256_add_epi32(a, b); }
VEC_INLINE vec vec_xor(vec a, vec b) { return _mm256_xor_si256(a, b); }
VEC_INLINE vec vec_and(vec a, vec b) { return _mm256_and_si256(a, b); }
VEC_INLINE vec vec_or(vec a, vec b) { return _mm256_or_si256(a, b); }
VEC_INLINE vec vec_multiply32(vec a, vec b) { return _mm256_mullo_epi32(a, b); }
VEC_INLINE vec vec_min32(vec a, vec b) { return _mm256_min_epi32(a, b); }
VEC_INLINE vec vec_max32(vec a, vec b) { return _mm256_max_epi32(a, b); }
VEC_INLINE int vec_nonzero(vec a) { return !_mm256_testz_si256(a, a); }
VEC_INLINE vec vec_shift_right32(vec a, int n) { return _mm256_sra_epi32(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_shift_left32(vec a, int n) { return _mm256_sll_epi32(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_pack(vec a, vec b) { return _mm256_packs_epi32(a, b); }
VEC_INLINE vec vec_add16(vec a, vec b) { return _mm256_add_epi16(a, b); }
VEC_INLINE vec vec_add16_saturated(vec a, vec b) { return _mm256_adds_epi16(a, b); }
VEC_INLINE vec vec_min16(vec a, vec b) { return _mm256_min_epi16(a, b); }
VEC_INLINE vec vec_max16(vec a, vec b) { return _mm256_max_epi16(a, b); }
VEC_INLINE vec vec_high16(vec a, vec b) { return _mm256_mulhi_epi16(a, b); }
VEC_INLINE vec vec_low16(vec a, vec b) { return _mm256_mullo_epi16(a, b); }
VEC_INLINE vec vec_left16(vec a, int n) { return _mm256_sll_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_right16(vec a, int n) { return _mm256_sra_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE vec vec_right16_zeros(vec a, int n) { return _mm256_srl_epi16(a, _mm_cvtsi32_si128(n)); }
VEC_INLINE lanes vec_differ16(vec a, vec b)
{
    return _mm256_xor_si256(_mm256_cmpeq_epi16(a, b), _mm256_set1_epi16(-1));
}
VEC_INLINE lanes vec_both(lanes a, lanes b) { return _mm256_and_si256(a, b); }
VEC_INLINE int vec_any(lanes m) { return !_mm256_testz_si256(m, m); }
VEC_INLINE unsigned vec_count(lanes m) { return (unsigned)__builtin_popcount((unsigned)_mm256_movemask_epi8(m)) / 2u; }
VEC_INLINE vec vec_add_where(vec x, vec h, vec bit, vec a)
{
    return _mm256_add_epi16(x, _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_and_si256(h, bit), bit), a));
}
VEC_INLINE vec vec_tally(vec n, lanes m) { return _mm256_sub_epi16(n, m); }
VEC_INLINE uint32_t vec_pairs(vec a)
{
    const __m256i zero = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
    return 0xffu ^ (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
}
VEC_INLINE vec vec_choose(lanes m, vec a, vec b) { return _mm256_blendv_epi8(b, a, m); }
VEC_INLINE void vec_transpose(vec m[8])
{
    vec a[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = _mm256_unpacklo_epi32(m[i], m[i + 1]);
        a[i + 1] = _mm256_unpackhi_epi32(m[i], m[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) { /* m[i + j]: of rows i..i+3, columns j and 4 + j */
        m[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
        m[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
        m[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
        m[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    for (int j = 0; j < 4; ++j) {
        a[j] = _mm256_permute2x128_si256(m[j], m[4 + j], 0x20);
        a[4 + j] = _mm256_permute2x128_si256(m[j], m[4 + j], 0x31);
    }
    for (int j = 0; j < 8; ++j) m[j] = a[j];
}
VEC_INLINE int64_t vec_sum32(vec a)
{
    const __m256i s = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(a)),
                                       _mm256_cvtepi32_epi64(_mm256_extracti128_si256(a, 1)));
    const __m128i t = _mm_add_epi64(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
    return (int64_t)_mm_cvtsi128_si64(t) + (int64_t)_mm_extract_epi64(t, 1);
}
VEC_INLINE __m256i vec_widen(vec a)
{
    return _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(a)),
                            _mm256_cvtepi32_epi64(_mm256_extracti128_si256(a, 1)));
}
#define VEC_OWN_SUMS
VEC_INLINE void vec_add_sums(const vec s[4], int64_t *to)
{
    const __m256i a = vec_widen(s[0]), b = vec_widen(s[1]), c = vec_widen(s[2]), d = vec_widen(s[3]);
    const __m256i ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
                  cd = _mm256_add_epi64(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    const __m256i all =
        _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20), _mm256_permute2x128_si256(ab, cd, 0x31));
    vec_store(to, _mm256_add_epi64(vec_load(to), all));
}

#elif !defined TERN_VEC_PLAIN && defined __ARM_NEON && defined __aarch64__ && !defined __AARCH64EB__
#include <arm_neon.h>
#define VEC_OWN_PARTS 1
enum { VEC_LANES = 8, VEC_BUNDLE = 4, VEC_AHEAD = 1 };
typedef int16x8_t vec;
typedef uint16x8_t lanes;
VEC_INLINE int32x4_t vec_as32(vec a) { return vreinterpretq_s32_s16(a); }
VEC_INLINE vec vec_of32(int32x4_t a) { return vreinterpretq_s16_s32(a); }
#define VEC_UNIT(u) (u)
VEC_INLINE vec vec_zero(void) { return vdupq_n_s16(0); }
VEC_INLINE vec vec_load(const void *p) { return vld1q_s16((const int16_t *)p); }
VEC_INLINE void vec_store(void *p, vec a) { vst1q_s16((int16_t *)p, a); }
VEC_INLINE vec vec_set16(int16_t x) { return vdupq_n_s16(x); }
VEC_INLINE vec vec_set32(int32_t x) { return vec_of32(vdupq_n_s32(x)); }
VEC_INLINE vec vec_dot(vec sum, vec a, vec b)
{
    const int32x4_t lo = vmull_s16(vget_low_s16(a), vget_low_s16(b)), hi = vmull_high_s16(a, b);
    return vec_of32(vaddq_s32(vec_as32(sum), vpaddq_s32(lo, hi)));
}
VEC_INLINE vec vec_add32(vec a, vec b) { return vec_of32(vaddq_s32(vec_as32(a), vec_as32(b))); }
VEC_INLINE vec vec_xor(vec a, vec b) { return veorq_s16(a, b); }
VEC_INLINE vec vec_and(vec a, vec b) { return vandq_s16(a, b); }
VEC_INLINE vec vec_or(vec a, vec b) { return vorrq_s16(a, b); }
VEC_INLINE vec vec_multiply32(vec a, vec b) { return vec_of32(vmulq_s32(vec_as32(a), vec_as32(b))); }
VEC_INLINE vec vec_min32(vec a, vec b) { return vec_of32(vminq_s32(vec_as32(a), vec_as32(b))); }
VEC_INLINE vec vec_max32(vec a, vec b) { return vec_of32(vmaxq_s32(vec_as32(a), vec_as32(b))); }
VEC_INLINE int vec_nonzero(vec a) { return vmaxvq_u32(vreinterpretq_u32_s16(a)) != 0; }
VEC_INLINE vec vec_shift_right32(vec a, int n) { return vec_of32(vshlq_s32(vec_as32(a), vdupq_n_s32(-n))); }
VEC_INLINE vec vec_shift_left32(vec a, int n) { return vec_of32(vshlq_s32(vec_as32(a), vdupq_n_s32(n))); }
VEC_INLINE vec vec_pack(vec a, vec b) { return vqmovn_high_s32(vqmovn_s32(vec_as32(a)), vec_as32(b)); }
VEC_INLINE vec vec_add16(vec a, vec b) { return vaddq_s16(a, b); }
VEC_INLINE vec vec_add16_saturated(vec a, vec b) { return vqaddq_s16(a, b); }
VEC_INLINE vec vec_min16(vec a, vec b) { return vminq_s16(a, b); }
VEC_INLINE vec vec_max16(vec a, vec b) { return vmaxq_s16(a, b); }
VEC_INLINE vec vec_high16(vec a, vec b)
{
    const int16x4_t lo = vshrn_n_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), 16);
    return vshrn_high_n_s32(lo, vmull_high_s16(a, b), 16);
}
VEC_INLINE vec vec_low16(vec a, vec b) { return vmulq_s16(a, b); }
VEC_INLINE vec vec_left16(vec a, int n) { return vshlq_s16(a, vdupq_n_s16((int16_t)n)); }
VEC_INLINE vec vec_right16(vec a, int n) { return vshlq_s16(a, vdupq_n_s16((int16_t)-n)); }
VEC_INLINE vec vec_right16_zeros(vec a, int n)
{
    return vreinterpretq_s16_u16(vshlq_u16(vreinterpretq_u16_s16(a), vdupq_n_s16((int16_t)-n)));
}
VEC_INLINE lanes vec_differ16(vec a, vec b) { return vmvnq_u16(vceqq_s16(a, b)); }
VEC_INLINE lanes vec_both(lanes a, lanes b) { return vandq_u16(a, b); }
VEC_INLINE int vec_any(lanes m) { return vmaxvq_u16(m) != 0; }
VEC_INLINE unsigned vec_count(lanes m) { return vaddvq_u16(vandq_u16(m, vdupq_n_u16(1))); }
VEC_INLINE vec vec_add_where(vec x, vec h, vec bit, vec a)
{
    return vaddq_s16(x, vandq_s16(vreinterpretq_s16_u16(vtstq_s16(h, bit)), a));
}
VEC_INLINE vec vec_tally(vec n, lanes m) { return vsubq_s16(n, vreinterpretq_s16_u16(m)); }
VEC_INLINE uint32_t vec_pairs(vec a)
{
    static const uint32_t bit[4] = { 1, 2, 4, 8 };
    const uint32x4_t u = vreinterpretq_u32_s16(a);
    return vaddvq_u32(vandq_u32(vtstq_u32(u, u), vld1q_u32(bit)));
}
VEC_INLINE vec vec_choose(lanes m, vec a, vec b) { return vbslq_s16(m, a, b); }
VEC_INLINE void vec_transpose(vec m[VEC_LANES / 2])
{
    int32_t a[VEC_LANES / 2][VEC_LANES / 2], b[VEC_LANES / 2][VEC_LANES / 2];
    for (int i = 0; i < VEC_LANES / 2; ++i) vec_store(a[i], m[i]);
    for (int i = 0; i < VEC_LANES / 2; ++i)
        for (int j = 0; j < VEC_LANES / 2; ++j) b[j][i] = a[i][j];
    for (int i = 0; i < VEC_LANES / 2; ++i) m[i] = vec_load(b[i]);
}
VEC_INLINE int64_t vec_sum32(vec a) { return vaddlvq_s32(vec_as32(a)); }

#else /* any processor: the same operations as loops, which a compiler may put into what vectors it has */
#define VEC_OWN_PARTS 1
enum { VEC_LANES = 16, VEC_BUNDLE = 1, VEC_AHEAD = 1 };
#define VEC_OWN_JOIN
typedef union vec {
    int16_t h[16];
    int32_t w[8];
} vec;
typedef struct lanes {
    int16_t h[16];
} lanes;
#define VEC_UNIT(u) (u)
#define VEC_EACH(n) for (int i_ = 0; i_ < (n); ++i_)
VEC_INLINE vec vec_load(const void *p)
{
    vec r;
    memcpy(&r, p, sizeof r);
    return r;
}
VEC_INLINE void vec_store(void *p, vec a) { memcpy(p, &a, sizeof a); }
VEC_INLINE vec vec_set16(int16_t x)
{
    vec r;
    VEC_EACH(16) r.h[i_] = x;
    return r;
}
VEC_INLINE vec vec_set32(int32_t x)
{
    vec r;
    VEC_EACH(8) r.w[i_] = x;
    return r;
}
VEC_INLINE vec vec_zero(void) { return vec_set32(0); }
VEC_INLINE int32_t vec_wrap32(uint32_t x)
{
    int32_t r;
    memcpy(&r, &x, sizeof r);
    return r;
}
VEC_INLINE int16_t vec_wrap16(int32_t x)
{
    const uint16_t u = (uint16_t)x;
    int16_t r;
    memcpy(&r, &u, sizeof r);
    return r;
}
VEC_INLINE int16_t vec_limit16(int32_t x)
{
    return (int16_t)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x);
}
VEC_INLINE vec vec_dot(vec sum, vec a, vec b)
{
    vec r;
    VEC_EACH(8)
    r.w[i_] = vec_wrap32((uint32_t)sum.w[i_] + (uint32_t)(a.h[2 * i_] * b.h[2 * i_]) +
                         (uint32_t)(a.h[2 * i_ + 1] * b.h[2 * i_ + 1]));
    return r;
}
VEC_INLINE vec vec_add32(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = vec_wrap32((uint32_t)a.w[i_] + (uint32_t)b.w[i_]);
    return r;
}
VEC_INLINE vec vec_xor(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] ^ b.w[i_];
    return r;
}
VEC_INLINE vec vec_and(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] & b.w[i_];
    return r;
}
VEC_INLINE vec vec_or(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] | b.w[i_];
    return r;
}
VEC_INLINE vec vec_multiply32(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = vec_wrap32((uint32_t)a.w[i_] * (uint32_t)b.w[i_]);
    return r;
}
VEC_INLINE vec vec_min32(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] < b.w[i_] ? a.w[i_] : b.w[i_];
    return r;
}
VEC_INLINE vec vec_max32(vec a, vec b)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] > b.w[i_] ? a.w[i_] : b.w[i_];
    return r;
}
VEC_INLINE int vec_nonzero(vec a)
{
    int32_t any = 0;
    VEC_EACH(8) any |= a.w[i_];
    return any != 0;
}
VEC_INLINE vec vec_shift_right32(vec a, int n)
{
    vec r;
    VEC_EACH(8) r.w[i_] = a.w[i_] >> n;
    return r;
}
VEC_INLINE vec vec_shift_left32(vec a, int n)
{
    vec r;
    VEC_EACH(8) r.w[i_] = vec_wrap32((uint32_t)a.w[i_] << n);
    return r;
}
VEC_INLINE vec vec_pack(vec a, vec b)
{
    vec r;
    VEC_EACH(8)
    {
        r.h[i_] = vec_limit16(a.w[i_]);
        r.h[8 + i_] = vec_limit16(b.w[i_]);
    }
    return r;
}
VEC_INLINE vec vec_add16(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = vec_wrap16(a.h[i_] + b.h[i_]);
    return r;
}
VEC_INLINE vec vec_add16_saturated(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = vec_limit16(a.h[i_] + b.h[i_]);
    return r;
}
VEC_INLINE vec vec_min16(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = a.h[i_] < b.h[i_] ? a.h[i_] : b.h[i_];
    return r;
}
VEC_INLINE vec vec_max16(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = a.h[i_] > b.h[i_] ? a.h[i_] : b.h[i_];
    return r;
}
VEC_INLINE vec vec_high16(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = (int16_t)((a.h[i_] * b.h[i_]) >> 16);
    return r;
}
VEC_INLINE vec vec_low16(vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = vec_wrap16(a.h[i_] * b.h[i_]);
    return r;
}
VEC_INLINE vec vec_left16(vec a, int n)
{
    vec r;
    VEC_EACH(16) r.h[i_] = vec_wrap16((int32_t)((uint32_t)(uint16_t)a.h[i_] << n));
    return r;
}
VEC_INLINE vec vec_right16(vec a, int n)
{
    vec r;
    VEC_EACH(16) r.h[i_] = (int16_t)(a.h[i_] >> n);
    return r;
}
VEC_INLINE vec vec_right16_zeros(vec a, int n)
{
    vec r;
    VEC_EACH(16) r.h[i_] = vec_wrap16((uint16_t)a.h[i_] >> n);
    return r;
}
VEC_INLINE lanes vec_differ16(vec a, vec b)
{
    lanes r;
    VEC_EACH(16) r.h[i_] = a.h[i_] != b.h[i_] ? -1 : 0;
    return r;
}
VEC_INLINE lanes vec_both(lanes a, lanes b)
{
    VEC_EACH(16) a.h[i_] = (int16_t)(a.h[i_] & b.h[i_]);
    return a;
}
VEC_INLINE unsigned vec_count(lanes m)
{
    unsigned n = 0;
    VEC_EACH(16) n += (unsigned)(m.h[i_] & 1);
    return n;
}
VEC_INLINE int vec_any(lanes m) { return vec_count(m) != 0; }
VEC_INLINE vec vec_add_where(vec x, vec h, vec bit, vec a)
{
    VEC_EACH(16) x.h[i_] = vec_wrap16(x.h[i_] + ((h.h[i_] & bit.h[i_]) != 0 ? a.h[i_] : 0));
    return x;
}
VEC_INLINE vec vec_tally(vec n, lanes m)
{
    VEC_EACH(16) n.h[i_] = vec_wrap16(n.h[i_] - m.h[i_]);
    return n;
}
VEC_INLINE uint32_t vec_pairs(vec a)
{
    uint32_t bits = 0;
    VEC_EACH(8) bits |= (uint32_t)(a.w[i_] != 0) << i_;
    return bits;
}
VEC_INLINE vec vec_choose(lanes m, vec a, vec b)
{
    vec r;
    VEC_EACH(16) r.h[i_] = (int16_t)((a.h[i_] & m.h[i_]) | (b.h[i_] & ~m.h[i_]));
    return r;
}
VEC_INLINE void vec_transpose(vec m[VEC_LANES / 2])
{
    int32_t a[VEC_LANES / 2][VEC_LANES / 2], b[VEC_LANES / 2][VEC_LANES / 2];
    for (int i = 0; i < VEC_LANES / 2; ++i) vec_store(a[i], m[i]);
    for (int i = 0; i < VEC_LANES / 2; ++i)
        for (int j = 0; j < VEC_LANES / 2; ++j) b[j][i] = a[i][j];
    for (int i = 0; i < VEC_LANES / 2; ++i) m[i] = vec_load(b[i]);
}
VEC_INLINE int64_t vec_sum32(vec a)
{
    int64_t s = 0;
    VEC_EACH(8) s += a.w[i_];
    return s;
}
#endif

#ifndef VEC_OWN_SUMS
VEC_INLINE void vec_add_sums(const vec s[4], int64_t *to)
{
    for (int i = 0; i < 4; ++i) to[i] += vec_sum32(s[i]);
}
#endif

/* Of 32-bit numbers in a and b: the low halves, one of a, one of b, and so on. */
#ifdef VEC_OWN_JOIN
VEC_INLINE vec vec_join(vec a, vec b)
{
    vec r;
    VEC_EACH(8)
    {
        r.h[2 * i_] = vec_wrap16(a.w[i_]);
        r.h[2 * i_ + 1] = vec_wrap16(b.w[i_]);
    }
    return r;
}
#else /* little-endian */
VEC_INLINE vec vec_join(vec a, vec b) { return vec_or(vec_and(a, vec_set32(0xffff)), vec_shift_left32(b, 16)); }
#endif

#if VEC_OWN_PARTS
VEC_INLINE vec vec_load_part(const int16_t *p, int from, int to, int16_t other)
{
    int16_t part[VEC_LANES];
    for (int i = 0; i < VEC_LANES; ++i) part[i] = other;
    memcpy(part + from, p + from, (size_t)(to - from) * sizeof *part);
    return vec_load(part);
}
VEC_INLINE void vec_store_part(int16_t *p, int from, int to, vec a)
{
    int16_t part[VEC_LANES];
    vec_store(part, a);
    memcpy(p + from, part + from, (size_t)(to - from) * sizeof *part);
}
#endif
#endif /* TERN_VEC_H */
