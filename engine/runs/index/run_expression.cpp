// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace nw {
namespace {

constexpr std::size_t longest_expression = 1000;  // bytes
constexpr int deepest_expression = 64;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
using Value = RunExpression::Value;

struct Quantity {
  std::string_view name;
  double (*of)(const EpochFigures&);
  bool highest;
};
constexpr Quantity quantities[] = {
    {"validation_accuracy", [](const EpochFigures& e) { return e.validation_accuracy; }, true},
    {"validation_loss", [](const EpochFigures& e) { return e.validation_loss; }, false},
    {"train_accuracy", [](const EpochFigures& e) { return e.train_accuracy; }, true},
    {"train_loss", [](const EpochFigures& e) { return e.train_loss; }, false},
    {"learning_rate", [](const EpochFigures& e) { return e.learning_rate; }, false}};

using History = std::vector<EpochFigures>;
double best_of(const History& all, const Quantity& q) {
  double best = unknown;
  for (const EpochFigures& e : all) best = q.highest ? std::fmax(best, q.of(e)) : std::fmin(best, q.of(e));
  return best;
}
double last_of(const History& all, const Quantity& q) { return all.empty() ? unknown : q.of(all.back()); }
double first_of(const History& all, const Quantity& q) { return all.empty() ? unknown : q.of(all.front()); }
double mean_of(const History& all, const Quantity& q) {
  double sum = 0, count = 0;
  for (const EpochFigures& e : all)
    if (const double v = q.of(e); std::isfinite(v)) sum += v, ++count;
  return count > 0 ? sum / count : unknown;
}

struct OverEpochs {
  std::string_view name;
  double (*of)(const History&, const Quantity&);
};
constexpr OverEpochs over_epochs_names[] = {
    {"best", best_of}, {"last", last_of}, {"first", first_of}, {"mean", mean_of}};

struct Function {
  std::string_view name;
  int arguments;
  double (*of)(double, double);
};
constexpr Function functions[] = {{"abs", 1, [](double a, double) { return std::abs(a); }},
                                  {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
                                  {"log10", 1, [](double a, double) { return std::log10(a); }},
                                  {"min", 2, [](double a, double b) { return a < b ? a : b; }},
                                  {"max", 2, [](double a, double b) { return a > b ? a : b; }}};

template <class Row, std::size_t n>
const Row* row_called(const Row (&rows)[n], std::string_view name) {
  const auto at = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == name; });
  return at == std::end(rows) ? nullptr : at;
}

class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : text_(text) {}
  Result<Value> whole() {
    NW_ASSIGN(Value v, sum());
    if (at_ < text_.size()) return wrong();
    return v;
  }
  std::vector<std::string> names;

 private:
  Error wrong() { return fail(Errc::bad_input, NW_TR("the expression cannot be read at character {0}"), at_ + 1); }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip();
    return true;
  }
  template <class Operate>
  static Value both(Value a, Value b, Operate operate) {
    return [a = std::move(a), b = std::move(b), operate](const RunRecord& r) { return operate(a(r), b(r)); };
  }

  Result<Value> sum() {
    if (++depth_ > deepest_expression) return wrong();
    NW_ASSIGN(Value v, product());
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      NW_ASSIGN(Value next, product());
      v = plus ? both(std::move(v), std::move(next), [](double a, double b) { return a + b; })
               : both(std::move(v), std::move(next), [](double a, double b) { return a - b; });
    }
    --depth_;
    return v;
  }
  Result<Value> product() {
    NW_ASSIGN(Value v, negated());
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return v;
      NW_ASSIGN(Value next, negated());
      v = times ? both(std::move(v), std::move(next), [](double a, double b) { return a * b; })
                : both(std::move(v), std::move(next), [](double a, double b) { return a / b; });
    }
  }
  Result<Value> negated() {
    if (!take('-')) return power();
    if (++depth_ > deepest_expression) return wrong();
    NW_ASSIGN(Value v, negated());
    --depth_;
    return Value([v = std::move(v)](const RunRecord& r) { return -v(r); });
  }
  Result<Value> power() {
    NW_ASSIGN(Value v, atom());
    if (!take('^')) return v;
    if (++depth_ > deepest_expression) return wrong();
    NW_ASSIGN(Value exponent, negated());
    --depth_;
    return both(std::move(v), std::move(exponent), [](double a, double b) { return std::pow(a, b); });
  }
  Result<Value> atom() {
    skip();
    if (take('(')) {
      NW_ASSIGN(Value v, sum());
      if (!take(')')) return wrong();
      return v;
    }
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    return named_value();
  }
  Result<Value> number() {
    double v = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc()) return wrong();
    at_ = static_cast<std::size_t>(end - text_.data());
    if (take('%')) v /= 100;
    skip();
    return Value([v](const RunRecord&) { return v; });
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool in_name(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
  }
  std::string word() {
    std::string name;
    while (at_ < text_.size() && in_name(text_[at_])) name += text_[at_++];
    return name;
  }
  Result<Value> named_value() {
    const std::size_t begin = at_;
    const std::string name = word();
    if (name.empty()) return wrong();
    if (take('(')) {
      if (const OverEpochs* f = row_called(over_epochs_names, name)) return of_epochs(*f);
      if (const Function* f = row_called(functions, name)) return call(*f);
      at_ = begin;
      return wrong();
    }
    names.push_back(name);
    return Value([name](const RunRecord& r) {
      const FieldValue v = field_value(r, name);
      const double* number = std::get_if<double>(&v);
      return number ? *number : unknown;
    });
  }
  Result<Value> of_epochs(const OverEpochs& f) {
    const std::size_t begin = at_;
    const Quantity* q = row_called(quantities, word());
    if (!q) {
      at_ = begin;
      return wrong();
    }
    if (!take(')')) return wrong();
    return Value([of = f.of, q](const RunRecord& r) { return of(r.summary.history, *q); });
  }
  Result<Value> call(const Function& f) {
    NW_ASSIGN(Value a, sum());
    Value b = a;
    if (f.arguments == 2) {
      if (!take(',')) return wrong();
      NW_ASSIGN(b, sum());
    }
    if (!take(')')) return wrong();
    return both(std::move(a), std::move(b), f.of);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<RunExpression> RunExpression::parse(std::string_view text) {
  if (text.size() > longest_expression)
    return fail(Errc::bad_input, NW_TR("the expression is longer than {0} bytes"), longest_expression);
  ExpressionReader reader(text);
  NW_ASSIGN(Value value, reader.whole());
  return RunExpression(std::move(value), std::move(reader.names));
}

Status RunExpression::check(const IsSetting& is_setting) const {
  for (const std::string& name : names_) NW_TRY(check_field_name(name, is_setting));
  return {};
}

}  // namespace nw
