// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_record.hpp"

#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_run_record(Bytes bytes) {
  const auto record = run_record_from_bytes(as_text(bytes));
  if (!record) return {};
  const auto again = run_record_from_bytes(to_bytes(*record));
  return {true, again ? "" : "a record that was read is refused as written"};
}
