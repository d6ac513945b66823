// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "engine/io/safetensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto header = nw::parse_safetensors({reinterpret_cast<const char*>(data), size}, size, "input");
  if (!header) return 0;
  std::uint64_t at = 0;
  for (const nw::TensorInfo& t : header->tensors) {   // one after the other, none outside the file
    if (t.begin != at || t.end < t.begin || header->data_offset + t.end > size) std::abort();
    at = t.end;
  }
  return 0;
}
