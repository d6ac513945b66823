// SPDX-License-Identifier: Apache-2.0
#include "engine/data/checks/similarity.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <span>
#include <tuple>

#include "engine/parallel/first_exception.hpp"
#include "engine/parallel/start_threads.hpp"
#include "engine/parallel/team.hpp"

namespace nw {
namespace {

constexpr int frequencies = 8, most_different_bits = 16;
constexpr std::int64_t most_moved = 2;
constexpr float least_structure = comparison_side;  // below it, little more than compression noise remains
constexpr double second_look_from = 0.3;            // below it, no enlargement makes two images similar
constexpr std::size_t block = 1024;  // codes compared with all earlier ones between two checks for cancellation

/// cos((2 x + 1) f pi / 64) for the frequencies of the hash.
const std::array<std::array<float, comparison_side>, frequencies>& cosines() {
  static const auto table = [] {
    std::array<std::array<float, comparison_side>, frequencies> t{};
    for (std::size_t f = 0; f < frequencies; ++f)
      for (std::size_t x = 0; x < comparison_side; ++x)
        t[f][x] = static_cast<float>(std::cos((2.0 * static_cast<double>(x) + 1) * static_cast<double>(f) *
                                              std::numbers::pi / (2.0 * comparison_side)));
    return t;
  }();
  return table;
}

/// The image minus the mean of each pixel's neighbourhood: edges and texture, which different scenes rarely share.
Look fine_structure(const Look& l) {
  Look fine{};
  for (std::int64_t y = 1; y + 1 < comparison_side; ++y)
    for (std::int64_t x = 1; x + 1 < comparison_side; ++x) {
      float sum = 0;
      for (std::int64_t v = y - 1; v <= y + 1; ++v)
        for (std::int64_t u = x - 1; u <= x + 1; ++u) sum += l[static_cast<std::size_t>(v * comparison_side + u)];
      const auto at = static_cast<std::size_t>(y * comparison_side + x);
      fine[at] = l[at] - sum / 9;
    }
  return fine;
}

/// A fine structure with a border, so that it can be shifted without bounds checks.
constexpr std::int64_t padded_side = comparison_side + 2 * most_moved;
using Padded = std::array<float, padded_side * padded_side>;
Padded padded(const Look& l) {
  Padded p{};
  for (std::int64_t y = 0; y < comparison_side; ++y)
    std::copy_n(&l[static_cast<std::size_t>(y * comparison_side)], comparison_side,
                &p[static_cast<std::size_t>((y + most_moved) * padded_side + most_moved)]);
  return p;
}

float energy(const Look& l) {
  float sum = 0;
  for (const float v : l) sum += v * v;
  return sum;
}

/// The sum of products after shifting `b`; by columns, so that the compiler can vectorize it.
float product(const Look& a, const Padded& b, std::int64_t dy, std::int64_t dx) {
  std::array<float, comparison_side> columns{};
  for (std::int64_t y = 0; y < comparison_side; ++y) {
    const float* p = a.data() + y * comparison_side;
    const float* q = b.data() + (y + most_moved + dy) * padded_side + most_moved + dx;
    for (std::size_t x = 0; x < comparison_side; ++x) columns[x] += p[x] * q[x];
  }
  float sum = 0;
  for (const float c : columns) sum += c;
  return sum;
}

/// The similarity of two fine structures: their largest correlation over small shifts.
double agreement(const Look& a, const Look& b) {
  const float aa = energy(a), bb = energy(b);
  if (std::min(aa, bb) < least_structure) return 0;
  const Padded moved = padded(b);
  float best = 0;
  for (std::int64_t dy = -most_moved; dy <= most_moved; ++dy)
    for (std::int64_t dx = -most_moved; dx <= most_moved; ++dx) best = std::max(best, product(a, moved, dy, dx));
  return best / std::sqrt(static_cast<double>(aa) * bb);
}

/// The image without a border of `cut` / 2 pixels, enlarged to the original size.
Look enlarged(const Look& l, std::int64_t cut) {
  Look out{};
  const float scale = static_cast<float>(comparison_side - cut) / comparison_side,
              from = (static_cast<float>(cut) + scale - 1) / 2;
  for (std::int64_t y = 0; y < comparison_side; ++y)
    for (std::int64_t x = 0; x < comparison_side; ++x) {
      const float v = from + scale * static_cast<float>(y), u = from + scale * static_cast<float>(x);
      const auto top = std::clamp<std::int64_t>(static_cast<std::int64_t>(v), 0, comparison_side - 2),
                 left = std::clamp<std::int64_t>(static_cast<std::int64_t>(u), 0, comparison_side - 2);
      const float dy = v - static_cast<float>(top), dx = u - static_cast<float>(left);
      const float* p = &l[static_cast<std::size_t>(top * comparison_side + left)];
      out[static_cast<std::size_t>(y * comparison_side + x)] =
          (1 - dy) * ((1 - dx) * p[0] + dx * p[1]) + dy * ((1 - dx) * p[comparison_side] + dx * p[comparison_side + 1]);
    }
  return out;
}

/// The indices before `i` whose codes differ from that of `i` in few bits, in `out`; how many. Nothing may be thrown
/// here: GCC 12 takes a function of several instruction sets for one that throws nothing.
#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
std::size_t
close_before(const std::uint64_t* codes, std::size_t i, std::size_t* out) {
  std::size_t found = 0;
  for (std::size_t j = 0; j < i; ++j)
    if (__builtin_popcountll(codes[i] ^ codes[j]) <= most_different_bits) out[found++] = j;
  return found;
}

}  // namespace

Look comparison_image(std::span<const std::uint8_t> hwc, std::int64_t height, std::int64_t width,
                      std::int64_t channels) {
  Look look{};
  const auto range = [](std::int64_t i, std::int64_t n) {
    const std::int64_t from = i * n / comparison_side;
    return std::pair{from, std::max(from + 1, (i + 1) * n / comparison_side)};
  };
  for (std::int64_t y = 0; y < comparison_side; ++y)
    for (std::int64_t x = 0; x < comparison_side; ++x) {
      const auto [top, bottom] = range(y, height);
      const auto [left, right] = range(x, width);
      float sum = 0;
      for (std::int64_t v = top; v < bottom; ++v)
        for (std::int64_t u = left * channels; u < right * channels; ++u)
          sum += hwc[static_cast<std::size_t>(v * width * channels + u)];
      look[static_cast<std::size_t>(y * comparison_side + x)] =
          sum / static_cast<float>((bottom - top) * (right - left) * channels);
    }
  return look;
}

std::uint64_t perceptual_hash(const Look& look) {
  const auto& cosine = cosines();
  std::array<std::array<float, frequencies>, comparison_side> rows{};
  for (std::size_t y = 0; y < comparison_side; ++y)
    for (std::size_t f = 0; f < frequencies; ++f)
      for (std::size_t x = 0; x < comparison_side; ++x) rows[y][f] += look[y * comparison_side + x] * cosine[f][x];
  std::uint64_t code = 0;
  for (std::size_t g = 0; g < frequencies; ++g)
    for (std::size_t f = 0; f < frequencies; ++f) {
      if (f + g == 0) continue;
      float sum = 0;
      for (std::size_t y = 0; y < comparison_side; ++y) sum += rows[y][f] * cosine[g][y];
      code |= static_cast<std::uint64_t>(sum > 0) << (g * frequencies + f);
    }
  return code;
}

double likeness(const Look& a, const Look& b) {
  const Look fine_a = fine_structure(a), fine_b = fine_structure(b);
  double best = agreement(fine_a, fine_b);
  if (best >= similarity_threshold || best < second_look_from) return best;
  for (const std::int64_t cut : {1, 2}) {  // one image may be a crop of the other, enlarged to the same size
    best = std::max(best, agreement(fine_structure(enlarged(a, cut)), fine_b));
    best = std::max(best, agreement(fine_a, fine_structure(enlarged(b, cut))));
  }
  return best;
}

Result<std::vector<NearDuplicatePair>> find_near_duplicate_pairs(const std::vector<std::uint64_t>& codes,
                                                                 const std::function<Look(std::int64_t)>& look,
                                                                 const std::function<bool(double)>& progress) {
  std::vector<NearDuplicatePair> found;
  std::mutex mutex;
  const std::size_t blocks = (codes.size() + block - 1) / block;
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> cancelled{false};
  FirstException thrown;
  const auto work = [&](bool tells) {
    std::vector<std::size_t> close(codes.size());
    // The last blocks take longest, so they are processed first.
    for (std::size_t taken = next++; taken < blocks && !cancelled; taken = next++) {
      const std::size_t from = (blocks - 1 - taken) * block;
      for (std::size_t i = from; i < std::min(from + block, codes.size()); ++i) {
        const std::size_t count = close_before(codes.data(), i, close.data());
        if (count == 0) continue;
        const Look mine = look(static_cast<std::int64_t>(i));
        for (const std::size_t j : std::span(close).first(count)) {
          const double alike = likeness(look(static_cast<std::int64_t>(j)), mine);
          if (alike < similarity_threshold) continue;
          const std::lock_guard lock(mutex);
          found.push_back({static_cast<std::int64_t>(j), static_cast<std::int64_t>(i), alike});
        }
      }
      const double left = 1 - static_cast<double>(++done) / static_cast<double>(blocks);
      if (tells && progress && !progress(1 - left * left)) cancelled = true;
    }
    if (tells && progress && !cancelled && !progress(1))
      cancelled = true;  // other threads may have processed all blocks
  };
  {
    const auto others = start_some_threads(default_threads(0) - 1, [&] { thrown.keep([&] { work(false); }); });
    work(true);
  }
  thrown.rethrow();
  if (cancelled) return fail(Errc::stopped, NW_TR("cancelled"));
  std::sort(found.begin(), found.end(), [](const NearDuplicatePair& x, const NearDuplicatePair& y) {
    return std::tuple(-x.likeness, x.a, x.b) < std::tuple(-y.likeness, y.a, y.b);
  });
  return found;
}

}  // namespace nw
