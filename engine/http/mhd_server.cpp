// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 by libmicrohttpd: one thread with epoll reads and writes all sockets; a connection whose reply is being
// computed is suspended.
#include <microhttpd.h>

#include <atomic>
#include <condition_variable>
#include <string_view>
#include <thread>

#include "engine/http/connections.hpp"
#include "engine/http/listening_socket.hpp"
#include "engine/serve_http/http.hpp"

namespace nw::http {
namespace {

using namespace serve_http;

class Listener;

/// A request from its head to the end of its reply. The thread that reads sockets owns it.
struct Exchange {
  Listener& listener;
  MHD_Connection* connection;
  Connection* place;
  HttpRequest request;
  std::function<HttpReply()> refusal;  // set: the body is dropped
  HttpReply reply;
  bool dispatched = false;
  std::size_t charged_bytes = 0;
};

std::string header(MHD_Connection* c, const char* name) {
  const char* value = MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
  return value ? value : "";
}

/// The number of a Content-Length header, which libmicrohttpd has checked; -1: there is none.
std::int64_t content_length(MHD_Connection* c) {
  const std::string text = header(c, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text.empty() || text.size() > 18 ? (text.empty() ? -1 : INT64_MAX) : std::strtoll(text.c_str(), nullptr, 10);
}

RequestHead head_of(MHD_Connection* c, const char* method, const char* path) {
  return {.method = method,
          .path = path,
          .host = header(c, MHD_HTTP_HEADER_HOST),
          .authorization = header(c, MHD_HTTP_HEADER_AUTHORIZATION),
          .content_type = header(c, MHD_HTTP_HEADER_CONTENT_TYPE),
          .content_encoding = header(c, MHD_HTTP_HEADER_CONTENT_ENCODING),
          .header_length = header(c, "Inference-Header-Content-Length"),
          .content_length = content_length(c)};
}

HttpReply error_reply(int status, const char* sentence) {
  HttpReply r{.status = status, .body = std::string("{\"error\":\"") + sentence + "\"}"};
  if (status == MHD_HTTP_SERVICE_UNAVAILABLE) r.headers.emplace_back("Retry-After", "1");
  return r;
}

class Listener final : public HttpListener {
 public:
  Listener(const ListenOptions& o, HttpHandler& handler, int socket)
      : options_(o), handler_(handler), socket_(socket), port_(port_of(socket)) {}
  ~Listener() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (watchdog_.joinable()) watchdog_.join();
    if (daemon_) MHD_stop_daemon(daemon_);
    ::close(socket_);
  }
  Listener(const Listener&) = delete;

  bool start() {
    daemon_ = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, nullptr,
                               nullptr, &on_access, this, MHD_OPTION_LISTEN_SOCKET, socket_,
                               MHD_OPTION_CONNECTION_LIMIT, options_.connections, MHD_OPTION_CONNECTION_TIMEOUT,
                               static_cast<unsigned>(options_.idle_s), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                               options_.header_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED,
                               &on_completed, this, MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this, MHD_OPTION_END);
    if (!daemon_) return false;
    watchdog_ = std::thread([this] { watch(); });
    return true;
  }
  int port() const override { return port_; }
  std::int64_t connections() const override { return static_cast<std::int64_t>(connections_.count()); }
  std::int64_t requests() const override { return requests_; }
  void stop_accepting() override;
  bool is_drained() const override { return requests_ == 0 && !connections_.have_unread(); }

 private:
  static MHD_Result on_access(void* self, MHD_Connection* c, const char* path, const char* method, const char*,
                              const char* data, std::size_t* size, void** state) {
    auto& listener = *static_cast<Listener*>(self);
    try {
      if (!*state) return listener.begin(c, method, path, state);
      auto& x = *static_cast<Exchange*>(*state);
      if (*size == 0) return x.dispatched ? listener.send(x) : listener.dispatch(x);
      if (!listener.take(x, {data, *size})) return MHD_NO;
      *size = 0;
      return MHD_YES;
    } catch (const std::bad_alloc&) { return MHD_NO; }  // the connection ends
  }
  static void on_completed(void* self, MHD_Connection*, void** state, MHD_RequestTerminationCode) {
    auto* x = static_cast<Exchange*>(*state);
    if (!x) return;
    auto& listener = *static_cast<Listener*>(self);
    listener.bodies_bytes_ -= x->charged_bytes;
    listener.connections_.waits_for_client(*x->place);
    delete x;
    *state = nullptr;
    --listener.requests_;
  }
  static void on_connection(void* self, MHD_Connection* c, void** context, MHD_ConnectionNotificationCode code) {
    auto& all = static_cast<Listener*>(self)->connections_;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
      *context = all.add(MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    else
      all.remove(static_cast<Connection*>(*context));
  }

  MHD_Result begin(MHD_Connection* c, const char* method, const char* path, void** state) {
    auto* place =
        static_cast<Connection*>(MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    auto* x = new Exchange{*this, c, place, {head_of(c, method, path), {}, now_s()}, {}, {}};
    *state = x;
    ++requests_;
    x->refusal = handler_.refused(x->request.head);
    if (x->request.head.content_length > static_cast<std::int64_t>(options_.body_bytes)) {
      x->reply = x->refusal ? x->refusal() : too_large();
      return send(*x);  // before the body, after which the connection ends
    }
    return MHD_YES;
  }

  /// A piece of the body. False: the connection ends, for its client goes on sending more than is permitted.
  bool take(Exchange& x, std::string_view piece) {
    std::string& body = x.request.body;
    x.charged_bytes += piece.size();
    const std::size_t all = bodies_bytes_ += piece.size();
    if (x.charged_bytes > 2 * options_.body_bytes) return false;
    if (x.charged_bytes > options_.body_bytes)
      refuse(x, MHD_HTTP_CONTENT_TOO_LARGE_STATUS, "the body is larger than the server takes");
    else if (all > options_.all_bodies_bytes)
      refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "the requests being received fill the memory set aside for them");
    if (x.refusal) {
      drop(x);
      return true;
    }
    if (body.empty() && x.request.head.content_length > 0)
      body.reserve(std::min<std::size_t>(static_cast<std::size_t>(x.request.head.content_length), 1 << 20));
    body += piece;
    return true;
  }
  static constexpr int MHD_HTTP_CONTENT_TOO_LARGE_STATUS = 413;
  static HttpReply too_large() {
    return error_reply(MHD_HTTP_CONTENT_TOO_LARGE_STATUS, "the body is larger than the server takes");
  }
  static void refuse(Exchange& x, int status, const char* sentence) {
    if (!x.refusal) x.refusal = [status, sentence] { return error_reply(status, sentence); };
  }
  void drop(Exchange& x) {
    std::string().swap(x.request.body);
    if (x.charged_bytes <= options_.body_bytes) bodies_bytes_ -= std::exchange(x.charged_bytes, 0);
  }

  MHD_Result dispatch(Exchange& x) {
    x.dispatched = true;
    if (x.refusal) {
      x.reply = x.refusal();
      return send(x);
    }
    HttpAnswer answer = handler_.handle(std::move(x.request));
    if (!answer.later) {
      x.reply = std::move(answer.now);
      return send(x);
    }
    connections_.client_waits(*x.place);
    MHD_suspend_connection(x.connection);
    answer.later([&x](HttpReply reply) {
      x.reply = std::move(reply);
      MHD_resume_connection(x.connection);
    });
    return MHD_YES;
  }

  MHD_Result send(Exchange& x) {
    x.dispatched = true;
    connections_.waits_for_client(*x.place);
    auto* body = new std::string(std::move(x.reply.body));
    MHD_Response* r = MHD_create_response_from_buffer_with_free_callback_cls(
        body->size(), body->data(), [](void* text) { delete static_cast<std::string*>(text); }, body);
    if (!r) return MHD_NO;
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, x.reply.type.c_str());
    for (const auto& [name, value] : x.reply.headers) MHD_add_response_header(r, name.c_str(), value.c_str());
    if (stopping_) MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    const MHD_Result queued = MHD_queue_response(x.connection, static_cast<unsigned>(x.reply.status), r);
    MHD_destroy_response(r);
    return queued;
  }

  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(250), [this] { return ending_; }))
      connections_.end_slow(options_.request_s);
  }

  const ListenOptions options_;
  HttpHandler& handler_;
  const int socket_, port_;
  MHD_Daemon* daemon_ = nullptr;
  Connections connections_;
  std::atomic<std::int64_t> requests_{0};
  std::atomic<std::size_t> bodies_bytes_{0};
  std::atomic<bool> stopping_{false};
  std::thread watchdog_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;  // guarded by mutex_
};

void Listener::stop_accepting() {
  if (stopping_.exchange(true)) return;
  if (MHD_quiesce_daemon(daemon_) == MHD_INVALID_SOCKET) return;
  for (;;) {  // those whose connection stands, but that wait to be accepted
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const int one = ::accept4(socket_, reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (one < 0) break;
    MHD_add_connection(daemon_, one, reinterpret_cast<sockaddr*>(&from), size);
  }
  ::shutdown(socket_, SHUT_RDWR);  // no more come
}

class MhdServer final : public HttpServer {
 public:
  Result<std::unique_ptr<HttpListener>> listen(const ListenOptions& o, HttpHandler& handler) const override {
    NW_ASSIGN(const int socket, listening_socket(o.host, o.port));
    auto listener = std::make_unique<Listener>(o, handler, socket);
    if (!listener->start())
      return fail(Errc::other, NW_TR("The server cannot be started; are threads or open files at their limit?"));
    return std::unique_ptr<HttpListener>(std::move(listener));
  }
};

}  // namespace
}  // namespace nw::http

extern "C" __attribute__((visibility("default"))) const nw::serve_http::HttpServer* netwright_http_server(int version) {
  static const nw::http::MhdServer server;
  return version == nw::serve_http::server_module_version ? &server : nullptr;
}
