// SPDX-License-Identifier: GPL-3.0-or-later
// The card "Tracked samples": predictions of fixed samples while a run trains, with a slider over its steps. GUI
// thread.
#pragma once
#include <QWidget>

#include "ui/train/tracked_sample_feed.hpp"

class QLabel;

namespace nw::ui {

class TrackedSampleTimeline;
class TrackedSampleGrid;
class RunFeed;

/// "First learnt at step 300, forgotten 2 times, last at step 900"; the history of a sample up to the last record.
QString courseOf(const TrackedSampleHistory& history, std::size_t probe);

class TrackedSamplePanel : public QWidget {
  Q_OBJECT
 public:
  explicit TrackedSamplePanel(const RunFeed& feed, QWidget* parent = nullptr);
  TrackedSampleGrid& grid() { return *grid_; }
  TrackedSampleTimeline& band() { return *band_; }
  const TrackedSampleFeed& probes() const { return probes_; }
  QString headline() const;
  QString detail() const;

 protected:
  void paintEvent(QPaintEvent*) override;
  void showEvent(QShowEvent*) override { probes_.setWatching(true); }
  void hideEvent(QHideEvent*) override { probes_.setWatching(false); }

 private:
  void refresh();
  void refreshWords();
  const RunFeed& feed_;
  TrackedSampleFeed probes_;
  TrackedSampleGrid* grid_;
  TrackedSampleTimeline* band_;
  QLabel *headline_, *figure_, *reading_, *course_, *note_;
};

}  // namespace nw::ui
