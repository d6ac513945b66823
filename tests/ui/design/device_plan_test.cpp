// SPDX-License-Identifier: GPL-3.0-or-later
// "More devices" under real mouse and keyboard events.
#include "ui/design/device_plan.hpp"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QTableWidget>

#include "tests/ui/design/bench.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/design/tabbed_panel.hpp"

namespace nw::ui {
namespace {

class DevicePlanTest : public DesignTest {
 protected:
  /// Opens the page by its tab, with the mouse.
  DevicePlan& shown() {
    auto* plan = child<DevicePlan>(QStringLiteral("devicePlan"));
    auto* panel = child<TabbedPanel>(QStringLiteral("problemsPanel"));
    for (int i = 0; i < panel->tabs().count(); ++i)
      if (panel->page(i) == plan)
        QTest::mouseClick(&panel->tabs(), Qt::LeftButton, {}, panel->tabs().tabRect(i).center());
    EXPECT_TRUE(plan->isVisible());
    return *plan;
  }
  static void settle(DevicePlan& plan) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return plan.settled() && (plan.curve() || !plan.sentence().isEmpty()); }, 20000));
  }
  static QString cell(DevicePlan& plan, int row, int column) { return plan.table().item(row, column)->text(); }
};

TEST_F(DevicePlanTest, ComputesOnlyWhileItIsVisible) {
  open("lenet5");
  auto* plan = child<DevicePlan>(QStringLiteral("devicePlan"));
  QTest::qWait(400);
  EXPECT_TRUE(plan->settled());
  EXPECT_FALSE(plan->curve());
  settle(shown());
  ASSERT_TRUE(plan->curve());
}

TEST_F(DevicePlanTest, DrawsTheCurveOverTheNumberOfDevicesAndListsIt) {
  open("lenet5");
  DevicePlan& plan = shown();
  settle(plan);
  ASSERT_TRUE(plan.curve());
  EXPECT_EQ(plan.table().rowCount(), 4);
  EXPECT_EQ(cell(plan, 3, 0), QStringLiteral("8"));
  EXPECT_EQ(cell(plan, 0, 3), QStringLiteral("100.0 %"));
  EXPECT_EQ(plan.chart().curveX(0), (QVector<double>{1, 2, 4, 8}));
  EXPECT_NEAR(plan.chart().curveY(0).first(), 100, 1e-9);
  EXPECT_TRUE(plan.sentence().contains(QStringLiteral("limited by"))) << plan.sentence().toStdString();
  plan.quantities().setCurrentIndex(1);
  EXPECT_NEAR(plan.chart().curveY(0).last(), plan.curve()->points.back().samples_per_s(), 1e-6);
}

TEST_F(DevicePlanTest, FollowsItsFieldsAndTheDocument) {
  open("lenet5");
  DevicePlan& plan = shown();
  settle(plan);
  plan.count().setFocus();
  plan.count().selectAll();
  QTest::keyClicks(&plan.count(), QStringLiteral("16"));
  plan.sameBatch().setChecked(true);
  ASSERT_TRUE(QTest::qWaitFor([&] { return plan.settled() && plan.table().rowCount() == 5; }, 20000));
  EXPECT_EQ(plan.curve()->points.back().batch, 16 * session.doc().settings().batch);
  TrainSettings s = session.doc().settings();
  s.batch = 128;
  ASSERT_TRUE(session.push({PutSettings{s}}, QStringLiteral("batch")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return plan.settled() && plan.curve()->points.front().batch == 128; }, 20000));
}

TEST_F(DevicePlanTest, SaysWhyThereIsNoPrediction) {
  open("lenet5");
  DevicePlan& plan = shown();
  settle(plan);
  plan.count().setValue(4096);
  ASSERT_TRUE(QTest::qWaitFor([&] { return plan.settled() && !plan.curve(); }, 20000));
  EXPECT_TRUE(plan.sentence().contains(QStringLiteral("4096"))) << plan.sentence().toStdString();
  EXPECT_EQ(plan.table().rowCount(), 0);
  EXPECT_TRUE(plan.chart().curveX(0).isEmpty());
}

TEST_F(DevicePlanTest, OffersTheLinksThatTheDeviceCanHave) {
  open("lenet5");
  DevicePlan& plan = shown();
  EXPECT_GE(plan.links().findData(QStringLiteral("nvlink4")), 0);
  plan.links().setCurrentIndex(plan.links().findData(QStringLiteral("ethernet10")));
  plan.devices().setCurrentText(QStringLiteral("L4"));
  EXPECT_LT(plan.links().findData(QStringLiteral("nvlink4")), 0);
  EXPECT_EQ(plan.links().currentData().toString(), QStringLiteral("ethernet10")) << "the choice stays";
  settle(plan);
  plan.devices().setCurrentIndex(plan.devices().count() - 1);
  plan.count().setValue(2);
  ASSERT_TRUE(QTest::qWaitFor([&] { return plan.settled() && plan.curve() && plan.table().rowCount() == 2; }, 20000));
}

TEST_F(DevicePlanTest, ScreenReadersKnowItsParts) {
  open("lenet5");
  DevicePlan& plan = shown();
  settle(plan);
  for (QWidget* w : std::initializer_list<QWidget*>{&plan.devices(), &plan.links(), &plan.splits(), &plan.count(),
                                                    &plan.table(), &plan.quantities()})
    EXPECT_FALSE(w->accessibleName().isEmpty()) << w->metaObject()->className();
}

}  // namespace
}  // namespace nw::ui
