// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in the window: the list of all, or one of them; a new search, and another folder. GUI thread.
#pragma once
#include <QTimer>
#include <QWidget>

#include "engine/core/files.hpp"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace nw::ui {

class EmptyState;
class Session;
class StudyList;
class StudyStarter;
class StudyView;

class StudiesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StudiesPanel(Session& session, QWidget* parent = nullptr);
  StudyView& study() { return *view_; }
  StudyList& list() { return *list_; }
  StudyStarter& starter() { return *starter_; }
  void openStudy(const fs::path& folder);
  void showAll();
  /// Opens the dialog, and the study that it starts.
  void newSearch();
  /// While on, the list and the study are read again.
  void setWatching(bool on);
  int count() const;

 Q_SIGNALS:
  void counted();
  void openRun(const QString& folder, const QString& pageId);
  void openRunProject(const QString& folder);

 private:
  void build();
  QWidget* makeToolbar();
  void scan();
  void refresh();
  void chooseFolder();
  void goOn();
  void showProblem(const QString& sentence);
  QString runOfTrial(qint64 trial) const;
  Session& session_;
  StudyStarter* starter_;
  QStackedWidget* stack_ = nullptr;
  StudyList* list_ = nullptr;
  StudyView* view_ = nullptr;
  EmptyState *empty_ = nullptr, *problem_ = nullptr;
  QPushButton *all_ = nullptr, *report_ = nullptr;
  QLabel* place_ = nullptr;
  QTimer regular_;
  bool watching_ = false;
};

}  // namespace nw::ui
