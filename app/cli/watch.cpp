// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <thread>

#include "app/cli/console.hpp"

namespace nw::cli {
namespace {

struct WatchOptions {
  std::string run;
  TrainOutput output;
};

// The lock is checked before the events are read: a run that ends in between has then written its last event.
int watch(const WatchOptions& o) {
  const auto definition = read_run_definition(o.run);
  if (!definition) return report(definition.error());
  EventTail tail(o.run);
  Console console(o.output);
  for (;;) {
    const bool running = is_running(o.run);
    std::vector<Event> events;
    auto more = tail.poll(events);
    if (!more) return report(more.error());
    for (const Event& e : events) console.post(e);
    if (*more) continue;
    if (!running) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const auto summary = summarize_run(o.run);
  if (summary && summary->status == RunStatus::interrupted) {
    note(summary->can_resume ? "the run was interrupted; netwright-cli resume continues it from its last checkpoint"
                             : "the run was interrupted before its first checkpoint");
    return 1;
  }
  return 0;
}

}  // namespace

void add_watch(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("watch", "Print a run's progress until it ends");
  auto o = std::make_shared<WatchOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_flag("--json", o->output.json, "Print events as JSON lines");
  command->footer("Example: netwright-cli watch RUN_DIR");
  command->callback([=, &chosen] { chosen = [o] { return watch(*o); }; });
}

}  // namespace nw::cli
