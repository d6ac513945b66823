// SPDX-License-Identifier: Apache-2.0
// An ONNX model in memory, and its files. Only the .cpp files of this room know protobuf and the schema
// (resources/onnx/onnx.proto); every other room sees these plain structs. Files are untrusted input.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/files.hpp"

namespace nw::onnx {

/// TensorProto.DataType.
enum class Type : int {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  text = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  bf16 = 16
};
/// Bytes of one element; 0: a type that this program does not read.
std::size_t size_of(Type);
std::string name_of(Type);

using Dims = std::vector<std::int64_t>;
/// The number of elements; -1: a negative size, or more than 2^40.
std::int64_t elements_of(const Dims&);

struct Tensor {
  std::string name;
  Type type = Type::f32;
  Dims dims;          // empty: a scalar
  std::string bytes;  // little endian, row-major; as many as type and dims need
  std::int64_t elements() const { return elements_of(dims); }
};
Tensor tensor_of(std::string name, Dims dims, std::span<const float> values);
Tensor tensor_of(std::string name, Dims dims, std::span<const std::int64_t> values);
/// All elements, converted; nothing where the type is text.
std::optional<std::vector<double>> reals_of(const Tensor&);
std::optional<std::vector<float>> floats_of(const Tensor&);
std::optional<std::vector<std::int64_t>> integers_of(const Tensor&);

struct Subgraph {};  // an attribute that this program does not read: a graph, a sparse tensor, a type
using Attribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                               std::vector<std::string>, Tensor, Subgraph>;
using Metadata = std::map<std::string, std::string>;

struct Node {
  std::string name, op, domain;              // domain "": ai.onnx
  std::vector<std::string> inputs, outputs;  // "": absent
  std::map<std::string, Attribute, std::less<>> attributes;
  Metadata metadata;

  bool has(std::string_view attribute) const { return attributes.find(attribute) != attributes.end(); }
  /// The attribute, or `otherwise` if it is absent or of another type.
  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  double real(std::string_view attribute, double otherwise) const;
  std::string text(std::string_view attribute, std::string otherwise) const;
  std::vector<std::int64_t> integers(std::string_view attribute) const;  // empty: absent
};

/// An input or output of the graph. A size of -1 is unknown: `symbols` may name it.
struct ValueInfo {
  std::string name;
  Type type = Type::f32;
  std::optional<Dims> dims;  // absent: unknown rank
  std::vector<std::string> symbols;
};

struct Model {
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;  // domain -> version
  std::string producer, producer_version, name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs, outputs;
  std::vector<ValueInfo> values;  // sizes of values in between, as far as the file gives them
  Metadata metadata;
  std::int64_t opset() const;  // of ai.onnx; 0: none
};

/// What a file may hold at most; checked before memory is taken for it.
struct Limits {
  std::uint64_t file_bytes = std::uint64_t{2} << 30;       // protobuf's own limit
  std::uint64_t data_bytes = std::uint64_t{8} << 30;       // of all tensors, those in other files included
  std::uint64_t structure_bytes = std::uint64_t{1} << 30;  // memory of everything but the tensors' bytes
  std::size_t nodes = 100'000, tensors = 100'000, rank = 16;
  int depth = 24;  // of messages inside messages
};

/// Reads a model with its external data, which must lie in plain files below the model's own folder.
Result<Model> read_model(const fs::path&, const Limits& = {});
/// The same from bytes. `folder`: of external data; nullptr: external data is an error.
Result<Model> parse_model(std::string_view bytes, const std::string& where, const fs::path* folder, const Limits& = {});
/// One file with everything inside, written atomically. Returns its size.
Result<std::uint64_t> write_model(const Model&, const fs::path&);
std::string model_bytes(const Model&);

}  // namespace nw::onnx
