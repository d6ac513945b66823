// SPDX-License-Identifier: GPL-3.0-or-later
// What was submitted from this computer, and what can be done with it: open, pause, stop, fetch, cancel, go on, forget.
// Each is a command `netwright-cli jobs …` in a process of its own. GUI thread.
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>

#include "engine/core/json.hpp"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace nw::ui {

class EmptyState;
class JobList;
class Session;

class JobsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit JobsPanel(Session& session, QWidget* parent = nullptr);
  JobList& list() { return *list_; }
  /// While on, the records are read every second.
  void setWatching(bool on);

 Q_SIGNALS:
  void openRun(const QString& folder, const QString& pageId);

 private:
  void build();
  QWidget* makeToolbar();
  QPushButton* button(const char* name, const QString& text, const QString& iconName, void (JobsPanel::*act)());
  void refresh();
  void openChosen();
  void pauseChosen();
  void goOnChosen();
  void stopChosen();
  void fetchChosen();
  void cancelChosen();
  void requeueChosen();
  void forgetChosen();
  void control(const char* word);
  /// Runs `netwright-cli jobs VERB JOB …` for the chosen job; a refusal is said. `saying`: what is said meanwhile.
  void command(const char* verb, const QStringList& more, const QString& saying,
               const std::function<void(const QString& job)>& done);
  Session& session_;
  QStackedWidget* stack_ = nullptr;
  JobList* list_ = nullptr;
  EmptyState* empty_ = nullptr;
  QPushButton *open_ = nullptr, *pause_ = nullptr, *goOn_ = nullptr, *stop_ = nullptr, *fetch_ = nullptr,
              *cancel_ = nullptr, *requeue_ = nullptr, *forget_ = nullptr;
  QLabel* status_ = nullptr;
  QTimer regular_;
};

}  // namespace nw::ui
