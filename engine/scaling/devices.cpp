// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/devices.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstring>
#include <vector>

namespace nw::scaling {
namespace {

constexpr double tera = 1e12, giga = 1e9;
constexpr std::int64_t gigabyte = 1'000'000'000;

const DeviceFigures device_table[] = {
    // NVIDIA HGX B200, data sheet of the platform (2024), of eight, halved where it counts sparsity
    {.name = "B200",
     .fp32 = 75 * tera,
     .tf32 = 1125 * tera,
     .bf16 = 2250 * tera,
     .fp16 = 2250 * tera,
     .memory_bytes_per_s = 8000 * giga,
     .memory_bytes = 180 * gigabyte,
     .power_w = 1000,
     .link = "nvlink5"},
    // NVIDIA H200 Tensor Core GPU, data sheet (2023), SXM
    {.name = "H200",
     .fp32 = 67 * tera,
     .tf32 = 494.7 * tera,
     .bf16 = 989.4 * tera,
     .fp16 = 989.4 * tera,
     .memory_bytes_per_s = 4800 * giga,
     .memory_bytes = 141 * gigabyte,
     .power_w = 700,
     .link = "nvlink4"},
    // NVIDIA H100 Tensor Core GPU architecture, white paper (2022), SXM5, without sparsity
    {.name = "H100",
     .fp32 = 66.9 * tera,
     .tf32 = 494.7 * tera,
     .bf16 = 989.4 * tera,
     .fp16 = 989.4 * tera,
     .memory_bytes_per_s = 3350 * giga,
     .memory_bytes = 80 * gigabyte,
     .power_w = 700,
     .link = "nvlink4"},
    // NVIDIA A100 Tensor Core GPU, data sheet (2021), SXM4 with 80 GB
    {.name = "A100",
     .fp32 = 19.5 * tera,
     .tf32 = 156 * tera,
     .bf16 = 312 * tera,
     .fp16 = 312 * tera,
     .memory_bytes_per_s = 2039 * giga,
     .memory_bytes = 80 * gigabyte,
     .power_w = 400,
     .link = "nvlink3"},
    // the same data sheet and that of 2020, SXM4 with 40 GB
    {.name = "A100-40GB",
     .fp32 = 19.5 * tera,
     .tf32 = 156 * tera,
     .bf16 = 312 * tera,
     .fp16 = 312 * tera,
     .memory_bytes_per_s = 1555 * giga,
     .memory_bytes = 40 * gigabyte,
     .power_w = 400,
     .link = "nvlink3"},
    // NVIDIA V100 Tensor Core GPU, data sheet (2020), SXM2 with 32 GB
    {.name = "V100",
     .fp32 = 15.7 * tera,
     .fp16 = 125 * tera,
     .memory_bytes_per_s = 900 * giga,
     .memory_bytes = 32 * gigabyte,
     .power_w = 300,
     .link = "nvlink2"},
    // NVIDIA L40S, data sheet (2023), halved where it counts sparsity
    {.name = "L40S",
     .fp32 = 91.6 * tera,
     .tf32 = 183 * tera,
     .bf16 = 366 * tera,
     .fp16 = 366 * tera,
     .memory_bytes_per_s = 864 * giga,
     .memory_bytes = 48 * gigabyte,
     .power_w = 350},
    // NVIDIA L4, data sheet (2023), halved where it counts sparsity
    {.name = "L4",
     .fp32 = 30.3 * tera,
     .tf32 = 60 * tera,
     .bf16 = 121 * tera,
     .fp16 = 121 * tera,
     .memory_bytes_per_s = 300 * giga,
     .memory_bytes = 24 * gigabyte,
     .power_w = 72},
    // NVIDIA T4, data sheet (2019); memory bandwidth as in the GPU's product brief
    {.name = "T4",
     .fp32 = 8.1 * tera,
     .fp16 = 65 * tera,
     .memory_bytes_per_s = 320 * giga,
     .memory_bytes = 16 * gigabyte,
     .power_w = 70},
    // NVIDIA Ada GPU architecture, white paper (2022), products that add in fp32, without sparsity
    {.name = "RTX4090",
     .fp32 = 82.6 * tera,
     .tf32 = 82.6 * tera,
     .bf16 = 165.2 * tera,
     .fp16 = 165.2 * tera,
     .memory_bytes_per_s = 1008 * giga,
     .memory_bytes = 24 * gigabyte,
     .power_w = 450},
    // NVIDIA Ampere GA102 GPU architecture, white paper (2020), products that add in fp32, without sparsity
    {.name = "RTX3090",
     .fp32 = 35.6 * tera,
     .tf32 = 35.6 * tera,
     .bf16 = 71 * tera,
     .fp16 = 71 * tera,
     .memory_bytes_per_s = 936 * giga,
     .memory_bytes = 24 * gigabyte,
     .power_w = 350},
};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string names_of_devices() {
  std::string names(processor_name);
  for (const DeviceFigures& d : device_table) names += ", " + d.name;
  return names;
}

/// Bytes read and written per second by copies of what fits in no core's own cache; the best of several.
double measured_bandwidth() {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t bytes = std::size_t{16} << 20;
  std::vector<char> from(bytes, 1), to(bytes);
  double best = 0;
  for (int i = 0; i < 6; ++i) {
    const Clock::time_point begin = Clock::now();
    std::memcpy(to.data(), from.data(), bytes);
    const std::chrono::duration<double> took = Clock::now() - begin;
    from[static_cast<std::size_t>(i)] = to[bytes - 1];  // neither copy can be left out
    best = std::max(best, 2.0 * bytes / took.count());
  }
  return best;
}

}  // namespace

double DeviceFigures::peak(DType format) const {
  switch (format) {
    case DType::tf32:
      return tf32;
    case DType::bf16:
      return bf16;
    case DType::f16:
      return fp16;
    case DType::f32:
    case DType::f64:
    case DType::i64:
    case DType::u8:
      break;
  }
  return fp32;
}

double DeviceFigures::reached(DType format) const {
  return peak(format) * (format == DType::f32 ? core_share : tensor_share);
}

std::span<const DeviceFigures> published_devices() { return device_table; }

const DeviceFigures* find_device(std::string_view name) {
  const auto found = std::find_if(std::begin(device_table), std::end(device_table),
                                  [&](const auto& d) { return same_letters(d.name, name); });
  return found == std::end(device_table) ? nullptr : found;
}

DeviceFigures processor_figures(const Device& cpu) {
  DeviceFigures d{.name = std::string(processor_name)};
  d.fp32 = d.bf16 = cpu.peak_flops();
  d.memory_bytes_per_s = measured_bandwidth();
  d.memory_bytes = cpu.memory_bytes();
  d.core_share = d.tensor_share = 0.6;
  d.memory_share = 1;  // a copy reached it
  d.kernel_start_s = 1e-6;
  d.overlaps = false;
  d.scatters_sums = d.shares_memory = d.winograd = true;
  return d;
}

Result<DeviceCount> read_device_count(std::string_view text) {
  DeviceCount all{.name = std::string(text)};
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error == std::errc() && digits < text.size() && (text[digits] == 'x' || text[digits] == 'X')) {
    all.count = count;
    all.name = text.substr(digits + 1);
  } else if (error == std::errc::result_out_of_range) {
    all.count = most_devices + 1;
  }
  if (all.count < 1 || all.count > most_devices)
    return fail(Errc::usage, NW_TR("\"{0}\": the number of devices is between 1 and {1}"), text, most_devices);
  if (same_letters(all.name, processor_name)) return DeviceCount{all.count, std::string(processor_name)};
  if (const DeviceFigures* known = find_device(all.name)) return DeviceCount{all.count, known->name};
  return fail(Errc::usage, NW_TR("\"{0}\" names no device; write a number and a device, such as 8xH100. Devices: {1}"),
              text, names_of_devices());
}

}  // namespace nw::scaling
