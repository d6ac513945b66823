// SPDX-License-Identifier: GPL-3.0-or-later
// netwright-cli runs report -o FILE.pdf, which asks the window's program; another reader of PDF says what is in it.
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

using ReportPdf = Cli;

/// What another reader finds in a PDF (pdf_peer.py); nothing: there is no other reader here.
Json read_by_peer(const std::string& pdf, const std::string& answer) {
  const char* python = std::getenv("NETWRIGHT_PYTHON");
  const std::string command = std::string("'") + (python && *python ? python : "python3") + "' -B '" +
                              test::source_folder() + "/tests/ui/study/pdf_peer.py' '" + pdf + "' > '" + answer + "'";
  const int code = WEXITSTATUS(std::system(command.c_str()));
  EXPECT_TRUE(code == 0 || code == 77) << "the PDF cannot be read";
  return code == 0 ? Json::parse(*read_file(answer, 1 << 24), nullptr, false) : Json();
}

TEST_F(ReportPdf, IsReadByOthersWithItsTextAndItsDrawingsInOneLanguage) {
  ASSERT_EQ(run({"train", project(3), "--run-dir", at("run")}).code, 0);
  const auto s = summarize_run(at("run"));
  ASSERT_TRUE(s);
  for (const auto& [language, own, other] :
       {std::tuple{"en", "Report of a run", "运行报告"}, {"zh", "运行报告", "Report of a run"}}) {
    const CommandOutput done = run({"runs", "report", at("run"), "-o", at("r.pdf"), "--language", language});
    ASSERT_EQ(done.code, 0) << done.err;
    const Json read = read_by_peer(at("r.pdf"), at("answer"));
    if (read.is_null()) GTEST_SKIP() << "neither pypdf nor poppler is installed: nothing else reads the PDF";
    ASSERT_TRUE(read.is_object());
    const std::string text = read["text"];
    EXPECT_THAT(text, HasSubstr(own)) << read["reader"];
    EXPECT_THAT(text, Not(HasSubstr(other)));
    EXPECT_THAT(text, HasSubstr(fmt::format("{:.4g}", s->history.back().validation_loss)));
    EXPECT_THAT(text, HasSubstr("learning_rate"));
    EXPECT_THAT(text, ContainsRegex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]")) << "signs of another shape are letters too";
    EXPECT_THAT(text, HasSubstr("\u2014")) << "the legend's colours";
    EXPECT_EQ(read["pictures"], 3) << "loss, accuracy, the network";
  }
}

}  // namespace
}  // namespace nw
