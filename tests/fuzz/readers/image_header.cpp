// SPDX-License-Identifier: Apache-2.0
#include "engine/images/headers.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_image_header(Bytes bytes) {
  const auto claim = images::read_claim(bytes);
  if (!claim) return {};
  if (images::name_of(claim->format).empty()) return {true, "a format without a name"};
  return {claim->complete, {}};
}
