// SPDX-License-Identifier: Apache-2.0
// The inference server, and the process in which it decodes pictures.
#include <fcntl.h>

#include <memory>
#include <thread>

#include "app/cli/cli.hpp"
#include "engine/deploy/bundle_run.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "engine/parallel/team.hpp"
#include "engine/serve_http/server.hpp"

namespace nw::cli {
namespace {

struct ServerCommand {
  serve_http::ServerOptions server;
  std::vector<std::string> runs;
  std::string token_file;
  double wait_ms = 2, body_mb = 16;
};

bool is_loopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

std::string url_of(const std::string& host, int port) {
  return host.find(':') == host.npos ? fmt::format("http://{}:{}", host, port)
                                     : fmt::format("http://[{}]:{}", host, port);
}

/// A run as it is; a bundle as the folder of a run below `place`, once its files were compared with their SHA-256.
Result<fs::path> folder_of(const std::string& named, const fs::path& place, std::size_t number) {
  if (!deploy::is_bundle(named)) return fs::path(named);
  fs::path whole = fs::absolute(named).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  const fs::path to = place / std::to_string(number) / whole.filename();  // served under the bundle's name
  NW_TRY(make_folder(to));
  NW_TRY(deploy::run_of_bundle(whole, to));
  return to;
}

int infer_server(ServerCommand c) {
  serve_http::ServerOptions& o = c.server;
  const exchange::ScratchFolder place;  // of bundles, until the server ends
  for (const std::string& named : c.runs) {
    const auto folder = folder_of(named, place.path, o.runs.size());
    if (!folder) return report(folder.error());
    o.runs.push_back(*folder);
  }
  o.service.batcher.wait_s = c.wait_ms / 1000;
  o.service.batcher.largest_batch = o.network.largest_batch;
  o.listen.body_bytes = static_cast<std::size_t>(c.body_mb * 1024 * 1024);
  o.network.threads = default_threads(o.network.threads);
  o.service.pictures.program = program_folder() / "netwright-cli";
  if (!c.token_file.empty()) {
    auto token = serve_http::read_token(c.token_file);
    if (!token) return report(token.error());
    o.service.token = *std::move(token);
  }
  o.service.loopback_only = is_loopback(o.listen.host) && o.service.token.empty();
  if (!is_loopback(o.listen.host) && o.service.token.empty())
    note("Other computers can use this server without a token; --token-file F asks for one.");
  const Status done = serve_http::serve_networks(o, [&](int port, const serve_http::Models& models) {
    for (const auto& m : models.all())
      print(fmt::format("{}/v2/models/{} serves version {}", url_of(o.listen.host, port), m->name, m->version));
  });
  return done ? 0 : report(done.error());
}

void add_limits(CLI::App& command, const std::shared_ptr<ServerCommand>& c) {
  auto& listen = c->server.listen;
  auto& batcher = c->server.service.batcher;
  command.add_option("--max-batch", c->server.network.largest_batch, "Images computed at once")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--max-wait-ms", c->wait_ms,
                  "The longest time for which images wait for those of other requests to be computed with them")
      ->check(CLI::Range(0.0, 1000.0));
  command.add_option("--max-queue", batcher.queue_images, "Images that may wait; beyond them requests get status 503")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--max-body-mb", c->body_mb, "Largest body of a request, in MiB")
      ->check(CLI::Range(0.001, 1024.0));
  command.add_option("--max-connections", listen.connections, "Connections that are open at the same time")
      ->check(CLI::Range(1, 65536));
  command
      .add_option("--request-timeout", listen.request_s,
                  "Seconds within which a request must be received, and its reply taken")
      ->check(CLI::Range(0.1, 3600.0));
  command.add_option("--idle-timeout", listen.idle_s, "Seconds after which a connection without traffic is closed")
      ->check(CLI::Range(1.0, 3600.0));
}

}  // namespace

void add_infer_server(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("infer-server", "Answer inference requests over HTTP with the networks of runs");
  auto c = std::make_shared<ServerCommand>();
  command->add_option("RUN_DIR", c->runs, "Folders of runs or bundles, each served under its folder's name")
      ->required();
  command->add_option("--host", c->server.listen.host, "Numeric address to listen on; 0.0.0.0: all of this computer's");
  command->add_option("--port", c->server.listen.port, "Port; 0: any free one, which is printed")
      ->check(CLI::Range(0, 65535));
  command->add_option("--token-file", c->token_file, "File with a token that requests must carry");
  command
      ->add_option("--checkpoint", c->server.network.checkpoint, "best or latest: a newer one is loaded while serving")
      ->check(CLI::IsMember({"best", "latest"}));
  command->add_option("--threads", c->server.network.threads, "Threads of each network")->check(CLI::Range(1, 4096));
  add_limits(*command, c);
  command->add_flag("--log-requests", c->server.service.log_requests, "Log every request, not only failures");
  command->footer("Example: netwright-cli infer-server RUN_DIR --port 8000");
  c->server.network.threads = 0;
  command->callback([=, &chosen] { chosen = [c] { return infer_server(*c); }; });
}

void add_decode_pictures(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("decode-pictures", "Decode pictures for infer-server on an inherited socket");
  command->group("");  // not for users
  auto fd = std::make_shared<int>(-1);
  command->add_option("--fd", *fd, "File descriptor of the socket")->required();
  command->callback([=, &chosen] {
    chosen = [fd] {
      if (::fcntl(*fd, F_GETFD) < 0) return report(fail(Errc::usage, NW_TR("descriptor {0} is not open"), *fd));
      return serve_http::decode_pictures(*fd);
    };
  });
}

}  // namespace nw::cli
