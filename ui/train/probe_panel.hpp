// SPDX-License-Identifier: GPL-3.0-or-later
// The card "Watched images": how a fixed set of images is read while a run trains, with a slider over its steps. GUI
// thread.
#pragma once
#include <QWidget>

#include "ui/train/probe_feed.hpp"

class QLabel;

namespace nw::ui {

class ProbeBand;
class ProbeGrid;
class RunFeed;

/// "First learnt at step 300, forgotten 2 times, last at step 900"; what became of an image up to the last record.
QString courseOf(const ProbeHistory& history, std::size_t probe);

class ProbePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProbePanel(const RunFeed& feed, QWidget* parent = nullptr);
  ProbeGrid& grid() { return *grid_; }
  ProbeBand& band() { return *band_; }
  const ProbeFeed& probes() const { return probes_; }
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
  ProbeFeed probes_;
  ProbeGrid* grid_;
  ProbeBand* band_;
  QLabel *headline_, *figure_, *reading_, *course_, *note_;
};

}  // namespace nw::ui
