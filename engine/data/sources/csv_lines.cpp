// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/csv_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nw {
namespace {

constexpr std::size_t line_limit = std::size_t{16} << 20;

char separator_of(std::string_view line) {
  bool in_quotes = false, tab = false, semicolon = false;
  for (const char c : line) {
    if (c == '"') in_quotes = !in_quotes;
    if (!in_quotes) tab = tab || c == '\t', semicolon = semicolon || c == ';';
  }
  return tab ? '\t' : semicolon ? ';' : ',';
}

bool parse(std::string_view cell, double& value) {
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
}

}  // namespace

CsvLines::CsvLines(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool CsvLines::number(std::string_view cell, double& value) const {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  if (!cell.empty() && cell.size() <= 3 &&
      std::all_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    int whole = 0;
    for (const char c : cell) whole = 10 * whole + (c - '0');
    value = whole;
    return true;
  }
  const std::size_t comma = separator_ == ',' ? std::string_view::npos : cell.find(',');
  if (comma == std::string_view::npos || cell.size() > 40) return parse(cell, value);
  std::string with_point(cell);
  with_point[comma] = '.';
  return parse(with_point, value);
}

Result<bool> CsvLines::next(std::vector<std::string_view>& cells) {
  while (!rest_.empty()) {
    ++line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.size() > line_limit)
      return wrong(NW_TR("{0}, line {1}: longer than 16 MiB; is this a table with one image a line?"));
    if (line.find('\0') != std::string_view::npos)
      return wrong(NW_TR("{0}, line {1}: holds a zero byte; this is not a text file"));
    if (!separator_) separator_ = separator_of(line);
    NW_TRY(split(line, cells));
    return true;
  }
  return false;
}

Status CsvLines::split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  unquoted_.clear();
  for (std::size_t at = 0;;) {
    if (at < line.size() && line[at] == '"') {
      NW_ASSIGN(const std::string_view cell, quoted(line, at));
      cells.push_back(cell);
    } else {
      const std::size_t end = std::min(line.find(separator_, at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end;
    }
    if (at == line.size()) return {};
    if (line[at] != separator_)
      return wrong(NW_TR("{0}, line {1}: there is text after the closing quote of cell {2}"), cells.size());
    ++at;
  }
}

/// The cell that begins with the quote at `at`, which moves past the closing quote. Quotes inside a cell are doubled.
Result<std::string_view> CsvLines::quoted(std::string_view line, std::size_t& at) {
  const std::size_t begin = at + 1;
  bool doubled = false;
  for (at = line.find('"', begin);; at = line.find('"', at + 2)) {
    if (at == std::string_view::npos) return wrong(NW_TR("{0}, line {1}: a quote is not closed"));
    if (at + 1 >= line.size() || line[at + 1] != '"') break;
    doubled = true;
  }
  const std::string_view inside = line.substr(begin, at - begin);
  ++at;
  if (!doubled) return inside;
  std::string& plain = unquoted_.emplace_back();
  for (std::size_t i = 0; i < inside.size(); ++i) {
    plain += inside[i];
    if (inside[i] == '"') ++i;
  }
  return std::string_view(plain);
}

bool names_a_label(std::string_view cell) {
  std::string lower(cell);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "label" || lower == "class" || lower == "target";
}

std::vector<std::string> classes_of_labels(const CsvLines& lines, std::vector<std::string> labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  std::vector<std::pair<double, std::string>> numbers;
  std::vector<std::string> words, names;
  for (std::string& n : labels) {
    double value = 0;
    if (lines.number(n, value))
      numbers.emplace_back(value, std::move(n));
    else
      words.push_back(std::move(n));
  }
  std::sort(numbers.begin(), numbers.end());
  for (auto& [value, n] : numbers) names.push_back(std::move(n));
  names.insert(names.end(), words.begin(), words.end());
  return names;
}

}  // namespace nw
