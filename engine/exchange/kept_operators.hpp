// SPDX-License-Identifier: Apache-2.0
// What a project keeps of the operators that its opaque nodes stand for, so that they leave again as they came: each
// is an ONNX model of the operator alone, with its attributes and constants, as bytes of a tensor "NODE.operator" in
// the file of weights. It is never run.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "engine/exchange/onnx/model.hpp"

namespace nw::exchange {

/// By the nodes' dotted names.
using KeptOperators = std::map<std::string, std::string>;
inline constexpr std::string_view kept_suffix = ".operator";  // of the tensors' names
/// Of all constants of such operators in one file.
inline constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 30;

/// The operator with its constants, as bytes. `constant_of`: of an input by its name; nullptr: it is a value of the
/// network. Values and outputs get names by their places, so that equal operators are equal bytes.
std::string kept_operator(const onnx::Node&, const onnx::Model& from,
                          const std::function<const onnx::Tensor*(const std::string&)>& constant_of);
/// Reads one again, as a model with one operator. Errc::bad_input: it is none; `node` is in the message.
Result<onnx::Model> lone_operator(const std::string& node, const std::string& bytes);
/// Puts it into a model: its values become `values`, its first output `output`. Errc::bad_input: it has another number
/// of values. `node`: prefix of names that are taken.
Status add_lone_operator(onnx::Model& to, onnx::Model operator_alone, const std::string& node,
                         const std::vector<std::string>& values, const std::string& output);

Result<KeptOperators> load_kept_operators(const fs::path& weights);

}  // namespace nw::exchange
