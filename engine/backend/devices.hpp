// SPDX-License-Identifier: Apache-2.0
// From the names people write (--device cpu:0,cpu:1) to devices that can be handed a plan.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// A device and the threads that are its share of this machine.
struct ResolvedDevice {
  std::string name;  // as asked: "cpu", "cpu:1"
  std::shared_ptr<const Device> device;
  int threads = 1;
};

/// "cpu:0,cpu:1" -> {"cpu:0", "cpu:1"}; blanks around names are dropped.
std::vector<std::string> split_device_list(const std::string& list);

/// "cpu" alone is the whole machine; "cpu:0" … are virtual devices, each with an equal share of its cores, so that
/// everything multi-device runs anywhere. "reference" is the slow oracle. `threads` > 0: over all devices. `backend`
/// "reference" puts the oracle behind every cpu name. "cuda:0" … are the GPUs that the plug-in finds. Errc::usage: a
/// name nobody can read, or given twice; Errc::no_device: not in this machine.
Result<std::vector<ResolvedDevice>> resolve_devices(const std::vector<std::string>& names, std::int64_t threads,
                                                    const std::string& backend = "cpu");

/// Why each of "cuda:0" … "cuda:<count - 1>" cannot train here; the ones that can are left out. A process that loads no
/// plug-in asks the command line beside it.
std::map<std::string, Text> unusable_gpus(int count);

}  // namespace nw
