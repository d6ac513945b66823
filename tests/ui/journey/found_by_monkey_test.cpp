// SPDX-License-Identifier: GPL-3.0-or-later
// Defects that tests/monkey found in the whole window, one test for each.
#include <QAbstractItemView>
#include <QDir>
#include <QDockWidget>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <algorithm>

#include "tests/monkey/hands.hpp"
#include "tests/monkey/invariants.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/journey.hpp"
#include "tests/ui/journey/pseudo_locale.hpp"
#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/page/actions.hpp"
#include "ui/runs/run_table.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/guide.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {
namespace {

class FoundByMonkey : public Journey {
 protected:
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  void resizeWindow(int width, int height) {
    window().resize(width, height);
    QCoreApplication::processEvents();
  }
  void expectRoom(const char* when) {
    (void)test::wait_for([&] { return layoutFaults(window()).isEmpty(); }, 3000);
    for (const QString& fault : layoutFaults(window())) ADD_FAILURE() << when << ": " << fault.toStdString();
  }
  CoachMark* guide() {
    window().findChild<Guide*>()->start();
    return window().findChild<CoachMark*>();
  }
};

/// A panel closed between Ctrl and C, and C went to a window that was gone.
TEST(MonkeyHands, AKeyIsNotSentToAWindowThatItsModifierCloses) {
  class Closing : public QWidget {
   public:
    void keyPressEvent(QKeyEvent*) override {
      QTimer::singleShot(0, this, [this] { delete this; });
    }
  };
  const QPointer<Closing> window = new Closing;
  window->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window));
  pressKey(window->windowHandle(), {Qt::Key_C, Qt::ControlModifier});
  EXPECT_FALSE(window);
}

TEST(MonkeyHands, TwoPressesAreADoubleClickAndModifiersAreHeld) {
  class Heard : public QWidget {
   public:
    void mouseDoubleClickEvent(QMouseEvent*) override { ++doubleClicks; }
    void keyPressEvent(QKeyEvent* e) override { keys << QKeySequence(e->keyCombination()).toString(); }
    int doubleClicks = 0;
    QStringList keys;
  };
  Heard window;
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  doubleClickAt(window.windowHandle(), {}, {5, 5});
  EXPECT_EQ(window.doubleClicks, 1);
  pressKey(window.windowHandle(), {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier});
  EXPECT_EQ(window.keys.last(), QStringLiteral("Ctrl+Shift+Z"));
}

/// A finished run that is shown while another one trains.
TEST_F(FoundByMonkey, TheButtonsOfANoticeAreWholeBesideItsTitle) {
  const test::TemporaryFolder place;
  test::RunWriter written(place.path() / "runs", test::definition_of("lenet5", 1000));
  test::write_training(written, {.epochs_done = 4, .best = 0.93, .end = EndReason::stopped});
  openSmallProject(1);
  resizeWindow(1000, 620);
  window().openRun(QString::fromStdString(written.folder().string()), QStringLiteral("train"));
  auto* bar = train().findChild<NoticeBar*>();
  ASSERT_TRUE(test::wait_for([&] { return bar && bar->isVisible(); }));
  Notice notice = bar->notice();
  notice.title = QStringLiteral("Training stopped after epoch 4 of 10, with a best accuracy of 93.12 % in epoch 3");
  notice.actions = {QStringLiteral("predict"), QStringLiteral("adapt"), QStringLiteral("show-active")};
  bar->setNotice(notice);  // another run trains
  QTest::qWait(50);
  for (const QPushButton* b : bar->findChildren<QPushButton*>())
    EXPECT_GE(b->width(), b->sizeHint().width()) << b->text().toStdString();
}

TEST_F(FoundByMonkey, StartingStoppingAndStopNowAreNotCutOff) {
  for (const char* language : {"en", "zh_CN"}) {
    openSmallProject(50, 2000);
    desk->setWindowLanguage(QLatin1String(language));
    resizeWindow(1024, 700);
    startByButton();
    expectRoom("starting or running");
    ASSERT_TRUE(isState(RunController::State::running));
    ASSERT_GT(run().processId(), 0);
    ::kill(static_cast<pid_t>(run().processId()), SIGSTOP);  // the state stays until the process answers
    run().stop();
    ASSERT_EQ(run().state(), RunController::State::stopping);
    expectRoom("stopping");
    ::kill(static_cast<pid_t>(run().processId()), SIGCONT);
    ASSERT_TRUE(isState(RunController::State::idle));
  }
}

TEST_F(FoundByMonkey, TheGuideStaysInsideAWindowThatBecomesSmall) {
  openSmallProject(1, 300);
  resizeWindow(3840, 2160);
  CoachMark* mark = guide();
  ASSERT_NE(mark, nullptr);
  mark->pointAt({3000, 1900, 200, 60});  // a target that the small window does not have
  resizeWindow(1000, 620);
  mark->pointAt({3000, 1900, 200, 60});
  EXPECT_TRUE(window().rect().contains(mark->geometry()));
  window().findChild<Guide*>()->stop();
}

TEST_F(FoundByMonkey, TheGuideAndANotificationDoNotCoverEachOther) {
  openSmallProject(1, 300);
  resizeWindow(1024, 700);
  CoachMark* mark = guide();
  ASSERT_NE(mark, nullptr);
  window().showPage(QStringLiteral("runs"));  // where no step of the guide has a control
  session().message(QStringLiteral("A sentence that stays until it is closed."), 1);
  ASSERT_TRUE(window().banner().isVisible());
  ASSERT_TRUE(test::wait_for([&] { return mark->place().isEmpty(); }, 3000)) << "the page lacks the step's control";
  const auto overlap = [&] { return mark->geometry().intersects(window().banner().geometry()); };
  EXPECT_FALSE(overlap()) << "both stand at the lower edge";
  window().banner().hide();
  mark->keepFree({});
  session().message(QStringLiteral("Another sentence."), 1);
  EXPECT_FALSE(overlap()) << "it moves at once, not at the next look at the step";
  EXPECT_TRUE(mark->place().isEmpty()) << "it moved out of the way, and not to the control of a next step";
  window().findChild<Guide*>()->stop();
}

TEST_F(FoundByMonkey, FiguresOfTheStatusBarAreNotCutOffWhenTheNetworkGrows) {
  openSmallProject(1, 300);
  window().showPage(QStringLiteral("design"));
  for (int width = 1024; width < 1500; width += 28) {
    resizeWindow(width, 700);
    session().push(set_attr(session().doc(), "", find("fc1"), "out_features", std::int64_t{9}),
                   QStringLiteral("small"));
    analysed();
    expectRoom("small network");
    session().push(set_attr(session().doc(), "", find("fc1"), "out_features", std::int64_t{54321}),
                   QStringLiteral("large"));
    analysed();
    expectRoom("large network");
  }
}

TEST_F(FoundByMonkey, ASecondEditorOfANameEndsTheFirst) {
  openSmallProject(1, 300);
  window().showPage(QStringLiteral("design"));
  QWidget other;  // in a window that is not active the focus leaves a field without an event
  other.show();
  other.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&other));
  editName(view(), find("conv1"));
  auto* first = view().viewport()->findChild<QLineEdit*>(QStringLiteral("inlineEdit"));
  ASSERT_NE(first, nullptr);
  first->setText(QStringLiteral("stem"));
  editName(view(), find("conv2"));
  int open = 0;
  for (const QLineEdit* editor : view().viewport()->findChildren<QLineEdit*>(QStringLiteral("inlineEdit")))
    open += editor->isVisible();
  EXPECT_EQ(open, 1);
  EXPECT_NE(find("stem"), NodeId{0}) << "what was typed is kept";
}

TEST_F(FoundByMonkey, TheSmallestWindowHasRoomForEveryPage) {
  for (const char* language : {"en", "zh_CN"}) {
    openSmallProject(1, 300);
    desk->setWindowLanguage(QLatin1String(language));
    resizeWindow(1, 1);
    EXPECT_EQ(window().size(), window().minimumSize());
    for (const char* page : {"welcome", "design", "train", "predict", "runs"}) {
      window().showPage(QLatin1String(page));
      expectRoom(page);
    }
    window().showPage(QStringLiteral("design"));
    ASSERT_TRUE(session().push(remove_nodes(session().doc(), "", {find("flatten")}, false), QStringLiteral("Delete")));
    analysed();
    expectRoom("problems with quick fixes");
  }
}

TEST_F(FoundByMonkey, APanelThatIsDraggedAndPutBackDoesNotCoverTheCanvas) {
  openSmallProject(1, 300);
  resizeWindow(1366, 768);
  window().showPage(QStringLiteral("design"));
  auto* panel = child<QWidget>(QStringLiteral("problemsPanel"));
  panel->show();
  ASSERT_TRUE(test::wait_for([&] { return panel->isVisible(); }));
  child<QWidget>(QStringLiteral("settingsPanel"))->hide();
  analysed();
  const QPoint from = panel->mapTo(&window(), QPoint(873, 3)),
               to = view().viewport()->mapTo(&window(), QPoint(1013, 379));
  for (int round = 0; round < 2; ++round) {
    QWindow* screen = window().windowHandle();
    QTest::mouseMove(screen, from);
    QTest::mousePress(screen, Qt::LeftButton, {}, from);
    for (const double share : {0.1, 0.5, 1.0}) QTest::mouseMove(screen, from + (to - from) * share);
    QTest::mouseRelease(screen, Qt::LeftButton, {}, to);
    QTest::qWait(400);
    EXPECT_EQ(layoutFaults(window()), QStringList()) << round;
    const QRect canvas(design().canvas().mapTo(&window(), QPoint()), design().canvas().size());
    EXPECT_FALSE(canvas.intersects(QRect(panel->mapTo(&window(), QPoint()), panel->size())));
  }
  child<QWidget>(QStringLiteral("settingsPanel"))->show();  // the next window remembers it
}

/// The canvas became narrower than its tools.
TEST_F(FoundByMonkey, APanelThatIsDraggedWideLeavesRoomForTheToolsOfTheCanvas) {
  openSmallProject(1, 300);
  resizeWindow(1000, 620);
  auto* left = child<QWidget>(QStringLiteral("palettePanel"));
  auto* right = child<QWidget>(QStringLiteral("settingsPanel"));
  for (const bool both : {false, true}) {
    left->show();
    right->setVisible(both);
    QCoreApplication::processEvents();
    for (const int way : {1, -1}) {
      const QWidget* panel = way > 0 ? left : right;
      if (!panel->isVisible()) continue;
      const int edge = panel->mapTo(&window(), QPoint(way > 0 ? panel->width() + 2 : -3, 0)).x();
      QWindow* screen = window().windowHandle();
      QTest::mouseMove(screen, {edge, 300});
      QTest::mousePress(screen, Qt::LeftButton, {}, {edge, 300});
      for (int x = edge; x > 20 && x < 980; x += 40 * way) QTest::mouseMove(screen, {x, 300});
      QTest::mouseRelease(screen, Qt::LeftButton, {}, {way > 0 ? 980 : 20, 300});
      QTest::qWait(100);
      expectRoom(way > 0 ? "the left panel is wide" : "the right panel is wide");
      EXPECT_GE(design().canvas().width(), child<QWidget>(QStringLiteral("toolStrip"))->width());
    }
  }
}

TEST_F(FoundByMonkey, ALongFolderOfRunsIsShortenedWithItsToolTipAndOnOneLine) {
  const QString deep = folder.filePath(QString(90, u'a') + u'\n' + QString(90, u'b'));
  ASSERT_TRUE(QDir().mkpath(deep));
  const QByteArray before = qgetenv("NETWRIGHT_RUNS");
  qputenv("NETWRIGHT_RUNS", QFile::encodeName(deep));
  openWindow();
  resizeWindow(1000, 620);
  window().showPage(QStringLiteral("runs"));
  qputenv("NETWRIGHT_RUNS", before);
  expectRoom("runs");
  QLabel* where = nullptr;
  ASSERT_TRUE(test::wait_for([&] {  // once the folder has been read
    for (QLabel* label : window().findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(QStringLiteral("plain folders"))) where = label;
    return where != nullptr;
  }));
  EXPECT_FALSE(where->text().contains(u'\n'));
  EXPECT_TRUE(test::wait_for([&] { return where->toolTip() == where->text(); }, 3000));
}

TEST_F(FoundByMonkey, PanelsBehindATabAreReachedByIt) {
  openSmallProject(1, 300);
  resizeWindow(1600, 1000);
  auto* settings = child<QDockWidget>(QStringLiteral("settingsPanel"));
  auto* problems = child<QDockWidget>(QStringLiteral("problemsPanel"));
  auto* frame = qobject_cast<QMainWindow*>(settings->parentWidget());
  ASSERT_NE(frame, nullptr);
  const QByteArray before = frame->saveState();
  frame->tabifyDockWidget(settings, problems);
  QCoreApplication::processEvents();
  expectRoom("two panels share a place");
  EXPECT_EQ(frame->tabifiedDockWidgets(settings).size(), 1);
  EXPECT_TRUE(frame->restoreState(before));
}

TEST_F(FoundByMonkey, ANarrowColumnOfRunsSaysItsTitleInAToolTip) {
  RunModel model;
  for (int column = 0; column < model.columnCount(); ++column)
    EXPECT_EQ(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole),
              model.headerData(column, Qt::Horizontal, Qt::DisplayRole));
  QTableView table;
  table.setModel(&model);
  table.horizontalHeader()->setMinimumSectionSize(10);
  table.setColumnWidth(model.columnCount() - 1, 12);
  table.show();
  EXPECT_FALSE(clippedTexts(&table, WithToolTip::counts).isEmpty());
  EXPECT_EQ(clippedTexts(&table, WithToolTip::is_fine), QStringList()) << "the monkey knows the tool tips of columns";
}

TEST_F(FoundByMonkey, AFolderOfRunsThatCannotExistGivesNoWarning) {
  const QByteArray before = qgetenv("NETWRIGHT_RUNS");
  qputenv("NETWRIGHT_RUNS", QFile::encodeName(folder.filePath(QString(300, u'n'))));
  testing::internal::CaptureStderr();
  openWindow();
  window().showPage(QStringLiteral("runs"));
  QTest::qWait(100);
  qputenv("NETWRIGHT_RUNS", before);
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("inotify"), std::string::npos);
  window().showPage(QStringLiteral("welcome"));
}

TEST_F(FoundByMonkey, CopyingWithoutACurrentEventGivesNoWarning) {
  openSmallProject(1, 300);
  window().showPage(QStringLiteral("train"));
  for (auto* list : train().findChildren<QAbstractItemView*>()) {
    testing::internal::CaptureStderr();
    if (list->model()) (void)list->model()->data({}, Qt::DisplayRole);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << list->objectName().toStdString();
  }
}

/// Imported networks have long names.
TEST_F(FoundByMonkey, ALongNameInTheListOfProblemsIsShortenedWithItsToolTip) {
  openWindow({{}, QStringLiteral("lenet5")});
  analysed();
  Node renamed = graph().nodes.at(find("fc1"));
  renamed.name = "encoder.layers.encoder_layer_6.mlp.0";
  session().push({PutNode{"", find("fc1"), renamed}}, QStringLiteral("Rename"));
  session().push(remove_nodes(session().doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  action(QStringLiteral("next-problem"))->trigger();
  expectRoom("a problem of a layer with a long name");
  const auto labels = window().findChildren<QLabel*>();
  const auto name = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text().startsWith(QStringLiteral("encoder.")) && label->width() == 110;
  });
  ASSERT_NE(name, labels.end());
  EXPECT_TRUE((*name)->parentWidget()->toolTip().startsWith(QStringLiteral("encoder.layers.encoder_layer_6.mlp.0\n")));
}

}  // namespace
}  // namespace nw::ui
