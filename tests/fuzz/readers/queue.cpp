// SPDX-License-Identifier: Apache-2.0
#include "engine/queue/journal.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_queue(Bytes bytes) {
  using namespace nw::queue;
  auto queue = queue_from_text(as_text(bytes), "journal.jsonl");
  if (!queue) return {};
  for (const std::int64_t number : queue->order())
    if (!queue->find(number)) return {true, "the order names an item that is not there"};
  for (int starts = 0; starts < 100; ++starts) {
    const auto next = queue->next({"cuda:0", "cuda:1"});
    if (!next) break;
    if (!queue->take(Record(Began{next->item, "/run", next->devices, 1})))
      return {true, "the queue rejects its own next start"};
  }
  return {true, {}};
}
