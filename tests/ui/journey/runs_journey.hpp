// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window with runs that a test writes; menus and dialogs under real clicks.
#pragma once
#include <QSettings>
#include <QTableView>
#include <list>

#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {

class RunsJourney : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    for (const char* group : {"runs", "charts"}) QSettings().remove(QLatin1String(group));
  }
  fs::path add(const std::string& network, double created, const test::RunScript& story,
               const std::function<void(RunDefinition&)>& change = {}) {
    RunDefinition definition = test::definition_of(network, created);
    if (change) change(definition);
    written.emplace_back(place.path() / "runs", definition);
    test::write_training(written.back(), story);
    return written.back().folder();
  }
  /// Three finished runs; the second is the best one.
  void addThree() {
    first = add("lenet5", 1000, {.epochs_done = 4, .best = 0.93, .end = EndReason::stopped});
    best = add("mlp", 2000, {.epochs_done = 6, .best = 0.99, .end = EndReason::stopped});
    last = add("lenet5", 3000, {.epochs_done = 5, .best = 0.95, .end = EndReason::stopped});
  }
  RunsPage& page() { return *static_cast<RunsPage*>(window().page(QStringLiteral("runs"))); }
  void openRuns(int count) {
    openWindow({{}, QStringLiteral("mlp")});
    showRuns(count);
  }
  void showRuns(int count) {
    window().showPage(QStringLiteral("runs"));
    ASSERT_TRUE(test::wait_for([&] { return page().model().rowCount() == count; }));
    QCoreApplication::processEvents();
  }
  QModelIndex cell(const fs::path& run, const char* column = "run") {
    const int row = page().model().find(QString::fromStdString(run.string()));
    return page().filter().mapFromSource(page().model().index(row, runColumn(column)));
  }
  QString text(const fs::path& run, const char* column) { return cell(run, column).data().toString(); }
  void clickRow(const fs::path& run, Qt::KeyboardModifiers held = {}) {
    hand.click(page().table().viewport(), page().table().visualRect(cell(run)).center(), held);
  }
  std::string topRun() { return page().filter().rowAt(page().filter().index(0, 0)).summary.folder.string(); }
  template <class W>
  W* part(const char* name) {
    W* found = page().findChild<W*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  bool says(const QString& words) {
    return test::wait_for([&] { return window().banner().isVisible() && window().banner().text().contains(words); });
  }

  test::TemporaryFolder place;
  test::Variable home{"HOME", place.path()}, data{"XDG_DATA_HOME", place.path() / "data"},
      runsFolder{"NETWRIGHT_RUNS", place.path() / "runs"};
  std::list<test::RunWriter> written;
  fs::path first, best, last;
};

}  // namespace nw::ui
