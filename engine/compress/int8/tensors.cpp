// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/tensors.hpp"

#include <algorithm>

namespace nw::compress::int8 {
namespace {

DType as_large_as(const std::string& type) { return type == "F32" || type == "I32" ? DType::f32 : DType::u8; }
bool is_known(const std::string& type) { return type == "I8" || type == "U8" || type == "I32" || type == "F32"; }

}  // namespace

bool is_int8(const SafetensorsFile& file) {
  const auto& all = file.header().tensors;
  return std::any_of(all.begin(), all.end(), [](const TensorInfo& t) { return t.dtype == "I8"; });
}

Result<Tensors> read_tensors(const SafetensorsFile& file) {
  Tensors all;
  for (const TensorInfo& t : file.header().tensors) {
    if (!is_known(t.dtype))
      return fail(Errc::bad_input, NW_TR("{0}: {1} is of the type {2}, which no 8-bit network has"), file.where(),
                  t.name, t.dtype);
    Tensor made{t.dtype, t.shape, std::vector<std::byte>(t.bytes())};
    NW_TRY(file.read(t, made.bytes));
    all[t.name] = std::move(made);
  }
  return all;
}

std::vector<TensorSource> sources_of(const Tensors& all) {
  std::vector<TensorSource> sources;
  for (const auto& [name, t] : all)
    sources.push_back({.name = name,
                       .dtype = as_large_as(t.type),
                       .shape = t.shape,
                       .fill =
                           [&t](std::span<std::byte> to) {
                             std::memcpy(to.data(), t.bytes.data(), to.size());
                             return Status();
                           },
                       .stored_as = t.type});
  return sources;
}

}  // namespace nw::compress::int8
