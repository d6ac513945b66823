// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cudnn_graph.hpp"

#include "kernels/cuda/cudnn_names.hpp"

namespace nw::cuda {
namespace {

const char* name_of(DType t) { return t == DType::f16 ? "f16" : t == DType::bf16 ? "bf16" : "f32"; }
const char* name_of(GraphOperation::Kind k) {
  constexpr const char* names[] = {"forward", "data_gradient", "filter_gradient", "add", "relu", "statistics"};
  return names[k];
}
std::string line_of(const Window& w) {
  std::string s;
  for (const auto& pair : {w.strides, w.padding, w.dilations})
    s += " " + std::to_string(pair[0]) + "," + std::to_string(pair[1]);
  return s;
}

}  // namespace

int Graph::tensor(DType type, std::array<std::int64_t, 4> sizes, bool is_virtual) {
  tensors.push_back({type, sizes, is_virtual});
  return static_cast<int>(tensors.size()) - 1;
}

void Graph::operation(GraphOperation::Kind kind, std::vector<int> operands, const Window& window) {
  operations.push_back({kind, std::move(operands), window});
}

bool Graph::fits_tensor_cores() const {
  for (const GraphOperation& o : operations) {
    if (o.kind > GraphOperation::filter_gradient) continue;
    const auto weight = static_cast<std::size_t>(o.tensors[o.kind == GraphOperation::filter_gradient ? 2 : 1]);
    const auto operand = static_cast<std::size_t>(o.tensors[0]);
    return (tf32 || tensors[operand].type != DType::f32) && tensors[weight].sizes[1] > 1;
  }
  return false;
}

std::string Graph::line() const {
  std::string s = tf32 ? "tf32" : "";
  for (const GraphTensor& t : tensors) {
    s += std::string(s.empty() ? "" : " ") + (t.is_virtual ? "~" : "") + name_of(t.type) + ":";
    for (std::size_t i = 0; i < 4; ++i) s += (i ? "x" : "") + std::to_string(t.sizes[i]);
  }
  for (const GraphOperation& o : operations) {
    s += std::string(" | ") + name_of(o.kind);
    for (const int t : o.tensors) s += " " + std::to_string(t);
    if (o.kind <= GraphOperation::filter_gradient) s += line_of(o.window);
  }
  return s;
}

Descriptor::Descriptor(int kind) { status_ = driver_api().libraries.cudnn.make(kind, &raw_); }
Descriptor::~Descriptor() {
  if (raw_) driver_api().libraries.cudnn.drop(raw_);
}
Descriptor& Descriptor::set(int attribute, int type, std::int64_t count, const void* values) {
  if (status_ == 0) status_ = driver_api().libraries.cudnn.set(raw_, attribute, type, count, values);
  return *this;
}
Descriptor& Descriptor::set(int attribute, const Descriptor& other) {
  if (status_ == 0) status_ = other.status_;
  void* const raw = other.raw_;
  return set(attribute, dnn::descriptor_type, 1, &raw);
}
Descriptor& Descriptor::finish() {
  if (status_ == 0) status_ = driver_api().libraries.cudnn.finish(raw_);
  return *this;
}

std::string CudnnPlan::text() const {
  const CudnnTable& d = driver_api().libraries.cudnn;
  std::int64_t bytes = 0;
  if (d.get(plan_.raw(), dnn::plan_json, dnn::char_type, 0, &bytes, nullptr) != 0 || bytes <= 0) return {};
  std::string s(static_cast<std::size_t>(bytes), '\0');
  if (d.get(plan_.raw(), dnn::plan_json, dnn::char_type, bytes, &bytes, s.data()) != 0) return {};
  s.resize(s.find_last_not_of('\0') + 1);
  return std::to_string(engine_) + (runtime_compiled_ ? " 1" : " 0") + (tensor_cores_ ? " 1 " : " 0 ") +
         std::to_string(microseconds_) + "\n" + s;
}

int CudnnPlan::enqueue(void* handle, const std::vector<void*>& addresses, void* workspace) const {
  std::vector<std::int64_t> ids;
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (is_virtual_[i]) continue;
    ids.push_back(static_cast<std::int64_t>(i) + 1);
    pointers.push_back(addresses[i]);
  }
  Descriptor arguments(dnn::arguments);
  const auto count = static_cast<std::int64_t>(ids.size());
  arguments.set(dnn::arguments_ids, dnn::int64_type, count, ids.data())
      .set(dnn::arguments_pointers, dnn::pointer_type, count, pointers.data());
  arguments.set(dnn::arguments_workspace, dnn::pointer_type, 1, &workspace).finish();
  if (arguments.status() != 0) return arguments.status();
  return driver_api().libraries.cudnn.execute(handle, plan_.raw(), arguments.raw());
}

Result<Descriptor> device_properties(const std::string& json) {
  Descriptor d(dnn::device_properties);
  d.set(dnn::device_json, dnn::char_type, static_cast<std::int64_t>(json.size()), json.data()).finish();
  if (d.status() != 0)
    return fail(Errc::other, NW_TR("cuDNN rejected this device description (status {0})"), d.status());
  return d;
}

}  // namespace nw::cuda
