// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/server.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace nw::serve_http {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

/// Waits for SIGTERM or SIGINT; 0: none came in time.
int signal_within(double seconds) {
  const sigset_t set = ending_signals();
  const auto whole = static_cast<time_t>(seconds);
  const timespec time{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  return std::max(0, ::sigtimedwait(&set, nullptr, &time));
}

/// Sockets and files beyond those of connections.
void permit_connections(unsigned connections) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, connections + 256));
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void reload(Models& models, Service& service, Log& log) {
  for (const Reload& r : models.update()) {
    service.metrics().reloaded(r.problem.empty());
    if (r.problem.empty())
      log.write("reloaded", {{"model", r.model}, {"version", r.version}});
    else
      log.write("not_reloaded", {{"model", r.model}, {"version", r.version}, {"problem", r.problem}});
  }
}

/// Until nothing has been received or computed for a tenth of a second.
void drain(const HttpListener& listener) {
  for (int quiet = 0; quiet < 10; quiet = listener.is_drained() ? quiet + 1 : 0)
    if (signal_within(0.01) > 0) ::_exit(143);
}

}  // namespace

Status serve_networks(ServerOptions o, const std::function<void(int port, const Models&)>& listening) {
  const sigset_t set = ending_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  permit_connections(o.listen.connections);
  NW_ASSIGN(const HttpServer* http, http_server());
  NW_ASSIGN(const auto models, Models::open(o.runs, o.network));
  Log log;
  Service service(o.service, *models, log);
  NW_ASSIGN(auto listener, http->listen(o.listen, service));
  service.show_listener(listener.get());
  log.write("listening", {{"host", o.listen.host}, {"port", listener->port()}, {"models", models->all().size()}});
  listening(listener->port(), *models);
  while (signal_within(o.reload_s) == 0) reload(*models, service, log);
  service.stop();
  listener->stop_accepting();
  log.write("stopping", {{"requests", listener->requests()}});
  drain(*listener);
  service.show_listener(nullptr);
  listener.reset();
  log.write("stopped", Json::object());
  return {};
}

Result<std::string> read_token(const fs::path& file) {
  NW_ASSIGN(std::string token, read_file(file, 4096));
  token.resize(std::min(token.size(), token.find_first_of("\r\n")));
  const bool printable = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 127; });
  if (token.size() < 16 || !printable)
    return fail(
        Errc::bad_input,
        NW_TR("{0}: a token is one line of at least 16 letters, digits and signs; openssl rand -hex 32 makes one"),
        file.string());
  return token;
}

}  // namespace nw::serve_http
