// SPDX-License-Identifier: Apache-2.0
// The layer Formula as primitive operators, one for each operation of its expression.
#include <map>

#include "engine/exchange/operators/operator.hpp"
#include "engine/formula/expression.hpp"

namespace nw {
namespace exchange {
namespace {

using formula::Operation;
using formula::Term;

/// Operators of version 13 with the operands of the operation; "": there is none of its kind.
constexpr std::string_view operator_of(Operation op) {
  switch (op) {
    case Operation::copy:
      return "Identity";
    case Operation::negative:
      return "Neg";
    case Operation::add:
      return "Add";
    case Operation::subtract:
      return "Sub";
    case Operation::multiply:
      return "Mul";
    case Operation::divide:
      return "Div";
    case Operation::least:
      return "Min";
    case Operation::greatest:
      return "Max";
    case Operation::power:
      return "Pow";
    case Operation::exponential:
      return "Exp";
    case Operation::logarithm:
      return "Log";
    case Operation::root:
      return "Sqrt";
    case Operation::absolute:
      return "Abs";
    case Operation::sign:
      return "Sign";
    case Operation::tanh:
      return "Tanh";
    case Operation::sigmoid:
      return "Sigmoid";
    case Operation::softplus:
      return "Softplus";
    case Operation::relu:
      return "Relu";
    case Operation::error_function:
      return "Erf";
    case Operation::sine:
      return "Sin";
    case Operation::cosine:
      return "Cos";
    case Operation::greater:
      return "Greater";
    case Operation::not_less:
      return "GreaterOrEqual";
    case Operation::choose:
      return "Where";
  }
  return "";
}

class FormulaWriter {
 public:
  FormulaWriter(LayerWriter& w, const formula::Expression& e) : w_(w), terms_(e.terms), root_(e.root) {}

  void write() {
    const Term& t = terms_[root_];
    if (t.kind != Term::Kind::operation) return w_.finish("Identity", {value(root_)});
    if (is_comparison(t)) return w_.finish("Where", {condition(root_), number(1), number(0)});
    auto operands = operands_of(t);
    w_.finish(operator_of(t.operation), std::move(operands));
  }

 private:
  static bool is_comparison(const Term& t) {
    return t.kind == Term::Kind::operation && (t.operation == Operation::greater || t.operation == Operation::not_less);
  }
  std::string number(double v) { return w_.constant(fmt::format("number_{}", v), floats({}, {static_cast<float>(v)})); }
  std::string next() { return fmt::format("step{}", ++steps_); }

  std::vector<std::string> operands_of(const Term& t) {
    if (t.operation == Operation::choose) {
      const Term& by = terms_[t.a];
      if (!is_comparison(by)) {  // not 0
        std::string is_zero = w_.part(next(), "Equal", {value(t.a), number(0)});
        return {std::move(is_zero), value(t.c), value(t.b)};
      }
      std::string holds = condition(t.a);
      return {std::move(holds), value(t.b), value(t.c)};
    }
    std::vector<std::string> all;
    for (const int operand : {t.a, t.b, t.c})
      if (operand >= 0) all.push_back(value(operand));
    return all;
  }

  /// A comparison as a truth value.
  std::string condition(int term) {
    if (const auto made = conditions_.find(term); made != conditions_.end()) return made->second;
    auto operands = operands_of(terms_[term]);
    return conditions_[term] = w_.part(next(), operator_of(terms_[term].operation), std::move(operands));
  }

  std::string value(int term) {
    const Term& t = terms_[term];
    if (t.kind == Term::Kind::number) return number(t.number);
    if (t.kind == Term::Kind::input) return w_.input(static_cast<std::size_t>(t.input));
    if (const auto made = values_.find(term); made != values_.end()) return made->second;
    if (is_comparison(t)) {
      std::string holds = condition(term);
      return values_[term] = w_.part(next(), "Where", {std::move(holds), number(1), number(0)});
    }
    auto operands = operands_of(t);
    return values_[term] = w_.part(next(), operator_of(t.operation), std::move(operands));
  }

  LayerWriter& w_;
  const formula::Terms& terms_;
  int root_, steps_ = 0;
  std::map<int, std::string> values_, conditions_;
};

Status write_formula(LayerWriter& w) {
  const Attrs& a = w.attrs();
  NW_ASSIGN(const formula::Expression e,
            formula::read_expression(a.choice("expression"), {a.real("a"), a.real("b"), a.real("c")}));
  FormulaWriter(w, e).write();
  return {};
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile formula_operators;
const exchange::OperatorFile formula_operators{
    {{.layer = "Formula", .opset = 13, .write = exchange::write_formula, .whole = true}}};

}  // namespace nw
