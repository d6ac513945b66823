// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/scaling_screens.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QMainWindow>
#include <QSpinBox>
#include <QTableWidget>

#include "tests/gallery/run_screens.hpp"
#include "tests/support/rank_times.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/design/device_plan.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/train/rank_panel.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Four virtual devices, of which the last is slower; made once.
QString runOfFour() {
  static const test::TemporaryFolder folder;
  static test::RunWriter* run = nullptr;
  if (!run) {
    run = new test::RunWriter(folder.path(), test::definition_of());
    test::write_training(*run, {.epochs_done = 6, .into_epoch = 0.4, .device = "cpu:0, cpu:1, cpu:2, cpu:3"});
    for (const bool epoch : {true, false}) run->post(41, test::four_ranks(epoch));
    run->lock();
  }
  return QString::fromStdString(run->folder().string());
}

}  // namespace

/// ResNet-50 on up to 64 GPUs that are connected by 10 Gbit/s, in a dock that was made higher.
QWidget* moreDevices(Stage& s) {
  s.open("resnet50");
  QWidget* shown = s.show(QStringLiteral("design"));
  auto* panel = shown->findChild<TabbedPanel*>(QStringLiteral("problemsPanel"));
  panel->showPage(panel->tabs().count() - 1);
  auto* plan = shown->findChild<DevicePlan*>();
  shown->findChild<QMainWindow*>(QStringLiteral("designFrame"))->resizeDocks({panel}, {270}, Qt::Vertical);
  plan->links().setCurrentIndex(plan->links().findData(QStringLiteral("ethernet10")));
  plan->count().setValue(64);
  plan->sameBatch().setChecked(true);
  return shown;
}

bool devicesPlanned(Stage& s) {
  auto* plan = s.window->findChild<DevicePlan*>();
  const bool painted = plan->chart().vertical().high > 50;  // of per cent; an empty chart ends at 1
  return analysed(s) && plan->settled() && plan->table().rowCount() == 7 && painted;
}

QWidget* trainRanks(Stage& s) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("train"));
  s.window->openRun(runOfFour(), QStringLiteral("train"));
  return shown;
}

bool ranksShown(Stage& s) {
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  page->sideViews().setCurrent(page->sideViews().count() - 1);
  return charted(s) && page->ranks().model().rowCount() == 4;
}

}  // namespace nw::ui
