// SPDX-License-Identifier: GPL-3.0-or-later
// The whole program under simulated input: main window, session, and netwright-cli as the process that trains and as
// the helper.
#pragma once
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <optional>

#include "tests/support/wait_for.hpp"
#include "tests/ui/journey/input_driver.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/design/design_page.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {

class Journey : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Opens a window as the program does, and closes the previous one.
  void openWindow(const StartOptions& options = {});
  void closeWindow() { desk.reset(); }
  Session& session() { return desk->workplace().session; }
  RunController& run() { return session().run(); }
  RunFeed& feed() { return session().feed(); }
  MainWindow& window() { return desk->window(); }
  DesignPage& design() { return *static_cast<DesignPage*>(window().page(QStringLiteral("design"))); }
  TrainPage& train() { return *static_cast<TrainPage*>(window().page(QStringLiteral("train"))); }
  PredictPage& predict() { return *static_cast<PredictPage*>(window().page(QStringLiteral("predict"))); }
  GraphView& view() { return design().canvas().view(); }
  GraphScene& scene() { return design().canvas().scene(); }
  const Graph& graph() { return session().doc().graph(""); }
  NodeId find(const char* name);

  template <class W>
  W* child(const QString& name) {
    W* found = window().findChild<W*>(name);
    EXPECT_NE(found, nullptr) << name.toStdString();
    return found;
  }
  /// The visible button with the given text.
  QAbstractButton* button(const QString& text, QWidget* within = nullptr);
  /// Clicks an entry of the menu that `open` opens.
  template <class Open>
  void pick(const QString& entry, Open open) {
    QString clicked;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      timer.stop();
      for (QAction* a : menu->actions()) {
        if (a->text() != entry) continue;
        clicked = entry;
        return QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {}, menu->actionGeometry(a).center());
      }
      menu->close();
    });
    timer.start(20);
    open();
    EXPECT_EQ(clicked, entry) << "no such entry";
  }
  /// Acts in the dialog that `open` opens.
  template <class Open, class Act>
  void inDialog(Open open, Act act) {
    bool done = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (!dialog || !dialog->isVisible()) return;
      timer.stop();
      act(*dialog);
      done = true;
      QTimer::singleShot(20000, dialog, [dialog] {
        if (!dialog->isVisible()) return;
        ADD_FAILURE() << "the dialog stays open";
        dialog->reject();
      });
    });
    timer.start(20);
    open();
    EXPECT_TRUE(test::wait_for([&] { return done; })) << "no dialog opened";
  }
  bool isState(RunController::State state) {
    return test::wait_for([&] { return run().state() == state; });
  }
  void analysed() {
    ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent(); }));
  }
  /// Opens LeNet-5 on synthetic digits, without a file and unmodified; an epoch is short.
  void openSmallProject(int epochs, int images = 2000);
  void startByButton();
  void expectPredictionsArrive();

  InputDriver hand;
  QTemporaryDir folder;
  std::optional<WindowHost> desk;
  QString trained;  // the run's folder; empty before the run starts
};

}  // namespace nw::ui
