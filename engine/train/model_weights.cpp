// SPDX-License-Identifier: Apache-2.0
#include "engine/train/model_weights.hpp"

#include "engine/train/initial_weights.hpp"

namespace nw {
namespace {
bool is_weight(const Value& v) { return v.role == Role::weight || v.role == Role::buffer; }
}  // namespace

std::uint64_t weight_bytes(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const Value& v : plan.values)
    if (is_weight(v)) bytes += static_cast<std::uint64_t>(v.shape.elements()) * size_of(v.dtype);
  return bytes;
}

bool is_of(const TensorInfo& tensor, const Value& value) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < value.shape.rank(); ++i) sizes.push_back(value.shape[i]);
  const char* dtype = value.dtype == DType::i64 ? "I64" : value.dtype == DType::f64 ? "F64" : "F32";
  return tensor.shape == sizes && tensor.dtype == dtype;
}

Status read_weights(const SafetensorsFile& model, const Plan& plan, Executable& to, const std::string& where) {
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    const Value& value = plan.values[v];
    if (!is_weight(value)) continue;
    const TensorInfo* tensor = model.find(name_in_files(value));
    if (!tensor || !is_of(*tensor, value))
      return fail(Errc::bad_input, NW_TR("{0} has no fitting {1}; it belongs to another network"), where, value.name);
    std::vector<std::byte> data(static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype));
    NW_TRY(model.read(*tensor, data));
    to.write(static_cast<int>(v), data);
  }
  return {};
}

void write_zero_labels(const Plan& plan, Executable& executable) {
  for (const char* name : {"labels", "targets"}) {
    const int v = plan.find(name);
    if (v < 0) continue;
    const Value& value = plan.values[static_cast<std::size_t>(v)];
    const std::vector<std::byte> zeros(static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype));
    executable.write(v, zeros);
  }
}

}  // namespace nw
