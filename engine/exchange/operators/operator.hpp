// SPDX-License-Identifier: Apache-2.0
// The operator table: how a layer is written as ONNX operators and from which operators it is read. A layer's mapping
// is one record in one file of this folder; the file's name is its registration (x.cpp defines `const OperatorFile
// x_operators`). Exporter and importer know no layer by name beyond Input and the losses.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/compile/flat_network.hpp"
#include "engine/exchange/onnx/model.hpp"

namespace nw::exchange {

using Attributes = std::map<std::string, onnx::Attribute, std::less<>>;

/// Through which a layer adds its operators to the model.
class LayerWriter {
 public:
  virtual ~LayerWriter() = default;
  virtual const FlatLayer& layer() const = 0;
  virtual std::string input(std::size_t i = 0) const = 0;  // the value's name
  /// Stores the weight under its name in safetensors and returns that; "": the layer has none of that name. `dims`: of
  /// the stored tensor, if they differ from the weight's shape.
  virtual std::string weight(std::string_view name, const onnx::Dims& dims = {}) = 0;
  /// Stores a tensor that is no weight, as "layer/part".
  virtual std::string constant(std::string_view part, onnx::Tensor) = 0;
  /// Adds an operator before the last one; returns the name of its output.
  virtual std::string part(std::string_view part, std::string_view op, std::vector<std::string> inputs,
                           Attributes = {}) = 0;
  /// Adds the operator whose output is the layer's.
  virtual void finish(std::string_view op, std::vector<std::string> inputs, Attributes = {}) = 0;

  const Attrs& attrs() const { return layer().attrs; }
  const Shape& in(std::size_t i = 0) const { return layer().input_shapes[i]; }
  const Shape& out() const { return layer().shape; }
};

/// A layer of an imported network.
struct BuiltLayer {
  const LayerType* type = nullptr;
  AttrMap attrs;
  std::vector<int> inputs;  // of the list of layers
  std::vector<Shape> input_shapes;
  Shape shape;                                  // N = 1 first
  std::map<std::string, onnx::Tensor> weights;  // by Weight::name, f32, with the weight's shape
  std::string name;                             // that the file gives it; may be empty or used twice
  const onnx::Node* origin = nullptr;           // the operator that it was read from; nullptr: none
  std::string kept{};                           // opaque: the operator itself (kept_operators.hpp); empty: not kept
};

/// How a value of the file lies beside the output of the layer that it is.
enum class Form {
  plain,
  nhwc,       // an image whose channels are last
  flat_nhwc,  // a vector made of such an image
  view,       // the same elements in the same order, of other sizes
  scaled      // the layer's output times `factor`
};
struct Ref {
  int layer = -1;
  Form form = Form::plain;
  onnx::Dims dims{};  // view: its sizes, the batch first; flat_nhwc: the image's H, W, C
  double factor = 1;
};

/// The sizes that the file's value has, N as `batch_size`. `layer`: shape of the layer's output.
onnx::Dims dims_of(const Ref&, const Shape& layer);
/// PyTorch's exporter put a batch norm into the convolution.
bool holds_batch_norm(const onnx::Node& convolution);

/// Through which an operator becomes layers.
class NodeReader {
 public:
  virtual ~NodeReader() = default;
  virtual const onnx::Node& node() const = 0;
  virtual std::int64_t opset() const = 0;
  virtual bool given(std::size_t i) const = 0;
  virtual const onnx::Tensor* constant(std::size_t i) const = 0;  // nullptr: absent, or computed from the images
  virtual const Ref* value(std::size_t i) const = 0;              // nullptr: absent, or a constant
  virtual const BuiltLayer& layer(int) const = 0;
  /// The one operator that reads the output of layer `i` is this one, so that the layer may be replaced.
  virtual bool replaceable(int layer) const = 0;
  /// Adds a layer; `made` is its output. Returns why the layer does not take these attributes or inputs; empty: added.
  virtual Text add(std::string_view type, AttrMap attrs, const std::vector<int>& inputs, int& made,
                   std::map<std::string, onnx::Tensor> weights = {}) = 0;
  /// Sets the operator's first output.
  virtual void is(Ref) = 0;
  /// The same for another of its outputs.
  virtual void output_is(std::size_t output, Ref) = 0;
  /// Another operator, or the network's output, reads that output.
  virtual bool is_read(std::size_t output) const = 0;
  /// Adds a layer and sets the output to it.
  Text becomes(std::string_view type, AttrMap attrs, const std::vector<int>& inputs,
               std::map<std::string, onnx::Tensor> weights = {});
  /// The sizes that the file's value has, N as `batch_size`; of a constant its own.
  virtual onnx::Dims dims(std::size_t i) const = 0;
  virtual void note(const Text&) = 0;  // for the user
  /// Returns `why`; the file contradicts itself, so that it is refused instead of keeping the operator as it is.
  virtual Text contradiction(Text why) = 0;
  /// The element-wise operation on the network's input, by one number for each channel, becomes preprocessing.
  virtual void preprocess(std::string_view op, const onnx::Tensor& by) = 0;
  virtual bool is_network_input(int layer) const = 0;
  /// The one operator that reads the output; "": there are several, or it is an output of the network.
  virtual std::string next_op() const = 0;
  virtual std::int64_t static_batch() const = 0;  // of the file's input; -1: any

  std::size_t inputs() const { return node().inputs.size(); }
  /// The value's layer if it is in plain form.
  int plain(std::size_t i) const { return value(i) && value(i)->form == Form::plain ? value(i)->layer : -1; }
  Shape shape(std::size_t i) const { return layer(value(i)->layer).shape; }
};

/// Stands for the number of images wherever a file computes with sizes.
inline constexpr std::int64_t batch_size = -0x4E657477;

/// Keys of an operator's metadata, as PyTorch's exporter writes them: the names and the classes of its modules.
inline constexpr const char *scopes_key = "pkg.torch.onnx.name_scopes",
                            *hierarchy_key = "pkg.torch.onnx.class_hierarchy";

/// Versions of ai.onnx in which an operator is read.
struct OperatorRange {
  std::string_view op;
  int first = 1, last = 26;
};
inline constexpr int newest_opset = 26;

struct OperatorMapping {
  std::string_view layer;  // LayerType::name
  std::vector<OperatorRange> reads;
  int opset = 13;  // the lowest version in which the layer is written
  Status (*write)(LayerWriter&) = nullptr;
  /// Empty: done. Otherwise why this operator is not that layer; another record may take it.
  Text (*read)(NodeReader&) = nullptr;
  /// Its operators are read back together: they are the layer that their metadata name if writing that layer gives
  /// exactly them. `read` is then for files of other programs, and may be absent.
  bool whole = false;
};
struct OperatorFile {
  std::vector<OperatorMapping> mappings;
};

/// In the order of the file names; generated by CMake.
std::span<const OperatorFile* const> operator_files();
const OperatorMapping* mapping_of_layer(std::string_view layer);
/// The records that may read an operator of that version, in the order of the table.
std::vector<const OperatorMapping*> mappings_of(std::string_view op, std::int64_t opset);
bool is_known_operator(std::string_view op);

// ---- shared by the records
/// {h, w} as ONNX writes it.
std::vector<std::int64_t> list_of(std::pair<std::int64_t, std::int64_t>);
/// h, w, h, w: the same padding at the beginnings and the ends.
std::vector<std::int64_t> both_ends(std::pair<std::int64_t, std::int64_t>);
/// One number for each channel of the value, from a constant that broadcasts so; nothing if it does not.
std::optional<std::vector<float>> per_channel(const NodeReader&, const onnx::Tensor&, std::size_t value);
/// The only element of a constant.
std::optional<double> scalar_of(const onnx::Tensor*);
/// 0.1 as a file holds it, 0.100000001, becomes 0.1.
double shortest(double v);
onnx::Tensor with_dims(onnx::Tensor, const Shape&);
onnx::Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>&);
/// A list of sizes, axes or places.
onnx::Tensor whole_numbers(const std::vector<std::int64_t>&);
/// The sizes to which a Reshape brings a value of this shape: 0, which keeps the number of images, and the others.
onnx::Dims each_batch(const Shape&);
/// The axis as a number from 0 on.
std::int64_t positive_axis(std::int64_t axis, std::size_t rank);

}  // namespace nw::exchange
