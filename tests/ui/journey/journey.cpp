// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/journey/journey.hpp"

#include <QApplication>
#include <QTest>
#include <csignal>

#include "engine/design/project_file.hpp"
#include "engine/runs/lock_holder.hpp"
#include "ui/session/run_process.hpp"
#include "ui/shell/window/train_button.hpp"
#include "ui/train/layer_column.hpp"

namespace nw::ui {

void Journey::SetUp() {
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  TrainButtons::setSwapPause(0);  // a run of a test ends faster than a hand moves
}

/// Stops every process before the next test. After a failure, a screenshot of the window is saved.
void Journey::TearDown() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  if (HasFailure() && desk) {
    const QString file = QDir::temp().filePath(
        QStringLiteral("netwright-journey-%1.png").arg(QString::fromUtf8(info->name()).replace(u'/', u'-')));
    if (window().grab().save(file)) std::printf("The window as it was: %s\n", qPrintable(file));
  }
  desk.reset();
  if (trained.isEmpty()) return;
  if (const qint64 pid = lock_holder(fs::path(trained.toStdString()) / "lock"); pid > 0)
    kill(static_cast<pid_t>(pid), SIGKILL);
  EXPECT_TRUE(test::wait_for([&] { return !is_running(trained.toStdString()); }));
}

void Journey::openWindow(const StartOptions& options) {
  desk.reset();
  desk.emplace(options);
  QObject::connect(&run(), &RunController::started, &run(), [this](const QString& run) { trained = run; });
  window().resize(1600, 1000);
  window().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
}

NodeId Journey::find(const char* name) {
  for (const auto& [id, node] : graph().nodes)
    if (node.name == name) return id;
  ADD_FAILURE() << "there is no layer " << name;
  return 0;
}

QAbstractButton* Journey::button(const QString& text, QWidget* within) {
  QAbstractButton* found = nullptr;
  test::wait_for(
      [&] {
        for (QAbstractButton* b : (within ? within : &window())->findChildren<QAbstractButton*>())
          if (b->isVisible() && (b->text() == text || b->accessibleName() == text)) found = b;
        return found != nullptr;
      },
      20000);
  EXPECT_NE(found, nullptr) << "no button says " << text.toStdString();
  return found;
}

void Journey::openSmallProject(int epochs, int images) {
  GraphDoc doc = find_template("lenet5")->make();
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_train = images;
  data.synthetic_test = 500;
  TrainSettings settings = doc.settings();
  settings.epochs = epochs;
  ASSERT_TRUE(doc.apply({PutData{data}, PutSettings{settings}}));
  const QString file = folder.filePath(QStringLiteral("small.netwright"));
  ASSERT_TRUE(ProjectFile::save(doc, file.toStdString()));
  openWindow({file, {}});
  analysed();
}

void Journey::startByButton() {
  const QString earlier = run().folder();  // while the data are being opened, it stays the window's run
  hand.click(child<QWidget>(QStringLiteral("trainButton")), {60, 18});
  ASSERT_TRUE(test::wait_for([&] { return run().folder() != earlier; })) << window().windowTitle().toStdString();
  // a small run may finish, or fail, before the first check
  const auto over = [&] {
    const bool ended = feed().status() == RunStatus::finished || feed().status() == RunStatus::failed;
    return run().state() == RunController::State::idle && ended;
  };
  ASSERT_TRUE(test::wait_for([&] { return run().state() == RunController::State::running || over(); }))
      << window().windowTitle().toStdString();
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  ASSERT_TRUE(test::wait_for([&] {
    return train().layers().rows() == layerRows(session().doc(), session().analysis());
  })) << "the network beside its curves";
}

void Journey::expectPredictionsArrive() {
  EXPECT_EQ(window().currentPage(), QStringLiteral("predict"));
  ASSERT_TRUE(test::wait_for([&] { return predict().source().view() != nullptr; }));
  ASSERT_TRUE(test::wait_for([&] { return predict().settled(); }));
}

}  // namespace nw::ui
