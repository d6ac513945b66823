// SPDX-License-Identifier: GPL-3.0-or-later
// User-defined shortcuts: effective at once, stored, reported on a conflict, and reset.
#include "ui/page/shortcuts.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/shell/preferences/shortcuts_page.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/command_palette.hpp"

namespace nw::ui {
namespace {

struct Shortcuts : testing::Test {
  ~Shortcuts() override { resetAllKeys(); }
  static QKeySequence key(const char* written) { return QKeySequence(QLatin1String(written)); }
  static QAction& of(const char* id) { return *action(QLatin1String(id)); }
};

TEST_F(Shortcuts, TakeEffectAtOnceAndAreSaved) {
  setKeys(QStringLiteral("train"), {key("Ctrl+R")});
  EXPECT_EQ(of("train").shortcut(), key("Ctrl+R"));
  EXPECT_TRUE(of("train").toolTip().contains(QStringLiteral("Ctrl+R"))) << of("train").toolTip().toStdString();
  EXPECT_EQ(shortcutText(of("train")), QStringLiteral("Ctrl+R"));
  EXPECT_EQ(QSettings().value(QStringLiteral("keys/train")).toString(), QStringLiteral("Ctrl+R"));
  EXPECT_TRUE(areOwnKeys(QStringLiteral("train")));
  resetKeys(QStringLiteral("train"));
  EXPECT_EQ(of("train").shortcut(), key("F5"));
  EXPECT_FALSE(QSettings().contains(QStringLiteral("keys/train")));
}

TEST_F(Shortcuts, BelongToOneCommandOnly) {
  EXPECT_EQ(holderOf(key("Ctrl+Y"), QStringLiteral("train")), QStringLiteral("redo"));
  EXPECT_EQ(holderOf(key("M"), QStringLiteral("train")), QStringLiteral("bypass"));
  EXPECT_EQ(holderOf(key("F5"), QStringLiteral("train")), QString());
  setKeys(QStringLiteral("train"), {key("Ctrl+Y")});
  EXPECT_EQ(of("redo").shortcuts(), QList<QKeySequence>{key("Ctrl+Shift+Z")}) << "the other key stays";
  setKeys(QStringLiteral("redo"), usualKeys(QStringLiteral("redo")));
  EXPECT_TRUE(of("train").shortcuts().isEmpty());
}

TEST_F(Shortcuts, RejectKeysThatTextFieldsNeed) {
  EXPECT_FALSE(rejectionOf(key("T"), QStringLiteral("train")).isEmpty());
  EXPECT_FALSE(rejectionOf(key("Shift+T"), QStringLiteral("train")).isEmpty());
  EXPECT_TRUE(rejectionOf(key("Ctrl+T"), QStringLiteral("train")).isEmpty());
  EXPECT_TRUE(rejectionOf(key("F7"), QStringLiteral("train")).isEmpty());
  EXPECT_TRUE(rejectionOf(key("T"), QStringLiteral("bypass")).isEmpty()) << "the canvas listens to letters";
  EXPECT_FALSE(rejectionOf(key("Tab"), QStringLiteral("bypass")).isEmpty());
}

TEST_F(Shortcuts, ReachTheCanvasToo) {
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  auto& design = *static_cast<DesignPage*>(desk.window().page(QStringLiteral("design")));
  GraphView& view = design.canvas().view();
  const auto bypassed = [&] { return view.graph().graph().nodes.at(view.graph().selection().current()).bypassed; };
  for (const auto& [id, node] : view.graph().graph().nodes)
    if (node.type == "ReLU") view.graph().selection().setCurrent(id);
  setKeys(QStringLiteral("bypass"), {key("B")});
  QTest::keyClick(&view, Qt::Key_M);
  EXPECT_FALSE(bypassed());
  QTest::keyClick(&view, Qt::Key_B);
  EXPECT_TRUE(bypassed());
  EXPECT_TRUE(of("bypass").shortcuts().isEmpty()) << "a letter alone is no shortcut of the window";
  EXPECT_EQ(shortcutText(of("bypass")), QStringLiteral("B"));
}

struct ShortcutsPageTest : Shortcuts {
  ShortcutsPageTest() {
    page.resize(640, 480);
    page.show();
    page.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&page));
  }
  QPushButton* button(const char* text) {
    for (QPushButton* b : page.findChildren<QPushButton*>())
      if (b->text() == QLatin1String(text)) return b;
    return nullptr;
  }
  void press(Qt::Key k, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(page.findChild<KeyField*>(), k, keys); }
  bool says(const char* words) {
    for (const QLabel* label : page.findChildren<QLabel*>())
      if (label->text().contains(QString::fromUtf8(words))) return true;
    return false;
  }
  ShortcutsPage page;
  QTreeWidget& list = *page.findChild<QTreeWidget*>();
};

TEST_F(ShortcutsPageTest, FindsCommandsByTheirNameAndByTheirKeys) {
  auto* search = page.findChildren<QLineEdit*>().front();
  QTest::keyClicks(search, QStringLiteral("f5"));
  ASSERT_EQ(list.topLevelItemCount(), 2);  // start training, and stop with Shift
  EXPECT_EQ(list.topLevelItem(0)->text(0), QStringLiteral("Start training"));
  EXPECT_EQ(list.topLevelItem(0)->text(1), QStringLiteral("F5"));
  search->clear();
  QTest::keyClicks(search, QStringLiteral("actual"));
  ASSERT_EQ(list.topLevelItemCount(), 1);
  EXPECT_EQ(list.topLevelItem(0)->text(1), QStringLiteral("Ctrl+0"));
}

TEST_F(ShortcutsPageTest, NamesTheCommandThatHadTheKeys) {
  page.choose(QStringLiteral("train"));
  press(Qt::Key_S, Qt::ControlModifier);
  EXPECT_TRUE(says("is assigned to “Save”"));
  EXPECT_EQ(of("save").shortcut(), key("Ctrl+S")) << "nothing is changed yet";
  press(Qt::Key_Return);
  EXPECT_EQ(of("train").shortcut(), key("Ctrl+S"));
  EXPECT_TRUE(of("save").shortcuts().isEmpty());
  QTest::mouseClick(button("Reset all"), Qt::LeftButton);
  EXPECT_EQ(of("save").shortcut(), key("Ctrl+S"));
  EXPECT_EQ(of("train").shortcut(), key("F5"));
  EXPECT_FALSE(button("Reset all")->isEnabled());
}

TEST_F(ShortcutsPageTest, RemovesKeysAndRestoresTheDefaults) {
  page.choose(QStringLiteral("find"));
  QTest::mouseClick(button("No keys"), Qt::LeftButton);
  EXPECT_TRUE(of("find").shortcuts().isEmpty());
  EXPECT_FALSE(button("No keys")->isEnabled());
  EXPECT_TRUE(says("Included with Netwright: Ctrl+F"));
  QTest::mouseClick(button("Reset"), Qt::LeftButton);
  EXPECT_EQ(of("find").shortcut(), key("Ctrl+F"));
}

TEST_F(ShortcutsPageTest, RejectsALetterForACommandOfTheWholeWindow) {
  page.choose(QStringLiteral("train"));
  press(Qt::Key_T);
  EXPECT_FALSE(button("Assign")->isEnabled());
  press(Qt::Key_Return);
  EXPECT_EQ(of("train").shortcut(), key("F5"));
}

TEST_F(ShortcutsPageTest, LeavesItsFieldWithTab) {
  page.choose(QStringLiteral("train"));
  page.findChild<KeyField*>()->setFocus();
  QTest::keyClick(page.windowHandle(), Qt::Key_Tab);
  EXPECT_FALSE(page.findChild<KeyField*>()->hasFocus());
}

}  // namespace
}  // namespace nw::ui
