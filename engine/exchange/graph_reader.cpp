// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/graph_reader.hpp"

#include <algorithm>

#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/fit_layer.hpp"
#include "engine/exchange/folding/fold.hpp"
#include "engine/exchange/opaque_nodes.hpp"
#include "engine/exchange/whole_layers.hpp"
#include "kernels/nested_text.hpp"

namespace nw::exchange {
namespace {

constexpr std::size_t most_folded_bytes = std::size_t{1} << 30;

/// A value of the file: a constant, the output of a layer, or of an operator that is not read.
struct Slot {
  std::shared_ptr<const onnx::Tensor> constant;
  std::optional<Ref> ref;
};

class GraphReader final : public NodeReader {
 public:
  GraphReader(const onnx::Model& model, const std::string& where, const ImportOptions& options)
      : model_(model), where_(where), options_(options), sizes_(model) {}

  Result<ReadGraph> read() {
    NW_TRY(check_versions());
    count_readers();
    for (const onnx::Tensor& t : model_.initializers)
      values_[t.name].constant = std::shared_ptr<const onnx::Tensor>(std::shared_ptr<void>(), &t);
    NW_TRY(add_input());
    const auto whole = whole_layers(model_);
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      const auto found = whole.find(i);
      if (found != whole.end() && read_whole(found->second))
        i = found->second.last;
      else
        NW_TRY(read_node(model_.nodes[i]));
    }
    if (refused_.size() > most_refused()) return refusal(refused_, where_, model_.nodes.size());
    NW_TRY(find_output());
    return std::move(out_);
  }

  // ---- NodeReader
  const onnx::Node& node() const override { return *node_; }
  std::int64_t opset() const override { return opset_; }
  bool given(std::size_t i) const override { return i < node_->inputs.size() && !node_->inputs[i].empty(); }
  const onnx::Tensor* constant(std::size_t i) const override { return given(i) ? slot(i).constant.get() : nullptr; }
  const Ref* value(std::size_t i) const override { return given(i) && slot(i).ref ? &*slot(i).ref : nullptr; }
  const BuiltLayer& layer(int i) const override { return out_.layers[static_cast<std::size_t>(i)]; }

  bool replaceable(int layer) const override {
    const auto it = names_of_.find(layer);
    if (it == names_of_.end() || layer == 0) return false;
    return std::all_of(it->second.begin(), it->second.end(), [&](const std::string& name) {
      const auto readers = readers_.find(name);
      return readers != readers_.end() && readers->second.size() == 1 && !outputs_.contains(name);
    });
  }

  Text add(std::string_view type, AttrMap attrs, const std::vector<int>& inputs, int& made,
           std::map<std::string, onnx::Tensor> weights) override;
  void is(Ref ref) override { output_is(0, std::move(ref)); }
  void output_is(std::size_t output, Ref ref) override { put(node_->outputs[output], std::move(ref)); }
  bool is_read(std::size_t output) const override {
    const std::string& name = node_->outputs[output];
    return !name.empty() && (readers_.contains(name) || outputs_.contains(name));
  }

  onnx::Dims dims(std::size_t i) const override {
    if (const onnx::Tensor* t = constant(i)) return t->dims;
    return value(i) ? dims_of(*value(i), layer(value(i)->layer).shape) : onnx::Dims{};
  }
  void note(const Text& text) override { out_.notes.push_back(text); }
  Text contradiction(Text why) override { return misfit_ = true, why; }
  void preprocess(std::string_view op, const onnx::Tensor& by) override {
    out_.preprocessing.push_back({std::string(op), onnx::floats_of(by).value_or(std::vector<float>{})});
  }
  bool is_network_input(int layer) const override { return layer == 0 && out_.layers.size() == 1; }
  std::string next_op() const override {
    const auto readers = readers_.find(node_->outputs.front());
    if (readers == readers_.end() || readers->second.size() != 1 || outputs_.contains(node_->outputs.front()))
      return "";
    return model_.nodes[readers->second.front()].op;
  }
  std::int64_t static_batch() const override { return static_batch_; }

 private:
  Error bad(const Text& what) const {
    return fail(Errc::bad_input, NW_TR("{0} cannot be read: {1}"), where_, nested(what));
  }

  Status check_versions() {
    opset_ = model_.opset();
    if (opset_ == 0) return bad(text(NW_TR("it does not name its version of the ONNX operators")));
    if (opset_ < 1 || opset_ > newest_opset)
      return bad(text(NW_TR("it uses version {0} of the ONNX operators; 1 to {1} are read. Export it with "
                            "opset_version={1} or lower"),
                      opset_, newest_opset));
    if (model_.nodes.empty()) return bad(text(NW_TR("it holds no operators")));
    return {};
  }

  void count_readers() {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i)
      for (const std::string& name : model_.nodes[i].inputs)
        if (!name.empty()) readers_[name].push_back(i);
    for (const onnx::ValueInfo& v : model_.outputs) outputs_.insert(v.name);
  }

  const Slot& slot(std::size_t i) const { return values_.at(node_->inputs[i]); }

  void put(const std::string& name, Ref ref) {
    if (name.empty()) return;
    values_[name].ref = std::move(ref);
    names_of_[values_[name].ref->layer].push_back(name);
  }

  // ---- the input
  bool channels_last(const std::string& name) const {
    const auto readers = readers_.find(name);
    if (readers == readers_.end()) return false;
    return std::all_of(readers->second.begin(), readers->second.end(), [&](std::size_t i) {
      const onnx::Node& n = model_.nodes[i];
      return n.op == "Transpose" && n.integers("perm") == std::vector<std::int64_t>{0, 3, 1, 2};
    });
  }

  Status add_input() {
    const onnx::ValueInfo* input = nullptr;
    for (const onnx::ValueInfo& v : model_.inputs) {
      if (values_.contains(v.name)) continue;  // before IR 4 weights were inputs, too
      if (input)
        return bad(
            text(NW_TR("it has several inputs, \"{0}\" and \"{1}\"; a network here has one"), input->name, v.name));
      input = &v;
    }
    if (!input) return bad(text(NW_TR("it has no input")));
    if (input->type != onnx::Type::f32 && input->type != onnx::Type::f16 && input->type != onnx::Type::f64)
      return bad(text(NW_TR("its input \"{0}\" holds elements of {1}; images are numbers of float"), input->name,
                      name_of(input->type)));
    if (!input->dims || (input->dims->size() != 4 && input->dims->size() != 2))
      return bad(text(NW_TR("its input \"{0}\" is neither a batch of images nor of vectors"), input->name));
    out_.input_name = input->name;
    return input->dims->size() == 4 ? add_images(*input) : add_vectors(*input);
  }

  Status add_images(const onnx::ValueInfo& input) {
    const onnx::Dims& d = *input.dims;
    const bool last = channels_last(input.name);
    const std::int64_t channels = d[last ? 3 : 1];
    std::int64_t height = d[last ? 1 : 2], width = d[last ? 2 : 3];
    if (height < 0) height = options_.height;
    if (width < 0) width = options_.width;
    if (options_.height > 0 && (height != options_.height || width != options_.width))
      return bad(text(NW_TR("its images have {0}×{1} pixels; --size cannot change that"), height, width));
    if (height < 1 || width < 1)
      return fail(Errc::usage, NW_TR("{0} leaves the size of its images open; give it, for example --size 224x224"),
                  where_);
    return add_input_layer(input, channels, height, width, last);
  }

  Status add_vectors(const onnx::ValueInfo& input) {
    NW_TRY(add_input_layer(input, 1, 1, (*input.dims)[1], false));
    int flat = -1;
    const Text why = add("Flatten", {}, {0}, flat, {});
    if (!why.empty()) return bad(why);
    put(input.name, {flat});
    return {};
  }

  Status add_input_layer(const onnx::ValueInfo& input, std::int64_t channels, std::int64_t height, std::int64_t width,
                         bool last) {
    static_batch_ = (*input.dims)[0];
    int made = -1;
    const Text why = add("Input", {{"channels", channels}, {"height", height}, {"width", width}}, {}, made, {});
    if (!why.empty()) return bad(text(NW_TR("its images of {0}×{1}×{2}: {3}"), channels, height, width, why.str()));
    put(input.name, {.layer = made, .form = last ? Form::nhwc : Form::plain});
    return {};
  }

  // ---- operators
  Status read_node(const onnx::Node& n) {
    node_ = &n;
    misfit_ = false;
    if (n.outputs.empty() || n.outputs.front().empty()) return {};
    bool readable = true, all_constant = true;
    std::vector<const onnx::Tensor*> constants;
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
      if (n.inputs[i].empty()) {
        constants.push_back(nullptr);
        continue;
      }
      const auto it = values_.find(n.inputs[i]);
      if (it == values_.end())
        return bad(
            text(NW_TR("the operator {0} reads \"{1}\", which nothing before it makes"), label_of(n), n.inputs[i]));
      readable = readable && (it->second.constant || it->second.ref);
      all_constant = all_constant && it->second.constant;
      constants.push_back(it->second.constant.get());
    }
    for (const std::string& name : n.outputs)
      if (!name.empty() && !values_.emplace(name, Slot{}).second)
        return bad(text(NW_TR("two operators make \"{0}\""), name));
    const bool like =
        n.op == "CastLike" && !constants.empty() && constants.front();  // only the type of the other counts
    if (readable && is_foldable(n) && (all_constant || n.op == "Shape" || like)) return fold_node(n, constants);
    const Text why = !n.domain.empty() ? foreign(n) : !readable ? unread(n) : passes(n) ? pass(n) : by_table(n);
    return why.empty() ? Status() : refuse(n, why);
  }

  /// Reads several operators as the one layer that they are; false: they are to be read one by one.
  bool read_whole(const WholeLayer& whole) {
    const std::set<std::string> values = plain_values_of(whole);
    if (values.empty()) return false;
    const Shape shape = layer(values_.at(*values.begin()).ref->layer).shape;
    auto found = matched(whole, model_, values, shape, [&](const std::string& name) {
      const auto it = values_.find(name);
      return it == values_.end() ? nullptr : it->second.constant.get();
    });
    node_ = &model_.nodes[whole.last];
    std::vector<int> from;
    for (const std::string& name : found ? found->inputs : std::vector<std::string>{})
      from.push_back(values_.at(name).ref->layer);
    int made = -1;
    if (!found || !add(whole.type->name, whole.attrs, from, made, std::move(found->weights)).empty()) return false;
    for (std::size_t i = whole.first; i <= whole.last; ++i) values_[model_.nodes[i].outputs.front()];
    is({made});
    return true;
  }

  /// The values that the operators read, plain; empty: they read others, or others read what is between them.
  std::set<std::string> plain_values_of(const WholeLayer& whole) const {
    const auto is_value = [&](const std::string& name) -> std::optional<bool> {
      const auto it = values_.find(name);
      return it == values_.end() ? std::nullopt : std::optional(it->second.ref.has_value());
    };
    const std::set<std::string> all = values_read(whole, model_, readers_, outputs_, is_value);
    const auto fits = [&](const std::string& name) {
      const auto it = values_.find(name);
      return it != values_.end() && it->second.ref->form == Form::plain;
    };
    return std::all_of(all.begin(), all.end(), fits) ? all : std::set<std::string>{};
  }

  Status fold_node(const onnx::Node& n, std::vector<const onnx::Tensor*> constants) {
    onnx::Tensor sizes;
    if (n.op == "Shape" && !constants.front()) {
      sizes.dims = dims(0);
      constants.front() = &sizes;
    }
    const onnx::Tensor number = onnx::tensor_of("", {}, std::vector<float>{0});
    if (n.op == "CastLike" && constants.size() == 2 && !constants[1]) constants[1] = &number;
    auto folded = fold(n, constants, opset_, batch_size);
    if (!folded) return bad(text(NW_TR("the operator {0}: {1}"), label_of(n), nested(folded.error().what)));
    for (onnx::Tensor& t : *folded) {
      folded_bytes_ += t.bytes.size();
      if (folded_bytes_ > most_folded_bytes)
        return bad(text(NW_TR("its constants take more than 1 GiB once computed")));
      const bool weight = n.op == "Identity" && constants.front();
      t.name = weight ? constants.front()->name : n.outputs.front();
      values_[n.outputs.front()].constant = std::make_shared<onnx::Tensor>(std::move(t));
    }
    return {};
  }

  /// Once the file is refused, only operators that are not known at all are reported.
  Text unread(const onnx::Node& n) const {
    if (refused_.size() <= most_refused())
      return text(NW_TR("it reads an output of another operator that is not computed here"));
    return is_known_operator(n.op) || is_foldable(n) || passes(n) ? Text{} : text(NW_TR("no layer does that"));
  }

  static bool passes(const onnx::Node& n) {
    return n.op == "Identity" || n.op == "Cast" || n.op == "CastLike" || n.op == "LogSoftmax";
  }
  /// Operators that leave a value as it is.
  Text pass(const onnx::Node& n) {
    if (!value(0)) return text(NW_TR("its input is a constant"));
    if (n.op == "Cast") {
      const auto to = static_cast<onnx::Type>(n.integer("to", 0));
      if (to != onnx::Type::f32 && to != onnx::Type::f64 && to != onnx::Type::f16)
        return text(NW_TR("it converts the network's values to {0}"), name_of(to));
    }
    if (n.op == "LogSoftmax") {
      if (!outputs_.contains(n.outputs.front())) return text(NW_TR("it is not at the network's end"));
      out_.end = n.op;
    }
    is(*value(0));
    return {};
  }

  Text by_table(const onnx::Node& n) {
    const auto candidates = mappings_of(n.op, opset_);
    if (candidates.empty())
      return is_known_operator(n.op) ? text(NW_TR("version {0} of this operator is not read"), opset_)
                                     : text(NW_TR("no layer does that"));
    Text why;
    for (const OperatorMapping* m : candidates) {
      const std::size_t before = out_.layers.size();
      why = m->read(*this);
      if (why.empty()) {
        if (n.op == "Conv" && holds_batch_norm(n)) ++out_.folded_batch_norms;
        return {};
      }
      out_.layers.resize(before);
    }
    return why;
  }

  std::size_t most_refused() const { return options_.strict ? 0 : most_opaque; }

  /// The operator becomes an opaque node for each of its outputs that is read.
  Status refuse(const onnx::Node& n, const Text& why) {
    if (misfit_ && refused_.empty()) return bad(text(NW_TR("the operator {0}: {1}"), label_of(n), nested(why)));
    refused_.push_back({&n, why});
    if (refused_.size() > most_refused()) return {};  // the file will be refused
    for (std::size_t o = 0; o < n.outputs.size(); ++o) {
      if (!n.outputs[o].empty() && (is_read(o) || o == 0)) NW_TRY(put_opaque(n, o, why));
    }
    return {};
  }

  Status put_opaque(const onnx::Node& n, std::size_t output, const Text& why) {
    std::vector<int> inputs;
    const Ref* first = nullptr;
    for (std::size_t i = n.inputs.size(); i-- > 0;)
      if (value(i)) inputs.insert(inputs.begin(), (first = value(i))->layer);
    inputs.resize(std::min(inputs.size(), most_opaque_inputs));
    const Shape known = sizes_.of(n.outputs[output], first && first->form == Form::nhwc);
    int made = -1;
    const Text wrong = add(opaque_type, opaque_of(n, output, why, model_, known), inputs, made, {});
    if (!wrong.empty()) return bad(text(NW_TR("the operator {0}: {1}"), label_of(n), nested(wrong)));
    out_.layers.back().kept = kept_of(*this, model_, {output, inputs.size(), known}, kept_bytes_);
    if (known.rank() == 0) out_.layers.back().shape = layer(first ? first->layer : 0).shape;
    put(n.outputs[output], output_of_opaque(made, known, first));
    return {};
  }

  Status find_output() {
    if (model_.outputs.empty()) return bad(text(NW_TR("it has no output")));
    const auto it = values_.find(model_.outputs.front().name);
    if (it == values_.end() || !it->second.ref)
      return bad(text(NW_TR("its output \"{0}\" does not depend on its input"), model_.outputs.front().name));
    const Ref& ref = *it->second.ref;
    const bool same = ref.form == Form::plain ||
                      (ref.form == Form::nhwc && layer(ref.layer).shape.per_sample() == layer(ref.layer).shape[1]);
    if (!same && ref.form != Form::view)
      return bad(text(NW_TR("its output \"{0}\" is an image whose channels come last"), it->first));
    out_.output = ref.layer;
    if (model_.outputs.size() > 1)
      note(text(NW_TR("Of its {0} outputs the first, \"{1}\", is used."), model_.outputs.size(), it->first));
    return {};
  }

  const onnx::Model& model_;
  const std::string& where_;
  const ImportOptions& options_;
  ReadGraph out_;
  const onnx::Node* node_ = nullptr;
  std::int64_t opset_ = 0, static_batch_ = -1;
  std::map<std::string, Slot> values_;
  std::map<std::string, std::vector<std::size_t>> readers_;
  std::map<int, std::vector<std::string>> names_of_;
  std::set<std::string> outputs_;
  std::vector<Refused> refused_;
  bool misfit_ = false;  // the weights of the last layer that was tried do not have its shape
  const KnownSizes sizes_;
  std::size_t folded_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
};

Text GraphReader::add(std::string_view type_name, AttrMap attrs, const std::vector<int>& inputs, int& made,
                      std::map<std::string, onnx::Tensor> weights) {
  const LayerType* type = find_layer(type_name);
  if (!type) return text(NW_TR("there is no layer {0}"), std::string(type_name));
  BuiltLayer layer{.type = type, .attrs = std::move(attrs), .inputs = inputs, .origin = node_};
  for (const int i : inputs) layer.input_shapes.push_back(out_.layers[static_cast<std::size_t>(i)].shape);
  if (Text why = fit_layer(layer, std::move(weights), misfit_); !why.empty()) return why;
  made = static_cast<int>(out_.layers.size());
  out_.layers.push_back(std::move(layer));
  return {};
}

}  // namespace

Result<ReadGraph> read_graph(const onnx::Model& model, const std::string& where, const ImportOptions& options) {
  return GraphReader(model, where, options).read();
}

}  // namespace nw::exchange
