// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for numbers: what they show, take, and offer in place of a number that is refused.
#include "tests/ui/settings/settings_panel_fixture.hpp"

namespace nw::ui {
namespace {

TEST(NumberSpin, ShowsSmallNumbersWithoutTrailingZerosAndStepsInOneTwoFive) {
  NumberSpin spin(false, 1e-8, 100, 0);
  spin.setValue(0.001);
  EXPECT_EQ(spin.text(), QStringLiteral("0.001"));
  spin.stepUp();
  EXPECT_EQ(spin.text(), QStringLiteral("0.002"));
  spin.stepUp();
  EXPECT_EQ(spin.text(), QStringLiteral("0.005"));
  spin.stepUp();
  EXPECT_EQ(spin.text(), QStringLiteral("0.01"));
  spin.stepDown();
  spin.stepDown();
  EXPECT_EQ(spin.text(), QStringLiteral("0.002"));
}

TEST(NumberSpin, AcceptsItsWordForZeroAndBothDecimalSigns) {
  NumberSpin spin(false, 0, 10, 0);
  spin.setZeroText(QStringLiteral("off"));
  EXPECT_EQ(spin.text(), QStringLiteral("off"));
  QString typed = QStringLiteral("0,05");
  int at = 0;
  EXPECT_EQ(static_cast<QAbstractSpinBox&>(spin).validate(typed, at), QValidator::Acceptable);
  typed = QStringLiteral("abc");
  EXPECT_EQ(static_cast<QAbstractSpinBox&>(spin).validate(typed, at), QValidator::Invalid);
  typed = QStringLiteral("99");
  EXPECT_EQ(static_cast<QAbstractSpinBox&>(spin).validate(typed, at), QValidator::Intermediate);
  spin.stepUp();
  EXPECT_EQ(spin.text(), QStringLiteral("0.0001"));
  spin.stepDown();
  EXPECT_EQ(spin.text(), QStringLiteral("off"));
}

TEST(NumberSpin, WholeNumbersDouble) {
  NumberSpin spin(true, 1, 65536, 0);
  spin.setValue(64);
  spin.stepUp();
  EXPECT_EQ(spin.value(), 128);
  spin.stepDown();
  spin.stepDown();
  EXPECT_EQ(spin.value(), 32);
}

class RefusedNumber : public SettingsPanelTest {
 protected:
  /// Types into the field of the learning rate, from 1e-8 to 100, as a user does.
  void typeRate(const char* text) {
    panel->setVisible(true);
    NumberSpin* field = spin("learning_rate");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QLatin1String(text));
    QTest::keyClick(field, Qt::Key_Return);
  }
  QPushButton* nearest() { return spin("learning_rate")->parentWidget()->findChild<QPushButton*>(); }
  QString limits() {
    QStringList shown;
    for (const SeverityLabel* label : spin("learning_rate")->parentWidget()->findChildren<SeverityLabel*>())
      if (!label->isHidden()) shown << label->sentence();
    return shown.join(u'|');
  }
};

TEST_F(RefusedNumber, StaysInItsFieldAndTheSettingKeepsItsValue) {
  const double before = settings().learning_rate;
  for (const char* text : {"1e99", "-5", "200", "1e", "-"}) {
    typeRate(text);
    EXPECT_TRUE(spin("learning_rate")->isRefused()) << text;
    EXPECT_EQ(spin("learning_rate")->text().toStdString(), text);
    EXPECT_DOUBLE_EQ(settings().learning_rate, before) << text;
    EXPECT_TRUE(limits().contains(QString::number(spin("learning_rate")->maximum(), 'g', 8))) << limits().toStdString();
  }
}

TEST_F(RefusedNumber, TheNearestPermittedNumberIsOffered) {
  typeRate("200");
  ASSERT_FALSE(nearest()->isHidden());
  EXPECT_TRUE(nearest()->text().contains(QString::number(spin("learning_rate")->maximum(), 'g', 8)));
  nearest()->click();
  EXPECT_FALSE(spin("learning_rate")->isRefused());
  EXPECT_DOUBLE_EQ(settings().learning_rate, spin("learning_rate")->maximum());
  EXPECT_TRUE(limits().isEmpty());
  typeRate("1e");
  EXPECT_TRUE(nearest()->isHidden()) << "it is not a number";
}

TEST_F(RefusedNumber, TheLimitIsOfferedByItsOwnNumberAlsoWhereItIsTheValueAlready) {
  typeRate("100");
  typeRate("200");
  EXPECT_TRUE(nearest()->text().contains(QStringLiteral("100"))) << nearest()->text().toStdString();
}

TEST_F(RefusedNumber, EscapeAndAPermittedNumberEndIt) {
  const double before = settings().learning_rate;
  typeRate("700");
  QTest::keyClick(spin("learning_rate"), Qt::Key_Escape);
  EXPECT_DOUBLE_EQ(spin("learning_rate")->text().toDouble(), before);
  EXPECT_TRUE(limits().isEmpty());
  typeRate("700");
  typeRate("0.5");
  EXPECT_FALSE(spin("learning_rate")->isRefused());
  EXPECT_DOUBLE_EQ(settings().learning_rate, 0.5);
}

TEST_F(RefusedNumber, EndsWhenUndoChangesTheValue) {
  typeRate("0.5");
  typeRate("200");
  ASSERT_FALSE(limits().isEmpty());
  session->undoStack().undo();
  EXPECT_FALSE(spin("learning_rate")->isRefused());
  EXPECT_TRUE(limits().isEmpty()) << limits().toStdString();
  EXPECT_DOUBLE_EQ(spin("learning_rate")->text().toDouble(), settings().learning_rate);
  EXPECT_NE(settings().learning_rate, 0.5);
}

/// "12" is permitted on the way to "12345678901": the setting must not keep it.
TEST_F(RefusedNumber, AShorterNumberThatWasTypedOnTheWayIsNotKept) {
  const auto before = settings().epochs;
  NumberSpin* field = spin("epochs");
  panel->setVisible(true);
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, QStringLiteral("12345678901"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(field->isRefused());
  EXPECT_EQ(field->text().left(11), QStringLiteral("12345678901"));
  EXPECT_EQ(settings().epochs, before);
}

}  // namespace
}  // namespace nw::ui
