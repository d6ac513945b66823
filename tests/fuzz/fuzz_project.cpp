// SPDX-License-Identifier: Apache-2.0
// What is accepted must come back the same from its own text, and looking at it must neither crash nor take for ever.
#include <cstdlib>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto doc = nw::ProjectFile::parse({reinterpret_cast<const char*>(data), size}, "input");
  if (!doc) return 0;
  const std::string text = nw::ProjectFile::text(*doc);
  const auto again = nw::ProjectFile::parse(text, "again");
  if (!again || nw::ProjectFile::text(*again) != text) std::abort();
  (void)nw::analyse(*doc, {.data = {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 100}});
  return 0;
}
