// SPDX-License-Identifier: Apache-2.0
// A bundle: one folder with a network in every form that another program may need, and the proof that each computes
// what the run does. A bundle is complete or not there.
//
//   PROOF.json           what was compared, and the SHA-256 of every other file
//   model.onnx, model.safetensors, preprocessing.json, classes.json, golden.safetensors
//   c/nw_model.h, c/nw_model.c (c/nw_model.weights)
//   examples/            C, C++ with OpenCV, Python (ctypes, onnxruntime)
//   CMakeLists.txt, Makefile, README.md, MODEL_CARD.markdown, LICENSE.txt
#pragma once
#include "engine/core/json.hpp"
#include "engine/deploy/export_c.hpp"

namespace nw::deploy {

inline constexpr const char* bundle_proof_name = "PROOF.json";

struct BundleInputs {
  const exchange::ExportSource& source;
  exchange::ProofInputs proof;  // `images` may be whole_test_part; ONNX readers take at most 64
  CLibraryOptions c{};
  std::string model_card;  // Markdown
  bool replace = false;    // a bundle that is there already
};

/// Writes the folder `target`. Errc::usage: it exists and is no bundle, or `replace` is false. Errc::other: a proof
/// failed, or there is no C compiler; nothing is written. Returns what PROOF.json holds.
Result<Json> write_bundle(const BundleInputs&, const fs::path& target);

/// What is wrong with a bundle.
struct BundleProblem {
  std::string file;
  Text what;
};
struct CheckedBundle {
  Json proof;
  std::string sha256;                   // of PROOF.json, to compare with one that was kept elsewhere
  std::int64_t files = 0;               // compared
  std::vector<BundleProblem> problems;  // none: every file is as it was written
  double max_abs_diff = 0;              // of model.onnx on the golden samples, now
};
/// Compares every file with its SHA-256 and computes the golden samples again from model.onnx. Runs no code of the
/// bundle, follows no link and writes nothing. Errc::bad_input: it is no bundle.
Result<CheckedBundle> check_bundle(const fs::path& folder);

}  // namespace nw::deploy
