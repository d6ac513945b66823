// SPDX-License-Identifier: Apache-2.0
// Input: one byte that chooses the settings, then a table.
#include <cstdlib>

#include "engine/data/sources.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view table(reinterpret_cast<const char*>(data + 1), size - 1);
  nw::DataChoice choice{.kind = nw::SourceKind::csv};
  if (data[0] & 1) choice.target_column = "label";
  if (data[0] & 2) choice.channels = 3;
  if (data[0] & 4) choice.height = choice.width = 2;
  const bool with_test = data[0] & 8;
  const auto opened = nw::parse_csv(choice, table, "table", with_test ? table : std::string_view(), with_test ? "test" : "");
  if (!opened) return 0;
  const auto& train = *opened->train;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(train.bytes()));
  for (std::int64_t i = 0; i < train.size(); ++i)
    if (!train.pixels(i, pixels) || train.label(i) < 0 || train.label(i) >= static_cast<std::int64_t>(opened->classes.size())) std::abort();
  return 0;
}
