// SPDX-License-Identifier: Apache-2.0
#include "engine/data/split/split_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "engine/core/rng.hpp"
#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/split/split.hpp"

namespace nw {
namespace {

enum class Part : std::uint8_t { train, validation, test, none };

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::optional<Part> part_of(std::string_view cell) {
  const std::string word = lower(cell);
  if (word == "train" || word == "training") return Part::train;
  if (word == "validation" || word == "val" || word == "valid") return Part::validation;
  if (word == "test") return Part::test;
  if (word == "none" || word.empty()) return Part::none;
  return std::nullopt;
}

std::size_t column_of(const std::vector<std::string_view>& heading, std::initializer_list<const char*> names) {
  for (std::size_t i = 0; i < heading.size(); ++i)
    for (const char* name : names)
      if (lower(heading[i]) == name) return i;
  return heading.size();
}

/// The table's entry for an origin: for the whole path, else for its longest suffix after a "/".
const Part* found(const std::unordered_map<std::string_view, Part>& table, std::string_view origin) {
  for (std::string_view rest = origin;;) {
    if (const auto it = table.find(rest); it != table.end()) return &it->second;
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return nullptr;
    rest.remove_prefix(slash + 1);
  }
}

struct Group {
  std::vector<std::int64_t> samples;
  std::map<std::int64_t, std::int64_t> labels;
  std::int64_t label() const {
    return std::max_element(labels.begin(), labels.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

}  // namespace

std::string group_of(const std::string& origin, const std::string& by) {
  const std::size_t slash = origin.rfind('/');
  if (by == "folder") return slash == std::string::npos ? std::string() : origin.substr(0, slash);
  const std::string name = slash == std::string::npos ? origin : origin.substr(slash + 1);
  return name.substr(0, name.find_first_of("_-"));
}

std::vector<std::int64_t> take_groups(std::vector<std::int64_t>& from, const Dataset& data, const std::string& by,
                                      double fraction, bool stratified, std::uint64_t seed, std::uint32_t what) {
  std::map<std::string, Group> groups;
  for (const std::int64_t i : from) {
    Group& g = groups[group_of(data.origin(i), by)];
    g.samples.push_back(i);
    ++g.labels[data.label(i)];
  }
  std::map<std::int64_t, std::vector<const Group*>> strata;
  for (const auto& [name, g] : groups) strata[stratified ? g.label() : 0].push_back(&g);
  std::vector<std::int64_t> taken, left;
  for (auto& [label, list] : strata) {
    RandomStream random({.seed = seed,
                         .op = static_cast<std::uint32_t>(RandomOp::split),
                         .epoch = what,
                         .sample = static_cast<std::uint64_t>(label)});
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[random.below(static_cast<std::uint32_t>(i))]);
    std::size_t all = 0, got = 0;
    for (const Group* g : list) all += g->samples.size();
    const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(all)));
    for (const Group* g : list) {  // a group is taken if that brings the count closer to the wanted one
      const bool nearer = got < wanted && 2 * (wanted - got) >= g->samples.size();
      auto& to = nearer ? taken : left;
      to.insert(to.end(), g->samples.begin(), g->samples.end());
      if (nearer) got += g->samples.size();
    }
  }
  std::sort(taken.begin(), taken.end());
  std::sort(left.begin(), left.end());
  from = std::move(left);
  return taken;
}

Result<Splits> split_by_table(std::string_view table, const std::string& name, const Dataset& train, bool may_test) {
  CsvLines lines(table, name);
  std::vector<std::string_view> cells;
  NW_ASSIGN(const bool any, lines.next(cells));
  const std::size_t path = any ? column_of(cells, {"path", "file", "filename", "image", "name"}) : cells.size(),
                    split = any ? column_of(cells, {"split", "part", "set", "subset"}) : cells.size();
  if (!any || path == cells.size() || split == cells.size())
    return fail(Errc::bad_input, NW_TR("{0}: it needs a heading with the columns path and split"), name);
  std::unordered_map<std::string, Part> owned;
  for (;;) {
    NW_ASSIGN(const bool more, lines.next(cells));
    if (!more) break;
    if (std::max(path, split) >= cells.size())
      return lines.wrong(NW_TR("{0}, line {1}: it has {2} cells"), cells.size());
    const auto part = part_of(cells[split]);
    if (!part)
      return lines.wrong(NW_TR("{0}, line {1}: \"{2}\" is none of train, validation, test and none"),
                         std::string(cells[split].substr(0, 80)));
    if (*part == Part::test && !may_test)
      return lines.wrong(
          NW_TR("{0}, line {1}: the data set has a test set; only train, validation and none can be chosen"));
    if (const auto [it, added] = owned.emplace(cells[path], *part); !added && it->second != *part)
      return lines.wrong(NW_TR("{0}, line {1}: \"{2}\" was already assigned to another split"),
                         std::string(cells[path].substr(0, 200)));
  }
  std::unordered_map<std::string_view, Part> parts;
  for (const auto& [file, part] : owned) parts.emplace(file, part);
  Splits s;
  for (std::int64_t i = 0; i < train.size(); ++i) {
    const Part* part = found(parts, train.origin(i));
    if (!part) return fail(Errc::bad_input, NW_TR("{0} does not assign {1} to a split"), name, train.origin(i));
    if (*part == Part::train) s.train.push_back(i);
    if (*part == Part::validation) s.validation.push_back(i);
    if (*part == Part::test) s.test.push_back(i);
  }
  return s;
}

}  // namespace nw
