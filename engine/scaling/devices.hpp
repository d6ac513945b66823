// SPDX-License-Identifier: Apache-2.0
// What devices can do that a training could run on: published figures of GPUs, measured ones of this computer's
// processor. One record a device.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/api.hpp"

namespace nw::scaling {

/// Peaks are floating-point operations per second of dense products (a multiply-add is two); 0: the device does not
/// compute in that format. Shares say how much of a peak large kernels reach.
struct DeviceFigures {
  std::string name;  // as on the command line: "H100"
  double fp32 = 0, tf32 = 0, bf16 = 0, fp16 = 0;
  double memory_bytes_per_s = 0;
  std::int64_t memory_bytes = 0;
  double power_w = 0;     // of the whole board under load; 0: unknown
  std::string_view link;  // what "nvlink" means for it; empty: it has none
  // Tensor cores: large products reach more, convolutions of usual sizes less. Cores: of fp32 without tensor cores.
  // Both are assumptions, made before anything was compared with them.
  double tensor_share = 0.6, core_share = 0.8;
  // Between the 0.9 of 100 MB and the 0.75 of 10 MB that Isaev et al. ("Calculon", SC 2023) use for an A100.
  double memory_share = 0.8;
  // A kernel of a CUDA graph, from its end to the begin of the next; an assumption.
  double kernel_start_s = 2e-6;
  // gradients are exchanged while the backward pass goes on
  bool overlaps = true;
  // with an optimizer's state that is divided among them each gets the sums of its part of the gradients only
  bool scatters_sums = false;
  // several of them are parts of one computer, whose memory they share
  bool shares_memory = false;
  // 3 x 3 and 5 x 5 convolutions of stride 1 take fewer multiplications (Lavin & Gray, "Fast algorithms for
  // convolutional neural networks", 2016)
  bool winograd = false;

  /// Of products in this format; 0: it does not compute in it.
  double peak(DType format) const;
  /// What large products in this format reach.
  double reached(DType format) const;
};

/// From the data sheets that the source names, the newest first.
std::span<const DeviceFigures> published_devices();
/// Of one thread of this computer's processor: its peak and its memory's bandwidth are measured, in about 50 ms.
DeviceFigures processor_figures(const Device& cpu);
inline constexpr std::string_view processor_name = "cpu";

/// Several equal devices, as they are written: "8xH100", "H100", "2xcpu". Large and small letters are the same.
struct DeviceCount {
  std::int64_t count = 1;
  std::string name;  // of published_devices(), or processor_name
};
inline constexpr std::int64_t most_devices = 4096;
/// Errc::usage: not written so, too many, or no such device; the sentence lists those that there are.
Result<DeviceCount> read_device_count(std::string_view text);
const DeviceFigures* find_device(std::string_view name);  // null: none of published_devices()

}  // namespace nw::scaling
