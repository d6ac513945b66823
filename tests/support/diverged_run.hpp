// SPDX-License-Identifier: Apache-2.0
// A run whose weights are far from finite outputs: its learning rate is beyond what files may hold.
#pragma once
#include <gtest/gtest.h>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/settings.hpp"

namespace nw::test {

/// One step with a huge learning rate: its loss is finite, those of validation and test set are not.
inline void diverge_in_one_step(TrainSettings& s, DataChoice&) {
  s.optimizer.choose("sgd");
  s.learning_rate = 1e30;
  s.batch = 1000;
  s.epochs = 1;
}

/// Writes 1 as the learning rate of the run's definition, so that it can be read.
inline void make_readable(const fs::path& run) {
  Json definition = *parse_json(*read_file(run / "run.json", 1 << 20), "run.json");
  definition["project"]["training"]["learning_rate"] = 1;
  EXPECT_TRUE(save_file(run / "run.json", definition.dump()));
}

}  // namespace nw::test
