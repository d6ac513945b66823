// SPDX-License-Identifier: Apache-2.0
// The interface between the engine and a backend. The other parts of the program include no other header of kernels,
// except tensor.hpp, result.hpp, fill_inputs.hpp and math/. A backend does not depend on layers or files; it runs on
// the threads that it is given.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/math/pixel_scale.hpp"
#include "kernels/result.hpp"
#include "kernels/tensor.hpp"

namespace nw {

/// The role of a value; determines where it is stored and which steps may write it.
enum class Role : std::uint8_t {
  input,   // written by the loader before each step: "images" f32 (N,C,H,W), "labels" i64 (N) or "targets" f32 (N,K)
  weight,  // f32 master weights, in one flat region, reverse layer order
  weight_grad,  // same order, same offsets, in a second flat region
  optimizer,    // per-weight state ("momentum", "adam_m", "adam_v"), flat regions with the weights' offsets
  buffer,       // kept between steps, without a gradient (running mean and variance, num_batches_tracked)
  activation,   // computed in forward; batch-sharded
  gradient,     // computed in backward; batch-sharded
  saved,        // computed in forward for backward only (argmax bytes, dropout masks, batch statistics)
};

/// One tensor of a plan. Steps refer to it by its index in Plan::values.
struct Value {
  // "conv1", "conv1.weight", "grad conv1", "grad conv1.weight", "momentum conv1.weight", "adam_m conv1.weight"; weights
  // and buffers carry PyTorch's dotted names. A weight's gradient and states are found by these prefixes.
  std::string name;
  Shape shape;  // logical, (N,C,H,W) order
  DType dtype = DType::f32;
  Layout layout = Layout::nhwc;
  Role role = Role::activation;
  bool batched = true;  // the first dimension is the batch
  int producer = -1;    // step that computes it; -1: exists before the step (input, weight, buffer, optimizer)
  int first_use = -1, last_use = -1;  // step indices; filled by plan_memory
  // Filled by plan_memory. Activation, gradient, saved: in the arena, from Device::bytes_of. Weight, weight_grad,
  // optimizer: in their flat region (a gradient and a state have their weight's offset). Buffers and inputs need none:
  // the backend owns them.
  std::int64_t offset_bytes = -1;
  // this value shares the storage of that one (a view or an in-place output); filled by the alias pass
  int alias_of = -1;
  int fan_in = 0, fan_out = 0;  // weights only: for initialisation
  std::string init;             // weights only: "kaiming_uniform", "uniform_fan_in", "ones", "zeros", …
  bool decay = true;            // weights only: weight decay and L1/L2 apply
  double lr_scale = 1;          // weights only: multiplies the learning rate; 0 = frozen
};

enum class Phase : std::uint8_t { forward, backward, reduce, update };

/// One call of one kernel. The name of a kernel is its operator, or op_grad_<result>: conv2d, conv2d_grad_input,
/// conv2d_grad_weight.
struct Step {
  std::string kernel;
  std::vector<int> inputs, outputs;  // value indices; an optional one that is absent is -1
  StepAttrs attrs;
  Phase phase = Phase::forward;
  // unique in the plan, unchanged by edits of other layers: part of the key of random numbers; see Philox
  std::int64_t op = 0;
  std::string label;  // dotted name of the node, for messages and profiles
};

/// The whole training step as data: built once by engine/compile, run many times by a backend.
struct Plan {
  std::vector<Value> values;
  std::vector<Step> steps;
  std::int64_t batch = 0;  // samples per device and step
  int world = 1;           // replicas; > 1: reduce steps use the Communicator
  bool training = true;    // false: forward only, batch norm uses running statistics, dropout is identity
  // The format of products' operands: f32, tf32, bf16 or f16. Where the device stores it (Device::stored_as), batched
  // activations and gradients have 16 bits too; elsewhere steps round the operands of products. Weights, their
  // gradients and sums stay f32.
  DType compute = DType::f32;
  // True: only products that the device computes faster in `compute` do, the others in f32.
  bool only_where_faster = false;
  std::int64_t arena_bytes = 0;      // activations, gradients, saved: planned from lifetimes
  std::int64_t weight_elements = 0;  // flat region size (each weight padded to 16 elements, padding always zero)
  int find(std::string_view value_name) const;  // index, or -1 if there is none
};

/// A data set that a device may store: u8 pixels, and their transform in a step. Random numbers are those of
/// engine/data: by (seed, epoch, data-set index) under `crop_op` and `flip_op`.
struct SampleSet {
  const void* identity = nullptr;  // equal for equal pixels and labels, which are stored once
  std::int64_t count = 0, height = 0, width = 0, channels = 0;
  std::function<const std::uint8_t*(std::int64_t)> pixels;  // (H,W,C) of one sample
  std::function<std::int64_t(std::int64_t)> label;
  std::vector<PixelScale> scales;  // one for each channel
  std::int64_t crop_padding = 0;   // images are shifted by up to this number of pixels and filled with zeros
  bool mirror = false;             // with probability 1/2
  std::uint32_t crop_op = 0, flip_op = 0;
};
/// A SampleSet stored on a device; freed with its last reference.
class DeviceSamples {
 public:
  virtual ~DeviceSamples() = default;
};

/// The inputs of one step on one device. An Executable uses the form that suits the device: the data set stored there,
/// bytes in memory, or images as numbers. Workers call the functions concurrently, for different samples.
class StepInputs {
 public:
  virtual ~StepInputs() = default;
  /// Writes samples [first, first + count) of this device's batch, normalized, in host layout (count, H, W, C); zeros
  /// after the last valid sample. Error: a source that cannot be read.
  virtual Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const = 0;
  /// Valid sample `i` as bytes (H,W,C) in memory, if images() only scales them; else null.
  virtual const std::uint8_t* bytes(std::int64_t i) const {
    (void)i;
    return nullptr;
  }
  /// One for each channel, for bytes(); empty where bytes() is always null.
  virtual std::span<const PixelScale> scales() const { return {}; }
  /// (batch), zero after the last valid one. Empty: the step reads the input that was last written.
  virtual std::span<const std::int64_t> labels() const { return {}; }
  /// (batch, K); otherwise as labels().
  virtual std::span<const float> targets() const { return {}; }
  /// The data set stored on the device, of which StepArgs::sample are indices; null: it is not stored, or the step
  /// requires a different transform.
  virtual const DeviceSamples* kept() const { return nullptr; }
};

/// Hyper-parameters and counters of one step. A device with step state of its own gets them only when they change.
struct StepArgs {
  std::int64_t step = 0;  // 0-based index of the update
  std::int64_t epoch = 0;
  std::uint64_t seed = 0;
  std::int64_t valid = 0;         // actual samples in this batch on this device (the rest of the batch is padding)
  std::int64_t global_valid = 0;  // over all replicas; the loss is the mean over these
  // what the sum of their losses is divided by instead, where samples have weights; 0: global_valid
  double loss_weight = 0;
  double learning_rate = 0;              // after the learning-rate schedule
  const std::int64_t* sample = nullptr;  // (batch) data-set index of each sample: keys dropout and augmentation
  const StepInputs* inputs = nullptr;    // null: the inputs were written before the step
};

/// Dynamic loss scaling of an f16 plan (Micikevicius et al., 2018); part of a checkpoint.
struct LossScale {
  double scale = 0;             // factor of the loss's gradient; 0: no scaling
  std::int64_t good_steps = 0;  // steps since it last changed
};

/// The results of a step. Read after run(); sums over this device's valid samples.
struct StepMetrics {
  double loss_sum = 0;       // data term only, summed over samples
  double penalty = 0;        // L1 + L2 terms, once
  std::int64_t correct = 0;  // top-1; for binary targets, all outputs on the correct side of 0.5
  std::int64_t samples = 0;
  double grad_norm = 0;  // L2 over all weights before clipping; 0 if the plan does not need it
  bool finite = true;    // false: the update was skipped, the weights are unchanged
  // the scaled gradients overflowed: the update was skipped, the scale is reduced
  bool skipped = false;
};

/// The engine's threads, lent to a backend. The size is fixed. run() calls fn(worker) once on each and returns when all
/// have returned.
class Team {
 public:
  virtual ~Team() = default;
  virtual int size() const = 0;
  virtual void run(const std::function<void(int worker)>& fn) = 0;
  /// Inside run(): waits for all workers. Spins briefly, then yields; no system call if no worker is late.
  virtual void barrier(int worker) = 0;
};

/// Sums over replicas. Deterministic: adds in rank order. Called by one worker of each replica.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int world() const = 0;
  /// In place; every rank gets the same bytes. False: a rank is lost or abort() was called; the step must end.
  virtual bool all_reduce_sum(float* data, std::int64_t count) = 0;
  virtual bool all_reduce_sum(double* data, std::int64_t count) = 0;
  virtual void abort() = 0;
  /// True after abort(): threads that wait for something else must return too.
  virtual bool aborted() const { return false; }
};

/// The time of the last step: one entry per executed step of the plan, summed over the workers.
struct StepTime {
  std::string label, kernel;
  double seconds = 0;
};

/// A plan prepared for one device: memory allocated, kernels chosen. Used by one thread at a time.
class Executable {
 public:
  virtual ~Executable() = default;
  /// One step over StepArgs::inputs, or over the inputs written before. Error: communicator aborted, device lost, an
  /// image could not be read.
  virtual Status run(const StepArgs&) = 0;
  virtual StepMetrics metrics() const = 0;
  /// Host access by value index, in the host layout (nhwc; weights, gradients of weights, optimizer state and buffers:
  /// torch). Values stored with 16 bits are converted from and to f32.
  virtual void write(int value, std::span<const std::byte> bytes) = 0;
  virtual void read(int value, std::span<std::byte> bytes) const = 0;
  /// The first failure of write() or read() so far; read() gives zeros on a lost device. Check it before using them.
  virtual Status health() const { return {}; }
  /// Gets and sets the state of dynamic loss scaling. No effect where the plan does not scale.
  virtual LossScale loss_scale() const { return {}; }
  virtual void set_loss_scale(const LossScale&) {}
  /// Bytes allocated: arena, weights, gradients, optimizer state, scratch.
  virtual std::int64_t memory_bytes() const = 0;
  /// Implementations chosen by prepare(), written to run.json: "conv1: lanes16 direct, AVX-512".
  virtual std::vector<std::string> choices() const { return {}; }
  /// Stores the set on the device, for StepInputs::kept(). Null: not supported, or not enough memory beside the plan.
  virtual Result<std::shared_ptr<DeviceSamples>> keep(const SampleSet&) { return std::shared_ptr<DeviceSamples>(); }
  /// The number of steps to give run_many() at once, over stored samples or over inputs that the host prepares; may
  /// change from call to call.
  virtual std::int64_t steps_at_once(bool of_kept) const {
    (void)of_kept;
    return 1;
  }
  /// Runs the steps in order, without the host in between; `results` receives the results of each. After a step that is
  /// not finite no later one changes the weights.
  virtual Status run_many(std::span<const StepArgs> steps, std::span<StepMetrics> results) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      NW_TRY(run(steps[i]));
      results[i] = metrics();
    }
    return {};
  }
  /// Empty unless PrepareArgs::profile was set and the backend measures it.
  virtual std::vector<StepTime> step_times() const { return {}; }
};

/// Arguments of prepare().
struct PrepareArgs {
  Team* team = nullptr;                  // required; outlives the Executable
  Communicator* communicator = nullptr;  // null when plan.world == 1
  Executable* weights_from = nullptr;    // same backend: share its weights and buffers (evaluation beside training)
  // with weights_from: the two never run at the same time, and no value of the arena is read after the other has run:
  // shares its arena too
  bool takes_turns = false;
  bool profile = false;  // measure the time of every step, which slows it
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;         // "cpu", "cuda:0"
  virtual std::string description() const = 0;  // "Intel Xeon, AVX-512"
  virtual std::int64_t memory_bytes() const = 0;
  /// The place of the hardware on the PCI bus, "0000:3b:00.0", by which other programs know it; empty: none
  /// or unknown.
  virtual std::string bus_id() const { return {}; }
  /// Peak floating-point operations per second of one of its threads (a multiply-add is two), measured in about 20 ms;
  /// 0: unknown.
  virtual double peak_flops() const { return 0; }
  /// Empty: this step can run here. Otherwise one sentence with the reason ("cpu has no conv2d_grad_input for bf16").
  virtual Text supports(const Plan&, const Step&) const = 0;
  /// Whether plans can compute in this format (Plan::compute) here.
  virtual bool computes_in(DType) const { return true; }
  /// Whether there are products which this device computes faster in this format than in f32.
  virtual bool gains_by(DType) const { return false; }
  /// The format in which batched activations and gradients, and products' weights, are stored when a plan computes in
  /// `compute`.
  virtual DType stored_as(DType compute) const {
    (void)compute;
    return DType::f32;
  }
  /// Chooses Value::layout for every value (default: leaves nhwc / torch).
  virtual void choose_layouts(Plan&) const {}
  /// True: this step's output may share its first input's storage (flatten in lanes16); the step is then not run.
  virtual bool is_view(const Plan&, const Step&) const { return false; }
  /// True: every earlier step has ended for all samples before this one writes, and this one has read all inputs before
  /// a later one begins. False: it is computed shard by shard together with adjacent steps, so for the memory planner
  /// consecutive such steps happen at the same time (their values must not share memory).
  virtual bool runs_alone(const Plan&, const Step&) const { return true; }
  /// True: this step, which computes gradients of weights, should move to the end of the backward pass, next to other
  /// such steps.
  virtual bool gathers(const Plan&, const Step&) const { return false; }
  /// Bytes of a value in its layout, padding included.
  virtual std::int64_t bytes_of(const Plan&, const Value&) const = 0;
  virtual Result<std::unique_ptr<Executable>> prepare(const Plan&, const PrepareArgs&) const = 0;
};

/// What the sum of the losses of all replicas' samples is divided by.
inline double loss_divisor(const StepArgs& a) {
  return a.loss_weight > 0 ? a.loss_weight : static_cast<double>(a.global_valid);
}

inline constexpr int backend_api_version = 11;

/// The entry points of a backend; a plug-in exports `extern "C" const nw::Backend* netwright_backend()`.
struct Backend {
  int api_version;   // first member, at a fixed offset in all versions
  const char* name;  // "reference", "cpu", "cuda"
  std::vector<std::shared_ptr<Device>> (*devices)();
  /// The requirements that this machine lacks, one sentence each with how to get it; the first is the reason if there
  /// is no device. `used`: only what matters to that number of devices; 0: to all of the machine. May be null: no
  /// requirements.
  std::vector<Text> (*missing)(int used);
};
const Backend& reference_backend();  // plain loops: the reference implementation for all tests
const Backend& cpu_backend();        // the optimized one

}  // namespace nw
