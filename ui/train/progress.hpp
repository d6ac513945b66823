// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a run as texts and numbers, and the strip that shows it. GUI thread.
#pragma once
#include <QString>
#include <QWidget>

#include "ui/session/run_controller.hpp"
#include "ui/train/notice_bar.hpp"

class QPainter;

namespace nw::ui {

class RunFeed;

struct Figure {
  QString caption, value, unit;
  bool operator==(const Figure&) const = default;
};

struct Progress {
  QString state, tone, run, details;       // "Training", "ok", "lenet5 a7", "CPU · batch 64"
  QString epoch, ofEpochs, step, ofSteps;  // "Epoch 3", "of 10", "Step 2 531", "of 8 440"
  QString elapsed, left;                   // "1 min 2 s elapsed", "4 min left"
  QString device;                          // in full, as in the run's events
  double fraction = 0;                     // 0…1
  std::int64_t epochs = 0;
  double best = -1;  // where the best epoch ended, 0…1; < 0: none
  QVector<Figure> figures;
};

enum class FeedPhase { none, starting, training, paused, stopping, finished, stopped, failed, interrupted };
/// `active`: the followed run is the one that the controller drives.
FeedPhase phaseOf(const RunFeed& feed, RunController::State state, bool active);
Progress progressOf(const RunFeed& feed, FeedPhase phase);
/// The notification about a run that has ended; `message`: the controller's message if it observed the end.
Notice noticeOf(const RunFeed& feed, FeedPhase phase, const QString& message, bool canResume);

class ProgressStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ProgressStrip(QWidget* parent = nullptr);
  void setProgress(const Progress& progress, FeedPhase phase);
  const Progress& progress() const { return progress_; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void paintState(QPainter& p, const QRectF& where) const;
  void paintProgress(QPainter& p, const QRectF& where) const;
  void paintBar(QPainter& p, const QRectF& bar) const;
  qreal paintFigures(QPainter& p, qreal right) const;
  Progress progress_;
  FeedPhase phase_ = FeedPhase::none;
};

}  // namespace nw::ui
