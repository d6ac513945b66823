// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/int8_library.hpp"

#include <fmt/format.h>

#include <bit>

#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/runner.hpp"
#include "engine/core/version.hpp"
#include "engine/deploy/c_text.hpp"
#include "engine/deploy/int8_c_functions.hpp"
#include "engine/deploy/int8_network_text.hpp"
#include "engine/deploy/prove_c.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "engine/parallel/start_threads.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/checkpoint.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw::deploy {
namespace {

using compress::int8::Extent;

constexpr std::string_view int8_begin_text = R"C(#include "nw_model.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__) && !defined(NW_PLAIN)
#include <immintrin.h>
#endif

/* Each operation on floats is rounded on its own. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__GNUC__)
#define NW_INLINE static inline __attribute__((unused))
#define NW_ALWAYS static inline __attribute__((unused, always_inline))
#define NW_KERNEL static __attribute__((noinline, unused))
#define NW_ALIGNED __attribute__((aligned(64)))
#else
#define NW_INLINE static inline
#define NW_ALWAYS static inline
#define NW_KERNEL static
#define NW_ALIGNED
#endif

)C";

/// FNV-1a over the bytes of weights, summands and factors.
constexpr std::string_view int8_checksum_text = R"C(
static uint64_t nw_hash(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *b = (const unsigned char *)bytes;
  size_t i;
  for (i = 0; i < size; ++i) sum = (sum ^ b[i]) * UINT64_C(1099511628211);
  return sum;
}
static uint64_t nw_sum_of_bits(void) {
  uint64_t sum = nw_hash(UINT64_C(14695981039346656037), nw_factor, sizeof(float) * NW_CONSTANTS);
  sum = nw_hash(sum, nw_bias, sizeof(int32_t) * NW_CONSTANTS);
  return nw_hash(sum, nw_weights, NW_WEIGHTS);
}
)C";

constexpr std::string_view int8_given_weights = R"C(
int nw_init(const void *bytes, size_t size) {
  const unsigned char *b = (const unsigned char *)bytes;
  nw_factor = NULL;
  if (size != 8 + 8 * (size_t)NW_CONSTANTS + NW_WEIGHTS || memcmp(b, "NWINT8W1", 8) != 0) return NW_BAD_WEIGHTS;
  nw_factor = (const float *)(const void *)(b + 8);
  nw_bias = (const int32_t *)(const void *)(b + 8 + 4 * (size_t)NW_CONSTANTS);
  nw_weights = (const int8_t *)(const void *)(b + 8 + 8 * (size_t)NW_CONSTANTS);
  return nw_sum_of_bits() == NW_CHECKSUM ? NW_OK : (nw_factor = NULL, NW_BAD_WEIGHTS);
}
)C";

constexpr std::string_view int8_predict_text = R"C(
NW_INLINE void nw_compute(uint8_t *a, float *scores) {
  nw_run(a, scores);
#if NW_RESULT >= 0
  {
    int i;
    for (i = 0; i < NW_OUTPUTS; ++i) scores[i] = (float)(a[NW_RESULT + i] - NW_RESULT_ZERO) * NW_RESULT_SCALE;
  }
#endif
}

int nw_predict_in(float *memory, const float *image, float *scores) {
  uint8_t *a = (uint8_t *)(void *)memory;
  int c, y, x;
#if NW_MISSING_WEIGHTS
  if (!nw_factor) return NW_NO_WEIGHTS;
#endif
  nw_begin(a);
  for (c = 0; c < NW_CHANNELS; ++c)
    for (y = 0; y < NW_HEIGHT; ++y)
      for (x = 0; x < NW_WIDTH; ++x) {
        const float v = *image++ / NW_PICTURE_SCALE;
        a[NW_PICTURE + y * NW_PICTURE_ROW + x * NW_CHANNELS + c] =
            nw_number(v == v ? v : 0.0f, NW_PICTURE_ZERO, 0, 255);
      }
  nw_compute(a, scores);
  return NW_OK;
}

static float nw_memory[NW_ARENA_FLOATS] NW_ALIGNED;

int nw_predict(const float *image, float *scores) { return nw_predict_in(nw_memory, image, scores); }

#ifndef NW_PREDICT_ONLY
int nw_predict_u8_in(float *memory, const uint8_t *pixels, float *scores) {
  uint8_t *a = (uint8_t *)(void *)memory;
  int c, y, x;
#if NW_MISSING_WEIGHTS
  if (!nw_factor) return NW_NO_WEIGHTS;
#endif
  nw_begin(a);
  for (y = 0; y < NW_HEIGHT; ++y)
    for (x = 0; x < NW_WIDTH; ++x)
      for (c = 0; c < NW_CHANNELS; ++c)
        a[NW_PICTURE + y * NW_PICTURE_ROW + x * NW_CHANNELS + c] = nw_pixels[c][*pixels++];
  nw_compute(a, scores);
  return NW_OK;
}

int nw_predict_u8(const uint8_t *pixels, float *scores) { return nw_predict_u8_in(nw_memory, pixels, scores); }
)C";

template <class T>
void add_bytes(std::string& to, const std::vector<T>& values) {
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::string all_bytes(const Int8Text& t) {
  std::string bytes;
  add_bytes(bytes, t.factor);
  add_bytes(bytes, t.bias);
  add_bytes(bytes, t.weights);
  return bytes;
}

std::uint64_t checksum(const std::string& bytes) {
  std::uint64_t sum = 14695981039346656037U;
  for (const char b : bytes) sum = (sum ^ static_cast<unsigned char>(b)) * 1099511628211U;
  return sum;
}

PixelScale pixel_scale(const Int8Source& s, std::size_t channel) {
  return {channel < s.mean.size() ? s.mean[channel] : 0.0F, channel < s.deviation.size() ? s.deviation[channel] : 1.0F};
}

/// The number of each byte of a pixel, by channel: what the run makes of it.
std::string pixels_text(const Int8Source& s, const Extent& in) {
  std::string text = "static const uint8_t nw_pixels[NW_CHANNELS][256] = {\n";
  for (std::size_t c = 0; c < static_cast<std::size_t>(in.channels); ++c) {
    std::vector<float> real(256);
    for (int q = 0; q < 256; ++q)
      real[static_cast<std::size_t>(q)] = math::scaled_pixel(static_cast<std::uint8_t>(q), pixel_scale(s, c));
    std::vector<std::uint8_t> whole(256);
    nw::int8::best_kernels().quantize(real.data(), whole.data(), 256, in.scale, in.zero);
    text += "{\n" + c_numbers(whole) + "},\n";
  }
  return text + "};\n";
}

std::string defines_text(const Int8Text& t, const std::string& bytes, bool file) {
  const bool is_value = t.result >= 0;
  return fmt::format(
      "#define NW_CONSTANTS {}\n#define NW_PICTURE {}\n#define NW_PICTURE_ROW {}\n#define NW_PICTURE_SCALE {}\n"
      "#define NW_PICTURE_ZERO {}\n#define NW_RESULT ({})\n#define NW_RESULT_ZERO {}\n#define NW_RESULT_SCALE {}\n"
      "#define NW_MISSING_WEIGHTS {}\n#define NW_CHECKSUM UINT64_C({})\n",
      t.factor.size(), t.picture, t.in.row(), c_float(t.in.scale), int{t.in.zero}, t.result,
      is_value ? int{t.out.zero} : 0, c_float(is_value ? t.out.scale : 1), file ? 1 : 0, checksum(bytes));
}

std::string constants_text(const Int8Text& t, bool file) {
  if (file)
    return "\nstatic const float *nw_factor;\nstatic const int32_t *nw_bias;\nstatic const int8_t *nw_weights;\n" +
           std::string(int8_checksum_text) + std::string(int8_given_weights);
  const std::vector<int> weights(t.weights.begin(), t.weights.end()), bias(t.bias.begin(), t.bias.end());
  return "\nstatic const float nw_factor[NW_CONSTANTS] = {\n" + c_numbers(t.factor) +
         "};\nstatic const int32_t nw_bias[NW_CONSTANTS] = {\n" + c_numbers(bias) +
         "};\nstatic const int8_t nw_weights[NW_WEIGHTS] NW_ALIGNED = {\n" + c_numbers(weights) + "};\n";
}

/// `t`: at least one number in each array, as C asks.
std::string source_text(const Int8Source& s, const Int8Text& t, const std::vector<GoldenSample>& golden,
                        const std::string& bytes, bool file) {
  std::string text = fmt::format("/* {} in 8 bits, written by Netwright {}. */\n", c_words(s.name), c_words(version()));
  text += std::string(int8_begin_text) + defines_text(t, bytes, file) + constants_text(t, file) +
          std::string(int8_c_functions);
  text += "\nNW_INLINE void nw_begin(uint8_t *a) {\n  (void)a;\n" + t.begin + "}\n";
  text += "\nstatic void nw_run(uint8_t *a, float *scores) {\n  (void)scores;\n" + t.statements + "}\n";
  text += "\n#ifndef NW_PREDICT_ONLY\n" + pixels_text(s, t.in) + "#endif\n" + std::string(int8_predict_text);
  if (!file) text += int8_checksum_text;
  text += golden_text(golden, 0) + std::string(selftest_text) + names_text(s.classes);
  return text + "#endif\n";
}

std::int64_t number_of_outputs(const Int8Source& s) {
  return s.flat.layers[static_cast<std::size_t>(compress::int8::score_layer(s.flat))].shape[1];
}

/// The run's own scores of the pictures.
Result<std::vector<float>> scores_of(const Int8Source& s, const exchange::ProofImages& images) {
  const nw::int8::Kernels& kernels = nw::int8::best_kernels();
  NW_ASSIGN(compress::int8::Network network, compress::int8::assemble(s.flat, s.tensors, kernels));
  NW_ASSIGN(const std::shared_ptr<Team> team, start_team(1));
  NW_ASSIGN(compress::int8::Runner runner, compress::int8::Runner::make(std::move(network), kernels, *team));
  std::vector<float> nhwc(images.hwc.size()), scores;
  for (std::size_t i = 0; i < nhwc.size(); ++i)
    nhwc[i] = math::scaled_pixel(images.hwc[i], pixel_scale(s, i % static_cast<std::size_t>(images.channels)));
  NW_TRY(runner.run(nhwc, images.count, scores));
  return scores;
}

}  // namespace

Result<std::optional<Int8Source>> int8_source(const fs::path& run, const RunDefinition& definition,
                                              const std::string& checkpoint) {
  std::string name = checkpoint;
  if (name == "best" || name == "latest") {
    NW_ASSIGN(const CheckpointName found, name == "best" ? best_checkpoint(run) : latest_checkpoint(run));
    name = found.name;
  }
  NW_ASSIGN(const FlatNetwork flat, flatten(definition.doc, {.training = false, .batch = 1}));
  NW_ASSIGN(const LoadedCheckpoint opened, open_checkpoint(run, name, weight_bytes_of(definition)));
  if (!compress::int8::is_int8(opened.model)) return std::optional<Int8Source>();
  NW_ASSIGN(compress::int8::Tensors tensors, compress::int8::read_tensors(opened.model));
  return std::optional<Int8Source>(
      Int8Source{definition.name, definition.classes, definition.mean, definition.deviation, flat, std::move(tensors)});
}

Result<CLibrary> c_library(const Int8Source& s, const std::vector<GoldenSample>& golden,
                           const CLibraryOptions& options) {
  NW_ASSIGN(const compress::int8::Network network,
            compress::int8::assemble(s.flat, s.tensors, nw::int8::emulated_tiles()));
  NW_ASSIGN(Int8Text text, int8_text(network));
  text.weights.resize(std::max<std::size_t>(1, text.weights.size()));
  text.bias.resize(std::max<std::size_t>(1, text.bias.size()));
  text.factor.resize(text.bias.size());
  const std::string bytes = all_bytes(text);
  const bool file = options.weights_file || std::ssize(text.weights) > most_constants;
  const std::int64_t floats = (text.arena + 3) / 4;
  return CLibrary{.header = c_header({s.name, text.in.channels, text.in.height, text.in.width, text.outputs,
                                      std::ssize(s.classes), std::ssize(text.weights), floats, file}),
                  .source = source_text(s, text, golden, bytes, file),
                  .weights = file ? "NWINT8W1" + bytes : std::string(),
                  .parameters = std::ssize(text.weights),
                  .arena = floats,
                  .outputs = text.outputs};
}

Result<WrittenC> export_c(const Int8Source& s, const CLibraryOptions& options, const exchange::ProofInputs& given,
                          const fs::path& folder) {
  exchange::ProofInputs inputs = given;
  if (inputs.images == whole_test_part) inputs.images = pictures_within_budget(given.definition);
  inputs.begin("images");
  NW_ASSIGN(exchange::ProofImages images, exchange::images_of(inputs, 1));
  NW_ASSIGN(std::vector<float> scores, scores_of(s, images));
  const ProofData data{std::move(images), std::move(scores), number_of_outputs(s)};
  const auto make = [&](const std::vector<GoldenSample>& golden) { return c_library(s, golden, options); };
  return write_proved(data, make, inputs, 0, folder);
}

}  // namespace nw::deploy
