// SPDX-License-Identifier: GPL-3.0-or-later
// A run that lacks something from outside: memory, a device that reads and writes, the folder of its data. The Train
// page says what, in the window's language; once it is mended the run goes on to the bytes of an undisturbed one.
#include <sys/resource.h>

#include <QProcess>
#include <QPushButton>
#include <fstream>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/lock_holder.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {
namespace {

struct Words {
  const char *language, *words;
};

class WaitingJourney : public Journey {
 protected:
  QString program() const { return QString::fromStdString(test::programs_folder() + "/netwright-cli"); }
  QString at(const char* name) const { return folder.filePath(QLatin1String(name)); }
  /// Each language says its words; the window ends in English.
  void expectSaid(const std::vector<Words>& all) {
    for (const Words& each : all) {
      desk->setWindowLanguage(QLatin1String(each.language));
      window().showPage(QStringLiteral("train"));
      const QString words = QString::fromUtf8(each.words);
      ASSERT_TRUE(test::wait_for([&] { return notice().sentence.contains(words) && train().notice().isVisible(); }))
          << each.words << " in " << notice().sentence.toStdString();
      EXPECT_EQ(notice().tone, QStringLiteral("warn"));
      EXPECT_TRUE(notice().actions.contains(QStringLiteral("try-again")));
    }
    desk->setWindowLanguage(QStringLiteral("en"));
    window().showPage(QStringLiteral("train"));
  }
  const Notice& notice() { return train().notice().notice(); }
  std::string said() {
    return notice().title.toStdString() + ": " + notice().sentence.toStdString() + "; " +
           window().banner().text().toStdString();
  }
  bool pauses() {
    return test::wait_for([&] { return feed().paused() && notice().tone == QLatin1String("warn"); }) &&
           isState(RunController::State::paused);
  }
  void finishes() {
    ASSERT_TRUE(test::wait_for([&] { return feed().status() != RunStatus::running; }));
    EXPECT_EQ(feed().status(), RunStatus::finished) << window().banner().text().toStdString();
    ASSERT_TRUE(isState(RunController::State::idle));
  }
  static std::string weightsOf(const fs::path& run) {
    const auto latest = latest_checkpoint(run);
    if (!latest) return {};
    const auto bytes = read_file(run / "checkpoints" / latest->name / "model.safetensors", 1 << 24);
    return bytes ? *bytes : std::string();
  }
  /// What the command line trains undisturbed.
  std::string undisturbed(QStringList words) {
    words << QStringLiteral("--run-dir") << at("undisturbed") << QStringLiteral("--quiet");
    EXPECT_EQ(QProcess::execute(program(), words), 0);
    const std::string bytes = weightsOf(at("undisturbed").toStdString());
    EXPECT_FALSE(bytes.empty());
    return bytes;
  }
  pid_t pid() { return static_cast<pid_t>(lock_holder(fs::path(run().folder().toStdString()) / "lock")); }
};

/// The network is made anew for a run-time setting; half of what it takes is missing.
TEST_F(WaitingJourney, LackOfMemoryPausesTheRunAndItGoesOnToTheSameBytes) {
  openSmallProject(30, 2000);
  TrainSettings settings = session().doc().settings();
  settings.batch = 1024;  // what is freed goes back to the system
  ASSERT_TRUE(session().push({PutSettings{settings}}, QStringLiteral("Batch")));
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0 && feed().started().memory_bytes > 0; }));
  ASSERT_GT(feed().started().memory_bytes, 40'000'000);
  std::uint64_t pages = 0;
  std::ifstream("/proc/" + std::to_string(pid()) + "/statm") >> pages;
  ASSERT_GT(pages, 0U);
  const auto all = static_cast<rlim_t>(pages) * 4096;
  const rlimit tight{all - static_cast<rlim_t>(feed().started().memory_bytes) / 2, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(pid(), RLIMIT_AS, &tight, nullptr), 0);
  run().change(QStringLiteral("clip_norm"), 0.5);
  ASSERT_TRUE(pauses()) << said();
  expectSaid({{"en", "memory"}, {"zh_CN", "内存"}});
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(pid(), RLIMIT_AS, &none, nullptr), 0);
  hand.click(button(QStringLiteral("Try again now"), &train().notice()));
  ASSERT_NO_FATAL_FAILURE(finishes());
  EXPECT_EQ(weightsOf(run().folder().toStdString()),
            undisturbed({QStringLiteral("train"), QStringLiteral("--replay"), run().folder()}));
}

/// While strace holds the run, each fsync of it fails as that of a broken device does.
TEST_F(WaitingJourney, AFailingDevicePausesTheRunAndItGoesOnToTheSameBytes) {
  if (QProcess::execute(QStringLiteral("strace"), {QStringLiteral("-qq"), QStringLiteral("-o"),
                                                   QStringLiteral("/dev/null"), QStringLiteral("true")}) != 0)
    GTEST_SKIP() << "strace cannot trace here";
  openSmallProject(80, 600);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return !feed().epochs().empty(); }));
  QProcess broken;
  broken.start(QStringLiteral("strace"),
               {QStringLiteral("-f"), QStringLiteral("-qq"), QStringLiteral("-o"), at("calls"), QStringLiteral("-p"),
                QString::number(pid()), QStringLiteral("-e"), QStringLiteral("trace=fsync,fdatasync"),
                QStringLiteral("-e"), QStringLiteral("inject=fsync,fdatasync:error=EIO")});
  ASSERT_TRUE(broken.waitForStarted());
  ASSERT_TRUE(pauses()) << said();
  expectSaid({{"en", "Input/output error"}, {"zh_CN", "训练已暂停"}});
  broken.terminate();  // it lets the run go
  ASSERT_TRUE(broken.waitForFinished());
  ASSERT_NO_FATAL_FAILURE(finishes());
  EXPECT_EQ(weightsOf(run().folder().toStdString()), undisturbed({QStringLiteral("train"), at("small.netwright")}));
}

/// A stopped run is resumed while its data are elsewhere.
TEST_F(WaitingJourney, AVanishedDataFolderPausesTheResumedRunAndItGoesOnToTheSameBytes) {
  const QString digits = at("digits");
  const auto put = [&](const char* name, const std::string& bytes) {
    test::write_bytes(fs::path(digits.toStdString()) / name, bytes);
  };
  put("train-images-idx3-ubyte", test::idx_images(640, 28, 28));
  put("train-labels-idx1-ubyte", test::idx_labels(640, 10));
  put("t10k-images-idx3-ubyte", test::idx_images(40, 28, 28));
  put("t10k-labels-idx1-ubyte", test::idx_labels(40, 10));
  GraphDoc doc = find_template("lenet5")->make();
  DataChoice data = doc.data();
  data.path = digits.toStdString();
  TrainSettings settings = doc.settings();
  settings.epochs = 80;
  ASSERT_TRUE(doc.apply({PutData{data}, PutSettings{settings}}));
  ASSERT_TRUE(ProjectFile::save(doc, at("digits.netwright").toStdString()));
  openWindow({at("digits.netwright"), {}});
  analysed();
  ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening(); }));
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return !feed().epochs().empty(); }));
  run().stop();
  ASSERT_TRUE(isState(RunController::State::idle));
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::stopped; }));
  ASSERT_TRUE(QDir().rename(digits, at("away")));
  hand.click(button(QStringLiteral("Resume"), &train().notice()));
  ASSERT_TRUE(pauses()) << said();
  expectSaid({{"en", "is not there"}, {"zh_CN", "不存在"}});
  ASSERT_TRUE(QDir().rename(at("away"), digits));
  hand.click(button(QStringLiteral("Try again now"), &train().notice()));
  ASSERT_NO_FATAL_FAILURE(finishes());
  EXPECT_EQ(weightsOf(run().folder().toStdString()), undisturbed({QStringLiteral("train"), at("digits.netwright")}));
}

}  // namespace
}  // namespace nw::ui
