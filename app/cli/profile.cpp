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

struct KernelTime {
  std::string layer, kernel;
  double seconds = 0, share = 0;  // share of the sum of all kernels
  double flops = 0;               // floating-point operations per second; 0: no convolution and no linear layer
};
struct StepProfile {
  std::vector<KernelTime> kernels;  // in the order of the step
  double kernels_s = 0, step_s = 0, peak_flops = 0;
};

Result<StepProfile> measure(const Plan& plan, Executable& run, double seconds) {
  std::vector<std::vector<double>> times;  // per kernel, per step
  std::vector<double> whole;
  using Clock = std::chrono::steady_clock;
  const StepArgs args{.valid = plan.batch, .global_valid = plan.batch, .learning_rate = 1e-4};
  for (const auto end = Clock::now() + std::chrono::duration<double>(seconds);
       Clock::now() < end || whole.size() < 5;) {
    const auto begin = Clock::now();
    NW_TRY(run.run(args));
    whole.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    const auto now = run.step_times();
    times.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) times[i].push_back(now[i].seconds);
  }
  std::map<std::pair<std::string, std::string>, double> operations;
  for (const Step& s : plan.steps) operations[{s.label, s.kernel}] = operations_of(plan, s);
  StepProfile out{.step_s = least(whole)};
  for (const auto& t : times) out.kernels_s += least(t);
  const auto last = run.step_times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = least(times[i]);
    out.kernels.push_back(
        {last[i].label, last[i].kernel, t, t / out.kernels_s, operations[{last[i].label, last[i].kernel}] / t});
  }
  return out;
}

void print_table(const StepProfile& p) {
  std::vector<std::vector<std::string>> rows{{"layer, kernel", "µs", "%", "GFLOP/s", "% of peak"}};
  for (const KernelTime& k : p.kernels)
    rows.push_back({k.layer + " " + k.kernel, form(1e6 * k.seconds), form(100 * k.share),
                    k.flops > 0 ? form(k.flops * 1e-9) : "",
                    k.flops > 0 && p.peak_flops > 0 ? form(100 * k.flops / p.peak_flops) : ""});
  rows.push_back({"all kernels, summed over threads", form(1e6 * p.kernels_s), "100.0", "", ""});
  rows.push_back({"a step, start to end", form(1e6 * p.step_s), "", "", ""});
  print_lines(table(rows));
  if (p.peak_flops > 0)
    print(fmt::format("peak of one thread: {:.0f} GFLOP/s; Winograd convolutions count the multiplications they save",
                      1e-9 * p.peak_flops));
}

void print_json(const StepProfile& p, const std::string& net) {
  for (const KernelTime& k : p.kernels)
    print(Json{{"type", "kernel"},
               {"net", net},
               {"layer", k.layer},
               {"kernel", k.kernel},
               {"seconds", k.seconds},
               {"share", k.share},
               {"flops", k.flops}}
              .dump());
  print(Json{
      {"type", "step"}, {"net", net}, {"kernels_s", p.kernels_s}, {"step_s", p.step_s}, {"peak_flops", p.peak_flops}}
            .dump());
}

}  // namespace

int profile_step(const GraphDoc& doc, const ResolvedDevice& found, const ProfileOptions& o) {
  const DataFacts facts{};
  const Target target{.training = true, .batch = doc.settings().batch, .device = found.device.get(), .data = facts};
  const auto compiled = compile(doc, target);
  if (!compiled) return report(compiled.error());
  const auto team = start_team(found.threads);
  if (!team) return report(team.error());
  auto made = found.device->prepare(compiled->plan, {.team = team->get(), .profile = true});
  if (!made) return report(made.error());
  Executable& run = **made;
  if (const Status s = fill(compiled->plan, run); !s) return report(s.error());
  auto profile = measure(compiled->plan, run, o.seconds);
  if (!profile) return report(profile.error());
  profile->peak_flops = found.device->peak_flops();
  o.json ? print_json(*profile, o.net) : print_table(*profile);
  return 0;
}

}  // namespace nw::cli
