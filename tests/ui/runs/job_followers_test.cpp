// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that the window follows, with a program in place of `netwright-cli jobs follow` that only waits.
#include "ui/submit/job_followers.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <optional>

#include "engine/core/files.hpp"
#include "tests/support/variable.hpp"
#include "ui/session/command_process.hpp"

namespace nw::ui {
namespace {

class JobFollowersTest : public testing::Test {
 protected:
  JobFollowersTest() {
    EXPECT_TRUE(save_file(place() / "follow", "#!/bin/sh\nexec sleep 1000\n", 0700));
    CommandProcess::setProgram(folder.filePath(QStringLiteral("follow")));
    fs::create_directories(place() / "job" / "run");
    EXPECT_TRUE(save_file(place() / "job" / "job.json", "{}"));
  }
  ~JobFollowersTest() override { CommandProcess::setProgram({}); }
  fs::path place() const { return folder.path().toStdString(); }
  /// As a training does while it runs.
  void train() {
    auto lock = FileLock::take(place() / "job" / "run" / "lock");
    ASSERT_TRUE(lock);
    training.emplace(std::move(*lock));
  }
  const QTemporaryDir folder;
  test::Variable jobs{"NETWRIGHT_JOBS", place()};
  std::optional<FileLock> training;
};

TEST_F(JobFollowersTest, ARunBeginsOnceAndAgainAfterABreak) {
  JobFollowers followers(nullptr);
  QSignalSpy began(&followers, &JobFollowers::began);
  followers.follow(QStringLiteral("job"));
  EXPECT_FALSE(began.wait(600));
  train();
  ASSERT_TRUE(began.wait());
  EXPECT_EQ(began.takeFirst().value(0).toString(), followers.runOf(QStringLiteral("job")));
  EXPECT_FALSE(began.wait(600)) << "it is the same training";
  training.reset();
  EXPECT_FALSE(began.wait(600));
  train();
  EXPECT_TRUE(began.wait()) << "the cluster has started it again";
}

TEST_F(JobFollowersTest, FollowTellsOfARunThatTrainsAlready) {
  JobFollowers followers(nullptr);
  QSignalSpy began(&followers, &JobFollowers::began);
  train();
  followers.follow(QStringLiteral("job"));
  ASSERT_TRUE(began.wait());
  followers.follow(QStringLiteral("job"));
  EXPECT_TRUE(began.wait()) << "asked for again, by who wants to see it";
  EXPECT_TRUE(followers.follows(QStringLiteral("job")));
}

}  // namespace
}  // namespace nw::ui
