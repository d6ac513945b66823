// SPDX-License-Identifier: Apache-2.0
// Tests of every optimizer, shared by all backends.
#pragma once
#include "kernels/optimizer.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {

/// Weights in a flat region that an optimizer's step moves; see tests/reference/make/optimizers.py.
struct OptimizerCase {
  std::string optimizer;
  StepAttrs attrs{};
  std::vector<std::int64_t> sizes = {5, 33};
  double rate = 0.1, max_norm = 0;  // max_norm 0: gradients are not clipped
};
class OptimizerRun {
 public:
  OptimizerRun(const OptimizerCase&, const Device&, int threads);
  std::size_t weights() const { return weights_.size(); }
  void set(std::size_t weight, const std::vector<float>& x) { bench_->write_bytes(weights_[weight], x); }
  void step(std::int64_t index, const std::vector<std::vector<float>>& gradients);
  std::vector<float> read(std::size_t weight) const { return bench_->read(weights_[weight]); }
  double penalty() const { return bench_->executable().metrics().penalty; }
  /// The first line of Executable::choices().
  std::string choice() const { return bench_->executable().choices().at(0); }

 private:
  double rate_;
  std::vector<int> weights_, gradients_;
  std::unique_ptr<Bench> bench_;
};

std::vector<std::string> optimizer_names();

/// Compares with every case of optimizers.json for this optimizer; there must be at least one.
void expect_torch(const std::string& optimizer, const Device&);

/// Random fields, weights of several sizes, some frozen or without decay, some zero.
struct RandomCase {
  OptimizerCase of;
  unsigned seed = 0;
};
std::vector<RandomCase> random_cases(const std::string& optimizer);
/// All weights after a few steps, and the penalty.
std::vector<float> run_random(const RandomCase&, const Device&, int threads);
void expect_reference(const std::string& optimizer, const Device&);

}  // namespace nw::test
