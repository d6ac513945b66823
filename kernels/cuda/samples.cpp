// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/samples.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels/cuda/chunked_upload.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw::cuda {
namespace {

constexpr std::size_t left_free_bytes = std::size_t{512} << 20;  // for libraries and other processes on the GPU
constexpr double storing_timeout = 4;                            // for each chunk; multiple of the watchdog timeout
constexpr std::size_t label_bytes = sizeof(i64);

std::size_t image_bytes(const SampleSet& s) { return static_cast<std::size_t>(s.height * s.width * s.channels); }
std::int64_t pixel_bytes(const SampleSet& s) { return s.count * static_cast<std::int64_t>(image_bytes(s)); }

bool has_room(const Gpu& gpu, std::int64_t bytes) {
  std::size_t free = 0, total = 0;
  if (!gpu.check(driver_api().driver.memory_info(&free, &total), "looking for memory")) return false;
  return free > left_free_bytes && static_cast<std::size_t>(bytes) <= free - left_free_bytes;
}

/// How far the storing of a data set is, for the watchdog.
struct Progress {
  const std::int64_t count;
  std::atomic<std::int64_t> samples{0};  // read from the host's memory or disk
  std::int32_t chunks = 0;               // received by the device
  std::string place() const { return "sample " + std::to_string(samples.load()) + " of " + std::to_string(count); }
};

Status upload_pixels(ChunkedUpload& upload, const SampleSet& s, std::byte* to, Progress& progress) {
  const std::size_t bytes = image_bytes(s);
  return upload.copy(to, s.count, bytes, [&](std::int64_t first, std::int64_t n, std::byte* at) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(at + static_cast<std::size_t>(i) * bytes, s.pixels(first + i), bytes);
    progress.samples = first + n;
  });
}

Status upload_labels(ChunkedUpload& upload, const SampleSet& s, std::byte* to) {
  return upload.copy(to, s.count, label_bytes, [&](std::int64_t first, std::int64_t n, std::byte* at) {
    for (std::int64_t i = 0; i < n; ++i) {
      const i64 label = s.label(first + i);
      std::memcpy(at + static_cast<std::size_t>(i) * label_bytes, &label, label_bytes);
    }
  });
}

bool is_full(int code) { return code == error_out_of_memory; }

/// Null pointers: the device or its pinned memory has no room.
Result<Gpu::CachedAllocation> store(const SampleSet& s, Gpu& gpu, DriverStream stream, Progress& progress) {
  const std::int64_t labels = s.count * static_cast<std::int64_t>(label_bytes);
  if (!has_room(gpu, pixel_bytes(s) + labels)) return Gpu::CachedAllocation{};
  int code = 0;
  Gpu::CachedAllocation made;
  made.pixels = gpu.take(pixel_bytes(s), stream, code);
  if (code == 0) made.labels = gpu.take(labels, stream, code);
  if (is_full(code)) return Gpu::CachedAllocation{};
  NW_TRY(gpu.check(code, "storing the data set"));
  const auto most = std::max(static_cast<std::size_t>(pixel_bytes(s)), static_cast<std::size_t>(labels));
  ChunkedUpload upload(gpu, stream, {most, std::max(image_bytes(s), label_bytes)}, progress.chunks);
  if (is_full(upload.code())) return Gpu::CachedAllocation{};
  NW_TRY(upload_pixels(upload, s, made.pixels.get(), progress));
  NW_TRY(upload_labels(upload, s, made.labels.get()));
  NW_TRY(upload.wait());
  gpu.remember(s.identity, made);
  return made;
}

}  // namespace

Result<std::shared_ptr<CudaSamples>> CudaSamples::keep(const SampleSet& s, Gpu& gpu, DriverStream stream) {
  Progress progress{s.count};
  const Watched guard({.device = gpu.name(),
                       .doing = "storing the data set",
                       .place = [&] { return progress.place(); },
                       .mark = &progress.chunks,
                       .patience = storing_timeout});
  NW_TRY(gpu.use());
  auto known = gpu.kept(s.identity);
  if (!known.pixels) { NW_ASSIGN(known, store(s, gpu, stream, progress)); }
  if (!known.pixels) return std::shared_ptr<CudaSamples>();
  auto kept = std::make_shared<CudaSamples>();
  NW_TRY(kept->upload_table(s, gpu, stream));
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

Status CudaSamples::upload_table(const SampleSet& s, Gpu& gpu, DriverStream stream) {
  int code = 0;
  const std::vector<float> table = pixel_table(s.scales);
  const std::size_t bytes = table.size() * sizeof(float);
  table_ = gpu.take(static_cast<std::int64_t>(bytes), stream, code);
  const DriverTable& d = driver_api().driver;
  const auto to = reinterpret_cast<DevicePointer>(table_.get());
  if (code == 0) code = d.copy_in(to, table.data(), bytes, stream);
  if (code == 0) code = d.stream_wait(stream);
  return gpu.check(code, "storing the data set");
}

}  // namespace nw::cuda
