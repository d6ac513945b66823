// SPDX-License-Identifier: GPL-3.0-or-later
// The table of screens. A new screen needs a row in screens.cpp and a function that creates its widget from real
// objects: a session with LeNet-5, and the folder of a run that was really trained.
#pragma once
#include <QElapsedTimer>
#include <QSettings>
#include <QSize>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "ui/shell/files/app_state.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {

/// The objects that a screen is built from; created anew for each screen.
struct Stage {
  ~Stage() {
    // only if it changed: another thread may be reading the environment
    if (qgetenv("NETWRIGHT_RUNS") != usualRuns) qputenv("NETWRIGHT_RUNS", usualRuns);
    for (const char* key : {"runs/grouping", "runs/collapsed", "runs/pins"}) QSettings().remove(QLatin1String(key));
  }
  QByteArray usualRuns = qgetenv("NETWRIGHT_RUNS");
  AppState work;
  QString run;                     // folder of a finished run; empty where netwright-cli is missing
  std::unique_ptr<QWidget> extra;  // dialogs
  QElapsedTimer calm;              // time since all data is complete: charts draw a little later
  std::unique_ptr<MainWindow> window;
  /// Opens the template on the canvas and waits until it is analysed.
  void open(const char* templateName);
  /// The main window with the given page in front.
  QWidget* show(const QString& page);
};

constexpr QSize wholeWindow(1600, 1000);

struct Screen {
  const char* name;
  QSize size;
  QWidget* (*make)(Stage&);  // shown, owned by the stage
  bool (*ready)(Stage&);     // polled until true or 60 s have passed
};
const std::vector<Screen>& screens();

/// True once the document is analysed and its data is opened.
bool analysed(Stage& stage);

/// Waits for the condition with the event loop running.
bool waitFor(const std::function<bool()>& condition, int milliseconds);

}  // namespace nw::ui
