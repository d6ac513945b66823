// SPDX-License-Identifier: Apache-2.0
// From the network to the plan: a list of named passes that collect all problems, each attached to its node, with quick
// fixes.
#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/design/data_facts.hpp"
#include "engine/design/graph_doc.hpp"
#include "kernels/api.hpp"

namespace nw {

enum class Severity : std::uint8_t { error, warning, note };

/// A quick fix: an edit that removes the problem; it can be undone.
struct Fix {
  Text label;  // "Insert Flatten"
  Edit edit;
};

struct Problem {
  Severity severity = Severity::error;
  std::string scope;       // "" or the block's name, which contains `node`
  NodeId node = 0;         // 0: the whole document
  int port = -1;           // input port, -1: the node
  Text what;               // "needs a vector, gets 16×5×5"
  std::vector<Fix> fixes;  // at most three, the best first
  std::string node_name;   // for lists and the command line
  bool of_data = false;    // of the data set, not of the network
};

/// Properties of a node that need no execution of the network. Sizes are per sample unless noted.
struct NodeInfo {
  Shape output;  // with N = 1 first; rank 0: unknown
  std::vector<Shape> inputs;
  std::int64_t parameters = 0;        // number of learned elements
  std::int64_t multiply_adds = 0;     // forward, one sample
  std::int64_t activation_bytes = 0;  // fp32 output, one sample
  bool operator==(const NodeInfo&) const = default;
};

/// One layer after the expansion of blocks, in the order of computation.
struct ExpandedNode {
  std::string name;  // dotted: "layer1.0.conv1"
  std::string scope;
  NodeId node;  // the node in its scope
  NodeInfo facts;
};

struct Analysis {
  // by scope; the scope of a block has the properties of its first instance
  std::map<std::string, std::map<NodeId, NodeInfo>> facts;
  std::vector<ExpandedNode> expanded;
  std::vector<Problem> problems;
  std::int64_t parameters = 0, multiply_adds = 0;
  // planned for training with the document's batch size on the target; 0 if there are errors
  std::int64_t memory_bytes = 0;
  bool ok() const;  // no error among the problems
  int count(Severity) const;
};

/// The target and options of a compilation.
struct Target {
  bool training = true;
  std::int64_t batch = 0;  // per device; 0 = from the settings
  int world = 1;
  const Device* device = nullptr;  // null: only shapes and problems are computed
  DataFacts data;
  // 0-based: layers that are frozen in this epoch are not trained; by default those that are only frozen at first are
  std::int64_t epoch = std::numeric_limits<std::int64_t>::max();
  bool every_layer = false;  // no steps are fused, so that the output of every layer can be read by its name
  // without training: after a step nothing but the network's output is read, so that other outputs share memory
  bool only_output = false;
};

/// What a network is compiled for where its data need not be there: one sample in each set.
Target target_without_data(const GraphDoc&, std::int64_t channels, std::int64_t height, std::int64_t width,
                           std::size_t classes);

/// Shapes, counts, problems and memory of a network. Never fails: errors are among the problems. Uses no device.
Analysis analyse(const GraphDoc&, const Target&);

struct Compiled {
  Plan plan;
  std::string output;      // name of the value that predictions are read from (logits)
  std::string activation;  // "softmax", "sigmoid", "none": converts the output to probabilities
  std::string
      targets;  // "labels" or "targets": the input that the loader fills; "targets" in training with mixed samples
  std::int64_t classes = 0;
  double label_smoothing = 0, focal_gamma = 0;    // of the loss
  std::vector<double> class_weights, pos_weight;  // of the loss, one for each score; empty: all are 1
};
/// The plan, or the message of the first error (Errc::bad_input). Values include "images", "labels" or "targets"; a
/// node's output has the node's dotted name. For a device, outputs that only the next step would read are omitted
/// unless `every_layer` is set.
Result<Compiled> compile(const GraphDoc&, const Target&);

/// A sentence for the user of a plan whose precision was automatic: which format the device computes in, and why.
Text precision_choice(const Plan&, const Device&);

}  // namespace nw
