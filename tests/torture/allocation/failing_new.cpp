// SPDX-License-Identifier: Apache-2.0
#include "tests/torture/allocation/failing_new.hpp"

#include <atomic>

#include "tests/support/code_of.hpp"
#include "tests/support/new_operators.hpp"
#include "tests/torture/allocation/kept_blocks.hpp"

namespace nw::test {
namespace {

std::atomic<bool> counts{false}, failed{false};
std::atomic<std::size_t> made{0}, failing{0};
bool with_stacks = false;
KeptBlocks kept;
thread_local bool spared = false;

const CodeOf& json_destructor() {
  static const CodeOf found(json_destructor_symbol);
  return found;
}

/// As operator new has it: the handler is called, and if it returns, there is memory again.
bool served_by_the_reserve() {
  if (!json_destructor().runs()) return false;
  const std::new_handler handler = std::get_new_handler();
  if (!handler) return false;
  handler();
  return true;
}

}  // namespace

bool fails(std::size_t) {
  if (spared || !counts.load()) return false;
  if (made.fetch_add(1) + 1 != failing.load()) return false;
  if (served_by_the_reserve()) return false;
  failed = true;
  return true;
}
void gave_out(void* block) {
  if (!spared && counts.load()) kept.add(block);
}
void took_back(void* block) {
  if (counts.load()) kept.remove(block);
}

void start_failing(std::size_t at, bool stacks) {
  with_stacks = stacks;
  (void)json_destructor();
  made = 0;
  kept.begin(with_stacks);
  failed = false;
  failing = at;
  counts = true;
}
Allocations stop_failing() {
  counts = false;
  return {made, failed, kept.count()};
}
void spare_this_thread() { spared = true; }
std::size_t kept_without_excuse(bool print) {
  static const CodeOf json("10basic_json"), protobuf("10basic_json", "libprotobuf");
  return kept.count_without([](std::uintptr_t call) { return json.holds(call) || protobuf.holds(call); }, print);
}
bool knows_json_destructor() { return json_destructor().found() > 0; }

}  // namespace nw::test
