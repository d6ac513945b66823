// SPDX-License-Identifier: Apache-2.0
// Stochastic weight averaging: Izmailov et al., "Averaging weights leads to wider optima and better generalization",
// UAI 2018, as torch.optim.swa_utils. The mean over epochs is kept on the host, beside what is trained; statistics of
// batch norm are measured with it, as update_bn does.
#include <cstring>

#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

std::vector<float> as_floats(std::span<const std::byte> bytes) {
  std::vector<float> all(bytes.size() / sizeof(float));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

std::vector<std::byte> as_bytes(std::span<const float> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return {bytes.begin(), bytes.end()};
}

/// The forward steps of a training step; what they measure replaces the statistics of before.
Plan measuring_plan(Plan plan) {
  std::erase_if(plan.steps, [](const Step& s) { return s.phase != Phase::forward; });
  for (Step& s : plan.steps)
    if (s.kernel == "batch_norm_finalize") s.attrs["momentum"] = 1.0;
  return plan;
}

}  // namespace

std::vector<std::byte> Replicas::trained(int value) const {
  const Rank& first = *ranks_.front();
  const Value& v = first.training.plan.values[static_cast<std::size_t>(value)];
  std::vector<std::byte> bytes(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  first.train->read(value, bytes);
  return bytes;
}

void Replicas::write_all(int value, std::span<const std::byte> bytes) {
  for (auto& r : ranks_) r->train->write(value, bytes);
}

Status Replicas::add_to_mean(std::int64_t already) {
  const auto& values = ranks_.front()->training.plan.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_model(values[i])) continue;
    std::vector<std::byte> now = trained(static_cast<int>(i));
    std::vector<std::byte>& mean = mean_[static_cast<int>(i)];
    if (already > 0 && values[i].role == Role::weight) {
      std::vector<float> sum = as_floats(mean);
      const std::vector<float> added = as_floats(now);
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += (added[e] - sum[e]) / static_cast<float>(already + 1);
      now = as_bytes(sum);
    }
    mean = std::move(now);
  }
  return ranks_.front()->train->health();
}

Status Replicas::measure_statistics(const std::function<const BatchSamples*()>& next, const StepArgs& args) {
  if (!has_batch_norm_ || mean_.empty()) return {};
  std::map<int, std::vector<double>> sums;
  std::int64_t batches = 0;
  {
    const Averaged averaged(*this);
    std::vector<std::unique_ptr<Executable>> forward(ranks_.size());
    NW_TRY(on_all([&](Rank& r) -> Status {
      NW_ASSIGN(const Compiled whole, whole_plan(r));
      NW_ASSIGN(forward[r.index], r.device->prepare(measuring_plan(whole.plan), {.team = r.team.get(),
                                                                                 .communicator = r.communicator,
                                                                                 .weights_from = r.train.get(),
                                                                                 .takes_turns = true}));
      return {};
    }));
    for (const BatchSamples* batch = next(); batch; batch = next(), ++batches) {
      NW_TRY(on_all([&](Rank& r) {
        StepArgs mine = args_for(r, *batch, args);
        r.shares[0] = BatchInputs(*batch, share_ * r.rank, share_, nullptr);  // this executable keeps no samples
        return forward[r.index]->run(mine);
      }));
      add_statistics(sums);
    }
  }
  for (auto& [value, bytes] : mean_)
    if (ranks_.front()->training.plan.values[static_cast<std::size_t>(value)].role == Role::buffer && batches > 0)
      bytes = mean_statistics(value, sums[value], batches);
  return ranks_.front()->train->health();
}

/// Adds the statistics of the first device.
void Replicas::add_statistics(std::map<int, std::vector<double>>& sums) const {
  const auto& values = ranks_.front()->training.plan.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].role != Role::buffer || values[i].dtype != DType::f32) continue;
    const std::vector<float> now = as_floats(trained(static_cast<int>(i)));
    std::vector<double>& sum = sums[static_cast<int>(i)];
    sum.resize(now.size());
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += static_cast<double>(now[e]);
  }
}

/// A counter is the number of batches.
std::vector<std::byte> Replicas::mean_statistics(int value, const std::vector<double>& sum,
                                                 std::int64_t batches) const {
  if (ranks_.front()->training.plan.values[static_cast<std::size_t>(value)].dtype == DType::i64) {
    const auto bytes = std::as_bytes(std::span(&batches, 1));
    return {bytes.begin(), bytes.end()};
  }
  std::vector<float> all;
  for (const double s : sum) all.push_back(static_cast<float>(s / static_cast<double>(batches)));
  return as_bytes(all);
}

}  // namespace nw
