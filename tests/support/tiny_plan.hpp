// SPDX-License-Identifier: Apache-2.0
// Plans written by hand for kernel tests: values, steps, and a planner that gives every value its own memory with guard
// bytes around it.
#pragma once
#include <cmath>
#include <cstring>

#include "kernels/api.hpp"
#include "tests/support/noise.hpp"
#include "tests/support/test_team.hpp"

namespace nw::test {

inline std::shared_ptr<Device> device_of(const Backend& b) { return b.devices().at(0); }

struct TinyPlan {
  Plan plan;

  explicit TinyPlan(std::int64_t batch) { plan.batch = batch; }
  int value(const std::string& name, const Shape& shape, Role role = Role::activation, bool batched = true,
            DType dtype = DType::f32) {
    Value v;
    v.name = name;
    v.shape = shape;
    v.role = role;
    v.batched = batched;
    v.dtype = dtype;
    plan.values.push_back(v);
    return static_cast<int>(plan.values.size()) - 1;
  }
  int weight(const std::string& name, const Shape& shape) { return value(name, shape, Role::weight, false); }
  int weight_grad(const std::string& name, const Shape& shape) {
    return value("grad " + name, shape, Role::weight_grad, false);
  }
  void step(const std::string& kernel, std::vector<int> in, std::vector<int> out, StepAttrs attrs = {}) {
    Step s;
    s.kernel = kernel;
    s.label = kernel;
    s.op = static_cast<std::int64_t>(plan.steps.size()) + 1;
    s.inputs = std::move(in);
    s.outputs = std::move(out);
    s.attrs = std::move(attrs);
    for (const int o : s.outputs)
      if (o >= 0) plan.values[static_cast<std::size_t>(o)].producer = static_cast<int>(plan.steps.size());
    plan.steps.push_back(s);
  }

  /// Assigns the layouts, views and offsets that `device` requires; a guard value follows every value of the arena.
  Plan finish(const Device& device) const {
    Plan p = plan;
    device.choose_layouts(p);
    for (const Step& s : p.steps)
      if (device.is_view(p, s)) p.values[static_cast<std::size_t>(s.outputs[0])].alias_of = s.inputs[0];
    std::int64_t at = 0;
    const std::size_t count = p.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Role r = p.values[i].role;
      if (p.values[i].alias_of >= 0 || r == Role::weight || r == Role::weight_grad || r == Role::optimizer ||
          r == Role::buffer)
        continue;
      p.values[i].offset_bytes = at;
      at += (device.bytes_of(p, p.values[i]) + 63) / 64 * 64;
      Value guard;
      guard.name = "guard";
      guard.shape = {guard_bytes};
      guard.dtype = DType::u8;
      guard.batched = false;
      guard.role = Role::saved;
      guard.offset_bytes = at;
      p.values.push_back(guard);
      at += guard_bytes;
    }
    p.arena_bytes = at;
    return p;
  }
  static constexpr std::int64_t guard_bytes = 256;
};

/// A plan prepared on a device, with its thread team.
class Bench {
 public:
  Bench(const TinyPlan& tiny, const Device& device, int threads, Communicator* communicator = nullptr,
        Executable* weights_from = nullptr, bool takes_turns = false, bool profile = false)
      : plan_(tiny.finish(device)), team_(threads) {
    PrepareArgs args;
    args.team = &team_;
    args.communicator = communicator;
    args.weights_from = weights_from;
    args.takes_turns = takes_turns;
    args.profile = profile;
    auto made = device.prepare(plan_, args);
    if (!made) throw std::runtime_error(made.error().str());
    executable_ = std::move(*made);
    write_guards();
  }
  /// Uses a plan that the caller has prepared.
  Bench(Plan plan, std::unique_ptr<Executable> executable)
      : plan_(std::move(plan)), team_(1), executable_(std::move(executable)) {
    write_guards();
  }
  Executable& executable() { return *executable_; }
  const Plan& plan() const { return plan_; }
  template <class T>
  void write_bytes(int value, const std::vector<T>& data) {
    executable_->write(value, std::as_bytes(std::span(data)));
  }
  template <class T = float>
  std::vector<T> read(int value) const {
    std::vector<T> out(static_cast<std::size_t>(plan_.values[static_cast<std::size_t>(value)].shape.elements()));
    executable_->read(value, std::as_writable_bytes(std::span(out)));
    return out;
  }
  template <class T = float>
  std::vector<T> read(const std::string& name) const {
    return read<T>(plan_.find(name));
  }
  template <class T>
  void write(const std::string& name, const std::vector<T>& data) {
    write_bytes(plan_.find(name), data);
  }
  bool guards_intact() const {
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      if (plan_.values[i].name != "guard") continue;
      for (const std::uint8_t b : read<std::uint8_t>(static_cast<int>(i)))
        if (b != 0xA5) return false;
    }
    return true;
  }

 private:
  void write_guards() {
    for (std::size_t i = 0; i < plan_.values.size(); ++i)
      if (plan_.values[i].name == "guard")
        write_bytes(static_cast<int>(i), std::vector<std::uint8_t>(TinyPlan::guard_bytes, 0xA5));
  }

  Plan plan_;
  TestTeam team_;
  std::unique_ptr<Executable> executable_;
};

inline StepArgs args_for(std::int64_t valid) {
  StepArgs a;
  a.valid = a.global_valid = valid;
  return a;
}

/// || a - b || / || b ||, 0 when both are zero.
inline double relative_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double d = 0, n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    d += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
    n += static_cast<double>(b[i]) * b[i];
  }
  return d == 0 ? 0 : std::sqrt(d) / std::max(std::sqrt(n), 1e-30);
}

}  // namespace nw::test
