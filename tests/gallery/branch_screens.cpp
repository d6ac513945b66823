// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/branch_screens.hpp"

#include <QScrollBar>
#include <QTableView>
#include <list>

#include "tests/gallery/run_screens.hpp"
#include "tests/support/checkpoint_writer.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/doctor_panel.hpp"
#include "ui/train/doctor_watch.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr std::int64_t steps_per_epoch = 100;

/// A run, two branches of it, and a branch of one of those; until the program ends.
struct WrittenTree {
  test::TemporaryFolder place;
  std::list<test::RunWriter> runs;
  fs::path folder = place.path() / "runs";
  fs::path root, middle;
  WrittenTree() {
    root = add(1000, {}, -1, 12, 0.953, {});
    middle = add(2000, root, 5, 12, 0.971, [](TrainSettings& s) { s.learning_rate = 0.0004; });
    add(3000, root, 8, 10, 0.938, [](TrainSettings& s) { s.learning_rate = 0.02; });
    add(4000, middle, 8, 12, 0.976, [](TrainSettings& s) { s.l2 = 0.0005, s.batch = 128; });
    add(5000, {}, -1, 12, 0.947, {});
  }
  fs::path add(double created, const fs::path& parent, std::int64_t fork, std::int64_t done, double best,
               const std::function<void(TrainSettings&)>& change) {
    RunDefinition d = test::definition_of("lenet5", created);
    TrainSettings s = d.doc.settings();
    s.epochs = 12;
    if (change) change(s);
    (void)d.doc.apply({PutSettings{s}});
    d.parent = parent.filename().string();
    d.parent_step = fork < 0 ? -1 : fork * steps_per_epoch;
    test::RunWriter& run = runs.emplace_back(folder, d);
    test::write_training(run, {.epochs = 12,
                               .epochs_done = done,
                               .steps_per_epoch = steps_per_epoch,
                               .records_per_epoch = 10,
                               .best = best,
                               .end = done == 12 ? EndReason::finished : EndReason::stopped});
    for (std::int64_t epoch = std::max<std::int64_t>(2, fork); epoch <= done; epoch += epoch < fork + 3 ? 1 : 2)
      test::write_checkpoint(run.folder(), epoch * steps_per_epoch, epoch == done);
    if (fork < 0)
      for (const std::int64_t epoch : {5, 8}) test::write_checkpoint(run.folder(), epoch * steps_per_epoch);
    return run.folder();
  }
};
WrittenTree& writtenTree() {
  static WrittenTree all;
  return all;
}

/// The validation loss rises while the training loss falls.
const fs::path& overFitted() {
  static test::TemporaryFolder place;
  static const fs::path run = [] {
    static test::RunWriter writer(place.path(), test::definition_of("lenet5"));
    test::write_training(writer, {.epochs = 24, .epochs_done = 1, .steps_per_epoch = 100, .records_per_epoch = 10});
    for (int e = 2; e <= 24; ++e) {
      EpochEnd end;
      end.epoch = e;
      end.step = 100 * e;
      end.train_loss = 1.4 * std::exp(-0.25 * e);
      end.train_accuracy = 1 - 0.5 * std::exp(-0.3 * e);
      end.has_validation = true;
      end.validation_loss = 0.45 + 0.9 * std::exp(-0.9 * e) + 0.045 * std::max(0, e - 6);
      end.validation_accuracy = 0.9;
      writer.post(6.0 * e, end);
    }
    test::write_checkpoint(writer.folder(), 2400);
    writer.post(160, Ended{.reason = EndReason::finished, .step = 2400, .wall_s = 160});
    return writer.folder();
  }();
  return run;
}

RunsPage& treePage(Stage& s) { return *static_cast<RunsPage*>(s.window->page(QStringLiteral("runs"))); }

}  // namespace

QWidget* runsTree(Stage& s) {
  s.open("lenet5");
  qputenv("NETWRIGHT_RUNS", writtenTree().folder.c_str());
  QWidget* shown = s.show(QStringLiteral("runs"));
  treePage(s).lowerViews().setCurrent(1);
  return shown;
}

/// The second run is chosen, and the checkpoint that it began with.
bool treeShown(Stage& s) {
  RunsPage& page = treePage(s);
  const int row = page.model().find(QString::fromStdString(writtenTree().middle.string()));
  if (row < 0) return false;
  const QModelIndex at = page.filter().mapFromSource(page.model().index(row, 1));
  if (page.table().currentIndex() != at) page.table().setCurrentIndex(at);
  BranchTree& tree = page.branches().tree();
  if (tree.lanes().size() < 4 || tree.lanes().last().checkpoints.isEmpty()) return false;
  if (!tree.chosen()) tree.choose(QString::fromStdString(writtenTree().root.string()), 5 * steps_per_epoch);
  return analysed(s);
}

/// Grouped by the learning rate, one group closed, one run pinned. ~Stage() forgets it.
QWidget* runsGroups(Stage& s) {
  QWidget* shown = runsTree(s);
  RunsPage& page = treePage(s);
  page.lowerViews().setCurrent(0);
  page.filter().setPins({QString::fromStdString(writtenTree().root.string())});
  page.filter().setGrouping(QStringLiteral("column/rate"));
  page.filter().setCollapsed({QStringLiteral("0.02")});
  return shown;
}
bool groupsShown(Stage& s) {
  RunsPage& page = treePage(s);
  return page.filter().groups().size() > 1 && page.chart().curves() > 0 && listed(s);
}

/// The same, scrolled to the right.
QWidget* runsPinned(Stage& s) { return runsGroups(s); }
bool pinnedShown(Stage& s) {
  QScrollBar* bar = treePage(s).table().horizontalScrollBar();
  if (bar->value() == 0) bar->setValue(std::min(bar->maximum(), 330));
  return groupsShown(s);
}

QWidget* branchDialog(Stage& s) {
  s.open("lenet5");
  auto* made = new BranchDialog(s.work.session, s.run, -1);
  made->propose(QStringLiteral("learning_rate"), 0.0005);
  s.extra.reset(made);
  made->show();
  return made;
}
bool branchPlanned(Stage& s) { return static_cast<BranchDialog*>(s.extra.get())->isCurrent(); }

QWidget* doctorPanel(Stage& s) {
  s.open("lenet5");
  s.work.session.feed().follow(QString::fromStdString(overFitted().string()));
  auto* watch = new DoctorWatch(s.work.session.feed(), &s.work.session);
  auto* made = new DoctorPanel(*watch);
  s.extra.reset(made);
  made->show();
  return made;
}
bool doctorSaid(Stage& s) {
  return !s.extra->findChildren<QPushButton*>().isEmpty() && s.work.session.feed().loaded() &&
         s.work.session.findChild<DoctorWatch*>()->examined();
}

}  // namespace nw::ui
