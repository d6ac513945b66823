// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/queue_commands.hpp"
#include "engine/queue/autostart.hpp"

namespace nw::cli {
namespace {

struct AutostartOptions {
  std::string queue, what;
  bool json = false;
};

int autostart(const AutostartOptions& o) {
  std::error_code ignored;
  Status done;
  if (o.what == "on")
    done = queue::start_at_login(fs::read_symlink("/proc/self/exe", ignored), queue_folder_of(o.queue));
  if (o.what == "off") done = queue::do_not_start_at_login();
  if (!done) return report(done.error());
  const std::string state = queue::starts_at_login() ? "on" : "off";
  if (o.json) print(Json{{"type", "autostart"}, {"state", state}}.dump());
  if (!o.json && o.what == "status") print(state);
  return 0;
}

}  // namespace

void add_queue_autostart(CLI::App& queue, Chosen& chosen) {
  auto* command =
      queue.add_subcommand("autostart", "Go on with the queue at the next login, after a restart of the computer");
  auto o = std::make_shared<AutostartOptions>();
  add_queue_option(*command, o->queue);
  command->add_option("WHAT", o->what, "on, off or status")->required()->check(CLI::IsMember({"on", "off", "status"}));
  command->add_flag("--json", o->json, "Print one JSON object");
  command->callback([=, &chosen] { chosen = [o] { return autostart(*o); }; });
}

}  // namespace nw::cli
