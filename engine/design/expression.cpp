// SPDX-License-Identifier: Apache-2.0
// Evaluates formulas such as "$filters*2" inside a block: integers, + - * / and parentheses over the block's
// parameters. Overflow and division by zero are errors.
#include <algorithm>
#include <cctype>

#include "engine/design/expression.hpp"

namespace nw::compiling {
namespace {

struct Reader {
  std::string_view text;
  const std::map<std::string, std::int64_t>& parameters;
  std::size_t at = 0;
  int depth = 0;

  char peek() {
    while (at < text.size() && text[at] == ' ') ++at;
    return at < text.size() ? text[at] : '\0';
  }
  Error wrong() const {
    return fail(Errc::bad_input, NW_TR("\"{0}\" is not a formula over the block's parameters"), text.substr(0, 80));
  }

  Result<std::int64_t> number() {
    std::int64_t n = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, text[at++] - '0', &n)) return wrong();
    return n;
  }
  Result<std::int64_t> parameter() {
    const std::size_t begin = ++at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    const auto it = parameters.find(std::string(text.substr(begin, at - begin)));
    if (it == parameters.end())
      return fail(Errc::bad_input, NW_TR("The block has no parameter \"{0}\""),
                  text.substr(begin, std::min<std::size_t>(at - begin, 80)));
    return it->second;
  }
  Result<std::int64_t> primary() {
    const char c = peek();
    if (c >= '0' && c <= '9') return number();
    if (c == '$') return parameter();
    if (c != '(' && c != '-') return wrong();
    if (++depth > 32) return wrong();
    ++at;
    NW_ASSIGN(const std::int64_t value, c == '(' ? sum() : primary());
    --depth;
    std::int64_t negative = 0;
    if (c == '-')
      return __builtin_sub_overflow(std::int64_t{0}, value, &negative) ? Result<std::int64_t>(wrong()) : negative;
    if (peek() != ')') return wrong();
    ++at;
    return value;
  }
  Result<std::int64_t> product() {
    NW_ASSIGN(std::int64_t value, primary());
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at;
      NW_ASSIGN(const std::int64_t right, primary());
      if (c == '/' && right == 0) return fail(Errc::bad_input, NW_TR("\"{0}\" divides by zero"), text.substr(0, 80));
      if (c == '/' && right != -1) value /= right;
      // dividing by -1 can overflow, like multiplying by it
      else if (__builtin_mul_overflow(value, right, &value))
        return wrong();
    }
    return value;
  }
  Result<std::int64_t> sum() {
    NW_ASSIGN(std::int64_t value, product());
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at;
      NW_ASSIGN(const std::int64_t right, product());
      if (c == '+' ? __builtin_add_overflow(value, right, &value) : __builtin_sub_overflow(value, right, &value))
        return wrong();
    }
    return value;
  }
};

}  // namespace

Result<std::int64_t> evaluate(std::string_view expression, const std::map<std::string, std::int64_t>& parameters) {
  Reader reader{expression, parameters};
  NW_ASSIGN(const std::int64_t value, reader.sum());
  if (reader.peek() != '\0') return reader.wrong();
  return value;
}

}  // namespace nw::compiling
