// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "kernels/cpu/kernels.hpp"

namespace nw::cpu {
namespace {

struct Candidate {
  std::string_view name;
  bool here;  // this processor (and its operating system) can run it
  const VectorKernels* kernels;
};

// Best first.
std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
#if defined(__x86_64__)
  __builtin_cpu_init();
  all.push_back({"avx512", __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"),
                 &avx512::vector_kernels()});
  all.push_back({"avx2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), &avx2::vector_kernels()});
#endif
  all.push_back({"portable", true, &portable::vector_kernels()});
  return all;
}

}  // namespace

InstructionSet choose_instruction_set() {
  const std::vector<Candidate> all = candidates();
  const Candidate* best = nullptr;
  for (const Candidate& c : all)
    if (c.here && !best) best = &c;
  const char* asked = std::getenv("NETWRIGHT_CPU");
  if (!asked || !*asked) return {best->kernels, ""};
  for (const Candidate& c : all) {
    if (c.name != asked) continue;
    if (c.here) return {c.kernels, ""};
    return {best->kernels, fmt::format("NETWRIGHT_CPU={}: this processor has no {}, using {}", asked, asked, best->name)};
  }
  return {best->kernels, fmt::format("NETWRIGHT_CPU={}: not one of portable, avx2, avx512, using {}", asked, best->name)};
}

}  // namespace nw::cpu
