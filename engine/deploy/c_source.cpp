// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/version.hpp"
#include "engine/deploy/c_text.hpp"

namespace nw::deploy {
namespace {

constexpr std::string_view begin_text = R"C(#include "nw_model.h"

#include <math.h>
#include <string.h>

/* A product and a sum may be one instruction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#if defined(__GNUC__)
#define NW_INLINE static inline __attribute__((unused))
#define NW_ALIGNED __attribute__((aligned(64)))
#else
#define NW_INLINE static inline
#define NW_ALIGNED
#endif
/* Functions that are compiled once, for all sizes; loops of a few rounds. */
#if defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && NW_FEW_STEPS
#define NW_KERNEL NW_INLINE __attribute__((always_inline)) /* smaller than calls with all sizes */
#define NW_SHORT_LOOP
#elif defined(__OPTIMIZE_SIZE__)
#define NW_KERNEL NW_INLINE
#define NW_SHORT_LOOP
#elif defined(__clang__)
#define NW_KERNEL static __attribute__((noinline, unused))
#define NW_SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#elif defined(__GNUC__)
#define NW_KERNEL static __attribute__((noinline, noclone, unused))
#define NW_SHORT_LOOP
#else
#define NW_KERNEL static
#define NW_SHORT_LOOP
#endif

)C";

constexpr std::string_view given_weights = R"C(
int nw_init(const void *bytes, size_t size) {
  const unsigned char *b = (const unsigned char *)bytes;
  nw_weights = NULL;
  if (size != 12 + 4 * (size_t)NW_WEIGHTS || memcmp(b, "NWWEIGHT", 8) != 0) return NW_BAD_WEIGHTS;
  if (((uint32_t)b[8] | (uint32_t)b[9] << 8 | (uint32_t)b[10] << 16 | (uint32_t)b[11] << 24) != NW_WEIGHTS)
    return NW_BAD_WEIGHTS;
  nw_weights = (const float *)(const void *)(b + 12);
  return nw_sum_of_bits() == NW_CHECKSUM ? NW_OK : (nw_weights = NULL, NW_BAD_WEIGHTS);
}
)C";

constexpr std::string_view checksum_text = R"C(
/* FNV-1a of the weights' bits. */
static uint64_t nw_sum_of_bits(void) {
  uint64_t sum = UINT64_C(14695981039346656037);
  size_t i;
  for (i = 0; i < NW_WEIGHTS; ++i) {
    uint32_t bits;
    memcpy(&bits, nw_weights + i, 4);
    sum = (sum ^ bits) * UINT64_C(1099511628211);
  }
  return sum;
}
)C";

// `memory`: nw_predict_in's; the picture's planes become neighbouring numbers of a pixel, the scores' pixels planes.
constexpr std::string_view predict_text = R"C(
int nw_predict_in(float *memory, const float *image, float *scores) {
#if NW_CHANNELS > 1
  int c, i;
#endif
#if NW_MISSING_WEIGHTS
  if (!nw_weights) return NW_NO_WEIGHTS;
#endif
#if NW_CHANNELS > 1
  for (c = 0; c < NW_CHANNELS; ++c)
    for (i = 0; i < NW_HEIGHT * NW_WIDTH; ++i) memory[NW_PICTURE + i * NW_CHANNELS + c] = *image++;
#else
  memcpy(memory + NW_PICTURE, image, sizeof(float) * NW_HEIGHT * NW_WIDTH);
#endif
  nw_run(nw_weights, memory);
  nw_take_scores(memory, scores);
  return NW_OK;
}

static float nw_memory[NW_ARENA_FLOATS] NW_ALIGNED;

int nw_predict(const float *image, float *scores) { return nw_predict_in(nw_memory, image, scores); }
)C";

constexpr std::string_view scores_text = R"C(
NW_INLINE void nw_take_scores(const float *memory, float *scores) {
#if NW_PLANES > 1
  int c, i;
  for (c = 0; c < NW_PLANES; ++c)
    for (i = 0; i < NW_OUTPUTS / NW_PLANES; ++i) *scores++ = memory[NW_RESULT + i * NW_PLANES + c];
#else
  memcpy(scores, memory + NW_RESULT, sizeof(float) * NW_OUTPUTS);
#endif
}
)C";

constexpr std::string_view more_text = R"C(
int nw_predict_u8_in(float *memory, const uint8_t *pixels, float *scores) {
  float *x = memory + NW_PICTURE;
  int c, i;
#if NW_MISSING_WEIGHTS
  if (!nw_weights) return NW_NO_WEIGHTS;
#endif
  for (i = 0; i < NW_HEIGHT * NW_WIDTH; ++i)
    for (c = 0; c < NW_CHANNELS; ++c) *x++ = ((float)*pixels++ / 255.0f - nw_mean[c]) / nw_deviation[c];
  nw_run(nw_weights, memory);
  nw_take_scores(memory, scores);
  return NW_OK;
}

int nw_predict_u8(const uint8_t *pixels, float *scores) { return nw_predict_u8_in(nw_memory, pixels, scores); }
)C";

std::string array_of(const char* declaration, const std::string& numbers) {
  return fmt::format("{} = {{\n{}}};\n", declaration, numbers);
}

std::string weights_text(const CText& t) {
  if (t.weights_file)
    return "\nstatic const float *nw_weights;\n" + std::string(checksum_text) + std::string(given_weights);
  return array_of("\nstatic const float nw_weights[NW_WEIGHTS] NW_ALIGNED", c_numbers(t.net.weights));
}

/// So far outputs may lie from those of the export: other processors round otherwise.
double tolerance(const CText& t) {
  double largest = 1e-3;
  for (const GoldenSample& g : t.golden)
    for (const float s : g.scores) largest = std::max(largest, static_cast<double>(std::abs(s)));
  return 1e-3 * largest;
}

std::string scale_text(const CText& t) {
  const auto channels = static_cast<std::size_t>(t.net.in[1]);
  std::vector<float> mean = t.from.mean, deviation = t.from.deviation;
  mean.resize(channels, 0);
  deviation.resize(channels, 1);
  return array_of("\nstatic const float nw_mean[NW_CHANNELS]", c_numbers(mean)) +
         array_of("static const float nw_deviation[NW_CHANNELS]", c_numbers(deviation));
}

std::string run_text(const CText& t) {
  std::string text =
      "\n/* `w`: the weights, `a`: memory. */\nstatic void nw_run(const float *w, float *a) {\n  int o = 0;\n  "
      "(void)o;\n  (void)w;\n";
  for (std::size_t s = 0; s < t.net.steps.size(); ++s)
    text += fmt::format("  {{ /* {} */\n{}  }}\n", c_words(t.net.steps[s].title), t.placed.texts[s]);
  return text + "}\n";
}

std::string places_text(const CText& t) {
  const bool planes = t.net.out.rank() == 4 && pixels_of(t.net.out) > 1;
  return fmt::format(
      "#define NW_PICTURE {}\n#define NW_RESULT {}\n#define NW_PLANES {}\n#define NW_MISSING_WEIGHTS {}\n"
      "#define NW_CHECKSUM UINT64_C({})\n",
      t.placed.input, t.placed.output, planes ? t.net.out[1] : 1, t.weights_file ? 1 : 0, checksum_of(t.net.weights));
}

}  // namespace

const std::string_view selftest_text = R"C(
int nw_selftest(void) {
  static float scores[NW_OUTPUTS];
  int s, i;
#if NW_MISSING_WEIGHTS
  if (!nw_weights) return NW_NO_WEIGHTS;
#endif
  if (nw_sum_of_bits() != NW_CHECKSUM) return NW_BAD_WEIGHTS;
  for (s = 0; s < NW_SAMPLES; ++s) {
    nw_predict_u8(nw_golden_pixels[s], scores);
    for (i = 0; i < NW_OUTPUTS; ++i)
      if (!(fabsf(scores[i] - nw_golden_scores[s][i]) <= NW_TOLERANCE)) return NW_WRONG_OUTPUT;
  }
  return NW_OK;
}

int nw_best(const float *scores) {
  int best = 0, i;
  for (i = 1; i < NW_OUTPUTS; ++i)
    if (scores[i] > scores[best]) best = i;
  return best;
}
)C";

std::string golden_text(const std::vector<GoldenSample>& golden, double tolerance) {
  std::string text, pixels, scores;
  for (const GoldenSample& g : golden) {
    pixels += (pixels.empty() ? "{\n" : ", {\n") + c_numbers(g.pixels) + "}";
    scores += (scores.empty() ? "{\n" : ", {\n") + c_numbers(g.scores) + "}";
  }
  text += fmt::format("\n#define NW_SAMPLES {}\n#define NW_TOLERANCE {}\n", golden.size(), c_float(tolerance));
  text += array_of("static const uint8_t nw_golden_pixels[NW_SAMPLES][NW_HEIGHT * NW_WIDTH * NW_CHANNELS]", pixels);
  return text + array_of("static const float nw_golden_scores[NW_SAMPLES][NW_OUTPUTS]", scores);
}

std::string names_text(const std::vector<std::string>& classes) {
  if (classes.empty()) return "\nconst char *nw_class_name(int c) {\n  (void)c;\n  return \"\";\n}\n";
  std::string names;
  for (const std::string& name : classes) names += "    " + c_string(name) + ",\n";
  return fmt::format(
      "\nconst char *nw_class_name(int c) {{\n  static const char *const names[NW_CLASSES] = {{\n{}  }};\n"
      "  return c >= 0 && c < NW_CLASSES ? names[c] : \"\";\n}}\n",
      names);
}

std::string c_source(const CText& t) {
  std::string text = fmt::format("/* {}, written by Netwright {}. */\n", c_words(t.from.name), c_words(version()));
  constexpr std::size_t few = 8;
  text += fmt::format("#define NW_FEW_STEPS {}\n", t.net.steps.size() <= few ? 1 : 0);
  text += begin_text;
  text += places_text(t) + weights_text(t);
  for (const std::string& name : t.net.functions) text += c_function(name)->text;
  text += run_text(t) + std::string(scores_text) + std::string(predict_text);
  text += "\n#ifndef NW_PREDICT_ONLY\n";
  if (!t.weights_file) text += checksum_text;
  text += scale_text(t) + golden_text(t.golden, tolerance(t)) + std::string(more_text) + std::string(selftest_text) +
          names_text(t.from.classes);
  return text + "#endif\n";
}

}  // namespace nw::deploy
