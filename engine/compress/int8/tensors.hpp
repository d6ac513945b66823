// SPDX-License-Identifier: Apache-2.0
// The numbers of an 8-bit network by their names, and the file that holds them: a safetensors file. Of a layer L:
//   L.weight        I8   as PyTorch orders it; real = weight * weight_scale of its output channel
//   L.weight_scale  F32  (output channels)
//   L.bias          I32  (output channels); real = bias * input scale * weight_scale
//   L.scale, L.zero F32, U8: real = scale (number - zero), for outputs of L (a layer with its activation: the latter)
//   L.…             F32  weights of a layer that is computed in fp32, under their own names
//   L.table         U8   (256): an activation's output for each input
#pragma once
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/io/safetensors.hpp"

namespace nw::compress::int8 {

struct Tensor {
  std::string type;  // "I8", "I32", "F32", "U8"
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
};
using Tensors = std::map<std::string, Tensor>;

template <class T>
Tensor tensor_of(std::string type, std::vector<std::int64_t> shape, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {std::move(type), std::move(shape), {bytes.begin(), bytes.end()}};
}

/// The numbers of one tensor. Errc::bad_input: it is missing, or of another type or shape. `where`: for the message.
template <class T>
Result<std::vector<T>> numbers(const Tensors& all, const std::string& name, const std::string& type,
                               const std::vector<std::int64_t>& shape) {
  const auto it = all.find(name);
  if (it == all.end() || it->second.type != type || it->second.shape != shape)
    return fail(Errc::bad_input, NW_TR("The 8-bit network has no fitting {0}"), name);
  std::vector<T> values(it->second.bytes.size() / sizeof(T));
  std::memcpy(values.data(), it->second.bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Whether the file holds an 8-bit network: it has tensors of the type I8.
bool is_int8(const SafetensorsFile&);
Result<Tensors> read_tensors(const SafetensorsFile&);
/// For write_safetensors() and checkpoints. `all` must outlive the result.
std::vector<TensorSource> sources_of(const Tensors& all);

}  // namespace nw::compress::int8
