// SPDX-License-Identifier: Apache-2.0
// HTTP as the inference server needs it. The library that answers it (libmicrohttpd, with GnuTLS behind it) is a
// separate module, loaded only by the process that serves.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/result.hpp"

namespace nw::serve_http {

/// What is known of a request before its body. Texts are the client's: untrusted.
struct RequestHead {
  std::string method, path;  // the path without its query, percent-decoded
  std::string host, authorization, content_type, content_encoding;
  std::string header_length;         // "Inference-Header-Content-Length"; empty: none
  std::int64_t content_length = -1;  // bytes; -1: not stated (chunked, or no body)
};
struct HttpRequest {
  RequestHead head;
  std::string body;
  double received_s = 0;  // monotonic clock, when its head had been read
};
struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // more than the content's type and length
};

/// Answers a request that is being computed; called once, from any thread.
using ReplyTo = std::function<void(HttpReply)>;
/// A reply at once, or, if `later` is set, a function that starts the computation.
struct HttpAnswer {
  HttpReply now;
  std::function<void(ReplyTo)> later;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  /// Before the body: a reply refuses the request (status ≥ 400), and its body is not kept. The thread that reads
  /// sockets.
  virtual std::function<HttpReply()> refused(const RequestHead&) = 0;
  /// The whole request. The thread that reads sockets: whatever takes long is left to HttpAnswer::later.
  virtual HttpAnswer handle(HttpRequest) = 0;
};

/// Limits of a listener; each is documented in docs/serve.md.
struct ListenOptions {
  std::string host = "127.0.0.1";  // a numeric address of IPv4 or IPv6
  int port = 8000;                 // 0: any free one
  unsigned connections = 1024;
  std::size_t header_bytes = 32 << 10;                    // request line and headers of one request
  std::size_t body_bytes = std::size_t{16} << 20;         // of one request
  std::size_t all_bodies_bytes = std::size_t{256} << 20;  // of all requests that are being received or computed
  double idle_s = 30;                                     // a connection without any traffic for this long is closed
  double request_s = 30;  // a request that is not received, or a reply that is not taken, within this time is dropped
};

/// A listening socket and its thread.
class HttpListener {
 public:
  virtual ~HttpListener() = default;  // closes all connections; no request may be waiting for its reply
  virtual int port() const = 0;
  virtual std::int64_t connections() const = 0;
  /// Requests whose head has been read and whose reply has not been sent.
  virtual std::int64_t requests() const = 0;
  /// Refuses new connections; those that wait to be accepted are accepted. Replies then end their connections.
  virtual void stop_accepting() = 0;
  /// True if no request is being received or computed, and no byte of another one has arrived.
  virtual bool is_drained() const = 0;
};

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// Starts to listen; `handler` outlives the listener. Errc::in_use: another process has the port.
  virtual Result<std::unique_ptr<HttpListener>> listen(const ListenOptions&, HttpHandler& handler) const = 0;
};

/// The module exports `extern "C" const HttpServer* netwright_http_server(int version)`; null for another version.
inline constexpr int server_module_version = 1;
/// Loads the module from the executable's folder, once. An error with the reason if it is not installed.
Result<const HttpServer*> http_server();

}  // namespace nw::serve_http
