// SPDX-License-Identifier: Apache-2.0
// Element-wise expressions as terms: numbers, inputs, and the operations of kernels/math/program.hpp. A term is made
// once, however often it is used, and simplified when it is made.
#pragma once
#include <map>
#include <vector>

#include "kernels/math/program.hpp"

namespace nw::formula {

using math::Operation;

struct Term {
  enum class Kind { number, input, operation };
  Kind kind = Kind::number;
  double number = 0;
  int input = 0;  // 0 … 2: x, y, z; dy
  Operation operation = Operation::copy;
  int a = -1, b = -1, c = -1;  // operands: earlier terms; -1: none
  auto operator<=>(const Term&) const = default;
};
/// The number of the input that is the gradient of the result.
inline constexpr int dy = 3;

class Terms {
 public:
  int number(double);
  int input(int);
  /// The operation, or a simpler term of the same value for finite operands: numbers are computed, 0 and 1 fall away,
  /// powers with whole exponents up to 16 become products, quotients by numbers products.
  int make(Operation, int a, int b = -1, int c = -1);
  /// The derivative of a term by an input. Of the smaller or larger of two equal numbers it is the second's, of |x| and
  /// relu at 0 it is 0; steps have none.
  int derivative(int term, int input);
  const Term& operator[](int i) const { return all_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(all_.size()); }

 private:
  int intern(const Term&);
  int operation(Operation, int a, int b, int c);
  bool is(int term, double number) const;
  bool is_number(int term) const { return (*this)[term].kind == Term::Kind::number; }
  bool is_negative(int term) const;
  int sum(int a, int b);
  int difference(int a, int b);
  int product(int a, int b);
  int quotient(int a, int b);
  int negative(int a);
  int power(int base, int exponent);
  int whole_power(int base, int exponent);
  int of_one(const Term&, int self, int inner);
  int of_several(const Term&, int self, int input);

  std::vector<Term> all_;
  std::map<Term, int> places_;
  std::map<std::pair<int, int>, int> derivatives_;
};

}  // namespace nw::formula
