// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu.hpp"

#include <algorithm>
#include <cstring>

namespace nw::cuda {

Gpu::~Gpu() {
  const DriverTable& d = border().driver;
  if (!context_ || d.context_set(context_) != 0) return;
  if (module_) d.module_unload(module_);
  d.context_release(device_);
}

Status Gpu::check(int code, const std::string& doing) const {
  if (code == 0) return {};
  return driver_error(code, name(), doing);
}

Status Gpu::use() {
  const std::scoped_lock lock(mutex_);
  const DriverTable& d = border().driver;
  if (!context_) NW_TRY(check(d.context_retain(&context_, device_), "opening it"));
  NW_TRY(check(d.context_set(context_), "opening it"));
  if (!module_) NW_TRY(check(d.module_load(&module_, border().kernels), "loading the kernels"));
  return {};
}

Result<DriverFunction> Gpu::function(const std::string& kernel) {
  const std::scoped_lock lock(mutex_);
  DriverFunction& f = functions_[kernel];
  if (!f) NW_TRY(check(border().driver.module_function(&f, module_, kernel.c_str()), "loading " + kernel));
  return f;
}

std::shared_ptr<std::byte> Gpu::take(std::int64_t bytes, DriverStream stream, int& code) {
  const DriverTable& d = border().driver;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  DevicePointer p = 0;
  code = d.memory_take(&p, size);
  if (code == 0) code = d.fill(p, 0, size, stream);
  if (code != 0) {
    if (p) d.memory_give_back(p);
    return nullptr;
  }
  return {reinterpret_cast<std::byte*>(p), [context = context_](std::byte* at) {
    const DriverTable& driver = border().driver;
    if (driver.context_set(context) == 0) driver.memory_give_back(reinterpret_cast<DevicePointer>(at));
  }};
}

std::shared_ptr<std::byte> Gpu::take_pinned(std::int64_t bytes, int& code) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  void* p = nullptr;
  code = border().driver.pinned_take(&p, size, 0);
  if (code != 0) return nullptr;
  std::memset(p, 0, size);
  return {static_cast<std::byte*>(p), [context = context_](std::byte* at) {
    const DriverTable& driver = border().driver;
    if (driver.context_set(context) == 0) driver.pinned_give_back(at);
  }};
}

}  // namespace nw::cuda
