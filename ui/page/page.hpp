// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the window (Design, Train, Predict, Runs, Deploy, Welcome) and the table of actions. Pages are rows of the
// table in ui/shell/window/main_window.cpp: {id, title, icon, make}.
#pragma once
#include <QAction>
#include <QWidget>

namespace nw::ui {

class Session;

class Page : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  virtual void activated() {}  // became visible
  /// Left part of the status bar: short sentences the page keeps up to date.
  virtual QWidget* statusWidget() { return nullptr; }
  /// The run whose page this is, for the window's title; empty: none.
  virtual QString shownRun() const { return {}; }
  /// "Branch from here…" on what the page shows. False: the page shows no run.
  virtual bool branchHere() { return false; }
 Q_SIGNALS:
  void shownRunChanged();
  void goTo(const QString& pageId);  // "design", "train", "predict", "runs", "deploy"
  void openRun(const QString& folder, const QString& pageId);
  /// The run's network for other images, which the user chooses.
  void adaptRun(const QString& folder);         // to a folder of images
  void adaptRunToTable(const QString& folder);  // to a table
  /// The run's network and settings as a new project.
  void openRunProject(const QString& folder);
};

// Each is implemented in its own folder.
Page* makeDesignPage(Session& session);
Page* makeTrainPage(Session& session);
Page* makePredictPage(Session& session);
Page* makeRunsPage(Session& session);
/// Data panel and training settings: docks of the Design page and pages of a side sheet.
QWidget* makeDataPanel(Session& session);
QWidget* makeSettingsPanel(Session& session);

/// Every command of the window: one row each in ui/page/actions.cpp {id, text, icon, shortcut, menu}. Pages fetch
/// theirs by id and connect to it; menus, toolbar, shortcuts and the command palette are built from the table. Null:
/// there is no such id.
QAction* action(const QString& id);

}  // namespace nw::ui
