// SPDX-License-Identifier: Apache-2.0
#include "engine/core/existing.hpp"

#include <system_error>

namespace nw {

Status refuse_existing(const fs::path& path, bool force) {
  std::error_code ignored;
  if (force || !fs::exists(fs::symlink_status(path, ignored))) return {};
  return fail(Errc::usage, NW_TR("{0} exists already; --force replaces it"), path.string());
}

}  // namespace nw
