// SPDX-License-Identifier: Apache-2.0
#include "engine/io/safetensors.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_safetensors(Bytes bytes) {
  const auto header = parse_safetensors(as_text(bytes), bytes.size(), "input");
  if (!header) return {};
  std::uint64_t at = 0;
  for (const TensorInfo& t : header->tensors) {
    if (t.begin != at || t.end < t.begin || header->data_offset + t.end > bytes.size())
      return {true, "tensors do not lie one after the other in the file"};
    at = t.end;
  }
  return {true, {}};
}
