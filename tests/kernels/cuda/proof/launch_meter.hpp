// SPDX-License-Identifier: Apache-2.0
// What one launch of a kernel reads, writes and waits for, found by running it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tests/kernels/cuda/fakes/fake_meter.hpp"

namespace nw::proof {

/// Of a launch, or of a call of a library.
struct Cost {
  std::string kernel;
  double threads = 0, blocks = 0;
  double read = 0, written = 0;  // bytes of device memory, each address once
  double accesses = 0;           // loads and stores of device and shared memory by all threads
  int loads = 0;                 // of device memory that one thread waits for; see `together`
  double operations = 0;         // of a library's products: multiplications and additions
  std::vector<cuda::FakeRange> reads, writes;
};

/// A loop's loads do not wait for each other: nvcc repeats the body of a loop four times and issues the four loads
/// before it uses the first. So a thread that executes one load n times waits n / 4 times.
inline constexpr int together = 4;

/// Runs a launch: all of it if it is small, otherwise the threads of its beginning and end and some between them, from
/// which the rest is extrapolated. Ranges are those between the first and the last byte that belong to an address in
/// the functor. Threads run one after another.
Cost measure(const cuda::FakeKernel&);

}  // namespace nw::proof
