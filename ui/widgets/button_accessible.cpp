// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button_accessible.hpp"

#include <QAccessibleWidget>
#include <QCheckBox>
#include <QPushButton>
#include <QRadioButton>
#include <QToolButton>

namespace nw::ui {
namespace {

/// "&Open" is "Open", and "A && B" is "A & B".
QString withoutMnemonic(QString text) {
  for (qsizetype at = text.indexOf(u'&'); at >= 0; at = text.indexOf(u'&', at + 1)) text.remove(at, 1);
  return text;
}

// An interface is made once and can be older than setCheckable() and setMenu(), so it asks the button each time.
class AccessibleButton final : public QAccessibleWidget {
 public:
  explicit AccessibleButton(QAbstractButton* button) : QAccessibleWidget(button) {}
  QAccessible::Role role() const override {
    if (qobject_cast<QRadioButton*>(&button())) return QAccessible::RadioButton;
    if (qobject_cast<QCheckBox*>(&button())) return QAccessible::CheckBox;
    return hasMenu() ? QAccessible::ButtonMenu : QAccessible::Button;
  }
  QString text(QAccessible::Text kind) const override {
    const QString given = QAccessibleWidget::text(kind);
    return given.isEmpty() && kind == QAccessible::Name ? withoutMnemonic(button().text()) : given;
  }
  QAccessible::State state() const override {
    QAccessible::State s = QAccessibleWidget::state();
    s.checkable = button().isCheckable();
    s.checked = button().isChecked();
    s.pressed = button().isDown();
    s.hasPopup = hasMenu();
    if (const auto* push = qobject_cast<QPushButton*>(&button())) s.defaultButton = push->isDefault();
    if (const auto* box = qobject_cast<QCheckBox*>(&button()))
      s.checkStateMixed = box->checkState() == Qt::PartiallyChecked;
    return s;
  }
  QStringList actionNames() const override {
    return widget()->isEnabled() ? QStringList{mainAction(), setFocusAction()} : QStringList{};
  }
  void doAction(const QString& action) override {
    if (action != mainAction()) return QAccessibleWidget::doAction(action);
    // later, for the screen reader waits for this call to end, and a click can open a dialog
    QMetaObject::invokeMethod(
        &button(), [b = &button()] { b->click(); }, Qt::QueuedConnection);
  }
  QStringList keyBindingsForAction(const QString& action) const override {
    const QString keys = button().shortcut().toString();
    return action == mainAction() && !keys.isEmpty() ? QStringList{keys} : QStringList{};
  }

 private:
  QAbstractButton& button() const { return *qobject_cast<QAbstractButton*>(widget()); }
  bool hasMenu() const {
    const auto* push = qobject_cast<QPushButton*>(&button());
    return push && push->menu();
  }
  QString mainAction() const {
    if (hasMenu()) return showMenuAction();
    return button().isCheckable() ? toggleAction() : pressAction();
  }
};

/// `kind`: a class of the object; one that has an interface of its own below these is not asked for.
QAccessibleInterface* makeButton(const QString& kind, QObject* object) {
  static const QStringList kinds = {QStringLiteral("QAbstractButton"), QStringLiteral("QPushButton"),
                                    QStringLiteral("QToolButton"), QStringLiteral("QCheckBox"),
                                    QStringLiteral("QRadioButton")};
  auto* button = kinds.contains(kind) ? qobject_cast<QAbstractButton*>(object) : nullptr;
  const auto* tool = qobject_cast<QToolButton*>(button);
  return button && !(tool && tool->menu()) ? new AccessibleButton(button) : nullptr;
}

}  // namespace

void installButtonAccessibility() {
  static const bool once = [] {
    QAccessible::installFactory(makeButton);
    return true;
  }();
  (void)once;
}

}  // namespace nw::ui
