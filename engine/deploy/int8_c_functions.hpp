// SPDX-License-Identifier: Apache-2.0
// The C functions of libraries that compute in 8 bits: kernels/int8.hpp for one image, with the same bytes. Private to
// engine/deploy.
#pragma once
#include <string_view>

namespace nw::deploy {

/// Sums of products are exact in 32 bits, whatever adds them: VNNI, AVX2 and SSE2 by name, or what the compiler makes
/// of plain loops. Weights are [block][input / 4][16 outputs][4], as nw::int8::pack() orders them for a depth of 4.
inline constexpr std::string_view int8_c_functions = R"C(
/* number = clamp(round(v), least - zero, most - zero) + zero: limits first; then 1.5 * 2^23 leaves no bits behind the
   point. Each operation is rounded on its own. */
NW_INLINE uint8_t nw_number(float v, int zero, int least, int most) {
  const float low = (float)(least - zero), high = (float)(most - zero);
  float up;
  v = v < low ? low : v;
  v = v > high ? high : v;
  up = v + 12582912.0f;
  return (uint8_t)((int)(up - 12582912.0f) + zero);
}

typedef struct {
  int height, width, step_y, step_x; /* of the output; bytes of the input between its neighbours */
  int row, pixel, outputs;           /* bytes of the output's rows and pixels; channels that are computed */
  int runs, run;                     /* pieces of neighbouring inputs, and their bytes, a multiple of four */
  int zero, least, most;
  int weights, constants; /* where they are */
} nw_product;

#if defined(__AVX512VNNI__) && !defined(NW_PLAIN)
#define NW_PIXELS 4
/* The sums of sixteen outputs for M pixels whose inputs begin at in[m]. */
NW_ALWAYS void nw_sums(const nw_product *p, const int *offsets, const uint8_t *const *in, const int8_t *w, int M,
                       int32_t (*sums)[16]) {
  __m512i s[NW_PIXELS];
  int r, k, m;
  for (m = 0; m < M; ++m) s[m] = _mm512_setzero_si512();
  for (r = 0; r < p->runs; ++r)
    for (k = 0; k < p->run; k += 4, w += 64) {
      const __m512i some = _mm512_loadu_si512((const void *)w);
      for (m = 0; m < M; ++m) {
        int32_t four;
        memcpy(&four, in[m] + offsets[r] + k, 4);
        s[m] = _mm512_dpbusd_epi32(s[m], _mm512_set1_epi32(four), some);
      }
    }
  for (m = 0; m < M; ++m) memcpy(sums[m], &s[m], 64);
}
#elif defined(__AVX2__) && !defined(NW_PLAIN)
#define NW_PIXELS 2
NW_ALWAYS void nw_sums(const nw_product *p, const int *offsets, const uint8_t *const *in, const int8_t *w, int M,
                       int32_t (*sums)[16]) {
  __m256i s[NW_PIXELS][4];
  int r, k, m, j;
  for (m = 0; m < M; ++m)
    for (j = 0; j < 4; ++j) s[m][j] = _mm256_setzero_si256();
  for (r = 0; r < p->runs; ++r)
    for (k = 0; k < p->run; k += 4, w += 64) {
      __m256i x[NW_PIXELS];
      for (m = 0; m < M; ++m) {
        int32_t four;
        memcpy(&four, in[m] + offsets[r] + k, 4);
        x[m] = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
      }
      for (j = 0; j < 4; ++j) {
        const __m256i some = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(w + 16 * j)));
        for (m = 0; m < M; ++m) s[m][j] = _mm256_add_epi32(s[m][j], _mm256_madd_epi16(x[m], some));
      }
    }
  for (m = 0; m < M; ++m)
    for (j = 0; j < 4; ++j) {
      int32_t pairs[8];
      memcpy(pairs, &s[m][j], 32);
      for (k = 0; k < 4; ++k) sums[m][4 * j + k] = pairs[2 * k] + pairs[2 * k + 1];
    }
}
#elif defined(__SSE2__) && !defined(NW_PLAIN)
#define NW_PIXELS 1
NW_ALWAYS void nw_sums(const nw_product *p, const int *offsets, const uint8_t *const *in, const int8_t *w, int M,
                       int32_t (*sums)[16]) {
  __m128i s[8];
  int r, k, j;
  (void)M;
  for (j = 0; j < 8; ++j) s[j] = _mm_setzero_si128();
  for (r = 0; r < p->runs; ++r)
    for (k = 0; k < p->run; k += 4, w += 64) {
      __m128i x;
      int32_t four;
      memcpy(&four, in[0] + offsets[r] + k, 4);
      x = _mm_unpacklo_epi8(_mm_set1_epi32(four), _mm_setzero_si128());
      for (j = 0; j < 8; ++j) {
        const __m128i some = _mm_loadl_epi64((const __m128i *)(const void *)(w + 8 * j));
        s[j] = _mm_add_epi32(s[j], _mm_madd_epi16(x, _mm_srai_epi16(_mm_unpacklo_epi8(some, some), 8)));
      }
    }
  for (j = 0; j < 8; ++j) {
    int32_t pairs[4];
    memcpy(pairs, &s[j], 16);
    sums[0][2 * j] = pairs[0] + pairs[1];
    sums[0][2 * j + 1] = pairs[2] + pairs[3];
  }
}
#else
#define NW_PIXELS 1
NW_ALWAYS void nw_sums(const nw_product *p, const int *offsets, const uint8_t *const *in, const int8_t *w, int M,
                       int32_t (*sums)[16]) {
  int r, k, o;
  (void)M;
  for (o = 0; o < 16; ++o) sums[0][o] = 0;
  for (r = 0; r < p->runs; ++r) {
    const uint8_t *x = in[0] + offsets[r];
    for (k = 0; k < p->run; k += 4, w += 64, x += 4)
      for (o = 0; o < 16; ++o)
        sums[0][o] += x[0] * w[4 * o] + x[1] * w[4 * o + 1] + x[2] * w[4 * o + 2] + x[3] * w[4 * o + 3];
  }
}
#endif

/* Sums of block `b` become numbers. */
NW_INLINE void nw_finish(const nw_product *p, const int32_t *sums, int b, uint8_t *out) {
  const int32_t *bias = nw_bias + p->constants + 16 * b;
  const float *factor = nw_factor + p->constants + 16 * b;
  const int left = p->outputs - 16 * b, count = left < 16 ? left : 16;
  int o;
  for (o = 0; o < count; ++o) {
    const float v = (float)(sums[o] + bias[o]) * factor[o];
    out[16 * b + o] = nw_number(v, p->zero, p->least, p->most);
  }
}

NW_INLINE const int8_t *nw_block(const nw_product *p, int b) {
  return nw_weights + p->weights + (size_t)b * 16 * (size_t)(p->runs * p->run);
}

NW_KERNEL void nw_multiply(const nw_product *p, const int *offsets, const uint8_t *in, uint8_t *out) {
  int32_t sums[NW_PIXELS][16];
  const uint8_t *at[NW_PIXELS];
  int b, y, x, m;
  for (b = 0; b < (p->outputs + 15) / 16; ++b)
    for (y = 0; y < p->height; ++y)
      for (x = 0; x < p->width;) {
        const int count = p->width - x >= NW_PIXELS ? NW_PIXELS : 1;
        for (m = 0; m < count; ++m) at[m] = in + y * p->step_y + (x + m) * p->step_x;
        if (count == 1)
          nw_sums(p, offsets, at, nw_block(p, b), 1, sums);
        else
          nw_sums(p, offsets, at, nw_block(p, b), NW_PIXELS, sums);
        for (m = 0; m < count; ++m) nw_finish(p, sums[m], b, out + y * p->row + (x + m) * p->pixel);
        x += count;
      }
}

/* The same for one pixel, whose results stay real numbers. */
NW_KERNEL void nw_score(const nw_product *p, const int *offsets, const uint8_t *in, float *scores) {
  int32_t sums[NW_PIXELS][16];
  const uint8_t *at[NW_PIXELS];
  int b, o;
  at[0] = in;
  for (b = 0; b < (p->outputs + 15) / 16; ++b) {
    nw_sums(p, offsets, at, nw_block(p, b), 1, sums);
    for (o = 0; o < 16 && 16 * b + o < p->outputs; ++o)
      scores[16 * b + o] =
          (float)(sums[0][o] + nw_bias[p->constants + 16 * b + o]) * nw_factor[p->constants + 16 * b + o];
  }
}

/* A filter of its own for each channel; `outputs`: channels, `runs`: taps. */
NW_KERNEL void nw_depthwise(const nw_product *p, const int *offsets, const uint8_t *in, uint8_t *out) {
  const int whole = (p->outputs + 15) / 16 * 16;
  int y, x, c, o, t;
  for (y = 0; y < p->height; ++y)
    for (x = 0; x < p->width; ++x)
      for (c = 0; c < p->outputs; c += 16) {
        const uint8_t *from = in + y * p->step_y + x * p->step_x + c;
        const int8_t *w = nw_weights + p->weights + c;
        const int count = p->outputs - c < 16 ? p->outputs - c : 16;
        int32_t sums[16] = {0};
        for (t = 0; t < p->runs; ++t, w += whole)
          for (o = 0; o < count; ++o) sums[o] += from[offsets[t] + o] * w[o];
        nw_finish(p, sums, c / 16, out + y * p->row + x * p->pixel);
      }
}

typedef struct {
  int in_height, in_width, in_row, channels, height, width, row; /* bytes of rows */
  int kernel_y, kernel_x, stride_y, stride_x, padding_y, padding_x;
  int counts_padding, in_zero, zero, least, most;
  float factor;
} nw_window;

NW_INLINE int nw_at_least(int a, int b) { return a > b ? a : b; }
NW_INLINE int nw_at_most(int a, int b) { return a < b ? a : b; }

NW_KERNEL void nw_pool_max(const nw_window *p, const uint8_t *in, uint8_t *out) {
  int oy, ox, y, x, c;
  for (oy = 0; oy < p->height; ++oy)
    for (ox = 0; ox < p->width; ++ox) {
      const int y0 = oy * p->stride_y - p->padding_y, x0 = ox * p->stride_x - p->padding_x;
      uint8_t *to = out + oy * p->row + ox * p->channels;
      memset(to, 0, (size_t)p->channels);
      for (y = nw_at_least(0, y0); y < nw_at_most(p->in_height, y0 + p->kernel_y); ++y)
        for (x = nw_at_least(0, x0); x < nw_at_most(p->in_width, x0 + p->kernel_x); ++x) {
          const uint8_t *from = in + y * p->in_row + x * p->channels;
          for (c = 0; c < p->channels; ++c) to[c] = from[c] > to[c] ? from[c] : to[c];
        }
    }
}

NW_KERNEL void nw_pool_mean(const nw_window *p, const uint8_t *in, uint8_t *out) {
  int oy, ox, y, x, c;
  for (oy = 0; oy < p->height; ++oy)
    for (ox = 0; ox < p->width; ++ox) {
      const int y0 = oy * p->stride_y - p->padding_y, x0 = ox * p->stride_x - p->padding_x;
      const int first_y = nw_at_least(0, y0), last_y = nw_at_most(p->in_height, y0 + p->kernel_y);
      const int first_x = nw_at_least(0, x0), last_x = nw_at_most(p->in_width, x0 + p->kernel_x);
      const int inside = (last_y - first_y) * (last_x - first_x);
      const float factor = p->factor / (float)(p->counts_padding ? p->kernel_y * p->kernel_x : inside);
      for (c = 0; c < p->channels; ++c) {
        int32_t sum = -inside * p->in_zero;
        for (y = first_y; y < last_y; ++y)
          for (x = first_x; x < last_x; ++x) sum += in[y * p->in_row + x * p->channels + c];
        out[oy * p->row + ox * p->channels + c] = nw_number((float)sum * factor, p->zero, p->least, p->most);
      }
    }
}

typedef struct {
  int height, width, channels, a_row, b_row, row; /* of the output; bytes of rows */
  int one_pixel, multiplies;                      /* b has one pixel for all; product instead of sum */
  int a_zero, b_zero, zero, least, most;
  float a_factor, b_factor;
} nw_two;

NW_KERNEL void nw_pair(const nw_two *p, const uint8_t *a, const uint8_t *b, uint8_t *out) {
  int y, x, c;
  for (y = 0; y < p->height; ++y)
    for (x = 0; x < p->width; ++x)
      for (c = 0; c < p->channels; ++c) {
        const int at = x * p->channels + c;
        const int32_t u = a[y * p->a_row + at] - p->a_zero;
        const int32_t v = (p->one_pixel ? b[c] : b[y * p->b_row + at]) - p->b_zero;
        const float first = p->multiplies ? (float)(u * v) * p->a_factor : (float)u * p->a_factor;
        const float second = p->multiplies ? 0.0f : (float)v * p->b_factor;
        out[y * p->row + at] = nw_number(first + second, p->zero, p->least, p->most);
      }
}

/* An output for each of 256 inputs, into some channels. */
NW_KERNEL void nw_look_up(const uint8_t *table, int height, int width, int channels, int in_row, int row, int pixel,
                          const uint8_t *in, uint8_t *out) {
  int y, x, c;
  for (y = 0; y < height; ++y)
    for (x = 0; x < width; ++x)
      for (c = 0; c < channels; ++c) out[y * row + x * pixel + c] = table[in[y * in_row + x * channels + c]];
}
)C";

}  // namespace nw::deploy
