// SPDX-License-Identifier: GPL-3.0-or-later
// Long texts typed into the fields of the panels make no panel wider than its window.
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>

#include "tests/monkey/invariants.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

class LongInput : public Journey {
 protected:
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
  }
  /// The visible fields into which text can be typed.
  QVector<QLineEdit*> fields(const QWidget& panel) {
    QVector<QLineEdit*> found;
    for (QLineEdit* field : panel.findChildren<QLineEdit*>())
      if (field->isVisible() && field->isEnabled() && !field->isReadOnly()) found << field;
    return found;
  }
  void typeInto(QPointer<QLineEdit> field, const QString& text) {
    hand.click(field);
    QApplication::clipboard()->setText(text);
    hand.key(Qt::Key_A, Qt::ControlModifier);
    hand.key(Qt::Key_V, Qt::ControlModifier);
    expectRoom(field, "while it is typed");
    hand.key(Qt::Key_Return);
    QCoreApplication::processEvents();
    expectRoom(field, "when it was refused or taken");
    if (field) hand.key(Qt::Key_Escape);
  }
  /// The panels scroll down, never sideways.
  void expectInsideItsPanel(const QWidget& panel, const char* when) {
    for (const QWidget* control : panel.findChildren<QWidget*>()) {
      const bool button = qobject_cast<const QAbstractButton*>(control),
                 field = qobject_cast<const QLineEdit*>(control);
      if ((!button && !field) || !control->isVisible()) continue;
      const int left = control->mapTo(&panel, QPoint()).x();
      EXPECT_TRUE(left >= 0 && left + control->width() <= panel.width())
          << when << ": " << control->objectName().toStdString() << " from " << left << ", " << control->width()
          << " wide, in a panel of " << panel.width();
    }
  }
  void expectRoom(const QPointer<QLineEdit>& field, const char* when) {
    for (const char* panel : {"palettePanel", "settingsPanel", "problemsPanel"})
      expectInsideItsPanel(*child<QWidget>(QLatin1String(panel)), when);
    (void)test::wait_for([&] { return layoutFaults(window()).isEmpty(); }, 1000);
    const QString name = field ? field->objectName() + u' ' + field->accessibleName() : QString();
    for (const QString& fault : layoutFaults(window()))
      ADD_FAILURE() << name.toStdString() << " " << when << ": " << fault.toStdString();
  }
};

TEST_F(LongInput, OfThePanelsLeavesEveryControlInsideTheWindow) {
  const QString words = QString(300, u'W'), digits = QString(60, u'9');
  for (const char* language : {"en", "zh_CN"}) {
    openSmallProject(1, 300);
    desk->setWindowLanguage(QLatin1String(language));
    window().resize(1000, 620);
    QCoreApplication::processEvents();
    for (const char* panel : {"palettePanel", "settingsPanel", "problemsPanel"}) {
      auto* tabs = child<QTabBar>(QString::fromLatin1(panel) + QStringLiteral("Tabs"));
      for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        scene().selection().setCurrent(find("conv1"));
        QCoreApplication::processEvents();
        const auto all = fields(*child<QWidget>(QLatin1String(panel)));
        for (qsizetype k = 0; k < all.size(); ++k) {
          for (const QString& text : {words, digits}) {
            const auto now = fields(*child<QWidget>(QLatin1String(panel)));
            if (k < now.size()) typeInto(now[k], text);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace nw::ui
