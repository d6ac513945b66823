// SPDX-License-Identifier: Apache-2.0
#include "engine/data/checks/data_check.hpp"
#include "engine/core/files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/data/checks/similarity.hpp"

namespace nw {
namespace {

constexpr std::int64_t fewest_images = 10;
constexpr double least_share = 0.1, reading_share = 0.3;  // of the mean class size; of the total time

/// Disjoint sets (union-find).
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(root(a), root(b))] = std::min(root(a), root(b)); }

 private:
  std::vector<std::size_t> parent_;
};

/// Properties of the pixels of a set, complete after all samples were read.
struct Channels {
  std::vector<std::uint8_t> low, high;
  bool grey = true;
};

class Gate {
 public:
  Gate(const std::vector<CheckedSplit>& parts, const std::function<bool(double)>& progress)
      : parts_(parts), progress_(progress) {
    for (int p = 0; p < static_cast<int>(parts.size()); ++p)
      for (const std::int64_t i : parts[static_cast<std::size_t>(p)].indices) samples_.push_back({p, i});
  }

  Result<DataCheckReport> look(std::size_t classes) {
    NW_TRY(read());
    find_duplicates();
    NW_TRY(find_near_duplicates());
    find_small_classes(classes);
    find_channels();
    std::stable_sort(report_.defects.begin(), report_.defects.end(), [](const Defect& a, const Defect& b) {
      return std::tuple(a.kind, !a.across, !a.contradicts, -a.likeness) <
             std::tuple(b.kind, !b.across, !b.contradicts, -b.likeness);
    });
    report_.images = static_cast<std::int64_t>(samples_.size());
    return std::move(report_);
  }

 private:
  const Dataset& set_of(const CheckedSample& s) const { return *parts_[static_cast<std::size_t>(s.part)].set; }
  std::span<const float> targets_of(std::size_t i) const { return set_of(samples_[i]).targets(samples_[i].index); }
  std::int64_t label_of(std::size_t i) const { return set_of(samples_[i]).label(samples_[i].index); }

  Status pixels_of(const CheckedSample& s, std::vector<std::uint8_t>& pixels) const {
    pixels.resize(static_cast<std::size_t>(set_of(s).bytes()));
    return set_of(s).pixels(s.index, pixels);
  }

  Status read() {
    channels_.resize(parts_.size());
    std::vector<std::uint8_t> pixels;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const CheckedSample& s = samples_[i];
      NW_TRY(pixels_of(s, pixels));
      const Dataset& set = set_of(s);
      sums_.push_back(xxh3({reinterpret_cast<const char*>(pixels.data()), pixels.size()}));
      const bool blank = std::all_of(pixels.begin(), pixels.end(), [&](std::uint8_t v) { return v == pixels.front(); });
      if (blank) report_.defects.push_back({.kind = DefectKind::blank, .samples = {s}});
      blank_.push_back(blank);
      codes_.push_back(blank ? 0
                             : perceptual_hash(comparison_image(pixels, set.height(), set.width(), set.channels())));
      note_channels(channels_[static_cast<std::size_t>(s.part)], pixels, static_cast<std::size_t>(set.channels()));
      if (i % 1024 == 0 && progress_ &&
          !progress_(reading_share * static_cast<double>(i) / static_cast<double>(samples_.size())))
        return fail(Errc::stopped, NW_TR("cancelled"));
    }
    return {};
  }

  static void note_channels(Channels& c, const std::vector<std::uint8_t>& pixels, std::size_t channels) {
    if (c.low.empty()) {
      c.low.assign(channels, 255);
      c.high.assign(channels, 0);
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::size_t ch = i % channels;
      c.low[ch] = std::min(c.low[ch], pixels[i]);
      c.high[ch] = std::max(c.high[ch], pixels[i]);
      c.grey = c.grey && pixels[i] == pixels[i - ch];
    }
  }

  Defect group(DefectKind kind, const std::vector<std::size_t>& members) const {
    Defect d{.kind = kind};
    for (const std::size_t i : members) {
      d.samples.push_back(samples_[i]);
      d.across = d.across || samples_[i].part != samples_[members.front()].part;
      d.contradicts = d.contradicts || label_of(i) != label_of(members.front()) ||
                      !std::ranges::equal(targets_of(i), targets_of(members.front()));
    }
    return d;
  }

  /// Blank images are reported only as blank. Of equal images only the first is compared with others for similarity.
  void find_duplicates() {
    std::map<std::uint64_t, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < samples_.size(); ++i)
      if (!blank_[i]) same[sums_[i]].push_back(i);
    for (const auto& [sum, members] : same) {
      firsts_.push_back(members.front());
      if (members.size() > 1) report_.defects.push_back(group(DefectKind::duplicate, members));
    }
    std::sort(firsts_.begin(), firsts_.end());
  }

  Status find_near_duplicates() {
    std::vector<std::uint64_t> codes;
    for (const std::size_t i : firsts_) codes.push_back(codes_[i]);
    const auto look = [this](std::int64_t k) {
      const CheckedSample& s = samples_[firsts_[static_cast<std::size_t>(k)]];
      const Dataset& set = set_of(s);
      std::vector<std::uint8_t> pixels;
      return pixels_of(s, pixels) ? comparison_image(pixels, set.height(), set.width(), set.channels()) : Look{};
    };
    NW_ASSIGN(const auto pairs, find_near_duplicate_pairs(codes, look, [this](double done) {
                return !progress_ || progress_(reading_share + (1 - reading_share) * done);
              }));
    Groups groups(firsts_.size());
    for (const NearDuplicatePair& p : pairs) groups.join(static_cast<std::size_t>(p.a), static_cast<std::size_t>(p.b));
    std::map<std::size_t, std::vector<std::size_t>> members;
    std::map<std::size_t, double> least;
    for (const NearDuplicatePair& p : pairs) {
      const std::size_t root = groups.root(static_cast<std::size_t>(p.a));
      least[root] = p.likeness;  // pairs are in descending order
      for (const std::int64_t k : {p.a, p.b}) members[root].push_back(firsts_[static_cast<std::size_t>(k)]);
    }
    for (auto& [root, list] : members) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      report_.defects.push_back(group(DefectKind::near_duplicate, list));
      report_.defects.back().likeness = least[root];
    }
    return {};
  }

  /// Counts the sample's class; in multi-label data each of its labels, or that it has none.
  void count_classes(const CheckedSample& s, std::vector<std::int64_t>& count) const {
    const std::span<const float> labels = set_of(s).targets(s.index);
    for (std::size_t k = 0; k < std::min(labels.size(), count.size()); ++k) count[k] += labels[k] > 0;
    const auto label = static_cast<std::size_t>(set_of(s).label(s.index));
    if (label < count.size() && label >= labels.size()) ++count[label];
  }

  void find_small_classes(std::size_t classes) {
    for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
      // the sizes of the ranges of numeric targets have no meaning
      if (parts_[static_cast<std::size_t>(p)].targets == TargetKind::values) continue;
      std::vector<std::int64_t> count(classes, 0);
      for (const CheckedSample& s : samples_)
        if (s.part == p) count_classes(s, count);
      const double mean = static_cast<double>(std::accumulate(count.begin(), count.end(), std::int64_t{0})) /
                          static_cast<double>(std::max<std::size_t>(1, classes));
      for (std::size_t c = 0; c < classes; ++c)
        if (count[c] < fewest_images || static_cast<double>(count[c]) < least_share * mean)
          report_.defects.push_back(
              {.kind = DefectKind::small_class, .samples = {}, .which = static_cast<std::int64_t>(c), .part = p});
    }
  }

  void find_channels() {
    for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
      const Channels& c = channels_[static_cast<std::size_t>(p)];
      for (std::size_t ch = 0; ch < c.low.size(); ++ch)
        if (c.low[ch] == c.high[ch])
          report_.defects.push_back(
              {.kind = DefectKind::constant_channel, .samples = {}, .which = static_cast<std::int64_t>(ch), .part = p});
      if (c.low.size() == 3 && c.grey)
        report_.defects.push_back({.kind = DefectKind::grey_in_colour, .samples = {}, .part = p});
    }
  }

  const std::vector<CheckedSplit>& parts_;
  const std::function<bool(double)>& progress_;
  std::vector<CheckedSample> samples_;
  std::vector<std::uint64_t> sums_, codes_;
  std::vector<bool> blank_;
  std::vector<std::size_t> firsts_;
  std::vector<Channels> channels_;
  DataCheckReport report_;
};

}  // namespace

std::string_view name_of(DefectKind k) {
  switch (k) {
    case DefectKind::duplicate:
      return "duplicate";
    case DefectKind::near_duplicate:
      return "near-duplicate";
    case DefectKind::blank:
      return "blank";
    case DefectKind::small_class:
      return "small class";
    case DefectKind::constant_channel:
      return "constant channel";
    case DefectKind::grey_in_colour:
      return "grey in colour";
  }
  return "";
}

std::int64_t DataCheckReport::count(DefectKind k) const {
  return std::count_if(defects.begin(), defects.end(), [k](const Defect& d) { return d.kind == k; });
}

Result<DataCheckReport> find_defects(const std::vector<CheckedSplit>& parts, std::size_t classes,
                                     const std::function<bool(double)>& progress) {
  return Gate(parts, progress).look(classes);
}

}  // namespace nw
