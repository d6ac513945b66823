// SPDX-License-Identifier: Apache-2.0
// Mean over samples of -log softmax(x)[label]; the softmax is part of the loss. With label smoothing s the target is 1
// - s at the label plus s / classes everywhere: Szegedy et al., arXiv 1512.00567. With weights of classes the mean is
// the sum over the weights of the labels, as torch's CrossEntropyLoss(weight=…); with a focus g the term of class k is
// times (1 - p[k])^g. With a temperature T (engine/design/distillation.hpp) the scores are divided by T before, and
// their gradient is multiplied by T^2 / T.
#include "engine/formula/expression.hpp"
#include "engine/layers/weighted_loss.hpp"
#include "kernels/formula_program.hpp"

namespace nw {
namespace {

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  if (in[0].rank() != 2)
    return ShapeError{text(NW_TR("Needs one score per class, gets {0}"), to_string(in[0], true)),
                      0,
                      {QuickFix::insert_flatten, QuickFix::insert_global_avg_pool2d}};
  if (in[0][1] < 2)
    return ShapeError{text(NW_TR("Needs at least two classes, gets one score")), 0, {QuickFix::use_bce_with_logits}};
  if (Text why = refuse_weights(a.choice("class_weights"), in[0][1]); !why.empty()) return ShapeError{std::move(why)};
  return in[0];
}

StepAttrs times(double factor) {
  const auto product = formula::read_expression("a * x", {factor, 1, 1});
  return {{"program", to_attribute(formula::value_program(*product)->program)}};
}

void lower(const Attrs& a, Emit& e) {
  StepAttrs attrs{{"label_smoothing", a.real("label_smoothing")}};
  add_loss_attrs(attrs, a, "class_weights", class_weights(a.choice("class_weights"), e.data(), e.shape(e.input())[1]));
  const double t = e.temperature();
  if (t == 1)
    return e.forward("cross_entropy", {e.input(), e.labels()}, {e.training() ? e.grad_of_input() : -1},
                     std::move(attrs));
  const ValueRef cooled = e.between("cooled", e.shape(e.input())),
                 slope = e.between_gradients("cooled", e.shape(e.input()));
  e.forward("formula", {e.input()}, {cooled}, times(1 / t));
  e.forward("cross_entropy", {cooled, e.labels()}, {slope}, std::move(attrs));
  e.backward("formula", {slope}, {e.grad_of_input()}, times(t));
}

}  // namespace

extern const LayerType cross_entropy_layer{
    .name = "CrossEntropy",
    .group = "Loss",
    .stem = "loss",
    .summary = text(NW_TR("For one of several classes; softmax is inside.")),
    .onnx = "SoftmaxCrossEntropyLoss",
    .outputs = 0,
    .fields = {real_field("label_smoothing", text(NW_TR("Label smoothing")), 0, 0, 0.9,
                          text(NW_TR("Fraction of the target probability that is spread over all classes."))),
               target_weights_field("class_weights", text(NW_TR("Class weights")),
                                    text(NW_TR("Weight of each class in the loss: balanced, or a list of numbers. "
                                               "Balanced: rare classes count more."))),
               focal_gamma_field()},
    .infer = infer,
    .lower = lower,
    .loss = true,
    .targets = "labels",
    .activation = "softmax"};

}  // namespace nw
