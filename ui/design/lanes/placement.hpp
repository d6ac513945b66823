// SPDX-License-Identifier: GPL-3.0-or-later
// How the project's network is placed on its devices: the lanes of a pipeline, what they cost, and the edits that
// change that. Costs are computed off the GUI thread on a snapshot of the document. GUI thread.
#pragma once
#include <QObject>
#include <functional>
#include <optional>

#include "ui/design/lanes/lane_moves.hpp"

namespace nw::ui {

class FitEstimator;
class Session;

/// Where the times of layers come from.
enum class TimeSource : quint8 {
  none,      // only shares are known
  computed,  // multiply-adds, and this computer's measured speed
  profiled,  // shares of a profiled run, and this computer's measured speed
  measured   // a short training with these lanes
};

/// How the devices share the work: a copy of the network on each; one stage of it on each; or several groups of devices
/// that each have all stages and compute a part of the batch.
enum class PlacementWay : quint8 { copies, stages, mixed };

class Placement : public QObject {
  Q_OBJECT
 public:
  explicit Placement(Session& session, QObject* parent = nullptr);

  PlacementWay way() const;
  /// The project's layers are split into stages.
  bool split() const { return way() != PlacementWay::copies; }
  int lanes() const;   // stages of the network, or devices with a copy each
  int groups() const;  // that have all stages; 1 unless mixed
  /// "CPU 0", "GPU 1"; "CPU 0, 2" of the devices that have the same stage in different groups
  QString laneName(int lane) const;
  /// What the operating system calls the lane's device; may be empty.
  QString laneDescription(int lane) const;
  double laneMemory(int lane) const;  // bytes that the lane's device has; 0: unknown

  const std::vector<PlacedLayer>& layers() const { return layers_; }
  const std::vector<NodeId>& cards() const { return cards_; }
  const Lanes& placed() const { return placed_; }
  const PipelineEstimate& estimate() const { return estimate_; }
  const PipelineQuestion& question() const { return question_; }
  const std::optional<BestMove>& best() const { return best_; }
  /// Why this cannot be trained; empty: it can.
  QString problem() const { return problem_; }
  /// All of it belongs to the present document.
  bool isCurrent() const { return current_; }

  /// Seconds of one unit of cost; 0: unknown.
  double unit() const { return unit_; }
  TimeSource source() const { return source_; }
  /// "Times computed from …": where they come from.
  QString sourceText() const;
  /// "2.4 ms", or a share of `whole` while times are unknown.
  QString costText(double cost, double whole) const;
  std::int64_t batch() const { return batch_; }  // of all groups
  /// Each copy can keep a part of the optimizer's state: there are several.
  bool canDivideState() const;
  bool dividesState() const;
  void divideState(bool on);
  /// Bytes that each device needs less with that, at least; 0: not known yet.
  std::int64_t savedBytes() const { return saved_; }
  /// Bytes of gradients that the groups exchange in a step, in all.
  double exchangedBytes() const;
  double costOf(NodeId card) const;  // of an update's micro-batch, forward and backward, in units
  /// Times follow this estimate of the training's speed.
  void follow(FitEstimator* speed);

  /// What an update would take with these layers on that lane. nullopt: it could not be trained, and `why` says why.
  std::optional<PipelineEstimate> ifMoved(const std::set<NodeId>& moved, int to, QString* why = nullptr) const;
  /// One step of undo. False: it could not be trained, or nothing would move; the sentence went out through message().
  bool move(const std::set<NodeId>& moved, int to);
  void balance();
  /// Where there are too few devices the processor's cores become several.
  void setWay(PlacementWay way);
  /// The processor's cores are divided among so many stages in each of so many groups.
  void setDevices(int lanes, int groups);
  void change(const std::function<void(TrainSettings&)>& how, const QString& text);

 Q_SIGNALS:
  void changed();
  /// For screen readers: "conv2 moved to CPU 1".
  void moved(const QString& sentence);

 private:
  struct Answer;
  void refresh();
  void refreshSaved();
  void take(Answer answer);
  void addWorkspace();
  void takeSpeed();
  bool pushLanes(const Lanes& lanes, const QString& text);
  QString emptySentence(int lane) const;

  Session& session_;
  FitEstimator* speed_ = nullptr;
  std::vector<PlacedLayer> layers_;
  std::vector<NodeId> cards_;
  Lanes placed_;
  PipelineQuestion question_;  // of one group
  std::int64_t batch_ = 1, saved_ = 0;
  PipelineEstimate estimate_;
  std::optional<BestMove> best_;
  QString problem_;
  bool current_ = false, profiled_ = false;
  double unit_ = 0, unitWork_ = 0;  // the costs of a sample, for which the unit was measured
  TimeSource source_ = TimeSource::none;
  quint64 asked_ = 0;
};

}  // namespace nw::ui
