// SPDX-License-Identifier: Apache-2.0
// Appends an HTTP response to a partial download, and rejects a response that cannot be the requested file.
#pragma once
#include "engine/data/fetch/download.hpp"

namespace nw {

class PartialFileSink final : public HttpSink {
 public:
  /// `expected_bytes`: size of the whole file, 0: unknown. `arrived` is called with the number of bytes of this file
  /// received so far; false stops.
  PartialFileSink(const PartialFile& part, std::int64_t expected_bytes, std::string host,
                  std::function<bool(std::int64_t)> arrived);
  ~PartialFileSink() override;
  bool head(const HttpHeader&) override;
  bool body(std::span<const std::byte>) override;
  bool go_on() override;
  /// Writes buffered bytes to disk; returns the error if this sink ended the transfer. After Errc::bad_input the
  /// partial file is useless.
  Status finish();
  std::int64_t fetched_bytes() const { return fetched_; }
  bool stopped() const { return stopped_; }

 private:
  bool refuse(Error);
  const PartialFile& part_;
  std::int64_t expected_, limit_, at_ = 0, fetched_ = 0;
  std::string host_;
  std::function<bool(std::int64_t)> arrived_;
  int fd_ = -1;
  bool stopped_ = false;
  std::optional<Error> error_;
};

}  // namespace nw
