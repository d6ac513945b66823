// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/http.hpp"

#include <dlfcn.h>

#include "engine/core/files.hpp"

namespace nw::serve_http {

Result<const HttpServer*> http_server() {
  const fs::path file = program_folder() / "libnw_http.so";
  static const HttpServer* const server = [&]() -> const HttpServer* {
    using Entry = const HttpServer* (*)(int version);
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto entry = module ? reinterpret_cast<Entry>(::dlsym(module, "netwright_http_server")) : nullptr;
    return entry ? entry(server_module_version) : nullptr;
  }();
  if (!server)
    return fail(Errc::other,
                NW_TR("Nothing can be served: {0} is missing or of another version; build with libmicrohttpd "
                      "(NETWRIGHT_HTTP)"),
                file.string());
  return server;
}

}  // namespace nw::serve_http
