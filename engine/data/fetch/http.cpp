// SPDX-License-Identifier: Apache-2.0
#include "engine/data/fetch/http.hpp"

#include <dlfcn.h>

#include "engine/core/files.hpp"

namespace nw {

Result<const HttpClient*> http_client() {
  const fs::path file = program_folder() / "libnw_net.so";
  static const HttpClient* const client = [&]() -> const HttpClient* {
    using Entry = const HttpClient* (*)(int version);
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto entry = module ? reinterpret_cast<Entry>(::dlsym(module, "netwright_http_client")) : nullptr;
    return entry ? entry(http_module_version) : nullptr;
  }();
  if (!client)
    return fail(
        Errc::other,
        NW_TR("Nothing can be downloaded: {0} is missing or of another version; build with libcurl (NETWRIGHT_NET)"),
        file.string());
  return client;
}

}  // namespace nw
