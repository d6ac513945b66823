// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_project(Bytes bytes) {
  const auto doc = ProjectFile::parse(as_text(bytes), "input");
  if (!doc) return {};
  const std::string text = ProjectFile::text(*doc);
  const auto again = ProjectFile::parse(text, "again");
  if (!again) return {true, "a project that was read is refused as written: " + again.error().str()};
  if (ProjectFile::text(*again) != text) return {true, "a project is not written as it was read"};
  (void)analyse(*doc, {.data = {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 100}});
  return {true, {}};
}
