// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button_accessible.hpp"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QAction>
#include <QCheckBox>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace nw::ui {
namespace {

QAccessibleInterface& voiceOf(QWidget& widget) { return *QAccessible::queryAccessibleInterface(&widget); }
void act(QWidget& widget, const QString& action) {
  voiceOf(widget).actionInterface()->doAction(action);
  QCoreApplication::sendPostedEvents(&widget);
}
void toggle(QWidget& widget) { act(widget, QAccessibleActionInterface::toggleAction()); }

class ButtonVoice : public testing::Test {
 protected:
  ButtonVoice() { installButtonAccessibility(); }
};

TEST_F(ButtonVoice, ToggleIsAClick) {
  QPushButton button(QStringLiteral("Sa&ve && go"));
  button.setCheckable(true);
  const QSignalSpy clicked(&button, &QPushButton::clicked);
  toggle(button);
  EXPECT_EQ(clicked.count(), 1);
  EXPECT_TRUE(button.isChecked());
  EXPECT_TRUE(voiceOf(button).state().checked);
  EXPECT_EQ(voiceOf(button).text(QAccessible::Name), QStringLiteral("Save & go"));
  toggle(button);
  EXPECT_FALSE(voiceOf(button).state().checked);
}

TEST_F(ButtonVoice, TheActionOfAToolButtonIsTriggered) {
  QAction action(QStringLiteral("Grid"));
  action.setCheckable(true);
  QToolButton button;
  button.setDefaultAction(&action);
  const QSignalSpy triggered(&action, &QAction::triggered);
  toggle(button);
  EXPECT_EQ(triggered.count(), 1);
  EXPECT_TRUE(action.isChecked());
  EXPECT_TRUE(voiceOf(button).state().checked);
}

TEST_F(ButtonVoice, ADisabledButtonHasNoAction) {
  QPushButton button(QStringLiteral("Save"));
  button.setCheckable(true);
  button.setEnabled(false);
  EXPECT_TRUE(voiceOf(button).actionInterface()->actionNames().isEmpty());
  toggle(button);
  EXPECT_FALSE(button.isChecked());
}

TEST_F(ButtonVoice, BoxesAndRadioButtonsKeepTheirRolesAndStates) {
  QCheckBox box(QStringLiteral("Shuffle"));
  box.setTristate(true);
  box.setCheckState(Qt::PartiallyChecked);
  EXPECT_EQ(voiceOf(box).role(), QAccessible::CheckBox);
  EXPECT_TRUE(voiceOf(box).state().checkStateMixed);
  QRadioButton radio(QStringLiteral("All"));
  EXPECT_EQ(voiceOf(radio).role(), QAccessible::RadioButton);
  EXPECT_TRUE(voiceOf(radio).state().checkable);
}

TEST_F(ButtonVoice, APlainButtonIsPressed) {
  QPushButton button(QStringLiteral("Save"));
  const QSignalSpy clicked(&button, &QPushButton::clicked);
  QAccessibleInterface& voice = voiceOf(button);
  EXPECT_EQ(voice.actionInterface()->actionNames().value(0), QAccessibleActionInterface::pressAction());
  voice.actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(clicked.count(), 0) << "the call ends before a dialog that the click opens";
  QCoreApplication::sendPostedEvents(&button);
  EXPECT_EQ(clicked.count(), 1);
  EXPECT_FALSE(voice.state().checkable);
}

TEST_F(ButtonVoice, AMenuOpensAfterTheCall) {
  QPushButton button(QStringLiteral("More"));
  QMenu entries;
  entries.addAction(QStringLiteral("Copy"));
  button.setMenu(&entries);
  button.show();
  QAccessibleInterface& voice = voiceOf(button);
  EXPECT_EQ(voice.role(), QAccessible::ButtonMenu);
  EXPECT_TRUE(voice.state().hasPopup);
  QObject::connect(&entries, &QMenu::aboutToShow, &entries, &QWidget::close, Qt::QueuedConnection);
  const QSignalSpy opened(&entries, &QMenu::aboutToShow);
  act(button, QAccessibleActionInterface::showMenuAction());
  EXPECT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }));
}

}  // namespace
}  // namespace nw::ui
