// SPDX-License-Identifier: Apache-2.0
// The inference server: a process that answers HTTP with the networks of runs (docs/serve.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "engine/serve_http/service.hpp"

namespace nw::serve_http {

struct ServerOptions {
  std::vector<fs::path> runs;
  BatchNetwork::Options network;
  ListenOptions listen;
  Service::Options service;
  double reload_s = 1;  // how often the runs' folders are asked for a newer checkpoint
};

/// Serves until SIGTERM or SIGINT; then no connection is accepted any more, and what was accepted is answered. A second
/// signal ends the process at once. `listening` is called with the port once requests are answered. Call it while the
/// process has one thread, for it blocks these signals in all.
Status serve_networks(ServerOptions, const std::function<void(int port, const Models&)>& listening);

/// The token of a file: its first line. Errc::bad_input: it has fewer than 16 characters, or others than printable
/// ASCII.
Result<std::string> read_token(const fs::path& file);

}  // namespace nw::serve_http
