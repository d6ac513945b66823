// SPDX-License-Identifier: Apache-2.0
// Builds an Executable from a table of kernels: a backend on the CPU is a list of functions Step -> PreparedKernel. The
// executor owns memory, runs all steps inside one Team::run, and keeps what the steps say (losses, finite flag, norm).
#pragma once
#include <atomic>
#include <span>

#include "kernels/api.hpp"
#include "kernels/storage.hpp"

namespace nw {

inline constexpr std::int64_t shard_samples = 16;  // samples that one worker takes through consecutive per-shard phases
inline std::int64_t shards_for(std::int64_t samples) { return (samples + shard_samples - 1) / shard_samples; }

/// What one shard's (or task's) samples add to StepMetrics. A cache line each: workers write side by side.
struct alignas(64) LossPartial {
  double loss = 0;
  std::int64_t correct = 0, samples = 0;
};

/// Sums of squares of some weight gradients, made by who made those: the norm need not read them again.
struct SquareSums {
  std::int64_t offset = 0, count = 0;  // elements of the flat region
  std::span<const double> parts;
};

/// Who makes which part of a weight's gradient, and had better apply it, since it lies in that core's cache: worker w
/// the elements from first[w] up to first[w + 1].
struct GradientShares {
  std::int64_t offset = 0;  // of the weight, in the flat region
  std::vector<std::int64_t> first;
};

/// A value as some kernel packed it for its products, for others that multiply by it later in the step.
struct PackedValue {
  int value = -1;  // of the plan
  const std::uint32_t* words = nullptr;
  std::int64_t shard_words = 0;
};

/// A step's images as the bytes they come in, for kernels that would round the numbers to bfloat16 anyway: what a byte
/// stands for is looked up. In the images' own memory, and instead of the numbers there.
struct PixelLanes {
  std::vector<int> values;                   // the images, and views of them
  std::uint8_t* first = nullptr;             // of shard 0: [channel][pixel][16 images]
  std::int64_t shard_bytes = 0;              // from one shard to the next
  std::int64_t channels = 1, pixels = 1;     // of an image
  int readers = 0;                           // kernels that take either
  bool alone = false;                        // there are no others
  bool here = false;                         // this step's images are bytes
  std::vector<const std::uint8_t*> samples;  // where they lie now, (pixel, channel) each
  std::vector<PixelScale> scales;            // of the channels
  std::vector<std::uint16_t> words;          // [channel][256], by `scales`

  std::uint8_t* shard(std::int64_t s) const { return first + s * shard_bytes; }
  const std::uint16_t* words_of(std::int64_t channel) const { return words.data() + channel * 256; }
};

/// What kernels see of the step that is running. Lives as long as the Executable, so that kernels may keep a reference.
struct RunState {
  StepArgs args;
  StepMetrics metrics;
  std::int64_t runs = 0;           // begun, this one among them
  std::int64_t active_shards = 0;  // shards that hold at least one valid sample; the others are not run
  bool failed = false;             // the communicator gave up: the rest is skipped. Set in tasks == 1 phases only
  Communicator* communicator = nullptr;
  std::vector<std::span<LossPartial>> losses;
  std::vector<SquareSums> squares;
  std::vector<GradientShares> shares;
  std::vector<PackedValue> packed;
  PixelLanes pixels;
  std::vector<std::byte*> worker_scratch;  // one area per worker, see KernelContext::need_worker_scratch
  std::byte* shared_scratch = nullptr;
  bool losses_collected = false;
  std::vector<Status> loaded;  // per shard: whether StepInputs::images() could make its images

  /// Adds the losses' partial sums, in order, into metrics; does nothing the second time. By one worker, behind a
  /// barrier.
  void collect_losses();
  /// Looks at the losses too; false: the weights must stay as they are. By one worker, behind a barrier.
  bool may_update();
};

/// One of `count` parts that a shard's work is cut into.
struct Part {
  std::int64_t index = 0, count = 1;
  std::int64_t begin(std::int64_t things) const { return things * index / count; }
  std::int64_t end(std::int64_t things) const { return things * (index + 1) / count; }
};

/// A part of a kernel. Global phases are separated by barriers; consecutive per-shard phases are not: one worker takes
/// a shard through all of them. What `run` computes must depend on the task alone, never on the worker.
struct KernelPhase {
  std::int64_t tasks = 1;  // per_shard: number of shards; `run` is called for the active ones only
  bool per_shard = false;
  std::function<void(std::int64_t task, int worker)> run;
  /// Of a per-shard phase: the same by parts, up to `parts` of them, for a batch of fewer shards than keep the team
  /// busy. Into how many it is cut must not change a number.
  std::int64_t parts = 1;
  std::function<void(std::int64_t shard, Part, int worker)> run_part;
  /// Of a global phase: worker w begins with the tasks from shares[w] up to shares[w + 1]. Empty: as many each.
  std::vector<std::int64_t> shares = {};
  /// Not zero: part c of so many is channel c of all it reads and writes, and phases behind each other that say the
  /// same are better taken channel by channel, while its pixels are in the cache.
  std::int64_t channels = 0;
};

struct PreparedKernel {
  std::vector<KernelPhase> phases;
  std::string choice;          // implementation chosen, for Executable::choices(); empty: nothing to say
  bool beside_others = false;  // its phases write nothing that the next kernel, if it says so too, reads or writes
  /// Global phases that read nothing but weights and write to memory of this kernel's own: run as a step begins, all
  /// kernels' at once.
  std::vector<KernelPhase> weights = {};
};

/// What a kernel may use while it is being prepared. Addresses it hands out stay valid as long as the Executable.
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
  std::int64_t worker_bytes = 0, shared_bytes = 0;  // asked for by this kernel

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
  /// Memory of this kernel's own, zeroed once.
  template <class T>
  T* own(std::int64_t count) {
    return reinterpret_cast<T*>(storage.allocate(count * static_cast<std::int64_t>(sizeof(T))));
  }
  /// RunState::worker_scratch[worker] will have at least so many bytes; any kernel may overwrite it.
  void need_worker_scratch(std::int64_t bytes) { worker_bytes = std::max(worker_bytes, bytes); }
  /// RunState::shared_scratch likewise, one for all workers. Only global phases may write to it.
  void need_shared_scratch(std::int64_t bytes) { shared_bytes = std::max(shared_bytes, bytes); }
  std::span<LossPartial> losses(std::int64_t count);
  /// For a kernel that can sum up its output's squares while they are at hand: a place for so many parts of the sum,
  /// every one to be written in every step. Null where output `i` is no weight gradient, or other replicas' gradients
  /// are still to come.
  double* square_sums(int i, std::int64_t parts);
  /// Input `i` as a kernel before this one packed it; without words where none did.
  PackedValue packed(int i) const;
  /// Says that of the gradient at output `i`, if it is one, worker w makes the elements from first[w] on.
  void share_gradient(int i, std::vector<std::int64_t> first);
  /// Where input `i` is the images: as bytes too, else null. Who asks reads numbers only where PixelLanes::here is
  /// false.
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
  /// Whether a step of this kernel runs alone, see Device::runs_alone(): it ends in a global phase, and writes nothing
  /// of the arena before that phase. Null: it is taken shard by shard together with its neighbours.
  bool (*runs_alone)(const Plan&, const Step&) = nullptr;
};
using KernelTable = std::vector<KernelEntry>;
const KernelEntry* find_entry(const KernelTable&, std::string_view name);

/// Sums over replicas; the same for every backend on the CPU.
PreparedKernel prepare_all_reduce(KernelContext&);

struct ExecutorOptions {
  const KernelTable* table = nullptr;
  std::function<std::int64_t(const Value&)> bytes_of;
  std::function<bool(const Step&)> is_view;
  /// Turns a border-layout input into the value's layout; called for inputs whose layout is lanes16. "images": by one
  /// phase over shards, which takes them from StepArgs::inputs when these are set and then leaves the border area
  /// alone.
  std::function<PreparedKernel(const Value&, std::byte* border, std::byte* to, RunState&)> load_input;
  std::int64_t load_scratch_bytes = 0;  // of RunState::worker_scratch, for load_input
  /// Before each step; null: nothing. By one thread.
  std::function<void(RunState&)> begin_step;
  void (*end_work)() = nullptr;   // by each worker at a step's end; null: nothing
  const void* backend = nullptr;  // handed to every kernel: a backend's table of functions
  bool flush_denormals = false;
  std::vector<std::string> notes;  // first lines of choices()
};

/// Takes the memory, prepares every step, and cuts the phases into segments. Error: no memory, or a step without a
/// kernel.
Result<std::unique_ptr<Executable>> make_executable(const Plan&, const PrepareArgs&, ExecutorOptions);

}  // namespace nw
