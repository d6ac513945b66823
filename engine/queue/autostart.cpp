// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/autostart.hpp"

#include <string>
#include <system_error>

namespace nw::queue {
namespace {

fs::path entry_file() { return config_folder().parent_path() / "autostart" / "netwright-queue.desktop"; }

/// A word of the entry's Exec line: quoted; what is special in quotes, and what is in the file's strings, is escaped.
std::string quoted(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '`' || c == '$') out += "\\\\";
    if (c == '\\') out += "\\\\\\";
    out += c;
    if (c == '%') out += '%';
  }
  return out + '"';
}

}  // namespace

bool starts_at_login() {
  std::error_code ignored;
  return fs::exists(entry_file(), ignored);
}

Status start_at_login(const fs::path& program, const fs::path& queue) {
  if (queue.string().find('\n') != std::string::npos || program.string().find('\n') != std::string::npos)
    return fail(Errc::usage, NW_TR("a folder whose name has more than one line cannot be started at login"));
  NW_TRY(make_folder(entry_file().parent_path()));
  return save_file(entry_file(), "[Desktop Entry]\nType=Application\nName=Netwright queue\nNoDisplay=true\nExec=" +
                                     quoted(program.string()) + " queue start --queue " + quoted(queue.string()) +
                                     "\n");
}

Status do_not_start_at_login() {
  std::error_code error;
  fs::remove(entry_file(), error);
  if (!error) return {};
  return fail(Errc::disk, NW_TR("{0} cannot be removed: {1}"), entry_file().string(), error.message());
}

}  // namespace nw::queue
