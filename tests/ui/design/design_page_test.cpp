// SPDX-License-Identifier: GPL-3.0-or-later
// Problems with their quick fixes, the window's commands, the values in the status bar, the panels.
#include <QApplication>
#include <QDockWidget>
#include <QUndoView>

#include "tests/ui/design/bench.hpp"
#include "ui/design/outline_tree.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/search_field.hpp"

namespace nw::ui {
namespace {

class TrainPageTest : public DesignTest {
 protected:
  void breakIt() {
    open("lenet5");
    session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
    analysed();
  }
};

TEST_F(TrainPageTest, ListsAProblemAndItsButtonFixesIt) {
  breakIt();
  ASSERT_GE(page.problems().problemCount(), 1);
  const std::string before = text();
  QTest::mouseClick(child<QPushButton>(QStringLiteral("fix-0-0")), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return text() != before; }));
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  expectUndoable(before);
}

TEST_F(TrainPageTest, AfterARepairByKeyboardTheFocusStaysWithTheProblemsOrTheCanvas) {
  breakIt();
  const std::string before = text();
  auto* fix = child<QPushButton>(QStringLiteral("fix-0-0"));
  fix->setFocus();
  ASSERT_TRUE(fix->hasFocus());
  QTest::keyClick(fix, Qt::Key_Space);
  ASSERT_TRUE(QTest::qWaitFor([&] { return text() != before; }));
  EXPECT_EQ(QApplication::focusWidget(), &page.problems());
  analysed();
  ASSERT_EQ(page.problems().problemCount(), 0);
  EXPECT_EQ(QApplication::focusWidget(), &view());
}

TEST_F(TrainPageTest, TheNextProblemIsShownOnTheCanvas) {
  breakIt();
  action(QStringLiteral("next-problem"))->trigger();
  EXPECT_EQ(scene().selection().current(), find("fc1"));
}

TEST_F(TrainPageTest, CountsProblemsAndWork) {
  open("lenet5");
  QWidget* status = page.statusWidget();
  ASSERT_NE(status, nullptr);
  EXPECT_EQ(status->findChild<QLabel*>(QStringLiteral("errorCount"))->text(), QStringLiteral("0"));
  EXPECT_EQ(status->findChild<QLabel*>(QStringLiteral("parameterCount"))->text(),
            grouped(session.analysis().parameters));
  EXPECT_NE(status->findChild<QLabel*>(QStringLiteral("computeFigure"))->text().indexOf(QStringLiteral("0.8")), -1);
  session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  EXPECT_NE(status->findChild<QLabel*>(QStringLiteral("errorCount"))->text(), QStringLiteral("0"));
  status->setParent(nullptr);
  delete status;
}

TEST_F(TrainPageTest, TheWindowsCommandsWorkOnTheCanvas) {
  open("lenet5");
  action(QStringLiteral("select-all"))->trigger();
  EXPECT_EQ(scene().selection().nodes().size(), graph().nodes.size());
  scene().selection().setCurrent(find("relu1"));
  action(QStringLiteral("delete-heal"))->trigger();
  EXPECT_EQ(find("relu1"), 0);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  action(QStringLiteral("zoom-in"))->trigger();
  action(QStringLiteral("zoom-fit"))->trigger();
  action(QStringLiteral("layout"))->trigger();
  EXPECT_TRUE(session.undoStack().canUndo());
}

TEST_F(TrainPageTest, FindGoesToTheOutlineAndDataAndSettingsToTheirTabs) {
  auto* left = child<TabbedPanel>(QStringLiteral("palettePanel"));
  auto* right = child<TabbedPanel>(QStringLiteral("settingsPanel"));
  action(QStringLiteral("find"))->trigger();
  EXPECT_EQ(left->currentPage(), 2);
  action(QStringLiteral("show-data"))->trigger();
  EXPECT_EQ(right->currentPage(), 1);
  action(QStringLiteral("show-settings"))->trigger();
  EXPECT_EQ(right->currentPage(), 2);
}

TEST_F(TrainPageTest, FindKnowsLayersByNameTypeAndShape) {
  open("lenet5");
  analysed();
  action(QStringLiteral("find"))->trigger();
  auto* field = child<TabbedPanel>(QStringLiteral("palettePanel"))->findChild<SearchField*>();
  auto* list = page.findChild<OutlineTree*>();
  const auto finds = [&](const char* typed, const char* names) {
    const auto rows = [&] {
      QStringList all;
      for (int i = 0; i < list->topLevelItemCount(); ++i) all << list->topLevelItem(i)->text(0);
      return all.join(' ');
    };
    field->clear();
    QTest::keyClicks(field, QString::fromUtf8(typed));
    EXPECT_TRUE(QTest::qWaitFor([&] { return rows() == QLatin1String(names); }))
        << typed << ": " << rows().toStdString();
  };
  finds("fc2", "fc2");
  finds("maxpool", "pool1 pool2");
  finds("16x10x10", "conv2 relu2");
  finds("16×10×10", "conv2 relu2");
  finds("6x28x28", "conv1 relu1");
}

TEST_F(TrainPageTest, HiddenPanelsComeBackWithTheLayout) {
  auto* bottom = child<TabbedPanel>(QStringLiteral("problemsPanel"));
  bottom->close();
  EXPECT_FALSE(bottom->isVisible());
  action(QStringLiteral("reset-layout"))->trigger();
  EXPECT_TRUE(bottom->isVisible());
}

TEST_F(TrainPageTest, HistoryListsEveryStep) {
  open("lenet5");
  session.push(remove_nodes(session.doc(), "", {find("relu1")}, true), QStringLiteral("Delete"));
  EXPECT_EQ(child<QUndoView>(QStringLiteral("history"))->model()->rowCount(), 2);
}

TEST_F(TrainPageTest, TheLogKeepsEveryMessage) {
  Q_EMIT session.message(QStringLiteral("Something <b>plain</b>"), 1);
  auto* log = child<QListWidget>(QStringLiteral("log"));
  ASSERT_EQ(log->count(), 1);
  EXPECT_TRUE(log->item(0)->text().contains(QStringLiteral("<b>plain</b>")));
}

}  // namespace
}  // namespace nw::ui
