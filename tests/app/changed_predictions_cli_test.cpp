// SPDX-License-Identifier: Apache-2.0
// netwright-cli changed-predictions, and compress --trial.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

class ChangedPredictionsCli : public Cli {
 protected:
  void SetUp() override { ASSERT_EQ(run({"train", project(3), "--run-dir", at("run"), "--quiet"}).code, 0); }
  void prune() {
    ASSERT_EQ(run({"compress", at("run"), "--layer", "fc1=0.97", "-o", at("p.netwright"), "--epochs", "1"}).code, 0);
    ASSERT_EQ(run({"train", at("p.netwright"), "--run-dir", at("small"), "--quiet"}).code, 0);
  }
  /// The lines of the output; the last one is the answer.
  static std::vector<Json> lines(const CommandOutput& out) {
    std::vector<Json> all;
    std::istringstream in(out.out);
    for (std::string line; std::getline(in, line);) all.push_back(Json::parse(line));
    return all;
  }
  std::vector<Json> compared(const std::string& after, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"changed-predictions", at("run"), at(after), "--seconds", "0.01", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput out = run(words);
    EXPECT_EQ(out.code, 0) << out.err;
    return lines(out);
  }
};

TEST_F(ChangedPredictionsCli, CountsFlipsByMarginAndRepeatsThemFromFiles) {
  prune();
  const std::vector<Json> all = compared("small", {"--from-files"});
  ASSERT_GT(all.size(), 2U);
  EXPECT_EQ(all.front().at("stage"), "before");
  const Json& j = all.back();
  EXPECT_EQ(j.at("type"), "changed_predictions");
  const Json& changes = j.at("changes");
  const auto flips = changes.at("flips").size();
  ASSERT_GT(flips, 0U) << "nearly all of a layer is gone";
  EXPECT_EQ(changes.at("flips_in_all"), flips);
  EXPECT_EQ(j.at("repeated_by_files"), flips) << "the exported files give the same answers";
  for (const Json& f : changes.at("flips")) {
    EXPECT_NE(f.at("before"), f.at("after"));
    EXPECT_GE(f.at("margin").get<double>(), 0) << f;
    EXPECT_LE(f.at("margin").get<double>(), f.at("confidence_before").get<double>() + 1e-6) << f;
  }
  const double low = j.at("interval").at("after").at(0), high = j.at("interval").at("after").at(1),
               accuracy = j.at("accuracy").at("after");
  EXPECT_LT(low, accuracy);
  EXPECT_GT(high, accuracy);
  EXPECT_LT(j.at("bytes").at("after").get<double>(), j.at("bytes").at("before").get<double>());
  EXPECT_EQ(j.at("latency").at("after").size(), 3U);
  EXPECT_EQ(compared("small", {"--most", "1"}).back().at("changes").at("flips").size(), 1U);
}

TEST_F(ChangedPredictionsCli, ARunBesideItselfChangesNothing) {
  const Json j = compared("run", {"--from-files"}).back();
  EXPECT_TRUE(j.at("changes").at("flips").empty());
  EXPECT_EQ(j.at("changes").at("mcnemar_p"), 1);
  EXPECT_EQ(j.at("repeated_by_files"), 0);
}

TEST_F(ChangedPredictionsCli, ARunIn8BitsIsNotExportedAndThatIsSaid) {
  ASSERT_EQ(run({"compress", at("run"), "--int8", "--run-dir", at("int8"), "--seconds", "0"}).code, 0);
  const Json j = compared("int8", {"--from-files"}).back();
  const bool none = j.at("changes").at("flips").empty();
  EXPECT_EQ(j.contains("files_problem"), !none);
  const CommandOutput text = run({"changed-predictions", at("run"), at("int8"), "--seconds", "0"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("McNemar's test p = "));
}

TEST_F(ChangedPredictionsCli, ATrialTimesTheSmallerNetworkAndWritesNothing) {
  const auto trial = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"compress", at("run"), "--trial", "--seconds", "0.01", "--json"});
    const CommandOutput out = run(more);
    EXPECT_EQ(out.code, 0) << out.err;
    return lines(out).back();
  };
  const auto there = [&] {
    std::vector<std::string> names;
    for (const auto& e : fs::directory_iterator(place_.path))
      if (!e.path().filename().string().starts_with("out")) names.push_back(e.path().filename());  // what it printed
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto before = there();
  for (const Json& j : {trial({"--layer", "fc1=0.9"}), trial({"--int8"})}) {
    EXPECT_EQ(j.at("type"), "trial");
    EXPECT_EQ(j.at("latency").at("before").size(), 3U);
    EXPECT_EQ(j.at("latency").at("after").size(), 3U);
    EXPECT_TRUE(j.at("not_faster").is_array());
  }
  EXPECT_EQ(there(), before);
  EXPECT_EQ(run({"compress", at("run"), "--trial"}).code, 2) << "of what?";
}

}  // namespace
}  // namespace nw
