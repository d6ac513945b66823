// SPDX-License-Identifier: Apache-2.0
// One GPU through the driver API: its context and kernels, opened once; memory and streams that are freed
// automatically.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

class Gpu {
 public:
  Gpu(int ordinal, int device) : ordinal_(ordinal), device_(device) {}
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  std::string name() const { return "cuda:" + std::to_string(ordinal_); }
  int device() const { return device_; }

  /// Makes the GPU current on this thread; the first call opens it and loads the kernels.
  Status use();
  /// Makes the context that use() has opened current on this thread. Returns the driver's code, which may be that of
  /// work enqueued earlier.
  int enter() const { return driver_api_.driver.context_set(context_); }
  /// The error of a driver call's return value; `doing` as in driver_error.
  Status check(int code, const std::string& doing) const;
  /// The device function of a kernel. Error: the module has no such function.
  Result<DriverFunction> function(const std::string& kernel);
  /// Zeroed device memory, freed with the last copy of the pointer. Null: `code` gives the reason.
  std::shared_ptr<std::byte> take(std::int64_t bytes, DriverStream, int& code);
  /// The memory of a data set stored on this device; null pointers if it is not in use.
  struct CachedAllocation {
    std::shared_ptr<std::byte> pixels, labels;
  };
  CachedAllocation kept(const void* identity);
  void remember(const void* identity, const CachedAllocation&);
  /// Host memory that the device accesses directly.
  std::shared_ptr<std::byte> take_pinned(std::int64_t bytes, int& code);

 private:
  // the table that opened the GPU also releases it, even if another table is in use by then
  const DriverApi& driver_api_ = driver_api();
  int ordinal_, device_;
  std::mutex mutex_;
  DriverContext context_ = nullptr;
  DriverModule module_ = nullptr;
  std::map<std::string, DriverFunction> functions_;
  struct Known {
    std::weak_ptr<std::byte> pixels, labels;
  };
  std::map<const void*, Known> kept_;
};

}  // namespace nw::cuda
