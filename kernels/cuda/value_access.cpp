// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/value_access.hpp"

#include <algorithm>
#include <cstring>

namespace nw::cuda {
namespace {

constexpr double copying_timeout = 1;  // multiple of the watchdog timeout
DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }

bool is_half(DType t) { return t == DType::bf16 || t == DType::f16; }
// The host reads and writes 16-bit values as floats.
std::vector<std::uint16_t> to_halves(DType type, std::span<const std::byte> floats) {
  std::vector<std::uint16_t> halves(floats.size() / sizeof(float));
  for (std::size_t i = 0; i < halves.size(); ++i) {
    float x = 0;
    std::memcpy(&x, floats.data() + i * sizeof x, sizeof x);
    halves[i] = type == DType::bf16 ? math::Bf16(x).bits : math::Half(x).bits;
  }
  return halves;
}
void from_halves(DType type, std::span<const std::uint16_t> halves, std::span<std::byte> floats) {
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const float x = type == DType::bf16 ? math::bits_float(static_cast<std::uint32_t>(halves[i]) << 16)
                                        : math::f16_value(halves[i]);
    std::memcpy(floats.data() + i * sizeof x, &x, sizeof x);
  }
}

}  // namespace

Status ValueAccess::end(const Status& ran) {
  if (!ran && ran.error().code != Errc::stopped) health_ = ran;
  return ran;
}

void ValueAccess::put(std::byte* to, std::span<const std::byte> bytes) {
  const Watched guard(stream_.waiting(copying_timeout));
  const DriverTable& d = driver_api().driver;
  if (health_) health_ = stream_.enter();
  if (health_ && !bytes.empty())
    health_ = stream_.gpu().check(d.copy_in(pointer(to), bytes.data(), bytes.size(), stream_.handle()), "writing");
  if (health_) health_ = stream_.gpu().check(d.stream_wait(stream_.handle()), "writing");
}

// The first byte and the number of bytes of a value that the device has.
std::pair<std::size_t, std::size_t> ValueAccess::bytes_here(const Value& v) const {
  if (!shard_ || v.role != Role::optimizer) return {0, static_cast<std::size_t>(device_bytes(v))};
  const auto [first, last] = shard_->part_of(v);
  return {static_cast<std::size_t>(4 * first), static_cast<std::size_t>(4 * (last - first))};
}

void ValueAccess::write(int value, std::span<const std::byte> bytes) {
  if (std::byte* const area = inputs_.area(value)) {
    std::memcpy(area, bytes.data(), bytes.size());
  } else if (const DType stored = plan_.values[static_cast<std::size_t>(value)].dtype; is_half(stored)) {
    const std::vector<std::uint16_t> halves = to_halves(stored, bytes);
    put(memory_.values().at(value), std::as_bytes(std::span(halves)));
  } else {
    const auto [first, count] = bytes_here(plan_.values[static_cast<std::size_t>(value)]);
    put(memory_.values().at(value) + first, bytes.subspan(first, count));
  }
}

void ValueAccess::get(const std::byte* from, std::span<std::byte> bytes) const {
  const Watched guard(stream_.waiting(copying_timeout));
  const DriverTable& d = driver_api().driver;
  if (health_) health_ = stream_.enter();
  if (health_ && !bytes.empty())
    health_ = stream_.gpu().check(d.copy_out(bytes.data(), pointer(from), bytes.size(), stream_.handle()), "reading");
  if (health_) health_ = stream_.gpu().check(d.stream_wait(stream_.handle()), "reading");
  if (!health_) std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

void ValueAccess::read(int value, std::span<std::byte> bytes) const {
  if (std::byte* const area = inputs_.area(value)) {
    std::memcpy(bytes.data(), area, bytes.size());
  } else if (const DType stored = plan_.values[static_cast<std::size_t>(value)].dtype; is_half(stored)) {
    std::vector<std::uint16_t> halves(bytes.size() / sizeof(float));
    get(memory_.values().at(value), std::as_writable_bytes(std::span(halves)));
    from_halves(stored, halves, bytes);
  } else {
    const auto [first, count] = bytes_here(plan_.values[static_cast<std::size_t>(value)]);
    get(memory_.values().at(value) + first, bytes.subspan(first, count));
  }
}

}  // namespace nw::cuda
