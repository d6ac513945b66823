// SPDX-License-Identifier: Apache-2.0
#include "engine/formula/terms.hpp"

#include <cmath>
#include <numbers>

namespace nw::formula {

int Terms::intern(const Term& t) {
  const auto [it, added] = places_.try_emplace(t, size());
  if (added) all_.push_back(t);
  return it->second;
}

int Terms::number(double v) { return intern({.kind = Term::Kind::number, .number = v == 0 ? 0.0 : v}); }
int Terms::input(int i) { return intern({.kind = Term::Kind::input, .input = i}); }
int Terms::operation(Operation op, int a, int b, int c) {
  return intern({.kind = Term::Kind::operation, .operation = op, .a = a, .b = b, .c = c});
}

bool Terms::is(int term, double v) const { return is_number(term) && (*this)[term].number == v; }
bool Terms::is_negative(int term) const {
  return (*this)[term].kind == Term::Kind::operation && (*this)[term].operation == Operation::negative;
}

int Terms::make(Operation op, int a, int b, int c) {
  const bool known = is_number(a) && (b < 0 || is_number(b)) && (c < 0 || is_number(c));
  if (known) {
    const auto value = [&](int i) { return i < 0 ? 0.0 : (*this)[i].number; };
    const double v = op == Operation::power ? std::pow(value(a), value(b))
                                            : math::operation<double>(op, value(a), value(b), value(c));
    if (std::isfinite(v)) return number(v);
  }
  switch (op) {
    case Operation::copy:
      return a;
    case Operation::add:
      return sum(a, b);
    case Operation::subtract:
      return difference(a, b);
    case Operation::multiply:
      return product(a, b);
    case Operation::divide:
      return quotient(a, b);
    case Operation::negative:
      return negative(a);
    case Operation::power:
      return power(a, b);
    case Operation::choose:
      if (is_number(a)) return is(a, 0) ? c : b;
      return b == c ? b : operation(op, a, b, c);
    default:
      return operation(op, a, b, c);
  }
}

int Terms::sum(int a, int b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (is_negative(b)) return difference(a, (*this)[b].a);
  if (is_negative(a)) return difference(b, (*this)[a].a);
  return operation(Operation::add, a, b, -1);
}

int Terms::difference(int a, int b) {
  if (is(b, 0)) return a;
  if (is(a, 0)) return negative(b);
  if (is_negative(b)) return sum(a, (*this)[b].a);
  return operation(Operation::subtract, a, b, -1);
}

int Terms::negative(int a) {
  const Term t = (*this)[a];
  if (is_number(a)) return number(-t.number);
  if (is_negative(a)) return t.a;
  if (t.kind == Term::Kind::operation && t.operation == Operation::subtract) return difference(t.b, t.a);
  if (t.kind == Term::Kind::operation && t.operation == Operation::multiply && is_number(t.a))
    return product(number(-(*this)[t.a].number), t.b);
  return operation(Operation::negative, a, -1, -1);
}

// Numbers come first, so that those of nested products meet.
int Terms::product(int a, int b) {
  if (is_number(b)) std::swap(a, b);
  if (is(a, 0)) return a;
  if (is(a, 1)) return b;
  if (is(a, -1)) return negative(b);
  const Term inner = (*this)[b];
  const bool is_product = inner.kind == Term::Kind::operation && inner.operation == Operation::multiply;
  if (is_product && is_number(inner.a)) {
    if (is_number(a)) return product(number((*this)[a].number * (*this)[inner.a].number), inner.b);
    return product(inner.a, product(a, inner.b));
  }
  if (is_negative(a)) return negative(product((*this)[a].a, b));
  if (is_negative(b)) return negative(product(a, inner.a));
  return operation(Operation::multiply, a, b, -1);
}

int Terms::quotient(int a, int b) {
  if (is(b, 1) || is(a, 0)) return a;
  if (is_number(b) && std::isnormal(1 / (*this)[b].number)) return product(number(1 / (*this)[b].number), a);
  if (is_negative(a)) return negative(quotient((*this)[a].a, b));
  return operation(Operation::divide, a, b, -1);
}

int Terms::whole_power(int base, int exponent) {
  if (exponent == 0) return number(1);
  if (exponent < 0) return quotient(number(1), whole_power(base, -exponent));
  if (exponent == 1) return base;
  const int half = whole_power(base, exponent / 2), square = product(half, half);
  return exponent % 2 == 0 ? square : product(square, base);
}

int Terms::power(int base, int exponent) {
  if (is_number(exponent)) {
    const double n = (*this)[exponent].number;
    if (n == std::floor(n) && std::abs(n) <= 16) return whole_power(base, static_cast<int>(n));
    if (n == 0.5) return make(Operation::root, base);
    if (n == -0.5) return quotient(number(1), make(Operation::root, base));
  }
  if (is_number(base) && (*this)[base].number > 0)
    return make(Operation::exponential, product(number(std::log((*this)[base].number)), exponent));
  return operation(Operation::power, base, exponent, -1);
}

int Terms::derivative(int term, int by) {
  const Term t = (*this)[term];
  if (t.kind == Term::Kind::number) return number(0);
  if (t.kind == Term::Kind::input) return number(t.input == by ? 1 : 0);
  if (const auto known = derivatives_.find({term, by}); known != derivatives_.end()) return known->second;
  const int made =
      math::operands_of(t.operation) == 1 ? product(of_one(t, term, by), derivative(t.a, by)) : of_several(t, term, by);
  derivatives_[{term, by}] = made;
  return made;
}

/// The outer derivative of a function of one operand. `self`: the function.
int Terms::of_one(const Term& t, int self, int) {
  const auto square = [&](int i) { return product(i, i); };
  const int u = t.a, one = number(1);
  switch (t.operation) {
    case Operation::copy:
      return one;
    case Operation::negative:
      return number(-1);
    case Operation::exponential:
      return self;
    case Operation::logarithm:
      return quotient(one, u);
    case Operation::root:
      return quotient(number(0.5), self);
    case Operation::absolute:
      return make(Operation::sign, u);
    case Operation::tanh:
      return difference(one, square(self));
    case Operation::sigmoid:
      return product(self, difference(one, self));
    case Operation::softplus:
      return make(Operation::sigmoid, u);
    case Operation::relu:
      return make(Operation::greater, u, number(0));
    case Operation::error_function:
      return product(number(2 * std::numbers::inv_sqrtpi), make(Operation::exponential, negative(square(u))));
    case Operation::sine:
      return make(Operation::cosine, u);
    case Operation::cosine:
      return negative(make(Operation::sine, u));
    default:
      return number(0);
  }
}

int Terms::of_several(const Term& t, int self, int by) {
  const int u = t.a, v = t.b, du = derivative(u, by), dv = derivative(v, by);
  switch (t.operation) {
    case Operation::add:
      return sum(du, dv);
    case Operation::subtract:
      return difference(du, dv);
    case Operation::multiply:
      return sum(product(du, v), product(u, dv));
    case Operation::divide:
      return quotient(difference(du, product(self, dv)), v);
    case Operation::least:
      return make(Operation::choose, make(Operation::greater, v, u), du, dv);
    case Operation::greatest:
      return make(Operation::choose, make(Operation::greater, u, v), du, dv);
    case Operation::power: {
      if (is(dv, 0)) return product(product(v, power(u, difference(v, number(1)))), du);
      const int growth = sum(product(dv, make(Operation::logarithm, u)), quotient(product(v, du), u));
      return product(self, growth);
    }
    case Operation::choose:
      return make(Operation::choose, u, dv, derivative(t.c, by));
    default:
      return number(0);
  }
}

}  // namespace nw::formula
