// SPDX-License-Identifier: Apache-2.0
// A queue of trainings: the state that the records of its journal add up to, and what starts next. Pure: no files, no
// clock, no processes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/result.hpp"

namespace nw::queue {

inline constexpr std::int64_t most_items = 100'000;
inline constexpr std::int64_t highest_priority = 1000;

/// Which devices an item needs. `any` > 0: so many free GPUs, whichever; any 1 on a computer without a GPU: the CPU.
struct DeviceRule {
  std::vector<std::string> names;
  std::int64_t any = 0;
  bool operator==(const DeviceRule&) const = default;
};
/// "cuda:1", "cpu", "cuda:0,cuda:1", "any", "any:2". Errc::usage: it is none of these.
Result<DeviceRule> device_rule(std::string_view text);
std::string to_text(const DeviceRule&);

/// What is wanted of an item, or how it ended. Whether a process trains it is another matter: see Item::runs.
enum class ItemState : std::uint8_t { waiting, paused, finished, stopped, failed, removed };
std::string_view name_of(ItemState);

struct Item {
  std::int64_t number = 0;             // from 1
  std::string command;                 // "train"
  std::vector<std::string> arguments;  // after the command; without a device and without a folder of the run
  std::string folder;                  // the working folder, absolute
  std::string name;                    // the project's or the run's
  DeviceRule device;
  std::int64_t priority = 0;  // a higher one starts earlier
  std::string run;            // folder of the run or study, absolute; empty: chosen at the start
  ItemState state = ItemState::waiting;
  bool runs = false;                       // a process trains it, or the process was lost
  std::vector<std::string> uses;           // devices of the process
  std::string message;                     // failed: why
  double added = 0, began = 0, ended = 0;  // Unix seconds; 0: not yet
};

// Records of the journal. `item`: a number; time: Unix seconds.
struct Added {
  Item item;  // as it was added: waiting
};
struct Moved {
  std::int64_t item = 0, before = 0;  // before 0: behind all others
};
struct Prioritized {
  std::int64_t item = 0, priority = 0;
};
struct Paused {
  std::int64_t item = 0;  // 0: the queue: nothing more is started
};
struct Continued {
  std::int64_t item = 0;  // 0: the queue
};
struct Removed {
  std::int64_t item = 0;
};
struct Began {
  std::int64_t item = 0;
  std::string run;
  std::vector<std::string> uses;
  double time = 0;
};
/// How a process of an item ended. interrupted: the item is not done, its state stays.
enum class Ending : std::uint8_t { finished, stopped, failed, interrupted };
std::string_view name_of(Ending);
struct Ended {
  std::int64_t item = 0;
  Ending how = Ending::finished;
  std::string message;
  double time = 0;
};
using Record = std::variant<Added, Moved, Prioritized, Paused, Continued, Removed, Began, Ended>;

/// An item and the devices that it gets.
struct Start {
  std::int64_t item = 0;
  std::vector<std::string> devices;
};

class Queue {
 public:
  /// Errc::bad_input: the record contradicts those before it; Errc::usage: it asks for what cannot be (a removed item
  /// is continued). Nothing changes then.
  Status take(const Record&);
  /// By number, removed ones too.
  const std::vector<Item>& items() const { return items_; }
  /// Null: there is no such item, or it was removed.
  const Item* find(std::int64_t number) const;
  /// The numbers of items that wait, run or are paused, in the order in which they start: by priority, then as moved.
  std::vector<std::int64_t> order() const;
  bool paused() const { return paused_; }
  /// The number of the next item added.
  std::int64_t next_number() const { return static_cast<std::int64_t>(items_.size()) + 1; }
  /// The first item whose devices are free. An item that waits for devices keeps them from those behind it. `gpus`:
  /// those of this computer that can train, "cuda:0". nullopt: nothing can start now.
  std::optional<Start> next(const std::vector<std::string>& gpus) const;

 private:
  Status take(const Added&);
  Status take(const Moved&);
  Status take(const Prioritized&);
  Status take(const Paused&);
  Status take(const Continued&);
  Status take(const Removed&);
  Status take(const Began&);
  Status take(const Ended&);
  Result<Item*> known(std::int64_t number);

  std::vector<Item> items_;
  std::vector<std::int64_t> order_;  // all numbers but removed ones, as moved
  bool paused_ = false;
};

/// Why the item's devices will never be free here; empty: they may be.
std::optional<Text> never_starts(const Item&, const std::vector<std::string>& gpus);

}  // namespace nw::queue
