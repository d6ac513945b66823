// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/queue.hpp"

#include <algorithm>
#include <set>

namespace nw::queue {
namespace {

Error unknown(std::int64_t number) { return fail(Errc::usage, NW_TR("the queue has no item {0}"), number); }

Error contradiction(std::int64_t number) {
  return fail(Errc::bad_input, NW_TR("a record about item {0} contradicts earlier ones"), number);
}

/// What two processes cannot use at the same time: a GPU, or the processor, whose virtual devices are all one.
std::string resource_of(const std::string& device) { return device.starts_with("cuda") ? device : "cpu"; }

std::vector<std::string> free_ones(const std::vector<std::string>& gpus, const std::set<std::string>& taken) {
  std::vector<std::string> all;
  for (const std::string& gpu : gpus)
    if (!taken.contains(gpu)) all.push_back(gpu);
  return all;
}

/// The devices of an item, and those that it could get: what it waits for.
struct Choice {
  std::optional<std::vector<std::string>> devices;
  std::vector<std::string> wants;
};

Choice choose(const DeviceRule& rule, const std::vector<std::string>& gpus, const std::set<std::string>& taken) {
  const bool on_cpu = rule.any == 1 && gpus.empty();
  if (rule.any > 0 && !on_cpu) {
    std::vector<std::string> free = free_ones(gpus, taken);
    if (free.size() < static_cast<std::size_t>(rule.any)) return {std::nullopt, gpus};
    free.resize(static_cast<std::size_t>(rule.any));
    return {free, {}};
  }
  const std::vector<std::string> names = on_cpu ? std::vector<std::string>{"cpu"} : rule.names;
  const bool free = std::none_of(names.begin(), names.end(),
                                 [&](const std::string& name) { return taken.contains(resource_of(name)); });
  return free ? Choice{names, {}} : Choice{std::nullopt, names};
}

}  // namespace

Status Queue::take(const Record& record) {
  return std::visit([this](const auto& what) { return take(what); }, record);
}

Result<Item*> Queue::known(std::int64_t number) {
  const bool is = number >= 1 && number < next_number();
  if (!is || items_[static_cast<std::size_t>(number - 1)].state == ItemState::removed) return unknown(number);
  return &items_[static_cast<std::size_t>(number - 1)];
}

const Item* Queue::find(std::int64_t number) const {
  const auto item = const_cast<Queue*>(this)->known(number);
  return item ? *item : nullptr;
}

Status Queue::take(const Added& a) {
  if (a.item.number != next_number()) return contradiction(a.item.number);
  if (a.item.number > most_items) return fail(Errc::usage, NW_TR("a queue holds at most {0} items"), most_items);
  items_.push_back(a.item);
  order_.push_back(a.item.number);
  return {};
}

Status Queue::take(const Moved& m) {
  NW_ASSIGN(const Item* item, known(m.item));
  if (m.before != 0) NW_TRY(known(m.before));
  if (m.before == item->number) return {};
  std::erase(order_, m.item);
  order_.insert(m.before == 0 ? order_.end() : std::find(order_.begin(), order_.end(), m.before), m.item);
  return {};
}

Status Queue::take(const Prioritized& p) {
  NW_ASSIGN(Item * item, known(p.item));
  item->priority = std::clamp(p.priority, -highest_priority, highest_priority);
  return {};
}

Status Queue::take(const Paused& p) {
  if (p.item == 0) {
    paused_ = true;
    return {};
  }
  NW_ASSIGN(Item * item, known(p.item));
  if (item->state != ItemState::waiting && item->state != ItemState::paused)
    return fail(Errc::usage, NW_TR("item {0} is {1}: it cannot be paused"), p.item, name_of(item->state));
  item->state = ItemState::paused;
  return {};
}

Status Queue::take(const Continued& c) {
  if (c.item == 0) {
    paused_ = false;
    return {};
  }
  NW_ASSIGN(Item * item, known(c.item));
  if (item->state == ItemState::finished)
    return fail(Errc::usage, NW_TR("item {0} has finished; netwright-cli resume --epochs N trains its run further"),
                c.item);
  item->state = ItemState::waiting;
  item->message.clear();
  return {};
}

Status Queue::take(const Removed& r) {
  NW_ASSIGN(Item * item, known(r.item));
  item->state = ItemState::removed;
  std::erase(order_, r.item);
  return {};
}

Status Queue::take(const Began& b) {
  NW_ASSIGN(Item * item, known(b.item));
  if (item->runs || item->state != ItemState::waiting) return contradiction(b.item);
  item->runs = true;
  item->run = b.run;
  item->uses = b.uses;
  if (item->began == 0) item->began = b.time;
  return {};
}

// A removed item may still run until its process has ended.
Status Queue::take(const Ended& e) {
  const bool is = e.item >= 1 && e.item < next_number();
  if (!is || !items_[static_cast<std::size_t>(e.item - 1)].runs) return contradiction(e.item);
  Item& item = items_[static_cast<std::size_t>(e.item - 1)];
  item.runs = false;
  item.uses.clear();
  if (item.state == ItemState::removed || e.how == Ending::interrupted) return {};
  item.state = e.how == Ending::finished  ? ItemState::finished
               : e.how == Ending::stopped ? ItemState::stopped
                                          : ItemState::failed;
  item.message = e.message;
  item.ended = e.time;
  return {};
}

std::vector<std::int64_t> Queue::order() const {
  std::vector<std::int64_t> numbers;
  const auto at = [&](std::int64_t n) -> const Item& { return items_[static_cast<std::size_t>(n - 1)]; };
  for (const std::int64_t n : order_)
    if (at(n).runs || at(n).state == ItemState::waiting || at(n).state == ItemState::paused) numbers.push_back(n);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::int64_t a, std::int64_t b) { return at(a).priority > at(b).priority; });
  return numbers;
}

std::optional<Start> Queue::next(const std::vector<std::string>& gpus) const {
  if (paused_) return std::nullopt;
  std::set<std::string> taken;
  for (const Item& item : items_)
    if (item.runs)
      for (const std::string& name : item.uses) taken.insert(resource_of(name));
  for (const std::int64_t n : order()) {
    const Item& item = items_[static_cast<std::size_t>(n - 1)];
    if (item.runs || item.state != ItemState::waiting || never_starts(item, gpus)) continue;
    Choice choice = choose(item.device, gpus, taken);
    if (choice.devices) return Start{n, *std::move(choice.devices)};
    for (const std::string& name : choice.wants) taken.insert(resource_of(name));
  }
  return std::nullopt;
}

std::optional<Text> never_starts(const Item& item, const std::vector<std::string>& gpus) {
  const auto there = static_cast<std::int64_t>(gpus.size());
  if (item.device.any > std::max<std::int64_t>(1, there))
    return text(NW_TR("it needs {0} GPUs, and this computer has {1} that can train"), item.device.any, there);
  for (const std::string& name : item.device.names)
    if (name.starts_with("cuda") && std::find(gpus.begin(), gpus.end(), name) == gpus.end())
      return text(NW_TR("it needs {0}, which cannot train here; netwright-cli devices says why"), name);
  return std::nullopt;
}

}  // namespace nw::queue
