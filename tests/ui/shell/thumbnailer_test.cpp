// SPDX-License-Identifier: GPL-3.0-or-later
// What a file manager's picture shows: the network of a project or of a run.json.
#include "ui/shell/window/thumbnailer.hpp"

#include <gtest/gtest.h>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/support/run_writer.hpp"

namespace nw::ui {
namespace {

TEST(Thumbnailer, TellsAProjectFromARunByTheContent) {
  const test::TemporaryFolder folder;
  const GraphDoc doc = find_template("mlp")->make();
  RunDefinition run;
  run.name = "mlp", run.doc = doc;
  ASSERT_TRUE(save_file(folder.path() / "of-a-run.json", canonical(to_json(run))));
  ASSERT_TRUE(ProjectFile::save(doc, folder.path() / "of-a-project.json"));
  for (const char* name : {"of-a-run.json", "of-a-project.json"}) {
    const auto drawn = drawingIn(folder.path() / name);
    ASSERT_TRUE(drawn) << drawn.error().str();
    EXPECT_EQ(ProjectFile::text(*drawn), ProjectFile::text(doc)) << name;
  }
}

TEST(Thumbnailer, RefusesWhatIsNeither) {
  const test::TemporaryFolder folder;
  for (const char* text : {"", "[]", "{}", "{\"schema\": 1}", "{\"schema\": 9, \"name\": \"a\", \"project\": {}}"}) {
    ASSERT_TRUE(save_file(folder.path() / "a.json", text));
    const auto drawn = drawingIn(folder.path() / "a.json");
    ASSERT_FALSE(drawn) << text;
    EXPECT_NE(drawn.error().str().find("a.json"), std::string::npos) << drawn.error().str();
  }
}

}  // namespace
}  // namespace nw::ui
