// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/main_window.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDialog>
#include <QEventLoop>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include "engine/design/project_file.hpp"
#include "ui/canvas/scene/diagram_export.hpp"
#include "ui/design/design_page.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/welcome/recent_list.hpp"
#include "ui/shell/welcome/welcome_page.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/command_palette.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/shell/window/train_button.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int patience = 20000;

/// Answers the next message box with the button that has this text.
void answer(const QString& text) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, text] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    for (QAbstractButton* button : box->buttons())
      if (button->text() == text) {
        timer->deleteLater();
        return button->click();
      }
  });
  timer->start(10);
}

struct WindowTest : testing::Test {
  QTemporaryDir folder;
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  Session& session() { return desk.workplace().session; }
  MainWindow& window() { return desk.window(); }
  void change() {
    const NodeId id = session().doc().graph().nodes.begin()->first;
    ASSERT_TRUE(session().push(move_nodes(session().doc(), "", {{id, Point{123, 4}}}), QStringLiteral("Move")));
  }
};

TEST_F(WindowTest, StartsWithTheTemplateOnTheCanvas) {
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(session().doc(), new_project(*find_template("lenet5")));
  EXPECT_EQ(window().windowTitle(), QStringLiteral("lenet5[*] - Netwright"));
  EXPECT_FALSE(window().isWindowModified());
}

TEST_F(WindowTest, ShowsEveryPage) {
  for (const char* id : {"train", "predict", "runs", "welcome", "design"}) {
    window().showPage(QLatin1String(id));
    EXPECT_EQ(window().currentPage(), QLatin1String(id));
    EXPECT_TRUE(window().page(QLatin1String(id))->isVisible()) << id;
  }
}

TEST_F(WindowTest, TheTabsOfTheTopBarChangeThePage) {
  window().topBar().pages().setCurrent(3);
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
  action(QStringLiteral("page-train"))->trigger();
  EXPECT_EQ(window().topBar().pages().current(), 1);
}

TEST_F(WindowTest, ClosesWithoutAQuestionWhenNothingChanged) { EXPECT_TRUE(window().close()); }

TEST_F(WindowTest, AsksBeforeChangesAreLost) {
  change();
  EXPECT_TRUE(window().isWindowModified());
  answer(QStringLiteral("Cancel"));
  EXPECT_FALSE(window().close());
  EXPECT_TRUE(session().isModified());
  answer(QStringLiteral("Do not save"));
  EXPECT_TRUE(window().close());
}

TEST_F(WindowTest, SavesBeforeItClosesWhenAskedTo) {
  const QString path = folder.filePath(QStringLiteral("net.netwright"));
  ASSERT_TRUE(session().save(path));
  change();
  answer(QStringLiteral("Save"));
  EXPECT_TRUE(window().close());
  const auto saved = ProjectFile::load(path.toStdString());
  ASSERT_TRUE(saved);
  EXPECT_EQ(*saved, session().doc());
}

TEST_F(WindowTest, UndoAndRedoAreNamedAfterTheirEdit) {
  EXPECT_FALSE(action(QStringLiteral("undo"))->isEnabled());
  change();
  EXPECT_EQ(action(QStringLiteral("undo"))->text(), QStringLiteral("Undo: Move"));
  action(QStringLiteral("undo"))->trigger();
  EXPECT_EQ(session().doc(), new_project(*find_template("lenet5")));
  EXPECT_TRUE(action(QStringLiteral("redo"))->isEnabled());
}

TEST_F(WindowTest, AnotherLanguageKeepsProjectUndoAndPage) {
  change();
  window().showPage(QStringLiteral("runs"));
  const GraphDoc before = session().doc();
  desk.setWindowLanguage(QStringLiteral("zh_CN"));
  EXPECT_EQ(currentLanguage(), QStringLiteral("zh_CN"));
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
  EXPECT_EQ(session().doc(), before);
  EXPECT_TRUE(session().undoStack().canUndo());
  EXPECT_EQ(action(QStringLiteral("save"))->text(), QStringLiteral("保存"));
  desk.setWindowLanguage(QStringLiteral("en"));
  EXPECT_EQ(action(QStringLiteral("save"))->text(), QStringLiteral("Save"));
}

/// The window was destroyed below the dialog, whose memory is its caller's. The outer loop is the application's.
TEST_F(WindowTest, ALanguageChosenWhileADialogIsOpenWaitsForItsEnd) {
  const QPointer<MainWindow> before = &window();
  QEventLoop application;
  QTimer::singleShot(0, &application, [&] {
    QDialog dialog(&window());
    QTimer::singleShot(0, &dialog, [this] { desk.setWindowLanguage(QStringLiteral("zh_CN")); });
    QTimer::singleShot(200, &dialog, [&] {
      EXPECT_EQ(&window(), before) << "still open";
      dialog.accept();
    });
    dialog.exec();
    EXPECT_TRUE(before);
    application.quit();
  });
  application.exec();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !before; }, patience)) << "and rebuilt afterwards";
  EXPECT_EQ(currentLanguage(), QStringLiteral("zh_CN"));
  desk.setWindowLanguage(QStringLiteral("en"));
  EXPECT_EQ(currentLanguage(), QStringLiteral("en"));
}

/// As the preferences do it: the dialog is closed by the choice, and its caller has not returned yet.
TEST_F(WindowTest, ALanguageChosenWhileADialogClosesWaitsForItsCaller) {
  const QPointer<MainWindow> before = &window();
  QEventLoop application;
  QTimer::singleShot(0, &application, [&] {
    QDialog dialog(&window());
    QTimer::singleShot(0, &dialog, [&] {
      QMetaObject::invokeMethod(
          &desk, [this] { desk.setWindowLanguage(QStringLiteral("zh_CN")); }, Qt::QueuedConnection);
      dialog.accept();
      QCoreApplication::sendPostedEvents();
    });
    dialog.exec();
    EXPECT_TRUE(before);
    application.quit();
  });
  application.exec();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !before; }, patience)) << "rebuilt afterwards";
  desk.setWindowLanguage(QStringLiteral("en"));
}

TEST_F(WindowTest, TheBannerShowsTheMessagesOfTheSession) {
  Q_EMIT session().message(QStringLiteral("The disk is full"), 2);
  EXPECT_TRUE(window().banner().isVisible());
  EXPECT_EQ(window().banner().text(), QStringLiteral("The disk is full"));
}

TEST_F(WindowTest, AFileThatIsNotAProjectIsRejectedInOneSentence) {
  QFile file(folder.filePath(QStringLiteral("notes.txt")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  EXPECT_FALSE(window().files().openPath(file.fileName()));
  EXPECT_TRUE(window().banner().isVisible());
  EXPECT_FALSE(window().files().openPath(folder.filePath(QStringLiteral("missing.netwright"))));
}

TEST_F(WindowTest, AnExportedImageOpensAsItsProject) {
  const QString picture = folder.filePath(QStringLiteral("shared.png"));
  const GraphDoc drawn = session().doc();
  auto& design = *static_cast<DesignPage*>(window().page(QStringLiteral("design")));
  ASSERT_TRUE(exportDrawing(design.canvas().scene(), picture));
  window().files().newEmpty();
  ASSERT_NE(session().doc(), drawn);
  EXPECT_TRUE(window().files().openPath(picture));
  EXPECT_NE(session().doc(), drawn) << "it is read on another thread";
  ASSERT_TRUE(QTest::qWaitFor([&] { return session().doc() == drawn; }, 20000));
  EXPECT_TRUE(session().path().isEmpty()) << "saving does not write over the picture";
  EXPECT_EQ(session().displayName(), QStringLiteral("shared"));
  EXPECT_EQ(recentProjects().value(0), picture);
  const std::vector<RecentProject> recent = readRecent({picture});
  EXPECT_EQ(recent.at(0).miniature.parameters, 61706) << "the project in the picture is drawn";
  QImage plain(4, 4, QImage::Format_RGB32);
  plain.fill(Qt::blue);
  ASSERT_TRUE(plain.save(folder.filePath(QStringLiteral("plain.png"))));
  window().files().openPath(folder.filePath(QStringLiteral("plain.png")));
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return window().banner().text().contains(QStringLiteral("this image contains no project")); }, 20000));
  EXPECT_EQ(session().doc(), drawn);
  window().files().openPath(picture);
  window().files().newEmpty();
  const GraphDoc later = session().doc();
  QThreadPool::globalInstance()->waitForDone();
  QTest::qWait(50);
  EXPECT_EQ(session().doc(), later) << "what was opened meanwhile stays";
}

TEST_F(WindowTest, DeviceChipsChooseTheTrainingDevices) {
  auto* chips = window().findChild<DeviceChips*>();
  ASSERT_TRUE(chips);
  chips->choose({"cpu:0", "cpu:1"});
  EXPECT_EQ(session().doc().settings().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  ASSERT_GE(chips->chips().size(), 1);
  EXPECT_EQ(chips->chips()[0]->text(), QStringLiteral("CPU ×2")) << "one chip for the divided CPU";
  session().undoStack().undo();
  EXPECT_EQ(chips->chips()[0]->text(), QStringLiteral("CPU"));
}

TEST_F(WindowTest, TheChipOfTheCpuChoosesPartsAndThreads) {
  auto* chips = window().findChild<DeviceChips*>();
  const auto choose = [&](const QString& text) {
    QTimer::singleShot(50, &window(), [text] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      ASSERT_TRUE(menu);
      for (QAction* row : menu->actions())
        if (row->text() == text) row->trigger();
      menu->close();
    });
    QTest::mouseClick(chips->chips()[0], Qt::LeftButton);
  };
  choose(QStringLiteral("The CPU as 2 devices"));
  EXPECT_EQ(session().doc().settings().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  EXPECT_TRUE(chips->chips()[0]->isChecked());
  choose(QStringLiteral("1 thread"));
  EXPECT_EQ(session().doc().settings().threads, 1);
  EXPECT_TRUE(chips->chips()[0]->isChecked()) << "a click on the chip does not deselect the CPU";
  choose(QStringLiteral("The whole CPU as one device"));
  EXPECT_EQ(session().doc().settings().devices, std::vector<std::string>{"cpu"});
}

TEST_F(WindowTest, TheChipOfTheCpuShowsTheThreadsWhateverTheirNumber) {
  TrainSettings settings = session().doc().settings();
  settings.devices = {"cuda:0"};
  settings.threads = 6;
  session().push({PutSettings{settings}}, QStringLiteral("another computer's"));
  auto* chips = window().findChild<DeviceChips*>();
  QStringList checked;
  QTimer::singleShot(50, &window(), [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_TRUE(menu) << "the choices open also when the CPU takes over from a GPU";
    for (const QAction* row : menu->actions())
      if (row->isChecked()) checked << row->text();
    menu->close();
  });
  QTest::mouseClick(chips->chips()[0], Qt::LeftButton);
  EXPECT_EQ(checked, (QStringList{QStringLiteral("The whole CPU as one device"), QStringLiteral("6 threads")}));
  EXPECT_EQ(session().doc().settings().devices, std::vector<std::string>{"cpu"});
}

TEST_F(WindowTest, TrainShowsTheNumberOfErrorsThatPreventIt) {
  session().setDataFacts(
      {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 54000, .validation = 6000, .test = 10000});
  for (const auto& [id, node] : session().doc().graph().nodes)
    if (node.type == "Flatten") {
      ASSERT_TRUE(session().push(remove_nodes(session().doc(), "", {id}, true), QStringLiteral("Delete")));
      break;
    }
  auto* buttons = window().findChild<TrainButtons*>();
  ASSERT_TRUE(buttons);
  ASSERT_TRUE(QTest::qWaitFor([&] { return buttons->train().problems() > 0; }, patience));
  window().showPage(QStringLiteral("runs"));
  action(QStringLiteral("train"))->trigger();
  EXPECT_EQ(window().currentPage(), QStringLiteral("design")) << "pressing it goes to the problem";
  session().undoStack().undo();
  ASSERT_TRUE(QTest::qWaitFor([&] { return buttons->train().problems() == 0; }, patience));
}

/// Stop appears where Train was: the second click of a double click must not stop the run.
TEST_F(WindowTest, AClickSoonAfterTrainAndStopChangedPlacesDoesNothing) {
  auto* buttons = window().findChild<TrainButtons*>();
  ASSERT_TRUE(buttons);
  RunController& run = session().run();
  run.setProgram(QStringLiteral("/bin/sleep"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session().dataOpening() && session().analysisCurrent(); }, patience));
  QSignalSpy stopping(&run, &RunController::stateChanged);
  QTest::mouseClick(&buttons->train(), Qt::LeftButton);
  auto* stop = window().findChild<QPushButton*>(QStringLiteral("stopButton"));
  ASSERT_TRUE(stop->isVisibleTo(buttons));
  stop->setEnabled(true);
  const RunController::State state = run.state();
  QTest::mouseClick(stop, Qt::LeftButton);
  EXPECT_EQ(run.state(), state);
}

TEST_F(WindowTest, TheCommandPaletteRunsTheTypedCommand) {
  action(QStringLiteral("command-palette"))->trigger();
  auto* palette = window().findChild<CommandPalette*>();
  ASSERT_TRUE(palette && palette->isVisible());
  auto* field = palette->findChild<QLineEdit*>();
  QTest::keyClicks(field, QStringLiteral("runs"));
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_FALSE(palette->isVisible());
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
}

TEST_F(WindowTest, EveryButtonHasAnAccessibleName) {
  for (const char* id : {"design", "train", "predict", "runs", "welcome"}) {
    window().showPage(QLatin1String(id));
    for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
      if (!button->isVisible()) continue;  // a hidden button is named when it is shown
      const bool inner =
          button->objectName().startsWith(QLatin1String("qt_")) || button->inherits("QTableCornerButton");
      EXPECT_TRUE(inner || !button->text().isEmpty() || !button->accessibleName().isEmpty())
          << id << ": " << button->metaObject()->className() << " in "
          << button->parentWidget()->metaObject()->className();
    }
  }
}

TEST_F(WindowTest, NoLabelDetectsRichText) {
  for (const char* id : {"design", "train", "predict", "runs", "welcome"}) window().showPage(QLatin1String(id));
  for (const QLabel* label : window().findChildren<QLabel*>())
    EXPECT_EQ(label->textFormat(), Qt::PlainText) << label->text().toStdString();
}

TEST(Welcome, DrawsEveryTemplateWithItsRealSize) {
  WindowHost desk{StartOptions{}};
  EXPECT_EQ(desk.window().currentPage(), QStringLiteral("welcome"));
  auto* page = static_cast<WelcomePage*>(desk.window().page(QStringLiteral("welcome")));
  EXPECT_EQ(page->cards().size(), qsizetype(all_templates().size()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return page->loaded(); }, patience));
  const GraphDoc doc = find_template("lenet5")->make();
  const Miniature lenet = miniatureOf(doc, usualFacts(doc.data()));
  EXPECT_EQ(lenet.parameters, 61706);
  EXPECT_FALSE(lenet.dots);
  EXPECT_GE(lenet.bars.size(), 8u);
}

TEST(Preferences, AreKeptAndRestored) {
  Preferences p;
  p.theme = ThemeMode::dark;
  p.threads = 3;
  p.dataFolder = QStringLiteral("/somewhere");
  p.reduceMotion = true;
  setPreferences(p);
  EXPECT_EQ(preferences().theme, ThemeMode::dark);
  EXPECT_EQ(preferences().threads, 3);
  applyPreferences(preferences());
  EXPECT_EQ(qEnvironmentVariable("NETWRIGHT_DATA"), QStringLiteral("/somewhere"));
  setPreferences({});
  applyPreferences(preferences());
  EXPECT_NE(qEnvironmentVariable("NETWRIGHT_DATA"), QStringLiteral("/somewhere"));
  EXPECT_FALSE(preferences().reduceMotion);
}

TEST(Preferences, AFolderThatIsNotAbsoluteLiesInTheHomeFolder) {
  for (const char* typed : {"work/runs", "~/work/runs"}) {
    Preferences p;
    p.runsFolder = QLatin1String(typed);
    setPreferences(p);
    EXPECT_EQ(preferences().runsFolder, QDir::home().filePath(QStringLiteral("work/runs"))) << typed;
  }
  setPreferences({});
  EXPECT_TRUE(preferences().runsFolder.isEmpty());
}

TEST(Recent, KeepsTheTenNewestOnce) {
  clearRecentProjects();
  for (int i = 0; i < 12; ++i) rememberProject(QStringLiteral("/p%1").arg(i));
  rememberProject(QStringLiteral("/p5"));
  EXPECT_EQ(recentProjects().size(), 10);
  EXPECT_EQ(recentProjects().front(), QStringLiteral("/p5"));
  EXPECT_EQ(recentProjects().count(QStringLiteral("/p5")), 1);
  forgetProject(QStringLiteral("/p5"));
  EXPECT_FALSE(recentProjects().contains(QStringLiteral("/p5")));
}

}  // namespace
}  // namespace nw::ui
