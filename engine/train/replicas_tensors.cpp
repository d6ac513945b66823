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

std::string_view dtype_name(DType t) { return t == DType::i64 ? "I64" : t == DType::f64 ? "F64" : "F32"; }

}  // namespace

std::vector<TensorSource> Replicas::tensors(bool optimizer) const {
  const Rank& r = *ranks_.front();
  std::vector<TensorSource> out;
  for (std::size_t i = 0; i < r.training.plan.values.size(); ++i) {
    const Value& v = r.training.plan.values[i];
    if (optimizer ? v.role != Role::optimizer : !is_model(v)) continue;
    out.push_back({name_in_files(v), v.dtype, sizes_of(v.shape), [&r, i](std::span<std::byte> to) {
                     r.train->read(static_cast<int>(i), to);
                     return r.train->health();
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
    r.train->read(static_cast<int>(i), bytes);
  }
  return all;
}

void Replicas::put(const Copy& all) {
  const Plan& plan = ranks_.front()->training.plan;
  for (const auto& [name, bytes] : all.tensors)
    for (auto& r : ranks_) r->train->write(plan.find(name), bytes);
  set_loss_scale(all.loss_scale);
}

Replicas::First Replicas::first() const {
  return {*ranks_.front()->device, ranks_.front()->team.get(), *ranks_.front()->train};
}

LossScale Replicas::loss_scale() const { return ranks_.front()->train->loss_scale(); }
void Replicas::set_loss_scale(const LossScale& s) {
  for (auto& r : ranks_) r->train->set_loss_scale(s);
}

std::vector<TensorSource> Replicas::model() const { return tensors(false); }
std::vector<TensorSource> Replicas::optimizer() const { return tensors(true); }

Status Replicas::restore(const SafetensorsFile& model, const SafetensorsFile& optimizer) {
  NW_TRY(restore_tensors(model, false));
  return restore_tensors(optimizer, true);
}

Result<Replicas::Taken> Replicas::take_weights(const SafetensorsFile& file, std::span<const std::string> fresh) {
  const auto begins_anew = [&](const std::string& name) {
    return std::find(fresh.begin(), fresh.end(), name.substr(0, name.rfind('.'))) != fresh.end();
  };
  const Plan& plan = ranks_.front()->training.plan;
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
  return done;
}

Status Replicas::restore_tensors(const SafetensorsFile& file, bool optimizer) {
  const Plan& plan = ranks_.front()->training.plan;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (optimizer ? v.role != Role::optimizer : !is_model(v)) continue;
    const TensorInfo* info = file.find(name_in_files(v));
    if (!info)
      return fail(Errc::bad_input, NW_TR("{0} holds no \"{1}\": it belongs to another network"), file.where(), v.name);
    if (info->shape != sizes_of(v.shape) || info->dtype != dtype_name(v.dtype))
      return fail(Errc::bad_input, NW_TR("{0}: \"{1}\" does not have the shape {2}: it belongs to another network"),
                  file.where(), v.name, to_string(v.shape));
    bytes.resize(info->bytes());
    NW_TRY(file.read(*info, bytes));
    for (auto& r : ranks_) r->train->write(static_cast<int>(i), bytes);
  }
  return {};
}

}  // namespace nw
