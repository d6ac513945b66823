// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/replies.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/version.hpp"

namespace nw::serve_http {
namespace {

constexpr std::size_t shown_classes = 5;

HttpReply not_finite() {
  return refusal(500,
                 "the network computes numbers that are not finite: its training diverged, or the pixels are "
                 "far beyond 0 to 255");
}

/// The answers of each image, one after the other.
std::vector<float> probabilities_of(const Model& model, std::span<const float> scores, std::int64_t images) {
  const std::size_t width = scores.size() / static_cast<std::size_t>(images);
  std::vector<float> all;
  for (std::size_t at = 0; at < scores.size(); at += width) {
    const std::vector<float> one = model.network->answers(scores.subspan(at, width));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

Json tensor(std::string_view name, const std::vector<std::int64_t>& shape) {
  return {{"name", name}, {"datatype", "FP32"}, {"shape", shape}};
}

Json predictions(const Model& model, std::span<const float> answers) {
  const bool values = target_kind(model.definition().doc.data()) == TargetKind::values;
  std::vector<std::size_t> order(answers.size());
  std::iota(order.begin(), order.end(), 0);
  if (!values)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return answers[a] > answers[b]; });
  if (!values && order.size() > shown_classes) order.resize(shown_classes);
  Json all = Json::array();
  for (const std::size_t k : order)
    all.push_back({{"class", model.class_name(k)}, {"index", k}, {values ? "value" : "probability", answers[k]}});
  return all;
}

}  // namespace

HttpReply refusal(int status, std::string_view sentence) { return {.status = status, .body = error_json(sentence)}; }

HttpReply busy(std::string_view sentence) {
  HttpReply r = refusal(503, sentence);
  r.headers.emplace_back("Retry-After", "1");
  return r;
}

HttpReply refusal(const Error& e) {
  if (e.code == Errc::out_of_memory) return busy(e.str());
  return refusal(e.code == Errc::bad_input ? 400 : 500, e.str());
}

HttpReply json_reply(const Json& json) { return {.body = json.dump(-1, ' ', true, Json::error_handler_t::replace)}; }

HttpReply server_metadata() {
  return json_reply({{"name", "netwright"},
                     {"version", version()},
                     {"extensions", {"binary_tensor_data", "model_repository", "pictures"}}});
}

HttpReply model_metadata(const Model& model) {
  const RunDefinition& d = model.definition();
  const auto answers = static_cast<std::int64_t>(
      model.network->answers(std::vector<float>(static_cast<std::size_t>(model.network->outputs()))).size());
  return json_reply(
      {{"name", model.name},
       {"versions", {model.version}},
       {"platform", "netwright"},
       {"inputs", {tensor(input_name, {-1, d.channels, d.height, d.width})}},
       {"outputs", {tensor(scores_name, {-1, model.network->outputs()}), tensor(answers_name, {-1, answers})}},
       {"properties", {{"checkpoint", model.network->checkpoint()}, {"classes", Json(d.classes).dump()}}}});
}

HttpReply tensors_reply(const Model& model, const InferRequest& r, std::span<const float> scores) {
  if (!all_finite(scores)) return not_finite();
  std::vector<ReplyTensor> tensors;
  std::vector<float> answers;
  if (r.scores.wanted) tensors.push_back({scores_name, r.images, scores, r.scores.binary});
  if (r.answers.wanted) {
    answers = probabilities_of(model, scores, r.images);
    tensors.push_back({answers_name, r.images, answers, r.answers.binary});
  }
  InferReply written = infer_reply(model.name, model.version, r.id, tensors);
  HttpReply reply{.body = std::move(written.body)};
  if (written.header_bytes > 0) {
    reply.type = "application/octet-stream";
    reply.headers.emplace_back("Inference-Header-Content-Length", std::to_string(written.header_bytes));
  }
  return reply;
}

HttpReply picture_reply(const Model& model, std::span<const float> scores) {
  if (!all_finite(scores)) return not_finite();
  const std::vector<float> answers = probabilities_of(model, scores, 1);
  const ReplyTensor tensor{answers_name, 1, answers};
  const std::string more =
      ",\"predictions\":" + predictions(model, answers).dump(-1, ' ', true, Json::error_handler_t::replace);
  return {.body = infer_reply(model.name, model.version, {}, {&tensor, 1}, more).body};
}

}  // namespace nw::serve_http
