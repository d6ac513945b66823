// SPDX-License-Identifier: Apache-2.0
// A library to be loaded before a program (LD_PRELOAD): of its allocations by operator new of at least FAIL_NEW_BYTES
// the one that FAIL_NEW_AT names (1-based) fails. Those before main() keeps its reserve of memory are not counted:
// nothing could report them. At its end their number is written to the file FAIL_NEW_COUNT.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "tests/support/code_of.hpp"
#include "tests/support/new_operators.hpp"

namespace {

std::size_t number_of(const char* name) {
  const char* text = std::getenv(name);
  return text ? static_cast<std::size_t>(std::atoll(text)) : 0;
}

std::atomic<std::size_t> made{0};

/// As operator new has it: the handler is called, and if it returns, there is memory again.
bool served_by_the_reserve() {
  static const nw::test::CodeOf json(nw::test::json_destructor_symbol);
  if (!json.runs()) return false;
  std::get_new_handler()();
  return true;
}

bool may_not_throw() {
  static const nw::test::CodeOf folders(nw::test::folder_iterator_symbol);
  return folders.runs();
}

struct Count {
  ~Count() {
    const char* file = std::getenv("FAIL_NEW_COUNT");
    std::FILE* out = file ? std::fopen(file, "w") : nullptr;
    if (!out) return;
    std::fprintf(out, "%zu", made.load());
    std::fclose(out);
  }
} count;

}  // namespace

bool nw::test::fails(std::size_t bytes) {
  static const std::size_t at = number_of("FAIL_NEW_AT"), least = number_of("FAIL_NEW_BYTES");
  if (bytes < least || !std::get_new_handler()) return false;
  return made.fetch_add(1) + 1 == at && !served_by_the_reserve() && !may_not_throw();
}
void nw::test::gave_out(void*) {}
void nw::test::took_back(void*) {}
