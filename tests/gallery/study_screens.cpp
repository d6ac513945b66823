// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/study_screens.hpp"

#include <QTabBar>
#include <QTableWidget>
#include <ctime>
#include <map>

#include "tests/support/run_writer.hpp"
#include "tests/support/study_writer.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/study/importance_view.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_list.hpp"
#include "ui/study/study_view.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Folders that live until the program ends; this process holds the lock of the study that runs.
struct WrittenStudies {
  test::TemporaryFolder place;
  std::vector<FileLock> locks;
  fs::path folder(const char* name, test::StudyScript script, bool running) {
    const fs::path made = place.path() / "runs" / name;
    if (fs::exists(made)) return made;
    script.begin = static_cast<double>(std::time(nullptr)) - (test::StudyWriter(script).end() - script.begin) - 3;
    fs::create_directories(made.parent_path());
    (void)test::StudyWriter(script).save(made);
    for (const char* copy : {search::project_copy, search::space_copy}) (void)save_file(made / copy, "{}");
    if (running)
      if (auto lock = FileLock::take(made / "lock")) locks.push_back(*std::move(lock));
    return made;
  }
};
WrittenStudies& writtenStudies() {
  static WrittenStudies all;
  return all;
}
fs::path runningStudy() {
  return writtenStudies().folder("2026-11-26-lenet5-study-k2", {.trials = 60, .begun = 49}, true);
}
fs::path frontStudy() {
  return writtenStudies().folder("2026-11-25-lenet5-study-c8", {.trials = 60, .epochs = 9, .two_objectives = true},
                                 false);
}

RunsPage& runsPageOf(Stage& s) { return *static_cast<RunsPage*>(s.window->page(QStringLiteral("runs"))); }

QWidget* studiesOf(Stage& s, const fs::path& runs) {
  s.open("lenet5");
  fs::create_directories(runs);
  qputenv("NETWRIGHT_RUNS", runs.c_str());
  QWidget* shown = s.show(QStringLiteral("runs"));
  runsPageOf(s).tabs().setCurrentIndex(1);
  return shown;
}

QWidget* studyOf(Stage& s, const fs::path& folder, int mode) {
  QWidget* shown = studiesOf(s, folder.parent_path());
  runsPageOf(s).studies().openStudy(folder);
  StudyView& view = runsPageOf(s).studies().study();
  view.modes().setCurrent(mode);
  view.importance().setMode(static_cast<ImportanceView::Mode>(mode));
  return shown;
}

}  // namespace

QWidget* studyRunning(Stage& s) { return studyOf(s, runningStudy(), 0); }
QWidget* studyFront(Stage& s) { return studyOf(s, frontStudy(), 1); }
QWidget* studyContour(Stage& s) { return studyOf(s, frontStudy(), 2); }
QWidget* studyList(Stage& s) {
  runningStudy();
  return studiesOf(s, frontStudy().parent_path());
}
QWidget* studiesEmpty(Stage& s) { return studiesOf(s, writtenStudies().place.path() / "none"); }

QWidget* searchDialog(Stage& s) {
  s.open("lenet5");
  auto* made = new SearchDialog(s.work.session);
  s.extra.reset(made);
  made->show();
  return made;
}

bool studyShown(Stage& s) {
  const bool ready = analysed(s) && runsPageOf(s).studies().study().model().data() != nullptr;
  if (!ready)
    s.calm.invalidate();
  else if (!s.calm.isValid())
    s.calm.start();
  return ready && s.calm.elapsed() > 300;
}
bool studiesListed(Stage& s) { return analysed(s) && runsPageOf(s).studies().list().rowCount() == 2; }
bool searchFilled(Stage& s) { return static_cast<SearchDialog*>(s.extra.get())->loaded(); }

}  // namespace nw::ui
