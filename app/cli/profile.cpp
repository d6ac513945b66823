// SPDX-License-Identifier: Apache-2.0
// The time of a training step by kernel, for optimizing it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"

namespace nw::cli {
namespace {

struct Row {
  std::string name;
  double seconds = 0, operations = 0;
};

/// Floating-point operations of a convolution or linear layer in any of its three directions; 0 for other kernels.
double operations_of(const Plan& plan, const Step& s) {
  const bool conv = s.kernel.starts_with("conv2d");
  if (!conv && !s.kernel.starts_with("linear")) return 0;
  const auto value = [&](int v) -> const Value& { return plan.values[static_cast<std::size_t>(v)]; };
  const bool of_weight = s.kernel.ends_with("grad_weight"), of_input = s.kernel.find("grad_input") != std::string::npos;
  const Value& weight = value(of_weight ? s.outputs[0] : s.inputs[1]);
  const Value& result = value(of_weight || of_input ? s.inputs[0] : s.outputs[0]);
  std::int64_t pixels = conv ? result.shape[2] * result.shape[3] : 1;
  // a fused pooling does not reduce the operations
  if (const auto window = s.attrs.find("window"); window != s.attrs.end())
    for (const std::int64_t n : std::get<std::vector<std::int64_t>>(window->second)) pixels *= n;
  return 2.0 * static_cast<double>(weight.shape.elements()) * static_cast<double>(pixels * plan.batch);
}

/// Sets the initial weights of a run, noise as images, and each class in turn as label.
Status fill(const Plan& plan, Executable& run) {
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    std::vector<std::byte> bytes(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    if (v.role == Role::input && v.dtype == DType::i64) {
      for (std::size_t n = 0; n < bytes.size() / 8; ++n) {
        const auto label = static_cast<std::int64_t>(n % 10);
        std::memcpy(bytes.data() + 8 * n, &label, 8);
      }
    } else if ((v.role == Role::input || v.role == Role::weight || v.role == Role::buffer) && v.dtype == DType::f32) {
      std::vector<float> numbers(bytes.size() / 4);
      if (v.role != Role::input)
        NW_TRY(initial_values(v, 1, numbers));
      else
        for (std::size_t n = 0; n < numbers.size(); ++n)
          numbers[n] = static_cast<float>(std::sin(static_cast<double>(n * n % 1000)));
      std::memcpy(bytes.data(), numbers.data(), bytes.size());
    } else if (v.role != Role::buffer) {
      continue;
    }
    run.write(static_cast<int>(i), bytes);
  }
  return {};
}

/// The minimum: other programs on the machine can only lengthen a time.
double least(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }

std::string form(double v) { return fmt::format("{:.1f}", v); }

}  // namespace

int profile_step(const GraphDoc& doc, std::int64_t batch, const ResolvedDevice& found, double seconds) {
  const DataFacts facts{};
  const auto compiled = compile(doc, {.training = true, .batch = batch, .device = found.device.get(), .data = facts});
  if (!compiled) return report(compiled.error());
  const Plan& plan = compiled->plan;
  const auto team = start_team(found.threads);
  if (!team) return report(team.error());
  auto made = found.device->prepare(plan, {.team = team->get(), .profile = true});
  if (!made) return report(made.error());
  Executable& run = **made;
  if (const Status s = fill(plan, run); !s) return report(s.error());
  std::vector<std::vector<double>> times;  // per kernel, per step
  std::vector<double> whole;
  using Clock = std::chrono::steady_clock;
  const StepArgs args{.valid = plan.batch, .global_valid = plan.batch, .learning_rate = 1e-4};
  for (const auto end = Clock::now() + std::chrono::duration<double>(seconds);
       Clock::now() < end || whole.size() < 5;) {
    const auto begin = Clock::now();
    if (const Status s = run.run(args); !s) return report(s.error());
    whole.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    const auto now = run.step_times();
    times.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) times[i].push_back(now[i].seconds);
  }
  std::map<std::pair<std::string, std::string>, double> operations;
  for (const Step& s : plan.steps) operations[{s.label, s.kernel}] = operations_of(plan, s);
  const auto last = run.step_times();
  double sum = 0;
  for (const auto& t : times) sum += least(t);
  const double peak = found.device->peak_flops();
  std::vector<std::vector<std::string>> rows{{"layer, kernel", "µs", "%", "GFLOP/s", "% of peak"}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = least(times[i]), work = operations[{last[i].label, last[i].kernel}];
    rows.push_back({last[i].label + " " + last[i].kernel, form(1e6 * t), form(100 * t / sum),
                    work > 0 ? form(work / t * 1e-9) : "", work > 0 && peak > 0 ? form(100 * work / t / peak) : ""});
  }
  rows.push_back({"all kernels, summed over threads", form(1e6 * sum), "100.0", "", ""});
  rows.push_back({"a step, start to end", form(1e6 * least(whole)), "", "", ""});
  print_lines(table(rows));
  if (peak > 0)
    print(fmt::format("peak of one thread: {:.0f} GFLOP/s; Winograd convolutions count the multiplications they save",
                      1e-9 * peak));
  return 0;
}

}  // namespace nw::cli
