// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/watch.hpp"

namespace nw::cuda {
namespace {
Waiting closing(const std::string& name) { return {.device = name, .doing = "closing"}; }
}  // namespace

Gpu::~Gpu() {
  const Watched guard(closing(name()));
  const DriverTable& d = border_.driver;
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
  const DriverTable& d = border_.driver;
  if (!context_) NW_TRY(check(d.context_retain(&context_, device_), "opening it"));
  NW_TRY(check(d.context_set(context_), "opening it"));
  if (!module_) NW_TRY(check(d.module_load(&module_, border_.kernels), "loading the kernels"));
  return {};
}

Result<DriverFunction> Gpu::function(const std::string& kernel) {
  const std::scoped_lock lock(mutex_);
  DriverFunction& f = functions_[kernel];
  if (!f) NW_TRY(check(border_.driver.module_function(&f, module_, kernel.c_str()), "loading " + kernel));
  return f;
}

std::shared_ptr<std::byte> Gpu::take(std::int64_t bytes, DriverStream stream, int& code) {
  const DriverTable& d = border_.driver;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  DevicePointer p = 0;
  code = d.memory_take(&p, size);
  if (code == 0) code = d.fill(p, 0, size, stream);
  if (code != 0) {
    if (p) d.memory_give_back(p);
    return nullptr;
  }
  return {reinterpret_cast<std::byte*>(p), [context = context_, &d, name = name()](std::byte* at) {
            const Watched guard(closing(name));
            if (d.context_set(context) == 0) d.memory_give_back(reinterpret_cast<DevicePointer>(at));
          }};
}

Gpu::Kept Gpu::kept(const void* identity) {
  const std::scoped_lock lock(mutex_);
  const auto it = kept_.find(identity);
  if (it == kept_.end()) return {};
  Kept found{it->second.pixels.lock(), it->second.labels.lock()};
  return found.pixels && found.labels ? found : Kept{};
}

void Gpu::remember(const void* identity, const Kept& kept) {
  const std::scoped_lock lock(mutex_);
  kept_[identity] = {kept.pixels, kept.labels};
}

std::shared_ptr<std::byte> Gpu::take_pinned(std::int64_t bytes, int& code) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 64));
  const DriverTable& d = border_.driver;
  void* p = nullptr;
  code = d.pinned_take(&p, size, 0);
  if (code != 0) return nullptr;
  std::memset(p, 0, size);
  return {static_cast<std::byte*>(p), [context = context_, &d, name = name()](std::byte* at) {
            const Watched guard(closing(name));
            if (d.context_set(context) == 0) d.pinned_give_back(at);
          }};
}

}  // namespace nw::cuda
