// SPDX-License-Identifier: Apache-2.0
// An interpreter of kernels: the threads of a block are fibres, switched at barriers and at random accesses, and
// every access is compared with those of the other threads.
#pragma once
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/kernels/cuda/fakes/fake_meter.hpp"
#include "tests/kernels/cuda/proof/metered_kernels.hpp"

namespace nw::proof {

/// Runs a launch of `blocks` blocks and returns its first faults; none: it is right. Faults: two threads touch a byte,
/// one of them writing it, without a barrier between them, or in different blocks; a thread reads shared memory that no
/// thread of its block wrote; some threads of a block end while others wait at a barrier. Blocks run one after another
/// in random order; `seed` decides it, and the order of threads.
std::vector<std::string> interpret(const MeteredKernel&, const void* functor, std::int64_t count, unsigned blocks,
                                   unsigned seed);

/// A fake GPU that interprets its kernels, some of them with fewer blocks than they have parts.
class Interpreter final : public cuda::FakeMeter {
 public:
  bool run(const cuda::FakeKernel&) override;
  std::vector<std::string> faults() const { return faults_; }
  const std::set<std::string>& kernels() const { return kernels_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> faults_;
  std::set<std::string> kernels_;
};

}  // namespace nw::proof
