// SPDX-License-Identifier: Apache-2.0
#include "engine/core/what_is_there.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace nw {
namespace {

Text nothing_there(const fs::path& path) {
  std::error_code none;
  const fs::path target = fs::read_symlink(path, none);
  if (!none) return text(NW_TR("{0} is a link to {1}, which is not there"), path.string(), target.string());
  return text(NW_TR("{0} is not there"), path.string());
}

}  // namespace

Text not_a_file(const fs::path& path) {
  std::error_code none;
  switch (fs::status(path, none).type()) {
    case fs::file_type::directory:
      return text(NW_TR("{0} is not a file: it is a folder"), path.string());
    case fs::file_type::fifo:
      return text(NW_TR("{0} is not a file: it is a pipe"), path.string());
    case fs::file_type::socket:
      return text(NW_TR("{0} is not a file: it is a socket"), path.string());
    case fs::file_type::block:
    case fs::file_type::character:
      return text(NW_TR("{0} is not a file: it is a device"), path.string());
    case fs::file_type::not_found:
      return nothing_there(path);
    default:
      return text(NW_TR("{0} is not a file"), path.string());
  }
}

Text not_a_folder(const fs::path& path) {
  std::error_code none;
  switch (fs::status(path, none).type()) {
    case fs::file_type::not_found:
      return nothing_there(path);
    case fs::file_type::regular:
      return text(NW_TR("{0} is not a folder: it is a file"), path.string());
    case fs::file_type::fifo:
      return text(NW_TR("{0} is not a folder: it is a pipe"), path.string());
    case fs::file_type::socket:
      return text(NW_TR("{0} is not a folder: it is a socket"), path.string());
    case fs::file_type::block:
    case fs::file_type::character:
      return text(NW_TR("{0} is not a folder: it is a device"), path.string());
    default:
      return text(NW_TR("{0} is not a folder"), path.string());
  }
}

Status check_folder(const fs::path& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return Error{Errc::bad_input, not_a_folder(path)};
  if (::access(path.c_str(), R_OK | X_OK) == 0) return {};
  return fail(Errc::bad_input, NW_TR("{0} is a folder that cannot be read: {1}"), path.string(),
              std::generic_category().message(errno));
}

}  // namespace nw
