// SPDX-License-Identifier: Apache-2.0
// Compiled with -fsanitize=thread, as metered_kernels.cpp.
#include "tests/kernels/cuda/proof/simt_faults.hpp"

namespace nw::proof {
namespace {

constexpr int threads = 64;
enum class Fault { none, no_barrier, no_barrier_at_the_end, one_output, half_waits, not_written };

template <Fault fault>
void sum(const void* functor, std::int64_t count, const GridThread& t, void* shared) {
  auto* const numbers = static_cast<double*>(shared);
  double* const out = static_cast<const SumOfThreads*>(functor)->out;
  for (std::int64_t part = t.block(); part < count; part += t.blocks()) {
    if (fault != Fault::not_written || t.thread() != 7) numbers[t.thread()] = t.thread();
    if (fault != Fault::no_barrier && (fault != Fault::half_waits || t.thread() % 2)) t.barrier();
    if (t.thread() == 0) {
      double all = 0;
      for (int i = 0; i < threads; ++i) all += numbers[i];
      out[fault == Fault::one_output ? 0 : part] = all;
    }
    if (fault != Fault::no_barrier_at_the_end && fault != Fault::half_waits) t.barrier();
  }
}
template <Fault fault>
constexpr MeteredKernel kernel(const char* name) {
  return {name, threads, 2, threads * sizeof(double), nullptr, nullptr, sum<fault>};
}
const MeteredKernel faulty[] = {
    kernel<Fault::no_barrier>("no barrier"), kernel<Fault::no_barrier_at_the_end>("no barrier at the end"),
    kernel<Fault::one_output>("one output for all blocks"), kernel<Fault::half_waits>("half of the threads wait"),
    kernel<Fault::not_written>("a number that is not written")};

}  // namespace

std::span<const MeteredKernel> faulty_kernels() { return faulty; }
const MeteredKernel right_kernel = kernel<Fault::none>("right");

}  // namespace nw::proof
