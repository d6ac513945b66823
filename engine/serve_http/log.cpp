// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/log.hpp"

#include <unistd.h>

#include <chrono>

namespace nw::serve_http {

void Log::put(const Json& line) const {
  const std::string text = line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
  if (::write(fd_, text.data(), text.size()) < 0) return;  // nobody reads the log
}

void Log::write(std::string_view event, Json members) {
  const double t = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::lock_guard lock(mutex_);
  if (const auto second = static_cast<std::int64_t>(t); second != second_) {
    if (dropped_ > 0) put({{"t", t}, {"event", "dropped_lines"}, {"lines", dropped_}});
    second_ = second;
    lines_ = dropped_ = 0;
  }
  if (++lines_ > most_) {
    ++dropped_;
    return;
  }
  members["t"] = t;
  members["event"] = event;
  put(members);
}

}  // namespace nw::serve_http
