// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/chunked_upload.hpp"

#include <algorithm>

namespace nw::cuda {

ChunkedUpload::ChunkedUpload(Gpu& gpu, DriverStream stream, Most most, std::int32_t& received)
    : gpu_(gpu),
      stream_(stream),
      bytes_(std::max(most.each_bytes, std::min(chunk_bytes, most.bytes))),
      received_(received) {
  for (Half& half : halves_) {
    if (code_ == 0) half.memory = gpu_.take_pinned(static_cast<std::int64_t>(bytes_), code_);
    if (code_ == 0) code_ = driver_api().driver.event_make(&half.copied, event_without_time);
  }
}

// Copies that are still running must end before their memory is released.
ChunkedUpload::~ChunkedUpload() {
  const DriverTable& d = driver_api().driver;
  if (halves_[0].busy || halves_[1].busy) d.stream_wait(stream_);
  for (const Half& half : halves_)
    if (half.copied) d.event_drop(half.copied);
}

Status ChunkedUpload::copy(std::byte* to, std::int64_t count, std::size_t each_bytes, const Fill& fill) {
  NW_TRY(check(code_));
  const auto at_once = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes_ / each_bytes));
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t n = std::min(at_once, count - first);
    NW_TRY(await(next_));
    {
      const WatchdogPause own_time;
      fill(first, n, halves_[next_].memory.get());
    }
    NW_TRY(enqueue(reinterpret_cast<DevicePointer>(to) + static_cast<std::size_t>(first) * each_bytes,
                   static_cast<std::size_t>(n) * each_bytes));
    next_ = 1 - next_;
  }
  return {};
}

Status ChunkedUpload::enqueue(DevicePointer to, std::size_t bytes) {
  const DriverTable& d = driver_api().driver;
  Half& half = halves_[next_];
  NW_TRY(check(d.copy_in(to, half.memory.get(), bytes, stream_)));
  half.busy = true;
  return check(d.event_record(half.copied, stream_));
}

Status ChunkedUpload::await(std::size_t which) {
  Half& half = halves_[which];
  if (!half.busy) return {};
  NW_TRY(check(driver_api().driver.event_wait(half.copied)));
  half.busy = false;
  __atomic_store_n(&received_, received_ + 1, __ATOMIC_RELAXED);
  return {};
}

Status ChunkedUpload::wait() {
  for (const std::size_t half : {next_, 1 - next_}) NW_TRY(await(half));
  return {};
}

}  // namespace nw::cuda
