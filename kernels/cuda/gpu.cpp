// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/watchdog.hpp"

namespace nw::cuda {
namespace {
WatchedCall closing(const std::string& name) { return {.device = name, .doing = "closing"}; }
}  // namespace

Gpu::~Gpu() {
  const Watched guard(closing(name()));
  const DriverTable& d = driver_api_.driver;
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
  const DriverTable& d = driver_api_.driver;
  if (!context_) NW_TRY(check(d.context_retain(&context_, device_), "opening it"));
  NW_TRY(check(d.context_set(context_), "opening it"));
  if (!module_) NW_TRY(check(d.module_load(&module_, driver_api_.kernels), "loading the kernels"));
  return {};
}

Result<DriverFunction> Gpu::function(const std::string& kernel) {
  const std::scoped_lock lock(mutex_);
  DriverFunction& f = functions_[kernel];
  if (!f) NW_TRY(check(driver_api_.driver.module_function(&f, module_, kernel.c_str()), "loading " + kernel));
  return f;
}

std::shared_ptr<std::byte> Gpu::take(std::int64_t bytes, DriverStream stream, int& code) {
  const DriverTable& d = driver_api_.driver;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  DevicePointer p = 0;
  code = d.memory_acquire(&p, size);
  if (code == 0) code = d.fill(p, 0, size, stream);
  if (code != 0) {
    if (p) d.memory_release(p);
    return nullptr;
  }
  return {reinterpret_cast<std::byte*>(p), [context = context_, &d, name = name()](std::byte* at) {
            const Watched guard(closing(name));
            if (d.context_set(context) == 0) d.memory_release(reinterpret_cast<DevicePointer>(at));
          }};
}

Gpu::CachedAllocation Gpu::kept(const void* identity) {
  const std::scoped_lock lock(mutex_);
  const auto it = kept_.find(identity);
  if (it == kept_.end()) return {};
  CachedAllocation found{it->second.pixels.lock(), it->second.labels.lock()};
  return found.pixels && found.labels ? found : CachedAllocation{};
}

void Gpu::remember(const void* identity, const CachedAllocation& kept) {
  const std::scoped_lock lock(mutex_);
  kept_[identity] = {kept.pixels, kept.labels};
}

std::shared_ptr<std::byte> Gpu::take_pinned(std::int64_t bytes, int& code) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  const DriverTable& d = driver_api_.driver;
  void* p = nullptr;
  code = d.pinned_acquire(&p, size, 0);
  if (code != 0) return nullptr;
  std::memset(p, 0, size);
  return {static_cast<std::byte*>(p), [context = context_, &d, name = name()](std::byte* at) {
            const Watched guard(closing(name));
            if (d.context_set(context) == 0) d.pinned_release(at);
          }};
}

}  // namespace nw::cuda
