// SPDX-License-Identifier: Apache-2.0
// The server's log: one JSON object a line, on stderr. It holds no text of a client: of a request only the route, the
// status, sizes and times.
#pragma once
#include <mutex>
#include <string_view>

#include "engine/core/json.hpp"

namespace nw::serve_http {

/// Safe from several threads. Beyond `most_a_second` lines in one second, lines are dropped and their number is told.
class Log {
 public:
  explicit Log(int fd = 2, int most_a_second = 1000) : fd_(fd), most_(most_a_second) {}
  /// Adds "t" (Unix seconds) and "event".
  void write(std::string_view event, Json members);

 private:
  void put(const Json& line) const;

  const int fd_, most_;
  std::mutex mutex_;
  // guarded by mutex_
  std::int64_t second_ = 0, lines_ = 0, dropped_ = 0;
};

}  // namespace nw::serve_http
