// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings_dialog.hpp"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

/// A run of LeNet-5 in which the clipping was changed and a layer frozen.
struct ChangedRun : testing::Test {
  ChangedRun() {
    run.emplace(runs.path(), test::definition_of("lenet5"));
    test::write_training(*run, {.epochs_done = 1});
    run->post(0.1, Knob{"clip_norm", 0.25, 3});
    run->post(0.1, Knob{"frozen.conv1", 1, 3});
    session.feed().follow(QString::fromStdString(run->folder().string()));
  }
  void choose(RunSettingsDialog& dialog, const char* name) {
    auto* names = dialog.findChild<QComboBox*>();
    const int at = names->findData(QLatin1String(name));
    ASSERT_GE(at, 0) << name;
    names->setCurrentIndex(at);
  }
  test::TemporaryFolder runs;
  Session session;
  std::optional<test::RunWriter> run;
};

TEST_F(ChangedRun, EverySettingBeginsWithTheValueThatTheRunHasNow) {
  ASSERT_TRUE(wait_for([&] { return session.feed().loaded() && session.feed().definition() != nullptr; }));
  RunSettingsDialog dialog(session.feed());
  EXPECT_EQ(dialog.name(), QStringLiteral("learning_rate"));
  choose(dialog, "clip_norm");
  EXPECT_DOUBLE_EQ(dialog.value(), 0.25);
  dialog.findChild<NumberSpin*>()->setValue(0.5);
  EXPECT_DOUBLE_EQ(dialog.value(), 0.5);
  choose(dialog, "frozen.conv1");
  EXPECT_EQ(dialog.value(), 1);
  dialog.findChild<ToggleSwitch*>()->toggle();
  EXPECT_EQ(dialog.value(), 0);
  choose(dialog, "frozen.conv2");
  EXPECT_EQ(dialog.value(), 0);
  EXPECT_EQ(dialog.findChild<QComboBox*>()->findData(QStringLiteral("epochs")), -1);
  dialog.findChild<QPushButton*>(QStringLiteral("apply"))->click();
  EXPECT_EQ(dialog.result(), QDialog::Accepted);
}

}  // namespace
}  // namespace nw::ui
