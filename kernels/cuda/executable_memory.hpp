// SPDX-License-Identifier: Apache-2.0
// The memory of one executable: the plan's values on the device, and host memory that the device reads and writes.
#pragma once
#include "kernels/cuda/elements/list.hpp"
#include "kernels/cuda/gpu.hpp"
#include "kernels/storage.hpp"

namespace nw::cuda {

/// The first error of an allocation or an upload is stored, and status() returns it. Later calls have no effect.
class ExecutableMemory {
 public:
  ExecutableMemory(const Plan& plan, std::shared_ptr<Gpu> gpu) : plan_(plan), gpu_(std::move(gpu)) {}
  /// Acquires the memory of the plan's values. `shared`: the executable whose weights and buffers are used, null: none;
  /// `arena`: its arena is used too. Must be the first call.
  Status take(const ExecutableMemory* shared, bool arena, DriverStream stream);
  /// The first error so far.
  Status status() const { return check(code_); }
  /// status(); out of memory: a message with the batch that would fit.
  Status fits() const;
  /// Waits for the uploads. The first error so far.
  Status wait() const;

  Storage& values() { return *storage_; }
  const Storage& values() const { return *storage_; }
  /// Bytes of device memory; 0: none acquired.
  std::int64_t bytes() const { return storage_ ? storage_->bytes() : 0; }
  /// Zeroed device memory with the lifetime of this object. Null: memory is exhausted.
  std::byte* allocate(std::int64_t bytes) { return storage_->allocate(bytes); }
  template <class T>
  T* allocate_as(std::int64_t count) {
    return reinterpret_cast<T*>(allocate(count * static_cast<std::int64_t>(sizeof(T))));
  }
  /// Device memory with the lifetime of this object that holds these bytes once the stream has copied them.
  std::byte* upload(const void* from, std::size_t bytes);
  /// Host memory that the device reads and writes, with the lifetime of this object. Null: memory is exhausted.
  std::shared_ptr<std::byte> pinned(std::int64_t bytes);
  template <class T>
  T* pinned_as(std::int64_t count) {
    return reinterpret_cast<T*>(pinned(count * static_cast<std::int64_t>(sizeof(T))).get());
  }

 private:
  void keep_first(int code);
  Status check(int code) const { return gpu_->check(code, "preparing"); }
  Error no_memory(const Error& otherwise) const;

  const Plan& plan_;
  std::shared_ptr<Gpu> gpu_;
  DriverStream stream_ = nullptr;
  std::unique_ptr<Storage> storage_;
  std::vector<std::shared_ptr<std::byte>> pinned_;
  int code_ = 0;  // of the first driver call that failed
};

/// The inputs and results of a step, on the device and in pinned host memory. Null until allocated.
struct StepBuffers {
  StepBlock *block = nullptr, *host_block = nullptr;  // on the device; host copy for an exchange
  Burst *burst = nullptr, *host_burst = nullptr;
  i64 *order = nullptr, *host_order = nullptr;  // (max_steps, batch) data-set indices
  i64* sample = nullptr;                        // of the current step
  LossScaler* scaler = nullptr;                 // on the device; null: the plan has no loss scaling
  StepRecord* ring = nullptr;                   // pinned: written by the device, read by the host
  std::int32_t* mark = nullptr;                 // pinned: the last marked launch that has begun, counted from 1

  static StepBuffers make(const Plan&, ExecutableMemory&);
};

/// Bytes of a value on the device.
std::int64_t device_bytes(const Value&);
/// The flat region of weights and gradients with the rule of each group of elements: rule 0 is for padding, which no
/// kernel changes. Waits for the uploads.
Result<FlatRegion> upload_rules(ExecutableMemory&);

}  // namespace nw::cuda
