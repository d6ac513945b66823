// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers out of range, typed into fields of the whole window: the text stays, the limits are said at the field, the
// nearest permitted number is offered, and the setting is unchanged until it is taken.
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include "engine/design/transform.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/design/inspector.hpp"
#include "ui/page/page.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"

namespace nw::ui {
namespace {

class NumbersOutOfRange : public Journey {
 protected:
  NumberSpin* setting(const char* id) {
    action(QStringLiteral("show-settings"))->trigger();
    return qobject_cast<NumberSpin*>(window().findChild<SettingsPanel*>()->control(QLatin1String(id)));
  }
  NumberSpin* ofData(const char* id) {
    action(QStringLiteral("show-data"))->trigger();
    return qobject_cast<NumberSpin*>(window().findChild<DataPanel*>()->control(QLatin1String(id)));
  }
  NumberSpin* ofLayer(const char* layer, const char* field) {
    hand.click(view().viewport(), nodePosition(view(), find(layer)));
    return qobject_cast<NumberSpin*>(design().inspector().editorOf(QLatin1String(field)));
  }
  /// The visible note about a typed text.
  static RefusalNote* noteOn(const QString& text, const QWidget& window) {
    for (RefusalNote* note : window.findChildren<RefusalNote*>())
      if (note->isVisible() && note->sentence().startsWith(text)) return note;
    return nullptr;
  }
  /// Types each text, then takes the nearest number, which must be `nearest`.
  void expectRefused(NumberSpin* spin, const std::vector<std::pair<const char*, double>>& texts) {
    ASSERT_NE(spin, nullptr);
    for (const auto& [typed, nearest] : texts) {
      SCOPED_TRACE(spin->accessibleName().toStdString() + ": " + typed);
      const GraphDoc before = session().doc();
      const QString text = QLatin1String(typed);
      hand.fill(spin, text);
      EXPECT_TRUE(spin->isRefused());
      EXPECT_EQ(spin->text(), text);
      EXPECT_EQ(session().doc(), before);
      RefusalNote* note = noteOn(text, *spin->window());
      ASSERT_NE(note, nullptr) << "nothing says why";
      EXPECT_TRUE(note->sentence().contains(QString::number(spin->minimum(), 'g', 8)));
      const QPoint field = spin->mapToGlobal(QPoint(0, spin->height()));
      EXPECT_GE(note->mapToGlobal(QPoint()).y(), field.y()) << "it stands below its field";
      EXPECT_LT(note->mapToGlobal(QPoint()).y() - field.y(), 90) << "and at it";
      hand.click(&note->useNearest());
      EXPECT_FALSE(spin->isRefused());
      EXPECT_DOUBLE_EQ(spin->value(), nearest);
      EXPECT_FALSE(note->isVisible());
    }
  }
};

TEST_F(NumbersOutOfRange, InTheTrainingSettings) {
  openSmallProject(1);
  NumberSpin* rate = setting("learning_rate");
  ASSERT_NE(rate, nullptr);
  expectRefused(rate, {{"1e99", rate->maximum()}, {"-5", rate->minimum()}});
  expectRefused(setting("epochs"), {{"1e99", 100000}, {"-5", 1}, {"2.5", 3}});
}

TEST_F(NumbersOutOfRange, AsMomentum) {
  openSmallProject(1);
  NumberSpin* momentum = setting("momentum");
  ASSERT_NE(momentum, nullptr);
  ASSERT_TRUE(momentum->isVisible());
  const double before = session().doc().settings().optimizer.value("momentum");
  hand.fill(momentum, QStringLiteral("2"));
  EXPECT_EQ(momentum->text(), QStringLiteral("2"));
  EXPECT_DOUBLE_EQ(session().doc().settings().optimizer.value("momentum"), before);
  hand.fill(momentum, QStringLiteral("0.5"));
  expectRefused(momentum, {{"2", momentum->maximum()}, {"-5", 0}});
}

TEST_F(NumbersOutOfRange, AsLabelSmoothingAndInATransform) {
  openSmallProject(1);
  expectRefused(setting("label_smoothing"), {{"1e99", 0.9}, {"-5", 0}});
  TrainSettings settings = session().doc().settings();
  for (const TransformType& type : all_transforms())
    if (settings.transforms.empty() && !type.fields.empty()) settings.transforms.push_back(default_transform(type));
  ASSERT_FALSE(settings.transforms.empty());
  session().push({PutSettings{settings}}, QStringLiteral("Add"));
  for (NumberSpin* spin : window().findChild<SettingsPanel*>()->findChildren<NumberSpin*>())
    if (spin->objectName().startsWith(QStringLiteral("transform.0")))
      expectRefused(spin, {{"1e99", spin->maximum()}, {"-99", spin->minimum()}});
}

TEST_F(NumbersOutOfRange, AFieldOfTheLossKeepsTheFocusWhenSomethingElseChanges) {
  openSmallProject(1);
  NumberSpin* smoothing = setting("label_smoothing");
  hand.click(smoothing);
  hand.type(QStringLiteral("0"));
  ASSERT_TRUE(smoothing->hasFocus());
  TrainSettings settings = session().doc().settings();
  settings.epochs = 7;
  session().push({PutSettings{settings}}, QStringLiteral("Set the epochs"));
  QCoreApplication::processEvents();
  EXPECT_TRUE(smoothing->hasFocus());
}

TEST_F(NumbersOutOfRange, InTheInspector) {
  openSmallProject(1);
  NumberSpin* filters = ofLayer("conv1", "out_channels");
  ASSERT_NE(filters, nullptr);
  expectRefused(filters, {{"1e99", filters->maximum()}, {"-5", filters->minimum()}});
  NumberSpin* kernel = ofLayer("conv1", "kernel_size");
  ASSERT_NE(kernel, nullptr);
  expectRefused(kernel, {{"-5", kernel->minimum()}});
}

TEST_F(NumbersOutOfRange, InTheDataPanel) {
  openSmallProject(1);
  NumberSpin* images = ofData("synthetic_test");
  ASSERT_NE(images, nullptr);
  expectRefused(images, {{"-5", images->minimum()}, {"1e99", images->maximum()}});
}

TEST_F(NumbersOutOfRange, InThePreferencesEnterDoesNotCloseThem) {
  openWindow();
  PreferencesDialog dialog(session());
  dialog.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
  auto* threads = dialog.findChild<NumberSpin*>(QStringLiteral("preferredThreads"));
  ASSERT_NE(threads, nullptr);
  hand.click(threads);
  hand.key(Qt::Key_A, Qt::ControlModifier);
  hand.type(QStringLiteral("5000"));
  hand.key(Qt::Key_Return);
  EXPECT_TRUE(dialog.isVisible());
  EXPECT_EQ(threads->text(), QStringLiteral("5000"));
  RefusalNote* note = noteOn(QStringLiteral("5000"), dialog);
  ASSERT_NE(note, nullptr);
  hand.click(&note->useNearest());
  EXPECT_DOUBLE_EQ(threads->value(), threads->maximum());
  EXPECT_EQ(preferences().threads, static_cast<int>(threads->maximum()));
}

}  // namespace
}  // namespace nw::ui
