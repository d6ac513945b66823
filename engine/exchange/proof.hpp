// SPDX-License-Identifier: Apache-2.0
// What shows that an exported file computes what the run does: it is loaded again by other programs, in processes of
// their own, and their outputs on images of the run's data are compared.
#pragma once
#include "engine/core/json.hpp"
#include "engine/exchange/export_onnx.hpp"

namespace nw::exchange {

/// Images for a proof, (H,W,C) one after the other.
struct ProofImages {
  std::vector<std::uint8_t> hwc;
  std::int64_t count = 0, height = 0, width = 0, channels = 0;
  std::string from;  // "test", "validation", "train"; "noise": the data was not found
};
/// At most `most` images of the run's test set, or of the split that it has.
ProofImages proof_images(const RunDefinition&, std::int64_t most);
ProofImages noise_images(const RunDefinition&, std::int64_t count);

/// Inputs as the file takes them, and the outputs of the run's own network.
struct ProofSamples {
  std::vector<std::int64_t> dims;  // N, C, H, W
  std::vector<float> inputs, scores;
  std::int64_t outputs = 0;
};
Result<ProofSamples> proof_samples(const ExportSource&, const ExportOptions&, const ProofImages&);
Status save_samples(const ProofSamples&, const fs::path&);
Result<ProofSamples> load_samples(const fs::path&);

/// What one program computed.
struct ReaderProof {
  std::string reader, version;  // "onnxruntime", "1.32.0"
  std::string problem;          // why it could not run the file; empty: it did
  double max_abs_diff = 0, top1_agreement = 0, ms_per_image = 0;
  std::int64_t images = 0;
  std::vector<std::int64_t> differences{};  // of all outputs, by size; empty: not counted
  bool operator==(const ReaderProof&) const = default;
};
Json to_json(const ReaderProof&);

/// Counts of absolute differences: those that are 0; then below 1e-10, from there on two bins for each power of ten up
/// to 10, and 10 and more (infinite and not a number included).
inline constexpr int difference_bins = 25;
int difference_bin(double difference);
/// {"zero": …, "edges": […], "counts": […]}: one count more than edges. Counts: as above.
Json histogram_json(const std::vector<std::int64_t>& counts);
/// What this program's importer computes from an ONNX file, (samples, outputs). Errc::bad_input: the file is not
/// understood, or is of another network.
Result<std::vector<float>> file_scores(const fs::path& file, const ProofSamples&);
/// By this program's importer, in this process.
Result<ReaderProof> read_again(const fs::path& file, const ProofSamples&);

struct Proof {
  std::vector<ReaderProof> readers;  // the first is this program's importer, which does not read int8
  std::string images_from;
  std::int64_t images = 0;
  double largest = 0;  // magnitude of an output
  ExportPrecision precision = ExportPrecision::fp32;
  /// Share of the largest output by which a reader may differ.
  double tolerance() const;
  double max_abs_diff() const;
  double top1_agreement() const;
  /// The reader computes the run's outputs.
  bool agrees(const ReaderProof&) const;
  /// Why the file is not what the run is; empty: every reader agrees. OpenCV, which lacks operators and computes some
  /// otherwise than ONNX says, is reported and is no objection. Of a file in fp16 or int8 one reader must agree: not
  /// every program reads it.
  Text objection() const;
};
Json to_json(const Proof&);
/// Runs `program` (netwright-cli) and Python's readers on the file, which was written with `options`.
Result<Proof> prove(const fs::path& file, const ProofSamples&, const std::string& images_from, const fs::path& program,
                    const ExportOptions& options = {});

}  // namespace nw::exchange
