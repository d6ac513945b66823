// SPDX-License-Identifier: GPL-3.0-or-later
// The window: top bar, notification, page, status bar. Pages are rows of a table and
// created when first shown. Persistent state is in the AppState, so the window can be rebuilt for another
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
  /// The size of a window that was never shown before, on a screen with this room.
  static QSize firstSize(QSize available);
  /// "welcome", "design", "train", "predict", "runs", "deploy".
  void showPage(const QString& id);
  QString currentPage() const { return current_; }
  Page* page(const QString& id);  // created on first use
  ProjectFiles& files() { return *files_; }
  Banner& banner() { return *banner_; }
  TopBar& topBar() { return *top_; }
  Guide& guide() { return *guide_; }
  /// Follows the run's folder, and controls the run while it trains.
  void openRun(const QString& folder, const QString& pageId);
  /// The Predict page with a test image of a run.
  void openSample(const QString& run, const QString& checkpoint, qint64 sample);

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
  void connectJobs();
  void submitOpenProject();
  void jobBegan(const QString& run);
  void requeueJob(const QString& record);
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
