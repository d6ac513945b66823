// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_query.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nw {
namespace {

constexpr std::size_t longest_query = 2000;  // bytes
constexpr int deepest = 64;                  // parentheses and `not`
using Test = RunQuery::Test;

struct Token {
  enum class Kind : std::uint8_t { word, quoted, op, open, close, end };
  Kind kind = Kind::end;
  std::string text;
  std::size_t at = 0;  // 1-based
};
using Kind = Token::Kind;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool ends_word(char c) { return is_space(c) || std::string_view("()=!<>~\"").find(c) != std::string_view::npos; }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> all() {
    std::vector<Token> tokens;
    do {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      NW_ASSIGN(Token next, token());
      tokens.push_back(std::move(next));
    } while (tokens.back().kind != Kind::end);
    return tokens;
  }

 private:
  Result<Token> token() {
    const std::size_t from = at_ + 1;
    if (at_ >= text_.size()) return Token{Kind::end, "", from};
    const char c = text_[at_];
    if (c == '(' || c == ')') return Token{c == '(' ? Kind::open : Kind::close, std::string(1, text_[at_++]), from};
    if (c == '"') return quoted(from);
    if (ends_word(c)) return op(from);
    std::string word;
    while (at_ < text_.size() && !ends_word(text_[at_])) word += text_[at_++];
    return Token{Kind::word, word, from};
  }
  Result<Token> quoted(std::size_t from) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos)
      return fail(Errc::bad_input, NW_TR("the condition has a quotation mark at character {0} that is not closed"),
                  from);
    Token t{Kind::quoted, std::string(text_.substr(at_ + 1, end - at_ - 1)), from};
    at_ = end + 1;
    return t;
  }
  Result<Token> op(std::size_t from) {
    for (const std::string_view known : {"==", "!=", "<=", ">=", "!~", "=", "<", ">", "~"})
      if (text_.substr(at_).starts_with(known)) {
        at_ += known.size();
        return Token{Kind::op, std::string(known == "==" ? "=" : known), from};
      }
    return fail(Errc::bad_input, NW_TR("the condition has an unknown sign at character {0}"), from);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}
bool contains(std::string_view text, const std::string& lowered) {
  return lower(text).find(lowered) != std::string::npos;
}

std::optional<double> number(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return percent ? value / 100 : value;
}

std::string text_of(const FieldValue& value) {
  if (const double* n = std::get_if<double>(&value)) return fmt::format("{}", *n);
  const std::string* text = std::get_if<std::string>(&value);
  return text ? *text : "";
}

template <class T>
bool holds(const T& a, std::string_view op, const T& b) {
  return op == "="    ? a == b
         : op == "!=" ? a != b
         : op == "<"  ? a < b
         : op == "<=" ? a <= b
         : op == ">"  ? a > b
                      : a >= b;
}

/// FIELD OPERATOR VALUE.
struct Comparison {
  std::string field, op, value;
  std::optional<double> number;

  bool operator()(const RunRecord& record) const {
    if (field == "tags" && (op == "=" || op == "!=")) return has_tag(record) == (op == "=");
    const FieldValue found = field_value(record, field);
    if (op == "~" || op == "!~") return contains(text_of(found), lower(value)) == (op == "~");
    if (found.index() == 0) return op == "!=";
    if (const double* n = std::get_if<double>(&found)) return number ? holds(*n, op, *number) : op == "!=";
    return holds(lower(std::get<std::string>(found)), op, lower(value));
  }

 private:
  bool has_tag(const RunRecord& record) const {
    return std::find(record.notes.tags.begin(), record.notes.tags.end(), value) != record.notes.tags.end();
  }
};

Test search(const std::string& word) {
  return [lowered = lower(word)](const RunRecord& r) {
    for (const std::string_view field : {"run", "project", "notes", "tags"})
      if (contains(text_of(field_value(r, field)), lowered)) return true;
    return contains(r.summary.folder.filename().string(), lowered);
  };
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Test> whole() {
    if (next().kind == Kind::end) return Test([](const RunRecord&) { return true; });
    NW_ASSIGN(Test test, any());
    if (next().kind != Kind::end) return unexpected();
    return test;
  }
  std::vector<std::string> compared() { return std::move(compared_); }

 private:
  const Token& next() const { return tokens_[at_]; }
  bool is_word(std::string_view word) const { return next().kind == Kind::word && lower(next().text) == word; }
  Error unexpected() const {
    if (next().kind == Kind::end)
      return fail(Errc::bad_input, NW_TR("the condition ends where a field, a word or a value should follow"));
    return fail(Errc::bad_input, NW_TR("the condition has \"{0}\" at character {1}, where it has no meaning"),
                next().text.substr(0, 80), next().at);
  }

  Result<Test> any() {
    NW_ASSIGN(Test left, every());
    while (is_word("or")) {
      ++at_;
      NW_ASSIGN(Test right, every());
      left = [a = std::move(left), b = std::move(right)](const RunRecord& r) { return a(r) || b(r); };
    }
    return left;
  }
  Result<Test> every() {
    NW_ASSIGN(Test left, one());
    while (is_word("and") || (!is_word("or") && next().kind != Kind::end && next().kind != Kind::close)) {
      if (is_word("and")) ++at_;
      NW_ASSIGN(Test right, one());
      left = [a = std::move(left), b = std::move(right)](const RunRecord& r) { return a(r) && b(r); };
    }
    return left;
  }
  Result<Test> one() {
    if (++depth_ > deepest) return fail(Errc::bad_input, NW_TR("the condition is nested more than {0} deep"), deepest);
    Result<Test> test = is_word("not") ? negated() : next().kind == Kind::open ? inside() : comparison();
    --depth_;
    return test;
  }
  Result<Test> negated() {
    ++at_;
    NW_ASSIGN(Test test, one());
    return Test([t = std::move(test)](const RunRecord& r) { return !t(r); });
  }
  Result<Test> inside() {
    ++at_;
    NW_ASSIGN(Test test, any());
    if (next().kind != Kind::close) return unexpected();
    ++at_;
    return test;
  }
  Result<Test> comparison() {
    if (is_word("and") || is_word("or")) return unexpected();
    if (next().kind != Kind::word && next().kind != Kind::quoted) return unexpected();
    const Token first = tokens_[at_++];
    if (next().kind != Kind::op) return search(first.text);
    const std::string op = tokens_[at_++].text;
    if (next().kind != Kind::word && next().kind != Kind::quoted) return unexpected();
    const Token& value = tokens_[at_++];
    compared_.push_back(first.text);
    return Test(Comparison{first.text, op, value.text, number(value.text)});
  }

  std::vector<Token> tokens_;
  std::vector<std::string> compared_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<RunQuery> RunQuery::parse(std::string_view text) {
  if (text.size() > longest_query)
    return fail(Errc::bad_input, NW_TR("the condition has {0} bytes; at most {1} are read"), text.size(),
                longest_query);
  NW_ASSIGN(std::vector<Token> tokens, Tokens(text).all());
  Parser parser(std::move(tokens));
  NW_ASSIGN(Test test, parser.whole());
  return RunQuery(std::move(test), parser.compared());
}

Status RunQuery::check(const IsSetting& is_setting) const {
  for (const std::string& name : compared_) NW_TRY(check_field_name(name, is_setting));
  return {};
}

Status check_field_name(std::string_view name, const IsSetting& is_setting) {
  if (find_run_field(name) || is_setting(name)) return {};
  std::string known;
  for (const RunField& f : run_fields()) known += (known.empty() ? "" : ", ") + std::string(f.name);
  return fail(Errc::bad_input, NW_TR("no run has a field or a setting \"{0}\"; the fields are {1}"), name.substr(0, 80),
              known);
}

bool has_setting(const RunRecord& run, std::string_view name) {
  const auto at = std::lower_bound(run.settings.begin(), run.settings.end(), name,
                                   [](const RecordedSetting& s, std::string_view wanted) { return s.name < wanted; });
  return at != run.settings.end() && at->name == name;
}

IsSetting settings_of(const std::vector<RunRecord>& runs) {
  return [&runs](std::string_view name) {
    return runs.empty() ||
           std::any_of(runs.begin(), runs.end(), [&](const RunRecord& r) { return has_setting(r, name); });
  };
}

}  // namespace nw
