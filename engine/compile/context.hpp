// SPDX-License-Identifier: Apache-2.0
// The state that the compiler's passes share: the expanded network, its problems, and the plan under construction.
// Private to engine/compile.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/design/expression.hpp"
#include "engine/design/layer_type.hpp"

namespace nw::compiling {

/// One layer after blocks were expanded. Instances of one drawn node share scope and node.
struct FlatNode {
  const LayerType* type = nullptr;
  std::string name;  // dotted
  std::string scope;
  NodeId node = 0;
  Attrs attrs;
  bool passes_through = false;  // bypassed, Identity, BlockInput, BlockOutput: input 0 is the output
  bool frozen = false;
  std::vector<int> inputs;        // flat index per input, -1: nothing is connected
  std::vector<Connection> wires;  // the connection in `scope` that feeds each input (may be 0,0,0,0)
  std::string outer_scope;        // BlockInput of an instance: where the instance was drawn, and which port this is
  NodeId outer = 0;
  int outer_port = 0;
  // the block of the network it was expanded from; 0: it was drawn in the network itself
  NodeId instance = 0;
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
  // indices of nodes, every producer before its consumers; pass-through ones are left out
  std::vector<int> order;
  int loss = -1, input = -1;
  std::vector<Problem> problems;
  std::set<std::string> reported;  // one sentence per drawn node, not per instance
  // per flat node: itself, or the producer of the value it passes through; empty before follow_pass_through
  std::vector<int> passed;
  // the plan
  Compiled out;
  std::vector<int> output_value;  // per flat node; -1
  int images = -1, labels = -1, targets = -1;
  bool gradients = false;  // the plan ends in gradients of layers' outputs, not of weights

  bool failed() const;
  Problem* report(Severity, const FlatNode*, const Text&, int port = -1);  // nullptr: reported before
  Problem* report_at(Severity, const std::string& scope, NodeId, const Text&, int port = -1);
  /// The node that produces input `i`, behind pass-through nodes; -1: none.
  int source(const FlatNode&, int i) const;
};

/// Its index.
int add_value(Plan&, Value);
/// The value whose memory the value `v` lies in: itself unless it is an alias.
int root_of(const Plan&, int v);
/// A stable 16-bit key from a name, at or above first_step_op: unrelated edits leave random numbers as they are.
std::int64_t op_of(const std::string& name);

// ---- reading the drawing
void expand_blocks(Context&);  // types resolved, attributes evaluated and checked, blocks expanded
void find_cycles(Context&);    // every node on a cycle is reported; after it edges can be followed without end check
void order_nodes(Context&);    // Beyond this point the order is fixed.
void find_ends(Context&);      // one Input, one loss; what the loss depends on is live
void check_connections(Context&);    // every input of a live node is fed
void follow_pass_through(Context&);  // after it source() takes constant time
void infer_shapes(Context&);         // Beyond this point every live node has a shape, or a problem.
void check_data(Context&);           // the network fits the data set and its classes
void check_losses(Context&);         // Softmax before CrossEntropy, BCE without Sigmoid
// ---- writing the plan
void fuse_sigmoid_bce(Context&);
void declare_values(Context&);  // inputs, outputs of nodes, weights in reverse layer order
void lower_layers(Context&);    // Beyond this point there are steps only, no layers.
// gradients only: back from the seed in place of the loss, by running statistics, no weight's gradient
void follow_seed(Context&);
void declare_optimizer_state(Context&, const Value& weight);
void add_update(Context&);              // reduce, norm, clipping, optimizer
void fuse_steps(Plan&, const Device&);  // replaces several steps by one where the device supports it
// bf16: a rounding step in front of a product's operands, where the device has none that rounds
void round_operands(Plan&, const Device*);
// fp16, bf16 where the device stores them: activations, gradients and products' weights
void store_halves(Plan&, DType);
void gather_weight_gradients(Plan&,
                             const Device&);  // moves those that the device runs side by side to the end of backward
void check_steps(Context&);                   // every step is in the catalogue and the device can run it
void name_aliases(Context&);                  // Beyond this point every layer that is drawn can be read by its name.
/// Removes gradients, saved values and, on request, layers' outputs that no step uses; indices are adjusted.
void drop_unused(Plan&, bool activations);
void plan_memory(Plan&, const Device*);  // layouts, views, lifetimes, offsets
void write_in_place(Plan&);              // over an operand that is not read later; once views are known
void round_in_place(Plan&);              // where the unrounded value is not read later; once views are known

/// The error's quick fixes as edits, at most three; those that do not apply here are left out.
std::vector<Fix> fixes_for(const Context&, const FlatNode&, const ShapeError&);
Fix fix_attr(const Context&, const FlatNode&, Text label, const std::string& attr, Attr value);
Fix insert_before(const Context&, const FlatNode&, int port, Text label, std::vector<Node> chain);

}  // namespace nw::compiling
