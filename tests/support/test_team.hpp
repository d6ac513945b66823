// SPDX-License-Identifier: Apache-2.0
// A Team for tests that starts its threads for each run. It is slow and simple, and tests kernels without the engine.
#pragma once
#include <barrier>
#include <thread>
#include <vector>

#include "kernels/api.hpp"

namespace nw::test {

class TestTeam final : public Team {
 public:
  explicit TestTeam(int size) : size_(size), barrier_(size) {}
  int size() const override { return size_; }
  void run(const std::function<void(int)>& fn) override {
    std::vector<std::jthread> others;
    for (int w = 1; w < size_; ++w) others.emplace_back([&fn, w] { fn(w); });
    fn(0);
  }
  void barrier(int) override { barrier_.arrive_and_wait(); }

 private:
  const int size_;
  std::barrier<> barrier_;
};

}  // namespace nw::test
