// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/measures/node_outputs.hpp"

#include <algorithm>

#include "engine/design/graph_diff.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr qsizetype mostKept = 20000;

quint64 hashOf(const std::string& text) { return xxh3(text); }

std::string settingsText(const Node& node) {
  std::string text;
  for (const auto& [name, value] : node.attrs) text += name + '=' + attrText(value).toStdString() + ';';
  return text;
}

}  // namespace

std::map<NodeId, quint64> outputHashes(const GraphDoc& doc, const std::string& scope, quint64 ground) {
  const Graph& g = doc.graph(scope);
  std::map<NodeId, std::vector<Connection>> inputs;
  std::map<NodeId, int> open;
  std::map<NodeId, std::vector<NodeId>> followers;
  for (const Connection& c : g.connections) {
    inputs[c.to].push_back(c);
    followers[c.from].push_back(c.to);
    ++open[c.to];
  }
  const quint64 blocks = scope.empty() ? 0 : network_hash(doc);
  std::map<NodeId, quint64> hashes;
  std::vector<NodeId> ready;
  for (const auto& [id, node] : g.nodes)
    if (!open.contains(id)) ready.push_back(id);
  while (!ready.empty()) {
    const NodeId id = ready.back();
    ready.pop_back();
    const Node& node = g.nodes.at(id);
    Json all{ground, blocks, node.type, node.name, node.bypassed, settingsText(node)};
    if (const auto block = node.attrs.find("block");
        block != node.attrs.end() && std::holds_alternative<std::string>(block->second))
      all.push_back(network_hash(doc));
    std::vector<Connection> from = inputs[id];
    std::sort(from.begin(), from.end(), [](const Connection& a, const Connection& b) { return a.to_port < b.to_port; });
    for (const Connection& c : from) all.push_back({hashes[c.from], c.from_port, c.to_port});
    hashes[id] = hashOf(all.dump());
    for (const NodeId next : followers[id])
      if (--open[next] == 0) ready.push_back(next);
  }
  return hashes;
}

std::string outputName(const Analysis& analysis, const GraphDoc& doc, const std::string& scope, NodeId id) {
  const Node& node = doc.graph(scope).nodes.at(id);
  std::string found;
  for (const ExpandedNode& e : analysis.expanded) {
    if (e.scope == scope && e.node == id) return e.name;
    // the last one
    if (node.type == "Block" && scope.empty() && e.name.rfind(node.name + ".", 0) == 0) found = e.name;
  }
  return found;
}

NodeOutputs::NodeOutputs(GraphScene& scene) : QObject(&scene), scene_(scene) {
  connect(&scene_, &GraphScene::lookChanged, this, &NodeOutputs::refresh);
  connect(&scene_, &GraphScene::scopeChanged, this, &NodeOutputs::refresh);
  connect(&scene_.session(), &Session::dataFactsChanged, this, &NodeOutputs::refresh);
  connect(&scene_.session().run(), &RunController::stateChanged, this, &NodeOutputs::refresh);
}

void NodeOutputs::setOn(bool on) {
  if (on == std::exchange(on_, on)) return;
  if (!on) chosen_.clear();
  refresh();
}

void NodeOutputs::setMeasured(bool on) {
  if (on == std::exchange(measured_, on)) return;
  refresh();
}

void NodeOutputs::toggle(const std::vector<NodeId>& ids) {
  const bool all = std::all_of(ids.begin(), ids.end(), [&](NodeId id) { return isShown(id); });
  if (on_)  // from all nodes to all except these
    for (const auto& [id, item] : scene_.elements().nodes()) chosen_.insert({scene_.scope(), id});
  on_ = false;
  for (const NodeId id : ids) {
    if (all)
      chosen_.erase({scene_.scope(), id});
    else
      chosen_.insert({scene_.scope(), id});
  }
  refresh();
}

std::vector<NodeId> NodeOutputs::wanted() const {
  std::vector<NodeId> ids;
  for (const auto& [id, item] : scene_.elements().nodes())
    if (measured_ || isShown(id)) ids.push_back(id);
  return ids;
}

const NodeOutput* NodeOutputs::of(NodeId id) const {
  const auto hash = hashes_.find(id);
  const auto found = hash == hashes_.end() ? cache_.end() : cache_.find(hash->second);
  return found == cache_.end() || found->picture.isNull() ? nullptr : &*found;
}

/// Worker thread. Uses the weights of the newest run of this network that has a checkpoint.
NodeOutputs::Plan NodeOutputs::plan(const GraphDoc& doc, const Analysis& analysis, const std::string& scope,
                                    const std::vector<NodeId>& ids, const fs::path& runs) {
  Plan p;
  if (const auto last = lastRunOf(runs, network_hash(doc)))
    if (const auto checkpoint = latest_checkpoint(last->folder.toStdString())) {
      p.run = last->folder;
      p.checkpoint = QString::fromStdString(checkpoint->name);
    }
  const std::string ground = to_json(doc.data()).dump() + std::to_string(doc.settings().seed) + p.run.toStdString() +
                             p.checkpoint.toStdString();
  const auto hashes = outputHashes(doc, scope, hashOf(ground));
  for (const NodeId id : ids)
    if (const auto hash = hashes.find(id); hash != hashes.end() && doc.graph(scope).nodes.contains(id))
      if (std::string name = outputName(analysis, doc, scope, id); !name.empty())
        p.wanted.push_back({id, std::move(name), hash->second});
  p.project = ProjectFile::json(doc);
  return p;
}

void NodeOutputs::refresh() {
  ++generation_;
  if (request_ != 0) scene_.session().helper().cancel(std::exchange(request_, 0));
  const std::vector<NodeId> ids = wanted();
  if (ids.empty()) {
    hashes_.clear();
    settled_ = true;
    return show();
  }
  settled_ = false;
  Session& session = scene_.session();
  if (!session.analysisCurrent()) return;  // lookChanged() is emitted when the analysis is current
  if (!session.analysis().ok()) {          // images of unchanged layers stay
    settled_ = true;
    return show();
  }
  const QString folder = session.run().runsFolder();
  const auto work = [doc = session.doc(), analysis = session.analysis(), scope = scene_.scope(), ids,
                     runs = folder.isEmpty() ? runs_folder() : fs::path(folder.toStdString())] {
    return plan(doc, analysis, scope, ids, runs);
  };
  inBackground(this, work, [this, generation = generation_](const Plan& p) {
    if (generation == generation_) ask(p);
  });
}

void NodeOutputs::ask(const Plan& p) {
  run_ = p.run;
  hashes_.clear();
  std::vector<Wanted> missing;
  for (const Wanted& w : p.wanted) {
    hashes_[w.id] = w.hash;
    if (!cache_.contains(w.hash)) missing.push_back(w);
  }
  if (missing.empty()) {
    settled_ = true;
    return show();
  }
  show();
  protocol::OutputsRequest request{
      .project = p.project, .sample = 1, .run = p.run.toStdString(), .checkpoint = p.checkpoint.toStdString()};
  for (const Wanted& w : missing) request.names.push_back(w.name);
  asked_ += static_cast<int>(missing.size());
  request_ = scene_.session().helper().ask(this, request,
                                           [this, missing, generation = generation_](const Result<Message>& answer) {
                                             if (generation != generation_) return;
                                             request_ = 0;
                                             settled_ = true;
                                             error_ = answer ? QString() : translated(answer.error().what);
                                             if (answer) take(missing, *answer);
                                             show();
                                           });
}

void NodeOutputs::take(const std::vector<Wanted>& missing, const Message& answer) {
  if (cache_.size() > mostKept) cache_.clear();
  JsonReader reader(answer.json, "helper");
  const auto side = static_cast<int>(reader.integer("side", 1, 1024));
  const Json* layers = reader.child("layers", Json::value_t::array);
  if (!reader.status() || !layers || answer.payload.size() != layers->size() * static_cast<std::size_t>(side * side))
    return;
  std::map<std::string, NodeOutput> made;
  for (std::size_t i = 0; i < layers->size(); ++i) {
    JsonReader layer((*layers)[i], "helper");
    const QImage view(answer.payload.data() + i * static_cast<std::size_t>(side * side), side, side, side,
                      QImage::Format_Grayscale8);
    made[layer.string("name")] = {view.copy(),
                                  layer.real_or("min", 0),
                                  layer.real_or("mean", 0),
                                  layer.real_or("max", 0),
                                  layer.real_or("deviation", 0),
                                  layer.real_or("zeros", 0)};
  }
  // an empty image: the layer has no output, and no output is requested again
  for (const Wanted& w : missing) cache_.insert(w.hash, made[w.name]);
}

void NodeOutputs::show() {
  std::map<NodeId, QImage> pictures;
  for (const auto& [id, item] : scene_.elements().nodes())
    if (const NodeOutput* output = isShown(id) ? of(id) : nullptr) pictures[id] = output->picture;
  scene_.display().setOutputs(std::move(pictures));
  Q_EMIT changed();
}

}  // namespace nw::ui
