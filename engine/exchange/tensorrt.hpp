// SPDX-License-Identifier: Apache-2.0
// The way to TensorRT: models typed in fp16 (int8: quantize.hpp), and what TensorRT would refuse, said before anything
// is written. TensorRT 11 knows strongly typed networks only, so the types are in the file.
#pragma once
#include "engine/exchange/onnx/model.hpp"

namespace nw::exchange {

/// The numbers of an exported file: fp16 by in_half(), int8 by in_int8().
enum class ExportPrecision : std::uint8_t { fp32, fp16, int8 };
std::string_view name_of(ExportPrecision);
std::optional<ExportPrecision> export_precision(std::string_view name);

/// An operator in TensorRT, by the operator list of github.com/onnx/onnx-tensorrt for 8.5. (NVIDIA's migration guide
/// names opsets 9 to 25 for 11.)
struct TensorRtOperator {
  std::string_view op;
  std::string_view since{};  // "": 8.5 has it; otherwise the list of 8.5 lacks it, and a newer one is needed
};
std::span<const TensorRtOperator> tensorrt_operators();
inline constexpr std::int64_t tensorrt_first_opset = 9, tensorrt_last_opset = 25;
/// Why TensorRT would refuse the model; empty: nothing is known that it would.
Text tensorrt_objection(const onnx::Model&);
/// The operators for which an older TensorRT is not enough.
std::vector<std::string> tensorrt_newer_operators(const onnx::Model&);
/// The command that builds an engine of the file, as a line for a shell.
std::string trtexec_line(const onnx::Model&, const fs::path& file);

/// The model in fp16 between its input and its output, which stay fp32, as does the preprocessing. Errc::bad_input: a
/// weight that fp16 cannot hold, by its name.
Result<onnx::Model> in_half(onnx::Model);

}  // namespace nw::exchange
