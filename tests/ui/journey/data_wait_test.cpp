// SPDX-License-Identifier: GPL-3.0-or-later
// Train is pressed while the data are being opened, and a run ends while the Train page shows another one.
#include <QDir>
#include <QPushButton>
#include <QTest>
#include <csignal>

#include "tests/monkey/invariants.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class WhileDataOpen : public Journey {
 protected:
  void open() {
    openSmallProject(1000);
    ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
    session().run().setRunsFolder(folder.filePath(QStringLiteral("runs")));
  }
  void choose(SourceKind kind, const QString& path, std::int64_t images = 400) {
    DataChoice data = session().doc().data();
    data.kind = kind;
    data.path = path.toStdString();
    data.synthetic_train = images;
    ASSERT_TRUE(session().push({PutData{data}}, QStringLiteral("Choose data")));
    ASSERT_TRUE(session().dataOpening());
  }
  QStringList runs() {
    return QDir(folder.filePath(QStringLiteral("runs"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
};

TEST_F(WhileDataOpen, DataThatCannotBeReadLeaveNoRun) {
  open();
  choose(SourceKind::image_folder, folder.filePath(QStringLiteral("nowhere")));
  hand.key(Qt::Key_F5);
  EXPECT_EQ(run().state(), RunController::State::idle);
  EXPECT_TRUE(window().banner().text().contains(QStringLiteral("being opened"))) << "it is said at once";
  ASSERT_TRUE(test::wait_for([&] { return dataOpener(session()).state() == DataOpener::State::failed; }));
  ASSERT_TRUE(test::wait_for([&] { return window().banner().text() == dataOpener(session()).error(); }))
      << window().banner().text().toStdString();
  EXPECT_EQ(run().state(), RunController::State::idle);
  EXPECT_TRUE(runs().isEmpty()) << runs().join(u'|').toStdString();
}

TEST_F(WhileDataOpen, TrainingStartsWhenTheyAreOpen) {
  open();
  choose(SourceKind::synthetic, {});
  hand.key(Qt::Key_F5);
  EXPECT_EQ(run().state(), RunController::State::idle);
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_FALSE(session().dataOpening());
  EXPECT_EQ(runs().size(), 1);
  run().stopNow();
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(WhileDataOpen, TrainingDoesNotStartIfTheUserTakesItBack) {
  open();
  choose(SourceKind::synthetic, {});
  hand.key(Qt::Key_F5);
  hand.click(button(QStringLiteral("Do not start"), &window().banner()));
  ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
  QTest::qWait(200);
  EXPECT_EQ(run().state(), RunController::State::idle);
  EXPECT_TRUE(runs().isEmpty());
}

TEST_F(WhileDataOpen, TheTrainButtonShowsThatItWaitsAndTakesItBack) {
  for (const char* language : {"en", "zh_CN"}) {
    open();
    desk->setWindowLanguage(QLatin1String(language));
    window().resize(1024, 700);
    const auto helper = static_cast<pid_t>(session().helper().processId());
    ASSERT_GT(helper, 0);
    ASSERT_EQ(kill(helper, SIGSTOP), 0);  // the data stay unread
    choose(SourceKind::synthetic, {});
    auto* trainButton = child<QWidget>(QStringLiteral("trainButton"));
    auto* stop = child<QAbstractButton>(QStringLiteral("stopButton"));
    hand.click(trainButton, {40, 18});
    EXPECT_FALSE(trainButton->isVisible());
    EXPECT_TRUE(child<QWidget>(QStringLiteral("pauseButton"))->isVisible());
    EXPECT_FALSE(child<QWidget>(QStringLiteral("pauseButton"))->isEnabled());
    EXPECT_EQ(stop->text(), QCoreApplication::translate("nw::ui::TrainButtons", "Do not start"));
    (void)test::wait_for([&] { return layoutFaults(window()).isEmpty(); }, 3000);
    EXPECT_TRUE(layoutFaults(window()).isEmpty()) << layoutFaults(window()).join(u'\n').toStdString();
    hand.click(stop);
    EXPECT_TRUE(trainButton->isVisible());
    EXPECT_FALSE(stop->isVisible());
    EXPECT_FALSE(window().banner().isVisible()) << "nothing is left to take back";
    ASSERT_EQ(kill(helper, SIGCONT), 0);
    ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
    QTest::qWait(200);
    EXPECT_EQ(run().state(), RunController::State::idle);
    EXPECT_TRUE(runs().isEmpty());
    desk->setWindowLanguage(QStringLiteral("en"));
  }
}

TEST_F(WhileDataOpen, ARunThatEndsWhileAnotherIsShownIsReported) {
  open();
  startByButton();
  const test::TemporaryFolder other;
  test::RunWriter shown(other.path(), test::definition_of("mlp"));
  window().openRun(QString::fromStdString(shown.folder().string()), QStringLiteral("train"));
  ASSERT_TRUE(test::wait_for([&] { return run().processId() > 0; }));
  ASSERT_EQ(kill(static_cast<pid_t>(run().processId()), SIGKILL), 0);
  ASSERT_TRUE(test::wait_for([&] {
    return window().banner().isVisible() && window().banner().text().contains(QStringLiteral("SIGKILL"));
  })) << "the page shows another run and cannot report it";
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
}

}  // namespace
}  // namespace nw::ui
