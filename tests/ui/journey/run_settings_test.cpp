// SPDX-License-Identifier: GPL-3.0-or-later
// Settings are changed while a run trains: by mouse on the sliders, by typing, by the strip of layers. They hold once
// they are applied, are marked on the charts, listed, set back, and the recipe repeats the run bit by bit.
#include <QClipboard>
#include <QComboBox>
#include <QProcess>
#include <QPushButton>
#include <csignal>
#include <fstream>

#include "engine/core/files.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/train/run_settings/change_list.hpp"
#include "ui/train/run_settings/run_settings_panel.hpp"
#include "ui/train/run_settings/setting_field.hpp"
#include "ui/train/run_settings/setting_slider.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class RunSettingsJourney : public Journey {
 protected:
  /// The run waits in its first epochs, with the settings in front.
  void pauseInTheBeginning() {
    openSmallProject(40, 600);  // more than a busy machine trains before it pauses
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
    action(QStringLiteral("pause"))->trigger();
    ASSERT_TRUE(isState(RunController::State::paused));
    action(QStringLiteral("run-settings"))->trigger();
    ASSERT_TRUE(panel().isVisible());
    ASSERT_TRUE(test::wait_for([&] { return !panel().frozen().layers().isEmpty(); }));
  }
  RunSettingsPanel& panel() { return train().runSettings(); }
  SettingField& field(const char* id) { return *panel().field(QLatin1String(id)); }
  void press(const char* name) { hand.click(panel().findChild<QPushButton*>(QLatin1String(name))); }
  void dragTo(SettingSlider& slider, int position) {
    QCoreApplication::processEvents();  // the panel was just shown
    const int middle = slider.height() / 2;
    hand.drag(&slider, {slider.xOf(slider.value()), middle}, &slider, {slider.xOf(position), middle});
  }
  QVector<SettingChange> changes() { return settingChanges(feed()); }
  /// Before that a busy machine lets a process that was sent the signal answer yet.
  static bool isStopped(pid_t process) {
    std::string words;
    std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), words);
    return words.find(") T ") != std::string::npos;
  }
  static std::string weightsOf(const fs::path& run) {
    const auto latest = latest_checkpoint(run);
    if (!latest) return {};
    const auto bytes = read_file(run / "checkpoints" / latest->name / "model.safetensors", 1 << 24);
    return bytes ? *bytes : std::string();
  }
};

TEST_F(RunSettingsJourney, ASliderIsDraggedAppliedMarkedListedSetBackAndReplayedBitByBit) {
  pauseInTheBeginning();
  SettingField& rate = field("learning_rate");
  const double before = rate.field().value();
  dragTo(rate.slider(), rate.slider().value() + 150);
  const double chosen = rate.field().value();
  EXPECT_GT(chosen, 2 * before);
  EXPECT_TRUE(rate.note().startsWith(QStringLiteral("waits:"))) << rate.note().toStdString();
  hand.fill(&field("clip_norm").field(), QStringLiteral("0.75"));
  hand.key(Qt::Key_Tab);
  LayerStrip& strip = panel().frozen().strip();
  hand.click(&strip, strip.cell(0).center());
  EXPECT_EQ(panel().waiting().size(), 3);
  EXPECT_TRUE(changes().isEmpty()) << "nothing holds before Apply";
  press("applySettings");
  ASSERT_TRUE(test::wait_for([&] { return changes().size() == 1; })) << "the rate is taken while the run is paused";
  action(QStringLiteral("pause"))->trigger();
  ASSERT_TRUE(test::wait_for([&] { return changes().size() == 3; }));
  ASSERT_TRUE(test::wait_for([&] { return feed().epochs().size() >= 3 || feed().ended(); }));
  EXPECT_EQ(changeText(changes()[0]),
            QStringLiteral("Learning rate as scheduled → %1").arg(settingText(rate.id(), {chosen, false})));
  EXPECT_EQ(panel().changes().count(), 3);
  ASSERT_TRUE(test::wait_for(
      [&] { return train().charts().chart(QStringLiteral("loss"))->marks().value(0).text.startsWith(u'1'); }));
  ASSERT_TRUE(isState(RunController::State::idle));
  EXPECT_FALSE(rate.field().isEnabled()) << "the run has ended";
  press("copyRecipe");
  QStringList words = QProcess::splitCommand(QGuiApplication::clipboard()->text());
  ASSERT_EQ(words.mid(0, 3), (QStringList{"netwright-cli", "train", "--replay"}));
  const fs::path again = fs::path(folder.path().toStdString()) / "again";
  words << QStringLiteral("--run-dir") << QString::fromStdString(again.string());
  ASSERT_EQ(QProcess::execute(QString::fromStdString(test::programs_folder() + "/netwright-cli"), words.mid(1)), 0);
  const std::string weights = weightsOf(run().folder().toStdString());
  ASSERT_FALSE(weights.empty());
  EXPECT_EQ(weightsOf(again), weights);
}

/// The training process does not answer.
TEST_F(RunSettingsJourney, ARefusedChangeIsSaidAndTheValueThatHoldsIsShownAgain) {
  pauseInTheBeginning();
  SettingField& clip = field("clip_norm");
  hand.fill(&clip.field(), QStringLiteral("0.75"));
  const auto training = static_cast<pid_t>(run().processId());
  QString said;
  QObject::connect(&session(), &Session::message, &window(), [&](const QString& sentence) { said += sentence; });
  ASSERT_EQ(kill(training, SIGSTOP), 0);
  ASSERT_TRUE(test::wait_for([&] { return isStopped(training); }));
  press("applySettings");
  EXPECT_TRUE(clip.isSent());
  ASSERT_TRUE(test::wait_for([&] { return said.contains(QStringLiteral("rejected")); }, 30000))
      << said.toStdString() << "; " << clip.isSent() << static_cast<int>(run().state());
  EXPECT_FALSE(clip.isSent());
  EXPECT_EQ(clip.field().value(), 0);
  ASSERT_EQ(kill(training, SIGCONT), 0);
  run().stopNow();
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(RunSettingsJourney, AChangeIsSetBackAndDiscardedByTheKeyboard) {
  pauseInTheBeginning();
  SettingField& rate = field("learning_rate");
  EXPECT_TRUE(rate.field().hasFocus()) << "the command leads there";
  ASSERT_TRUE(hand.tabTo(&rate.slider()));
  for (int i = 0; i < 5; ++i) hand.key(Qt::Key_Right);
  ASSERT_TRUE(rate.waiting());
  ASSERT_TRUE(hand.tabTo(panel().findChild<QPushButton*>(QStringLiteral("discardSettings"))));
  hand.key(Qt::Key_Space);
  EXPECT_FALSE(rate.waiting());
  hand.fill(&rate.field(), QStringLiteral("0.02"));
  press("applySettings");
  ASSERT_TRUE(test::wait_for([&] { return changes().size() == 1; }));
  press("setBack");
  ASSERT_TRUE(rate.waiting());
  EXPECT_TRUE(rate.waiting()->scheduled);
  press("applySettings");
  ASSERT_TRUE(test::wait_for([&] { return changes().size() == 2; }));
  EXPECT_TRUE(changes()[1].after.scheduled);
  run().stopNow();
  EXPECT_TRUE(isState(RunController::State::idle));
}

}  // namespace
}  // namespace nw::ui
