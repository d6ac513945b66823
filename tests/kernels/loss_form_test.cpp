// SPDX-License-Identifier: Apache-2.0
// Losses with weights and focus against PyTorch's numbers in float64 (reference/loss_forms.json), on both backends.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/paths.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t samples = 5, classes = 4, room = 20;  // two shards, of which the second is padding

Json loss_forms() {
  std::ifstream in(tests_folder() + "/reference/loss_forms.json");
  return Json::parse(in);
}

StepAttrs loss_attrs(const Json& c) {
  StepAttrs attrs;
  if (c["kernel"] == "cross_entropy") attrs["label_smoothing"] = 0.0;
  for (const auto& [name, value] : c["attrs"].items())
    if (value.is_array())
      attrs[name] = value.get<std::vector<double>>();
    else
      attrs[name] = value.get<double>();
  return attrs;
}

template <class T>
std::vector<T> padded(const Json& list, std::size_t each) {
  auto all = list.get<std::vector<T>>();
  all.resize(static_cast<std::size_t>(room) * each);
  return all;
}

class LossForms : public testing::TestWithParam<const Backend*> {};

TEST_P(LossForms, LossesAndGradientsAreThoseOfPyTorch) {
  const Json all = loss_forms();
  ASSERT_GE(all["cases"].size(), 10U);
  for (const Json& c : all["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    TinyPlan tiny(room);
    const bool labels = c["wanted"] == "labels";
    const int x = tiny.value("x", {room, classes}), dx = tiny.value("dx", {room, classes});
    const int wanted = labels ? tiny.value("labels", {room}, Role::input, true, DType::i64)
                              : tiny.value("targets", {room, classes}, Role::input);
    tiny.step(c["kernel"], {x, wanted}, {dx}, loss_attrs(c));
    Bench b(tiny, *device_of(*GetParam()), 2);
    b.write_bytes(x, padded<float>(all["scores"], classes));
    if (labels)
      b.write_bytes(wanted, padded<std::int64_t>(all["labels"], 1));
    else
      b.write_bytes(wanted, padded<float>(all[c["wanted"].get<std::string>()], classes));
    StepArgs args = args_for(samples);
    args.loss_weight = c["divisor"];
    ASSERT_TRUE(static_cast<bool>(b.executable().run(args)));
    EXPECT_NEAR(b.executable().metrics().loss_sum / args.loss_weight, c["loss"].get<double>(), 1e-6);
    const std::vector<float> got = b.read(dx);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], i < c["gradient"].size() ? c["gradient"][i].get<float>() : 0.0F, 3e-7) << i;
  }
}

// Scores so far apart that the probability of the label is 1 or rounds to 0.
TEST_P(LossForms, AreFiniteForCertainScores) {
  for (const double gamma : {0.0, 0.5, 2.0})
    for (const std::int64_t label : {0, 1}) {
      TinyPlan tiny(16);
      const int x = tiny.value("x", {16, 2}), dx = tiny.value("dx", {16, 2});
      const int wanted = tiny.value("labels", {16}, Role::input, true, DType::i64);
      tiny.step("cross_entropy", {x, wanted}, {dx},
                {{"label_smoothing", 0.0}, {"focal_gamma", gamma}, {"class_weights", std::vector<double>{2, 3}}});
      Bench b(tiny, *device_of(*GetParam()), 1);
      std::vector<float> far(32);
      for (std::size_t i = 0; i < far.size(); i += 2) far[i] = 500;
      b.write_bytes(x, far);
      b.write_bytes(wanted, std::vector<std::int64_t>(16, label));
      ASSERT_TRUE(static_cast<bool>(b.executable().run(args_for(1))));
      EXPECT_NEAR(b.executable().metrics().loss_sum, label == 0 ? 0 : 3 * 500, 1e-3);
      const float slope = label == 0 ? 0 : 3;
      EXPECT_NEAR(b.read(dx)[0], slope, 1e-5);
      EXPECT_NEAR(b.read(dx)[1], -slope, 1e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Both, LossForms, testing::Values(&reference_backend(), &cpu_backend()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace nw::test
