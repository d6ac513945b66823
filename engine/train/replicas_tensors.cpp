// SPDX-License-Identifier: Apache-2.0
// The tensors on the devices in the form in which files store them.
#include <algorithm>

#include "engine/train/initial_weights.hpp"
#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

std::vector<std::int64_t> sizes_of(const Shape& s) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < s.rank(); ++i) sizes.push_back(s[i]);
  return sizes;
}

constexpr std::string_view average = "average ";

/// The name of a trained weight beside its average, which has its own name.
std::string trained_name(const Value& weight) { return "trained " + name_in_files(weight); }

std::string_view dtype_name(DType t) { return t == DType::i64 ? "I64" : t == DType::f64 ? "F64" : "F32"; }

}  // namespace

// The averaged weights take the place of the trained ones in the model, and these that of the averages.
std::vector<TensorSource> Replicas::tensors(bool optimizer) const {
  const Rank& r = *ranks_.front();
  const Plan& plan = all_values();
  std::vector<TensorSource> out;
  for (const auto& [value, bytes] : mean_) {
    const Value& v = plan.values[static_cast<std::size_t>(value)];
    const auto read = [this, value = value, optimizer](std::span<std::byte> to) -> Status {
      const std::vector<std::byte>& from = optimizer ? trained(value) : mean_.at(value);
      std::copy(from.begin(), from.end(), to.begin());
      return ranks_.front()->train->health();
    };
    out.push_back({optimizer ? trained_name(v) : name_in_files(v), v.dtype, sizes_of(v.shape), read});
  }
  if (!optimizer && !mean_.empty()) return out;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (optimizer ? v.role != Role::optimizer : !is_model(v)) continue;
    auto from = static_cast<int>(i);
    std::string name = name_in_files(v);
    if (!optimizer && average_of(plan, v) >= 0) from = average_of(plan, v);
    if (optimizer && v.name.starts_with(average)) {
      from = plan.find(v.name.substr(average.size()));
      name = trained_name(plan.values[static_cast<std::size_t>(from)]);
    }
    if (spread_) {
      out.push_back({name, v.dtype, sizes_of(v.shape), [this, from](std::span<std::byte> to) -> Status {
                       const std::vector<std::byte>& bytes = spread_->collected.at(from);
                       std::copy(bytes.begin(), bytes.end(), to.begin());
                       return {};
                     }});
      continue;
    }
    const Value& source = plan.values[static_cast<std::size_t>(from)];
    out.push_back(
        {name, v.dtype, sizes_of(v.shape), [this, &source, &holder = r.holder(source), from](std::span<std::byte> to) {
           if (source.role == Role::optimizer)
             read_state(from, to);
           else
             holder.read(from, to);
           return holder.health();
         }});
  }
  return out;
}

Replicas::Copy Replicas::copy() const {
  const Rank& r = *ranks_.front();
  Copy all{.tensors = {}, .loss_scale = loss_scale()};
  for (std::size_t i = 0; i < r.training.plan.values.size(); ++i) {
    const Value& v = r.training.plan.values[i];
    if (!is_model(v) && v.role != Role::optimizer) continue;
    std::vector<std::byte>& bytes = all.tensors[v.name];
    bytes.resize(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    if (v.role == Role::optimizer)
      read_state(static_cast<int>(i), bytes);
    else
      r.train->read(static_cast<int>(i), bytes);
  }
  for (const auto& [value, bytes] : mean_)
    all.mean[r.training.plan.values[static_cast<std::size_t>(value)].name] = bytes;
  return all;
}

void Replicas::put(const Copy& all) {
  const Plan& plan = ranks_.front()->training.plan;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (!is_model(v) && v.role != Role::optimizer) continue;
    auto found = all.tensors.find(v.name);
    if (found == all.tensors.end() && v.name.starts_with(average))
      found = all.tensors.find(v.name.substr(average.size()));
    if (found == all.tensors.end()) continue;
    for (auto& r : ranks_) r->holder(v).write(static_cast<int>(i), found->second);
    if (const auto mean = all.mean.find(v.name); mean != all.mean.end()) mean_[static_cast<int>(i)] = mean->second;
  }
  set_loss_scale(all.loss_scale);
}

bool Replicas::averages() const {
  const auto& values = ranks_.front()->training.plan.values;
  return std::any_of(values.begin(), values.end(),
                     [](const Value& v) { return v.role == Role::optimizer && v.name.starts_with(average); });
}

/// Every average becomes the weights as they are now.
void Replicas::begin_averages() {
  const Plan& plan = ranks_.front()->training.plan;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const int to = average_of(plan, plan.values[i]);
    if (to < 0) continue;
    bytes.resize(static_cast<std::size_t>(plan.values[i].shape.elements()) * sizeof(float));
    ranks_.front()->train->read(static_cast<int>(i), bytes);
    for (auto& r : ranks_) r->holder(plan.values[static_cast<std::size_t>(to)]).write(to, bytes);
  }
}

Replicas::Averaged::Averaged(Replicas& replicas) : replicas_(replicas) {
  const Plan& plan = replicas.ranks_.front()->training.plan;
  // A process that is lost meanwhile ends the evaluation, which is exchanged too.
  if (replicas.averages()) (void)replicas.gather_state();
  for (const auto& [value, mean] : replicas.mean_) {
    trained_[value] = replicas.trained(value);
    replicas.write_all(value, mean);
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const int from = average_of(plan, plan.values[i]);
    if (from < 0) continue;
    const auto weight = static_cast<int>(i);
    bytes.resize(static_cast<std::size_t>(plan.values[i].shape.elements()) * sizeof(float));
    const Rank& first = *replicas.ranks_.front();
    first.train->read(weight, bytes);
    trained_[weight] = bytes;
    replicas.read_state(from, bytes);
    for (auto& r : replicas.ranks_) r->train->write(weight, bytes);
  }
}

Replicas::Averaged::~Averaged() {
  for (const auto& [value, bytes] : trained_) replicas_.write_all(value, bytes);
}

Replicas::First Replicas::first() const {
  const Rank& r = *ranks_.front();
  return {*r.device, r.team.get(), *r.train, r.evaluate ? r.whole() : *r.train};
}

LossScale Replicas::loss_scale() const { return ranks_.front()->train->loss_scale(); }
void Replicas::set_loss_scale(const LossScale& s) {
  for (auto& r : ranks_) r->train->set_loss_scale(s);
}

std::vector<TensorSource> Replicas::model() const { return tensors(false); }
std::vector<TensorSource> Replicas::optimizer() const { return tensors(true); }

Status Replicas::restore(const SafetensorsFile& model, const SafetensorsFile& optimizer, bool of_mean) {
  NW_TRY(restore_tensors(model, false));
  NW_TRY(restore_tensors(optimizer, true));
  return restore_average(optimizer, of_mean);
}

/// The weights and buffers as they are now become the mean.
void Replicas::take_as_mean() {
  const auto& values = ranks_.front()->training.plan.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_model(values[i])) mean_[static_cast<int>(i)] = trained(static_cast<int>(i));
}

/// The model holds the averages; a run that has had none begins them with its weights.
Status Replicas::restore_average(const SafetensorsFile& optimizer, bool of_mean) {
  const Plan& plan = ranks_.front()->training.plan;
  begin_averages();
  if (of_mean) take_as_mean();
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    const TensorInfo* trained = is_model(v) ? optimizer.find(trained_name(v)) : nullptr;
    if (!trained || trained->shape != sizes_of(v.shape) || trained->dtype != dtype_name(v.dtype)) continue;
    bytes.resize(trained->bytes());
    NW_TRY(optimizer.read(*trained, bytes));
    for (auto& r : ranks_) r->train->write(static_cast<int>(i), bytes);
  }
  return {};
}

Result<Replicas::Taken> Replicas::take_weights(const SafetensorsFile& file, std::span<const std::string> fresh) {
  const auto begins_anew = [&](const std::string& name) {
    return std::find(fresh.begin(), fresh.end(), name.substr(0, name.rfind('.'))) != fresh.end();
  };
  const Plan& plan = ranks_.front()->training.plan;  // where processes are stages, of this one's
  Taken done;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (!is_model(v) || begins_anew(v.name)) continue;
    const TensorInfo* fitting = file.find(name_in_files(v));
    if (!fitting || fitting->shape != sizes_of(v.shape) || fitting->dtype != dtype_name(v.dtype)) {
      if (v.shape.rank() > 0) done.left.push_back(v.name);  // counters begin at zero
      continue;
    }
    bytes.resize(fitting->bytes());
    NW_TRY(file.read(*fitting, bytes));
    for (auto& r : ranks_) r->train->write(static_cast<int>(i), bytes);
    ++done.taken;
  }
  begin_averages();
  NW_TRY(count_over_stages(done));
  return done;
}

Result<Replicas::Taken> Replicas::carry(const SafetensorsFile& model, const SafetensorsFile& optimizer, bool of_mean) {
  NW_ASSIGN(const Taken weights, take_weights(model));
  Taken done;
  const Plan& plan = ranks_.front()->training.plan;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::optimizer || v.name.starts_with(average)) continue;
    const TensorInfo* fitting = optimizer.find(name_in_files(v));
    if (!fitting || fitting->shape != sizes_of(v.shape) || fitting->dtype != dtype_name(v.dtype)) {
      done.left.push_back(v.name);
      continue;
    }
    bytes.resize(fitting->bytes());
    NW_TRY(optimizer.read(*fitting, bytes));
    for (auto& r : ranks_) r->holder(v).write(static_cast<int>(i), bytes);
    ++done.taken;
  }
  NW_TRY(restore_average(optimizer, of_mean));
  NW_TRY(count_over_stages(done));
  done.taken += weights.taken;
  done.left.insert(done.left.begin(), weights.left.begin(), weights.left.end());
  return done;
}

Status Replicas::restore_tensors(const SafetensorsFile& file, bool optimizer) {
  const Plan& plan = ranks_.front()->training.plan;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (optimizer ? v.role != Role::optimizer || v.name.starts_with(average) : !is_model(v)) continue;
    const TensorInfo* info = file.find(name_in_files(v));
    if (!info)
      return fail(Errc::bad_input, NW_TR("{0} holds no \"{1}\": it belongs to another network"), file.where(), v.name);
    if (info->shape != sizes_of(v.shape) || info->dtype != dtype_name(v.dtype))
      return fail(Errc::bad_input, NW_TR("{0}: \"{1}\" does not have the shape {2}: it belongs to another network"),
                  file.where(), v.name, to_string(v.shape));
    bytes.resize(info->bytes());
    NW_TRY(file.read(*info, bytes));
    for (auto& r : ranks_) r->holder(v).write(static_cast<int>(i), bytes);
  }
  return {};
}

}  // namespace nw
