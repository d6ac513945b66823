// SPDX-License-Identifier: Apache-2.0
// The body of an inference request of the Open Inference Protocol, version 2: JSON, with its tensors as JSON or, by the
// binary extension, as little-endian bytes after it. Bodies are untrusted.
// Protocol: https://github.com/kserve/open-inference-protocol; extension: "binary tensor data" of
// https://github.com/triton-inference-server/server.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw::serve_http {

/// What a request is checked against.
struct ImageForm {
  std::int64_t channels = 1, height = 1, width = 1;
  std::span<const PixelScale> scales;  // of each channel
  std::int64_t max_images = 1024;      // of one request
  std::int64_t elements() const { return channels * height * width; }
};

inline constexpr std::string_view input_name = "images", scores_name = "scores", answers_name = "probabilities";

bool all_finite(std::span<const float>);

struct InferRequest {
  std::string id;  // as the client gave it; empty: none
  std::int64_t images = 0;
  std::vector<float> nhwc;  // (images, H, W, C), normalized
  struct Output {
    bool wanted = false, binary = false;
  };
  Output scores, answers;
};

/// Reads a body. `header_length`: the text of Inference-Header-Content-Length; empty: the whole body is JSON. The
/// tensor "images" has shape (N,C,H,W) and holds pixels from 0 to 255, as UINT8 or FP32. Errc::bad_input with a
/// sentence for the client.
Result<InferRequest> read_infer_request(std::string_view body, std::string_view header_length, const ImageForm&);

/// The reply of an inference.
struct InferReply {
  std::string body;
  std::size_t header_bytes = 0;  // of the JSON, if tensors follow it; 0: none do
};
struct ReplyTensor {
  std::string_view name;
  std::int64_t rows = 0;
  std::span<const float> values;  // (rows, columns), all finite
  bool binary = false;
};
/// `more`: members after the outputs, as JSON text that begins with a comma; empty: none.
InferReply infer_reply(std::string_view model, std::string_view version, std::string_view id,
                       std::span<const ReplyTensor> tensors, std::string_view more = {});

/// {"error": sentence} with all that JSON demands.
std::string error_json(std::string_view sentence);

}  // namespace nw::serve_http
