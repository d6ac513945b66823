// SPDX-License-Identifier: GPL-3.0-or-later
// The user's queue in the window: what runs, what waits, and what can be done with it. Each change is a command
// `netwright-cli queue …` in a process of its own. GUI thread.
#pragma once
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "engine/core/files.hpp"

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace nw::ui {

class CommandProcess;
class EmptyState;
class QueueList;
class Session;

class QueuePanel : public QWidget {
  Q_OBJECT
 public:
  explicit QueuePanel(Session& session, QWidget* parent = nullptr);
  QueueList& list() { return *list_; }
  /// Adds a training of the open project as it is now, and starts the queue's process.
  void addOpenProject();
  /// While on, the queue is read every second.
  void setWatching(bool on);

 Q_SIGNALS:
  void openRun(const QString& folder, const QString& pageId);

 private:
  void build();
  QWidget* makeToolbar();
  QPushButton* button(const char* name, const QString& text, const QString& iconName, void (QueuePanel::*act)());
  void scan();
  void refresh();
  void moveUp();
  void moveDown();
  void pauseOrContinue();
  void removeChosen();
  void pauseOrContinueQueue();
  void openChosen();
  void moveTo(int place);
  /// Runs `netwright-cli queue …`; a refusal is said.
  void command(const QStringList& words, const std::function<void()>& done = {});
  Session& session_;
  QStackedWidget* stack_ = nullptr;
  QueueList* list_ = nullptr;
  EmptyState *empty_ = nullptr, *problem_ = nullptr;
  QPushButton *up_ = nullptr, *down_ = nullptr, *pause_ = nullptr, *remove_ = nullptr, *open_ = nullptr,
              *whole_ = nullptr;
  QCheckBox* autostart_ = nullptr;
  QLabel* status_ = nullptr;
  QTimer regular_;
};

}  // namespace nw::ui
