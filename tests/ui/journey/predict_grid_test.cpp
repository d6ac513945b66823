// SPDX-License-Identifier: GPL-3.0-or-later
// The Predict page under keys and drags while its evaluation, filters and order change: what a view keeps of the
// samples belongs to one moment only. A network of labels, because its classes are sets that differ between splits.
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <random>

#include "engine/design/project_file.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/predict/explain/explanation.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class PredictUnderHands : public Journey {
 protected:
  QString save(const char* network, const QString& name, int images) {
    GraphDoc doc = find_template(network)->make();
    DataChoice data = doc.data();
    data.synthetic_train = images;
    data.synthetic_test = images / 2;
    TrainSettings settings = doc.settings();
    settings.epochs = 1;
    EXPECT_TRUE(doc.apply({PutData{data}, PutSettings{settings}}));
    const QString file = folder.filePath(name + QStringLiteral(".netwright"));
    EXPECT_TRUE(ProjectFile::save(doc, file.toStdString()));
    return file;
  }
  void trainAndPredict(const QString& file) {
    openWindow({file, {}});
    analysed();
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    hand.click(button(QStringLiteral("See predictions")));
    expectPredictionsArrive();
  }
  SegmentedControl& shown() {
    for (auto* control : predict().findChildren<SegmentedControl*>())
      if (control->count() == 3 && control->isVisible()) return *control;
    ADD_FAILURE() << "the filter of the grid";
    return predict().header().views();
  }
  void press(std::mt19937& random) {
    static constexpr int keys[] = {Qt::Key_Down, Qt::Key_Up,   Qt::Key_Right,    Qt::Key_Left,
                                   Qt::Key_End,  Qt::Key_Home, Qt::Key_PageDown, Qt::Key_PageUp};
    predict().gridView().setFocus();
    hand.key(keys[random() % std::size(keys)]);
  }
  void drag(std::mt19937& random) {
    QWidget* grid = predict().gridView().viewport();
    const auto place = [&] {
      return QPoint(static_cast<int>(random() % static_cast<unsigned>(grid->width())),
                    static_cast<int>(random() % static_cast<unsigned>(grid->height())));
    };
    const QPoint from = place(), to = place();
    hand.drag(grid, from, grid, to);
  }
  /// Other samples, or another choice of them; without waiting for the answer.
  void change(std::mt19937& random) {
    static constexpr const char* splits[] = {"train", "validation", "test"};
    const auto view = predict().source().view();
    switch (random() % 5) {
      case 0:
        return predict().source().setSplit(QLatin1String(splits[random() % 3]));
      case 1:
        return predict().grid().setOrder(static_cast<GridModel::Order>(random() % 4));
      case 2:
        if (view && view->classes > 1)
          predict().filterCell(GridModel::Cell{static_cast<int>(random() % static_cast<unsigned>(view->classes)),
                                               static_cast<int>(random() % static_cast<unsigned>(view->classes))});
        return;
      default:
        return shown().setCurrent(static_cast<int>(random() % 3));
    }
  }
  void expectNothingStale() {
    const GridModel& grid = predict().grid();
    const int row = predict().gridView().currentIndex().row();
    EXPECT_LT(row, grid.rowCount());
    if (row >= 0) EXPECT_TRUE(predict().gridView().visualRect(grid.index(row)).isValid());
    int last = 0;
    for (const GridModel::Section& section : grid.sections()) {
      EXPECT_EQ(section.first, last);
      last += section.count;
    }
    EXPECT_EQ(last, grid.rowCount());
  }
  /// Opens the button's menu and clicks an entry.
  void pick(QAbstractButton* button, const QString& entry) {
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      timer.stop();
      for (const QAction* action : menu->actions())
        if (action->text() == entry)
          return hand.click(menu, menu->actionGeometry(const_cast<QAction*>(action)).center());
      ADD_FAILURE() << "no entry " << entry.toStdString();
      menu->close();
    });
    timer.start(50);
    hand.click(button);
  }
};

TEST_F(PredictUnderHands, TheGridSurvivesKeysAndDragsWhileItsSamplesChange) {
  trainAndPredict(save("shapes-labels", QStringLiteral("shapes"), 300));
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    for (int round = 0; round < 60 && !HasFailure(); ++round) {
      change(random);
      for (unsigned i = 0; i < random() % 3; ++i) press(random);
      if (random() % 2) drag(random);
      if (random() % 4 == 0) predict().gridView().viewport()->repaint();
      if (random() % 5 == 0) QCoreApplication::processEvents();
      expectNothingStale();
    }
  }
  predict().source().setSplit(QStringLiteral("test"));
  expectPredictionsArrive();
  EXPECT_GT(predict().grid().rowCount(), 0);
}

/// Two sections become one while the second is current: every reader of the layout must see the new one.
TEST_F(PredictUnderHands, AViewOfOneSectionIsNotReadByALayoutOfTwo) {
  openSmallProject(1, 1500);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  hand.click(button(QStringLiteral("See predictions")));
  expectPredictionsArrive();
  shown().setCurrent(1);
  ASSERT_EQ(predict().grid().sections().size(), 2U) << "misclassified ones, and correct ones of low confidence";
  predict().gridView().setFocus();
  hand.key(Qt::Key_End);
  predict().gridView().viewport()->repaint();
  shown().setCurrent(0);
  expectNothingStale();
  hand.key(Qt::Key_End);
  hand.key(Qt::Key_PageUp);
  EXPECT_EQ(predict().grid().sections().size(), 1U);
  expectNothingStale();
}

TEST_F(PredictUnderHands, FiltersOfAPoolingLayerLeadToTheNextConvolution) {
  openSmallProject(1, 500);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  hand.click(button(QStringLiteral("See predictions")));
  expectPredictionsArrive();
  auto* layers = window().findChild<LayerView*>();
  ASSERT_TRUE(test::wait_for([&] { return layers->isVisible() && !layers->heat().isNull(); }));
  pick(button(QStringLiteral("Layer"), layers), QStringLiteral("pool1"));
  EXPECT_EQ(layers->layer(), QStringLiteral("pool1"));
  pick(button(QStringLiteral("Shown"), layers), QStringLiteral("Filters"));
  EXPECT_EQ(layers->layer(), QStringLiteral("conv2"));
  ASSERT_TRUE(test::wait_for([&] { return !layers->heat().isNull(); })) << "the filters arrive";
  const auto says = [&](const QString& sentence) {
    const auto labels = layers->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->isVisible() && label->text() == sentence; });
  };
  EXPECT_TRUE(says(QStringLiteral("pool1 has no filters. Those of conv2 are shown.")));
  pick(button(QStringLiteral("Shown"), layers), QStringLiteral("Activation"));
  pick(button(QStringLiteral("Layer"), layers), QStringLiteral("pool2"));
  pick(button(QStringLiteral("Shown"), layers), QStringLiteral("Filters"));
  EXPECT_TRUE(says(QStringLiteral("pool2 has no filters. Those of conv2 are shown.")))
      << "the last, without a next one";
}

TEST_F(PredictUnderHands, TheProjectOfARunIsNamedAndAnotherOpenProjectIsWarnedOf) {
  openSmallProject(1, 500);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  hand.click(button(QStringLiteral("See predictions")));
  expectPredictionsArrive();
  const auto weights = [&] { return static_cast<ChooserButton*>(button(QStringLiteral("Weights")))->value(); };
  ASSERT_TRUE(test::wait_for([&] { return weights().startsWith(QStringLiteral("small · ")); }))
      << weights().toStdString();
  EXPECT_TRUE(weights().endsWith(QStringLiteral("best, epoch 1"))) << weights().toStdString();
  EXPECT_FALSE(child<QLabel>(QStringLiteral("foreignRun"))->isVisible());

  openWindow({save("mlp", QStringLiteral("Other digits"), 300), {}});
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  auto* line = child<QLabel>(QStringLiteral("foreignRun"));
  ASSERT_TRUE(test::wait_for([&] { return line->isVisible(); }));
  EXPECT_EQ(line->text(), QStringLiteral("These predictions are of a run of small. The open project is Other digits."));
}

}  // namespace
}  // namespace nw::ui
