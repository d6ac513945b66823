// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_voc(Bytes bytes) {
  const auto lines = parse_voc_list(as_text(bytes), "cat_train.txt");
  if (!lines) return {};
  for (const VocLine& line : *lines)
    if (line.name.empty() || line.name.find('/') != std::string::npos || line.mark < -1 || line.mark > 1)
      return {true, "a line is none"};
  return {!lines->empty(), {}};
}
