// SPDX-License-Identifier: Apache-2.0
// netwright-cli queue autostart: an entry by the desktop's autostart specification (XDG), which goes on with the queue
// at the next login.
#include <memory>
#include <system_error>

#include "app/cli/queue_commands.hpp"

namespace nw::cli {
namespace {

struct AutostartOptions {
  std::string queue, what;
};

fs::path entry_file() { return config_folder().parent_path() / "autostart" / "netwright-queue.desktop"; }

/// A word of the entry's Exec line: quoted, with what is special in quotes, and in the file's strings, escaped.
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

std::string entry_text(const fs::path& queue) {
  std::error_code ignored;
  return "[Desktop Entry]\nType=Application\nName=Netwright queue\nNoDisplay=true\nExec=" +
         quoted(fs::read_symlink("/proc/self/exe", ignored).string()) + " queue start --queue " +
         quoted(queue.string()) + "\n";
}

int autostart(const AutostartOptions& o) {
  std::error_code error;
  if (o.what == "status") {
    print(fs::exists(entry_file(), error) ? "on" : "off");
    return 0;
  }
  if (o.what == "off") {
    fs::remove(entry_file(), error);
    return error ? report(fail(Errc::disk, NW_TR("{0} cannot be removed: {1}"), entry_file().string(), error.message()))
                 : 0;
  }
  const fs::path queue = queue_folder_of(o.queue);
  if (queue.string().find('\n') != std::string::npos)
    return report(fail(Errc::usage, NW_TR("a folder whose name has more than one line cannot be started at login")));
  if (const Status made = make_folder(entry_file().parent_path()); !made) return report(made.error());
  const Status saved = save_file(entry_file(), entry_text(queue));
  return saved ? 0 : report(saved.error());
}

}  // namespace

void add_queue_autostart(CLI::App& queue, Chosen& chosen) {
  auto* command =
      queue.add_subcommand("autostart", "Go on with the queue at the next login, after a restart of the computer");
  auto o = std::make_shared<AutostartOptions>();
  add_queue_option(*command, o->queue);
  command->add_option("WHAT", o->what, "on, off or status")->required()->check(CLI::IsMember({"on", "off", "status"}));
  command->callback([=, &chosen] { chosen = [o] { return autostart(*o); }; });
}

}  // namespace nw::cli
