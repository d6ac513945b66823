// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/command_process.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "tests/support/wait_for.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {
namespace {

class CommandProcessTest : public testing::Test {
 protected:
  void TearDown() override { CommandProcess::setProgram({}); }
  /// Runs a shell script in place of netwright-cli until it ends.
  void play(const char* script) {
    const QString path = folder.filePath(QStringLiteral("program.sh"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(QByteArray("#!/bin/sh\n") + script + "\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    CommandProcess::setProgram(path);
    bool ended = false;
    CommandProcess process;
    process.onLine([&](const Json& line) { lines << textAt(line, "a"); });
    process.start(
        {}, [&](const Json& json) { answer = textAt(json, "a"), ended = true; },
        [&](const QString& sentence) { error = sentence, ended = true; });
    ASSERT_TRUE(test::wait_for([&] { return ended; }, 20000));
  }
  QTemporaryDir folder;
  QStringList lines;
  QString answer, error;
};

TEST_F(CommandProcessTest, GivesEachLineAndAnswersWithTheLast) {
  play(R"(echo '{"a":"1"}'; echo nonsense; printf '{"a":"2"}')");
  EXPECT_EQ(lines, QStringList({QStringLiteral("1"), QStringLiteral("2")}));
  EXPECT_EQ(answer, QStringLiteral("2"));
  EXPECT_TRUE(error.isEmpty());
}

TEST_F(CommandProcessTest, ExitCodeOneBelongsToAnAnswerUnlessThereIsAnError) {
  play(R"(echo '{"a":"differs"}'; echo 'a library warns' >&2; exit 1)");
  EXPECT_EQ(answer, QStringLiteral("differs"));
  answer.clear();
  play(R"(echo '{"a":"half"}'; echo '{"source":"cuda:0 stopped working","args":[]}' >&2; exit 1)");
  EXPECT_TRUE(answer.isEmpty());
  EXPECT_EQ(error, QStringLiteral("cuda:0 stopped working"));
  play(R"(echo '{"a":"half"}'; echo 'cuda:0 is gone' >&2; exit 4)");
  EXPECT_TRUE(answer.isEmpty());
  EXPECT_EQ(error, QStringLiteral("cuda:0 is gone"));
}

TEST_F(CommandProcessTest, AProgramThatEndsInSilenceIsReportedAsWhatItIs) {
  play("exit 3");
  EXPECT_TRUE(error.contains(QStringLiteral("(exit code 3)"))) << error.toStdString();
  play("exit 1");
  EXPECT_TRUE(error.contains(QStringLiteral("(exit code 1)"))) << error.toStdString();
  play("kill -SEGV $$");
  EXPECT_TRUE(error.contains(QStringLiteral("has ended unexpectedly"))) << error.toStdString();
  play("exit 0");
  EXPECT_FALSE(error.isEmpty()) << "no answer is an error too";
  EXPECT_TRUE(answer.isEmpty());
}

}  // namespace
}  // namespace nw::ui
