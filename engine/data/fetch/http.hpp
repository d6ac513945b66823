// SPDX-License-Identifier: Apache-2.0
// HTTP for downloads and for reports to other programs. The client (libcurl and its many libraries) is a separate
// module, loaded only by processes that need it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

/// The header of a response, after all redirects.
struct HttpHeader {
  int status = 0;
  std::int64_t length = -1;  // of the body, bytes; -1: unknown
  std::int64_t from = 0;     // offset of the first byte sent (status 206)
  std::int64_t whole = -1;   // of the whole file, bytes; -1: unknown
  std::string tag;           // a strong ETag; "" if there is none
};

/// Receives a response in pieces. If a method returns false, the transfer ends.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual bool head(const HttpHeader&) = 0;
  virtual bool body(std::span<const std::byte>) = 0;
  virtual bool go_on() = 0;  // called a few times a second, also while no data arrives
};

enum class HttpEnd : std::uint8_t { whole, ended_by_sink, no_connection, cut, too_many_redirects, not_http };
struct HttpResult {
  HttpEnd end = HttpEnd::whole;
  std::string why;  // the client's error message, in English
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// GET, following at most five redirects, only to http and https and never from https to http. `from` > 0 requests
  /// the rest of a file (Range), with `tag` only if the file is unchanged (If-Range). A transfer without progress for
  /// 30 s is aborted. May be called from any thread.
  virtual HttpResult get(const std::string& url, std::int64_t from, const std::string& tag, HttpSink&) const = 0;
  /// POST with these header lines ("Content-Type: application/json"). Redirects are not followed, so that a body and a
  /// password reach no other host. The same time-outs.
  virtual HttpResult post(const std::string& url, const std::vector<std::string>& header, const std::string& body,
                          HttpSink&) const = 0;
};

/// The module exports `extern "C" const nw::HttpClient* netwright_http_client(int version)`; null for another version.
inline constexpr int http_module_version = 2;
/// Loads the module from the executable's folder, once. An error with the reason if it is not installed.
Result<const HttpClient*> http_client();

}  // namespace nw
