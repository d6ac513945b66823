// SPDX-License-Identifier: Apache-2.0
// Copies large host data to the device through two pinned chunks: one is filled while the other is copied.
#pragma once
#include <array>

#include "kernels/cuda/gpu.hpp"
#include "kernels/cuda/watchdog.hpp"

namespace nw::cuda {

/// The watchdog must be watching (see Watched): it is paused while a chunk is filled, since pages that come from a
/// slow disk are not a fault of the device.
class ChunkedUpload {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{16} << 20;

  /// The largest data to copy, and its largest sample.
  struct Most {
    std::size_t bytes, each_bytes;
  };
  /// `gpu` and `received` outlive the object; the GPU is current on this thread. `received` grows with every chunk that
  /// the device has received: a mark for the watchdog.
  ChunkedUpload(Gpu& gpu, DriverStream stream, Most most, std::int32_t& received);
  ~ChunkedUpload();
  ChunkedUpload(const ChunkedUpload&) = delete;
  ChunkedUpload& operator=(const ChunkedUpload&) = delete;
  /// 0, or the code of the driver call that failed: without pinned memory nothing can be copied.
  int code() const { return code_; }
  /// Writes samples [first, first + count) to pinned memory.
  using Fill = std::function<void(std::int64_t first, std::int64_t count, std::byte* to)>;
  /// Enqueues the copies of `count` samples of `each_bytes`. They have ended after wait().
  Status copy(std::byte* to, std::int64_t count, std::size_t each_bytes, const Fill&);
  /// Waits for all copies.
  Status wait();

 private:
  Status check(int code) const { return gpu_.check(code, "storing the data set"); }
  Status await(std::size_t half);
  Status enqueue(DevicePointer to, std::size_t bytes);

  struct Half {
    std::shared_ptr<std::byte> memory;
    DriverEvent copied = nullptr;
    bool busy = false;
  };
  Gpu& gpu_;
  const DriverStream stream_;
  std::array<Half, 2> halves_;
  std::size_t next_ = 0;  // the half to be filled
  const std::size_t bytes_;
  std::int32_t& received_;
  int code_ = 0;
};

}  // namespace nw::cuda
