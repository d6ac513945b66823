// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step_time_breakdown.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace nw {
namespace {

constexpr std::int64_t one_in = 8;
constexpr double much = 0.3, most_of_it = 0.9, idle_much = 0.25;

double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double seconds_of(std::atomic<std::int64_t>& ns) { return 1e-9 * static_cast<double>(ns.exchange(0)); }
std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
double gain_without(double share) { return share < 1 ? share / (1 - share) : 0; }

Text largest_input(const StepSplit& s, double step) {
  const double most = std::max({s.decode_s, s.augment_s, s.copy_s});
  const std::string all = percent((s.decode_s + s.augment_s + s.copy_s) / step);
  if (most == s.augment_s)
    return text(NW_TR("Input-bound: loading images takes {0} of a step, mostly their transforms"), all);
  if (most == s.decode_s)
    return text(NW_TR("Input-bound: loading images takes {0} of a step, mostly reading and decoding"), all);
  return text(NW_TR("Input-bound: loading images takes {0} of a step, mostly copying"), all);
}

std::vector<Recommendation> input_recommendations(const StepSplit& s, double step) {
  std::vector<std::pair<double, Text>> all = {
      {s.augment_s, text(NW_TR("Remove transforms from the list, or use cheaper ones"))},
      {s.decode_s, text(NW_TR("Put the data on a faster disk, or let it be decoded once and kept"))},
      {s.copy_s, text(NW_TR("Make the images smaller"))}};
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Recommendation> remedies;
  for (const auto& [seconds, what] : all)
    if (seconds > 0.05 * step) remedies.push_back({what, gain_without(seconds / step)});
  remedies.push_back({text(NW_TR("Give the run more threads if processors are idle")), 0});
  return remedies;
}

}  // namespace

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::input:
      return "input-bound";
    case Bound::compute:
      return "compute-bound";
    case Bound::reduce:
      return "reduce-bound";
    case Bound::processor:
      break;
  }
  return "processor-bound";
}

StepDiagnosis diagnose_step(const StepSplit& s) {
  const double step = std::max(s.seconds, 1e-12), input = s.decode_s + s.augment_s + s.copy_s;
  if (s.wait_s / step >= idle_much && s.wait_s >= input)
    return {Bound::processor,
            text(NW_TR("Processor-bound: for {0} of a step, threads waited while other programs used the processors"),
                 percent(s.wait_s / step)),
            {{text(NW_TR("Close other programs, or give this run fewer threads")), gain_without(s.wait_s / step)}}};
  if (input / step >= much && input >= s.reduce_s)
    return {Bound::input, largest_input(s, step), input_recommendations(s, step)};
  if (s.reduce_s / step >= much)
    return {Bound::reduce,
            text(NW_TR("Reduce-bound: exchanging gradients takes {0} of a step"), percent(s.reduce_s / step)),
            {{text(NW_TR("A larger batch, so that devices exchange less often for the same images")),
              gain_without(s.reduce_s / step)},
             {text(NW_TR("Train on fewer devices")), 0}}};
  StepDiagnosis v{Bound::compute,
                  text(NW_TR("Compute-bound: the network takes {0} of a step; images cost {1}"),
                       percent(s.compute_s / step), percent(input / step)),
                  {}};
  v.remedies.push_back({text(NW_TR("Precision bf16, a GPU, or a smaller network")), 0});
  v.remedies.push_back({text(NW_TR("A larger batch")), 0});
  if (input / step >= 0.05) v.remedies.push_back({text(NW_TR("Fewer transforms")), gain_without(input / step)});
  return v;
}

StepSplit joined(const StepSplit& a, const StepSplit& b) {
  const auto total = static_cast<double>(std::max<std::int64_t>(1, a.count + b.count));
  const auto mean = [&](double StepSplit::*m) {
    return (a.*m * static_cast<double>(a.count) + b.*m * static_cast<double>(b.count)) / total;
  };
  StepSplit out = b;
  out.count = a.count + b.count;
  for (double StepSplit::*m : {&StepSplit::seconds, &StepSplit::decode_s, &StepSplit::augment_s, &StepSplit::copy_s,
                               &StepSplit::compute_s, &StepSplit::reduce_s, &StepSplit::wait_s, &StepSplit::hidden_s})
    out.*m = mean(m);
  return out;
}

void StepSplitter::begin(double reduce_s) {
  measuring_ = turn_++ % one_in == 1;  // not the first step: it accesses all memory for the first time
  if (!measuring_) return;
  for (auto* ns : {&input_.decode_ns, &input_.augment_ns, &input_.copy_ns}) ns->store(0);
  reduce_before_ = reduce_s;
  processor_before_ = processor_seconds();
  input_.counting = true;
  begin_ = Clock::now();
}

void StepSplitter::end(std::int64_t steps, double reduce_s, std::int64_t last) {
  if (!measuring_) return;
  const double wall = std::chrono::duration<double>(Clock::now() - begin_).count(),
               threads = std::max(1, place_.threads);
  input_.counting = false;
  measuring_ = false;
  double decode = seconds_of(input_.decode_ns) / threads, augment = seconds_of(input_.augment_ns) / threads,
         copy = seconds_of(input_.copy_ns) / threads;
  double hidden = 0;
  const double input = decode + augment + copy,
               reduce = std::min(reduce_s - reduce_before_, std::max(0.0, wall - input));
  if (place_.own_memory && input < most_of_it * wall) {  // prepared while the device computed
    hidden = input;
    decode = augment = copy = 0;
  }
  const double left = std::max(0.0, wall - decode - augment - copy - reduce);
  // Threads that neither wait for pixels nor for other devices should compute.
  const double idle = wall - (processor_seconds() - processor_before_) / threads;
  const double wait = place_.own_memory ? 0 : std::clamp(idle - decode - reduce, 0.0, left);
  sum_.count += steps;
  sum_.last = last;
  sum_.seconds += wall;
  sum_.decode_s += decode, sum_.augment_s += augment, sum_.copy_s += copy;
  sum_.reduce_s += reduce, sum_.wait_s += wait, sum_.compute_s += left - wait, sum_.hidden_s += hidden;
}

std::optional<StepSplit> StepSplitter::take(bool all) {
  if (sum_.count == 0) return std::nullopt;
  const Clock::time_point now = Clock::now();
  // at increasing intervals: limits the size of a day's log
  const double every_s = std::clamp(std::chrono::duration<double>(now - born_).count() / 60, 1.0, 30.0);
  if (!all && std::chrono::duration<double>(now - last_report_).count() < every_s) return std::nullopt;
  last_report_ = now;
  StepSplit mean = std::exchange(sum_, {});
  const auto n = static_cast<double>(mean.count);
  for (double* v : {&mean.seconds, &mean.decode_s, &mean.augment_s, &mean.copy_s, &mean.compute_s, &mean.reduce_s,
                    &mean.wait_s, &mean.hidden_s})
    *v /= n;
  return mean;
}

}  // namespace nw
