// SPDX-License-Identifier: Apache-2.0
// The paths of the server.
#pragma once
#include <string>
#include <string_view>

namespace nw::serve_http {

enum class Route : std::uint8_t {
  none,  // no such path
  page,
  page_script,
  page_style,
  server,
  live,
  ready,
  index,
  metrics,
  model,
  model_ready,
  infer
};
/// For logs and metrics: "infer".
std::string_view name_of(Route);
/// The method that a route takes: "GET" (then also HEAD) or "POST".
std::string_view method_of(Route);
/// Whether it answers without a token: the page, which holds no secret, and what orchestrators ask.
bool is_open(Route);

struct Target {
  Route route = Route::none;
  std::string model, version;  // version: empty if the path has none
};
/// Reads a path without its query; one slash at its end is ignored.
Target target_of(std::string_view path);

/// Whether the host of a Host header is this computer's loopback name or address.
bool is_loopback_host(std::string_view host);
/// Compares in a time that depends on the length of `given` only.
bool equal_secret(std::string_view secret, std::string_view given);

}  // namespace nw::serve_http
