// SPDX-License-Identifier: Apache-2.0
// The record that defines a layer type. It determines palette, inspector, shape inference, initial weights, checkpoint
// names, lowering, export, documentation and tests. To add a layer type, add one file in engine/layers/ that defines
// `const LayerType x_layer`.
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "engine/design/graph_doc.hpp"
#include "kernels/tensor.hpp"

namespace nw {

struct DataFacts;

/// One attribute of a layer: its type, default, range, unit and help text, used by the inspector and the checks.
struct Field {
  // pair: {height, width}, both in range; text: at most `hi` bytes; sizes: at most 3 whole numbers in range
  enum class Kind : std::uint8_t { integer, real, boolean, choice, pair, text, sizes };
  std::string name;  // PyTorch's spelling: "kernel_size"
  Kind kind = Kind::integer;
  Attr otherwise;  // the default
  double lo = 0, hi = 0;
  std::vector<std::string> choices;  // choice
  std::string unit;                  // "px", "" …
  Text label, help;                  // "Kernel size"; one sentence
  /// text: why a value is refused while it is typed; empty: it is not. nullptr: every text is taken.
  Text (*refusal)(const std::string&) = nullptr;
};

/// The attributes of a layer with defaults filled in and formulas evaluated; getters assert the type.
class Attrs {
 public:
  Attrs() = default;
  explicit Attrs(AttrMap values) : values_(std::move(values)) {}
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::string choice(std::string_view name) const;  // also of text
  std::pair<std::int64_t, std::int64_t> pair(std::string_view name) const;
  std::vector<std::int64_t> sizes(std::string_view name) const;
  const AttrMap& values() const { return values_; }

 private:
  AttrMap values_;
};

struct Weight {
  // "weight", "bias"; buffers "running_mean". Empty: the layer's only one, which has the layer's name (LayerScale)
  std::string name;
  Shape shape;  // PyTorch's
  // "kaiming_uniform" (a = sqrt 5), "bias_uniform" (1/sqrt fan_in), "ones", "zeros", "quarter", "constant 1e-06",
  // "normal 0.02" (its standard deviation)
  std::string init;
  std::int64_t fan_in = 0, fan_out = 0;
  bool buffer = false;  // state without a gradient
  // false: the weight of a norm or an activation, which decays only if the settings include biases and norms
  bool decay = true;
};

/// A value of the plan during lowering; -1: absent.
using ValueRef = int;

/// The interface through which a layer adds its steps. grad_of_output(i) comes from later layers; set_grad_of_input(i,
/// v) passes a gradient to earlier ones. The compiler sums the gradients of a value that is used several times and
/// omits those that are not needed (needs_grad_of_input).
class Emit {
 public:
  virtual ~Emit() = default;
  virtual int inputs() const = 0;
  virtual ValueRef input(int i = 0) const = 0;
  virtual ValueRef output() const = 0;
  virtual ValueRef weight(std::string_view name) const = 0;  // -1: the layer has no weight of that name
  virtual ValueRef grad_of_weight(std::string_view name) const = 0;
  // losses: i64 (N); training with mixed samples, or with the answers of a teacher: the fraction of each class, f32 (N,
  // classes)
  virtual ValueRef labels() const = 0;
  virtual ValueRef targets() const = 0;  // losses: f32 (N,K)
  virtual ValueRef saved(std::string_view name, Shape, DType, bool batched = true) = 0;
  /// A value between two forward steps of the layer, shaped as given, and a gradient between two backward steps.
  virtual ValueRef between(std::string_view name, Shape) = 0;
  virtual ValueRef between_gradients(std::string_view name, Shape) = 0;
  virtual ValueRef grad_of_output() const = 0;
  virtual bool needs_grad_of_input(int i = 0) const = 0;
  virtual ValueRef grad_of_input(int i = 0) = 0;               // -1: not needed
  virtual void alias_grad_of_input(int i, ValueRef grad) = 0;  // the gradient passes unchanged (Add)
  virtual const Shape& shape(ValueRef) const = 0;
  virtual bool training() const = 0;          // false: only forward steps, with inference kernels
  virtual const DataFacts& data() const = 0;  // what is known of the training data
  virtual int world() const = 0;              // number of replicas that share the statistics of a batch
  // what a loss divides its scores by in a training that learns another network's answers; else 1
  virtual double temperature() const = 0;
  virtual void forward(std::string kernel, std::vector<ValueRef> in, std::vector<ValueRef> out, StepAttrs = {}) = 0;
  virtual void backward(std::string kernel, std::vector<ValueRef> in, std::vector<ValueRef> out, StepAttrs = {}) = 0;
  virtual std::int64_t random_key() = 0;  // the attribute "key" of dropout
};

/// A quick fix for a shape error; engine/compile/fixes.cpp converts it to an edit.
enum class QuickFix : std::uint8_t {
  insert_flatten,            // before the port
  insert_global_avg_pool2d,  // and a Flatten, before the port
  set_padding,               // so that the kernel or window fits into the image
  shrink_window,             // reduce the window of a pooling to the image
  one_group,
  dividing_groups,  // group norm: the largest divisor of the channels that is at most the present number
  no_padding,
  no_output_padding,
  project,  // a 1×1 convolution that gives one input the shape of the other
  use_bce_with_logits,
  remove,       // the layer
  use_identity  // instead of the layer
};

/// Input shapes that the layer cannot accept, with 0 to 3 quick fixes, the best first.
struct ShapeError {
  Text what;  // "needs a vector, gets 16×5×5"
  int port = 0;
  std::vector<QuickFix> fixes = {};
};

template <class T>
using Inferred = std::variant<T, ShapeError>;

struct LayerType {
  std::string_view name;  // "Conv2d"
  // Input, Convolution, Pooling, Normalization, Activation, Linear, Attention, Regularization, Shape, Loss
  std::string_view group;
  std::string_view stem;  // "conv": new nodes are named conv1, conv2, …
  Text summary;           // one line for palette and documentation
  std::string_view onnx;  // name of the operator; "" = none
  int inputs = 1;         // -1: one or more (Add, Concat)
  int outputs = 1;        // losses: 0
  std::vector<Field> fields;
  /// Output shape from input shapes, all with the batch size N first.
  Inferred<Shape> (*infer)(const Attrs&, std::span<const Shape>) = nullptr;
  std::vector<Weight> (*weights)(const Attrs&, std::span<const Shape>) = nullptr;  // nullptr: none
  void (*lower)(const Attrs&, Emit&) = nullptr;
  /// Multiply-adds of one sample's forward pass.
  std::int64_t (*multiply_adds)(const Attrs&, std::span<const Shape> in, const Shape& out) = nullptr;
  bool loss = false;
  std::string_view targets = "";     // losses: "labels" or "targets"
  std::string_view activation = "";  // losses: converts scores to probabilities: "softmax", "sigmoid" or "none"
  /// Why a network with this layer can be edited, but neither trained nor exported; nullptr: it can. The layer is not
  /// offered in palettes.
  Text (*refusal)(const Attrs&) = nullptr;
};

/// In the order of the file names; generated by CMake.
std::span<const LayerType* const> all_layers();
const LayerType* find_layer(std::string_view name);
/// The name with the smallest edit distance, for "did you mean".
std::string nearest_layer(std::string_view name);

Field integer_field(std::string name, Text label, std::int64_t otherwise, std::int64_t lo, std::int64_t hi, Text help,
                    std::string unit = "");
Field real_field(std::string name, Text label, double otherwise, double lo, double hi, Text help);
Field boolean_field(std::string name, Text label, bool otherwise, Text help);
Field pair_field(std::string name, Text label, std::int64_t otherwise, std::int64_t lo, std::int64_t hi, Text help,
                 std::string unit = "px");
/// The value has the field's type and lies within its limits.
bool in_range(const Field&, const Attr&);
Field text_field(std::string name, Text label, std::int64_t longest, Text help);
Field sizes_field(std::string name, Text label, std::int64_t lo, std::int64_t hi, Text help);
Field choice_field(std::string name, Text label, std::string otherwise, std::vector<std::string> choices, Text help);

}  // namespace nw
