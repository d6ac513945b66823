// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_folder.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_run(Bytes bytes) {
  const auto json = parse_json(as_text(bytes), "run.json");
  if (!json) return {};
  const auto run = run_from_json(*json, "run.json");
  if (!run) return {};
  const std::string text = canonical(to_json(*run));
  const auto again = parse_json(text, "again");
  if (!again) return {true, "what was written is no JSON: " + again.error().str()};
  const auto same = run_from_json(*again, "again");
  if (!same) return {true, "a run that was read is refused as written: " + same.error().str()};
  if (canonical(to_json(*same)) != text) return {true, "a run is not written as it was read"};
  return {true, {}};
}
