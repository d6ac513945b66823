// SPDX-License-Identifier: Apache-2.0
// Tensors in files beside a model. Private to engine/exchange/onnx.
#pragma once
#include "engine/exchange/onnx/model.hpp"

namespace nw::onnx {

/// Bytes of a tensor in a file below the model's folder.
struct ExternalPart {
  std::string location;  // relative path
  std::uint64_t offset = 0, bytes = 0;
};
/// Reads the part. Nothing outside `folder` is opened: no absolute path, no "..", no symbolic link at any level, only a
/// plain file. `where`: the model's name for messages.
Result<std::string> read_external(const fs::path& folder, const ExternalPart&, const std::string& where);

}  // namespace nw::onnx
