// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/placement.hpp"

#include <algorithm>
#include <cmath>

#include "engine/backend/devices.hpp"
#include "engine/design/graph_diff.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/train/estimate.hpp"
#include "kernels/optimizer.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/design/lanes/lane_devices.hpp"
#include "ui/session/background.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int firstLanes = 2, firstGroups = 2, firstMicroBatches = 4;

/// What the engine trains each stage on; null: this process has no such backend.
std::shared_ptr<const Device> stageDevice(const TrainSettings& s) {
  const bool cpu = s.devices.empty() || isOfCpu(s.devices.front());
  auto found = resolve_devices({cpu ? "cpu" : s.devices.front()}, s.threads);
  return found && !found->empty() ? found->front().device : nullptr;
}

/// Parts of the processor share its memory.
std::int64_t memoryOfStage(const Device& device, const TrainSettings& s) {
  return device.memory_bytes() / (isOfCpu(device.name()) ? std::ssize(s.devices) : 1);
}

std::int64_t statesOf(const OptimizerChoice& choice) {
  const Optimizer* optimizer = find_optimizer(choice.name());
  return optimizer ? std::ssize(optimizer->state) : 0;
}

int stagesOf(const TrainSettings& s) {
  return static_cast<int>(std::max<std::int64_t>(1, std::ssize(s.devices) / std::max<std::int64_t>(1, s.replicas())));
}

/// Of one group, which computes its part of the batch.
PipelineQuestion questionOf(const TrainSettings& s) {
  const std::int64_t groups = std::max<std::int64_t>(1, s.replicas());
  return {.stages = stagesOf(s),
          .schedule = s.pipeline,
          .batch = std::max<std::int64_t>(1, (s.batch + groups - 1) / groups),
          .micro_batches = std::max<std::int64_t>(1, s.micro_batches),
          .states = statesOf(s.optimizer)};
}

GraphDoc withoutLanes(const GraphDoc& doc) {
  GraphDoc free = doc;
  Lanes none;
  for (const auto& [id, node] : doc.graph().nodes) none[id] = -1;
  for (const auto& [name, block] : doc.blocks())
    for (const auto& [id, node] : block.graph.nodes)
      if (Node own = node; own.pipeline_stage >= 0) {
        own.pipeline_stage = -1;
        (void)free.apply({PutNode{name, id, own}});
      }
  (void)free.apply(laneEdit(doc, none));
  return free;
}

/// The shares of a profiled run take the place of those from multiply-adds.
bool takeTimes(const LayerTimes& times, std::vector<PlacedLayer>& layers) {
  const auto known = [&](const PlacedLayer& l) { return times.contains(l.name); };
  if (std::none_of(layers.begin(), layers.end(), known)) return false;
  for (PlacedLayer& l : layers) {
    const auto found = times.find(l.name);
    const double seconds = found == times.end() ? 0 : found->second, sum = l.forward_cost + l.backward_cost;
    if (sum <= 0) continue;
    l.forward_cost *= seconds / sum;
    l.backward_cost *= seconds / sum;
  }
  return true;
}

/// Why the engine would not train with these settings; empty: it would.
QString rejectionOf(const TrainSettings& s) {
  if (const Status devices = check_stage_devices(s.devices); !devices) return translated(devices.error().what);
  if (const Status parts = check_division(s.batch, s.micro_batches * s.replicas()); !parts)
    return translated(parts.error().what);
  return {};
}

std::int64_t workspaceOf(const StagePlan& plan, const StageEstimate& stage, std::int64_t kept) {
  return std::max<std::int64_t>(0, kept * plan.forward.arena_bytes - stage.memory.activations);
}

}  // namespace

struct Placement::Answer {
  std::vector<PlacedLayer> layers;
  PipelineQuestion question;
  std::int64_t batch = 1;
  PipelineEstimate estimate;
  std::optional<BestMove> best;
  QString problem;
  bool profiled = false;
};

Placement::Placement(Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_, &Session::documentChanged, this, [this] { current_ = false; });
  connect(&session_, &Session::documentReplaced, this, [this] {
    current_ = false;
    unit_ = 0;
    source_ = TimeSource::none;
  });
  connect(&session_, &Session::analysisChanged, this, &Placement::refresh);
  connect(&session_, &Session::devicesChanged, this, &Placement::changed);
  refresh();
}

PlacementWay Placement::way() const {
  const TrainSettings& s = session_.doc().settings();
  if (s.parallel != Parallelism::model || s.devices.size() < 2) return PlacementWay::copies;
  return s.replicas() > 1 ? PlacementWay::mixed : PlacementWay::stages;
}

int Placement::groups() const { return split() ? static_cast<int>(session_.doc().settings().replicas()) : 1; }

int Placement::lanes() const {
  return static_cast<int>(session_.doc().settings().devices.size()) / std::max(1, groups());
}

QString Placement::laneName(int lane) const {
  const auto& devices = session_.doc().settings().devices;
  if (lane < 0 || lane >= lanes()) return {};
  QStringList numbers;
  for (std::size_t at = static_cast<std::size_t>(lane); at < devices.size(); at += static_cast<std::size_t>(lanes()))
    numbers << QString::fromStdString(devices[at].substr(devices[at].find(':') + 1));
  const bool cpu = isOfCpu(devices[static_cast<std::size_t>(lane)]);
  return (cpu ? QStringLiteral("CPU ") : QStringLiteral("GPU ")) + numbers.join(QStringLiteral(", "));
}

QString Placement::laneDescription(int lane) const {
  const auto& devices = session_.doc().settings().devices;
  if (lane < 0 || lane >= lanes()) return {};
  const std::string& name = devices[static_cast<std::size_t>(lane)];
  for (const DeviceInfo& info : session_.devices())
    if (info.name == name || (isOfCpu(name) && isOfCpu(info.name))) return QString::fromStdString(info.description);
  return {};
}

double Placement::laneMemory(int lane) const {
  const auto& devices = session_.doc().settings().devices;
  if (lane < 0 || lane >= lanes()) return 0;
  const std::string& name = devices[static_cast<std::size_t>(lane)];
  for (const DeviceInfo& info : session_.devices())
    if (info.name == name || (isOfCpu(name) && isOfCpu(info.name)))
      return static_cast<double>(info.memory_bytes) / (isOfCpu(name) ? static_cast<double>(devices.size()) : 1);
  return 0;
}

/// While the network has problems, the lanes are those from before.
bool Placement::canDivideState() const { return !split() && session_.doc().settings().devices.size() > 1; }

bool Placement::dividesState() const { return session_.doc().settings().parallel == Parallelism::sharded; }

void Placement::divideState(bool on) {
  change([on](TrainSettings& s) { s.parallel = on ? Parallelism::sharded : Parallelism::data; },
         tr("Divide the optimizer's state"));
}

/// The parts of GPUs, which this process does not open, are those of as many processors.
void Placement::refreshSaved() {
  const auto work = [doc = session_.doc(), facts = session_.dataFacts()] {
    const auto devices =
        resolve_devices(partsOfCpu(static_cast<int>(doc.settings().devices.size())), doc.settings().threads);
    if (!devices) return std::int64_t{0};
    const std::vector<std::int64_t> saved = saved_by_sharding(doc, facts, *devices);
    return *std::min_element(saved.begin(), saved.end());
  };
  inBackground(this, work, [this, asked = ++asked_](std::int64_t bytes) {
    if (asked != asked_) return;
    saved_ = bytes;
    Q_EMIT changed();
  });
}

void Placement::refresh() {
  if (canDivideState() && session_.analysisCurrent()) refreshSaved();
  if (!split() || !session_.analysisCurrent()) return Q_EMIT changed();
  const QString runs = session_.run().runsFolder();
  const auto work = [doc = session_.doc(), facts = session_.dataFacts(),
                     folder = runs.isEmpty() ? runs_folder() : fs::path(runs.toStdString())] {
    Answer a;
    a.question = questionOf(doc.settings());
    a.batch = std::max<std::int64_t>(1, doc.settings().batch);
    const auto device = stageDevice(doc.settings());
    const std::int64_t limit = device ? memoryOfStage(*device, doc.settings()) : 0;
    const Target target{.batch = (a.question.batch + a.question.micro_batches - 1) / a.question.micro_batches,
                        .data = facts};
    auto placed = place_layers(doc, target, a.question.stages, limit);
    if (!placed) {
      a.problem = translated(placed.error().what);
      placed = place_layers(withoutLanes(doc), target, a.question.stages, limit);
    } else {
      a.problem = rejectionOf(doc.settings());
    }
    if (placed) a.layers = std::move(*placed);
    a.profiled = takeTimes(profiledTimes(folder, network_hash(doc)), a.layers);
    a.estimate = estimate_pipeline(a.layers, a.question);
    if (a.problem.isEmpty()) a.best = bestMove(a.layers, a.question);
    return a;
  };
  inBackground(this, work, [this, asked = ++asked_, version = session_.version()](Answer a) {
    if (asked != asked_) return;
    take(std::move(a));
    current_ = version == session_.version();
    takeSpeed();
    Q_EMIT changed();
    addWorkspace();
  });
}

void Placement::take(Answer a) {
  layers_ = std::move(a.layers);
  cards_ = cardsOf(layers_);
  placed_ = lanesOf(layers_);
  question_ = a.question;
  batch_ = a.batch;
  estimate_ = std::move(a.estimate);
  best_ = a.best;
  problem_ = a.problem;
  if (profiled_ != a.profiled) unit_ = 0;  // it was that of the other costs
  profiled_ = a.profiled;
}

/// Plans of stages take longer than their costs.
void Placement::addWorkspace() {
  if (!problem_.isEmpty() || layers_.empty()) return;
  const auto work = [doc = session_.doc(), facts = session_.dataFacts(), q = question_, estimate = estimate_] {
    std::vector<std::int64_t> bytes;
    const auto device = stageDevice(doc.settings());
    if (!device) return bytes;
    const Target target{
        .batch = (q.batch + q.micro_batches - 1) / q.micro_batches, .device = device.get(), .data = facts};
    const auto staged = compile_stages(doc, target, q.stages, memoryOfStage(*device, doc.settings()));
    for (int s = 0; staged && s < q.stages; ++s) {
      const auto i = static_cast<std::size_t>(s);
      bytes.push_back(workspaceOf(staged->stages[i], estimate.stages[i],
                                  parts_in_flight(q.schedule, q.stages, s, q.micro_batches)));
    }
    return bytes;
  };
  inBackground(this, work, [this, asked = asked_](const std::vector<std::int64_t>& bytes) {
    if (asked != asked_ || bytes.size() != estimate_.stages.size()) return;
    for (std::size_t i = 0; i < bytes.size(); ++i) estimate_.stages[i].memory.workspace = bytes[i];
    Q_EMIT changed();
  });
}

void Placement::follow(FitEstimator* speed) {
  speed_ = speed;
  if (!speed_) return;
  connect(speed_, &FitEstimator::changed, this, [this] {
    takeSpeed();
    Q_EMIT changed();
  });
  takeSpeed();
}

/// A unit of cost takes the same time whatever the lanes; an estimate that is being made is of another document.
void Placement::takeSpeed() {
  if (!speed_ || !current_ || estimate_.timeline.end <= 0) return;
  if (speed_->state() != FitEstimator::State::done || speed_->imagesPerSecond() <= 0) return;
  const double batch = static_cast<double>(question_.batch);  // of one of the groups that work at the same time
  const double seconds = static_cast<double>(batch_) / speed_->imagesPerSecond();
  // the devices train copies of a small network for the computed speed, and these lanes for the measured one
  const double units = speed_->measured() ? estimate_.timeline.end : estimate_.one_device / question_.stages;
  const TimeSource next = speed_->measured() ? TimeSource::measured
                          : profiled_        ? TimeSource::profiled
                                             : TimeSource::computed;
  // measured once for these layers: moving them must not look slower because the computer is busier now
  const double work = estimate_.one_device / batch * question_.stages;
  if (unit_ > 0 && next == source_ && std::abs(work - unitWork_) <= 1e-9 * work) return;
  unit_ = seconds / units;
  unitWork_ = work;
  source_ = next;
}

QString Placement::sourceText() const {
  switch (source_) {
    case TimeSource::none:
      return tr("Shares computed from multiply-adds; times are not known yet");
    case TimeSource::computed:
      return tr("Times computed from multiply-adds and the measured speed of this computer");
    case TimeSource::profiled:
      return tr("Times of the last profiled run");
    case TimeSource::measured:
      return tr("Times from a short training run on this computer");
  }
  return {};
}

QString Placement::costText(double cost, double whole) const {
  if (unit_ <= 0) return whole > 0 ? percentText(cost / whole, 0) : QString();
  const double ms = cost * unit_ * 1e3;
  return tr("%1 ms").arg(ms, 0, 'f', ms < 0.095 ? 2 : ms < 99.5 ? 1 : 0);
}

/// The least that a sum over the groups moves, a ring's: each group sends 2 (groups - 1) / groups of the gradients
/// (Patarasuk & Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
double Placement::exchangedBytes() const {
  std::int64_t parameters = 0;
  for (const PlacedLayer& l : layers_) parameters += l.parameters;
  return 2.0 * (groups() - 1) * static_cast<double>(parameters) * sizeof(float);
}

double Placement::costOf(NodeId card) const {
  double sum = 0;
  for (const PlacedLayer& l : layers_)
    if (l.node == card) sum += l.forward_cost + l.backward_cost;
  return sum * static_cast<double>(question_.batch) / static_cast<double>(question_.micro_batches);
}

QString Placement::emptySentence(int lane) const { return tr("No layer would be left on %1").arg(laneName(lane)); }

std::optional<PipelineEstimate> Placement::ifMoved(const std::set<NodeId>& moved, int to, QString* why) const {
  const Lanes next = movedLanes(layers_, placed_, moved, to);
  if (const int empty = emptyLane(next, question_.stages); empty >= 0) {
    if (why) *why = emptySentence(empty);
    return {};
  }
  return estimate_pipeline(placedOn(layers_, next), question_);
}

bool Placement::pushLanes(const Lanes& lanes, const QString& text) {
  const Edit edit = laneEdit(session_.doc(), lanes);
  return !edit.empty() && session_.push(edit, text);
}

bool Placement::move(const std::set<NodeId>& moved, int to) {
  if (!split() || moved.empty() || to < 0 || to >= lanes() || layers_.empty()) return false;
  const Lanes next = movedLanes(layers_, placed_, moved, to);
  if (const int empty = emptyLane(next, lanes()); empty >= 0) {
    Q_EMIT session_.message(emptySentence(empty), 1);
    Q_EMIT this->moved(emptySentence(empty));
    return false;
  }
  const auto count =
      std::count_if(next.begin(), next.end(), [&](const auto& n) { return placed_.at(n.first) != n.second; });
  if (count == 0 || !pushLanes(next, tr("Move to %1").arg(laneName(to)))) return false;
  placed_ = next;
  Q_EMIT this->moved(tr("%n layer(s) moved to %1", nullptr, static_cast<int>(count)).arg(laneName(to)));
  return true;
}

void Placement::balance() {
  if (!split()) return;
  const Lanes next = balancedLanes(layers_, lanes());
  if (next.empty()) return Q_EMIT session_.message(tr("The network has fewer layers with a cost than lanes"), 1);
  pushLanes(next, tr("Balance the lanes"));
  Q_EMIT moved(tr("The lanes are balanced"));
}

void Placement::change(const std::function<void(TrainSettings&)>& how, const QString& text) {
  TrainSettings s = session_.doc().settings();
  how(s);
  if (s != session_.doc().settings()) session_.push({PutSettings{s}}, text);
}

void Placement::setWay(PlacementWay way) {
  static constexpr const char* texts[] = {QT_TR_NOOP("Same copy on every device"), QT_TR_NOOP("Split into stages"),
                                          QT_TR_NOOP("Stages with copies")};
  const int wanted = way == PlacementWay::mixed ? firstLanes * firstGroups : firstLanes;
  change(
      [&](TrainSettings& s) {
        const bool split = way != PlacementWay::copies;
        if (split != (s.parallel == Parallelism::model)) s.parallel = split ? Parallelism::model : Parallelism::data;
        if (!split) s.micro_batches = 1;
        if (split && (std::ssize(s.devices) < wanted || (way == PlacementWay::mixed && s.devices.size() % firstGroups)))
          s.devices = laneDevices(s.devices, session_.devices(), wanted);
        if (split && s.micro_batches == 1) s.micro_batches = std::min<std::int64_t>(firstMicroBatches, s.batch);
        s.stages = way == PlacementWay::mixed ? static_cast<std::int32_t>(s.devices.size() / firstGroups) : 0;
      },
      tr(texts[static_cast<int>(way)]));
}

void Placement::setDevices(int lanes, int groups) {
  if ((lanes == this->lanes() && groups == this->groups()) || lanes < firstLanes || groups < 1) return;
  TrainSettings s = session_.doc().settings();
  s.devices = laneDevices(s.devices, session_.devices(), lanes * groups);
  s.stages = groups > 1 ? lanes : 0;
  Edit edit = lanes == this->lanes() ? Edit{} : laneEdit(session_.doc(), balancedLanes(layers_, lanes));
  edit.insert(edit.begin(), PutSettings{s});
  session_.push(edit, tr("Choose devices"));
}

}  // namespace nw::ui
