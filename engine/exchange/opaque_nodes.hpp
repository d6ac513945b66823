// SPDX-License-Identifier: Apache-2.0
// Operators that no layer is made of: what an opaque node keeps of one, and the message that lists them.
// Private to engine/exchange.
#pragma once
#include <unordered_map>

#include "engine/design/opaque.hpp"
#include "engine/exchange/graph_reader.hpp"

namespace nw::exchange {

/// Values of the network that an opaque node is connected to; the further ones of an operator are left out.
inline constexpr std::size_t most_opaque_inputs = 16;

/// Why an operator of another domain than ONNX's is not read.
Text foreign(const onnx::Node&);
struct Refused {
  const onnx::Node* node;
  Text why;
};
/// "node_conv2d_1", or the operator and its output where it has no name.
std::string label_of(const onnx::Node&);
/// All of them by reason, with the first names of each.
Error refusal(const std::vector<Refused>&, const std::string& where, std::size_t operators);

/// Sizes that the file states for its values. `model` must outlive it.
class KnownSizes {
 public:
  explicit KnownSizes(const onnx::Model&);
  /// N = 1 first, channels second; rank 0: unknown, or no shape that a value of a network here has. `channels_last`:
  /// images of the file are (N,H,W,C).
  Shape of(const std::string& value, bool channels_last) const;

 private:
  std::unordered_map<std::string, const onnx::ValueInfo*> by_name_;
};

/// The output of the opaque layer `made`. Where its sizes are not known it lies as `first` does, the node's first input
/// (nullptr: it has none).
Ref output_of_opaque(int made, const Shape& known, const Ref* first);
AttrMap opaque_of(const onnx::Node&, std::size_t output, const Text& why, const onnx::Model&, const Shape& known);

/// What an opaque node stands for of the operator that is read.
struct OpaquePart {
  std::size_t output = 0, connected = 0;  // connected: values of the network
  Shape known;
};
/// The operator for the file of weights (kept_operators.hpp). Empty: the node does not stand for the whole operator, or
/// its values lie otherwise than ours, or the constants of all such operators, `bytes`, are too large.
std::string kept_of(const NodeReader&, const onnx::Model&, const OpaquePart&, std::uint64_t& bytes);

/// Opaque nodes of a network that were made of one kind of operator for one reason.
struct OpaqueGroup {
  std::string name, domain;
  Text reason;
  std::int64_t count = 0;
};
std::vector<OpaqueGroup> opaque_groups(const std::vector<const BuiltLayer*>&);

}  // namespace nw::exchange
