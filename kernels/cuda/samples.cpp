// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/samples.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/fill_inputs.hpp"

namespace nw::cuda {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{16} << 20;
constexpr std::size_t left_free_bytes = std::size_t{512} << 20;  // for libraries and other processes on the GPU

std::int64_t pixel_bytes(const SampleSet& s) { return s.count * s.height * s.width * s.channels; }

bool has_room(const Gpu& gpu, std::int64_t bytes) {
  std::size_t free = 0, total = 0;
  if (!gpu.check(driver_api().driver.memory_info(&free, &total), "looking for memory")) return false;
  return free > left_free_bytes && static_cast<std::size_t>(bytes) <= free - left_free_bytes;
}

/// Copies the bytes that `fill(first, count, to)` writes, some samples at a time.
template <class Fill>
Status upload(Gpu& gpu, std::byte* to, std::int64_t count, std::size_t each_bytes, DriverStream stream, Fill fill) {
  const auto at_once =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(chunk_bytes / std::max<std::size_t>(1, each_bytes)));
  std::vector<std::byte> chunk;
  const std::string doing = "keeping the data set";
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t n = std::min(at_once, count - first);
    chunk.resize(static_cast<std::size_t>(n) * each_bytes);
    fill(first, n, chunk.data());
    const auto address = reinterpret_cast<DevicePointer>(to) + static_cast<std::size_t>(first) * each_bytes;
    NW_TRY(gpu.check(driver_api().driver.copy_in(address, chunk.data(), chunk.size(), stream), doing));
    NW_TRY(gpu.check(driver_api().driver.stream_wait(stream), doing));
  }
  return {};
}

Status upload_pixels(Gpu& gpu, const SampleSet& s, std::byte* to, DriverStream stream) {
  const auto bytes = static_cast<std::size_t>(s.height * s.width * s.channels);
  return upload(gpu, to, s.count, bytes, stream, [&](std::int64_t first, std::int64_t n, std::byte* at) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(at + static_cast<std::size_t>(i) * bytes, s.pixels(first + i), bytes);
  });
}

Status upload_labels(Gpu& gpu, const SampleSet& s, std::byte* to, DriverStream stream) {
  return upload(gpu, to, s.count, 8, stream, [&](std::int64_t first, std::int64_t n, std::byte* at) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t label = s.label(first + i);
      std::memcpy(at + 8 * i, &label, 8);
    }
  });
}

}  // namespace

Result<std::shared_ptr<CudaSamples>> CudaSamples::keep(const SampleSet& s, Gpu& gpu, DriverStream stream) {
  auto kept = std::make_shared<CudaSamples>();
  auto known = gpu.kept(s.identity);
  if (!known.pixels) {
    if (!has_room(gpu, pixel_bytes(s) + 8 * s.count)) return std::shared_ptr<CudaSamples>();
    int code = 0;
    known.pixels = gpu.take(pixel_bytes(s), stream, code);
    if (code == 0) known.labels = gpu.take(8 * s.count, stream, code);
    if (code == error_out_of_memory) return std::shared_ptr<CudaSamples>();
    NW_TRY(gpu.check(code, "keeping the data set"));
    NW_TRY(upload_pixels(gpu, s, known.pixels.get(), stream));
    NW_TRY(upload_labels(gpu, s, known.labels.get(), stream));
    gpu.remember(s.identity, known);
  }
  int code = 0;
  const std::vector<float> table = pixel_table(s.scales);
  const std::size_t bytes = table.size() * sizeof(float);
  kept->table_ = gpu.take(static_cast<std::int64_t>(bytes), stream, code);
  NW_TRY(gpu.check(code, "keeping the data set"));
  NW_TRY(upload(gpu, kept->table_.get(), 1, bytes, stream,
                [&](std::int64_t, std::int64_t, std::byte* at) { std::memcpy(at, table.data(), bytes); }));
  kept->pixels_ = known.pixels;
  kept->labels_ = known.labels;
  kept->source_ = {reinterpret_cast<const std::uint8_t*>(known.pixels.get()),
                   reinterpret_cast<const i64*>(known.labels.get()),
                   reinterpret_cast<const float*>(kept->table_.get()),
                   s.height,
                   s.width,
                   s.channels,
                   s.crop_padding,
                   s.mirror ? 1 : 0,
                   s.crop_op,
                   s.flip_op};
  return kept;
}

}  // namespace nw::cuda
