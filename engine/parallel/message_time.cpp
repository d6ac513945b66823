// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/message_time.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace nw {
namespace {

constexpr std::int64_t rounds = 41;

}  // namespace

std::optional<double> message_seconds(StageLink& link, const MessageWay& there, const MessageWay& back, bool asks) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::byte> out(static_cast<std::size_t>(there.bytes)), in(static_cast<std::size_t>(back.bytes));
  std::array<double, rounds> seconds{};
  for (std::int64_t i = 0; i < rounds; ++i) {
    const auto begin = Clock::now();
    const bool whole = asks ? link.send(there.transfer, i, out) && link.receive(back.transfer, i, in)
                            : link.receive(there.transfer, i, out) && link.send(back.transfer, i, in);
    if (!whole) return {};
    seconds[static_cast<std::size_t>(i)] = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const auto middle = seconds.begin() + rounds / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return asks ? *middle / 2 : 0;
}

}  // namespace nw
