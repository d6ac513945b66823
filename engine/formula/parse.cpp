// SPDX-License-Identifier: Apache-2.0
// Reads expressions, from left to right with one character of look-ahead.
#include <charconv>
#include <cmath>
#include <numbers>

#include "engine/formula/expression.hpp"
#include "kernels/printable.hpp"

namespace nw::formula {
namespace {

struct Function {
  std::string_view name;
  Operation operation;
};
constexpr Function functions[] = {
    {"abs", Operation::absolute},      {"cos", Operation::cosine},    {"erf", Operation::error_function},
    {"exp", Operation::exponential},   {"log", Operation::logarithm}, {"max", Operation::greatest},
    {"min", Operation::least},         {"pow", Operation::power},     {"relu", Operation::relu},
    {"sigmoid", Operation::sigmoid},   {"sign", Operation::sign},     {"sin", Operation::sine},
    {"softplus", Operation::softplus}, {"sqrt", Operation::root},     {"tanh", Operation::tanh},
    {"where", Operation::choose}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  Reader(std::string_view text, const Numbers& numbers) : text_(text), numbers_(numbers) {}

  Result<Expression> read() {
    NW_ASSIGN(made_.root, comparison());
    if (peek() != '\0') return unexpected();
    return std::move(made_);
  }

 private:
  using Read = Result<int>;

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view what) {
    peek();
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  /// Of the byte, in characters from 1 on.
  int column(std::size_t byte) const {
    int count = 1;
    for (std::size_t i = 0; i < byte && i < text_.size(); ++i)
      count += (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80;
    return count;
  }
  Error unexpected() {
    if (peek() == '\0')
      return fail(Errc::bad_input, NW_TR("column {0}: a number, a name or \"(\" is expected here"), column(at_));
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return fail(Errc::bad_input, NW_TR("column {0}: \"{1}\" is not expected here"), column(at_),
                printable(text_.substr(at_, end - at_)));
  }
  Read made(Operation op, int a, int b = -1, int c = -1) {
    if (++operations_ > most_operations)
      return fail(Errc::bad_input, NW_TR("the expression has more than {0} operations"),
                  static_cast<int>(most_operations));
    return made_.terms.make(op, a, b, c);
  }

  Read comparison() {
    NW_ASSIGN(const int left, sum());
    if (take("<=")) return compared(Operation::not_less, left, true);
    if (take(">=")) return compared(Operation::not_less, left, false);
    if (take("<")) return compared(Operation::greater, left, true);
    if (take(">")) return compared(Operation::greater, left, false);
    return left;
  }
  Read compared(Operation op, int left, bool swapped) {
    NW_ASSIGN(const int right, sum());
    return swapped ? made(op, right, left) : made(op, left, right);
  }

  Read sum() {
    NW_ASSIGN(int value, product());
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      NW_ASSIGN(const int right, product());
      NW_ASSIGN(value, made(c == '+' ? Operation::add : Operation::subtract, value, right));
    }
    return value;
  }

  Read product() {
    NW_ASSIGN(int value, signed_factor());
    for (char c = peek(); (c == '*' && !text_.substr(at_).starts_with("**")) || c == '/'; c = peek()) {
      ++at_;
      NW_ASSIGN(const int right, signed_factor());
      NW_ASSIGN(value, made(c == '*' ? Operation::multiply : Operation::divide, value, right));
    }
    return value;
  }

  Read signed_factor() {
    const char c = peek();
    if (c != '-' && c != '+') return power();
    NW_TRY(deeper());
    ++at_;
    NW_ASSIGN(const int value, signed_factor());
    --depth_;
    return c == '-' ? made(Operation::negative, value) : value;
  }

  Read power() {
    NW_ASSIGN(const int base, primary());
    if (!take("**") && !take("^")) return base;
    NW_TRY(deeper());
    NW_ASSIGN(const int exponent, signed_factor());
    --depth_;
    return made(Operation::power, base, exponent);
  }

  Read primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (c != '(') return unexpected();
    NW_TRY(deeper());
    ++at_;
    NW_ASSIGN(const int value, comparison());
    --depth_;
    if (!take(")")) return missing();
    return value;
  }
  Error missing() { return fail(Errc::bad_input, NW_TR("column {0}: \")\" is missing"), column(at_)); }
  Status deeper() {
    if (++depth_ > deepest_nesting)
      return fail(Errc::bad_input, NW_TR("column {0}: it is nested more than {1} levels deep"), column(at_),
                  static_cast<int>(deepest_nesting));
    return {};
  }

  Read number() {
    double v = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), v);
    if (error != std::errc() || std::abs(v) > 1e30)
      return fail(Errc::bad_input, NW_TR("column {0}: this is not a number up to 1e30"), column(at_));
    at_ += static_cast<std::size_t>(end - begin);
    return made_.terms.number(v);
  }

  Read name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (peek() == '(') return call(word, begin);
    if (word.size() == 1 && word[0] >= 'x' && word[0] <= 'z') {
      made_.inputs = std::max(made_.inputs, word[0] - 'x' + 1);
      return made_.terms.input(word[0] - 'x');
    }
    if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'c')
      return made_.terms.number(numbers_[static_cast<std::size_t>(word[0] - 'a')]);
    if (word == "pi") return made_.terms.number(std::numbers::pi);
    for (const Function& f : functions)
      if (word == f.name)
        return fail(Errc::bad_input, NW_TR("column {0}: \"(\" is missing after {1}"), column(at_), word);
    return fail(
        Errc::bad_input,
        NW_TR("column {0}: \"{1}\" is no name here: x, y and z are inputs, a, b and c the layer's numbers, pi is "
              "a constant"),
        column(begin), word.substr(0, 40));
  }

  Read call(std::string_view word, std::size_t begin) {
    for (const Function& f : functions)
      if (word == f.name) return call(f, begin);
    return fail(Errc::bad_input, NW_TR("column {0}: there is no function \"{1}\"; there are {2}"), column(begin),
                word.substr(0, 40), function_names());
  }
  Read call(const Function& f, std::size_t begin) {
    NW_TRY(deeper());
    ++at_;
    const int count = math::operands_of(f.operation);
    int operands[3] = {-1, -1, -1}, given = 0;
    do {
      NW_ASSIGN(const int operand, comparison());
      if (given < count) operands[given] = operand;
      ++given;
    } while (take(","));
    --depth_;
    if (!take(")")) return peek() == '\0' ? missing() : unexpected();
    if (given != count)
      return fail(Errc::bad_input, NW_TR("column {0}: {1} takes {2} values, here are {3}"), column(begin), f.name,
                  count, given);
    return made(f.operation, operands[0], operands[1], operands[2]);
  }

  std::string_view text_;
  const Numbers& numbers_;
  std::size_t at_ = 0;
  int depth_ = 0, operations_ = 0;
  Expression made_;
};

}  // namespace

std::string function_names() {
  std::string all;
  for (const Function& f : functions) all += (all.empty() ? "" : ", ") + std::string(f.name);
  return all;
}

Result<Expression> read_expression(std::string_view text, const Numbers& numbers) {
  if (text.size() > longest_expression)
    return fail(Errc::bad_input, NW_TR("the expression has more than {0} bytes"), longest_expression);
  if (text.find_first_not_of(" \t") == text.npos)
    return fail(Errc::bad_input, NW_TR("the expression is empty; for example x * sigmoid(a * x)"));
  NW_ASSIGN(Expression made, Reader(text, numbers).read());
  NW_ASSIGN(const Compiled value, value_program(made));
  if (value.inputs.empty() || made.inputs == 0)
    return fail(Errc::bad_input, NW_TR("the expression does not read its input x"));
  for (int i = 0; i < made.inputs; ++i)
    if (const auto gradient = gradient_program(made, i); !gradient) return gradient.error();
  return made;
}

}  // namespace nw::formula
