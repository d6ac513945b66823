// SPDX-License-Identifier: Apache-2.0
// run.json of a folder that may come from anywhere.
#include <cstdlib>

#include "engine/runs/run_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = nw::parse_json({reinterpret_cast<const char*>(data), size}, "run.json");
  if (!json) return 0;
  const auto run = nw::run_from_json(*json, "run.json");
  if (!run) return 0;
  const std::string text = nw::canonical(nw::to_json(*run));
  const auto again = nw::parse_json(text, "again");
  if (!again) std::abort();
  const auto same = nw::run_from_json(*again, "again");
  if (!same || nw::canonical(nw::to_json(*same)) != text) std::abort();
  return 0;
}
