// SPDX-License-Identifier: Apache-2.0
// The state that the compiler's passes share: the expanded network, its problems, and the plan under construction.
// Private to engine/compile.
#pragma once
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/compile/flat_network.hpp"
#include "engine/design/expression.hpp"
#include "engine/design/layer_type.hpp"

namespace nw::compiling {

inline constexpr std::int64_t never_trained = std::numeric_limits<std::int64_t>::max();  // of frozen_epochs

/// One layer after the expansion of blocks. Instances of one node share scope and node.
struct FlatNode {
  const LayerType* type = nullptr;
  std::string name;  // dotted
  std::string scope;
  NodeId node = 0;
  Attrs attrs;
  bool passes_through = false;     // bypassed, Identity, BlockInput, BlockOutput: input 0 is the output
  std::int64_t frozen_epochs = 0;  // 0: trained from the start; Node's and those of the instances that contain it
  bool frozen = false;             // in the target's epoch
  double lr_scale = 1;
  std::int64_t stage = -1;        // of a pipeline, as the document has it; -1: not chosen
  std::vector<int> inputs;        // flat index per input; -1: not connected
  std::vector<Connection> wires;  // the connection in `scope` that feeds each input (may be 0,0,0,0)
  std::string outer_scope;        // BlockInput of an instance: the scope of the instance, and its port
  NodeId outer = 0;
  int outer_port = 0;
  // the block instance of the network that contains it; 0: it is a node of the network itself
  NodeId instance = 0;
  std::vector<InstancePath> blocks;  // the block instances that contain it, the outermost first
  // filled by later passes
  bool live = false;  // the loss depends on it
  bool cyclic = false;
  Shape shape;  // of its output; rank 0: unknown
  std::vector<Shape> input_shapes;
  std::vector<Weight> weights;
};

struct Context {
  const GraphDoc& doc;
  const Target& target;
  std::vector<FlatNode> nodes;
  // indices of nodes, every producer before its consumers, without pass-through nodes
  std::vector<int> order;
  int loss = -1, input = -1;
  std::vector<Problem> problems;
  std::set<std::string> reported;  // one message per node of the graph, not per instance
  // per flat node: itself, or the producer of the value that it passes through; empty before follow_pass_through
  std::vector<int> passed;
  // the plan
  Compiled out;
  std::vector<int> output_value;  // per flat node; -1
  int images = -1, labels = -1, targets = -1;
  bool distils = false;  // a teacher's outputs are the targets, at this temperature
  double temperature = 1;
  bool keeps_opaque = false;  // layers that only stand for something are no problem
  bool gradients = false;     // the plan ends in gradients of layers' outputs, not of weights

  bool failed() const;
  Problem* report(Severity, const FlatNode*, const Text&, int port = -1);  // nullptr: already reported
  Problem* report_at(Severity, const std::string& scope, NodeId, const Text&, int port = -1);
  /// The node that produces input `i`, looking through pass-through nodes; -1: none.
  int source(const FlatNode&, int i) const;
};
inline FlatNode& at(Context& c, int node) { return c.nodes[static_cast<std::size_t>(node)]; }

/// Adds a value and returns its index.
int add_value(Plan&, Value);
/// The value in whose memory `v` is stored: `v` itself unless it is an alias.
int root_of(const Plan&, int v);
/// A stable 16-bit key from a name, at or above first_step_op, so that unrelated edits do not change random numbers.
std::int64_t op_of(const std::string& name);

/// The first problem that is an error, or that the network has no ends.
Error first_error(const Context&);
/// All passes over the graph, in order.
void read_graph(Context&);
// ---- passes over the graph
void expand_blocks(Context&);        // layer types are looked up, attributes evaluated and checked, blocks expanded
void find_cycles(Context&);          // reports all nodes on cycles; afterwards every path along edges ends
void order_nodes(Context&);          // afterwards the order is fixed
void find_ends(Context&);            // one Input and one loss; the nodes that the loss depends on are live
void check_connections(Context&);    // every input of a live node is connected
void follow_pass_through(Context&);  // afterwards source() takes constant time
void infer_shapes(Context&);         // afterwards every live node has a shape or a reported problem
void check_data(Context&);           // the network's input and output agree with the data set
void check_batch_norms(Context&);    // in training statistics are of more than one value
void list_conflicts(Context&);       // what a merge left open is reported
void check_frozen(Context&);         // something is trained from the first epoch on
void check_optimizer(Context&);      // its settings fit together
void check_losses(Context&);         // Softmax before CrossEntropy, BCE without Sigmoid
void check_distillation(Context&);   // the project's teacher can be read, and the loss takes its outputs
// ---- passes over the plan, the first of them as one: afterwards there are steps as layers lower them
void write_steps(Context&);
void settle_steps(Context&);  // fused, in the number format, in the order in which they run
void fuse_sigmoid_bce(Context&);
void declare_values(Context&);  // inputs, outputs of nodes, weights in reverse layer order
void lower_layers(Context&);    // afterwards there are only steps, no layers
// gradients only: backward from the seed instead of the loss, with running statistics, without gradients of weights
void follow_seed(Context&);
void declare_optimizer_state(Context&, const Value& weight);
void add_update(Context&);              // reduce, norm, clipping, optimizer
void fuse_steps(Plan&, const Device&);  // replaces several steps by one where the device supports it
// bf16: a rounding step before a product's operands, unless the device's product rounds them itself
void round_operands(Plan&, const Device*);
// fp16, and bf16 where the device stores it: activations, gradients and weights of products
void store_halves(Plan&, DType);
void gather_weight_gradients(
    Plan&,
    const Device&);           // moves steps that the device can run concurrently to the end of the backward pass
void check_steps(Context&);   // every step is a known kernel that the device supports
void name_aliases(Context&);  // afterwards the output of every layer of the graph can be read by its name
/// Removes gradients, saved values and, if requested, outputs of layers that no step uses; adjusts indices.
void drop_unused(Plan&, bool activations);
/// Keeps only values that steps use, with `model` also every weight and buffer.
void keep_read_values(Plan&, bool model);
/// Keeps weights, what belongs to them, buffers, the targets, and what steps use.
void keep_update_values(Plan&);
/// Keeps the weights and buffers of these names, what belongs to them, the targets, and what steps use.
void keep_model_values(Plan&, const std::set<std::string>& model);
/// Layouts, aliases, lifetimes, offsets. `only`: without training, the one value that is read after a step; -1: any is.
void plan_memory(Plan&, const Device*, int only = -1);
void write_in_place(Plan&);  // over an operand that is not read later; aliases must be known
void round_in_place(Plan&);  // if the unrounded value is not read later; aliases must be known

/// The quick fixes of an error as edits, at most three; those that do not apply are omitted.
std::vector<Fix> fixes_for(const Context&, const FlatNode&, const ShapeError&);
Fix fix_attr(const Context&, const FlatNode&, Text label, const std::string& attr, Attr value);
Fix insert_before(const Context&, const FlatNode&, int port, Text label, std::vector<Node> chain);
/// For an input that is not connected: connections to at most two layers of the same graph, the nearest above whose
/// output is unused first. None of them closes a cycle.
std::vector<Fix> connections_to(const Context&, const std::string& scope, NodeId node, int port);

}  // namespace nw::compiling
