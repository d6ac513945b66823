// SPDX-License-Identifier: GPL-3.0-or-later
// The run-time settings beside the curves: what their sliders mean, what changed so far, what waits.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/train/run_settings/change_list.hpp"
#include "ui/train/run_settings/run_settings_panel.hpp"
#include "ui/train/run_settings/setting_field.hpp"
#include "ui/train/run_settings/setting_slider.hpp"
#include "ui/train/train_charts.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

SettingRow rowNamed(const char* id) {
  for (SettingRow& row : settingRows())
    if (row.id == QLatin1String(id)) return row;
  ADD_FAILURE() << "no row " << id;
  return {};
}

TEST(SettingScale, RatesAreLogarithmicWithTwoDecadesToEitherSideAndRoundValues) {
  const SettingScale scale(rowNamed("learning_rate"), 0.01);
  EXPECT_TRUE(scale.isLog());
  EXPECT_NEAR(scale.value(0), 1e-4, 1e-9);
  EXPECT_NEAR(scale.value(SettingScale::positions), 1, 1e-9);
  EXPECT_EQ(scale.position(0.01), SettingScale::positions / 2);
  EXPECT_EQ(scale.position(0.1) - scale.position(0.01), scale.position(0.01) - scale.position(0.001));
  for (int at = 0; at <= SettingScale::positions; at += 7) {
    const double value = scale.value(at), unit = std::pow(10, std::floor(std::log10(value) + 1e-9) - 1);
    EXPECT_NEAR(value / unit, std::round(value / unit), 1e-6) << "two digits: " << value;
    EXPECT_NEAR(scale.position(value), at, 11);
  }
  EXPECT_EQ(scale.position(5), SettingScale::positions) << "beyond the end";
}

TEST(SettingScale, WhatMayBeOffIsOffAtTheLeftEnd) {
  for (const char* id : {"clip_norm", "l2"}) {
    const SettingScale scale(rowNamed(id), 0);
    EXPECT_TRUE(scale.isLog());
    EXPECT_EQ(scale.value(0), 0) << id;
    EXPECT_EQ(scale.position(0), 0);
    EXPECT_GT(scale.position(scale.low()), 20) << "off is not a hair away from on";
  }
}

TEST(SettingScale, FractionsAreLinearAndWholeNumbersDouble) {
  const SettingScale momentum(rowNamed("momentum"), 0.9);
  EXPECT_FALSE(momentum.isLog());
  EXPECT_EQ(momentum.position(0.5), SettingScale::positions / 2);
  EXPECT_NEAR(momentum.value(momentum.position(0.9)), 0.9, 1e-12);
  const SettingScale accumulate(rowNamed("accumulate"), 1);
  EXPECT_EQ(accumulate.value(0), 1);
  int at = 0;
  for (const double expected : {2, 4, 8, 16}) EXPECT_EQ(accumulate.value(at += accumulate.step()), expected);
}

/// A run of LeNet-5 whose settings were changed five times; two layers were frozen together.
struct ChangedRun : testing::Test {
  ChangedRun() {
    run.emplace(runs.path(), test::definition_of("lenet5"));
    test::write_training(*run, {.epochs_done = 2, .steps_per_epoch = 100, .records_per_epoch = 10});
    run->post(13.1, Knob{"clip_norm", 0.25, 200});
    run->post(14.0, Knob{"frozen.conv1", 1, 210});
    run->post(14.1, Knob{"frozen.conv2", 1, 211});
    run->post(20.0, Knob{"learning_rate", 0.004, 230});
    run->post(24.0, Knob{"learning_rate", 0.002, 240});
    run->lock();
    session.feed().follow(QString::fromStdString(run->folder().string()));
  }
  void SetUp() override {
    ASSERT_TRUE(wait_for([&] { return session.feed().loaded() && session.feed().definition() != nullptr; }));
    panel.emplace(session.feed());
    QObject::connect(&session.feed(), &RunFeed::logArrived, &*panel, &RunSettingsPanel::refresh);
    panel->setLayers({{"conv1", 156}, {"conv2", 2416}, {"fc1", 48120}});
    panel->refresh();
    panel->resize(372, 900);
    panel->show();
    QCoreApplication::processEvents();
  }
  QWidget& bar() { return *panel->findChild<QWidget*>(QStringLiteral("waitingBar")); }
  void press(const char* name) { panel->findChild<QPushButton*>(QLatin1String(name))->click(); }
  SettingField& field(const char* id) { return *panel->field(QLatin1String(id)); }
  test::TemporaryFolder runs;
  Session session;
  std::optional<test::RunWriter> run;
  std::optional<RunSettingsPanel> panel;
};

TEST_F(ChangedRun, TheChangesAreNumberedWithTheValuesBeforeAndAfter) {
  const QVector<SettingChange> all = settingChanges(session.feed());
  ASSERT_EQ(all.size(), 4);
  QStringList said;
  for (const SettingChange& change : all) said += changeText(change);
  EXPECT_EQ(said, (QStringList{"Clip norm off → 0.25", "conv1, conv2 frozen", "Learning rate as scheduled → 0.004",
                               "Learning rate 0.004 → 0.002"}));
  EXPECT_EQ(all[2].number, 3);
  EXPECT_EQ(all[2].step, 230);
  EXPECT_DOUBLE_EQ(all[2].epoch, 2.3);
  EXPECT_TRUE(std::isnan(all[0].loss)) << "nothing was validated since";
  EXPECT_EQ(panel->changes().count(), 4);
  EXPECT_EQ(panel->changes().item(0)->text(), QStringLiteral("Learning rate 0.004 → 0.002")) << "newest first";
}

TEST_F(ChangedRun, WhatAResumedRunTookBackIsNoChangeAndTheLossSinceIsSaid) {
  run->post(25, Resumed{205, 1, 0});
  EpochEnd third;
  third.epoch = 3;
  third.step = 300;
  third.has_validation = true;
  third.validation_loss = session.feed().epochs().back().validation_loss - 0.25;
  run->post(30, third);
  ASSERT_TRUE(wait_for([&] { return session.feed().epochs().size() == 3; }));
  const QVector<SettingChange> all = settingChanges(session.feed());
  ASSERT_EQ(all.size(), 1);
  EXPECT_NEAR(all[0].loss, -0.25, 1e-9);
  EXPECT_TRUE(changeDetail(all[0]).contains(QStringLiteral("validation loss −0.25 since")))
      << changeDetail(all[0]).toStdString();
}

TEST_F(ChangedRun, EverySettingBeginsWithTheValueThatTheRunHasNow) {
  EXPECT_DOUBLE_EQ(field("learning_rate").field().value(), 0.002);
  EXPECT_DOUBLE_EQ(field("clip_norm").field().value(), 0.25);
  EXPECT_EQ(field("clip_norm").note(), QStringLiteral("was off"));
  EXPECT_EQ(field("clip_norm").slider().mark(), -1);
  EXPECT_EQ(panel->field(QStringLiteral("epochs")), nullptr);
  EXPECT_EQ(panel->frozen().upTo().currentText(), QStringLiteral("up to conv2"));
  EXPECT_TRUE(panel->waiting().isEmpty());
  EXPECT_FALSE(bar().isVisible());
}

TEST_F(ChangedRun, AValueWaitsUntilItIsAppliedAndHoldsWhenTheRunSaysSo) {
  QSignalSpy applied(&*panel, &RunSettingsPanel::applied);
  SettingField& clip = field("clip_norm");
  const int before = clip.slider().value();
  clip.field().setValue(0.5);
  EXPECT_TRUE(bar().isVisible());
  EXPECT_EQ(clip.note(), QStringLiteral("waits: 0.25 → 0.5"));
  EXPECT_EQ(clip.slider().mark(), before) << "the mark is the value that holds";
  EXPECT_GT(clip.slider().value(), before);
  press("discardSettings");
  EXPECT_DOUBLE_EQ(clip.field().value(), 0.25);
  EXPECT_FALSE(bar().isVisible());
  EXPECT_EQ(applied.count(), 0);
  clip.slider().setValue(clip.slider().value() + 100);
  const double chosen = clip.field().value();
  EXPECT_GT(chosen, 0.25);
  panel->frozen().upTo().activated(1);
  press("applySettings");
  ASSERT_EQ(applied.count(), 1);
  const auto sent = applied[0][0].value<QVector<std::pair<QString, SettingValue>>>();
  ASSERT_EQ(sent.size(), 2);
  EXPECT_EQ(sent[0].first, QStringLiteral("clip_norm"));
  EXPECT_EQ(sent[0].second.value, chosen);
  EXPECT_EQ(sent[1].first, QStringLiteral("frozen.conv2"));
  EXPECT_EQ(sent[1].second.value, 0);
  EXPECT_FALSE(bar().isVisible());
  EXPECT_TRUE(clip.isSent()) << "not yet taken by the run";
  run->post(31, Knob{"clip_norm", chosen, 250});
  EXPECT_TRUE(wait_for([&] { return !clip.isSent(); }));
  EXPECT_EQ(clip.note(), QStringLiteral("was 0.25"));
  EXPECT_DOUBLE_EQ(clip.field().value(), chosen);
}

TEST_F(ChangedRun, SettingBackLetsTheValueBeforeWait) {
  panel->changes().setCurrentRow(3);
  press("setBack");
  ASSERT_EQ(panel->waiting().size(), 1);
  EXPECT_EQ(panel->waiting()[0], (std::pair<QString, SettingValue>{"clip_norm", {0, false}}));
  press("discardSettings");
  panel->changes().setCurrentRow(1);
  press("setBack");
  ASSERT_EQ(panel->waiting().size(), 1);
  EXPECT_EQ(panel->waiting()[0].first, QStringLiteral("learning_rate"));
  EXPECT_TRUE(panel->waiting()[0].second.scheduled) << "before the first change the schedule had it";
  press("discardSettings");
  panel->changes().setCurrentRow(2);
  press("setBack");
  EXPECT_EQ(panel->waiting().size(), 2) << "both layers are trained again";
}

TEST_F(ChangedRun, ARefusedChangeShowsTheValueThatHolds) {
  field("clip_norm").field().setValue(0.5);
  panel->frozen().upTo().activated(0);
  press("applySettings");
  panel->forgetSent();
  EXPECT_DOUBLE_EQ(field("clip_norm").field().value(), 0.25);
  EXPECT_EQ(panel->frozen().upTo().currentText(), QStringLiteral("up to conv2"));
}

TEST_F(ChangedRun, WithoutTheRunNothingCanBeChanged) {
  field("clip_norm").field().setValue(0.5);
  panel->setEditable(QStringLiteral("It has ended."));
  EXPECT_TRUE(panel->waiting().isEmpty());
  EXPECT_FALSE(field("clip_norm").field().isEnabled());
  EXPECT_FALSE(panel->findChild<QPushButton*>(QStringLiteral("setBack"))->isEnabled());
  EXPECT_TRUE(panel->changes().isEnabled()) << "the list can still be read";
}

TEST_F(ChangedRun, TheStripFreezesALayerByMouseAndByKeyboard) {
  LayerStrip& strip = panel->frozen().strip();
  QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.cell(2).center());
  EXPECT_EQ(panel->frozen().waiting(), (QVector<std::pair<QString, bool>>{{"fc1", true}}));
  EXPECT_EQ(panel->frozen().upTo().currentText(), QStringLiteral("up to fc1"));
  strip.setFocus();
  QTest::keyClick(&strip, Qt::Key_Home);
  EXPECT_EQ(strip.accessibleDescription(), QStringLiteral("conv1: frozen"));
  QTest::keyClick(&strip, Qt::Key_Space);
  EXPECT_EQ(strip.accessibleDescription(), QStringLiteral("conv1: trained, waits"));
  EXPECT_EQ(panel->frozen().upTo().currentText(), QStringLiteral("chosen layers"));
}

TEST_F(ChangedRun, TheChartsCarryTheNumbersOfTheList) {
  TrainCharts charts(session.feed());
  charts.refresh();
  const auto texts = [&](const char* chart) {
    QStringList out;
    for (const ChartMark& mark : charts.chart(QLatin1String(chart))->marks()) out += mark.text;
    return out;
  };
  EXPECT_EQ(texts("loss"), (QStringList{"1  Clip norm 0.25", "2  conv1, conv2 frozen", "3  LR 0.004", "4  LR 0.002"}));
  EXPECT_EQ(texts("learning_rate"), (QStringList{"3", "4"}));
  EXPECT_TRUE(texts("accuracy").contains(QStringLiteral("2")));
}

}  // namespace
}  // namespace nw::ui
