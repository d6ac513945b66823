// SPDX-License-Identifier: Apache-2.0
#include "kernels/storage.hpp"
#include "kernels/state_shard.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace nw {
namespace {

constexpr std::int64_t line_bytes = 64, large_page_bytes = 2 << 20;
std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }
int root_of(const Plan& plan, int v) {
  while (plan.values[static_cast<std::size_t>(v)].alias_of >= 0) v = plan.values[static_cast<std::size_t>(v)].alias_of;
  return v;
}
// "grad conv1.weight" -> "conv1.weight"; a name without a blank is returned whole.
std::string_view after_blank(std::string_view name) { return name.substr(name.find(' ') + 1); }
bool in_flat_region(Role r) { return r == Role::weight || r == Role::weight_grad || r == Role::optimizer; }

}  // namespace

namespace {

#if defined(__linux__)
// Uses large pages if the system has them, because transforms write to dozens of addresses that are pages apart. The
// system provides zeroed pages at the first write: all workers at once do this in the first step, instead of one thread
// before it.
std::shared_ptr<std::byte> map_zeros(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes) + large_page_bytes;
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto at = reinterpret_cast<std::uintptr_t>(mapped),
             aligned = (at + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  auto* const first = reinterpret_cast<std::byte*>(aligned);
  madvise(first, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  return {first, [mapped, size](std::byte*) { munmap(mapped, size); }};
}
#endif

}  // namespace

std::shared_ptr<std::byte> allocate_aligned(std::int64_t bytes) {
#if defined(__linux__)
  if (bytes >= large_page_bytes) return map_zeros(bytes);
#endif
  const auto size = static_cast<std::size_t>(round_up(std::max<std::int64_t>(bytes, 1), line_bytes));
  void* p = nullptr;
  if (posix_memalign(&p, line_bytes, size) != 0) return nullptr;
  std::memset(p, 0, size);
  return {static_cast<std::byte*>(p), std::free};
}

std::shared_ptr<std::byte> Storage::take(std::int64_t bytes) {
  auto p = take_memory_(bytes);
  if (!p) failed_ = true;
  bytes_ += bytes;
  return p;
}

std::byte* Storage::allocate(std::int64_t bytes) {
  extra_.push_back(take(bytes));
  return extra_.back().get();
}

float* Storage::region(const std::string& kind) {
  auto& r = regions_[kind];
  if (!r) r = take(weight_elements_ * 4);
  return reinterpret_cast<float*>(r.get());
}

Result<std::unique_ptr<Storage>> Storage::make(const Plan& plan, const BytesOf& bytes_of, Sharing shared, Take take) {
  auto s = std::make_unique<Storage>();
  s->take_memory_ = std::move(take);
  s->address_.resize(plan.values.size());
  s->host_copy_.resize(plan.values.size());
  s->place_weights(plan, shared.with);
  s->place_buffers(plan, bytes_of, shared.with);
  s->place_arena(plan, bytes_of, shared);
  // Of its state a replica may keep a part: the region's address is that of an element before it.
  if (const std::optional<StateShard> shard = state_shard(plan))
    for (const Value& v : plan.values) {
      if (v.role != Role::optimizer || s->failed_) continue;
      auto& region = s->regions_[v.name.substr(0, v.name.find(' '))];
      if (region) continue;
      const auto part = s->take(4 * (shard->end() - shard->begin()));
      if (part) region = std::shared_ptr<std::byte>(part, part.get() - 4 * shard->begin());
    }
  s->place_rest(plan, bytes_of);
  if (s->failed_)
    return fail(Errc::out_of_memory, NW_TR("there is not enough memory for this network: it needs {0} MiB"),
                (s->bytes_ >> 20) + 1);
  return s;
}

// Uses the offsets of the plan if it has them; otherwise weights are adjacent in the plan's order.
void Storage::place_weights(const Plan& plan, const Storage* shared) {
  std::int64_t end = 0;
  bool wants_grads = false;
  for (const Value& v : plan.values) {
    wants_grads |= v.role == Role::weight_grad;
    if (v.role != Role::weight) continue;
    const std::int64_t offset = v.offset_bytes >= 0 ? v.offset_bytes : end;
    weight_offsets_[v.name] = offset;
    spans_.push_back({offset / 4, v.shape.elements(), v.decay, v.lr_scale});
    end = std::max(end, offset + round_up(v.shape.elements() * 4, line_bytes));
  }
  std::sort(spans_.begin(), spans_.end(), [](const WeightSpan& a, const WeightSpan& b) { return a.offset < b.offset; });
  weight_elements_ = std::max(plan.weight_elements, end / 4);
  own_offsets_ = weight_offsets_;
  if (shared && shared->weight_elements_ >= weight_elements_) {
    weights_ = shared->weights_;
    for (auto& [name, offset] : weight_offsets_)
      if (const auto it = shared->weight_offsets_.find(name); it != shared->weight_offsets_.end()) offset = it->second;
  } else {
    weights_ = take(weight_elements_ * 4);
  }
  if (wants_grads) grads_ = take(weight_elements_ * 4);
}

void Storage::place_buffers(const Plan& plan, const BytesOf& bytes_of, const Storage* shared) {
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::buffer) continue;
    NamedMemory& b = buffers_[v.name];
    if (!b.memory && shared)
      if (const auto it = shared->buffers_.find(v.name); it != shared->buffers_.end()) b = it->second;
    if (!b.memory) b = {take(bytes_of(v)), bytes_of(v)};
    address_[i] = b.memory.get();
  }
}

std::int64_t Storage::weight_offset_bytes(const Plan& plan, const Value& v) const {
  (void)plan;
  const bool is_weight = v.role == Role::weight;
  const auto& offsets = is_weight ? weight_offsets_ : own_offsets_;
  const auto it = offsets.find(is_weight ? std::string_view(v.name) : after_blank(v.name));
  if (it != offsets.end()) return it->second;
  return std::max<std::int64_t>(v.offset_bytes, 0);
}

void Storage::place_arena(const Plan& plan, const BytesOf& bytes_of, Sharing shared) {
  arena_bytes_ = plan.arena_bytes;
  for (const Value& v : plan.values)
    if (!in_flat_region(v.role) && v.offset_bytes >= 0)
      arena_bytes_ = std::max(arena_bytes_, v.offset_bytes + bytes_of(v));
  const bool fits = shared.arena && shared.with && shared.with->arena_bytes_ >= arena_bytes_;
  arena_ = fits ? shared.with->arena_ : take(arena_bytes_);
}

void Storage::place_rest(const Plan& plan, const BytesOf& bytes_of) {
  for (std::size_t i = 0; i < plan.values.size() && !failed_; ++i) {
    const Value& v = plan.values[i];
    if (v.role == Role::buffer || v.alias_of >= 0) continue;
    if (v.role == Role::weight)
      address_[i] = weights_.get() + weight_offset_bytes(plan, v);
    else if (v.role == Role::weight_grad)
      address_[i] = grads_.get() + weight_offset_bytes(plan, v);
    else if (v.role == Role::optimizer)
      address_[i] =
          reinterpret_cast<std::byte*>(region(v.name.substr(0, v.name.find(' ')))) + weight_offset_bytes(plan, v);
    else if (v.role == Role::input) {
      host_copy_[i] = allocate(v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype)));
      const bool converted = v.layout == Layout::lanes16;
      address_[i] = !converted            ? host_copy_[i]
                    : v.offset_bytes >= 0 ? arena_.get() + v.offset_bytes
                                          : allocate(bytes_of(v));
    } else {
      address_[i] = v.offset_bytes >= 0 ? arena_.get() + v.offset_bytes : allocate(bytes_of(v));
    }
  }
  for (std::size_t i = 0; i < plan.values.size(); ++i)
    if (plan.values[i].alias_of >= 0)
      address_[i] = address_[static_cast<std::size_t>(root_of(plan, static_cast<int>(i)))];
}

namespace {

// Calls move(offset in host layout, offset in the value) in elements for every element of v.
template <class Move>
void each_element(const Value& v, Move move) {
  const Shape& s = v.shape;
  const std::int64_t n_count = s.rank() ? s[0] : 1, channels = s.rank() > 1 ? s[1] : 1;
  const std::int64_t per = s.rank() ? s.per_sample() : 1, pixels = channels ? per / channels : 0;
  for (std::int64_t n = 0; n < n_count; ++n)
    for (std::int64_t c = 0; c < channels; ++c)
      for (std::int64_t q = 0; q < pixels; ++q) {
        const std::int64_t border = n * per + (s.rank() == 4 ? q * channels + c : c * pixels + q);
        move(border, ((n / 16) * per + c * pixels + q) * 16 + n % 16);
      }
}

/// Sums over a batch include the lanes of the last shard that hold no sample: zeros.
void clear_padding(const Value& v, std::byte* value) {
  const std::int64_t last = v.shape.rank() ? v.shape[0] / 16 : 0, per = v.shape.rank() ? v.shape.per_sample() : 0;
  const auto shard_bytes = static_cast<std::size_t>(per * 16) * size_of(v.dtype);
  if (v.shape.rank() && v.shape[0] % 16 != 0)
    std::memset(value + static_cast<std::size_t>(last) * shard_bytes, 0, shard_bytes);
}

}  // namespace

void host_to_value(const Plan&, const Value& v, const std::byte* border, std::byte* value) {
  const std::size_t size = size_of(v.dtype);
  if (v.layout != Layout::lanes16) {
    std::memcpy(value, border, static_cast<std::size_t>(v.shape.elements()) * size);
    return;
  }
  clear_padding(v, value);
  each_element(v, [&](std::int64_t b, std::int64_t e) {
    std::memcpy(value + static_cast<std::size_t>(e) * size, border + static_cast<std::size_t>(b) * size, size);
  });
}

void value_to_host(const Plan&, const Value& v, const std::byte* value, std::byte* border) {
  const std::size_t size = size_of(v.dtype);
  if (v.layout != Layout::lanes16) {
    std::memcpy(border, value, static_cast<std::size_t>(v.shape.elements()) * size);
    return;
  }
  each_element(v, [&](std::int64_t b, std::int64_t e) {
    std::memcpy(border + static_cast<std::size_t>(b) * size, value + static_cast<std::size_t>(e) * size, size);
  });
}

}  // namespace nw
