// SPDX-License-Identifier: Apache-2.0
// The choice among the instruction sets' kernels, and the order of weights.
#include "kernels/int8.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace nw::int8 {

namespace portable {
const Kernels& kernels();
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

std::vector<const Kernels*> found_kernels() {
  std::vector<const Kernels*> all;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool narrow = __builtin_cpu_supports("avx2");
  if (wide && __builtin_cpu_supports("avx512vnni")) all.push_back(&avx512_vnni::kernels());
  if (narrow && has_avx_vnni()) all.push_back(&avx_vnni::kernels());
  if (wide) all.push_back(&avx512::kernels());
  if (narrow) all.push_back(&avx2::kernels());
#endif
  all.push_back(&portable::kernels());
  return all;
}

const Kernels* named(std::string_view name) {
  for (const Kernels* k : all_kernels())
    if (k->name == name) return k;
  return nullptr;
}

}  // namespace

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
