// SPDX-License-Identifier: Apache-2.0
// Terms as a program: in the order in which they are needed, each in a register until it is read for the last time.
#include <algorithm>
#include <map>

#include "engine/formula/expression.hpp"

namespace nw::formula {
namespace {

using math::Program;

class Assembler {
 public:
  Assembler(const Terms& terms, int root) : terms_(terms), root_(root) {}

  Result<Compiled> make() {
    visit(root_);
    if (order_.empty()) order_.push_back(root_);
    if (order_.size() > Program::most_instructions)
      return fail(Errc::bad_input,
                  NW_TR("the expression or its derivative takes {0} operations; at most {1} are possible"),
                  order_.size(), static_cast<int>(Program::most_instructions));
    number_inputs();
    for (std::size_t k = 0; k < order_.size(); ++k) emit(k);
    if (too_many_)
      return fail(Errc::bad_input, NW_TR("the expression or its derivative has too many intermediate results"));
    return std::move(made_);
  }

 private:
  /// Terms in an order in which operands come first; `last_use_`: the place of the last instruction that reads one.
  void visit(int term) {
    const Term& t = terms_[term];
    if (t.kind == Term::Kind::input) inputs_.insert({t.input, 0});
    if (t.kind != Term::Kind::operation || place_.contains(term)) return;
    for (const int operand : {t.a, t.b, t.c})
      if (operand >= 0) visit(operand);
    const auto here = order_.size();
    for (const int operand : {t.a, t.b, t.c})
      if (operand >= 0) last_use_[operand] = here;
    place_[term] = here;
    order_.push_back(term);
  }

  void number_inputs() {
    for (const auto& [input, at] : inputs_) made_.inputs.push_back(input);
    if (inputs_.empty()) made_.inputs.push_back(0);
    const auto of_result = std::find(made_.inputs.begin(), made_.inputs.end(), dy);
    if (of_result != made_.inputs.end()) std::rotate(made_.inputs.begin(), of_result, of_result + 1);
    for (std::size_t i = 0; i < made_.inputs.size(); ++i) inputs_[made_.inputs[i]] = static_cast<int>(i);
    made_.program.inputs = static_cast<std::int32_t>(made_.inputs.size());
  }

  std::uint8_t operand(int term) {
    if (term < 0) return 0;
    const Term& t = terms_[term];
    if (t.kind == Term::Kind::input) return static_cast<std::uint8_t>(Program::first_input + inputs_[t.input]);
    if (t.kind == Term::Kind::operation) return register_[term];
    Program& p = made_.program;
    const auto value = static_cast<float>(t.number);
    int at = 0;
    while (at < p.constants && p.constant[at] != value) ++at;
    if (at == Program::most_constants) return too_many_ = true, std::uint8_t{0};
    if (at == p.constants) p.constant[p.constants++] = value;
    return static_cast<std::uint8_t>(Program::first_constant + at);
  }

  void emit(std::size_t k) {
    const int term = order_[k];
    const Term& t = terms_[term];
    const bool is_operation = t.kind == Term::Kind::operation;
    math::Instruction i{is_operation ? t.operation : Operation::copy, 0, operand(is_operation ? t.a : term),
                        operand(t.b), operand(t.c)};
    for (const int read : {t.a, t.b, t.c})
      if (const auto at = register_.find(read); at != register_.end() && last_use_[read] == k) {
        taken_[at->second] = false;
        register_.erase(at);
      }
    const auto free = std::find(std::begin(taken_), std::end(taken_), false);
    if (free == std::end(taken_)) return void(too_many_ = true);
    *free = true;
    i.to = static_cast<std::uint8_t>(free - std::begin(taken_));
    register_[term] = i.to;
    made_.program.instruction[made_.program.instructions++] = i;
  }

  const Terms& terms_;
  int root_;
  std::vector<int> order_;
  std::map<int, std::size_t> place_, last_use_;
  std::map<int, std::uint8_t> register_;
  std::map<int, int> inputs_;
  bool taken_[Program::most_registers] = {};
  bool too_many_ = false;
  Compiled made_;
};

}  // namespace

Result<Compiled> value_program(const Expression& e) { return Assembler(e.terms, e.root).make(); }

Result<Compiled> gradient_program(const Expression& e, int input) {
  Terms terms = e.terms;
  const int slope = terms.derivative(e.root, input);
  const int gradient = terms.make(Operation::multiply, terms.input(dy), slope);
  return Assembler(terms, gradient).make();
}

}  // namespace nw::formula
