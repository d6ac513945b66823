// SPDX-License-Identifier: Apache-2.0
// What a step of a plan becomes on a device: launches of element kernels, in order, on one stream.
#pragma once
#include <cstring>
#include <type_traits>

#include "kernels/cuda/elements/list.hpp"
#include "kernels/executor.hpp"

namespace nw::cuda {

/// One call of one kernel. The functor is copied to the device when the launch is enqueued or captured.
struct Launch {
  static constexpr std::size_t most_bytes = 256;
  const char* kernel = nullptr;
  std::int64_t count = 0;
  alignas(16) std::byte functor[most_bytes];
};

/// What a kernel may use while it turns a step into launches. It is prepared twice: the first time to learn how much scratch
/// the plan needs, so addresses from scratch() mean nothing then.
struct Preparing {
  KernelContext& c;
  StepBlock* block;
  const i64* sample;
  FlatRegion flat;
  std::byte* scratch_begin;
  i64& scratch_bytes;
  std::vector<Launch>& launches;
  i64 taken = 0;

  /// Memory until the end of this step, shared by all of them.
  template <class T>
  T* scratch(i64 count) {
    const i64 at = taken;
    taken += (count * static_cast<i64>(sizeof(T)) + 255) / 256 * 256;
    scratch_bytes = larger(scratch_bytes, taken);
    return scratch_begin ? reinterpret_cast<T*>(scratch_begin + at) : nullptr;
  }
  /// f(0) … f(count - 1), in any order.
  template <class F>
  void each(i64 count, const F& f) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= Launch::most_bytes && element_name<F> != nullptr);
    if (count <= 0) return;
    Launch& l = launches.emplace_back();
    l.kernel = element_name<F>;
    l.count = count;
    std::memcpy(l.functor, &f, sizeof f);
  }
  /// out[i] = sum over slices of parts[slice][i], in an order that depends on the sizes alone.
  template <class T>
  void sum(const double* parts, T* out, i64 count, i64 slices) {
    if (count == 1 && slices > 64 && slices % 64 == 0) {
      auto* fewer = scratch<double>(64);
      each(64, SumParts<double>{parts, fewer, 64, slices / 64});
      each(1, SumParts<T>{fewer, out, 1, 64});
    } else {
      each(count, SumParts<T>{parts, out, count, slices});
    }
  }
};

struct Entry {
  std::string_view name;
  void (*prepare)(Preparing&);
};
using Table = std::vector<Entry>;
const Table& kernel_table();
const Entry* find_entry(std::string_view name);

Table conv2d_entries();
Table linear_entries();
Table pool_entries();
Table batch_norm_entries();
Table elementwise_entries();
Table shape_entries();
Table loss_entries();
Table update_entries();

/// A value's sizes as an image: vectors are images of one pixel.
struct Sizes {
  i64 n = 1, c = 1, h = 1, w = 1;
  i64 pixels() const { return h * w; }
  i64 elements() const { return n * c * h * w; }
};
Sizes sizes_of(const Value&);

/// How many slices `work` sums of `length` terms are cut into, so that a device has enough to do. Depends on the sizes alone.
inline i64 slices_for(i64 work, i64 length) { return larger(1, smaller(length, 65536 / larger(work, 1))); }

}  // namespace nw::cuda
