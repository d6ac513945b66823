// SPDX-License-Identifier: GPL-3.0-or-later
// The guide "Train your first network", followed step by step with mouse and keyboard.
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>

#include <utility>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/design/inspector.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/window/guide.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class GuideTest : public Journey {
 protected:
  Guide& guide() { return window().guide(); }
  bool isAt(int step) {
    return test::wait_for([&] {
      return guide().isOn() && guide().step() == step &&
             (step == guide().steps() || !guide().mark()->title().isEmpty());
    });
  }
  /// Waits until the guide's ring is around the control.
  testing::AssertionResult rings(QWidget* control) {
    const auto place = [&] { return QRect(control->mapTo(&window(), QPoint()), control->size()); };
    if (test::wait_for([&] { return control->isVisible() && guide().mark()->place() == place(); }))
      return testing::AssertionSuccess();
    const auto said = [](const QRect& r) {
      return testing::Message() << r.x() << "," << r.y() << " " << r.width() << "x" << r.height();
    };
    return testing::AssertionFailure() << "the ring is at " << said(guide().mark()->place()) << ", the control at "
                                       << said(place());
  }
  /// Waits until the control no longer moves: images that load one after the other move the widgets below them.
  bool staysInPlace(QWidget* control) {
    QPoint last;
    QElapsedTimer since;
    since.start();
    return test::wait_for([&] {
      if (const QPoint at = control->mapTo(&window(), QPoint()); std::exchange(last, at) != at) since.restart();
      return since.elapsed() > 500;
    });
  }
  /// A few synthetic images instead of all of MNIST, if MNIST is installed.
  void useSmallNetwork() {
    DataChoice data = session().doc().data();
    data.kind = SourceKind::synthetic;
    data.synthetic_train = 2000;
    data.synthetic_test = 500;
    ASSERT_TRUE(session().push({PutData{data}}, QStringLiteral("Choose data")));
  }
};

TEST_F(GuideTest, LeadsFromTheWelcomePageToADrawnDigit) {
  openWindow();
  hand.click(child<QWidget>(QStringLiteral("welcome-guide")));
  ASSERT_TRUE(isAt(0));
  QWidget* picture = child<QWidget>(QStringLiteral("template-lenet5"));
  ASSERT_TRUE(rings(picture));
  hand.click(picture);
  ASSERT_TRUE(isAt(1));
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  ASSERT_TRUE(test::wait_for([&] { return !guide().mark()->place().isEmpty(); }));
  hand.click(view().viewport(), nodePosition(view(), find("conv1")));
  ASSERT_TRUE(isAt(2));
  QWidget* filters = design().inspector().editorOf(QStringLiteral("out_channels"));
  ASSERT_TRUE(rings(filters));
  hand.fill(filters, QStringLiteral("12"));
  ASSERT_TRUE(isAt(3));
  useSmallNetwork();
  analysed();
  QWidget* train = child<QWidget>(QStringLiteral("trainButton"));
  ASSERT_TRUE(rings(train));
  hand.click(train, {60, 18});
  ASSERT_TRUE(isAt(4));
  ASSERT_TRUE(test::wait_for([&] { return run().state() == RunController::State::running && feed().last().last > 0; }));
  QWidget* stop = child<QWidget>(QStringLiteral("stopButton"));
  ASSERT_TRUE(rings(stop));
  hand.click(stop);
  ASSERT_TRUE(isAt(5));
  SegmentedControl& pages = window().topBar().pages();
  hand.click(&pages, pages.segmentRect(2).center().toPoint());
  ASSERT_TRUE(isAt(6));
  expectPredictionsArrive();
  DrawingPad* pad = &predict().ownImagePanel().pad();
  ASSERT_TRUE(staysInPlace(pad));
  ASSERT_TRUE(rings(pad));
  hand.drag(pad, {pad->width() / 2, 30}, pad, {pad->width() / 2, pad->height() - 30});
  ASSERT_TRUE(isAt(7));
  EXPECT_TRUE(guide().mark()->title().contains(QStringLiteral("You have trained")));
  hand.click(&guide().mark()->onward());
  EXPECT_FALSE(guide().isOn());
}

TEST_F(GuideTest, DataThatAreOpenedLateAreNoChangeOfASetting) {
  openWindow();
  action(QStringLiteral("guide"))->trigger();
  ASSERT_TRUE(isAt(0));
  hand.click(&guide().mark()->onward());
  ASSERT_TRUE(isAt(1));
  hand.click(&guide().mark()->onward());
  ASSERT_TRUE(isAt(2));
  DataFacts facts = session().dataFacts();
  ++facts.train;
  session().setDataFacts(facts);
  QTest::qWait(300);
  EXPECT_EQ(guide().step(), 2);
}

TEST_F(GuideTest, CanBeSkippedEndedAndStartedAgainWithKeysAlone) {
  openWindow();
  hand.key(Qt::Key_K, Qt::ControlModifier);
  hand.type(QStringLiteral("Train your first"));
  hand.key(Qt::Key_Return);
  ASSERT_TRUE(isAt(0));
  ASSERT_TRUE(hand.tabTo(&guide().mark()->onward()));
  hand.key(Qt::Key_Space);
  ASSERT_TRUE(isAt(1));
  EXPECT_FALSE(graph().nodes.empty()) << "the steps that follow need a network";
  guide().mark()->onward().setFocus();
  hand.key(Qt::Key_Space);
  ASSERT_TRUE(isAt(2));
  hand.key(Qt::Key_4, Qt::ControlModifier);
  ASSERT_TRUE(test::wait_for([&] { return guide().mark()->onward().text() == QStringLiteral("Go there"); }));
  guide().mark()->onward().setFocus();
  hand.key(Qt::Key_Space);
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(guide().step(), 2);
  hand.key(Qt::Key_Tab, Qt::ControlModifier);  // leaves the canvas, where Tab adds layers
  ASSERT_TRUE(hand.tabTo(&guide().mark()->end()));
  hand.key(Qt::Key_Space);
  EXPECT_FALSE(guide().isOn());
  action(QStringLiteral("guide"))->trigger();
  ASSERT_TRUE(isAt(0));
}

TEST_F(GuideTest, StaysInsideTheWindowAndDoesNotCoverItsControls) {
  openWindow({{}, QStringLiteral("lenet5")});
  action(QStringLiteral("guide"))->trigger();
  while (guide().step() < guide().steps()) {
    const int i = guide().step();
    EXPECT_TRUE(window().rect().contains(guide().mark()->geometry())) << i;
    EXPECT_FALSE(guide().mark()->geometry().intersects(guide().mark()->place())) << i;
    const QPoint middle = guide().mark()->place().center();
    if (!guide().mark()->place().isEmpty()) EXPECT_FALSE(guide().mark()->isAncestorOf(window().childAt(middle))) << i;
    if (guide().step() == i) guide().mark()->onward().click();
    if (guide().step() == i) guide().mark()->onward().click();  // the first click was "Go there"
  }
}

}  // namespace
}  // namespace nw::ui
