// SPDX-License-Identifier: Apache-2.0
// netwright-cli runs report: a run and a study as one page in two languages that needs no other file, or as a PDF.
#include <gmock/gmock.h>

#include "engine/design/graph_diff.hpp"
#include "engine/runs/run_notes.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReportCli : public Cli {
 protected:
  std::string page(const std::string& folder, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"runs", "report", at(folder), "-o", at("page.html")};
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    const auto text = read_file(at("page.html"), 1 << 24);
    return text ? *text : std::string();
  }
  static void expect_alone(const std::string& page) {
    for (const char* outside : {"src=\"http", "href=", "<script", "@import", "url("})
      EXPECT_THAT(page, Not(HasSubstr(outside)));
    EXPECT_TRUE(page.ends_with("</html>\n"));
  }
};

TEST_F(ReportCli, ARunHasItsResultsCurvesNetworkSettingsAndHashes) {
  ASSERT_EQ(run({"train", project(3), "--run-dir", at("run")}).code, 0);
  const std::string html = page("run");
  expect_alone(html);
  const auto d = read_run_definition(at("run"));
  const auto s = summarize_run(at("run"));
  ASSERT_TRUE(d && s);
  EXPECT_THAT(html, HasSubstr(hex(d->data_hash)));
  EXPECT_THAT(html, HasSubstr(hex(network_hash(d->doc))));
  EXPECT_THAT(html, HasSubstr(fmt::format("{:.4g}", s->history.back().validation_loss)));
  EXPECT_THAT(html, HasSubstr("<td>learning_rate</td>"));
  for (const char* both : {"Report of a run", "运行报告", "Hash of the network", "网络哈希"})
    EXPECT_THAT(html, HasSubstr(both));
  std::size_t drawings = 0;
  for (std::size_t i = 0; (i = html.find("<svg", i)) != html.npos; ++i) ++drawings;
  EXPECT_EQ(drawings, 3U) << "loss, accuracy, the network";
  EXPECT_THAT(html, HasSubstr("id=\"en\" checked"));
  EXPECT_THAT(page("run", {"--language", "zh"}), HasSubstr("id=\"zh\" checked"));
}

TEST_F(ReportCli, TextsOfFilesAreEscaped) {
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run")}).code, 0);
  ASSERT_TRUE(save_run_notes(at("run"), {"<script>alert(1)</script>", "", {}}));
  const std::string html = page("run");
  expect_alone(html);
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST_F(ReportCli, AStudyHasItsTrialsItsSpaceAndTheBestOnesNetwork) {
  ASSERT_TRUE(
      save_file(at("space.json"),
                R"({"parameters":[{"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  const CommandOutput made = run({"sweep", project(), "--space", at("space.json"), "--dir", at("study"), "--trials",
                                  "3", "--epochs", "1", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string html = page("study");
  expect_alone(html);
  const double best = made.lines().back().at("best").at("value").get<double>();
  EXPECT_THAT(html, HasSubstr(fmt::format("<p><b>{:.6g}</b></p>", best)));
  for (const char* part : {"研究报告", "0.001 – 0.3 (log)", "<td>0</td>", "<td>1</td>", "<td>2</td>", "<svg"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST_F(ReportCli, AFolderThatIsNeitherIsSaid) {
  const CommandOutput done = run({"runs", "report", at("nowhere"), "-o", at("page.html")});
  EXPECT_EQ(done.code, 3);
  EXPECT_FALSE(fs::exists(at("page.html")));
}

/// The command line in a folder of its own, beside which `netwright` may be missing or another program.
class ReportBeside : public ReportCli {
 protected:
  void SetUp() override {
    fs::create_directory(at("bin"));
    fs::copy_file(test::programs_folder() + "/netwright-cli", at("bin/netwright-cli"));
    ASSERT_EQ(run({"train", project(1), "--run-dir", at("run")}).code, 0);
    ASSERT_TRUE(save_file(at("r.pdf"), "mine"));
  }
  void put_netwright(const std::string& script) const {
    ASSERT_TRUE(save_file(at("bin/netwright"), "#!/bin/sh\n" + script + "\n", 0755));
  }
  CommandOutput pdf() {
    const Launch there{.words = {"sh", "-c", "shift; exec '" + at("bin/netwright-cli") + "' \"$@\"", "sh"},
                       .first = {}};
    return run({"runs", "report", at("run"), "-o", at("r.pdf"), "--language", "zh"}, there);
  }
  std::string kept() const { return *read_file(at("r.pdf"), 1 << 20); }
};

TEST_F(ReportBeside, WithoutTheWindowsProgramTheWayOutIsSaid) {
  const CommandOutput done = pdf();
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr(at("bin")));
  EXPECT_THAT(done.err, HasSubstr("write an .html page"));
  EXPECT_EQ(kept(), "mine");
}

TEST_F(ReportBeside, AWindowsProgramThatFailsIsSaidAndTheOldFileStays) {
  for (const auto& [script, said] : {std::pair{"echo one >&2; echo 'no font' >&2; exit 3", "(exit code 3): no font"},
                                     {"printf '%%PDF-1.4'; kill -SEGV $$", "(exit code -1)"},
                                     {"echo hello", "(exit code 0)"},
                                     {"exec 0<&-; exit 1", "(exit code 1)"}}) {
    put_netwright(script);
    const CommandOutput done = pdf();
    EXPECT_EQ(done.code, 1) << script;
    EXPECT_THAT(done.err, HasSubstr(said));
    EXPECT_EQ(kept(), "mine") << script;
  }
  put_netwright("test \"$1 $2\" = '--report-pdf zh' && printf '%%PDF-' && tail -c 8");
  EXPECT_EQ(pdf().code, 0);
  EXPECT_EQ(kept(), "%PDF-</html>\n") << "the page on stdin, the PDF on stdout";
}

}  // namespace
}  // namespace nw
