// SPDX-License-Identifier: GPL-3.0-or-later
// From an empty canvas to the misclassified samples of a trained LeNet-5, with mouse and keyboard alone.
#include <QComboBox>
#include <QFileInfo>
#include <QTabBar>
#include <algorithm>
#include <numeric>

#include "engine/design/project_file.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/charts/plot.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/train/layer_column.hpp"
#include "ui/train/train_charts.hpp"

namespace nw::ui {
namespace {

struct Drop {
  const char* type;
  const char* name;
  QPoint at;
};
/// LeNet-5 without its Flatten, which the quick fix inserts.
const Drop drops[] = {
    {"Input", "images1", {180, 80}},      {"Conv2d", "conv1", {180, 200}}, {"ReLU", "relu1", {180, 320}},
    {"MaxPool2d", "pool1", {180, 440}},   {"Conv2d", "conv2", {180, 560}}, {"ReLU", "relu2", {520, 80}},
    {"MaxPool2d", "pool2", {520, 200}},   {"Linear", "fc1", {520, 420}},   {"ReLU", "relu3", {520, 540}},
    {"Linear", "fc2", {860, 80}},         {"ReLU", "relu4", {860, 200}},   {"Linear", "fc3", {860, 320}},
    {"CrossEntropy", "loss1", {860, 440}}};

struct LayerSetting {
  const char* layer;
  const char* field;
  const char* text;
};
const LayerSetting layer_settings[] = {{"conv1", "out_channels", "6"}, {"conv1", "kernel_size", "5"},
                                       {"conv1", "padding", "2"},      {"conv2", "out_channels", "16"},
                                       {"conv2", "kernel_size", "5"},  {"fc1", "out_features", "120"},
                                       {"fc2", "out_features", "84"},  {"fc3", "out_features", "10"}};

class JourneyFromEmptyCanvas : public Journey {
 public:
  void takeLayers();
  void drawConnections();
  void typeParameters();
  void repairTheShape();
  void chooseData();
  void changeSettings();
  void waitForLossToFall();
  void pauseGoOnAndStop();
  void openPredictions();
  void saveCloseOpen();
  QWidget* port() { return view().viewport(); }
  void connectByDrag(const char* from, const char* to) {
    hand.drag(port(), portPosition(view(), find(from), true), port(), portPosition(view(), find(to), false));
  }
  bool connected(const char* from, const char* to) {
    const NodeId a = find(from), b = find(to);
    return std::any_of(graph().connections.begin(), graph().connections.end(),
                       [&](const Connection& c) { return c.from == a && c.to == b; });
  }
};

void JourneyFromEmptyCanvas::takeLayers() {
  for (const Drop& drop : drops) {
    const QPoint row = design().palette().rowPosition(QLatin1String(drop.type));
    hand.drag(design().palette().viewport(), row, port(), drop.at);
    ASSERT_TRUE(find(drop.name));
    const Point& at = graph().nodes.at(find(drop.name)).position;  // where it is drawn, it makes room for quick fixes
    EXPECT_LT((view().mapFromScene(QPointF(at.x, at.y)) - drop.at).manhattanLength(), 4) << drop.name;
  }
  EXPECT_EQ(graph().nodes.size(), std::size(drops));
}

void JourneyFromEmptyCanvas::drawConnections() {
  for (std::size_t i = 0; i + 1 < std::size(drops); ++i) {
    analysed();
    connectByDrag(drops[i].name, drops[i + 1].name);
    ASSERT_TRUE(connected(drops[i].name, drops[i + 1].name)) << drops[i].name << " to " << drops[i + 1].name;
  }
  EXPECT_EQ(graph().connections.size(), std::size(drops) - 1);
}

void JourneyFromEmptyCanvas::typeParameters() {
  const char* selected = "";
  for (const LayerSetting& s : layer_settings) {
    analysed();
    if (std::string_view(selected) != s.layer) hand.click(port(), nodePosition(view(), find(selected = s.layer)));
    ASSERT_EQ(scene().selection().current(), find(s.layer));
    hand.fill(design().inspector().editorOf(QLatin1String(s.field)), QLatin1String(s.text));
  }
  const auto pair = [&](const char* layer, const char* field) {
    return std::get<std::vector<std::int64_t>>(graph().nodes.at(find(layer)).attrs.at(field));
  };
  EXPECT_EQ(pair("conv1", "kernel_size"), (std::vector<std::int64_t>{5, 5})) << "height and width stay linked";
  EXPECT_EQ(pair("conv1", "padding"), (std::vector<std::int64_t>{2, 2}));
}

/// A Linear layer directly behind images: Train selects the problem instead of starting; the quick fix on the node
/// inserts the Flatten.
void JourneyFromEmptyCanvas::repairTheShape() {
  analysed();
  ASSERT_EQ(session().analysis().count(Severity::error), 1);
  const NodeItem* wrong = scene().elements().node(find("fc1"));
  ASSERT_FALSE(wrong->look().fixes.isEmpty()) << wrong->problemText().toStdString();
  EXPECT_TRUE(wrong->look().fixes.first().contains(QStringLiteral("Flatten")));
  hand.click(child<QWidget>(QStringLiteral("trainButton")), {60, 18});
  EXPECT_EQ(run().state(), RunController::State::idle);
  EXPECT_EQ(scene().selection().current(), find("fc1"));
  hand.click(port(), fixPosition(view(), find("fc1")));
  analysed();
  EXPECT_TRUE(session().analysis().ok());
  EXPECT_TRUE(connected("pool2", "flatten1") && connected("flatten1", "fc1"));
}

void JourneyFromEmptyCanvas::chooseData() {
  hand.click(child<QTabBar>(QStringLiteral("settingsPanelTabs")),
             child<QTabBar>(QStringLiteral("settingsPanelTabs"))->tabRect(1).center());
  hand.choose(qobject_cast<QComboBox*>(window().findChild<DataPanel*>()->control(QStringLiteral("kind"))),
              QStringLiteral("MNIST"));
  ASSERT_TRUE(test::wait_for([&] { return session().dataFacts().test == 10000; })) << "the real data is opened";
  analysed();
  EXPECT_TRUE(session().analysis().ok());
}

void JourneyFromEmptyCanvas::changeSettings() {
  auto* tabs = child<QTabBar>(QStringLiteral("settingsPanelTabs"));
  hand.click(tabs, tabs->tabRect(2).center());
  const auto* panel = window().findChild<SettingsPanel*>();
  hand.fill(panel->control(QStringLiteral("epochs")), QStringLiteral("4"));
  hand.fill(panel->control(QStringLiteral("learning_rate")), QStringLiteral("0.02"));
  hand.choose(qobject_cast<QComboBox*>(panel->control(QStringLiteral("schedule"))), QStringLiteral("Cosine"));
  const TrainSettings& settings = session().doc().settings();
  EXPECT_EQ(settings.epochs, 4);
  EXPECT_EQ(settings.learning_rate, 0.02);
  EXPECT_EQ(settings.schedule, ScheduleKind::cosine);
}

/// Reads the points that QCustomPlot draws, not those that were passed to the chart.
void JourneyFromEmptyCanvas::waitForLossToFall() {
  const auto drawn = [&] { return train().charts().chart(QStringLiteral("loss"))->plot()->graph(1)->data(); };
  ASSERT_TRUE(test::wait_for(
      [&] { return drawn()->size() >= 30 && drawn()->at(drawn()->size() - 1)->value < 0.5 * drawn()->at(0)->value; }));
  const auto points = drawn();
  for (int i = 1; i < points->size(); ++i) ASSERT_GT(points->at(i)->key, points->at(i - 1)->key);
  EXPECT_GT(points->at(0)->value, 1.5) << "ten classes, nothing learnt: about ln 10";
  EXPECT_EQ(feed().started().train, 54000);
  EXPECT_EQ(feed().started().parameters, 61706);
}

void JourneyFromEmptyCanvas::pauseGoOnAndStop() {
  hand.click(child<QWidget>(QStringLiteral("pauseButton")));
  ASSERT_TRUE(isState(RunController::State::paused));
  ASSERT_TRUE(test::wait_for([&] { return feed().paused(); }));
  const std::int64_t step = feed().last().last;
  hand.click(button(QStringLiteral("Continue")));
  ASSERT_TRUE(isState(RunController::State::running));
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > step; }));
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  ASSERT_TRUE(isState(RunController::State::idle));
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::stopped; }));
  EXPECT_LT(feed().last().last, feed().started().steps_per_epoch * 4);
}

void JourneyFromEmptyCanvas::openPredictions() {
  hand.click(button(QStringLiteral("See predictions")));
  expectPredictionsArrive();
  const auto shown = predict().source().view();
  ASSERT_EQ(shown->samples.size(), 10000u);
  EXPECT_GT(shown->accuracy, 0.5);
  GridModel::Cell worst;
  for (int t = 0; t < 10; ++t)
    for (int r = 0; r < 10; ++r)
      if (t != r && shown->at(t, r) > shown->at(worst.truth, worst.read) * (worst.truth != worst.read)) worst = {t, r};
  hand.click(&predict().matrix(), predict().matrix().cellRect(worst.truth, worst.read).center().toPoint());
  ASSERT_EQ(predict().grid().cell(), worst);
  const GridModel& grid = predict().grid();
  ASSERT_FALSE(grid.sections().empty());
  EXPECT_EQ(grid.sections()[0].count, shown->at(worst.truth, worst.read));
  // the next section holds the correct samples of this class with the lowest confidence
  for (int row = 0; row < grid.rowCount(); ++row) {
    EXPECT_EQ(grid.sample(row).label, worst.truth);
    EXPECT_EQ(grid.sample(row).predicted, row < grid.sections()[0].count ? worst.read : worst.truth);
  }
  ASSERT_TRUE(test::wait_for([&] { return predict().settled(); })) << "every image in view arrives";
}

void JourneyFromEmptyCanvas::saveCloseOpen() {
  const QString file = folder.filePath(QStringLiteral("digits.netwright"));
  hand.answerFile(file, [&] { hand.key(Qt::Key_S, Qt::ControlModifier); });
  ASSERT_TRUE(QFileInfo::exists(file));
  EXPECT_FALSE(session().isModified());
  const GraphDoc before = session().doc();
  const std::string bytes = ProjectFile::text(before);
  hand.key(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(window().currentPage(), QStringLiteral("welcome"));
  EXPECT_TRUE(graph().nodes.empty());
  hand.answerFile(file, [&] { hand.key(Qt::Key_O, Qt::ControlModifier); });
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(session().doc(), before);
  EXPECT_EQ(ProjectFile::text(session().doc()), bytes);
  analysed();
  EXPECT_TRUE(session().analysis().ok());
}

TEST_F(JourneyFromEmptyCanvas, LeNet5IsDrawnFixedTrainedInspectedSavedAndFoundAgain) {
  const QString data = qEnvironmentVariable("NETWRIGHT_DATA");
  if (data.isEmpty() || !QFileInfo(data + QStringLiteral("/mnist")).isDir())
    GTEST_SKIP() << "NETWRIGHT_DATA names no folder with MNIST";
  openWindow();
  hand.click(child<QWidget>(QStringLiteral("welcome-new")));
  ASSERT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(graph().nodes.size(), 1U) << "a new network begins with its Input";
  hand.key(Qt::Key_Delete);  // which is selected
  ASSERT_TRUE(graph().nodes.empty());
  using Step = void (JourneyFromEmptyCanvas::*)();
  for (const Step step : {&JourneyFromEmptyCanvas::takeLayers, &JourneyFromEmptyCanvas::drawConnections,
                          &JourneyFromEmptyCanvas::typeParameters, &JourneyFromEmptyCanvas::repairTheShape,
                          &JourneyFromEmptyCanvas::chooseData, &JourneyFromEmptyCanvas::changeSettings}) {
    (this->*step)();
    ASSERT_FALSE(HasFailure());
  }
  const GraphDoc known = find_template("lenet5")->make();
  const auto rows = layerRows(session().doc(), session().analysis()),
             wanted = layerRows(known, analyse(known, Target{.data = session().dataFacts()}));
  ASSERT_EQ(rows.size(), wanted.size());
  for (qsizetype i = 0; i < rows.size(); ++i)
    EXPECT_TRUE(rows[i].type == wanted[i].type && rows[i].shape == wanted[i].shape &&
                rows[i].parameters == wanted[i].parameters)
        << rows[i].name.toStdString();
  startByButton();
  for (const Step step : {&JourneyFromEmptyCanvas::waitForLossToFall, &JourneyFromEmptyCanvas::pauseGoOnAndStop,
                          &JourneyFromEmptyCanvas::openPredictions, &JourneyFromEmptyCanvas::saveCloseOpen}) {
    (this->*step)();
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace nw::ui
