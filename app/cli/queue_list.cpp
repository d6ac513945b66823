// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/cli/queue_commands.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

struct QueueListOptions {
  std::string queue;
  bool json = false;
};

/// "running", "stopping", or the state.
std::string state_of(const queue::Item& item) {
  if (!item.runs) return std::string(name_of(item.state));
  return item.state == queue::ItemState::waiting ? "running" : "stopping";
}

std::vector<const queue::Item*> listed(const queue::Queue& q) {
  std::vector<const queue::Item*> items;
  for (const std::int64_t n : q.order()) items.push_back(q.find(n));
  for (const queue::Item& item : q.items()) {
    const bool over = item.state != queue::ItemState::removed && !item.runs &&
                      std::find(items.begin(), items.end(), &item) == items.end();
    if (over) items.push_back(&item);
  }
  std::stable_partition(items.begin(), items.end(), [](const queue::Item* item) { return item->runs; });
  return items;
}

std::string progress_of(const queue::Item& item) {
  const auto run = item.run.empty() ? fail(Errc::other, "") : summarize_run(item.run);
  if (!run) return item.message;
  std::string words = fmt::format("epoch {} of {}", run->epochs_done, run->epochs);
  if (std::isfinite(run->best_accuracy)) words += ", best " + percent(run->best_accuracy);
  return item.message.empty() ? words : words + "; " + item.message;
}

Json json_of(const queue::Item& item) {
  Json j{{"item", item.number},     {"name", item.name},           {"state", state_of(item)},
         {"command", item.command}, {"arguments", item.arguments}, {"device", to_text(item.device)},
         {"uses", item.uses},       {"priority", item.priority},   {"run", item.run},
         {"message", item.message}, {"added", item.added},         {"began", item.began},
         {"ended", item.ended}};
  if (const auto run = item.run.empty() ? fail(Errc::other, "") : summarize_run(item.run)) {
    j["epochs_done"] = run->epochs_done;
    j["epochs"] = run->epochs;
  }
  return j;
}

int list_queue(const QueueListOptions& o) {
  const fs::path folder = queue_folder_of(o.queue);
  const auto q = queue::read_queue(folder);
  if (!q) return report(q.error());
  const bool starts = FileLock::is_held(folder / queue::daemon_lock);
  if (o.json) {
    Json all{{"paused", q->paused()}, {"process", starts}, {"items", Json::array()}};
    for (const queue::Item* item : listed(*q)) all["items"].push_back(json_of(*item));
    print(all.dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"item", "name", "state", "priority", "devices", "progress"}};
  for (const queue::Item* item : listed(*q))
    rows.push_back({std::to_string(item->number), item->name, state_of(*item), std::to_string(item->priority),
                    item->uses.empty() ? to_text(item->device) : queue::to_text({item->uses, 0}), progress_of(*item)});
  if (rows.size() > 1) print_lines(table(rows));
  if (rows.size() == 1) note("the queue is empty; netwright-cli queue add train FILE adds a training");
  if (q->paused())
    note("the queue is paused: nothing is started; netwright-cli queue continue goes on");
  else if (!starts && q->next({}))
    note("no process starts the items; netwright-cli queue start does");
  return 0;
}

}  // namespace

void add_queue_list(CLI::App& queue, Chosen& chosen) {
  auto* command =
      queue.add_subcommand("list", "List the items: those that run, those that wait in their order, the rest");
  auto o = std::make_shared<QueueListOptions>();
  add_queue_option(*command, o->queue);
  command->add_flag("--json", o->json, "Print one JSON object");
  command->callback([=, &chosen] { chosen = [o] { return list_queue(*o); }; });
}

}  // namespace nw::cli
