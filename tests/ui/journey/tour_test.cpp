// SPDX-License-Identifier: GPL-3.0-or-later
// The five-minute tour of README, executed step by step with mouse and keys at several window sizes, in both languages.
#include <QTabBar>
#include <QTableView>
#include <string_view>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/data/data_views.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

struct Screen {
  QSize size;
  const char* language;
};

class JourneyFiveMinutes : public Journey, public testing::WithParamInterface<Screen> {
 public:
  void SetUp() override {
    Journey::SetUp();
    setLanguage(QLatin1String(GetParam().language));
    retranslateActions();
  }
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  void open(const StartOptions& options = {}) {
    openWindow(options);
    window().resize(GetParam().size);
    QCoreApplication::processEvents();
  }
  /// The button with this text in the window's language.
  QAbstractButton* labelled(const char* context, const char* text, QWidget* within = nullptr) {
    return button(QCoreApplication::translate(context, text), within);
  }
  QWidget* port() { return view().viewport(); }
  const NodeItem* card(const char* name) { return scene().elements().node(find(name)); }
  bool connected(const char* from, const char* to) {
    const NodeId a = find(from), b = find(to);
    return std::any_of(graph().connections.begin(), graph().connections.end(),
                       [&](const Connection& c) { return c.from == a && c.to == b; });
  }
  void oneTheNetworkStandsThere() {
    open({{}, QStringLiteral("lenet5")});
    analysed();
    EXPECT_EQ(window().size(), GetParam().size);
    const bool english = GetParam().language == std::string_view("en");
    EXPECT_EQ(child<QTabBar>(QStringLiteral("settingsPanelTabs"))->tabText(1) == QStringLiteral("Data"), english);
    EXPECT_LT(card("images")->pos().y(), card("conv1")->pos().y()) << "images at the top";
    int labelled = 0;
    for (const auto& [wire, item] : scene().elements().connections()) labelled += !item->label().isEmpty();
    EXPECT_GE(labelled, static_cast<int>(scene().elements().connections().size()) - 2)
        << "the shape that flows through it";
  }
  void twoBreakIt() {
    hand.click(port(), nodePosition(view(), find("flatten")));
    hand.key(Qt::Key_Delete, Qt::ControlModifier);
    analysed();
    ASSERT_TRUE(test::wait_for([&] { return card("fc1")->look().state == NodeState::error; }));
    ASSERT_FALSE(card("fc1")->look().fixes.isEmpty());
    if (currentLanguage() == QLatin1String("en")) {
      EXPECT_EQ(card("fc1")->problemText().toStdString(), "Needs a vector, gets 16×5×5");
      EXPECT_EQ(card("fc1")->look().fixes.first().toStdString(), "Insert Flatten");
    }
    hand.click(port(), fixPosition(view(), find("fc1")));
    analysed();
    EXPECT_TRUE(session().analysis().ok());
    const GraphDoc repaired = session().doc();
    hand.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(session().doc(), repaired);
    hand.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(session().doc(), repaired);
  }
  void threeAddSomething() {
    const std::size_t before = graph().nodes.size();
    view().setFocus();
    hand.key(Qt::Key_Tab);
    hand.type(QStringLiteral("drop"));
    hand.key(Qt::Key_Return);
    EXPECT_EQ(graph().nodes.size(), before + 1);
    hand.key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_EQ(graph().nodes.size(), before);
    // Narrow windows fold the list of layers; its key shows it.
    if (!design().palette().isVisible()) hand.key(Qt::Key_Slash);
    const Connection wire{find("conv1"), 0, find("relu1"), 0};
    ASSERT_NE(scene().elements().connection(wire), nullptr);
    view().camera().reveal(find("conv1"));
    const QPoint row = design().palette().rowPosition(QStringLiteral("BatchNorm2d"));
    hand.drag(design().palette().viewport(), row, port(),
              view().mapFromScene(scene().elements().connection(wire)->middle()));
    ASSERT_EQ(graph().nodes.size(), before + 1) << "a layer dropped on a connection";
    EXPECT_FALSE(connected("conv1", "relu1")) << "inserts itself";
    hand.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(connected("conv1", "relu1"));
    analysed();
  }
  void fourTheTabsOnTheRight() {
    auto* tabs = child<QTabBar>(QStringLiteral("settingsPanelTabs"));
    for (int i = 0; i < tabs->count(); ++i) {
      hand.click(tabs, tabs->tabRect(i).center());
      EXPECT_EQ(tabs->currentIndex(), i);
    }
    hand.click(tabs, tabs->tabRect(1).center());
    ASSERT_TRUE(test::wait_for([&] {
      const auto* preview = window().findChild<SamplePreview*>();
      return preview && preview->loaded() > 0;
    })) << "the images of the data";
  }
  void fiveTrain() {
    hand.key(Qt::Key_F5);
    ASSERT_TRUE(isState(RunController::State::running));
    EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
    ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
    hand.click(child<QWidget>(QStringLiteral("pauseButton")));
    ASSERT_TRUE(isState(RunController::State::paused));
    hand.click(labelled("nw::ui::TrainButtons", "Continue"));
    ASSERT_TRUE(isState(RunController::State::running));
    const QString followed = run().folder();
    ASSERT_TRUE(session().save(folder.filePath(QStringLiteral("tour.netwright"))));
    hand.key(Qt::Key_Q, Qt::ControlModifier);
    closeWindow();
    ASSERT_TRUE(is_running(followed.toStdString())) << "close the window if you like, the run goes on";
    open();
    ASSERT_TRUE(test::wait_for([&] {
      return run().folder() == followed && run().state() == RunController::State::running;
    })) << "and the window finds it again";
    hand.key(Qt::Key_2, Qt::ControlModifier);
    hand.click(child<QWidget>(QStringLiteral("stopButton")));
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::stopped; }));
  }
  void sixOpenPredictions() {
    hand.click(labelled("NoticeBar", "See predictions"));
    expectPredictionsArrive();
    hand.click(&predict().matrix(), predict().matrix().cellRect(3, 3).center().toPoint());
    ASSERT_TRUE(predict().grid().cell().has_value());
    for (int row = 0; row < predict().grid().rowCount(); ++row)
      EXPECT_EQ(predict().grid().sample(row).label, 3) << "cells filter the images";
    DrawingPad* pad = &predict().ownImagePanel().pad();
    hand.drag(pad, {pad->width() / 2, 30}, pad, {pad->width() / 2, pad->height() - 30});
    EXPECT_EQ(pad->strokes(), 1);
    ASSERT_TRUE(test::wait_for([&] { return !predict().ownImagePanel().asking(); })) << "the classes moved";
  }
  void sevenEveryRunIsListed() {
    hand.key(Qt::Key_4, Qt::ControlModifier);
    auto& runs = *static_cast<RunsPage*>(window().page(QStringLiteral("runs")));
    ASSERT_TRUE(test::wait_for([&] { return runs.filter().rowCount() > 0; }));
    const int row = runs.model().find(run().folder());
    ASSERT_GE(row, 0);
    runs.table().setCurrentIndex(runs.filter().mapFromSource(runs.model().index(row, 1)));
    hand.click(labelled("RunDetails", "Resume"));
    ASSERT_TRUE(isState(RunController::State::running)) << "stopped ones resumed";
    EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
    hand.click(child<QWidget>(QStringLiteral("stopButton")));
    ASSERT_TRUE(isState(RunController::State::idle));
  }
};

TEST_P(JourneyFiveMinutes, TheTourOfTheReadmeWorksAsWritten) {
  using Step = void (JourneyFiveMinutes::*)();
  for (const Step step : {&JourneyFiveMinutes::oneTheNetworkStandsThere, &JourneyFiveMinutes::twoBreakIt,
                          &JourneyFiveMinutes::threeAddSomething, &JourneyFiveMinutes::fourTheTabsOnTheRight,
                          &JourneyFiveMinutes::fiveTrain, &JourneyFiveMinutes::sixOpenPredictions,
                          &JourneyFiveMinutes::sevenEveryRunIsListed}) {
    (this->*step)();
    ASSERT_FALSE(HasFailure());
  }
}

std::string nameOf(const testing::TestParamInfo<Screen>& info) {
  return std::to_string(info.param.size.width()) + "x" + std::to_string(info.param.size.height()) + "_" +
         std::string(info.param.language).substr(0, 2);
}

INSTANTIATE_TEST_SUITE_P(Screens, JourneyFiveMinutes,
                         testing::Values(Screen{{1024, 700}, "en"}, Screen{{1366, 728}, "en"},
                                         Screen{{1600, 1000}, "en"}, Screen{{1366, 728}, "zh_CN"}),
                         nameOf);

}  // namespace
}  // namespace nw::ui
