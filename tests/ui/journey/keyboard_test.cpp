// SPDX-License-Identifier: GPL-3.0-or-later
// The same journey by keyboard alone: every step is reachable by keys.
#include <QApplication>
#include <QComboBox>
#include <QPushButton>
#include <map>

#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/design/inspector.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/settings/settings_panel.hpp"

namespace nw::ui {
namespace {

// below the Input that a new network begins with
const char* const layers[] = {"Conv2d", "ReLU", "MaxPool2d", "Conv2d", "ReLU",   "MaxPool2d",
                              "Linear", "ReLU", "Linear",    "ReLU",   "Linear", "CrossEntropy"};

struct Setting {
  const char* field;
  const char* text;
};
struct Layer {
  const char* name;
  std::vector<Setting> settings;
};
const Layer typed[] = {{"conv1", {{"out_channels", "6"}, {"kernel_size", "5"}, {"padding", "2"}}},
                       {"conv2", {{"out_channels", "16"}, {"kernel_size", "5"}}},
                       {"fc1", {{"out_features", "120"}}},
                       {"fc2", {{"out_features", "84"}}}};

class JourneyByKeyboard : public Journey {
 protected:
  void write(QWidget* field, const char* text) {
    ASSERT_TRUE(hand.tabTo(field)) << field->objectName().toStdString();
    hand.key(Qt::Key_A, Qt::ControlModifier);
    hand.type(QLatin1String(text));
    hand.key(Qt::Key_Tab);
  }
  void command(const char* words) {
    hand.key(Qt::Key_K, Qt::ControlModifier);
    hand.type(QLatin1String(words));
    hand.key(Qt::Key_Return);
  }
  void addLayers() {
    hand.key(Qt::Key_Slash);
    for (const char* layer : layers) {
      hand.type(QLatin1String(layer));
      hand.key(Qt::Key_Return);
      analysed();
    }
    EXPECT_EQ(graph().nodes.size(), 1 + std::size(layers));
    EXPECT_EQ(graph().connections.size(), std::size(layers));
    hand.key(Qt::Key_Escape);
    EXPECT_TRUE(view().hasFocus());
  }
  /// Moves up to the first layer, then down the chain; Enter focuses the layer's attributes, Ctrl+1 returns to the
  /// canvas.
  void typeParameters() {
    for (std::size_t i = 0; i < std::size(layers); ++i) hand.key(Qt::Key_Up);
    for (const Layer& layer : typed) {
      for (std::size_t i = 0; i < std::size(layers) && scene().selection().current() != find(layer.name); ++i)
        hand.key(Qt::Key_Down);
      ASSERT_EQ(scene().selection().current(), find(layer.name)) << layer.name;
      hand.key(Qt::Key_Return);
      for (const Setting& s : layer.settings) write(design().inspector().editorOf(QLatin1String(s.field)), s.text);
      hand.key(Qt::Key_1, Qt::ControlModifier);
      ASSERT_TRUE(view().hasFocus());
      analysed();
    }
  }
  void repairTheShape() {
    ASSERT_EQ(session().analysis().count(Severity::error), 1);
    hand.key(Qt::Key_F8);
    EXPECT_EQ(scene().selection().current(), find("fc1"));
    hand.key(Qt::Key_Tab, Qt::ControlModifier);  // Tab alone adds a layer on the canvas
    // the list is made anew when the data arrive
    ASSERT_TRUE(test::wait_for([&] {
      auto* fix = window().findChild<QPushButton*>(QStringLiteral("fix-0-0"));
      return fix && hand.tabTo(fix);
    }));
    hand.key(Qt::Key_Space);
    ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && session().analysis().ok(); }));
    EXPECT_EQ(session().analysis().parameters, 61706);
  }
  void openPredictions() {
    hand.key(Qt::Key_3, Qt::ControlModifier);
    expectPredictionsArrive();
    ASSERT_TRUE(hand.tabTo(&predict().matrix()));
    hand.key(Qt::Key_Home);
    hand.key(Qt::Key_Return);
    ASSERT_TRUE(predict().grid().cell().has_value());
    const auto cell = *predict().grid().cell();
    const int fitting = predict().grid().sections().empty() ? 0 : predict().grid().sections()[0].count;
    EXPECT_EQ(fitting, predict().source().view()->at(cell.truth, cell.read));
    hand.key(Qt::Key_Escape);
    EXPECT_FALSE(predict().grid().cell().has_value());
  }
};

TEST_F(JourneyByKeyboard, LeNet5IsDrawnFixedTrainedAndInspected) {
  openWindow();
  hand.key(Qt::Key_N, Qt::ControlModifier);
  ASSERT_EQ(window().currentPage(), QStringLiteral("design"));
  addLayers();
  ASSERT_FALSE(HasFailure());
  typeParameters();
  ASSERT_FALSE(HasFailure());
  repairTheShape();
  ASSERT_FALSE(HasFailure());
  command("Data");
  write(window().findChild<DataPanel*>()->control(QStringLiteral("synthetic_train")), "1000");
  command("Training settings");
  write(window().findChild<SettingsPanel*>()->control(QStringLiteral("epochs")), "5000");
  EXPECT_EQ(session().doc().data().synthetic_train, 1000);
  EXPECT_EQ(session().doc().settings().epochs, 5000);
  hand.key(Qt::Key_F5);
  ASSERT_TRUE(isState(RunController::State::running));
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
  hand.key(Qt::Key_F6, Qt::ShiftModifier);
  ASSERT_TRUE(isState(RunController::State::paused));
  hand.key(Qt::Key_F6, Qt::ShiftModifier);
  ASSERT_TRUE(isState(RunController::State::running));
  hand.key(Qt::Key_F5, Qt::ShiftModifier);
  ASSERT_TRUE(isState(RunController::State::idle));
  openPredictions();
}

/// Tab, a name, Return: each layer is placed below the selected one and connected to it.
TEST_F(JourneyByKeyboard, TabAndANameAppendAConnectedLayer) {
  openWindow();
  hand.key(Qt::Key_N, Qt::ControlModifier);
  ASSERT_EQ(graph().nodes.size(), 1U);
  for (const char* layer : layers) {
    analysed();
    hand.key(Qt::Key_Tab);
    hand.type(QLatin1String(layer));
    hand.key(Qt::Key_Return);
  }
  ASSERT_EQ(graph().nodes.size(), 1 + std::size(layers));
  EXPECT_EQ(graph().connections.size(), std::size(layers));
  std::map<NodeId, NodeId> next;
  for (const Connection& c : graph().connections) next[c.from] = c.to;
  NodeId at = find("images");
  for (const char* layer : layers) {
    const double above = graph().nodes.at(at).position.y;
    at = next.at(at);
    EXPECT_EQ(graph().nodes.at(at).type, layer);
    EXPECT_GT(graph().nodes.at(at).position.y, above);
  }
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(graph().nodes.size(), std::size(layers)) << "layer and connection are one step of undo";
}

}  // namespace
}  // namespace nw::ui
