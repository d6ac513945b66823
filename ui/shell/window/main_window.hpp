// SPDX-License-Identifier: GPL-3.0-or-later
// The window: top bar, one sentence when something happened, the page, the status bar. Pages are rows of a table and
// made when they are first seen. All that lasts is in the AppState, so a window can be built again for another
// language.
#pragma once
#include <QWidget>
#include <map>

#include "ui/page/page.hpp"
#include "ui/shell/files/app_state.hpp"

class QStackedWidget;

namespace nw::ui {

class Banner;
class CommandPalette;
class Guide;
class ProjectFiles;
class StatusBar;
class TopBar;
class WelcomePage;

class MainWindow : public QWidget {
  Q_OBJECT
 public:
  explicit MainWindow(AppState& workplace);
  ~MainWindow() override;
  /// "welcome", "design", "train", "predict", "runs".
  void showPage(const QString& id);
  QString currentPage() const { return current_; }
  Page* page(const QString& id);  // made when it is not there yet
  ProjectFiles& files() { return *files_; }
  Banner& banner() { return *banner_; }
  TopBar& topBar() { return *top_; }
  Guide& guide() { return *guide_; }
  /// Watches a run: follows its folder, and controls it while it is still running.
  void openRun(const QString& folder, const QString& pageId);

 Q_SIGNALS:
  void languageChanged(const QString& language);

 protected:
  void closeEvent(QCloseEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dropEvent(QDropEvent*) override;
  void changeEvent(QEvent*) override;

 private:
  void connectFileActions();
  void connectViewActions();
  void connectRunActions();
  void connectSession();
  void showTitle();
  void startTraining();
  void closeProject();
  void openPalette();
  AppState& work_;
  ProjectFiles* files_;
  TopBar* top_;
  Banner* banner_;
  QStackedWidget* stack_;
  StatusBar* status_;
  CommandPalette* palette_;
  Guide* guide_;
  std::map<QString, Page*> pages_;
  QString current_;
};

}  // namespace nw::ui
