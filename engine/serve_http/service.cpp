// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/service.hpp"

#include <chrono>

#include "engine/serve_http/page.hpp"
#include "engine/serve_http/replies.hpp"

namespace nw::serve_http {
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The signature of a JPEG or PNG file; JSON begins otherwise.
bool is_picture(const HttpRequest& r) {
  return r.head.content_type.starts_with("image/") || r.body.starts_with("\xFF\xD8\xFF") ||
         r.body.starts_with("\x89PNG");
}

HttpReply page_part(std::string_view type, std::string_view text) {
  HttpReply r{.type = std::string(type), .body = std::string(text)};
  r.headers = {{"Content-Security-Policy", std::string(page_policy)},
               {"X-Content-Type-Options", "nosniff"},
               {"Referrer-Policy", "no-referrer"},
               {"Cache-Control", "no-cache"}};
  return r;
}

constexpr std::string_view queue_is_full = "too many requests are waiting; ask again in a second";

}  // namespace

Service::Service(Options o, Models& models, Log& log)
    : options_(std::move(o)),
      models_(models),
      log_(log),
      batcher_(options_.batcher, metrics_),
      pictures_(options_.pictures) {}

/// Counts and logs the reply to a request.
HttpReply Service::told(const Asked& a, HttpReply reply) {
  const double seconds = now_s() - a.received_s;
  metrics_.answered(name_of(a.route), a.model, reply.status, seconds);
  if (options_.log_requests || reply.status >= 500)
    log_.write("request", {{"route", name_of(a.route)},
                           {"model", a.model},
                           {"status", reply.status},
                           {"reply_bytes", reply.body.size()},
                           {"ms", 1000 * seconds}});
  return reply;
}

ModelPointer Service::find(const Target& t) const {
  ModelPointer model = models_.find(t.model);
  return model && (t.version.empty() || t.version == model->version) ? model : nullptr;
}

std::function<HttpReply()> Service::refused(const RequestHead& head) {
  const Target t = target_of(head.path);
  const bool of_model = t.route == Route::model || t.route == Route::model_ready || t.route == Route::infer;
  const ModelPointer model = of_model ? find(t) : nullptr;
  const auto with = [&](HttpReply reply) -> std::function<HttpReply()> {
    return [this, asked = Asked{t.route, model ? model->name : "", now_s()}, reply = std::move(reply)] {
      return told(asked, reply);
    };
  };
  if (options_.loopback_only && !head.host.empty() && !is_loopback_host(head.host))
    return with(refusal(403, "the Host header names another computer"));
  if (t.route == Route::none) return with(refusal(404, "there is nothing at this path"));
  if (!options_.token.empty() && !is_open(t.route) && !equal_secret("Bearer " + options_.token, head.authorization)) {
    HttpReply r = refusal(401, "a token is needed: Authorization: Bearer …");
    r.headers.emplace_back("WWW-Authenticate", "Bearer");
    return with(std::move(r));
  }
  const std::string_view method = method_of(t.route);
  if (head.method != method && !(head.method == "HEAD" && method == "GET")) {
    HttpReply r = refusal(405, "this path takes another method");
    r.headers.emplace_back("Allow", std::string(method));
    return with(std::move(r));
  }
  if (of_model && !model) return with(refusal(404, "no such network or version is served"));
  if (!head.content_encoding.empty() && head.content_encoding != "identity")
    return with(refusal(415, "the body must not be compressed"));
  return {};
}

HttpReply Service::index() const {
  Json list = Json::array();
  for (const ModelPointer& m : models_.all())
    list.push_back(
        {{"name", m->name}, {"version", m->version}, {"state", "READY"}, {"reason", models_.problem(m->name)}});
  return json_reply(list);
}

HttpReply Service::metrics_page() const {
  Gauges now{.waiting_images = batcher_.waiting_images()};
  if (const HttpListener* l = listener_) {
    now.connections = l->connections();
    now.requests = l->requests();
  }
  for (const ModelPointer& m : models_.all()) now.versions[m->name] = m->version;
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_.text(now)};
}

HttpReply Service::answer_at_once(const Target& t) {
  const ModelPointer model = find(t);
  switch (t.route) {
    case Route::page:
      return page_part("text/html; charset=utf-8", page_html());
    case Route::page_script:
      return page_part("text/javascript; charset=utf-8", page_script());
    case Route::page_style:
      return page_part("text/css; charset=utf-8", page_style());
    case Route::server:
      return server_metadata();
    case Route::live:
      return {.body = R"({"live":true})"};
    case Route::ready:
      return stopping_ ? refusal(503, "the server is stopping") : HttpReply{.body = R"({"ready":true})"};
    case Route::index:
      return index();
    case Route::metrics:
      return metrics_page();
    case Route::model:
      return model ? model_metadata(*model) : refusal(404, "no such version is served");
    case Route::model_ready:
      return model ? HttpReply{.body = R"({"ready":true})"} : refusal(404, "no such version is served");
    case Route::infer:
    case Route::none:
      break;
  }
  return refusal(404, "no such version is served");
}

HttpAnswer Service::handle(HttpRequest r) {
  const Target t = target_of(r.head.path);
  const ModelPointer model = find(t);
  const Asked asked{t.route, model ? model->name : "", r.received_s};
  if (t.route != Route::infer || !model) return {told(asked, answer_at_once(t)), {}};
  return is_picture(r) ? infer_picture(std::move(r), model, asked) : infer(std::move(r), model, asked);
}

HttpAnswer Service::infer(HttpRequest r, const ModelPointer& model, const Asked& asked) {
  auto read = read_infer_request(r.body, r.head.header_length, model->form);
  if (!read) return {told(asked, refusal(read.error())), {}};
  auto request = std::make_shared<InferRequest>(*std::move(read));
  return {{}, [this, model, asked, request](const ReplyTo& reply) {
            BatchJob job{
                model, request->images, std::move(request->nhwc), [=, this](Result<std::vector<float>> scores) {
                  reply(told(asked, scores ? tensors_reply(*model, *request, *scores) : refusal(scores.error())));
                }};
            if (!batcher_.add(std::move(job))) reply(told(asked, busy(queue_is_full)));
          }};
}

void Service::run_picture(const ModelPointer& model, const std::vector<std::uint8_t>& hwc,
                          const std::function<void(HttpReply)>& reply) {
  std::vector<float> nhwc(hwc.size());
  const auto channels = static_cast<std::size_t>(model->form.channels);
  for (std::size_t i = 0; i < hwc.size(); ++i) nhwc[i] = math::scaled_pixel(hwc[i], model->form.scales[i % channels]);
  BatchJob job{model, 1, std::move(nhwc), [=](Result<std::vector<float>> scores) {
                 reply(scores ? picture_reply(*model, *scores) : refusal(scores.error()));
               }};
  if (!batcher_.add(std::move(job))) reply(busy(queue_is_full));
}

HttpAnswer Service::infer_picture(HttpRequest r, const ModelPointer& model, const Asked& asked) {
  auto bytes = std::make_shared<std::string>(std::move(r.body));
  return {{}, [this, model, asked, bytes](const ReplyTo& reply) {
            const auto answer = [this, asked, reply](HttpReply ready) { reply(told(asked, std::move(ready))); };
            PictureJob job{model, std::move(*bytes), [this, model, answer](Result<std::vector<std::uint8_t>> hwc) {
                             if (hwc) return run_picture(model, *hwc, answer);
                             answer(refusal(hwc.error()));
                           }};
            if (!pictures_.add(std::move(job))) answer(busy(queue_is_full));
          }};
}

}  // namespace nw::serve_http
