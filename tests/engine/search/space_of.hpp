// SPDX-License-Identifier: Apache-2.0
// A search space of these parameters, as JSON objects separated by commas.
#pragma once
#include <gtest/gtest.h>

#include "engine/search/space.hpp"

namespace nw::search {

inline Space space_of(const std::string& parameters) {
  const auto space = parse_space(R"({"parameters":[)" + parameters + "]}", "s");
  EXPECT_TRUE(space) << (space ? "" : space.error().str());
  return space ? *space : Space();
}

}  // namespace nw::search
