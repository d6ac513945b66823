// SPDX-License-Identifier: GPL-3.0-or-later
// The five-minute tour of README, point by point with the mouse, and with the keys that it names, at several window
// sizes, in both languages; ctest runs it at 200 % too (tests/ui/CMakeLists.txt).
#include <QComboBox>
#include <QFile>
#include <QProgressBar>
#include <QTabBar>
#include <QTableView>
#include <algorithm>
#include <string_view>

#include "tests/support/canvas_positions.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/data/check_panel.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/data/data_views.hpp"
#include "ui/data/explorer.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/explain/class_legend.hpp"
#include "ui/predict/explain/explanation.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/explain/map_view.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/predict/try/playground.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/train/layer_board.hpp"
#include "ui/train/tracked_sample_panel.hpp"
#include "ui/widgets/widgets.hpp"

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
  /// A click on a part of a switch: the pages of the window, the views of a page.
  void clickSegment(SegmentedControl& control, int index) {
    hand.click(&control, control.segmentRect(index).center().toPoint());
    ASSERT_EQ(control.current(), index);
  }
  void clickTab(int index) {
    auto* tabs = child<QTabBar>(QStringLiteral("settingsPanelTabs"));
    hand.click(tabs, tabs->tabRect(index).center());
    ASSERT_EQ(tabs->currentIndex(), index);
  }
  void undoByMouse() { hand.click(button(action(QStringLiteral("undo"))->text(), &window().topBar())); }
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
    undoByMouse();
    EXPECT_NE(session().doc(), repaired);
    hand.click(button(action(QStringLiteral("redo"))->text(), &window().topBar()));
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
  void fourTheData() {
    clickTab(1);
    auto& panel = *window().findChild<DataPanel*>();
    ASSERT_TRUE(test::wait_for([&] { return panel.preview().loaded() > 0; })) << "the images of the data";
    hand.click(labelled("nw::ui::DataPanel", "Browse all images", &panel));
    auto* explorer = child<Explorer>(QStringLiteral("explorer"));
    ASSERT_TRUE(test::wait_for([&] { return explorer->settled() && explorer->model().count() > 0; }));
    const int all = explorer->model().count();
    hand.choose(&explorer->classes(), QStringLiteral("3"));
    ASSERT_TRUE(test::wait_for([&] { return explorer->settled() && explorer->model().count() < all; })) << "filtered";
    hand.click(explorer->grid().viewport(), {40, 40});
    ASSERT_GE(explorer->grid().current(), 0);
    ASSERT_TRUE(test::wait_for([&] { return explorer->excludeButton().isEnabled(); }));
    hand.key(Qt::Key_X);
    EXPECT_EQ(session().doc().data().excluded.size(), 1U) << "X excludes an image from the project";
    hand.key(Qt::Key_Escape);
    ASSERT_TRUE(test::wait_for([&] { return !window().findChild<Explorer*>(); }));
    undoByMouse();
    EXPECT_TRUE(session().doc().data().excluded.empty());
    ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
    hand.click(labelled("nw::ui::CheckPanel", "Check the data", &panel));
    const auto* progress = panel.check().findChild<QProgressBar*>();
    ASSERT_TRUE(test::wait_for([&] { return !panel.check().busy() || progress->value() > 0; }, 60'000));
    if (panel.check().busy())
      hand.click(labelled("nw::ui::CheckPanel", "Stop", &panel.check()));  // takes half a minute
    clickTab(2);
    clickTab(0);
  }
  void fiveTrain() {
    hand.click(child<QWidget>(QStringLiteral("trainButton")), {50, 18});
    ASSERT_TRUE(isState(RunController::State::running));
    EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
    ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
    clickSegment(train().sideViews(), 1);
    EXPECT_TRUE(train().probes().isVisible()) << "tracked validation images";
    clickSegment(train().views(), 1);
    ASSERT_TRUE(test::wait_for([&] { return train().board().figures().rowCount() > 0; }, 60'000)) << "every layer";
    clickSegment(train().views(), 0);
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
    clickSegment(window().topBar().pages(), 1);
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
    auto* layers = predict().findChild<LayerView*>();
    ASSERT_TRUE(test::wait_for([&] { return predict().settled() && !layers->layer().isEmpty(); }));
    pick(overlay_named(QStringLiteral("grad-cam")).shownTitle(),
         [&] { hand.click(labelled("nw::ui::LayerView", "Shown", layers)); });
    ASSERT_TRUE(test::wait_for([&] { return !layers->heat().isNull(); })) << "Grad-CAM";
    DrawingPad* pad = &predict().ownImagePanel().pad();
    hand.drag(pad, {pad->width() / 2, 30}, pad, {pad->width() / 2, pad->height() - 30});
    EXPECT_EQ(pad->strokes(), 1);
    ASSERT_TRUE(test::wait_for([&] { return !predict().ownImagePanel().asking(); })) << "the classes moved";
  }
  void sevenTheViewsAndTheReport() {
    PredictPage& page = predict();
    clickSegment(page.header().views(), 1);
    ASSERT_TRUE(test::wait_for([&] { return !page.metrics().chart("roc")->curveX(1).isEmpty(); })) << "ROC curves";
    clickSegment(page.header().views(), 2);
    ASSERT_TRUE(test::wait_for([&] { return page.suspects().settled(); }, 60'000)) << "label issues";
    clickSegment(page.header().views(), 3);
    ASSERT_TRUE(test::wait_for([&] { return page.playground().mine().bars().rows().size() == 10; })) << "playground";
    clickSegment(page.header().views(), 4);
    ASSERT_TRUE(test::wait_for([&] { return page.map().canvas().map().points.size() > 0; }, 60'000)) << "a map";
    const auto* legend = page.map().findChild<ClassLegend*>();
    ASSERT_NE(legend, nullptr);
    EXPECT_EQ(legend->shown(), 10) << "each class has its colour in the legend";
    clickSegment(page.header().views(), 0);
    const QString report = folder.filePath(QStringLiteral("report.html"));
    hand.answerFile(report, [&] {
      pick(QCoreApplication::translate("nw::ui::PredictHeader", "Report with curves and images (HTML)…"),
           [&] { hand.click(labelled("nw::ui::PredictHeader", "Export", &page)); });
    });
    ASSERT_TRUE(test::wait_for([&] { return QFile::exists(report); }, 60'000)) << "Export writes an HTML report";
    ASSERT_TRUE(test::wait_for([&] { return window().banner().isVisible(); }));
    hand.click(labelled("nw::ui::Banner", "Close this message", &window().banner()));  // it lies over the next page
    QFile html(report);
    ASSERT_TRUE(html.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(html.readAll());
    for (const char* part : {"Settings of the training", "class=\"network\"", "Hash of the data", "<figcaption>"})
      EXPECT_TRUE(text.contains(QLatin1String(part))) << part;
  }
  void eightEveryRunIsListed() {
    test::RunWriter other(runs_folder(), test::definition_of("mlp"));
    test::write_training(other, {.epochs_done = 3, .end = EndReason::finished});
    clickSegment(window().topBar().pages(), 3);
    auto& runs = *static_cast<RunsPage*>(window().page(QStringLiteral("runs")));
    ASSERT_TRUE(test::wait_for([&] { return runs.filter().rowCount() > 0; }));
    const QString second = QString::fromStdString(other.folder().string());
    ASSERT_TRUE(test::wait_for([&] { return runs.model().find(second) >= 0; }));
    ASSERT_GE(runs.model().find(run().folder()), 0);
    const auto click = [&](const QString& run, const char* column) {
      const QModelIndex cell =
          runs.filter().mapFromSource(runs.model().index(runs.model().find(run), runColumn(column)));
      runs.table().scrollTo(cell);
      hand.click(runs.table().viewport(), runs.table().visualRect(cell).center());
    };
    for (const QString& each : {second, run().folder()})  // those with a curve are in the chart already
      if (runs.model().slotOf(each) < 0) click(each, "key");
    ASSERT_TRUE(test::wait_for([&] { return runs.chart().curves() >= 2; }, 20'000)) << "compare several";
    const int curves = runs.chart().curves();
    click(second, "key");
    EXPECT_EQ(runs.chart().curves(), curves - 1);
    click(second, "key");
    EXPECT_EQ(runs.chart().curves(), curves);
    click(run().folder(), "run");
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
                          &JourneyFiveMinutes::threeAddSomething, &JourneyFiveMinutes::fourTheData,
                          &JourneyFiveMinutes::fiveTrain, &JourneyFiveMinutes::sixOpenPredictions,
                          &JourneyFiveMinutes::sevenTheViewsAndTheReport, &JourneyFiveMinutes::eightEveryRunIsListed}) {
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
