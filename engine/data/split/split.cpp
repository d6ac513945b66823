// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "engine/core/rng.hpp"
#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "engine/data/split/split_rules.hpp"

namespace nw {
namespace {

void shuffle(std::vector<std::int64_t>& list, RandomKey key) {
  RandomStream random(key);
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random.below(static_cast<std::uint32_t>(i))]);
}

/// Removes `fraction` of `from`, stratified if requested, and returns it; both parts stay in index order.
std::vector<std::int64_t> take(std::vector<std::int64_t>& from, const Dataset& data, double fraction, bool stratified,
                               std::uint64_t seed, std::uint32_t what) {
  std::map<std::int64_t, std::vector<std::int64_t>> groups;
  for (const std::int64_t i : from) groups[stratified ? data.label(i) : 0].push_back(i);
  std::vector<std::int64_t> taken, left;
  for (auto& [label, list] : groups) {
    shuffle(list, {.seed = seed,
                   .op = static_cast<std::uint32_t>(RandomOp::split),
                   .epoch = what,
                   .sample = static_cast<std::uint64_t>(label)});
    const auto count = static_cast<std::ptrdiff_t>(std::llround(fraction * static_cast<double>(list.size())));
    taken.insert(taken.end(), list.begin(), list.begin() + count);
    left.insert(left.end(), list.begin() + count, list.end());
  }
  std::sort(taken.begin(), taken.end());
  std::sort(left.begin(), left.end());
  from = std::move(left);
  return taken;
}

std::vector<std::int64_t> take_by(const DataChoice& c, std::vector<std::int64_t>& from, const Dataset& data,
                                  double fraction, std::uint32_t what) {
  if (c.group_by.empty()) return take(from, data, fraction, c.stratified, c.split_seed, what);
  return take_groups(from, data, c.group_by, fraction, c.stratified, c.split_seed, what);
}

/// The splits before samples are excluded.
Result<Splits> drawn_or_listed(const OpenedData& data, const DataChoice& c) {
  Splits s;
  if (!c.split_file.empty()) {
    const fs::path file = located(c.split_file);
    NW_ASSIGN(const std::string table, read_file(file, csv_limit_bytes));
    NW_ASSIGN(s, split_by_table(table, file.string(), *data.train, data.test == nullptr));
  } else {
    const bool own_validation = data.validation_from >= 0;
    s.train.resize(static_cast<std::size_t>(own_validation ? data.validation_from : data.train->size()));
    std::iota(s.train.begin(), s.train.end(), 0);
    if (!data.test) s.test = take_by(c, s.train, *data.train, c.test_fraction, 1);
    if (!own_validation)
      s.validation = take_by(c, s.train, *data.train, c.validation_fraction, 0);
    else
      for (std::int64_t i = data.validation_from; i < data.train->size(); ++i) s.validation.push_back(i);
  }
  s.test_from_train = data.test == nullptr;
  if (data.test) {
    s.test.resize(static_cast<std::size_t>(data.test->size()));
    std::iota(s.test.begin(), s.test.end(), 0);
  }
  return s;
}

/// Removes `excluded` from `part`; both are in ascending order.
void leave_out(std::vector<std::int64_t>& part, const std::vector<std::int64_t>& excluded) {
  if (!excluded.empty())
    std::erase_if(part, [&](std::int64_t i) { return std::binary_search(excluded.begin(), excluded.end(), i); });
}

}  // namespace

Result<Splits> split_data(const OpenedData& data, const DataChoice& c) {
  for (const double f : {c.validation_fraction, c.test_fraction})
    if (!(f >= 0 && f < 1))
      return fail(Errc::bad_input, NW_TR("A split of {0} is not possible; it is a share from 0 to below 1"), f);
  NW_ASSIGN(Splits s, drawn_or_listed(data, c));
  const std::vector<std::int64_t> excluded = excluded_of(*data.train, false, c);
  leave_out(s.train, excluded);
  leave_out(s.validation, excluded);
  leave_out(s.test, data.test ? excluded_of(*data.test, true, c) : excluded);
  if (s.train.empty())
    return fail(Errc::bad_input, NW_TR("The split leaves no training images; lower the validation or test fraction"));
  return s;
}

std::uint64_t split_hash(const Splits& s) {
  std::string bytes;
  for (const auto* part : {&s.train, &s.validation, &s.test}) {
    bytes += std::to_string(part->size()) + ":";
    bytes.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(std::int64_t));
  }
  return xxh3(bytes);
}

namespace {

/// Of the samples `indices`: how many there are of each class, or with each target above 0.5.
std::vector<std::int64_t> count_classes(const Dataset& set, const std::vector<std::int64_t>& indices,
                                        std::size_t outputs) {
  std::vector<std::int64_t> counts(outputs);
  for (const std::int64_t i : indices) {
    const std::span<const float> targets = set.targets(i);
    for (std::size_t k = 0; k < std::min(outputs, targets.size()); ++k) counts[k] += targets[k] > 0.5F;
    const std::int64_t label = targets.empty() ? set.label(i) : -1;
    if (label >= 0 && label < std::ssize(counts)) ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

}  // namespace

DataFacts facts_of(const OpenedData& data, const Splits& s, const DataChoice&) {
  return {.channels = data.train->channels(),
          .height = data.train->height(),
          .width = data.train->width(),
          .classes = static_cast<std::int64_t>(output_names(data).size()),
          .targets = data.target_kind,
          .train = static_cast<std::int64_t>(s.train.size()),
          .validation = static_cast<std::int64_t>(s.validation.size()),
          .test = static_cast<std::int64_t>(s.test.size()),
          .class_counts = count_classes(*data.train, s.train, output_names(data).size())};
}

}  // namespace nw
