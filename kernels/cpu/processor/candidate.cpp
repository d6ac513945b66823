// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/processor/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nw::cpu {
namespace {

#if defined(__x86_64__)
std::string lacks(bool all) { return all ? "" : "this processor has none"; }

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace

std::vector<Candidate> vector_candidates() {
  std::vector<Candidate> all;
#if defined(__x86_64__)
  __builtin_cpu_init();
  all.push_back({"avx512", lacks(has_avx512()), &avx512::vector_kernels()});
  all.push_back(
      {"avx2", lacks(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")), &avx2::vector_kernels()});
#endif
  all.push_back({"portable", "", &portable::vector_kernels()});
  return all;
}

InstructionSet choose(const std::vector<Candidate>& all, const std::string& asked) {
  std::string doubts;
  const auto usable = [&](const Candidate& c) {
    if (!c.missing.empty()) return false;
    const std::string doubt = c.doubt ? c.doubt() : "";
    if (!doubt.empty()) doubts = fmt::format("{}: {}", c.name, doubt);
    return doubt.empty();
  };
  const auto named = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.name == asked; });
  if (named != all.end() && usable(*named)) return {named->name, named->kernels, ""};
  const Candidate& best = *std::find_if(all.begin(), all.end(), usable);
  InstructionSet set{best.name, best.kernels, ""};
  if (!doubts.empty())
    set.note = fmt::format("{}; using {}", doubts, best.name);
  else if (named != all.end())
    set.note = fmt::format("NETWRIGHT_CPU={}: {}, using {}", asked, named->missing, best.name);
  else if (!asked.empty())
    set.note =
        fmt::format("NETWRIGHT_CPU={}: not one of portable, avx2, avx512, avx512bf16, amx, using {}", asked, best.name);
  return set;
}

const VectorKernels& best_vectors() {
  static const VectorKernels* const best = choose(vector_candidates(), "").kernels;
  return *best;
}

}  // namespace nw::cpu
