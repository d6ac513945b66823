// SPDX-License-Identifier: GPL-3.0-or-later
// The memory estimate in the status bar below the canvas.
#include <algorithm>
#include <csignal>

#include <QTemporaryDir>

#include "engine/runs/run_folder.hpp"
#include "tests/ui/design/bench.hpp"
#include "ui/design/design_status.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class FitTest : public DesignTest {
 protected:
  ~FitTest() override {
    delete status;  // it refers to the session, so it is destroyed first
    FitEstimator::setProgram({});
  }
  /// Installs a script that answers in place of netwright-cli.
  void answers(const QString& script) {
    QFile file(folder.filePath(QStringLiteral("estimate.sh")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("#!/bin/sh\n" + script.toUtf8());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    file.close();
    FitEstimator::setProgram(file.fileName());
  }
  void look() {
    session.run().setRunsFolder(folder.filePath(QStringLiteral("runs")));
    status = static_cast<DesignStatus*>(page.statusWidget());
    status->setParent(&bar);  // as in a window: the content does not widen the bar
    bar.resize(1300, 30);
    status->resize(1300, 30);
    bar.show();
    status->show();
  }
  QString value(const char* name) { return status->findChild<QLabel*>(QLatin1String(name))->text(); }
  QTemporaryDir folder;
  QWidget bar;
  DesignStatus* status = nullptr;
};

const QString memoryLine = QStringLiteral(
    R"(echo '{"schema":1,"devices":[{"name":"cpu:0","memory_bytes":1000000,"capacity_bytes":4000000},{"name":"cpu:1","memory_bytes":3000000,"capacity_bytes":4000000}],"largest_batch":4096}')"
    "\n");
const QString speedLine = QStringLiteral(R"(echo '{"schema":1,"images_per_s":1000,"epoch_s":60.5}')"
                                         "\n");

TEST_F(FitTest, TheStripShowsMemoryLargestBatchAndTimeBeforeTheFirstRun) {
  answers(memoryLine + speedLine);
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 20000));
  EXPECT_EQ(value("largestBatch"), grouped(4096));
  EXPECT_TRUE(value("epochTime").contains(durationText(60.5))) << value("epochTime").toStdString();
  EXPECT_TRUE(value("memoryFigure").contains(bytesText(3000000))) << "the device with the least room counts";
}

TEST_F(FitTest, AFigureThatGrowsWithoutAnythingElseIsLeftOutAndNotCutOff) {
  answers(memoryLine + speedLine);
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 20000));
  QFont larger = status->font();
  for (int size : {14, 17, 20, 24}) {  // the figures change their font, as another screen would
    larger.setPixelSize(size);
    for (QLabel* label : status->findChildren<QLabel*>()) label->setFont(larger);
    for (int i = 0; i < 6; ++i) QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    for (const QLabel* label : status->findChildren<QLabel*>())
      if (label->isVisible())
        EXPECT_GE(label->width(), label->minimumSizeHint().width()) << size << ' ' << label->objectName().toStdString();
  }
}

TEST_F(FitTest, TheRealProgramMeasures) {
  open("mlp");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 60000))
      << status->estimator().error().toStdString();
  EXPECT_GT(status->estimator().largestBatch(), 0);
  EXPECT_GT(status->estimator().epochSeconds(), 0);
}

TEST_F(FitTest, AnOpenedProjectIsTrainedOnlyOnceItsUserAsksForThat) {
  const QString log = folder.filePath(QStringLiteral("asked"));
  answers(QStringLiteral("echo \"$@\" >> '%1'\n").arg(log) + memoryLine + speedLine);
  open("lenet5");
  look();
  const auto lines = [&] {
    QFile file(log);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts)
                                          : QStringList();
  };
  const auto settled = [&](qsizetype least) {
    return QTest::qWaitFor(
        [&] { return lines().size() >= least && status->estimator().state() == FitEstimator::State::done; }, 60000);
  };
  const auto of_training = [&] {
    const QStringList all = lines();
    return std::count_if(all.begin(), all.end(),
                         [](const QString& l) { return !l.contains(QStringLiteral("--plan")); });
  };
  EXPECT_TRUE(settled(1));
  session.push(set_attr(session.doc(), "", find("conv1"), "out_channels", std::int64_t{7}), QStringLiteral("Filters"));
  EXPECT_TRUE(settled(2));
  EXPECT_EQ(of_training(), 0) << "neither opening nor an edit asks for it";
  auto* button = status->findChild<QPushButton*>(QStringLiteral("measureSpeed"));
  ASSERT_TRUE(button && button->isVisible());
  EXPECT_TRUE(status->findChild<QLabel*>(QStringLiteral("epochTime"))
                  ->parentWidget()
                  ->toolTip()
                  .contains(DesignStatus::tr("Measure")));
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([&] { return of_training() >= 1 && !button->isVisible(); }, 60000)) << "it is measured";
  EXPECT_TRUE(settled(3));
  const auto measured = of_training();
  session.push(set_attr(session.doc(), "", find("conv1"), "out_channels", std::int64_t{8}), QStringLiteral("Filters"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return of_training() > measured; }, 60000)) << "from then on edits are measured";
  EXPECT_TRUE(settled(4));
  const auto before = of_training();
  const auto all = lines().size();
  open("mlp");
  EXPECT_TRUE(settled(all + 1));
  EXPECT_EQ(of_training(), before) << "another project";
}

TEST_F(FitTest, AChangeOfTheNetworkEndsTheMeasurementAtOnce) {
  answers(memoryLine + QStringLiteral("exec sleep 1000\n"));
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().largestBatch() > 0; }, 20000));
  EXPECT_EQ(value("epochTime"), DesignStatus::tr("measuring…"));
  const auto process = static_cast<pid_t>(status->estimator().processId());
  ASSERT_GT(process, 0);
  session.push(set_attr(session.doc(), "", find("conv1"), "out_channels", std::int64_t{7}), QStringLiteral("Filters"));
  EXPECT_NE(status->estimator().processId(), process);
  EXPECT_TRUE(QTest::qWaitFor([&] { return ::kill(process, 0) != 0; }, 10000));
}

TEST_F(FitTest, MovingANodeStartsNoMeasurement) {
  answers(QStringLiteral("echo asked >> '%1'\n").arg(folder.filePath(QStringLiteral("asked"))) + memoryLine +
          speedLine);
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 20000));
  QSignalSpy changes(&status->estimator(), &FitEstimator::changed);
  session.push(move_nodes(session.doc(), "", {{find("conv1"), {500, 500}}}), QStringLiteral("Move"));
  ASSERT_TRUE(changes.wait(10000));
  QFile asked(folder.filePath(QStringLiteral("asked")));
  ASSERT_TRUE(asked.open(QIODevice::ReadOnly));
  EXPECT_EQ(asked.readAll().count("asked"), 1);
}

TEST_F(FitTest, AProgramThatFailsIsNamedInTheToolTip) {
  answers(QStringLiteral("echo 'there is no such device' >&2\nexit 4\n"));
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::failed; }, 20000));
  EXPECT_EQ(value("epochTime"), QStringLiteral("?"));
  EXPECT_EQ(status->estimator().error(), QStringLiteral("there is no such device"));
}

TEST_F(FitTest, TheTimeOfTheLastRunOfThisNetworkIsShownToo) {
  answers(memoryLine + speedLine);
  open("lenet5");
  RunDefinition other{.name = "mlp", .doc = find_template("mlp")->make()}, same{.name = "lenet5", .doc = session.doc()};
  const fs::path runs = folder.filePath(QStringLiteral("runs")).toStdString();
  for (RunDefinition* run : {&same, &other}) {
    const auto made = create_run_folder(runs, *run);
    ASSERT_TRUE(made);
    const double seconds = run == &same ? 12 : 99;
    std::string lines = event_line({0, Started{.memory_bytes = 5000}}) + "\n" +
                        event_line({1, EpochEnd{.epoch = 1, .seconds = seconds, .images_per_s = 4000}}) + "\n";
    QFile file(QString::fromStdString((*made / "events.jsonl").string()));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(lines));
  }
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 20000));
  ASSERT_TRUE(status->estimator().lastRun());
  EXPECT_EQ(status->estimator().lastRun()->epochSeconds, 12);
  EXPECT_TRUE(value("lastRunTime").contains(durationText(12)));
}

TEST_F(FitTest, ANarrowWindowHidesTheTimeOfAnEpochLast) {
  answers(memoryLine + speedLine);
  open("lenet5");
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return status->estimator().state() == FitEstimator::State::done; }, 20000));
  status->resize(480, 30);
  QCoreApplication::processEvents();
  EXPECT_FALSE(status->findChild<QLabel*>(QStringLiteral("computeFigure"))->isVisible());
  EXPECT_TRUE(status->findChild<QLabel*>(QStringLiteral("epochTime"))->isVisible());
}

}  // namespace
}  // namespace nw::ui
