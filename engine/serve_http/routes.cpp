// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/routes.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace nw::serve_http {
namespace {

struct Row {
  Route route;
  std::string_view name, method, path;  // path: empty if it holds names
  bool open;
};
constexpr std::array<Row, 12> rows{{
    {Route::none, "none", "GET", "", true},
    {Route::page, "page", "GET", "/", true},
    {Route::page_script, "page_script", "GET", "/page.js", true},
    {Route::page_style, "page_style", "GET", "/page.css", true},
    {Route::server, "server", "GET", "/v2", false},
    {Route::live, "live", "GET", "/v2/health/live", true},
    {Route::ready, "ready", "GET", "/v2/health/ready", true},
    {Route::index, "index", "POST", "/v2/repository/index", false},
    {Route::metrics, "metrics", "GET", "/metrics", false},
    {Route::model, "model", "GET", "", false},
    {Route::model_ready, "model_ready", "GET", "", false},
    {Route::infer, "infer", "POST", "", false},
}};

const Row& row_of(Route route) { return rows[static_cast<std::size_t>(route)]; }

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= path.size() && parts.size() < 8;) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// v2/models/M[/versions/V][/ready|/infer]
Target model_target(std::string_view path) {
  auto parts = parts_of(path.substr(1));
  if (parts.size() < 3 || parts[0] != "v2" || parts[1] != "models" || parts[2].empty()) return {};
  Target t{Route::model, std::string(parts[2]), {}};
  parts.erase(parts.begin(), parts.begin() + 3);
  if (parts.size() >= 2 && parts[0] == "versions" && !parts[1].empty()) {
    t.version = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  if (parts.empty()) return t;
  t.route = parts.size() > 1      ? Route::none
            : parts[0] == "ready" ? Route::model_ready
            : parts[0] == "infer" ? Route::infer
                                  : Route::none;
  return t;
}

}  // namespace

std::string_view name_of(Route route) { return row_of(route).name; }
std::string_view method_of(Route route) { return row_of(route).method; }
bool is_open(Route route) { return row_of(route).open; }

Target target_of(std::string_view path) {
  if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  for (const Row& row : rows)
    if (!row.path.empty() && row.path == path) return {row.route, {}, {}};
  return path.starts_with('/') ? model_target(path) : Target{};
}

bool is_loopback_host(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
  const std::string_view name = host.substr(0, end);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool equal_secret(std::string_view secret, std::string_view given) {
  unsigned different = secret.size() == given.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    different |= static_cast<unsigned char>(given[i]) ^
                 static_cast<unsigned char>(secret.empty() ? 0 : secret[i % secret.size()]);
  return different == 0 && !secret.empty();
}

}  // namespace nw::serve_http
