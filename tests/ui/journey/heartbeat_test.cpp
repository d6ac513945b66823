// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's event loop is blocked: while this computer trains as fast as it can, and with the curves of a
// long run on screen. Bounded is the processor time of the window's thread between two beats, which other programs do
// not change, and how long the thread works or waits for something that is no processor. With NETWRIGHT_LONG=1 it
// trains for 30 minutes and the clock on the wall is bounded too, which takes a computer that does nothing else.
#include "tests/support/heartbeat.hpp"

#include "engine/design/project_file.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/journey.hpp"

namespace nw::ui {
namespace {

constexpr std::size_t many_beats = 1000, some_beats = 250;
constexpr double longest_ms = 250, longest_of_most_ms = 100;
// What the thread waits for, such as the start of a process or a disk, may itself have to wait for a processor.
constexpr double longest_wait_ms = 500, longest_on_the_wall_ms = 3000;
constexpr qint64 long_training_ms = 30 * 60 * 1000;

bool playsLong() { return qEnvironmentVariableIsSet("NETWRIGHT_LONG"); }

class WindowResponsiveness : public Journey {
 protected:
  /// Runs the event loop as the program does, without polling.
  void beat(std::size_t beats) {
    const std::size_t enough = heart.beats() + beats;
    QEventLoop loop;
    QTimer check;
    QObject::connect(&check, &QTimer::timeout, &loop, [&] {
      if (heart.beats() >= enough) loop.quit();
    });
    check.start(20);
    loop.exec();
  }
  void expectAnswers() {
    heart.stop();
    say("the clock on the wall", &test::Gap::wall);
    say("processor time", &test::Gap::processor);
    say("worked or waited for no processor", &test::Gap::own);
    EXPECT_LE(heart.longest_ms(&test::Gap::processor), longest_ms);
    EXPECT_LE(heart.quantile_ms(0.999, &test::Gap::processor), longest_of_most_ms);
    EXPECT_LE(heart.longest_ms(&test::Gap::own), heart.knows_own() ? longest_wait_ms : longest_on_the_wall_ms);
    if (!playsLong()) return;
    EXPECT_LE(heart.longest_ms(), longest_ms);
    EXPECT_LE(heart.quantile_ms(0.999), longest_of_most_ms);
  }
  void say(const char* what, double test::Gap::*of) const {
    std::printf("Between %zu beats, %s: median %.1f ms, p99 %.1f ms, p99.9 %.1f ms, longest %.1f ms\n", heart.beats(),
                what, heart.quantile_ms(0.5, of), heart.quantile_ms(0.99, of), heart.quantile_ms(0.999, of),
                heart.longest_ms(of));
  }
  test::Heartbeat heart;
};

TEST_F(WindowResponsiveness, StaysResponsiveWhileTheComputerTrainsAtFullSpeed) {
  openSmallProject(100000, 8000);
  heart.start();
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
  beat(many_beats);
  QElapsedTimer clock;
  clock.start();
  do {
    for (const char* page : {"page-design", "page-runs", "page-predict", "page-train"}) {
      action(QLatin1String(page))->trigger();
      beat(some_beats);
    }
  } while (playsLong() && clock.elapsed() < long_training_ms);
  EXPECT_EQ(run().state(), RunController::State::running) << "it trained all the time";
  expectAnswers();
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(WindowResponsiveness, TheTimeFromAClickOnTrainToTheFirstStepsIsPrinted) {
  const QString data = qEnvironmentVariable("NETWRIGHT_DATA");
  if (data.isEmpty() || !QFileInfo(data + QStringLiteral("/mnist")).isDir())
    GTEST_SKIP() << "NETWRIGHT_DATA names no folder with MNIST";
  const QString file = folder.filePath(QStringLiteral("digits.netwright"));
  ASSERT_TRUE(ProjectFile::save(find_template("lenet5")->make(), file.toStdString()));
  openWindow({file, {}});
  analysed();
  QElapsedTimer clock;
  qint64 begun_ms = -1;
  QObject::connect(&feed(), &RunFeed::stepsArrived, &feed(), [&] {
    if (begun_ms < 0) begun_ms = clock.elapsed();
  });
  clock.start();
  hand.click(child<QWidget>(QStringLiteral("trainButton")), {60, 18});
  ASSERT_TRUE(test::wait_for([&] { return begun_ms >= 0; }));
  std::printf("From the click on Train to the first steps in the window: %lld ms, real MNIST unpacked meanwhile\n",
              static_cast<long long>(begun_ms));
  RecordProperty("click_to_first_steps_ms", std::to_string(begun_ms));
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(WindowResponsiveness, StaysResponsiveWhileTheCurvesOfALongRunGrow) {
  constexpr int epochs = 300, done = 195, records = 100;
  RunDefinition definition = test::definition_of();
  TrainSettings settings = definition.doc.settings();
  settings.epochs = epochs;
  ASSERT_TRUE(definition.doc.apply({PutSettings{settings}}));
  test::RunWriter writer(runs_folder(), std::move(definition));
  writer.lock();
  test::write_training(writer, {.epochs = epochs, .epochs_done = done, .records_per_epoch = records});
  openWindow({QString::fromStdString(writer.folder().string()), {}});
  ASSERT_EQ(window().currentPage(), QStringLiteral("train"));
  ASSERT_TRUE(test::wait_for([&] { return feed().loaded() && feed().epochs().size() == done; }));
  Steps next = feed().last();
  QTimer training;
  QObject::connect(&training, &QTimer::timeout, &training, [&] {
    next.last += next.count;
    next.epoch += 1.0 / records;
    writer.post(feed().processSeconds() + 0.03, next);
  });
  training.start(33);
  heart.start();
  beat(many_beats);
  expectAnswers();
  training.stop();
  EXPECT_TRUE(test::wait_for([&] { return feed().last().last == next.last; })) << "nothing was left behind";
  closeWindow();
}

}  // namespace
}  // namespace nw::ui
