// SPDX-License-Identifier: Apache-2.0
// The choice among the instruction sets' kernels, and the order of weights.
#include "kernels/int8.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string_view>

#include "kernels/cpu/tiles/tile_check.hpp"

namespace nw::int8 {

namespace portable {
const Kernels& kernels();
}
namespace amx_emulated {
void product(const Product&, Range pixels, Range blocks);
}
#if defined(__x86_64__)
namespace avx2 {
const Kernels& kernels();
}
namespace avx_vnni {
const Kernels& kernels();
}
namespace avx512 {
const Kernels& kernels();
}
namespace avx512_vnni {
const Kernels& kernels();
}
namespace amx {
void product(const Product&, Range pixels, Range blocks);
}
#endif

namespace {

#if defined(__x86_64__)
bool has_avx_vnni() {
  unsigned a = 7, b = 0, c = 1, d = 0;  // CPUID leaf 7, subleaf 1: bit 4 of EAX
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  (void)d;
  return (a & 16U) != 0;
}
#endif

/// The others of a processor's kernels with products by tiles. Weights are in the order of four inputs.
Kernels with_tiles(const char* name, const Kernels& others, void (*product)(const Product&, Range, Range)) {
  Kernels k = others;
  k.name = name;
  k.depth = 4;
  k.product = product;
  return k;
}

#if defined(__x86_64__)
bool has_amx_int8() {
  unsigned a = 7, b = 0, c = 0, d = 0;  // CPUID leaf 7: bit 25 of EDX
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (d >> 25 & 1U) != 0 && cpu::amx_missing().empty();
}
#endif

std::vector<const Kernels*> found_kernels() {
  std::vector<const Kernels*> all;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool narrow = __builtin_cpu_supports("avx2");
  if (wide && has_amx_int8() && same_products(amx_kernels(), portable::kernels())) all.push_back(&amx_kernels());
  if (wide && __builtin_cpu_supports("avx512vnni")) all.push_back(&avx512_vnni::kernels());
  if (narrow && has_avx_vnni()) all.push_back(&avx_vnni::kernels());
  if (wide) all.push_back(&avx512::kernels());
  if (narrow) all.push_back(&avx2::kernels());
#endif
  all.push_back(&portable::kernels());
  return all;
}

const Kernels* named(std::string_view name) {
  if (name == emulated_tiles().name) return &emulated_tiles();
  for (const Kernels* k : all_kernels())
    if (k->name == name) return k;
  return nullptr;
}

}  // namespace

const Kernels& emulated_tiles() {
  static const Kernels k = with_tiles("amx-emulated", portable::kernels(), amx_emulated::product);
  return k;
}

#if defined(__x86_64__)
const Kernels& amx_kernels() {
  static const Kernels k = with_tiles(
      "amx", __builtin_cpu_supports("avx512vnni") ? avx512_vnni::kernels() : avx512::kernels(), amx::product);
  return k;
}
#else
const Kernels& amx_kernels() { return emulated_tiles(); }
#endif

bool same_products(const Kernels& a, const Kernels& b) {
  constexpr std::int64_t outputs = 70, run = 150, pixels = 19;
  std::mt19937 random(1);
  std::vector<std::int8_t> weights(outputs * run);
  std::vector<std::uint8_t> in(pixels * run + slack_bytes);
  for (auto& w : weights) w = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
  for (auto& x : in) x = static_cast<std::uint8_t>(random() % 256);
  const auto scores = [&](const Kernels& k) {
    const std::int64_t whole = (outputs + block - 1) / block * block;
    std::vector<float> all(pixels * outputs);
    Product p{.in = {in.data(), 1, pixels, run, pixels * run, pixels * run}, .out = {nullptr, 1, pixels, outputs}};
    p.step_x = p.run = run;
    p.runs = {0};
    p.outputs = outputs;
    p.scores = all.data();
    p.constants = std::make_shared<const Constants>(
        Constants{pack(k, weights, outputs, 1, run), std::vector<std::int32_t>(whole), std::vector<float>(whole, 1)});
    k.product(p, {0, pixels}, {0, whole / block});
    return all;
  };
  return scores(a) == scores(b);
}

const std::vector<const Kernels*>& all_kernels() {
  static const std::vector<const Kernels*> all = found_kernels();
  return all;
}

const Kernels& best_kernels() {
  for (const char* variable : {"NETWRIGHT_INT8", "NETWRIGHT_CPU"})
    if (const char* asked = std::getenv(variable))
      if (const Kernels* k = named(asked)) return *k;
  return *all_kernels().front();
}

std::int64_t padded_run(std::int64_t run) { return (run + 3) / 4 * 4; }

std::vector<std::int8_t> pack(const Kernels& kernels, const std::vector<std::int8_t>& weights, std::int64_t outputs,
                              std::int64_t runs, std::int64_t run) {
  const std::int64_t padded = padded_run(run), blocks = (outputs + block - 1) / block, depth = kernels.depth;
  std::vector<std::int8_t> packed(static_cast<std::size_t>(blocks * block * runs * padded));
  for (std::int64_t o = 0; o < outputs; ++o)
    for (std::int64_t r = 0; r < runs; ++r)
      for (std::int64_t k = 0; k < run; ++k) {
        const std::int64_t at = r * padded + k, group = (o / block * runs * padded + at / depth * depth) * block;
        packed[static_cast<std::size_t>(group + o % block * depth + at % depth)] =
            weights[static_cast<std::size_t>((o * runs + r) * run + k)];
      }
  return packed;
}

}  // namespace nw::int8
