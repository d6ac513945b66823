// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source/formula_source.hpp"

#include <fmt/format.h>

#include <cassert>

#include "engine/exchange/source/python_text.hpp"
#include "engine/formula/expression.hpp"

namespace nw::exchange {
namespace {

using formula::Operation;
using formula::Term;

/// How strongly Python binds a piece of text.
enum Binding { comparison, sum, product, sign, atom };
struct Piece {
  std::string text;
  Binding binding = atom;
};

class LambdaWriter {
 public:
  LambdaWriter(const formula::Expression& e, SourceLanguage language) : terms_(e.terms), language_(language) {
    std::set<int> seen;
    count(e.root, seen);
  }

  std::string text(int term) { return piece(term).text; }

 private:
  void count(int term, std::set<int>& seen) {
    ++uses_[term];
    if (!seen.insert(term).second) return;
    for (const int operand : {terms_[term].a, terms_[term].b, terms_[term].c})
      if (operand >= 0) count(operand, seen);
  }

  std::string within(int term, Binding around) {
    Piece p = piece(term);
    return p.binding < around ? "(" + p.text + ")" : p.text;
  }
  bool is_number(int term) const { return terms_[term].kind == Term::Kind::number; }

  Piece piece(int term) {
    const Term& t = terms_[term];
    if (t.kind == Term::Kind::number) return {python_number(t.number), t.number < 0 ? sign : atom};
    if (t.kind == Term::Kind::input) return {std::string(1, static_cast<char>('x' + t.input))};
    if (const auto known = names_.find(term); known != names_.end()) return {known->second};
    Piece made = operation(t);
    if (uses_[term] < 2) return made;
    const std::string name = fmt::format("t{}", names_.size() + 1);
    names_[term] = name;
    return {fmt::format("({} := {})", name, made.text)};
  }

  Piece infix(const Term& t, const char* sign_of, Binding binding, Binding right) {
    std::string left = within(t.a, binding);
    return {left + sign_of + within(t.b, right), binding};
  }
  std::string function(const char* name) const {
    return (language_ == SourceLanguage::pytorch ? "torch." : "ops.") + std::string(name);
  }
  Piece call(const Term& t, const char* name) { return {function(name) + "(" + piece(t.a).text + ")"}; }

  /// torch.maximum takes no numbers.
  Piece extreme(const Term& t, bool largest) {
    const char* keras = largest ? "maximum" : "minimum";
    const bool clamps = language_ == SourceLanguage::pytorch && (is_number(t.a) || is_number(t.b));
    std::string left = piece(t.a).text;
    const std::string right = piece(t.b).text;
    if (!clamps) return {fmt::format("{}({}, {})", function(keras), left, right)};
    return {fmt::format("torch.clamp({}, {}={})", is_number(t.b) ? left : right, largest ? "min" : "max",
                        is_number(t.b) ? right : left)};
  }

  bool compares(int term) const {
    const Term& t = terms_[term];
    return t.kind == Term::Kind::operation && (t.operation == Operation::greater || t.operation == Operation::not_less);
  }
  std::string condition(int term) {
    if (!compares(term)) return within(term, sum) + " != 0";
    const Term& t = terms_[term];
    std::string left = within(t.a, sum);
    return left + (t.operation == Operation::greater ? " > " : " >= ") + within(t.b, sum);
  }
  std::string chosen(const std::string& by, const std::string& one, const std::string& other) {
    return fmt::format("{}({}, {}, {})", function("where"), by, one, other);
  }

  Piece operation(const Term& t) {
    const bool torch = language_ == SourceLanguage::pytorch;
    switch (t.operation) {
      case Operation::copy:
        return piece(t.a);
      case Operation::negative:
        return {"-" + within(t.a, sign), sign};
      case Operation::add:
        return infix(t, " + ", sum, sum);
      case Operation::subtract:
        return infix(t, " - ", sum, product);
      case Operation::multiply:
        return infix(t, " * ", product, sign);
      case Operation::divide:
        return infix(t, " / ", product, sign);
      case Operation::least:
        return extreme(t, false);
      case Operation::greatest:
        return extreme(t, true);
      case Operation::power: {
        std::string base = within(t.a, atom);
        return {base + " ** " + within(t.b, atom), product};
      }
      case Operation::exponential:
        return call(t, "exp");
      case Operation::logarithm:
        return call(t, "log");
      case Operation::root:
        return call(t, "sqrt");
      case Operation::absolute:
        return call(t, "abs");
      case Operation::sign:
        return call(t, "sign");
      case Operation::tanh:
        return call(t, "tanh");
      case Operation::sigmoid:
        return call(t, "sigmoid");
      case Operation::softplus:
        return torch ? Piece{"nn.functional.softplus(" + piece(t.a).text + ")"} : call(t, "softplus");
      case Operation::relu:
        return call(t, "relu");
      case Operation::error_function:
        return call(t, "erf");
      case Operation::sine:
        return call(t, "sin");
      case Operation::cosine:
        return call(t, "cos");
      case Operation::greater:
      case Operation::not_less: {
        std::string left = within(t.a, sum);
        return {chosen(left + (t.operation == Operation::greater ? " > " : " >= ") + within(t.b, sum), "1.0", "0.0")};
      }
      case Operation::choose: {
        std::string by = condition(t.a), one = piece(t.b).text;
        return {chosen(by, one, piece(t.c).text)};
      }
    }
    return {};
  }

  const formula::Terms& terms_;
  SourceLanguage language_;
  std::map<int, int> uses_;
  std::map<int, std::string> names_;
};

}  // namespace

std::string formula_lambda(const FlatLayer& l, SourceLanguage language) {
  const auto real = [&](const char* name) { return l.attrs.real(name); };
  const auto e = formula::read_expression(l.attrs.choice("expression"), {real("a"), real("b"), real("c")});
  assert(e);
  std::string names;
  for (std::size_t i = 0; i < l.inputs.size(); ++i)
    names += (i ? ", " : "") + std::string(1, static_cast<char>('x' + i));
  return "lambda " + names + ": " + LambdaWriter(*e, language).text(e->root);
}

}  // namespace nw::exchange
