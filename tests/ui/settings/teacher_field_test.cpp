// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher among the training settings: chosen from the runs, removed, and what cannot be one.
#include "ui/settings/teacher_field.hpp"

#include "tests/engine/train/trial.hpp"
#include "tests/support/wait_for.hpp"
#include "tests/ui/settings/settings_panel_fixture.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/settings/panel_row.hpp"

namespace nw::ui {
namespace {

class TeacherFieldTest : public SettingsPanelTest {
 protected:
  TeacherFieldTest() : trial([](TrainSettings& s, DataChoice&) { s.epochs = 1; }) {
    EXPECT_TRUE(trial.run());
    session->run().setRunsFolder(QString::fromStdString(trial.request.run.parent_path().string()));
  }
  TeacherField* field() { return panel->findChild<TeacherField*>(); }
  std::optional<Distillation> teacher() { return *distillation(session->doc()); }
  QAction* entry(const QString& text) {
    field()->button()->click();
    QMenu* menu = nullptr;
    EXPECT_TRUE(test::wait_for([&] {
      menu = field()->findChild<QMenu*>(QStringLiteral("teacherMenu"));
      return menu && menu->isVisible();
    }));
    for (QAction* a : menu->actions())
      if (a->text() == text) return a;
    ADD_FAILURE() << text.toStdString();
    return menu->actions().front();
  }
  void take(const QString& text) {
    QAction* chosen = entry(text);
    QWidget* menu = static_cast<QWidget*>(chosen->parent());
    chosen->trigger();
    menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  Trial trial;
};

TEST_F(TeacherFieldTest, ARunIsChosenItsNumbersAreSetAndUndoTakesItBack) {
  auto* temperature = panel->findChild<NumberSpin*>(QStringLiteral("teacherTemperature"));
  EXPECT_FALSE(temperature->isVisibleTo(panel.get())) << "without a teacher there is nothing to set";
  EXPECT_EQ(field()->button()->text(), QStringLiteral("none"));
  take(QStringLiteral("run"));
  ASSERT_TRUE(test::wait_for([&] { return teacher().has_value(); }));
  EXPECT_EQ(teacher()->run, trial.request.run.string());
  EXPECT_EQ(teacher()->sha256.size(), 64U);
  EXPECT_EQ(field()->button()->text(), QStringLiteral("run"));
  EXPECT_TRUE(temperature->isVisibleTo(panel.get()));
  temperature->setValue(2);
  temperature->setValue(3);
  panel->findChild<NumberSpin*>(QStringLiteral("teacherWeight"))->setValue(0.5);
  EXPECT_EQ(teacher()->temperature, 3);
  EXPECT_EQ(teacher()->weight, 0.5);
  session->undoStack().undo();
  session->undoStack().undo();
  EXPECT_EQ(teacher()->temperature, 4) << "typing is one step";
  take(QStringLiteral("None"));
  EXPECT_FALSE(teacher());
  session->undoStack().undo();
  EXPECT_TRUE(teacher());
}

TEST_F(TeacherFieldTest, ARunWithoutCheckpointsIsRefusedBelowTheField) {
  field()->choose(trial.request.run / "nothing");
  const auto said = [&] {
    for (const auto* label : field()->findChildren<SeverityLabel*>())
      if (!label->sentence().isEmpty()) return true;
    return false;
  };
  EXPECT_TRUE(test::wait_for(said));
  EXPECT_FALSE(teacher());
}

}  // namespace
}  // namespace nw::ui
