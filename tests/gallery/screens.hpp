// SPDX-License-Identifier: GPL-3.0-or-later
// The table of screens. A page's room adds a row in screens.cpp and a function that makes its widget from real objects:
// a session with LeNet-5, and the folder of a run that was really trained.
#pragma once
#include <QElapsedTimer>
#include <QSize>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "ui/shell/files/app_state.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {

/// What screens are made of; new for each picture.
struct Stage {
  ~Stage() { qputenv("NETWRIGHT_RUNS", usualRuns); }
  QByteArray usualRuns = qgetenv("NETWRIGHT_RUNS");
  AppState work;
  QString run;                     // folder of a finished run; empty where netwright-cli is missing
  std::unique_ptr<QWidget> extra;  // dialogs
  QElapsedTimer calm;              // since when nothing is missing: charts draw themselves a moment later
  std::unique_ptr<MainWindow> window;
  /// The template is on the canvas and analysed.
  void open(const char* templateName);
  /// The main window on that page.
  QWidget* show(const QString& page);
};

struct Screen {
  const char* name;
  QSize size;
  QWidget* (*make)(Stage&);  // shown, owned by the stage
  bool (*ready)(Stage&);     // polled until true or 60 s have passed
};
const std::vector<Screen>& screens();

/// The document is checked and its data looked at.
bool analysed(Stage& stage);

/// Waits for the condition with the event loop running.
bool waitFor(const std::function<bool()>& condition, int milliseconds);

}  // namespace nw::ui
