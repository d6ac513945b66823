// SPDX-License-Identifier: Apache-2.0
// Builds an Executable from a table of kernels: a backend on the CPU is a list of functions Step -> PreparedKernel. The
// executor owns the memory, runs all steps inside one Team::run, and collects the results of the steps (losses, finite
// flag, norm).
#pragma once
#include <atomic>
#include <span>

#include "kernels/api.hpp"
#include "kernels/storage.hpp"

namespace nw {

// samples that one worker computes through consecutive per-shard phases
inline constexpr std::int64_t shard_samples = 16;
inline std::int64_t shards_for(std::int64_t samples) { return (samples + shard_samples - 1) / shard_samples; }

/// The contributions of one shard's (or task's) samples to StepMetrics. A cache line each, since workers write
/// concurrently.
struct alignas(64) LossPartial {
  double loss = 0;
  std::int64_t correct = 0, samples = 0;
};

/// Sums of squares of some weight gradients, computed by the kernels of those gradients, so that the norm need not read
/// them again.
struct SquareSums {
  std::int64_t offset = 0, count = 0;  // elements of the flat region
  std::span<const double> parts;
};

/// The workers that compute each part of a weight's gradient. They should apply it too, since it is in their core's
/// cache: worker w has the elements from first[w] up to first[w + 1].
struct GradientShares {
  std::int64_t offset = 0;  // of the weight, in the flat region
  std::vector<std::int64_t> first;
};

/// A value as packed by a kernel for its products, for later steps that multiply by it too.
struct PackedValue {
  int value = -1;  // index in the plan
  const std::uint32_t* words = nullptr;
  std::int64_t shard_words = 0;
};

/// A step's images as bytes, for kernels that would round the numbers to bfloat16 anyway: the number of a byte is
/// looked up. The bytes are in the images' own memory, in place of the numbers.
struct PixelLanes {
  std::vector<int> values;                   // the images, and views of them
  std::uint8_t* first = nullptr;             // of shard 0: [channel][pixel][16 images]
  std::int64_t shard_bytes = 0;              // from one shard to the next
  std::int64_t channels = 1, pixels = 1;     // of an image
  int readers = 0;                           // number of kernels that read either form
  bool alone = false;                        // no other kernel reads the images
  bool here = false;                         // this step's images are bytes
  std::vector<const std::uint8_t*> samples;  // their addresses in the current step, (pixel, channel) each
  std::vector<PixelScale> scales;            // of the channels
  std::vector<std::uint16_t> words;          // [channel][256], by `scales`

  std::uint8_t* shard(std::int64_t s) const { return first + s * shard_bytes; }
  const std::uint16_t* words_of(std::int64_t channel) const { return words.data() + channel * 256; }
};

/// The state of the running step, for kernels. Has the lifetime of the Executable, so that kernels may keep a
/// reference.
struct RunState {
  StepArgs args;
  StepMetrics metrics;
  std::int64_t runs = 0;           // steps begun, including the current one
  std::int64_t active_shards = 0;  // shards that hold at least one valid sample; the others are not run
  bool failed = false;             // the communicator failed: the rest is skipped. Set in tasks == 1 phases only
  Communicator* communicator = nullptr;
  std::vector<std::span<LossPartial>> losses;
  std::vector<SquareSums> squares;
  std::vector<GradientShares> shares;
  std::vector<PackedValue> packed;
  PixelLanes pixels;
  std::vector<std::byte*> worker_scratch;  // one area per worker, see KernelContext::need_worker_scratch
  std::byte* shared_scratch = nullptr;
  bool losses_collected = false;
  std::vector<Status> loaded;  // per shard: whether StepInputs::images() succeeded

  /// Adds the losses' partial sums, in order, to metrics; later calls in the same step have no effect. Called by one
  /// worker, after a barrier.
  void collect_losses();
  /// Includes the losses in the check; false: the weights must not change. Called by one worker, after a barrier.
  bool may_update();
};

/// One of `count` parts into which the work of a shard is divided.
struct Part {
  std::int64_t index = 0, count = 1;
  std::int64_t begin(std::int64_t things) const { return things * index / count; }
  std::int64_t end(std::int64_t things) const { return things * (index + 1) / count; }
};

/// A part of a kernel. Global phases are separated by barriers; consecutive per-shard phases are not: one worker runs a
/// shard through all of them. What `run` computes must depend on the task alone, never on the worker.
struct KernelPhase {
  std::int64_t tasks = 1;  // per_shard: number of shards; `run` is called for the active ones only
  bool per_shard = false;
  std::function<void(std::int64_t task, int worker)> run;
  /// Of a per-shard phase: the same in up to `parts` parts, for a batch with fewer shards than keep the team busy. The
  /// number of parts must not change the results.
  std::int64_t parts = 1;
  std::function<void(std::int64_t shard, Part, int worker)> run_part;
  /// Of a global phase: worker w begins with the tasks from shares[w] up to shares[w + 1]. Empty: equal numbers.
  std::vector<std::int64_t> shares = {};
  /// Not zero: part c of this number is channel c of all values it reads and writes. Consecutive phases with the same
  /// number run faster channel by channel, while the pixels are in the cache.
  std::int64_t channels = 0;
};

struct PreparedKernel {
  std::vector<KernelPhase> phases;
  std::string choice;  // implementation chosen, for Executable::choices(); empty: no line
  // its phases write nothing that the next kernel, if it has this flag too, reads or writes
  bool beside_others = false;
  /// Global phases that read only weights and write only to this kernel's own memory: those of all kernels run together
  /// when a step begins.
  std::vector<KernelPhase> weights = {};
};

/// The resources that a kernel may use while it is prepared. Addresses stay valid as long as the Executable exists.
class KernelContext {
 public:
  KernelContext(const Plan& p, const Step& s, Storage& m, RunState& r, const void* b)
      : plan(p), step(s), storage(m), state(r), backend(b) {}
  const Plan& plan;
  const Step& step;
  Storage& storage;
  RunState& state;
  const void* backend;                              // ExecutorOptions::backend
  int workers = 1;                                  // of the team
  std::int64_t worker_bytes = 0, shared_bytes = 0;  // requested by this kernel

  bool has_in(int i) const {
    return i < static_cast<int>(step.inputs.size()) && step.inputs[static_cast<std::size_t>(i)] >= 0;
  }
  bool has_out(int i) const {
    return i < static_cast<int>(step.outputs.size()) && step.outputs[static_cast<std::size_t>(i)] >= 0;
  }
  const Value& in_value(int i) const { return value(step.inputs, i); }
  const Value& out_value(int i) const { return value(step.outputs, i); }
  template <class T = float>
  T* in(int i) const {
    return has_in(i) ? reinterpret_cast<T*>(storage.at(step.inputs[static_cast<std::size_t>(i)])) : nullptr;
  }
  template <class T = float>
  T* out(int i) const {
    return has_out(i) ? reinterpret_cast<T*>(storage.at(step.outputs[static_cast<std::size_t>(i)])) : nullptr;
  }
  /// Memory that belongs to this kernel, zeroed once.
  template <class T>
  T* own(std::int64_t count) {
    return reinterpret_cast<T*>(storage.allocate(count * static_cast<std::int64_t>(sizeof(T))));
  }
  /// Requests at least this size of RunState::worker_scratch[worker]; any kernel may overwrite the memory.
  void need_worker_scratch(std::int64_t bytes) { worker_bytes = std::max(worker_bytes, bytes); }
  /// Requests at least this size of RunState::shared_scratch, one for all workers. Only global phases may write to it.
  void need_shared_scratch(std::int64_t bytes) { shared_bytes = std::max(shared_bytes, bytes); }
  std::span<LossPartial> losses(std::int64_t count);
  /// For a kernel that can sum the squares of its output while it computes it: memory for `parts` partial sums, all of
  /// which must be written in every step. Null where output `i` is not a weight gradient, or gradients of other
  /// replicas are added later.
  double* square_sums(int i, std::int64_t parts);
  /// Input `i` as packed by an earlier kernel; `words` is null where none did.
  PackedValue packed(int i) const;
  /// Declares that worker w computes the elements of the gradient at output `i` from first[w] on. No effect for other
  /// outputs.
  void share_gradient(int i, std::vector<std::int64_t> first);
  /// If input `i` is the images: their bytes, else null. The caller must read the numbers only where PixelLanes::here
  /// is false.
  const PixelLanes* pixels(int i) const;
  /// True: a step of this kernel comes before this one.
  bool planned_before(std::string_view kernel) const;

 private:
  const Value& value(const std::vector<int>& list, int i) const {
    return plan.values[static_cast<std::size_t>(list[static_cast<std::size_t>(i)])];
  }
};

/// {h,w} of a list attribute; `otherwise` twice when it is missing.
struct Pair {
  std::int64_t h = 0, w = 0;
};
Pair pair_attr(const Step&, std::string_view name, std::int64_t otherwise);

struct KernelEntry {
  std::string_view name;
  PreparedKernel (*prepare)(KernelContext&);
  /// True: a step of this kernel runs alone, see Device::runs_alone(): it ends in a global phase, and writes nothing to
  /// the arena before that phase. Null: it runs shard by shard together with adjacent steps.
  bool (*runs_alone)(const Plan&, const Step&) = nullptr;
};
using KernelTable = std::vector<KernelEntry>;
const KernelEntry* find_entry(const KernelTable&, std::string_view name);

/// The sum over replicas; the same for every backend on the CPU.
PreparedKernel prepare_all_reduce(KernelContext&);

struct ExecutorOptions {
  const KernelTable* table = nullptr;
  std::function<std::int64_t(const Value&)> bytes_of;
  std::function<bool(const Step&)> is_view;
  /// Converts an input from host layout to the value's layout; called for inputs whose layout is lanes16. "images": by
  /// one phase over shards, which reads them from StepArgs::inputs if these are set and then does not use the host
  /// area.
  std::function<PreparedKernel(const Value&, std::byte* border, std::byte* to, RunState&)> load_input;
  std::int64_t load_scratch_bytes = 0;  // size of RunState::worker_scratch for load_input
  /// Called before each step by one thread; may be null.
  std::function<void(RunState&)> begin_step;
  void (*end_work)() = nullptr;   // called by each worker at the end of a step; may be null
  const void* backend = nullptr;  // the backend's table of functions, passed to every kernel
  bool flush_denormals = false;
  std::vector<std::string> notes;  // first lines of choices()
};

/// Allocates the memory, prepares every step, and divides the phases into segments. Error: memory is exhausted, or a
/// step has no kernel.
Result<std::unique_ptr<Executable>> make_executable(const Plan&, const PrepareArgs&, ExecutorOptions);

}  // namespace nw
