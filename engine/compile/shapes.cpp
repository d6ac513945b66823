// SPDX-License-Identifier: Apache-2.0
// Shapes from the Input to the loss and their agreement with the data set; problems with quick fixes.
#include "engine/compile/context.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/data_source.hpp"

namespace nw::compiling {
namespace {

// Dimensions of one sample's tensor.
constexpr std::int64_t element_limit = std::int64_t{1} << 33;

/// All input shapes, or nullopt if one is unknown (its problem is reported at its node).
bool inputs_known(Context& c, FlatNode& node) {
  node.input_shapes.clear();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const int from = c.source(node, static_cast<int>(i));
    if (from < 0 || at(c, from).shape.rank() == 0) return false;
    node.input_shapes.push_back(at(c, from).shape);
  }
  return node.type->inputs == 0 || !node.input_shapes.empty();
}

bool too_large(const Shape& s) {
  double elements = 1;
  for (int i = 1; i < s.rank(); ++i) elements *= static_cast<double>(s[i]);
  return elements > static_cast<double>(element_limit);
}

/// A layer that only stands for something: the network can be edited, but has no plan.
void report_refusal(Context& c, FlatNode& node) {
  Problem* p = node.live ? c.report(Severity::error, &node, node.type->refusal(node.attrs)) : nullptr;
  if (!p) return;
  ShapeError repairs{.what = {}, .fixes = {QuickFix::remove}};
  const auto kept = node.type->infer(node.attrs, node.input_shapes);
  if (node.input_shapes.size() == 1 && std::get<Shape>(kept) == node.input_shapes[0])
    repairs.fixes.push_back(QuickFix::use_identity);
  p->fixes = fixes_for(c, node, repairs);
}

void infer_one(Context& c, FlatNode& node) {
  if (node.cyclic || (!inputs_known(c, node) && !node.type->refusal)) return;
  if (node.type->refusal && !c.keeps_opaque) report_refusal(c, node);
  const auto inferred = node.type->infer(node.attrs, node.input_shapes);
  if (const auto* shape_error = std::get_if<ShapeError>(&inferred)) {
    Problem* p = c.report(node.live ? Severity::error : Severity::warning, &node, shape_error->what, shape_error->port);
    if (p) p->fixes = fixes_for(c, node, *shape_error);
    return;
  }
  const Shape shape = std::get<Shape>(inferred);
  if (too_large(shape)) {
    c.report(Severity::error, &node, text(NW_TR("Its output {0} is too large for any memory"), to_string(shape, true)));
    return;
  }
  if (node.type->weights) {
    node.weights = node.type->weights(node.attrs, node.input_shapes);
    for (const Weight& w : node.weights)
      if (static_cast<double>(w.shape.elements()) > static_cast<double>(element_limit) || w.shape.elements() < 0) {
        c.report(Severity::error, &node,
                 text(NW_TR("Its weights {0} are too large for any memory"), to_string(w.shape)));
        return;
      }
  }
  node.shape = shape;
}

/// Images of files can be resized to the network's input instead.
void offer_resize(const Context& c, Problem& p, const Shape& input, const Shape& images) {
  DataChoice data = c.doc.data();
  const DataSource* source = find_source(data.kind.name());
  if (!source || !source->lists_files || !find_option(*source, "width") || (input[1] != 1 && input[1] != 3)) return;
  data.height = input[2];
  data.width = input[3];
  if (input[1] != images[1]) data.channels = input[1];
  const std::string size = input[1] != images[1] ? to_string(input, true) : fmt::format("{}×{}", input[2], input[3]);
  p.fixes.push_back({text(NW_TR("Resize images to {0}"), size), {PutData{std::move(data)}}});
}

void check_input(Context& c, const DataFacts& data) {
  const FlatNode& input = at(c, c.input);
  const Shape want{1, data.channels, data.height, data.width};
  if (input.shape == want || input.shape.rank() == 0) return;
  Problem* p = c.report(
      Severity::error, &input,
      text(NW_TR("Expects images of {0}, the data set has {1}"), to_string(input.shape, true), to_string(want, true)));
  if (!p) return;
  Node node = c.doc.graph(input.scope).nodes.at(input.node);
  node.attrs["channels"] = data.channels;
  node.attrs["height"] = data.height;
  node.attrs["width"] = data.width;
  p->fixes.push_back(
      {text(NW_TR("Set Input to {0}"), to_string(want, true)), {PutNode{input.scope, input.node, node}}});
  offer_resize(c, *p, input.shape, want);
}

/// The last layer with weights before the loss, whose outputs are the scores.
const FlatNode* score_layer(Context& c) {
  int from = c.source(at(c, c.loss), 0);
  while (from >= 0 && at(c, from).weights.empty() && at(c, from).inputs.size() == 1) from = c.source(at(c, from), 0);
  if (from < 0 || (at(c, from).type->name != "Linear" && at(c, from).type->name != "Conv2d")) return nullptr;
  return &at(c, from);
}

void offer_outputs(Context& c, Problem* p, std::int64_t classes) {
  const FlatNode* last = p ? score_layer(c) : nullptr;
  if (last)
    p->fixes.push_back(fix_attr(c, *last, text(NW_TR("Set {0} to {1} outputs"), last->name, classes),
                                last->type->name == "Linear" ? "out_features" : "out_channels", classes));
}

/// An edit that replaces the loss.
Fix use_loss(const Context& c, const FlatNode& loss, const char* type) {
  Node node = c.doc.graph(loss.scope).nodes.at(loss.node);
  node.type = type;
  node.attrs.clear();
  return {text(NW_TR("Use {0}"), type), {PutNode{loss.scope, loss.node, node}}};
}

/// Multi-label data needs a binary loss or MSE, regression MSE. Returns false if a problem was reported.
bool check_loss_of(Context& c, const DataFacts& data) {
  const FlatNode& loss = at(c, c.loss);
  const bool binary = loss.type->name == "BCEWithLogits" || loss.type->name == "BCE",
             distance = loss.type->name == "MSE";
  if (data.targets == TargetKind::classes || (data.targets == TargetKind::labels ? binary || distance : distance))
    return true;
  const char* better = data.targets == TargetKind::labels ? "BCEWithLogits" : "MSE";
  Problem* p =
      data.targets == TargetKind::labels
          ? c.report(Severity::error, &loss,
                     text(NW_TR("{0} needs one class per image, but the data set is multi-label"), loss.type->name))
          : c.report(Severity::error, &loss,
                     text(NW_TR("{0} needs classes as targets, the data set has numbers"), loss.type->name));
  if (p) p->fixes.push_back(use_loss(c, loss, better));
  return false;
}

void check_outputs(Context& c, const DataFacts& data) {
  const FlatNode& loss = at(c, c.loss);
  if (loss.shape.rank() != 2 || data.classes < 1 || loss.shape[1] == data.classes) return;
  const Text what =
      data.targets == TargetKind::labels
          ? text(NW_TR("The data set has {0} labels, the network outputs {1} scores"), data.classes, loss.shape[1])
          : text(NW_TR("The data set has {0} numbers for each image, the network outputs {1}"), data.classes,
                 loss.shape[1]);
  offer_outputs(c, c.report(Severity::error, &loss, what, 0), data.classes);
}

void check_classes(Context& c, std::int64_t classes) {
  const FlatNode& loss = at(c, c.loss);
  if (loss.shape.rank() != 2 || classes < 1) return;
  const bool one_score = loss.type->targets == "targets" && loss.shape[1] == 1 && classes == 2;
  if (loss.shape[1] == classes || one_score) return;
  if (loss.type->targets == "labels" && loss.shape[1] > classes) {
    offer_outputs(c,
                  c.report(Severity::warning, &loss,
                           text(NW_TR("{0} scores for {1} classes: the surplus scores never match a true class"),
                                loss.shape[1], classes),
                           0),
                  classes);
    return;
  }
  offer_outputs(
      c,
      c.report(Severity::error, &loss,
               text(NW_TR("The data set has {0} classes, the network outputs {1} scores"), classes, loss.shape[1]), 0),
      classes);
}

}  // namespace

void infer_shapes(Context& c) {
  for (const int i : c.order) infer_one(c, at(c, i));
  if (c.failed()) return;
  for (const int i : c.order)
    if (at(c, i).live && at(c, i).shape.rank() == 0)
      c.report(Severity::error, &at(c, i),
               at(c, i).type->refusal
                   ? text(NW_TR("The imported file gave no sizes of its output, so that it cannot leave again"))
                   : text(NW_TR("Its shape is not known, because nothing reaches it")));
}

void check_data(Context& c) {
  if (c.doc.data().validation_fraction <= 0 && c.input >= 0) {
    Problem* p = c.report(Severity::warning, &at(c, c.input),
                          text(NW_TR("No validation split: accuracy would be measured on training images only")));
    DataChoice held = c.doc.data();
    held.validation_fraction = 0.1;
    if (p) p->fixes.push_back({text(NW_TR("Hold out 10 %")), {PutData{held}}});
  }
  const DataFacts& data = c.target.data;
  if (!data.known()) return;
  if (c.input >= 0) check_input(c, data);
  if (c.loss >= 0 && data.targets == TargetKind::classes)
    check_classes(c, data.classes);
  else if (c.loss >= 0 && check_loss_of(c, data))
    check_outputs(c, data);
  if (data.train > 0 && c.doc.settings().batch > data.train)
    c.report(
        Severity::warning, nullptr,
        text(NW_TR("The batch of {0} is larger than the training set of {1}"), c.doc.settings().batch, data.train));
}

void check_losses(Context& c) {
  if (c.loss < 0) return;
  const FlatNode& loss = at(c, c.loss);
  const int from = c.source(loss, 0);
  const std::string_view before = from >= 0 ? at(c, from).type->name : "";
  if (loss.type->name == "CrossEntropy" && before == "Softmax") {
    Problem* p =
        c.report(Severity::warning, &at(c, from),
                 text(NW_TR("CrossEntropy includes a softmax: another Softmax before it slows learning down")));
    if (p)
      p->fixes.push_back(
          {text(NW_TR("Remove Softmax")), remove_nodes(c.doc, at(c, from).scope, {at(c, from).node}, true)});
  }
  if (loss.type->name == "BCEWithLogits" && before == "Sigmoid") {
    Problem* p = c.report(Severity::error, &loss,
                          text(NW_TR("BCEWithLogits contains a sigmoid, but a Sigmoid layer precedes it")));
    if (!p) return;
    Node node = c.doc.graph(loss.scope).nodes.at(loss.node);
    node.type = "BCE";
    p->fixes.push_back({text(NW_TR("Use BCE")), {PutNode{loss.scope, loss.node, node}}});
    p->fixes.push_back(
        {text(NW_TR("Remove Sigmoid")), remove_nodes(c.doc, at(c, from).scope, {at(c, from).node}, true)});
  }
  if (loss.type->name == "BCE" && from >= 0 && before != "Sigmoid") {
    Problem* p = c.report(Severity::error, &loss, text(NW_TR("BCE needs probabilities: add a Sigmoid before it")));
    if (!p) return;
    p->fixes.push_back(insert_before(c, loss, 0, text(NW_TR("Insert Sigmoid")), {Node{.type = "Sigmoid"}}));
    Node node = c.doc.graph(loss.scope).nodes.at(loss.node);
    node.type = "BCEWithLogits";
    p->fixes.push_back({text(NW_TR("Use BCEWithLogits")), {PutNode{loss.scope, loss.node, node}}});
  }
}

}  // namespace nw::compiling
