// SPDX-License-Identifier: Apache-2.0
// Every function of the driver API table is exported by the libraries of the toolkit that the build used.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "kernels/cuda/driver_api.hpp"

namespace nw::test {
namespace {

void expect_all(const char* library, const cuda::Symbol* symbols, std::size_t count) {
  void* opened = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!opened) GTEST_SKIP() << library << " is not here";
  for (std::size_t i = 0; i < count; ++i) EXPECT_NE(::dlsym(opened, symbols[i].name), nullptr) << symbols[i].name;
  ::dlclose(opened);
}

TEST(Symbols, AllDriverFunctionsExist) {
  std::size_t count = 0;
  const cuda::Symbol* symbols = cuda::driver_symbols(count);
  expect_all("/usr/local/cuda/lib64/stubs/libcuda.so", symbols, count);
}
TEST(Symbols, AllNcclFunctionsExist) {
  std::size_t count = 0;
  const cuda::Symbol* symbols = cuda::nccl_symbols(count);
  expect_all("libnccl.so.2", symbols, count);
}

}  // namespace
}  // namespace nw::test
