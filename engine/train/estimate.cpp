// SPDX-License-Identifier: Apache-2.0
#include "engine/train/estimate.hpp"

#include <algorithm>
#include <functional>

#include "engine/core/free_memory.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/trainer.hpp"
#include "kernels/state_shard.hpp"

namespace nw {
namespace {

constexpr std::int64_t max_images = std::int64_t{1} << 20;  // limit of one device's shard
constexpr double warm_up_s = 0.2, longest_wait_s = 20;

/// Virtual processors share the machine's memory, of which only what is free can be used.
std::int64_t memory_there(const std::vector<ResolvedDevice>& devices, const ResolvedDevice& one) {
  const auto is_cpu = [](const ResolvedDevice& d) { return d.name.rfind("cpu", 0) == 0; };
  if (!is_cpu(one)) return one.device->memory_bytes();
  const std::int64_t built_in = one.device->memory_bytes(), free = free_memory_bytes();
  return (free > 0 ? std::min(built_in, free) : built_in) / std::count_if(devices.begin(), devices.end(), is_cpu);
}

/// The memory that a device needs for a shard of the batch. The arena is planned for each shard size; training and
/// evaluation use it in turn. Other memory grows linearly; its slope is measured with two shard sizes that were
/// prepared.
class Need {
 public:
  Need(const GraphDoc& doc, const DataFacts& facts, const Device* device) : doc_(doc), facts_(facts), device_(device) {}
  void learn(std::int64_t share, std::int64_t bytes, std::int64_t smaller_share, std::int64_t smaller_bytes) {
    const double beside = static_cast<double>(bytes - area(share)),
                 beside_smaller = static_cast<double>(smaller_bytes - area(smaller_share));
    each_ = share > smaller_share
                ? std::max(0.0, (beside - beside_smaller) / static_cast<double>(share - smaller_share))
                : 0;
    fixed_ = beside - each_ * static_cast<double>(share);
  }
  std::int64_t bytes(std::int64_t share) const {
    return area(share) + static_cast<std::int64_t>(fixed_ + each_ * static_cast<double>(share));
  }

 private:
  std::int64_t area(std::int64_t share) const {
    std::int64_t most = 0;
    for (const bool training : {true, false})
      if (const auto compiled =
              compile(doc_, {.training = training, .batch = share, .device = device_, .data = facts_}))
        most = std::max(most, compiled->plan.arena_bytes);
    return most;
  }
  const GraphDoc& doc_;
  const DataFacts& facts_;
  const Device* device_;
  double fixed_ = 0, each_ = 0;
};

/// The largest shard that fits, by doubling and bisection.
std::int64_t largest_share(const std::function<std::int64_t(std::int64_t)>& bytes_of, std::int64_t share,
                           std::int64_t there) {
  const auto fits = [&](std::int64_t batch) { return bytes_of(batch) <= there; };
  std::int64_t low = 0, high = share;
  for (; high <= max_images && fits(high); high *= 2) low = high;
  if (high > max_images) return low;
  while (high - low > std::max<std::int64_t>(1, low / 64)) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// The same training with half the batch; null if it cannot be halved.
Result<std::unique_ptr<Replicas>> half_of(const GraphDoc& doc, const DataFacts& facts,
                                          const std::vector<ResolvedDevice>& devices) {
  GraphDoc smaller = doc;
  TrainSettings s = doc.settings();
  s.batch /= 2;
  if (s.batch < static_cast<std::int64_t>(devices.size())) return std::unique_ptr<Replicas>();
  NW_ASSIGN(const Edit before, smaller.apply({PutSettings{s}}));
  (void)before;
  return Replicas::make(smaller, facts, devices);
}

double epoch_of(const SpeedEstimate& s) {
  if (s.images_per_s <= 0) return 0;
  return (static_cast<double>(s.train) + static_cast<double>(s.validation) / 3) / s.images_per_s;
}

/// Multiply-adds to predict one image.
double work_of(const GraphDoc& doc, const DataFacts& facts) {
  return static_cast<double>(analyse(doc, {.data = facts}).multiply_adds);
}

/// A small network of Netwright's own for the document's devices and precision: with convolutions if it has some.
Result<GraphDoc> yardstick(const GraphDoc& doc) {
  const auto& nodes = doc.graph().nodes;
  const bool convolves = std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return node.second.type == "Block" || node.second.type.find("Conv") != std::string::npos;
  });
  GraphDoc own = find_template(convolves ? "lenet5" : "mlp")->make();
  TrainSettings s = own.settings();
  s.devices = doc.settings().devices;
  s.threads = doc.settings().threads;
  s.precision = doc.settings().precision;
  DataChoice d = own.data();
  d.kind = SourceKind::synthetic;
  d.path.clear();
  d.synthetic_train = 2048;
  d.synthetic_test = 64;
  NW_ASSIGN(const Edit before, own.apply({PutSettings{s}, PutData{d}}));
  (void)before;
  return own;
}

/// Sums the step events after the warm-up, and stops the training when there are enough.
class Listener final : public EventSink {
 public:
  Listener(TrainControl& control, double seconds) : control_(control), seconds_(seconds) {}
  void post(const Event& e) override {
    if (const auto* started = std::get_if<Started>(&e.what)) take(*started);
    const auto* steps = std::get_if<Steps>(&e.what);
    if (!steps || steps->images_per_s <= 0) return;
    if (first_t_ < 0) first_t_ = e.t;
    const double images = static_cast<double>(steps->count * batch_);
    const bool warm = e.t - first_t_ >= std::min(warm_up_s, seconds_ / 2);
    if (warm && !warm_) images_ = trained_s_ = 0;  // resets the sums: earlier events belong to the warm-up
    warm_ = warm;
    images_ += images;
    trained_s_ += images / steps->images_per_s;
    if ((warm && trained_s_ >= seconds_) || e.t - first_t_ > longest_wait_s) control_.stop(true);
  }
  SpeedEstimate result() const {
    SpeedEstimate s = sizes_;
    if (trained_s_ > 0) s.images_per_s = images_ / trained_s_;
    s.epoch_s = epoch_of(s);
    return s;
  }

 private:
  void take(const Started& s) {
    batch_ = s.batch;
    sizes_.train = s.train;
    sizes_.validation = s.validation;
  }
  TrainControl& control_;
  const double seconds_;
  SpeedEstimate sizes_;
  std::int64_t batch_ = 1;
  double first_t_ = -1, images_ = 0, trained_s_ = 0;
  bool warm_ = false;
};

}  // namespace

Result<MemoryEstimate> estimate_memory(const GraphDoc& doc, const DataFacts& facts,
                                       const std::vector<ResolvedDevice>& devices) {
  NW_ASSIGN(const auto half, half_of(doc, facts, devices));
  NW_ASSIGN(const auto whole, Replicas::make(doc, facts, devices));
  MemoryEstimate estimate;
  std::int64_t least = max_images;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const int rank = static_cast<int>(i);
    const DeviceNeed need{devices[i].name, whole->memory_bytes_of(rank), memory_there(devices, devices[i]),
                          whole->saved_bytes_of(rank)};
    estimate.devices.push_back(need);
    Need growing(doc, facts, devices[i].device.get());
    const Replicas& smaller = half ? *half : *whole;
    growing.learn(whole->share(), need.memory_bytes, smaller.share(), smaller.memory_bytes_of(rank));
    least = need.there_bytes <= 0
                ? 0
                : std::min(least, largest_share([&](std::int64_t share) { return growing.bytes(share); },
                                                whole->share(), need.there_bytes));
  }
  estimate.largest_batch = least * static_cast<std::int64_t>(devices.size());
  return estimate;
}

std::vector<std::int64_t> saved_by_sharding(const GraphDoc& doc, const DataFacts& facts,
                                            const std::vector<ResolvedDevice>& devices) {
  std::vector<std::int64_t> saved(devices.size());
  if (devices.size() < 2) return saved;
  const auto compiled =
      compile(doc, {.training = true, .batch = 1, .device = devices.front().device.get(), .data = facts});
  if (!compiled) return saved;
  const std::vector<std::int64_t> bounds = shard_bounds(compiled->plan, static_cast<int>(devices.size()));
  for (std::size_t i = 0; i < saved.size(); ++i)
    saved[i] = state_bytes_elsewhere(compiled->plan, bounds[i], bounds[i + 1]);
  return saved;
}

MemoryEstimate planned_memory(const GraphDoc& doc, const DataFacts& facts, const std::vector<ResolvedDevice>& devices) {
  const auto world = static_cast<std::int64_t>(devices.size());
  const std::int64_t share = std::max<std::int64_t>(1, (doc.settings().batch + world - 1) / world);
  MemoryEstimate estimate;
  std::int64_t least = max_images;
  std::vector<std::int64_t> saved(devices.size());
  if (doc.settings().parallel == Parallelism::sharded) saved = saved_by_sharding(doc, facts, devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const ResolvedDevice& one = devices[i];
    const auto bytes_of = [&](std::int64_t batch) {
      return analyse(doc, {.batch = batch, .device = one.device.get(), .data = facts}).memory_bytes - saved[i];
    };
    const DeviceNeed need{one.name, bytes_of(share), memory_there(devices, one), saved[i]};
    estimate.devices.push_back(need);
    least = need.there_bytes <= 0 ? 0 : std::min(least, largest_share(bytes_of, share, need.there_bytes));
  }
  estimate.largest_batch = least * world;
  return estimate;
}

Result<SpeedEstimate> computed_speed(const GraphDoc& doc, const DataFacts& facts, double seconds) {
  NW_ASSIGN(const GraphDoc own, yardstick(doc));
  NW_ASSIGN(const SpeedEstimate pace, measure_speed(own, "", seconds));
  const double own_work = work_of(own, {}), work = work_of(doc, facts);
  SpeedEstimate s{.train = facts.train, .validation = facts.validation};
  if (work > 0) s.images_per_s = pace.images_per_s * own_work / work;
  s.epoch_s = epoch_of(s);
  return s;
}

Result<SpeedEstimate> measure_speed(const GraphDoc& doc, const std::string& data_dir, double seconds) {
  TrainRequest request;
  request.definition.doc = doc;
  request.definition.data_dir = data_dir;
  TrainSettings s = doc.settings();
  s.epochs = 1'000'000;
  s.early_stopping_epochs = 0;
  NW_ASSIGN(const Edit before, request.definition.doc.apply({PutSettings{s}}));
  (void)before;
  TrainControl control;
  Listener listener(control, seconds);
  NW_ASSIGN(const TrainResult ended, train(std::move(request), control, listener));
  (void)ended;
  return listener.result();
}

}  // namespace nw
