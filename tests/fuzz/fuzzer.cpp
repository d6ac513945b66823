// SPDX-License-Identifier: Apache-2.0
// The program fuzz_<name>: libFuzzer's entry point for the reader NW_READER.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/readers/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const nw::fuzz::Outcome outcome = nw::fuzz::NW_READER({data, size});
  if (outcome.broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", outcome.broken.c_str());
  std::abort();
}
