/* fast_peak.c : see fast_peak.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fast_peak.h"
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>

#define EACH16(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

__attribute__((target("avx512f,avx512bw,avx512vnni"))) static void avx512(uint64_t n)
{
    __m512i sum[16], x = _mm512_set1_epi16(3), y = _mm512_set1_epi16(5);
    for (int i = 0; i < 16; ++i) sum[i] = _mm512_set1_epi32(i);
    while (n-- != 0) {
#define MAC(i) __asm__ volatile("vpdpwssd %2, %1, %0" : "+v"(sum[i]) : "v"(x), "v"(y));
        EACH16(MAC)
#undef MAC
    }
}

/* A multiply-add is two instructions there: the products' pairs, and their sum. */
__attribute__((target("avx2"))) static void avx2(uint64_t n)
{
    __m256i sum[16], x = _mm256_set1_epi16(3), y = _mm256_set1_epi16(5), p;
    for (int i = 0; i < 16; ++i) sum[i] = _mm256_set1_epi32(i);
    while (n-- != 0) {
#define MAC(i) __asm__ volatile("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(sum[i]), "=&x"(p) : "x"(x), "x"(y));
        MAC(0)
        MAC(1) MAC(2) MAC(3) MAC(4) MAC(5) MAC(6) MAC(7) MAC(8) MAC(9) MAC(10) MAC(11) MAC(0) MAC(1) MAC(2) MAC(3)
#undef MAC
    }
}

unsigned fast_peak_products(const char *isa, uint64_t n)
{
    if (strcmp(isa, "avx512") == 0) avx512(n);
    else if (strcmp(isa, "avx2") == 0) avx2(n);
    else return 0;
    return strcmp(isa, "avx512") == 0 ? 32 : 16;
}
#else
unsigned fast_peak_products(const char *isa, uint64_t n)
{
    (void)isa;
    (void)n;
    return 0;
}
#endif

uint64_t fast_peak_read(const uint64_t *from, size_t bytes)
{
    uint64_t sum[8] = { 0 };
    for (size_t i = 0; i + 8 <= bytes / sizeof *from; i += 8)
        for (int j = 0; j < 8; ++j) sum[j] += from[i + (size_t)j];
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}
