// SPDX-License-Identifier: GPL-3.0-or-later
// The name that the user gave a run, wherever the window shows the run; and the quantity that the chart of runs names.
#include <QComboBox>
#include <QLineEdit>
#include <QTimer>

#include "engine/runs/run_notes.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/session/run_title.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/train/progress.hpp"

namespace nw::ui {
namespace {

class RunNames : public RunsJourney {
 protected:
  /// The entry of File > Open recent whose text is this, clicked.
  bool clickRecent(const QString& entry) {
    hand.click(child<QWidget>(QStringLiteral("menuButton")));
    hand.key(Qt::Key_Down);
    hand.key(Qt::Key_Right);
    QMenu* recent = nullptr;
    for (QMenu* menu : window().findChildren<QMenu*>())
      if (menu->title() == QStringLiteral("Open recent")) recent = menu;
    auto* file = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!recent || !file) return false;
    QTest::mouseClick(file->windowHandle(), Qt::LeftButton, {}, file->actionGeometry(recent->menuAction()).center());
    const auto find = [&]() -> QAction* {
      for (QAction* a : recent->actions())
        if (a->text() == entry) return a;
      return nullptr;
    };
    if (!test::wait_for([&] { return recent->isVisible() && find(); })) return false;
    QTest::mouseClick(recent->windowHandle(), Qt::LeftButton, {}, recent->actionGeometry(find()).center());
    return true;
  }
  bool stripSays(const QString& name) {
    return test::wait_for([&] { return train().strip().accessibleName().contains(name); });
  }
};

TEST_F(RunNames, TheStripTheTitleAndTheRecentMenuShowTheGivenName) {
  addThree();
  openRuns(3);
  EXPECT_EQ(window().windowTitle(), QStringLiteral("mlp[*] - Netwright"));
  clickRow(first);
  hand.click(button(QStringLiteral("Open"), &page()));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  const QString folderName = runTitle(QString::fromStdString(first.string()));
  EXPECT_TRUE(stripSays(folderName));
  EXPECT_EQ(window().windowTitle(), QStringLiteral("mlp[*] · %1 - Netwright").arg(folderName));
  showRuns(3);
  hand.fill(part<QLineEdit>("runName"), QStringLiteral("Narrow & slow"));
  hand.key(Qt::Key_2, Qt::ControlModifier);
  EXPECT_TRUE(stripSays(QStringLiteral("Narrow & slow"))) << "renamed while it is shown";
  EXPECT_EQ(window().windowTitle(), QStringLiteral("mlp[*] · Narrow & slow - Netwright"));
  hand.key(Qt::Key_1, Qt::ControlModifier);
  EXPECT_EQ(window().windowTitle(), QStringLiteral("mlp[*] - Netwright")) << "the canvas shows no run";
  ASSERT_TRUE(clickRecent(QStringLiteral("Run Narrow && slow")));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(feed().folder().toStdString(), first.string());
}

TEST_F(RunNames, AChartOfR2HasNoPercentAndOneOfBothHasFractions) {
  const fs::path values =
      add("mlp", 1000, {.epochs_done = 4, .best = 0.9, .end = EndReason::stopped, .metric = Metric::r2});
  openRuns(1);
  const auto& options = page().chart().options();
  EXPECT_EQ(options.title, QStringLiteral("Validation R²"));
  EXPECT_EQ(options.unit, QString());
  const double last = summarize_run(values)->history[3].validation_accuracy;
  EXPECT_DOUBLE_EQ(page().chart().curveY(0)[3], last);
  EXPECT_EQ(page().chart().formatted(last), QString::number(last, 'f', 4));
  EXPECT_EQ(part<QComboBox>("runMetric")->currentText(), QStringLiteral("Validation R²"));
  hand.choose(part<QComboBox>("runMetric"), QStringLiteral("Training loss"));
  EXPECT_EQ(options.title, QStringLiteral("Training loss"));
  hand.choose(part<QComboBox>("runMetric"), QStringLiteral("Validation R²"));
  add("lenet5", 2000, {.epochs_done = 4, .best = 0.99, .end = EndReason::stopped});
  ASSERT_TRUE(test::wait_for([&] { return page().chart().curves() == 2; }));
  EXPECT_EQ(options.title, QStringLiteral("Validation accuracy or R²"));
  EXPECT_EQ(options.unit, QString());
  for (int curve = 0; curve < 2; ++curve) EXPECT_LE(page().chart().curveY(curve)[3], 1);
  hand.click(page().table().viewport(), page().table().visualRect(cell(values, "key")).center());
  ASSERT_EQ(page().chart().curves(), 1);
  EXPECT_EQ(options.title, QStringLiteral("Validation accuracy"));
  EXPECT_EQ(options.unit, QStringLiteral("%"));
}

}  // namespace
}  // namespace nw::ui
