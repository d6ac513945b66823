// SPDX-License-Identifier: Apache-2.0
// y = an element-wise expression of up to three inputs that the user writes. The gradient of an input is dy times the
// derivative, which is found symbolically; both are programs of the kernel `formula`.
#include "engine/design/layer_type.hpp"
#include "engine/formula/expression.hpp"
#include "kernels/formula_program.hpp"
#include "kernels/nested_text.hpp"

namespace nw {
namespace {

Result<formula::Expression> expression_of(const Attrs& a) {
  return formula::read_expression(a.choice("expression"), {a.real("a"), a.real("b"), a.real("c")});
}

Text wrong_expression(const Text& why) { return text(NW_TR("The expression cannot be read: {0}"), nested(why)); }

Inferred<Shape> infer(const Attrs& a, std::span<const Shape> in) {
  const auto expression = expression_of(a);
  if (!expression) return ShapeError{wrong_expression(expression.error().what), 0, {}};
  const auto given = static_cast<int>(in.size());
  if (given > formula::most_inputs)
    return ShapeError{text(NW_TR("Takes at most {0} inputs, x, y and z, has {1}"), int{formula::most_inputs}, given),
                      formula::most_inputs,
                      {}};
  if (expression->inputs > given)
    return ShapeError{
        text(NW_TR("The expression reads {0} inputs, {1} are connected"), expression->inputs, given), given - 1, {}};
  for (int i = 1; i < given; ++i)
    if (!(in[static_cast<std::size_t>(i)] == in[0]))
      return ShapeError{text(NW_TR("Needs equal shapes, gets {0} and {1}"), to_string(in[0], true),
                             to_string(in[static_cast<std::size_t>(i)], true)),
                        i,
                        {QuickFix::project}};
  return in[0];
}

void lower(const Attrs& a, Emit& e) {
  const auto expression = expression_of(a);
  const auto values = [&](const formula::Compiled& c) {
    std::vector<ValueRef> in;
    for (const int i : c.inputs) in.push_back(i == formula::dy ? e.grad_of_output() : e.input(i));
    return in;
  };
  const auto value = formula::value_program(*expression);
  e.forward("formula", values(*value), {e.output()}, {{"program", to_attribute(value->program)}});
  for (int i = 0; i < e.inputs(); ++i) {
    if (!e.needs_grad_of_input(i)) continue;
    const auto gradient = formula::gradient_program(*expression, i);
    e.backward("formula", values(*gradient), {e.grad_of_input(i)}, {{"program", to_attribute(gradient->program)}});
  }
}

Text refuse(const std::string& written) {
  const auto expression = formula::read_expression(written, {1, 1, 1});
  return expression ? Text{} : expression.error().what;
}

Field expression_field() {
  Field f =
      text_field("expression", text(NW_TR("Expression")), formula::longest_expression,
                 text(NW_TR("Of x, and of y and z if more inputs are connected, and of the numbers a, b and c. There "
                            "are + - * / ^, comparisons such as x > 0 (1 or 0), pi, and the functions {0}."),
                      formula::function_names()));
  f.otherwise = std::string("x * sigmoid(a * x)");
  f.refusal = refuse;
  return f;
}

Field number_field(const char* name) {
  return real_field(name, text(NW_TR("Number {0}"), name), 1, -1e6, 1e6,
                    text(NW_TR("The value of {0} in the expression."), name));
}

}  // namespace

extern const LayerType formula_layer{
    .name = "Formula",
    .group = "Activation",
    .stem = "formula",
    .summary = text(NW_TR("An element-wise function that you write; its derivative is found by itself.")),
    .onnx = "",
    .inputs = -1,
    .fields = {expression_field(), number_field("a"), number_field("b"), number_field("c")},
    .infer = infer,
    .lower = lower};

}  // namespace nw
