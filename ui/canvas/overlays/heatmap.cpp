// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlays/heatmap.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/design/graph_diff.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int legendWidth = 300, padding = 12, barHeight = 8, line = 18;

std::optional<LayerTimes> timesOf(const fs::path& run) {
  const auto text = read_file(run / "profile.json", std::uint64_t{16} << 20);
  if (!text) return {};
  const auto json = parse_json(*text, "profile.json");
  if (!json || !json->is_object()) return {};
  JsonReader profile(*json, "profile.json");
  const Json* layers = profile.child("layers", Json::value_t::array);
  if (!layers) return {};
  LayerTimes times;
  for (const Json& one : *layers) {
    JsonReader layer(one, "profile.json");
    const std::string name = layer.string("layer");
    times[name] += layer.real_or("forward_s", 0) + layer.real_or("backward_s", 0) + layer.real_or("update_s", 0);
  }
  return times;
}

double timeOf(const LayerTimes& times, const std::string& name, bool block) {
  double sum = 0;
  for (auto it = times.lower_bound(name); it != times.end() && it->first.rfind(name, 0) == 0; ++it)
    if (it->first == name || (block && it->first[name.size()] == '.')) sum += it->second;
  return sum;
}

/// The result of `read` for the newest run of this network that has the file and for which `read` returns a value.
template <class Read>
auto newestWith(const char* file, const fs::path& runs, std::uint64_t networkHash, Read read) -> decltype(read(runs)) {
  std::error_code ignored;
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored))
    if (fs::exists(entry.path() / file, ignored)) folders.push_back(entry.path());
  const auto age = [&](const fs::path& p) { return fs::last_write_time(p / file, ignored); };
  std::sort(folders.begin(), folders.end(), [&](const fs::path& a, const fs::path& b) { return age(a) > age(b); });
  for (const fs::path& folder : folders) {
    const auto run = read_run_definition(folder);
    if (!run || network_hash(run->doc) != networkHash) continue;
    if (auto found = read(folder)) return found;
  }
  return {};
}

bool within(const std::string& layer, const std::string& name, bool block) {
  return layer == name ||
         (block && layer.size() > name.size() && layer[name.size()] == '.' && layer.compare(0, name.size(), name) == 0);
}

}  // namespace

LayerTimes profiledTimes(const fs::path& runs, std::uint64_t networkHash) {
  return newestWith("profile.json", runs, networkHash, timesOf).value_or(LayerTimes());
}

std::optional<LayerStatistics> latestStatistics(const fs::path& runs, std::uint64_t networkHash) {
  return newestWith(statistics_file, runs, networkHash, last_statistics);
}

std::optional<double> gradientNorm(const LayerStatistics& s, const std::string& name, bool block) {
  double squares = 0;
  bool any = false;
  for (const LayerState& l : s.layers) {
    if (!within(l.layer, name, block) || l.gradients.count == 0) continue;
    squares += l.gradients.norm * l.gradients.norm;
    any = true;
  }
  return any ? std::optional(std::sqrt(squares)) : std::nullopt;
}

std::optional<double> updateRatio(const LayerStatistics& s, const std::string& name, bool block) {
  double changed = 0, weights = 0;
  for (const LayerState& l : s.layers) {
    if (!within(l.layer, name, block) || l.update_ratio < 0) continue;
    changed += std::pow(l.update_ratio * l.weights.norm, 2);
    weights += std::pow(l.weights.norm, 2);
  }
  return weights > 0 ? std::optional(std::sqrt(changed / weights)) : std::nullopt;
}

Heatmap::Heatmap(GraphScene& scene, NodeOutputs& outputs, QWidget* parent)
    : QWidget(parent), scene_(scene), outputs_(outputs) {
  setObjectName(QStringLiteral("heat"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
  connect(&scene_, &GraphScene::lookChanged, this, &Heatmap::refresh);
  connect(&scene_, &GraphScene::scopeChanged, this, &Heatmap::refresh);
  connect(&scene_.session().run(), &RunController::stateChanged, this, &Heatmap::refresh);
  connect(&scene_.session().feed(), &RunFeed::statisticsArrived, this, [this] {
    if (ofRun()) readStatistics();
  });
  connect(&outputs_, &NodeOutputs::changed, this, [this] {
    if (by_ == HeatmapQuantity::spread || by_ == HeatmapQuantity::zeros) take();
  });
}

QString Heatmap::title(HeatmapQuantity by) {
  switch (by) {
    case HeatmapQuantity::none:
      return tr("No heatmap");
    case HeatmapQuantity::time:
      return tr("Time of a training step");
    case HeatmapQuantity::memory:
      return tr("Memory of the outputs");
    case HeatmapQuantity::spread:
      return tr("Spread of the outputs");
    case HeatmapQuantity::zeros:
      return tr("Fraction of zeros in the outputs");
    case HeatmapQuantity::gradients:
      return tr("Size of the gradients");
    case HeatmapQuantity::updates:
      return tr("Size of the updates");
  }
  return {};
}

void Heatmap::setBy(HeatmapQuantity by) {
  by_ = by;
  times_.clear();
  values_.clear();
  scene_.display().setHeatmap({});
  outputs_.setMeasured(by == HeatmapQuantity::spread || by == HeatmapQuantity::zeros);
  setVisible(by != HeatmapQuantity::none);
  refresh();
}

std::optional<double> Heatmap::value(NodeId id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void Heatmap::refresh() {
  if (by_ == HeatmapQuantity::time) return readTimes();
  if (ofRun()) return readStatistics();
  take();
}

/// The newest profile of this network, read off the GUI thread.
void Heatmap::readTimes() {
  const QString folder = scene_.session().run().runsFolder();
  const auto work = [doc = scene_.doc(), runs = folder.isEmpty() ? runs_folder() : fs::path(folder.toStdString())] {
    return profiledTimes(runs, network_hash(doc));
  };
  inBackground(this, work, [this, asked = ++asked_](LayerTimes times) {
    if (asked != asked_ || by_ != HeatmapQuantity::time) return;
    times_ = std::move(times);
    take();
  });
}

void Heatmap::readStatistics() {
  const QString folder = scene_.session().run().runsFolder();
  const auto work = [doc = scene_.doc(), runs = folder.isEmpty() ? runs_folder() : fs::path(folder.toStdString())] {
    return latestStatistics(runs, network_hash(doc));
  };
  inBackground(this, work, [this, asked = ++asked_](std::optional<LayerStatistics> statistics) {
    if (asked != asked_ || !ofRun()) return;
    statistics_ = std::move(statistics);
    take();
  });
}

std::optional<double> Heatmap::ofLayer(NodeId id) const {
  const bool block = scene_.elements().nodes().at(id)->look().block;
  const std::string name = block ? scene_.graph().nodes.at(id).name
                                 : outputName(scene_.session().analysis(), scene_.doc(), scene_.scope(), id);
  if (name.empty()) return {};
  return by_ == HeatmapQuantity::gradients ? gradientNorm(*statistics_, name, block)
                                           : updateRatio(*statistics_, name, block);
}

void Heatmap::take() {
  values_.clear();
  const Analysis& analysis = scene_.session().analysis();
  const auto batch = static_cast<double>(scene_.doc().settings().batch);
  for (const auto& [id, item] : scene_.elements().nodes()) {
    if (!scene_.graph().nodes.contains(id) || item->look().dot) continue;
    if (by_ == HeatmapQuantity::time && !times_.empty()) {
      std::string name = item->look().block ? scene_.graph().nodes.at(id).name
                                            : outputName(analysis, scene_.doc(), scene_.scope(), id);
      if (!name.empty()) values_[id] = timeOf(times_, name, item->look().block);
    }
    if (const NodeInfo* facts = scene_.facts(id); by_ == HeatmapQuantity::memory && facts)
      values_[id] = static_cast<double>(facts->activation_bytes) * batch;
    if (const NodeOutput* output = outputs_.of(id); output && by_ == HeatmapQuantity::spread)
      values_[id] = output->deviation;
    else if (output && by_ == HeatmapQuantity::zeros)
      values_[id] = output->zeros;
    if (const auto v = ofRun() && statistics_ ? ofLayer(id) : std::nullopt) values_[id] = *v;
  }
  most_ = by_ == HeatmapQuantity::zeros ? 1 : 0;
  for (const auto& [id, v] : values_) most_ = std::max(most_, v);
  std::map<NodeId, HeatmapValue> heat;
  for (const auto& [id, v] : values_) heat[id] = {most_ > 0 ? v / most_ : 0, text(v)};
  scene_.display().setHeatmap(std::move(heat));
  sentence_ =
      !values_.empty() || by_ == HeatmapQuantity::none ? QString()
      : by_ == HeatmapQuantity::time
          ? tr("No run of this network has recorded layer times. Train the network with netwright-cli train --profile.")
      : ofRun() ? tr("No run of this network has layer statistics yet. Train the network: layer statistics are "
                     "recorded at the end of each epoch.")
      : by_ == HeatmapQuantity::memory ? tr("The network has problems. Solve them first.")
      : !outputs_.error().isEmpty()    ? outputs_.error()
      : outputs_.settled()             ? tr("The network has problems. Solve them first.")
                                       : tr("Computing…");
  setAccessibleName(sentence_.isEmpty() ? QStringLiteral("%1, 0 – %2").arg(title(by_), text(most_)) : sentence_);
  updateGeometry();
  update();
  Q_EMIT changed();
}

QString Heatmap::text(double v) const {
  if (by_ == HeatmapQuantity::time)
    return v < 1e-3 ? tr("%1 µs").arg(qRound64(v * 1e6))
           : v < 1  ? tr("%1 ms").arg(v * 1e3, 0, 'f', v < 0.1 ? 2 : 0)
                    : durationText(v);
  if (by_ == HeatmapQuantity::memory) return bytesText(v);
  return by_ == HeatmapQuantity::zeros ? percentText(v, 0)
                                       : QString::number(v, 'g', by_ == HeatmapQuantity::updates ? 2 : 3);
}

void Heatmap::setFaded(bool faded) {
  if (faded == faded_) return;
  faded_ = faded;
  update();
}

QSize Heatmap::sizeHint() const {
  const int words = sentence_.isEmpty()
                        ? barHeight + 6 + line
                        : QFontMetrics(ui::font(TextRole::secondary))
                              .boundingRect(QRect(0, 0, legendWidth - 2 * padding, 400), Qt::TextWordWrap, sentence_)
                              .height();
  return {legendWidth, 2 * padding + line + 4 + words};
}

void Heatmap::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (faded_ && !underMouse()) p.setOpacity(0.35);
  paintFloat(p, QRectF(rect()).adjusted(2, 2, -2, -2), radius::group, t.overlay, t.border2);
  p.setFont(ui::font(TextRole::button));
  p.setPen(t.text1);
  const QRect inner = rect().adjusted(padding, padding - 2, -padding, -padding);
  p.drawText(QRect(inner.topLeft(), QSize(inner.width(), line)), Qt::AlignVCenter | Qt::AlignLeft, title(by_));
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  if (!sentence_.isEmpty()) {
    p.drawText(inner.adjusted(0, line + 4, 0, 0), Qt::TextWordWrap, sentence_);
    return;
  }
  QLinearGradient ramp(inner.left(), 0, inner.right(), 0);
  for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) ramp.setColorAt(at, heatmapColour(t, at));
  const QRectF bar(inner.left(), inner.top() + line + 6, inner.width(), barHeight);
  p.setBrush(ramp);
  p.setPen(QPen(t.border2, 1));
  p.drawRoundedRect(bar, 3, 3);
  p.setPen(t.text2);
  const QRectF below(inner.left(), bar.bottom() + 4, inner.width(), line);
  p.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, text(0));
  p.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter,
             by_ == HeatmapQuantity::spread || by_ == HeatmapQuantity::zeros
                 ? (outputs_.run().isEmpty() ? tr("untrained") : tr("last run's weights"))
             : ofRun() && statistics_ ? tr("last run, step %1").arg(grouped(statistics_->step))
                                      : QString());
  p.drawText(below, Qt::AlignRight | Qt::AlignVCenter, text(most_));
}

}  // namespace nw::ui
