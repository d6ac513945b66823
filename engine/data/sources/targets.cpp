// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/targets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace nw {
namespace {

constexpr std::size_t longest_label = 4096, most_groups = 10;
using Cells = std::vector<std::string_view>;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> parts_of(std::string_view list, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    if (const std::string_view part = trimmed(list.substr(0, end)); !part.empty()) parts.push_back(part);
    if (end == list.size()) return parts;
    list.remove_prefix(end + 1);
  }
}

/// "1 – 2.5".
std::string range_name(float from, float to) {
  return from == to ? fmt::format("{:.3g}", from) : fmt::format("{:.3g} – {:.3g}", from, to);
}

TargetGroups groups_of_labels(const std::vector<std::string>& names, std::span<const float> rows) {
  const std::size_t width = names.size(), samples = rows.size() / width;
  std::vector<std::size_t> count(width, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) count[i % width] += rows[i] > 0;
  TargetGroups g{names, {}};
  bool without = false;
  for (std::size_t s = 0; s < samples; ++s) {
    std::size_t rarest = width;
    for (std::size_t k = 0; k < width; ++k)
      if (rows[s * width + k] > 0 && (rarest == width || count[k] < count[rarest])) rarest = k;
    g.of.push_back(static_cast<std::int64_t>(rarest));
    without = without || rarest == width;
  }
  if (without) g.names.emplace_back("none");
  return g;
}

/// The indices that divide sorted values into parts of about equal size; equal values stay together.
std::vector<float> cuts_of(const std::vector<float>& sorted) {
  std::vector<float> first;
  for (std::size_t k = 0; k < most_groups; ++k) {
    const float at = sorted[k * sorted.size() / most_groups];
    if (first.empty() || at > first.back()) first.push_back(at);
  }
  return first;
}

TargetGroups groups_of_values(std::size_t width, std::span<const float> rows) {
  std::vector<float> first;
  for (std::size_t i = 0; i < rows.size(); i += width) first.push_back(rows[i]);
  const ValueRanges ranges = ranges_of(first);
  TargetGroups g{ranges.names, {}};
  for (const float v : first) g.of.push_back(ranges.of(v));
  return g;
}

}  // namespace

ValueRanges ranges_of(std::vector<float> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  ValueRanges r{cuts_of(values), {}};
  for (std::size_t k = 0; k < r.first.size(); ++k) {
    const auto end =
        k + 1 < r.first.size() ? std::lower_bound(values.begin(), values.end(), r.first[k + 1]) : values.end();
    r.names.push_back(range_name(r.first[k], *std::prev(end)));
  }
  return r;
}
std::int64_t ValueRanges::of(float value) const {
  return std::max<std::int64_t>(0, std::upper_bound(first.begin(), first.end(), value) - first.begin() - 1);
}

Result<TargetColumns> target_columns(const CsvLines& lines, const Cells& heading, TargetKind kind,
                                     const std::string& wanted, std::ptrdiff_t path) {
  TargetColumns c;
  for (const std::string_view name : parts_of(wanted, ",")) {
    const auto it = std::find(heading.begin(), heading.end(), name);
    if (it == heading.end())
      return lines.wrong(NW_TR("{0}, line {1}: names no column \"{2}\"; choose one of the columns in this line"), name);
    if (it - heading.begin() == path)
      return lines.wrong(NW_TR("{0}, line {1}: \"{2}\" is the column of paths; choose another target column"), name);
    c.at.push_back(static_cast<std::size_t>(it - heading.begin()));
  }
  const bool chosen = !c.at.empty();
  if (!chosen) {
    const auto named = std::find_if(heading.begin(), heading.end(), names_a_label);
    if (named != heading.end() && named - heading.begin() != path)
      c.at.push_back(static_cast<std::size_t>(named - heading.begin()));
    else if (path < 0)
      c.at.push_back(0);
    else
      for (std::size_t i = 0; i < heading.size(); ++i)
        if (static_cast<std::ptrdiff_t>(i) != path) c.at.push_back(i);
  }
  if (c.at.empty() || c.at.size() > most_targets)
    return lines.wrong(NW_TR("{0}, line {1}: {2} target columns are named; 1 to {3} are possible"), c.at.size(),
                       most_targets);
  c.one_list = kind == TargetKind::labels && c.at.size() == 1;
  return c;
}

Status TargetReader::begin(const CsvLines& lines, const Cells& heading, const TargetColumns& columns) {
  std::vector<std::string> names;
  for (const std::size_t at : columns.at) names.emplace_back(trimmed(heading[at]));
  if (!names_.empty() && names != names_)
    return lines.wrong(NW_TR("{0}, line {1}: its target columns have other names than those of the training table"));
  names_ = std::move(names);
  columns_ = columns;
  return {};
}

Status TargetReader::add_list(const CsvLines& lines, std::string_view cell) {
  lists_.emplace_back();
  for (const std::string_view label : parts_of(cell, "|;,")) {
    if (label.size() > longest_label)
      return lines.wrong(NW_TR("{0}, line {1}: a label is longer than {2} bytes"), longest_label);
    lists_.back().emplace_back(label);
  }
  return {};
}

Status TargetReader::add(const CsvLines& lines, const Cells& cells) {
  if (columns_.one_list) return add_list(lines, cells[columns_.at.front()]);
  for (const std::size_t at : columns_.at) {
    double value = 0;
    const bool number =
        lines.number(trimmed(cells[at]), value) && std::isfinite(value) && std::abs(value) <= largest_target;
    if (kind_ == TargetKind::labels && (!number || (value != 0 && value != 1)))
      return lines.wrong(NW_TR("{0}, line {1}: cell {2} is \"{3}\"; a label's column holds 1 (it has it) or 0"), at + 1,
                         cells[at].substr(0, 40));
    if (!number)
      return lines.wrong(NW_TR("{0}, line {1}: cell {2} is \"{3}\", which is not a number"), at + 1,
                         cells[at].substr(0, 40));
    rows_.push_back(static_cast<float>(value));
  }
  return {};
}

std::vector<std::string> TargetReader::names() const {
  if (!columns_.one_list) return names_;
  std::set<std::string> all;
  for (const auto& list : lists_) all.insert(list.begin(), list.end());
  return {all.begin(), all.end()};
}

std::vector<float> TargetReader::rows() const {
  if (!columns_.one_list) return rows_;
  const std::vector<std::string> all = names();
  std::vector<float> rows(lists_.size() * all.size(), 0.0F);
  for (std::size_t i = 0; i < lists_.size(); ++i)
    for (const std::string& label : lists_[i])
      rows[i * all.size() + static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), label) - all.begin())] =
          1;
  return rows;
}

TargetGroups groups_of(TargetKind kind, const std::vector<std::string>& names, std::span<const float> rows) {
  if (names.empty() || rows.empty()) return {};
  return kind == TargetKind::labels ? groups_of_labels(names, rows) : groups_of_values(names.size(), rows);
}

void group_by_targets(ImageListing& list) {
  std::vector<float> rows;
  for (const auto* images : {&list.train, &list.test})
    for (const auto& image : *images) rows.insert(rows.end(), image.targets.begin(), image.targets.end());
  TargetGroups g = groups_of(list.target_kind, list.target_names, rows);
  list.classes = std::move(g.names);
  std::size_t next = 0;
  for (auto* images : {&list.train, &list.test})
    for (auto& image : *images) image.label = g.of[next++];
}

void group_by_targets(OpenedData& data, MemoryDataset& train, MemoryDataset* test) {
  std::vector<float> rows(train.targets_);
  if (test) rows.insert(rows.end(), test->targets_.begin(), test->targets_.end());
  TargetGroups g = groups_of(data.target_kind, data.target_names, rows);
  data.classes = std::move(g.names);
  const auto of_train = static_cast<std::ptrdiff_t>(train.targets_.size() / data.target_names.size());
  train.labels_.assign(g.of.begin(), g.of.begin() + of_train);
  if (test) test->labels_.assign(g.of.begin() + of_train, g.of.end());
}

}  // namespace nw
