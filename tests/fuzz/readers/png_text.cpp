// SPDX-License-Identifier: Apache-2.0
#include "engine/core/png_text.hpp"

#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_png_text(Bytes bytes) {
  constexpr std::size_t most = 4096;
  const auto text = png_text(as_text(bytes), "netwright", most, "picture.png");
  if (!text) return {false, text.error().str().empty() ? "a refusal without a sentence" : ""};
  // each byte of a text in Latin-1 becomes at most two
  return {text->has_value(), *text && (*text)->size() > 2 * most ? "a text larger than was asked for" : ""};
}
