// SPDX-License-Identifier: GPL-3.0-or-later
// The edit history: its names, and navigation by clicks and by keys.
#include <gtest/gtest.h>

#include <QTabBar>
#include <QTest>
#include <QUndoView>

#include "engine/design/project_file.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct History : testing::Test {
  Session session;
  DesignPage page{session};
  QUndoView* list = nullptr;
  void SetUp() override {
    session.replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5"));
    page.resize(1400, 900);
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    texts << text();
    edit("Bypass", QStringLiteral("bypass"));
    edit("Freeze", QStringLiteral("freeze"));
    edit("Collapse", QStringLiteral("collapse"));
    action(QStringLiteral("show-history"))->trigger();
    list = page.findChild<QUndoView*>();
    ASSERT_NE(list, nullptr);
  }
  std::string text() { return ProjectFile::text(session.doc()); }
  void edit(const char* name, const QString& command) {
    enableActionsFor(QStringLiteral("design"));
    for (const auto& [id, node] : session.doc().graph().nodes)
      if (node.name == "relu1") page.canvas().scene().selection().setCurrent(id);
    action(command)->trigger();
    names << QString::fromLatin1(name);
    texts << text();
  }
  void click(int row) {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
  }
  QStringList names;
  QList<std::string> texts;
};

TEST_F(History, NamesEveryEditAfterTheStart) {
  ASSERT_TRUE(list->isVisible());
  ASSERT_EQ(list->model()->rowCount(), 4);
  EXPECT_EQ(list->model()->index(0, 0).data().toString(), QStringLiteral("As opened"));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(list->model()->index(i + 1, 0).data().toString().startsWith(names[i])) << i;
  EXPECT_EQ(list->currentIndex().row(), 3);
}

TEST_F(History, AClickRestoresTheStateAfterThatEdit) {
  for (const int row : {1, 3, 0, 2}) {
    click(row);
    EXPECT_EQ(text(), texts[row]) << row;
    EXPECT_EQ(session.undoStack().index(), row);
  }
}

TEST_F(History, TheArrowKeysMoveThroughIt) {
  ASSERT_TRUE(list->hasFocus());
  QTest::keyClick(list, Qt::Key_Up);
  EXPECT_EQ(text(), texts[2]);
  QTest::keyClick(list, Qt::Key_Home);
  EXPECT_EQ(text(), texts[0]);
  QTest::keyClick(list, Qt::Key_End);
  EXPECT_EQ(text(), texts[3]);
}

}  // namespace
}  // namespace nw::ui
