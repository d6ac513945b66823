// SPDX-License-Identifier: Apache-2.0
// Bodies of inference requests: a first line with the text of Inference-Header-Content-Length, then the body. What is
// accepted has the numbers that its shape demands, all finite, and its reply is JSON.
#include <algorithm>
#include <cmath>

#include "engine/serve_http/routes.hpp"
#include "engine/serve_http/tensors.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {

Outcome read_infer_request(Bytes bytes) {
  using namespace serve_http;
  static const std::vector<PixelScale> scales{{0, 1}, {0.5f, 0.25f}};
  const ImageForm form{.channels = 2, .height = 2, .width = 3, .scales = scales, .max_images = 4};
  const std::string_view text = as_text(bytes);
  const std::size_t end = std::min(text.find('\n'), text.size());
  (void)target_of(text.substr(0, end));
  (void)is_loopback_host(text.substr(0, end));
  const auto r = serve_http::read_infer_request(text.substr(std::min(end + 1, text.size())), text.substr(0, end), form);
  if (!r) {
    const Json told = Json::parse(error_json(r.error().str()), nullptr, false);
    return {false, told.is_object() && told["error"].is_string() ? "" : "the error is no JSON"};
  }
  if (r->images < 1 || r->images > 4 || std::ssize(r->nhwc) != r->images * form.elements())
    return {true, "the numbers do not fit the shape"};
  for (const float v : r->nhwc)
    if (std::isnan(v)) return {true, "a pixel is not a number"};
  const ReplyTensor scores{"scores", 1, r->nhwc, r->scores.binary};
  const InferReply reply = infer_reply("m", "1", r->id, {&scores, 1});
  const auto head =
      std::string_view(reply.body).substr(0, reply.header_bytes > 0 ? reply.header_bytes : std::string::npos);
  const bool finite = std::all_of(r->nhwc.begin(), r->nhwc.end(), [](float v) { return std::isfinite(v); });
  return {true, !finite || Json::accept(head) ? "" : "the reply is no JSON"};
}

}  // namespace nw::fuzz
