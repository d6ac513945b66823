// SPDX-License-Identifier: Apache-2.0
// netwright-cli queue move, pause, continue, remove.
#include <functional>
#include <memory>
#include <optional>

#include "app/cli/queue_commands.hpp"

namespace nw::cli {
namespace {

struct ChangeOptions {
  std::string queue;
  std::vector<std::int64_t> items;
  std::int64_t item = 0, before = 0;
  bool first = false, last = false, ended = false, json = false;
  std::optional<std::int64_t> priority;
};

/// Writes what `make` returns for the queue as it is. All of it or, after an error, what came before.
Status change(const std::string& option,
              const std::function<Result<std::vector<queue::Record>>(const queue::Queue&)>& make) {
  NW_ASSIGN(queue::QueueWriter writer, queue::QueueWriter::open(queue_folder_of(option)));
  NW_ASSIGN(const std::vector<queue::Record> records, make(writer.queue()));
  for (const queue::Record& record : records) NW_TRY(writer.write(record));
  return {};
}

int done(const Status& status, const ChangeOptions& o) {
  if (!status) return report(status.error());
  if (o.json) print(Json{{"type", "done"}}.dump());
  return 0;
}

template <typename R>
std::vector<queue::Record> each(const std::vector<std::int64_t>& items) {
  std::vector<queue::Record> records;
  for (const std::int64_t item : items) records.emplace_back(R{item});
  if (items.empty()) records.emplace_back(R{0});
  return records;
}

/// An item that is placed beside one of another priority gets that priority: else it would not stand there.
Result<std::vector<queue::Record>> moves(const ChangeOptions& o, const queue::Queue& q) {
  if (!o.first && !o.last && o.before == 0 && !o.priority)
    return fail(Errc::usage, NW_TR("name the place: --first, --last, --before ITEM or --priority N"));
  if (!q.find(o.item)) return fail(Errc::usage, NW_TR("the queue has no item {0}"), o.item);
  std::vector<queue::Record> records;
  if (o.priority) records.emplace_back(queue::Prioritized{o.item, *o.priority});
  const auto order = q.order();
  const std::int64_t target = o.first ? (order.empty() ? 0 : order.front()) : o.before;
  if (!o.first && !o.last && o.before == 0) return records;
  const queue::Item* other = q.find(target);
  if (target != 0 && !other) return fail(Errc::usage, NW_TR("the queue has no item {0}"), target);
  if (other && !o.priority && other->priority != q.find(o.item)->priority)
    records.emplace_back(queue::Prioritized{o.item, other->priority});
  records.emplace_back(queue::Moved{o.item, target});
  return records;
}

int move(const ChangeOptions& o) {
  return done(change(o.queue, [&](const queue::Queue& q) { return moves(o, q); }), o);
}

int pause(const ChangeOptions& o) {
  return done(change(o.queue, [&](const queue::Queue&) { return each<queue::Paused>(o.items); }), o);
}

int go_on(const ChangeOptions& o) {
  const Status changed = change(o.queue, [&](const queue::Queue&) { return each<queue::Continued>(o.items); });
  return changed ? done(start_queue_process(queue_folder_of(o.queue)), o) : report(changed.error());
}

int remove(const ChangeOptions& o) {
  if (o.items.empty() && !o.ended) return report(fail(Errc::usage, NW_TR("name the numbers of items, or --ended")));
  return done(change(o.queue,
                     [&](const queue::Queue& q) {
                       std::vector<std::int64_t> items = o.items;
                       for (const queue::Item& item : q.items()) {
                         const bool over = item.state == queue::ItemState::finished ||
                                           item.state == queue::ItemState::failed ||
                                           item.state == queue::ItemState::stopped;
                         if (o.ended && over && !item.runs) items.push_back(item.number);
                       }
                       return items.empty() ? std::vector<queue::Record>() : each<queue::Removed>(items);
                     }),
              o);
}

CLI::App* subcommand(CLI::App& queue, Chosen& chosen, const char* name, const char* what,
                     const std::shared_ptr<ChangeOptions>& o, int (*run)(const ChangeOptions&)) {
  auto* command = queue.add_subcommand(name, what);
  add_queue_option(*command, o->queue);
  command->add_flag("--json", o->json, "Print one JSON object when it is done");
  command->callback([=, &chosen] { chosen = [=] { return run(*o); }; });
  return command;
}

}  // namespace

void add_queue_changes(CLI::App& queue, Chosen& chosen) {
  const auto o = std::make_shared<ChangeOptions>();
  auto* mover = subcommand(queue, chosen, "move", "Change the place or the priority of an item", o, move);
  mover->add_option("ITEM", o->item, "Its number")->required();
  auto* first = mover->add_flag("--first", o->first, "Before all others");
  auto* last = mover->add_flag("--last", o->last, "Behind all others")->excludes(first);
  mover->add_option("--before", o->before, "Before the item of this number")->excludes(first)->excludes(last);
  mover->add_option("--priority", o->priority, "Its new priority")
      ->check(CLI::Range(-queue::highest_priority, queue::highest_priority));
  subcommand(queue, chosen, "pause",
             "Stop items with a checkpoint and keep them from starting; without a number: start nothing more", o, pause)
      ->add_option("ITEM", o->items, "Numbers of items");
  subcommand(queue, chosen, "continue",
             "Let paused, stopped or failed items go on; without a number: start items again", o, go_on)
      ->add_option("ITEM", o->items, "Numbers of items");
  auto* remover =
      subcommand(queue, chosen, "remove",
                 "Take items out of the queue; one that runs stops with a checkpoint. Runs are kept", o, remove);
  remover->add_option("ITEM", o->items, "Numbers of items");
  remover->add_flag("--ended", o->ended, "All that finished, failed or were stopped");
}

}  // namespace nw::cli
