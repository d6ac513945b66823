// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/optimizer_cases.hpp"
#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace nw::test {
namespace {

const nlohmann::json& torch_cases() {
  static const nlohmann::json all = [] {
    std::ifstream in(test::tests_folder() + "/reference/optimizers.json");
    return nlohmann::json::parse(in)["cases"];
  }();
  return all;
}

// The start() and gradient() of tests/reference/make/optimizers.py.
std::vector<float> torch_start(std::int64_t size, std::int64_t t) {
  std::vector<float> w;
  for (std::int64_t i = 0; i < size; ++i) w.push_back(static_cast<float>((11 * i + 3 * t) % 23 - 11) / 16);
  return w;
}
std::vector<float> torch_gradient(std::int64_t size, std::int64_t t, std::int64_t step) {
  std::vector<float> g;
  for (std::int64_t i = 0; i < size; ++i)
    g.push_back(static_cast<float>((7 * i + 13 * step + 5 * t) % 31 - 15) / 64 + 1.0f / 256);
  return g;
}

StepAttrs attrs_of(const nlohmann::json& fields) {
  StepAttrs attrs;
  for (const auto& [name, value] : fields.items())
    if (value.is_boolean())
      attrs.emplace(name, std::int64_t{value.get<bool>()});
    else
      attrs.emplace(name, value.get<double>());
  return attrs;
}

void expect_near(const std::vector<float>& got, const nlohmann::json& wanted, const char* when) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i].get<float>(), 1e-6 * std::max(1.0f, std::abs(got[i]))) << when << ", weight " << i;
}

void follow(const nlohmann::json& c, const Device& device) {
  const OptimizerCase of{.optimizer = c["optimizer"],
                         .attrs = attrs_of(c["fields"]),
                         .rate = c["learning_rate"],
                         .max_norm = c["max_norm"]};
  OptimizerRun run(of, device, 2);
  for (std::size_t t = 0; t < 2; ++t)
    if (!c["start_at_zero"].get<bool>()) run.set(t, torch_start(of.sizes[t], static_cast<std::int64_t>(t)));
  for (std::int64_t step = 0; step < 6; ++step) {
    run.step(step, {torch_gradient(5, 0, step), torch_gradient(33, 1, step)});
    for (std::size_t t = 0; t < 2 && (step == 0 || step == 5); ++t)
      expect_near(run.read(t), c[step == 0 ? "first" : "last"][t], step == 0 ? "first step" : "last step");
  }
}

}  // namespace

OptimizerRun::OptimizerRun(const OptimizerCase& c, const Device& device, int threads) : rate_(c.rate) {
  TinyPlan tiny(1);
  for (std::size_t i = 0; i < c.sizes.size(); ++i) {
    const std::string name = fmt::format("w{}", i);
    weights_.push_back(tiny.weight(name, {c.sizes[i]}));
    gradients_.push_back(tiny.weight_grad(name, {c.sizes[i]}));
    Value& w = tiny.plan.values[static_cast<std::size_t>(weights_.back())];
    if (i % 4 == 2) w.decay = false;
    if (i % 4 == 3) w.lr_scale = i == 3 ? 0 : 0.5;
  }
  tiny.step("grad_norm", {}, {});
  if (c.max_norm > 0) tiny.step("clip_grad_norm", {}, {}, {{"max_norm", c.max_norm}});
  std::vector<int> norms;
  if (find_optimizer(c.optimizer)->norms) {
    norms = {tiny.value("norms", {2, static_cast<std::int64_t>(c.sizes.size())}, Role::saved, false, DType::f64)};
    tiny.step("weight_norms", {}, norms);
  }
  tiny.step(c.optimizer, norms, {}, c.attrs);
  bench_ = std::make_unique<Bench>(tiny, device, threads);
}

void OptimizerRun::step(std::int64_t index, const std::vector<std::vector<float>>& gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) bench_->write_bytes(gradients_[i], gradients[i]);
  StepArgs a = args_for(1);
  a.step = index;
  a.learning_rate = rate_;
  const Status done = bench_->executable().run(a);
  ASSERT_TRUE(static_cast<bool>(done)) << done.error().str();
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const Optimizer& o : all_optimizers()) names.emplace_back(o.name);
  return names;
}

void expect_torch(const std::string& optimizer, const Device& device) {
  int cases = 0;
  for (const nlohmann::json& c : torch_cases()) {
    if (c["optimizer"] != optimizer) continue;
    SCOPED_TRACE(c["name"].get<std::string>());
    follow(c, device);
    ++cases;
  }
  EXPECT_GT(cases, 0) << "tests/reference/make/optimizers.py has no case of " << optimizer;
}

std::vector<RandomCase> random_cases(const std::string& optimizer) {
  std::vector<RandomCase> all;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 rng(seed);
    const auto unit = [&] { return static_cast<double>(rng() >> 8) * 0x1p-24; };
    RandomCase c{{.optimizer = optimizer, .sizes = {1, 7 * 3517, 40, 64, 33, 9000, 16, 5}, .rate = 0.01}, seed};
    for (const OptimizerField& f : find_optimizer(optimizer)->fields) {
      if (rng() % 3 == 0) continue;  // the default
      if (f.kind == OptimizerField::Kind::boolean)
        c.of.attrs.emplace(f.name, static_cast<std::int64_t>(rng() % 2));
      else
        c.of.attrs.emplace(f.name, f.lo + (std::min(f.hi, 1.0) - f.lo) * (0.05 + 0.9 * unit()));
    }
    if (seed % 2) c.of.attrs["l1"] = 0.001, c.of.attrs["l2"] = 0.01;
    if (seed == 4) c.of.max_norm = 0.5;
    all.push_back(std::move(c));
  }
  return all;
}

std::vector<float> run_random(const RandomCase& c, const Device& device, int threads) {
  OptimizerRun run(c.of, device, threads);
  for (std::size_t i = 0; i < run.weights(); ++i)
    if (i != 6) run.set(i, noise(c.of.sizes[i], c.seed * 100 + static_cast<unsigned>(i)));
  for (std::int64_t step = 0; step < 3; ++step) {
    std::vector<std::vector<float>> gradients;
    for (std::size_t i = 0; i < run.weights(); ++i)
      gradients.push_back(noise(c.of.sizes[i], c.seed * 100 + static_cast<unsigned>(i + 10 * step + 50)));
    run.step(step, gradients);
  }
  std::vector<float> all;
  for (std::size_t i = 0; i < run.weights(); ++i) {
    const std::vector<float> w = run.read(i);
    all.insert(all.end(), w.begin(), w.end());
  }
  all.push_back(static_cast<float>(run.penalty()));
  return all;
}

// Rounding may change the sign that a sign-based optimizer uses: a few weights in ten thousand may differ by a step.
void expect_reference(const std::string& optimizer, const Device& device) {
  for (const RandomCase& c : random_cases(optimizer)) {
    SCOPED_TRACE(fmt::format("seed {}", c.seed));
    const std::vector<float> got = run_random(c, device, 2), wanted = run_random(c, *device_of(reference_backend()), 1);
    ASSERT_EQ(got.size(), wanted.size());
    std::size_t far = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      far += !(std::abs(got[i] - wanted[i]) <= 3e-6 * std::max(1.0f, std::abs(wanted[i])));
    EXPECT_LE(far, got.size() / 5000) << "of " << got.size();
    EXPECT_LT(relative_distance(got, wanted), 1e-4);
  }
}

}  // namespace nw::test
