// SPDX-License-Identifier: Apache-2.0
// The run's side of its control socket: one thread that responds to each line with one line.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "engine/core/files.hpp"

namespace nw {

class ControlServer {
 public:
  /// Called on the server's thread with one line, without its protocol number (control_protocol.hpp); returns the
  /// response: "ok", a JSON object, or "error: …".
  using Answer = std::function<std::string(std::string_view line)>;
  /// Listens at control_socket(run), mode 0600; responds only to processes of the same user. A socket left by a crash
  /// is replaced: the caller holds the run's lock.
  static Result<std::unique_ptr<ControlServer>> start(const fs::path& run, Answer);
  ~ControlServer();  // removes the socket

 private:
  struct State;
  explicit ControlServer(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace nw
