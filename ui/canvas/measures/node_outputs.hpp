// SPDX-License-Identifier: GPL-3.0-or-later
// The outputs of the layers for one training image, computed by the helper process and shown on the nodes. An output
// is requested again only when its layer, a layer before it, the data or the weights changed: images are cached by the
// hash of everything they depend on.
#pragma once
#include <QHash>
#include <QImage>
#include <QObject>
#include <set>

#include "engine/core/files.hpp"
#include "engine/predict/serve.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

struct NodeOutput {
  QImage picture;  // grey, square
  double least = 0, mean = 0, most = 0, deviation = 0, zeros = 0;
};

/// For each node of the scope, the hash of everything its output depends on: its settings, the nodes that feed it, and
/// `ground` (data, seed, weights). Inside a block every output depends on the whole network.
std::map<NodeId, quint64> outputHashes(const GraphDoc& doc, const std::string& scope, quint64 ground);
/// The name of this node's output in a plan; empty: the node is not part of the network.
std::string outputName(const Analysis& analysis, const GraphDoc& doc, const std::string& scope, NodeId id);

class NodeOutputs : public QObject {
  Q_OBJECT
 public:
  explicit NodeOutputs(GraphScene& scene);
  bool isOn() const { return on_; }
  void setOn(bool on);  // of all layers
  bool isShown(NodeId id) const { return on_ || chosen_.contains({scene_.scope(), id}); }
  void toggle(const std::vector<NodeId>& ids);  // these alone
  /// Whether the statistics are computed also while no images are shown.
  void setMeasured(bool on);
  const NodeOutput* of(NodeId id) const;
  bool settled() const { return settled_; }
  /// The run whose weights are used; empty: the initial weights.
  QString run() const { return run_; }
  QString error() const { return error_; }
  int asked() const { return asked_; }  // number of layers requested from the helper process

 Q_SIGNALS:
  void changed();

 private:
  struct Wanted {
    NodeId id;
    std::string name;
    quint64 hash;
  };
  struct Plan {
    std::vector<Wanted> wanted;
    Json project;
    QString run, checkpoint;
  };
  static Plan plan(const GraphDoc&, const Analysis&, const std::string& scope, const std::vector<NodeId>& ids,
                   const fs::path& runs);
  void refresh();
  void ask(const Plan& plan);
  void take(const std::vector<Wanted>& missing, const Message& answer);
  void show();
  std::vector<NodeId> wanted() const;

  GraphScene& scene_;
  bool on_ = false, measured_ = false, settled_ = true;
  std::set<std::pair<std::string, NodeId>> chosen_;
  QHash<quint64, NodeOutput> cache_;
  std::map<NodeId, quint64> hashes_;
  quint64 generation_ = 0;
  qint64 request_ = 0;
  int asked_ = 0;
  QString run_, error_;
};

}  // namespace nw::ui
