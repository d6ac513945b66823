// SPDX-License-Identifier: Apache-2.0
// The device of a pipeline's stages while their plans are made. Private to engine/compile.
#pragma once
#include <string_view>

#include "kernels/api.hpp"

namespace nw::compiling {

// Steps of a plan that is being cut into stages, so that fusion and the memory planner see readers and producers on
// other devices. No executable gets them.
inline constexpr const char* send_kernel = "send";
inline constexpr const char* receive_kernel = "receive";

/// A device on which values are also exchanged with other devices, between passes.
class StageDevice final : public Device {
 public:
  explicit StageDevice(const Device& device) : device_(device) {}
  std::string name() const override { return device_.name(); }
  std::string description() const override { return device_.description(); }
  std::int64_t memory_bytes() const override { return device_.memory_bytes(); }
  Text supports(const Plan& p, const Step& s) const override { return device_.supports(p, s); }
  std::string bus_id() const override { return device_.bus_id(); }
  double peak_flops() const override { return device_.peak_flops(); }
  bool computes_in(DType t) const override { return device_.computes_in(t); }
  bool gains_by(DType t) const override { return device_.gains_by(t); }
  DType stored_as(DType compute) const override { return device_.stored_as(compute); }
  void choose_layouts(Plan& p) const override { device_.choose_layouts(p); }
  bool is_view(const Plan& p, const Step& s) const override { return !exchanges(s) && device_.is_view(p, s); }
  bool runs_alone(const Plan& p, const Step& s) const override { return exchanges(s) || device_.runs_alone(p, s); }
  bool gathers(const Plan& p, const Step& s) const override { return !exchanges(s) && device_.gathers(p, s); }
  std::int64_t bytes_of(const Plan& p, const Value& v) const override { return device_.bytes_of(p, v); }
  Result<std::unique_ptr<Executable>> prepare(const Plan& p, const PrepareArgs& a) const override {
    return device_.prepare(p, a);
  }

 private:
  static bool exchanges(const Step& s) { return s.kernel == send_kernel || s.kernel == receive_kernel; }
  const Device& device_;
};

}  // namespace nw::compiling
