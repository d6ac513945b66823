// SPDX-License-Identifier: Apache-2.0
// Networks and devices that the tests of predictions share.
#pragma once
#include <gtest/gtest.h>

#include "engine/design/project_file.hpp"
#include "engine/scaling/planned_device.hpp"
#include "engine/scaling/prediction.hpp"

namespace nw::scaling::test {

inline constexpr DataFacts digits{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 6000};
inline constexpr DataFacts photos{.channels = 3, .height = 224, .width = 224, .classes = 1000, .train = 1'281'167};

inline GraphDoc network(const char* name, std::int64_t batch, DType precision = DType::f32) {
  GraphDoc doc = find_template(name)->make();
  TrainSettings s = doc.settings();
  s.batch = batch;
  s.precision = precision;
  EXPECT_TRUE(doc.apply({PutSettings{s}}));
  return doc;
}

/// A device with its usual link.
struct Bench {
  explicit Bench(const char* name, Split split = Split::data) : device(*planned_device(name)) {
    setup.device = device.figures;
    setup.compiled_for = device.device.get();
    setup.link = *find_link({}, device.figures);
    setup.split = split;
  }
  Bench(const Bench&) = delete;
  Prediction predicted(const GraphDoc& doc, std::int64_t devices, const DataFacts& facts = digits) const {
    auto p = predict(doc, facts, setup, devices);
    EXPECT_TRUE(p) << p.error().str();
    return p ? *p : Prediction{};
  }
  PlannedDevice device;
  Setup setup;
};

}  // namespace nw::scaling::test
