// SPDX-License-Identifier: Apache-2.0
// Answers the requests of the Open Inference Protocol, and those of the test page.
#pragma once
#include <atomic>
#include <string>

#include "engine/serve_http/batcher.hpp"
#include "engine/serve_http/http.hpp"
#include "engine/serve_http/log.hpp"
#include "engine/serve_http/pictures.hpp"
#include "engine/serve_http/routes.hpp"

namespace nw::serve_http {

class Service final : public HttpHandler {
 public:
  struct Options {
    std::string token;          // empty: none is asked for
    bool loopback_only = true;  // requests whose Host is another computer's are refused (DNS rebinding)
    bool log_requests = false;
    Batcher::Options batcher;
    PictureDecoder::Options pictures;
  };
  Service(Options, Models&, Log&);
  std::function<HttpReply()> refused(const RequestHead&) override;
  HttpAnswer handle(HttpRequest) override;
  /// From now on the server is not ready.
  void stop() { stopping_ = true; }
  /// For /metrics, which counts the listener's connections.
  void show_listener(const HttpListener* listener) { listener_ = listener; }
  Metrics& metrics() { return metrics_; }

 private:
  /// What is known of a request when it is answered.
  struct Asked {
    Route route = Route::none;
    std::string model;  // of a served network, else empty
    double received_s = 0;
  };
  HttpReply told(const Asked&, HttpReply);
  HttpReply answer_at_once(const Target&);
  HttpReply index() const;
  HttpReply metrics_page() const;
  HttpAnswer infer(HttpRequest, const ModelPointer&, const Asked&);
  HttpAnswer infer_picture(HttpRequest, const ModelPointer&, const Asked&);
  ModelPointer find(const Target&) const;
  void run_picture(const ModelPointer&, const std::vector<std::uint8_t>& hwc, const std::function<void(HttpReply)>&);

  const Options options_;
  Models& models_;
  Log& log_;
  Metrics metrics_;
  std::atomic<const HttpListener*> listener_{nullptr};
  std::atomic<bool> stopping_{false};
  Batcher batcher_;
  PictureDecoder pictures_;  // ended before batcher_, to which it gives jobs
};

}  // namespace nw::serve_http
