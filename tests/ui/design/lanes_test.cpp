// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes on the Design page: dragging cards by mouse and by keyboard, the panel, the estimate, the screen reader.
#include <QAccessible>
#include <QSettings>
#include <QTemporaryDir>

#include "engine/runs/run_folder.hpp"
#include "tests/ui/design/bench.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/design/lanes/lane_card.hpp"
#include "ui/design/lanes/lane_header.hpp"
#include "ui/design/lanes/lane_view.hpp"
#include "ui/design/lanes/placement_panel.hpp"
#include "ui/design/lanes/step_timeline.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

class LanesTest : public DesignTest {
 protected:
  LanesTest() {
    QSettings().remove(QStringLiteral("design/lanes"));
    action(QStringLiteral("lanes"))->setChecked(true);
  }
  /// LeNet-5 on two lanes: all up to the second pooling, and the rest.
  void split() {
    open("lenet5");
    page.placement().setWay(PlacementWay::stages);
    settled();
    page.placement().move({find("pool2")}, 0);
    settled();
    page.placement().move({find("flatten")}, 1);
    settled();
    ASSERT_EQ(laneOf("pool2"), 0);
    ASSERT_EQ(laneOf("flatten"), 1);
  }
  void settled() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return page.placement().isCurrent(); }, 10000));
  }
  int laneOf(const char* name) { return page.placement().placed().at(find(name)); }
  std::int64_t stageOf(const char* name) { return graph().nodes.at(find(name)).pipeline_stage; }
  LaneCard& card(const char* name) { return *page.lanes().board().card(find(name)); }
  QPoint middleOf(int lane) {
    const LaneLayout& l = page.lanes().board().places();
    return {static_cast<int>(l.laneWidth * (lane + 0.5)), 200};
  }
  void press(const char* name) { QTest::mousePress(&card(name), Qt::LeftButton, {}, {60, 20}); }
  /// Moves the pointer over the board, in two steps as a hand does.
  void dragTo(const char* name, QPoint at) {
    for (const QPoint to : {card(name).pos() + QPoint(70, 30), at}) {
      QMouseEvent move(QEvent::MouseMove, QPointF(to - card(name).pos()), QPointF(page.lanes().board().mapToGlobal(to)),
                       Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&card(name), &move);
    }
  }
  void release(const char* name, QPoint at) {
    QTest::mouseRelease(&card(name), Qt::LeftButton, {}, at - card(name).pos());
  }
};

TEST_F(LanesTest, SplittingShowsTheLanesAndIsInTheProjectsSettings) {
  open("lenet5");
  EXPECT_FALSE(page.lanes().isVisible());
  const std::string before = text();
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeStages")), Qt::LeftButton);
  settled();
  EXPECT_TRUE(page.lanes().isVisible());
  const TrainSettings& s = session.doc().settings();
  EXPECT_EQ(s.parallel, Parallelism::model);
  EXPECT_EQ(s.devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  EXPECT_EQ(s.micro_batches, 4);
  EXPECT_EQ(page.placement().cards().size(), graph().nodes.size());
  expectUndoable(before);
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeCopies")), Qt::LeftButton);
  EXPECT_EQ(session.doc().settings().parallel, Parallelism::data);
  EXPECT_EQ(session.doc().settings().micro_batches, 1);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !page.lanes().isVisible(); }, 5000));
}

TEST_F(LanesTest, FieldsOfThePanelAreSettings) {
  split();
  child<QDoubleSpinBox>(QStringLiteral("placeMicroBatches"))->setValue(8);
  child<QDoubleSpinBox>(QStringLiteral("placeBatch"))->setValue(96);
  auto* order = child<QComboBox>(QStringLiteral("placeOrder"));
  order->setCurrentIndex(1);
  Q_EMIT order->activated(1);
  EXPECT_EQ(session.doc().settings().micro_batches, 8);
  EXPECT_EQ(session.doc().settings().batch, 96);
  EXPECT_EQ(session.doc().settings().pipeline, PipelineSchedule::gpipe);
  child<QDoubleSpinBox>(QStringLiteral("placeLanes"))->setValue(3);
  analysed();
  settled();
  EXPECT_EQ(session.doc().settings().devices.size(), 3u);
  EXPECT_EQ(page.placement().question().stages, 3);
  EXPECT_EQ(emptyLane(page.placement().placed(), 3), -1);
  EXPECT_NE(page.lanes().header(2), nullptr);
  EXPECT_TRUE(page.placement().problem().isEmpty()) << page.placement().problem().toStdString();
}

TEST_F(LanesTest, MixedHasGroupsOfStagesThatShareTheBatch) {
  open("lenet5");
  const std::string before = text();
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeMixed")), Qt::LeftButton);
  settled();
  const TrainSettings& s = session.doc().settings();
  EXPECT_EQ(s.devices, (std::vector<std::string>{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}));
  EXPECT_EQ(s.parallel, Parallelism::model);
  EXPECT_EQ(s.stages, 2);
  EXPECT_EQ(s.replicas(), 2);
  const Placement& placement = page.placement();
  EXPECT_EQ(placement.way(), PlacementWay::mixed);
  EXPECT_EQ(placement.lanes(), 2);
  EXPECT_EQ(placement.laneName(1), QStringLiteral("CPU 1, 3")) << "the second device of each group";
  EXPECT_EQ(placement.question().stages, 2);
  EXPECT_EQ(placement.question().batch, s.batch / 2) << "of a group";
  EXPECT_EQ(placement.batch(), s.batch);
  EXPECT_EQ(placement.exchangedBytes(), 2.0 * 61706 * 4) << "LeNet-5 has 61,706 parameters";
  EXPECT_FALSE(child<QLabel>(QStringLiteral("placeExchanged"))->parentWidget()->isHidden());
  expectUndoable(before);
}

TEST_F(LanesTest, StagesAndCopiesOfMixedAreChosen) {
  split();
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeMixed")), Qt::LeftButton);
  settled();
  child<QDoubleSpinBox>(QStringLiteral("placeGroups"))->setValue(3);
  settled();
  EXPECT_EQ(session.doc().settings().devices.size(), 6u);
  EXPECT_EQ(session.doc().settings().stages, 2);
  child<QDoubleSpinBox>(QStringLiteral("placeLanes"))->setValue(3);
  analysed();
  settled();
  EXPECT_EQ(session.doc().settings().devices.size(), 9u);
  EXPECT_EQ(session.doc().settings().stages, 3);
  EXPECT_EQ(page.placement().groups(), 3);
  EXPECT_NE(page.lanes().header(2), nullptr);
  EXPECT_EQ(page.lanes().header(3), nullptr);
  child<QDoubleSpinBox>(QStringLiteral("placeBatch"))->setValue(11);
  analysed();
  settled();
  EXPECT_EQ(child<QLabel>(QStringLiteral("placeProblem"))->text(),
            QStringLiteral("a batch of 11 cannot be divided into 12 micro-batches; make it larger"))
      << "four in each of three copies";
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeStages")), Qt::LeftButton);
  EXPECT_EQ(page.placement().groups(), 1);
  EXPECT_EQ(page.placement().lanes(), 9);
}

TEST_F(LanesTest, MoreMicroBatchesThanImagesAreRefusedInTheEnginesWords) {
  split();
  child<QDoubleSpinBox>(QStringLiteral("placeBatch"))->setValue(3);
  analysed();
  settled();
  EXPECT_EQ(child<QLabel>(QStringLiteral("placeProblem"))->text(),
            QStringLiteral("a batch of 3 cannot be divided into 4 micro-batches; make it larger"));
}

TEST_F(LanesTest, DraggingACardToAnotherLaneMovesItAndWhatFollows) {
  split();
  const std::string before = text();
  press("relu2");
  dragTo("relu2", middleOf(1));
  ASSERT_TRUE(page.lanes().board().effect());
  EXPECT_EQ(page.lanes().board().effect()->lane, 1);
  EXPECT_TRUE(page.lanes().board().effect()->estimate);
  EXPECT_FALSE(page.lanes().board().effect()->change.isEmpty());
  EXPECT_EQ(text(), before) << "only shown until it is dropped";
  release("relu2", middleOf(1));
  EXPECT_FALSE(page.lanes().board().effect());
  EXPECT_EQ(stageOf("relu2"), 1);
  EXPECT_EQ(stageOf("pool2"), 1);
  EXPECT_EQ(stageOf("conv2"), 0);
  expectUndoable(before);
}

TEST_F(LanesTest, EscapeEndsADragWithoutAMove) {
  split();
  const std::string before = text();
  const QRect home = card("pool2").geometry();
  press("pool2");
  dragTo("pool2", middleOf(1));
  QTest::keyClick(&card("pool2"), Qt::Key_Escape);
  EXPECT_FALSE(page.lanes().board().dragging());
  EXPECT_EQ(card("pool2").geometry(), home);
  release("pool2", middleOf(1));
  EXPECT_EQ(text(), before);
}

TEST_F(LanesTest, ADropThatLeavesALaneWithoutLayersIsRefused) {
  split();
  const std::string before = text();
  QSignalSpy said(&session, &Session::message);
  press("images");
  dragTo("images", middleOf(1));
  ASSERT_TRUE(page.lanes().board().effect());
  EXPECT_FALSE(page.lanes().board().effect()->estimate);
  EXPECT_EQ(page.lanes().board().effect()->sentence, QStringLiteral("No layer would be left on CPU 0"));
  release("images", middleOf(1));
  EXPECT_EQ(text(), before);
  EXPECT_EQ(said.size(), 1);
}

TEST_F(LanesTest, AltAndAnArrowMoveTheSelectedLayers) {
  split();
  page.addAction(action(QStringLiteral("lane-right")));
  page.addAction(action(QStringLiteral("lane-left")));
  card("pool2").setFocus();
  EXPECT_EQ(scene().selection().current(), find("pool2"));
  QSignalSpy moved(&page.placement(), &Placement::moved);
  QTest::keyClick(&card("pool2"), Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(stageOf("pool2"), 1);
  ASSERT_EQ(moved.size(), 1);
  EXPECT_EQ(moved[0][0].toString(), QStringLiteral("1 layer moved to CPU 1"));
  analysed();
  settled();
  EXPECT_TRUE(card("pool2").hasFocus()) << "it can be moved on";
  QTest::keyClick(&card("pool2"), Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(stageOf("pool2"), 0);
  page.removeAction(action(QStringLiteral("lane-right")));
  page.removeAction(action(QStringLiteral("lane-left")));
}

TEST_F(LanesTest, ArrowsGoFromCardToCard) {
  split();
  card("conv1").setFocus();
  QTest::keyClick(&card("conv1"), Qt::Key_Down);
  EXPECT_TRUE(card("relu1").hasFocus());
  QTest::keyClick(&card("relu1"), Qt::Key_Right);
  EXPECT_EQ(laneOf(graph().nodes.at(scene().selection().current()).name.c_str()), 1);
}

TEST_F(LanesTest, SeveralLayersMoveInOneStep) {
  split();
  QTest::mouseClick(&card("relu2"), Qt::LeftButton, {}, {60, 20});
  QTest::mouseClick(&card("pool2"), Qt::LeftButton, Qt::ControlModifier, {60, 20});
  EXPECT_EQ(scene().selection().nodes().size(), 2u);
  const std::string before = text();
  action(QStringLiteral("lane-right"))->trigger();
  EXPECT_EQ(stageOf("relu2"), 1);
  EXPECT_EQ(stageOf("pool2"), 1);
  expectUndoable(before);
}

TEST_F(LanesTest, ABlockInstanceMovesWhole) {
  open("resnet18-cifar");
  page.placement().setWay(PlacementWay::stages);
  analysed();
  settled();
  NodeId block = 0;
  for (const NodeId id : page.placement().cards())
    if (graph().nodes.at(id).type == "Block" && page.placement().placed().at(id) == 0) block = id;
  ASSERT_NE(block, 0);
  ASSERT_TRUE(page.placement().move({block}, 1));
  analysed();
  settled();
  for (const PlacedLayer& l : page.placement().layers())
    if (l.node == block) EXPECT_EQ(l.stage, 1) << l.name;
  EXPECT_TRUE(page.placement().problem().isEmpty());
}

TEST_F(LanesTest, BalancingAndTheHintShortenAStep) {
  split();
  const double before = page.placement().estimate().timeline.end;
  ASSERT_TRUE(page.placement().best());
  const double promised = page.placement().best()->after;
  QTest::mouseClick(child<QPushButton>(QStringLiteral("placeMove")), Qt::LeftButton);
  analysed();
  settled();
  EXPECT_NEAR(page.placement().estimate().timeline.end, promised, promised * 1e-9);
  EXPECT_LT(promised, before);
  QTest::mouseClick(child<QPushButton>(QStringLiteral("placeBalance")), Qt::LeftButton);
  analysed();
  settled();
  EXPECT_LE(page.placement().estimate().timeline.end, promised);
}

TEST_F(LanesTest, StagesThatDoNotFollowTheNetworkAreNamedByTheEngine) {
  split();
  Node node = graph().nodes.at(find("conv1"));
  node.pipeline_stage = 1;
  session.push({PutNode{"", find("conv1"), node}}, QStringLiteral("Stage"));
  analysed();
  ASSERT_TRUE(
      QTest::qWaitFor([this] { return page.placement().isCurrent() && !page.placement().problem().isEmpty(); }));
  EXPECT_TRUE(page.placement().problem().contains(QStringLiteral("stages follow the network's direction")));
  auto* shown = child<QLabel>(QStringLiteral("laneProblem"));
  EXPECT_EQ(shown->text(), page.placement().problem());
  EXPECT_TRUE(shown->isVisible());
}

TEST_F(LanesTest, AScreenReaderReadsLanesWithTheirLayersAndMoves) {
  split();
  const QString lane = page.lanes().header(1)->accessibleName();
  EXPECT_TRUE(lane.startsWith(QStringLiteral("Lane CPU 1"))) << lane.toStdString();
  EXPECT_TRUE(lane.contains(QStringLiteral("flatten"))) << lane.toStdString();
  EXPECT_FALSE(lane.contains(QStringLiteral("conv1"))) << lane.toStdString();
  QAccessibleInterface* voice = QAccessible::queryAccessibleInterface(&card("conv2"));
  ASSERT_NE(voice, nullptr);
  EXPECT_TRUE(voice->text(QAccessible::Name).startsWith(QStringLiteral("Conv2d conv2, on CPU 0")));
  EXPECT_EQ(voice->role(), QAccessible::Button);
  page.placement().move({find("pool2")}, 1);
  EXPECT_EQ(page.lanes().accessibleDescription(), QStringLiteral("1 layer moved to CPU 1"));
}

TEST_F(LanesTest, TheTimelineHasThePassesOfTheSchedule) {
  split();
  const StepTimeline& shown = page.lanes().timeline();
  ASSERT_EQ(shown.timeline().stages.size(), 2u);
  EXPECT_EQ(shown.timeline().stages[0].size(), 8u);
  const QRectF first = shown.passRect(0, shown.timeline().stages[0][0]),
               second = shown.passRect(0, shown.timeline().stages[0][1]);
  EXPECT_NEAR(first.right(), second.left(), 0.6);
  EXPECT_LE(shown.passRect(0, shown.timeline().stages[0].back()).right(), shown.width());
}

TEST_F(LanesTest, TheActionGoesBackToTheCanvas) {
  split();
  action(QStringLiteral("lanes"))->setChecked(false);
  EXPECT_FALSE(page.lanes().isVisible());
  EXPECT_TRUE(page.canvas().isVisible());
  action(QStringLiteral("lanes"))->setChecked(true);
  EXPECT_TRUE(page.lanes().isVisible());
}

TEST_F(LanesTest, CopiesDivideTheOptimizersStateAndSayWhatThatSaves) {
  open("lenet5");
  auto* divide = child<QAbstractButton>(QStringLiteral("placeDivideState"));
  const auto offered = [&](QWidget* w) { return w->isVisibleTo(child<QWidget>(QStringLiteral("placementPanel"))); };
  EXPECT_FALSE(offered(divide)) << "one device keeps all of it";
  page.placement().change([](TrainSettings& s) { s.devices = {"cpu:0", "cpu:1"}; }, QStringLiteral("Two"));
  auto* saved = child<QLabel>(QStringLiteral("placeSaved"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return offered(saved); }, 10000));
  EXPECT_TRUE(offered(divide));
  EXPECT_EQ(saved->text(), QStringLiteral("Each device would need 110 kB less.")) << "of 247 kB, at least";
  const std::string before = text();
  QTest::mouseClick(divide, Qt::LeftButton);
  EXPECT_EQ(session.doc().settings().parallel, Parallelism::sharded);
  EXPECT_TRUE(divide->isChecked());
  EXPECT_EQ(saved->text(), QStringLiteral("Each device needs 110 kB less."));
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeCopies")), Qt::LeftButton);
  EXPECT_EQ(session.doc().settings().parallel, Parallelism::sharded) << "these are copies already";
  expectUndoable(before);
  page.placement().setWay(PlacementWay::stages);
  EXPECT_FALSE(offered(divide));
  page.placement().setWay(PlacementWay::copies);
  EXPECT_EQ(session.doc().settings().parallel, Parallelism::data);
}

TEST_F(LanesTest, CopiesOnGpusDivideTheOptimizersStateToo) {
  open("lenet5");
  page.placement().change([](TrainSettings& s) { s.devices = {"cuda:0", "cuda:1"}; }, QStringLiteral("Two"));
  auto* saved = child<QLabel>(QStringLiteral("placeSaved"));
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return saved->isVisibleTo(child<QWidget>(QStringLiteral("placementPanel"))); }, 10000));
  EXPECT_EQ(saved->text(), QStringLiteral("Each device would need 110 kB less."));
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("placeDivideState")), Qt::LeftButton);
  EXPECT_EQ(session.doc().settings().parallel, Parallelism::sharded);
}

/// The process that the window starts divides the network as the lanes do.
TEST_F(LanesTest, TrainStartsWithTheLanes) {
  split();
  const QTemporaryDir folder;
  DataChoice data = session.doc().data();
  data.kind = SourceKind::synthetic;
  data.path.clear();
  data.synthetic_train = 256;
  data.synthetic_test = 32;
  TrainSettings s = session.doc().settings();
  s.epochs = 1;
  s.batch = 32;
  s.pipeline = PipelineSchedule::gpipe;
  session.push({PutData{data}, PutSettings{s}}, QStringLiteral("Small"));
  analysed();
  RunController& run = session.run();
  run.setRunsFolder(folder.path());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session.dataOpening() && session.analysisCurrent(); }, 20000));
  ASSERT_TRUE(run.start());
  ASSERT_TRUE(QTest::qWaitFor([&] { return run.state() == RunController::State::running; }, 60000));
  ASSERT_TRUE(QTest::qWaitFor([&] { return run.state() == RunController::State::idle; }, 60000));
  EventTail tail(run.folder().toStdString());
  std::vector<Event> events;
  for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
  const PipelinePlan* plan = nullptr;
  for (const Event& e : events)
    if (const auto* found = std::get_if<PipelinePlan>(&e.what)) plan = found;
  ASSERT_NE(plan, nullptr) << "it was no pipeline";
  ASSERT_EQ(plan->stages.size(), 2u);
  EXPECT_EQ(plan->stages[0].last, "pool2");
  EXPECT_EQ(plan->stages[1].first, "flatten");
  EXPECT_EQ(plan->schedule, "gpipe");
  EXPECT_EQ(plan->micro_batches, 4);
}

}  // namespace
}  // namespace nw::ui
