// SPDX-License-Identifier: Apache-2.0
// Resolves device names (--device cpu:0,cpu:1) to devices.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// A device and its number of threads.
struct ResolvedDevice {
  std::string name;  // as requested: "cpu", "cpu:1"
  std::shared_ptr<const Device> device;
  int threads = 1;
};

/// "cpu:0,cpu:1" -> {"cpu:0", "cpu:1"}; blanks around names are dropped.
std::vector<std::string> split_device_list(const std::string& list);

/// The numbers of the GPUs among devices: "cuda:1" -> 1, "cuda" -> 0.
std::vector<int> gpu_numbers(const std::vector<std::string>& devices);

/// The devices of one of several processes, of which `number` others are before it on its host: "cuda" alone is the GPU
/// of that number among `gpus`, from the first again where there are more processes.
std::vector<std::string> devices_of_process(std::vector<std::string> names, int number, int gpus);

/// "cpu" is the whole machine; "cpu:0" … are virtual devices, each with an equal part of its cores, so that
/// multi-device training can be run on any machine. "reference" is the reference implementation. `threads` > 0: the
/// number of threads over all devices. `backend` "reference" uses the reference implementation for every cpu name.
/// "cuda:0" … are the GPUs found by the plug-in. Errc::usage: a name is invalid or given twice; Errc::no_device: the
/// machine lacks the device.
Result<std::vector<ResolvedDevice>> resolve_devices(const std::vector<std::string>& names, std::int64_t threads,
                                                    const std::string& backend = "cpu");

/// The places of cuda:0, cuda:1, … on the PCI bus; see Device::bus_id(). Empty: this process loads no plug-in, or there
/// is no GPU that can train.
std::vector<std::string> bus_ids_of_gpus();

/// A GPU as the command-line program in this program's folder lists it.
struct ReportedGpu {
  std::string name, description;
  std::int64_t memory_bytes = 0;
  Text why_not;  // why it cannot train; empty: it can
};
/// For a process that loads no plug-in. Empty: there are none, or the program does not report.
std::vector<ReportedGpu> reported_gpus();

/// What these devices lack to train at their full speed, such as cuDNN, one sentence each with how to get it.
std::vector<Text> slowed_down_by(const std::vector<ResolvedDevice>&);

/// The reason why each of "cuda:0" … "cuda:<count - 1>" cannot train here; usable GPUs are omitted. A process that
/// loads no plug-in queries the command-line program in its own folder.
std::map<std::string, Text> unusable_gpus(int count);

}  // namespace nw
