// SPDX-License-Identifier: GPL-3.0-or-later
// The Compress tab by mouse: a network becomes smaller, what it costs is predicted and measured, each step is undone.
#include <QAbstractButton>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <cstdlib>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_notes.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/deploy/compress/class_flips.hpp"
#include "ui/deploy/compress/compress_tab.hpp"
#include "ui/deploy/compress/flip_wall.hpp"
#include "ui/deploy/compress/pareto_chart.hpp"
#include "ui/deploy/compress/plan_panel.hpp"
#include "ui/deploy/compress/step_strip.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class CompressJourney : public Journey {
 protected:
  DeployPage& page() { return *static_cast<DeployPage*>(window().page(QStringLiteral("deploy"))); }
  CompressTab& tab() { return *static_cast<CompressTab*>(page().tab(QStringLiteral("compress"))); }
  QPushButton* apply() { return child<QPushButton>(QStringLiteral("compressApply")); }
  void train(int epochs = 2, int images = 600) {
    openSmallProject(epochs, images);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 300'000));
  }
  void showTab() {
    hand.click(&window().topBar().pages(), window().topBar().pages().segmentRect(4).center().toPoint());
    ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
    hand.click(&page().tabs(), page().tabs().tabRect(1).center());
    ASSERT_TRUE(tab().isVisible());
    ASSERT_TRUE(calm());
  }
  /// Everything that is measured by itself is measured.
  bool calm(int ms = 120'000) {
    return test::wait_for([&] { return !tab().busy() && !tab().chain().empty() && tab().planPanel().hasSensitivity(); },
                          ms);
  }
  ChannelRow& row(const char* layer) { return *tab().planPanel().row(QLatin1String(layer)); }
  void drag(const char* layer, double share) {
    SensitivitySlider* slider = row(layer).slider();
    const QPoint from(8, 42), to(8 + static_cast<int>(share * (slider->width() - 16)), 42);
    hand.drag(slider, from, slider, to);
  }
  bool made(std::size_t steps, int ms = 240'000) {
    const auto shown = [&] { return static_cast<std::size_t>(tab().strip().titles().size()); };
    const bool is =
        test::wait_for([&] { return !tab().busy() && tab().chain().size() == steps && shown() == steps; }, ms);
    EXPECT_TRUE(is) << tab().chain().size() << " "
                    << child<QLabel>(QStringLiteral("compressNote"))->text().toStdString();
    return is;
  }
  /// Of the shown run's file of weights.
  double shownBytes() {
    for (const ParetoPoint& p : tab().chart().points())
      if (p.shown) return p.cost[0];
    return 0;
  }
  static qsizetype foldersIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
  }
};

TEST_F(CompressJourney, AStepIsPredictedMadeMeasuredUndoneAndKept) {
  train();
  showTab();
  EXPECT_EQ(tab().strip().titles(), QStringList{QStringLiteral("Original")});
  EXPECT_GT(accuracyOf(tab().chain().front()), 0.1) << "measured by itself";
  EXPECT_GT(latencyMs(tab().chain().front().result, "after", 1), 0);
  EXPECT_FALSE(apply()->isEnabled()) << "nothing is planned";
  const QString original = page().weights().run;

  drag("fc1", 0.5);
  EXPECT_NEAR(row("fc1").removed(), 0.5, 0.06);
  const QString predicted = tab().costs().text(QStringLiteral("multiply_adds"), 2);
  const auto planned = tab().chart().planned();
  EXPECT_GT(planned[1], 0) << "at once, before anything runs";
  hand.click(apply());
  ASSERT_TRUE(made(2));
  const CompressionRecord& step = tab().chain().back();
  EXPECT_EQ(static_cast<double>(step.multiplyAdds), planned[1]) << "what was predicted: " << predicted.toStdString();
  EXPECT_GT(accuracyOf(step), 0.1);
  EXPECT_TRUE(step.draft);
  EXPECT_TRUE(tab().strip().titles().back().startsWith(QStringLiteral("Prune fc1 ")));
  const auto definition = read_run_definition(step.run.toStdString());
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->parent, QFileInfo(original).fileName().toStdString());
  EXPECT_EQ(tab().chart().points().size(), 2U);
  EXPECT_NEAR(shownBytes(), planned[0], 0.05 * planned[0]) << "but for the header";

  const QString small = page().weights().run;
  ASSERT_NE(small, original);
  hand.click(&tab().strip().undo());
  ASSERT_TRUE(made(1));
  EXPECT_EQ(page().weights().run, original);
  hand.click(&tab().strip().redo());
  ASSERT_TRUE(made(2));
  EXPECT_EQ(page().weights().run, small);
  inDialog([&] { hand.click(&tab().strip().keep()); },
           [&](QDialog& dialog) {
             hand.fill(dialog.findChild<QLineEdit*>(), QStringLiteral("half of it"));
             hand.key(Qt::Key_Return);
           });
  ASSERT_TRUE(test::wait_for([&] { return read_run_notes(small.toStdString())->name == "half of it"; }));
  EXPECT_TRUE(read_run_notes(small.toStdString())->tags.empty()) << "a draft no more";
  EXPECT_TRUE(test::wait_for([&] { return !tab().strip().keep().isEnabled(); }));
}

TEST_F(CompressJourney, AnUndoneDraftIsRemovedWhenAnotherStepTakesItsPlace) {
  train(1, 300);
  showTab();
  drag("fc1", 0.5);
  hand.click(apply());
  ASSERT_TRUE(made(2));
  const QString first = page().weights().run;
  action(QStringLiteral("compress-undo"))->trigger();
  ASSERT_TRUE(made(1));
  ASSERT_TRUE(QFileInfo::exists(first));
  drag("fc2", 0.5);
  action(QStringLiteral("compress-make"))->trigger();
  ASSERT_TRUE(made(2));
  EXPECT_TRUE(test::wait_for([&] { return !QFileInfo::exists(first); }));
  EXPECT_NE(page().weights().run, first);
}

TEST_F(CompressJourney, EightBitsAreAStepThatNothingFollows) {
  train(1, 300);
  showTab();
  hand.click(child<ToggleSwitch>(QStringLiteral("compressInt8")));
  const double predicted = tab().chart().planned()[0];
  EXPECT_GT(predicted, 0);
  hand.click(apply());
  ASSERT_TRUE(made(2));
  EXPECT_EQ(tab().strip().titles().back(), QStringLiteral("8 bits"));
  EXPECT_NEAR(shownBytes(), predicted, 0.1 * predicted);
  EXPECT_TRUE(child<QLabel>(QStringLiteral("planLocked"))->isVisible());
  EXPECT_TRUE(tab().planPanel().rows().empty());
  EXPECT_FALSE(apply()->isEnabled());
  hand.click(&tab().strip().undo());
  ASSERT_TRUE(made(1));
  EXPECT_FALSE(tab().planPanel().rows().empty());
}

TEST_F(CompressJourney, StopLeavesNothingBehindAndTheWindowStaysResponsive) {
  train(1, 300);
  showTab();
  const QString runs = QFileInfo(page().weights().run).path();
  const qsizetype before = foldersIn(runs);
  drag("fc1", 0.5);
  child<QSpinBox>(QStringLiteral("compressEpochs"))->setValue(500);
  hand.click(apply());
  ASSERT_TRUE(test::wait_for([&] { return foldersIn(runs) > before; }));
  EXPECT_EQ(apply()->text(), QStringLiteral("Stop"));
  ASSERT_TRUE(test::wait_for(
      [&] { return child<QLabel>(QStringLiteral("compressNote"))->text().startsWith(QStringLiteral("Training")); }));
  hand.click(apply());
  EXPECT_TRUE(test::wait_for([&] { return foldersIn(runs) == before && !tab().busy(); }));
  EXPECT_EQ(tab().chain().size(), 1U);
  EXPECT_TRUE(apply()->isEnabled()) << "the plan is still there";
}

TEST_F(CompressJourney, SensitivitiesAreMeasuredOnceAndStopped) {
  train(1, 300);
  hand.click(&window().topBar().pages(), window().topBar().pages().segmentRect(4).center().toPoint());
  ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
  hand.click(&page().tabs(), page().tabs().tabRect(1).center());
  auto* measure = child<QPushButton>(QStringLiteral("compressMeasure"));
  ASSERT_TRUE(test::wait_for([&] { return measure->text() == QStringLiteral("Stop"); }));
  hand.click(measure);
  EXPECT_TRUE(test::wait_for([&] { return !tab().busy(); }));
  EXPECT_FALSE(tab().planPanel().hasSensitivity());
  EXPECT_EQ(measure->text(), QStringLiteral("Measure sensitivities"));
  hand.click(measure);
  ASSERT_TRUE(calm());
  const QString run = page().weights().run;
  EXPECT_TRUE(test::wait_for([&] { return QFileInfo::exists(run + QStringLiteral("/sensitivity.json")); }));
  hand.click(child<QPushButton>(QStringLiteral("compressSuggest")));
  for (const ChannelRow* r : tab().planPanel().rows())
    if (r->slider()) EXPECT_NEAR(r->removed(), std::min(0.95, r->slider()->freeShare()), 0.006);
}

TEST_F(CompressJourney, AChangedPredictionOpensOnThePredictPage) {
  train();
  showTab();
  for (const char* layer : {"conv1", "conv2", "fc1"}) drag(layer, 0.9);
  hand.click(apply());
  ASSERT_TRUE(made(2));
  FlipWall& wall = tab().wall();
  ASSERT_GT(wall.model().rowCount(), 0) << "nine tenths of three layers are gone";
  EXPECT_TRUE(wall.sentence().contains(QStringLiteral("McNemar's test: p ")));
  EXPECT_TRUE(wall.filesSentence().startsWith(QStringLiteral("All "))) << wall.filesSentence().toStdString();
  const int all = wall.model().rowCount();
  for (int i = 1; i < all; ++i) EXPECT_LE(wall.model().at(i - 1).margin, wall.model().at(i).margin);
  hand.click(&wall.classes(), wall.classes().rowRect(0).center());
  EXPECT_LE(wall.model().rowCount(), all);
  for (int i = 0; i < wall.model().rowCount(); ++i) EXPECT_EQ(wall.model().at(i).label, wall.classes().labelOf(0));
  const qint64 sample = wall.model().at(0).sample;
  wall.view().scrollTo(wall.model().index(0));
  hand.click(wall.view().viewport(), wall.view().visualRect(wall.model().index(0)).center());
  ASSERT_EQ(window().currentPage(), QStringLiteral("predict"));
  EXPECT_TRUE(test::wait_for([&] {
    const QModelIndex current = predict().gridView().currentIndex();
    return current.isValid() && predict().source().run() == page().weights().run &&
           predict().grid().rowOf(sample) == current.row();
  }));
}

}  // namespace
}  // namespace nw::ui
