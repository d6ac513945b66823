// SPDX-License-Identifier: Apache-2.0
// When the devices of a run compute and exchange gradients in a step.
#include <algorithm>

#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

constexpr std::size_t numbers_of_span = 4;  // part + 1, 0 for none; bucket; begin; end

void write_spans(std::span<const StepSpan> spans, std::span<double> to) {
  for (std::size_t i = 0; i < spans.size() && (i + 1) * numbers_of_span <= to.size(); ++i) {
    const double numbers[] = {static_cast<double>(spans[i].part) + 1, static_cast<double>(spans[i].bucket),
                              spans[i].begin_s, spans[i].end_s};
    std::copy(std::begin(numbers), std::end(numbers), to.begin() + static_cast<std::ptrdiff_t>(i * numbers_of_span));
  }
}

std::vector<StepSpan> read_spans(std::span<const double> from) {
  std::vector<StepSpan> spans;
  for (; from.size() >= numbers_of_span && from[0] > 0; from = from.subspan(numbers_of_span))
    spans.push_back(
        {static_cast<StepPart>(static_cast<int>(from[0]) - 1), static_cast<int>(from[1]), from[2], from[3]});
  return spans;
}

}  // namespace

// Every process has one device, and adds zeros to the times of the others.
Result<std::vector<std::vector<StepSpan>>> Replicas::timelines() {
  std::vector<std::vector<StepSpan>> all;
  for (const auto& r : ranks_) {
    const auto* line = dynamic_cast<const StepTimeline*>(r->train.get());
    all.push_back(line ? line->timeline() : std::vector<StepSpan>());
  }
  const auto told = std::min(static_cast<std::size_t>(world_), most_ranks_with_spans);
  if (!processes_ || spread_ || world_ == 1) {
    all.resize(std::min(all.size(), told));
    return all;
  }
  constexpr std::size_t each = most_spans * numbers_of_span;
  std::vector<double> numbers(each * told);
  const auto own = static_cast<std::size_t>(ranks_.front()->rank);
  if (own < told) write_spans(all.front(), std::span(numbers).subspan(each * own, each));
  NW_TRY(on_all([&](Rank& r) -> Status {
    return r.communicator->all_reduce_sum(numbers.data(), std::ssize(numbers)) ? Status() : lost_device();
  }));
  all.resize(told);
  for (std::size_t r = 0; r < told; ++r) all[r] = read_spans(std::span(numbers).subspan(each * r, each));
  return all;
}

}  // namespace nw
