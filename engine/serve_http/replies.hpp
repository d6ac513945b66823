// SPDX-License-Identifier: Apache-2.0
// Replies of the inference server.
#pragma once
#include <string_view>

#include "engine/serve_http/http.hpp"
#include "engine/serve_http/models.hpp"
#include "engine/serve_http/tensors.hpp"

namespace nw::serve_http {

HttpReply refusal(int status, std::string_view sentence);
/// 503 with Retry-After.
HttpReply busy(std::string_view sentence);
/// 400 for bad input, 503 for a lack of memory, else 500.
HttpReply refusal(const Error&);
HttpReply json_reply(const Json&);
/// {"name", "version", "extensions"}
HttpReply server_metadata();
/// {"name", "versions", "platform", "inputs", "outputs", "properties"}
HttpReply model_metadata(const Model&);
/// The reply to a request, or 500 if the scores are not finite.
HttpReply tensors_reply(const Model&, const InferRequest&, std::span<const float> scores);
/// The reply to a picture: the tensor "probabilities" and, as "predictions", at most five classes with their names, or
/// all predicted values.
HttpReply picture_reply(const Model&, std::span<const float> scores);

}  // namespace nw::serve_http
