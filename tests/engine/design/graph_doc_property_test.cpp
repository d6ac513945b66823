// SPDX-License-Identifier: Apache-2.0
// Random edits: undo and redo restore the same bytes, rejected edits change nothing, saved files read back equal.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "engine/design/project_file.hpp"
#include "tests/support/random_edits.hpp"

namespace nw {
namespace {
using test::any_edit;
using test::Dice;

void check_sequence(const std::vector<std::uint64_t>& numbers) {
  GraphDoc doc;
  const std::string start = ProjectFile::text(doc);
  std::vector<Edit> undo, redo;
  for (const std::uint64_t number : numbers) {
    const GraphDoc before = doc;
    if (auto inverse = doc.apply(any_edit(doc, Dice{number})))
      undo.push_back(*std::move(inverse));
    else
      RC_ASSERT(doc == before);
  }
  const std::string end = ProjectFile::text(doc);
  const auto read = ProjectFile::parse(end, "random");
  if (!read) RC_FAIL(read.error().str());
  RC_ASSERT(*read == doc);
  RC_ASSERT(ProjectFile::text(*read) == end);
  for (; !undo.empty(); undo.pop_back()) {
    auto inverse = doc.apply(undo.back());
    if (!inverse) RC_FAIL("undo refused: " + inverse.error().str());
    redo.push_back(*std::move(inverse));
  }
  RC_ASSERT(ProjectFile::text(doc) == start);
  for (; !redo.empty(); redo.pop_back())
    if (const auto again = doc.apply(redo.back()); !again) RC_FAIL("redo refused: " + again.error().str());
  RC_ASSERT(ProjectFile::text(doc) == end);
}

TEST(GraphDocProperty, TwoHundredRandomEditsUndoAndRedoToTheSameBytes) {
#ifdef NW_SANITIZED
  const char *often = "max_success=100", *very_often = "max_success=1000";  // instrumented builds run fewer cases
#else
  const char *often = "max_success=500", *very_often = "max_success=10000";
#endif
  ::setenv("RC_PARAMS", std::getenv("NETWRIGHT_LONG") ? very_often : often, 0);
  const bool held = rc::check("undo all, redo all", [] {
    check_sequence(*rc::gen::container<std::vector<std::uint64_t>>(200, rc::gen::arbitrary<std::uint64_t>()));
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace nw
