// SPDX-License-Identifier: Apache-2.0
// The fakes as a driver API table, for tests that share the process with the backend.
#include <atomic>
#include <cstdlib>

#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {
namespace {
std::atomic<bool> has_nccl{false};
}  // namespace

void fake_nccl(bool there) { has_nccl = there; }

const DriverApi& fake_driver_api(FakeFault wanted, const FakeLibraries& libraries) {
  static DriverApi fake = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "0", 0);  // the interpreted libraries are slow
    DriverApi b;
    b.driver = fake_driver_table();
    b.kernels = "kernels";
    b.nccl = []() -> const Nccl& {
      static const Nccl none{{}, text("no NCCL")};
      return has_nccl ? fake_nccl_library() : none;
    };
    return b;
  }();
  fake.libraries = fake_libraries(libraries);
  fake.plan_cache = libraries.plan_cache;
  fake.small_kernels = libraries.small_kernels;
  fake_set(wanted);
  return fake;
}

}  // namespace nw::cuda
