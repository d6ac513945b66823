// SPDX-License-Identifier: GPL-3.0-or-later
// From the command line to a window: the first page, runs that still train, and the window rebuilt for another
// language.
#pragma once
#include <QObject>
#include <memory>

#include "ui/shell/files/app_state.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {

struct StartOptions {
  QString path;          // project, run folder; empty: none
  QString templateName;  // --template
  bool safe = false;     // --safe-mode: open no project and no run
  bool failed = false;   // safe because several previous starts failed
};

class WindowHost : public QObject {
  Q_OBJECT
 public:
  explicit WindowHost(const StartOptions& options);
  ~WindowHost() override;
  AppState& workplace() { return work_; }
  MainWindow& window() { return *window_; }
  /// After a change of language: rebuilds the window with the same project, page and screen position.
  void setWindowLanguage(const QString& language);
  /// After an exception that nothing handled: saves the recovery file and reports it in the window.
  void reportException(const QString& what);

 private:
  void makeWindow();
  void openFirst(const StartOptions& options);
  void reattachRuns(const StartOptions& options);
  void offerGuide();
  void openSafely(const StartOptions& options);
  void findRuns();
  AppState work_;
  std::unique_ptr<MainWindow> window_;
};

/// The whole program; returns its exit code.
int runApplication(int argc, char** argv);

}  // namespace nw::ui
