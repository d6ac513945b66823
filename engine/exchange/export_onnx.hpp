// SPDX-License-Identifier: Apache-2.0
// A network with its weights as an ONNX model.
#pragma once
#include "engine/compress/calibration.hpp"
#include "engine/exchange/onnx/model.hpp"
#include "engine/exchange/tensorrt.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::exchange {

struct ExportOptions {
  bool fold_batch_norm = false;  // into the convolutions before them
  bool preprocessing = true;     // inside: the model takes pixels from 0 to 255
  std::int64_t batch = 0;        // 0: any
  ExportPrecision precision = ExportPrecision::fp32;
  compress::CalibrationOptions calibration{};  // int8
};

struct ExportSource {
  std::string name;
  GraphDoc doc;
  Weights weights;
  Counters counters{};   // of batch norms; absent: 0
  KeptOperators kept{};  // of opaque nodes
  std::vector<std::string> classes;
  std::vector<float> mean, deviation;  // empty: the network takes numbers as they are
  std::uint64_t data_hash = 0;         // 0: unknown
};
/// Of a run and its checkpoint: a name, "best" or "latest".
Result<ExportSource> export_source(const fs::path& run, const RunDefinition&, const std::string& checkpoint);

/// Of a project, with the weights that its training begins with; `definition` gets the size of its images.
Result<ExportSource> export_source(const GraphDoc&, const std::string& name, RunDefinition& definition);

/// Keys of the model's metadata.
inline constexpr const char *project_key = "netwright.project", *loss_key = "netwright.loss",
                            *classes_key = "netwright.classes", *normalization_key = "netwright.normalization",
                            *data_hash_key = "netwright.data_hash", *folded_key = "netwright.folded_batch_norms",
                            *precision_key = "netwright.precision", *quantization_key = "netwright.quantization",
                            *proof_key = "netwright.proof";
inline constexpr const char* producer_name = "Netwright";

/// `ranges`: of the layers' outputs, which int8 needs (measured_ranges()).
/// An opaque node becomes the operator that it was made of, if that was kept.
Result<onnx::Model> export_onnx(const ExportSource&, const ExportOptions&, const compress::RangeTable& ranges = {});
/// What the calibration measures on the training images of `data`, which are the run's or the project's; empty: the
/// precision needs none. TensorRT's objections, and networks without anything to quantize, are said before.
Result<compress::RangeTable> measured_ranges(const ExportSource&, const ExportOptions&, const RunDefinition& data);
/// The IR version that belongs to a version of ai.onnx.
std::int64_t ir_version_of(std::int64_t opset);

}  // namespace nw::exchange
