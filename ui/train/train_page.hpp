// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QVector>

#include "ui/page/page.hpp"
#include "ui/train/progress.hpp"
#include "ui/train/run_checkpoints.hpp"

class QLabel;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace nw::ui {

class DeviceChart;
class BranchCard;
class DoctorPanel;
class DoctorWatch;
class EmptyState;
class InfoLine;
class EventList;
class LayerBoard;
class LayerColumn;
class TrackedSamplePanel;
class RankPanel;
class RunFeed;
class RunSettingsPanel;
class SegmentedControl;
class TintLegend;
class TrainCharts;
class WhySlow;

/// The page that watches one run: progress, charts, machine, events. Session::feed() provides the state of
/// the followed run, also if another program started it; the buttons call Session::run().
class TrainPage : public Page {
  Q_OBJECT
 public:
  explicit TrainPage(Session& session);
  void activated() override;
  QWidget* statusWidget() override { return status_; }
  QString shownRun() const override { return feed_.title(); }
  bool branchHere() override;

  TrainCharts& charts() { return *charts_; }
  ProgressStrip& strip() { return *strip_; }
  NoticeBar& notice() { return *notice_; }
  EventList& events() { return *events_; }
  DeviceChart& machine() { return *machine_; }
  LayerColumn& layers() { return *layers_; }
  TrackedSamplePanel& probes() { return *probes_; }
  RunSettingsPanel& runSettings() { return *settings_; }
  RankPanel& ranks() { return *ranks_; }
  /// The switch of the panel on the right: events, tracked samples, settings, devices.
  SegmentedControl& sideViews() { return *sideViews_; }
  BranchCard& branches() { return *branches_; }
  DoctorWatch& doctor() { return *doctor_; }
  WhySlow& whySlow() { return *why_; }
  LayerBoard& board() { return *board_; }
  SegmentedControl& views() { return *views_; }  // curves, layers
  SegmentedControl& tints() { return *tints_; }  // of the column of layers

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  void build();
  QWidget* makeContent();
  QWidget* makeSide();
  QWidget* makeLeft();
  QWidget* makeViews();
  void fitColumns();
  void listen();
  void chartsSoon();
  void refreshAll();
  void refreshState();
  void refreshMachine();
  void refreshRanks();
  void refreshLayers();
  void refreshTint();
  void refreshStatus();
  bool isActive() const;
  bool canResume() const;
  void act(const QString& id);
  void startTraining();
  void showLog();
  void branchWithLowerRate();
  QWidget* makeSettings();
  void refreshEditable(bool changeable);
  void showSettings();
  void copyRecipe();
  void watchHealth();
  void showDoctor();
  QWidget* makeBranches();
  void refreshCheckpoints();
  void showLane();
  void addBranchEntry(QMenu& menu, double epoch);
  void branchFromStep(std::int64_t step);

  Session& session_;
  RunFeed& feed_;
  QStackedLayout* stack_ = nullptr;
  EmptyState* empty_ = nullptr;
  ProgressStrip* strip_ = nullptr;
  NoticeBar* notice_ = nullptr;
  TrainCharts* charts_ = nullptr;
  DeviceChart* machine_ = nullptr;
  EventList* events_ = nullptr;
  LayerColumn* layers_ = nullptr;
  TrackedSamplePanel* probes_ = nullptr;
  RunSettingsPanel* settings_ = nullptr;
  RankPanel* ranks_ = nullptr;
  SegmentedControl* sideViews_ = nullptr;
  WhySlow* why_ = nullptr;
  BranchCard* branches_ = nullptr;
  DoctorWatch* doctor_ = nullptr;
  QPointer<DoctorPanel> doctorPanel_;
  QVector<RunCheckpoint> checkpoints_;
  QString checkpointsOf_;      // the run whose checkpoints were read last
  std::size_t savedSeen_ = 0;  // events `saved` and `ended` at that time
  TintLegend* legend_ = nullptr;
  LayerBoard* board_ = nullptr;
  SegmentedControl *views_ = nullptr, *tints_ = nullptr;
  QWidget *left_ = nullptr, *right_ = nullptr;  // the columns of the network and of the machine
  QHBoxLayout* area_ = nullptr;
  QPushButton* network_ = nullptr;  // in a narrow page: the network instead of the machine
  QWidget* status_ = nullptr;
  QWidget* safe_ = nullptr;
  InfoLine* facts_ = nullptr;
  QTimer *chartTimer_ = nullptr, *clock_ = nullptr;
  QString failure_, failedFolder_, layersOf_;
  bool failedCanResume_ = false;
};

}  // namespace nw::ui
