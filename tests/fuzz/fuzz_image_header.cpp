// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "engine/images/headers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto claim = nw::images::read_claim({data, size});
  if (claim && nw::images::name_of(claim->format).empty()) std::abort();
  return 0;
}
