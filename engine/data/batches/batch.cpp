// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "engine/core/rng.hpp"
#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw {
namespace {

std::uint32_t draw(std::uint64_t seed, RandomOp op, std::int64_t epoch, std::int64_t sample, std::uint32_t below) {
  RandomStream random({.seed = seed,
                       .op = static_cast<std::uint32_t>(op),
                       .epoch = static_cast<std::uint32_t>(epoch),
                       .sample = static_cast<std::uint64_t>(sample)});
  return random.below(below);
}

struct Geometry {
  std::int64_t height, width, channels;
};

/// Shifts by (dy, dx), fills with zeros, and mirrors, in one pass over the output.
void move_pixels(const std::uint8_t* from, std::uint8_t* to, Geometry g, std::int64_t dy, std::int64_t dx,
                 bool mirror) {
  for (std::int64_t y = 0; y < g.height; ++y)
    for (std::int64_t x = 0; x < g.width; ++x) {
      const std::int64_t sx = (mirror ? g.width - 1 - x : x) + dx, sy = y + dy;
      std::uint8_t* out = to + (y * g.width + x) * g.channels;
      const bool inside = sx >= 0 && sx < g.width && sy >= 0 && sy < g.height;
      for (std::int64_t c = 0; c < g.channels; ++c)
        out[c] = inside ? from[(sy * g.width + sx) * g.channels + c] : std::uint8_t{0};
    }
}

}  // namespace

BatchBuilder::BatchBuilder(std::shared_ptr<const Dataset> data, std::vector<std::int64_t> indices,
                           const Normalization& norm, Augmentation augmentation, std::uint64_t seed)
    : data_(std::move(data)),
      indices_(std::move(indices)),
      scales_(pixel_scales(norm, data_->channels())),
      table_(pixel_table(scales_)),
      augmentation_(std::move(augmentation)),
      seed_(seed) {}

BatchBuilder BatchBuilder::normalized_by(const Normalization& norm) const {
  return {data_, indices_, norm, augmentation_, seed_};
}

std::int64_t BatchBuilder::size() const { return static_cast<std::int64_t>(indices_.size()); }

void BatchBuilder::order(std::int64_t epoch, bool shuffle, std::vector<std::int64_t>& out) const {
  out = indices_;
  if (!shuffle) return;
  RandomStream random(
      {.seed = seed_, .op = static_cast<std::uint32_t>(RandomOp::shuffle), .epoch = static_cast<std::uint32_t>(epoch)});
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(static_cast<std::uint32_t>(i))]);
}

std::int64_t BatchBuilder::label(std::int64_t sample) const { return data_->label(sample); }

std::vector<Moments> BatchBuilder::target_moments() const {
  std::vector<Moments> all(indices_.empty() ? 0 : data_->targets(indices_.front()).size());
  for (const std::int64_t i : indices_)
    for (std::size_t k = 0; k < all.size(); ++k) all[k].add(static_cast<double>(data_->targets(i)[k]));
  return all;
}

bool BatchBuilder::is_drawn(std::int64_t epoch, std::int64_t of) const {
  if (augmentation_.strength >= 1) return true;
  RandomStream random({.seed = seed_,
                       .op = static_cast<std::uint32_t>(RandomOp::augment),
                       .epoch = static_cast<std::uint32_t>(epoch),
                       .sample = static_cast<std::uint64_t>(of)});
  return static_cast<double>(random.uniform()) < augmentation_.strength;
}

// A batch is drawn by a number that no sample has.
Mix BatchBuilder::mix(std::int64_t epoch, std::int64_t index) const {
  if (!is_drawn(epoch, -1 - index)) return {};
  return mix_of_batch(augmentation_.transforms, seed_, epoch, index, data_->height(), data_->width());
}
Mix BatchBuilder::mix_of_preview(std::int64_t k) const {
  return nw::mix_of_preview(augmentation_.transforms, seed_, k, data_->height(), data_->width());
}
void BatchBuilder::mix_images(const Mix& m, std::span<float> own, std::span<const float> other) const {
  nw::mix_images(m, own, other, data_->width(), data_->channels());
}

std::optional<SampleSet> BatchBuilder::samples() const {
  if (data_->size() == 0 || !data_->in_memory(0) || !augmentation_.transforms.empty() || !data_->targets(0).empty())
    return std::nullopt;
  SampleSet s{.identity = data_.get(),
              .count = data_->size(),
              .height = data_->height(),
              .width = data_->width(),
              .channels = data_->channels(),
              .pixels = [data = data_](std::int64_t i) { return data->in_memory(i); },
              .label = [data = data_](std::int64_t i) { return data->label(i); },
              .scales = scales_,
              .crop_padding = augmentation_.random_crop ? augmentation_.crop_padding : 0,
              .mirror = augmentation_.horizontal_flip,
              .crop_op = static_cast<std::uint32_t>(RandomOp::crop),
              .flip_op = static_cast<std::uint32_t>(RandomOp::flip)};
  return s;
}

namespace {

/// Reads pixels in place from memory or into a copy.
class PixelReader {
 public:
  explicit PixelReader(const Dataset& data) : data_(data) {}
  Status read(std::int64_t sample, const std::uint8_t*& from) {
    from = data_.in_memory(sample);
    if (from) return {};
    copy_.resize(static_cast<std::size_t>(data_.bytes()));
    NW_TRY(data_.pixels(sample, copy_));
    from = copy_.data();
    return {};
  }
  /// Prefetches the next sample, because samples are in random order in memory.
  void expect(std::int64_t sample) const {
    const std::uint8_t* from = data_.in_memory(sample);
    for (std::int64_t at = 0; from && at < std::min<std::int64_t>(data_.bytes(), 4096); at += 64)
      __builtin_prefetch(from + at);
  }

 private:
  const Dataset& data_;
  std::vector<std::uint8_t> copy_;
};

void normalize(const std::uint8_t* from, std::span<const float> table, std::size_t bytes, float* to) {
  const std::size_t channels = table.size() / 256;
  if (channels == 1)
    for (std::size_t i = 0; i < bytes; ++i) to[i] = table[from[i]];
  else
    for (std::size_t i = 0; i < bytes; i += channels)
      for (std::size_t c = 0; c < channels; ++c) to[i + c] = table[c * 256 + from[i + c]];
}

}  // namespace

const std::uint8_t* BatchBuilder::bytes_in_memory(std::int64_t sample, bool augment) const {
  return augment && augments() ? nullptr : data_->in_memory(sample);
}

void BatchBuilder::move(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch, std::uint8_t* to) const {
  const std::int64_t pad = augmentation_.random_crop ? augmentation_.crop_padding : 0;
  const std::uint32_t places = static_cast<std::uint32_t>(2 * pad + 1);
  const std::uint32_t crop = pad > 0 ? draw(seed_, RandomOp::crop, epoch, sample, places * places) : 0;
  const bool mirror = augmentation_.horizontal_flip && draw(seed_, RandomOp::flip, epoch, sample, 2) == 1;
  const std::int64_t dy = pad > 0 ? crop / places - pad : 0, dx = pad > 0 ? crop % places - pad : 0;
  move_pixels(from, to, {data_->height(), data_->width(), data_->channels()}, dy, dx, mirror);
}

const std::uint8_t* BatchBuilder::changed(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch,
                                          TransformImage& place) const {
  place.height = data_->height(), place.width = data_->width(), place.channels = data_->channels();
  place.hwc.resize(static_cast<std::size_t>(data_->bytes()));
  if (moves())
    move(from, sample, epoch, place.hwc.data());
  else
    std::copy_n(from, place.hwc.size(), place.hwc.data());
  if (is_drawn(epoch, sample)) apply_transforms(augmentation_.transforms, seed_, epoch, sample, place);
  return place.hwc.data();
}

Result<Image> BatchBuilder::augmented(std::int64_t sample, std::int64_t epoch) const {
  PixelReader reader(*data_);
  const std::uint8_t* from = nullptr;
  NW_TRY(reader.read(sample, from));
  TransformImage image;
  changed(from, sample, epoch, image);
  return Image(std::move(image));
}

Status BatchBuilder::fill(std::span<const std::int64_t> samples, std::int64_t epoch, bool augment,
                          std::span<float> nhwc, InputTimes* times) const {
  const auto bytes = static_cast<std::size_t>(data_->bytes());
  assert(nhwc.size() >= samples.size() * bytes);
  const bool changed_images = augment && augments();
  PixelReader reader(*data_);
  TransformImage place;
  InputLaps laps(times);
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const std::uint8_t* from = nullptr;
    NW_TRY(reader.read(samples[n], from));
    if (n + 1 < samples.size()) reader.expect(samples[n + 1]);
    laps.decoded();
    if (changed_images) {
      from = changed(from, samples[n], epoch, place);
      laps.augmented();
    }
    normalize(from, table_, bytes, nhwc.data() + n * bytes);
    laps.copied();
  }
  return {};
}

}  // namespace nw
