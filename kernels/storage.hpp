// SPDX-License-Identifier: Apache-2.0
// A plan's values in the memory of a device: one arena, flat regions of weights, gradients and optimizer state,
// buffers, inputs.
#pragma once
#include "kernels/api.hpp"

namespace nw {

/// Zeroed, aligned to a cache line. Null if memory is exhausted.
std::shared_ptr<std::byte> allocate_aligned(std::int64_t bytes);

/// The position of a weight in the flat regions, in elements.
struct WeightSpan {
  std::int64_t offset = 0, count = 0;
  bool decay = true;
  double lr_scale = 1;
};

/// A named tensor outside the arena; shared between executables (training and evaluation).
struct NamedMemory {
  std::shared_ptr<std::byte> memory;
  std::int64_t bytes = 0;
};

class Storage {
 public:
  /// The storage whose weights and buffers are shared, and whether its arena is shared too (if it is large enough): the
  /// two must then not run at the same time.
  struct Sharing {
    const Storage* with = nullptr;
    bool arena = false;
  };
  using BytesOf = std::function<std::int64_t(const Value&)>;
  /// Allocates zeroed memory; null if memory is exhausted. Addresses may be those of a device: they are never
  /// dereferenced here.
  using Take = std::function<std::shared_ptr<std::byte>(std::int64_t bytes)>;
  /// Allocates all memory of `plan` that is not shared.
  static Result<std::unique_ptr<Storage>> make(const Plan& plan, const BytesOf&, Sharing, Take take = allocate_aligned);

  std::byte* at(int value) const { return address_[static_cast<std::size_t>(value)]; }
  /// Host-layout memory of an input; the value itself if no conversion is needed, null for other values.
  std::byte* border(int value) const { return host_copy_[static_cast<std::size_t>(value)]; }
  float* weights() const { return reinterpret_cast<float*>(weights_.get()); }
  float* weight_grads() const { return reinterpret_cast<float*>(grads_.get()); }
  std::int64_t weight_elements() const { return weight_elements_; }
  /// Optimizer state "momentum", "adam_m", "adam_v": a flat region, allocated at first use.
  float* region(const std::string& kind);
  const std::vector<WeightSpan>& weight_spans() const { return spans_; }
  /// Additional memory with the lifetime of this object. Null when memory is exhausted (failed() is then true).
  std::byte* allocate(std::int64_t bytes);
  bool failed() const { return failed_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void place_weights(const Plan&, const Storage* shared);
  void place_buffers(const Plan&, const BytesOf&, const Storage* shared);
  void place_arena(const Plan&, const BytesOf&, Sharing);
  void place_rest(const Plan&, const BytesOf&);
  std::shared_ptr<std::byte> take(std::int64_t bytes);
  std::int64_t weight_offset_bytes(const Plan&, const Value&) const;

  Take take_memory_;
  std::vector<std::byte*> address_, host_copy_;
  std::shared_ptr<std::byte> weights_, grads_, arena_;
  std::map<std::string, std::shared_ptr<std::byte>> regions_;
  std::map<std::string, NamedMemory, std::less<>> buffers_;
  // Bytes, by weight name: in the region of weights, which may be another's, and in regions of this storage's own.
  std::map<std::string, std::int64_t, std::less<>> weight_offsets_, own_offsets_;
  std::vector<WeightSpan> spans_;
  std::vector<std::shared_ptr<std::byte>> extra_;
  std::int64_t weight_elements_ = 0, arena_bytes_ = 0, bytes_ = 0;
  bool failed_ = false;
};

/// Copies between a value's own layout and the host layout (see Executable::write).
void host_to_value(const Plan&, const Value&, const std::byte* border, std::byte* value);
void value_to_host(const Plan&, const Value&, const std::byte* value, std::byte* border);

}  // namespace nw
