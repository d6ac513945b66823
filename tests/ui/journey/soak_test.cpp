// SPDX-License-Identifier: GPL-3.0-or-later
// The window used again and again: memory, open files, threads and child processes stay as they were. 45 minutes with
// NETWRIGHT_LONG=1.
#include <malloc.h>

#include <QElapsedTimer>
#include <deque>
#include <filesystem>
#include <fstream>

#include "tests/support/child_processes.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/session/edit_command.hpp"
#include "ui/shell/files/project_files.hpp"

namespace nw::ui {
namespace {

struct Use {
  std::int64_t mib = 0, files = 0, threads = 0, children = 0;
};

std::int64_t entriesOf(const char* folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// What this process holds now (proc(5)); memory that malloc keeps for later is given back before.
Use useNow() {
  ::malloc_trim(0);
  Use use{.mib = 0,
          .files = entriesOf("/proc/self/fd"),
          .threads = entriesOf("/proc/self/task"),
          .children = std::ssize(test::child_processes())};
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  use.mib = resident * ::sysconf(_SC_PAGESIZE) >> 20;
  return use;
}

class Soak : public Journey {
 protected:
  /// Opens a project, edits it, trains it, looks at its predictions and at every page.
  void useOnce() {
    if (!desk)
      openSmallProject(2, 300);
    else
      ASSERT_TRUE(window().files().openPath(folder.filePath(QStringLiteral("small.netwright"))));
    analysed();
    const NodeId id = session().doc().graph().nodes.begin()->first;
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(session().push(move_nodes(session().doc(), "", {{id, Point{10.0 * i, 0}}}), QStringLiteral("Move")));
    while (session().undoStack().canUndo()) session().undoStack().undo();
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    ASSERT_TRUE(isState(RunController::State::idle));
    for (const char* page : {"design", "train", "runs", "deploy", "welcome", "predict"})
      window().showPage(QLatin1String(page));
    expectPredictionsArrive();
    keepRuns(20);
    // The program's event loop deletes what deleteLater() is called on; waiting in a test does not.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

 private:
  /// Removes the oldest runs of this test beyond `most`, as a user does: each line of a list of runs takes memory.
  void keepRuns(std::size_t most) {
    runs_.push_back(trained.toStdString());
    for (; runs_.size() > most; runs_.pop_front()) fs::remove_all(runs_.front());
  }
  std::deque<fs::path> runs_;  // the folders, the newest last
};

TEST_F(Soak, MemoryFilesThreadsAndProcessesStayAsTheyWereAfterTheFirstRounds) {
  const bool isLong = qEnvironmentVariableIsSet("NETWRIGHT_LONG");
  const int first = isLong ? 20 : 2, least = isLong ? 100 : 4;
  const qint64 forMs = isLong ? qint64{45} * 60 * 1000 : 0;
  for (int round = 0; round < first && !HasFailure(); ++round) useOnce();
  const Use before = useNow();
  QElapsedTimer clock;
  clock.start();
  int rounds = 0;
  for (; (rounds < least || clock.elapsed() < forMs) && !HasFailure(); ++rounds) useOnce();
  const Use after = useNow();
  std::printf("%d rounds in %lld s: %lld to %lld MiB, %lld to %lld files, %lld to %lld threads\n", rounds,
              static_cast<long long>(clock.elapsed() / 1000), static_cast<long long>(before.mib),
              static_cast<long long>(after.mib), static_cast<long long>(before.files),
              static_cast<long long>(after.files), static_cast<long long>(before.threads),
              static_cast<long long>(after.threads));
  EXPECT_LE(after.mib - before.mib, 16);
  EXPECT_LE(after.files - before.files, 6);
  EXPECT_LE(after.threads - before.threads, 4);
  EXPECT_LE(after.children - before.children, 0);
}

}  // namespace
}  // namespace nw::ui
