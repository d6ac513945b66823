// SPDX-License-Identifier: GPL-3.0-or-later
// Leads through a tour (ui/shell/window/tour.hpp), one step after the other. A step can be passed over, the guide ended
// and started again at any time.
#pragma once
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "ui/shell/help/coach_mark.hpp"

namespace nw::ui {

class MainWindow;
class Session;
struct Now;
struct Tour;

class Guide : public QObject {
  Q_OBJECT
 public:
  Guide(MainWindow& window, Session& session);
  ~Guide() override;
  /// The tour "Train your first network"; any other. Each command of a tour starts it as well.
  void start();
  void start(const Tour& tour);
  void stop();
  bool isOn() const { return mark_ != nullptr; }
  /// 0-based; steps() when all are done.
  int step() const { return step_; }
  int steps() const;
  CoachMark* mark() const { return mark_; }

 private:
  bool eventFilter(QObject*, QEvent*) override;
  void show();
  void look();
  void makeRoomFor(const QWidget& banner);
  void onward();
  Now now() const;
  MainWindow& window_;
  Session& session_;
  QPointer<CoachMark> mark_;
  QTimer timer_;
  const Tour* tour_;
  int step_ = 0;
  quint64 version_ = 0;  // of the session when the step began
  int edits_ = 0;        // undoable ones, likewise
};

}  // namespace nw::ui
