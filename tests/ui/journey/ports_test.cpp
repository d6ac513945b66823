// SPDX-License-Identifier: GPL-3.0-or-later
// The window, its helper and its trainings open no port of the network.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/design/project_file.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/shell/files/project_files.hpp"

namespace nw::ui {
namespace {

/// The inodes of all sockets of the network on this computer (proc(5)).
std::set<std::string> socketsOfTheNetwork() {
  std::set<std::string> inodes;
  for (const char* table : {"tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6"}) {
    std::ifstream lines(std::string("/proc/net/") + table);
    std::string line, word;
    for (std::getline(lines, line); std::getline(lines, line);) {
      std::istringstream words(line);
      for (int field = 0; field < 10 && words >> word; ++field) {}
      inodes.insert("socket:[" + word + "]");
    }
  }
  return inodes;
}

/// Those that this process has open.
std::vector<std::string> portsOf(qint64 process) {
  const std::set<std::string> all = socketsOfTheNetwork();
  std::vector<std::string> open;
  std::error_code gone;
  for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone))
    if (const std::string target = fs::read_symlink(file.path(), gone).string(); all.contains(target))
      open.push_back(target);
  return open;
}

using Ports = Journey;

TEST_F(Ports, NoneIsOpenedByTheWindowItsHelperAndItsTraining) {
  openSmallProject(100000, 500);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return !feed().epochs().empty(); }));
  ASSERT_GT(run().processId(), 0);
  EXPECT_THAT(portsOf(run().processId()), testing::IsEmpty()) << "of the training";
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  ASSERT_GT(session().helper().processId(), 0);
  EXPECT_THAT(portsOf(session().helper().processId()), testing::IsEmpty()) << "of the helper";
  EXPECT_THAT(portsOf(QCoreApplication::applicationPid()), testing::IsEmpty()) << "of the window";
}

// The project names a data set that would have to be fetched, and one that lies elsewhere.
TEST_F(Ports, OpeningAProjectStartsNothingButTheHelper) {
  const std::set<pid_t> earlier = test::child_processes();  // of other tests in this process
  openSmallProject(1);
  for (const SourceKind kind : {SourceKind::cifar, SourceKind::image_folder}) {
    GraphDoc doc = session().doc();
    DataChoice data = doc.data();
    data.kind = kind;
    data.path = kind == SourceKind::cifar ? "" : "/nonexistent/photos";
    ASSERT_TRUE(doc.apply({PutData{data}}));
    const QString file = folder.filePath(QStringLiteral("received.netwright"));
    ASSERT_TRUE(ProjectFile::save(doc, file.toStdString()));
    const std::string saved = *read_file(file.toStdString(), 1 << 20);
    ASSERT_TRUE(window().files().openPath(file));
    for (const char* page : {"train", "predict", "runs", "deploy", "design"}) window().showPage(QLatin1String(page));
    analysed();
    for (const pid_t child : test::child_processes())
      EXPECT_TRUE(earlier.contains(child) || child == session().helper().processId()) << child;
    EXPECT_THAT(portsOf(QCoreApplication::applicationPid()), testing::IsEmpty());
    EXPECT_EQ(*read_file(file.toStdString(), 1 << 20), saved);
    EXPECT_EQ(run().state(), RunController::State::idle);
  }
}

TEST_F(Ports, AreSeenWhereThereAreSome) {
  const int own = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(own, 0);
  ASSERT_EQ(::listen(own, 1), 0);
  EXPECT_EQ(portsOf(QCoreApplication::applicationPid()).size(), 1U);
  ::close(own);
}

}  // namespace
}  // namespace nw::ui
