// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "engine/core/rng.hpp"
#include "engine/data/csv_lines.hpp"
#include "engine/data/sources.hpp"
#include "engine/data/split_rules.hpp"

namespace nw {
namespace {

void shuffle(std::vector<std::int64_t>& list, RandomKey key) {
  RandomStream random(key);
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random.below(static_cast<std::uint32_t>(i))]);
}

/// Takes `fraction` of `from` out, of every class alike when asked; both parts stay in index order.
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

/// Who goes where, nobody left out yet.
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

/// Takes `excluded` out of `part`; both are in rising order.
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
  if (s.train.empty()) return fail(Errc::bad_input, NW_TR("The split leaves no training images"));
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

Result<std::uint64_t> data_hash(const OpenedData& data) {
  std::string digest;
  for (const auto& set : {data.train, data.test}) {
    if (!set) continue;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set->bytes()));
    std::string sums;
    for (std::int64_t i = 0; i < set->size(); ++i) {
      NW_TRY(set->pixels(i, pixels));
      const std::uint64_t h = xxh3({reinterpret_cast<const char*>(pixels.data()), pixels.size()}) ^
                              (static_cast<std::uint64_t>(set->label(i)) * 0x9E3779B97F4A7C15u);
      sums.append(reinterpret_cast<const char*>(&h), sizeof h);
      const std::span<const float> targets = set->targets(i);
      sums.append(reinterpret_cast<const char*>(targets.data()), targets.size_bytes());
    }
    digest += hex(xxh3(sums)) + ":" + std::to_string(set->size()) + ":" + std::to_string(set->bytes()) + ";";
  }
  return xxh3(digest);
}

namespace {

/// Sums over images of every pixel and of its square: no channel disturbs another, so many pixels are added at once.
class PixelSums {
 public:
  explicit PixelSums(std::size_t pixels) : few_(pixels), few_squares_(pixels), sum_(pixels), squares_(pixels) {}
  void add(std::span<const std::uint8_t> pixels) {
    std::uint32_t* const sum = few_.data();
    std::uint32_t* const squares = few_squares_.data();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::uint32_t v = pixels[i];
      sum[i] += v;
      squares[i] += v * v;
    }
    if (++images_ == most_images) flush();
  }
  void flush() {
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      sum_[i] += std::exchange(few_[i], 0);
      squares_[i] += std::exchange(few_squares_[i], 0);
    }
    images_ = 0;
  }
  std::uint64_t sum(std::size_t channel, std::size_t channels) const { return of(sum_, channel, channels); }
  std::uint64_t squares(std::size_t channel, std::size_t channels) const { return of(squares_, channel, channels); }

 private:
  static constexpr std::uint32_t most_images = std::numeric_limits<std::uint32_t>::max() / (255 * 255);
  static std::uint64_t of(const std::vector<std::uint64_t>& all, std::size_t channel, std::size_t channels) {
    std::uint64_t total = 0;
    for (std::size_t i = channel; i < all.size(); i += channels) total += all[i];
    return total;
  }
  std::vector<std::uint32_t> few_, few_squares_;
  std::vector<std::uint64_t> sum_, squares_;
  std::uint32_t images_ = 0;
};

}  // namespace

Result<Normalization> measure_normalization(const Dataset& data, std::span<const std::int64_t> indices) {
  const auto channels = static_cast<std::size_t>(data.channels());
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(data.bytes()));
  PixelSums sums(pixels.size());
  for (const std::int64_t i : indices) {
    NW_TRY(data.pixels(i, pixels));
    sums.add(pixels);
  }
  sums.flush();
  Normalization n;
  const double count = static_cast<double>(indices.size()) * static_cast<double>(pixels.size() / channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = count > 0 ? static_cast<double>(sums.sum(c, channels)) / count : 0;
    const double variance = count > 0 ? static_cast<double>(sums.squares(c, channels)) / count - mean * mean : 0;
    n.mean.push_back(static_cast<float>(mean / 255));
    // A constant channel carries nothing; dividing by its deviation would.
    n.deviation.push_back(variance > 1e-6 ? static_cast<float>(std::sqrt(variance) / 255) : 1.0f);
  }
  return n;
}

DataFacts facts_of(const OpenedData& data, const Splits& s, const DataChoice&) {
  return {.channels = data.train->channels(),
          .height = data.train->height(),
          .width = data.train->width(),
          .classes = static_cast<std::int64_t>(output_names(data).size()),
          .targets = data.target_kind,
          .train = static_cast<std::int64_t>(s.train.size()),
          .validation = static_cast<std::int64_t>(s.validation.size()),
          .test = static_cast<std::int64_t>(s.test.size())};
}

}  // namespace nw
