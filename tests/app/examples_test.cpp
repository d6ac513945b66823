// SPDX-License-Identifier: Apache-2.0
// netwright-cli examples: each example is written, has no problem, and trains; what a user changed is kept.
#include "engine/examples/example.hpp"

#include <gmock/gmock.h>

#include "engine/search/project_space.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

struct Examples : Cli, testing::WithParamInterface<std::string> {};

std::vector<std::string> names_of_examples() {
  std::vector<std::string> all;
  for (const Example& e : all_examples()) all.emplace_back(e.name);
  return all;
}

TEST_P(Examples, IsWrittenCheckedAndTrained) {
  const CommandOutput written = run({"examples", GetParam(), "-o", at("mine")});
  ASSERT_EQ(written.code, 0) << written.err;
  const std::string file = at("mine/" + GetParam() + "/" + GetParam() + ".netwright");
  EXPECT_EQ(written.out, file + "\n");
  const CommandOutput checked = run({"check", file});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  const CommandOutput trained = run({"train", file, "--epochs", "1", "--run-dir", at("run"), "-q"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto summary = summarize_run(at("run"));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->status, RunStatus::finished);
  EXPECT_GT(summary->steps, 0);
}

TEST_P(Examples, StaysAsTheUserChangedIt) {
  ASSERT_EQ(run({"examples", GetParam(), "-o", at("mine")}).code, 0);
  const std::string file = at("mine/" + GetParam() + "/" + GetParam() + ".netwright");
  ASSERT_TRUE(save_file(file, "changed"));
  ASSERT_EQ(run({"examples", GetParam(), "-o", at("mine")}).code, 0);
  EXPECT_EQ(*read_file(file, 100), "changed");
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(names_of_examples()),
                         [](const auto& info) { return info.param; });

using ExampleList = Cli;

TEST_F(ExampleList, NamesEachAndRefusesOthers) {
  const CommandOutput list = run({"examples"});
  ASSERT_EQ(list.code, 0);
  for (const std::string& name : names_of_examples()) EXPECT_THAT(list.out, HasSubstr(name));
  const CommandOutput refused = run({"examples", "../x", "-o", at("mine")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("there is no example"));
}

TEST_F(ExampleList, TheSecondSetOfPhotosAdaptsTheFirstNetwork) {
  ASSERT_EQ(run({"examples", "adapt", "-o", at("mine")}).code, 0);
  ASSERT_EQ(run({"train", at("mine/adapt/adapt.netwright"), "--epochs", "1", "--run-dir", at("run"), "-q"}).code, 0);
  const CommandOutput adapted =
      run({"adapt", at("run"), "--data", at("mine/adapt/other-photos"), "-o", at("adapted.netwright")});
  ASSERT_EQ(adapted.code, 0) << adapted.err;
  EXPECT_EQ(run({"train", at("adapted.netwright"), "--epochs", "1", "--run-dir", at("second"), "-q"}).code, 0);
}

TEST_F(ExampleList, TheSearchHasItsFieldsMarked) {
  ASSERT_EQ(run({"examples", "search", "-o", at("mine")}).code, 0);
  const auto doc = ProjectFile::load(at("mine/search/search.netwright"));
  ASSERT_TRUE(doc);
  EXPECT_EQ(search::project_space(*doc).parameters.size(), 3U);
}

}  // namespace
}  // namespace nw
