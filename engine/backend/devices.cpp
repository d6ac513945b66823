// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/devices.hpp"

#include <algorithm>
#include <set>

#include "engine/backend/plugin.hpp"
#include "engine/parallel/team.hpp"

namespace nw {
namespace {

struct DeviceName {
  std::string kind;         // "cpu", "cuda", "reference"
  std::int64_t index = -1;  // -1: not specified
};

Result<DeviceName> parse_name(const std::string& text) {
  const auto colon = text.find(':');
  DeviceName name{text.substr(0, colon), -1};
  const bool known = name.kind == "cpu" || name.kind == "cuda" || name.kind == "reference";
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool number = !digits.empty() && digits.size() <= 3 &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!known || (colon != std::string::npos && !number))
    return fail(Errc::usage, NW_TR("\"{0}\" is not a device; use cpu, cpu:0, cpu:1, … or cuda:0, …"), text);
  if (number) name.index = std::stoll(digits);
  return name;
}

Result<std::shared_ptr<const Device>> open_gpu(std::int64_t index) {
  NW_ASSIGN(const Backend* backend, backend_plugin("cuda"));
  const auto devices = backend->devices();
  if (devices.empty()) {
    const std::vector<Text> missing = backend->missing ? backend->missing(0) : std::vector<Text>{};
    return missing.empty() ? fail(Errc::no_device, NW_TR("no GPU of this computer can train; train on cpu"))
                           : Error{Errc::no_device, missing.front()};
  }
  if (index >= static_cast<std::int64_t>(devices.size()))
    return fail(Errc::no_device, NW_TR("cuda:{0} is not in this machine; its GPUs are cuda:0 to cuda:{1}"), index,
                devices.size() - 1);
  return std::shared_ptr<const Device>(devices[static_cast<std::size_t>(index)]);
}

Result<std::shared_ptr<const Device>> open_device(const DeviceName& name, const std::string& backend,
                                                  const std::string& text) {
  if (name.kind == "cuda") return open_gpu(std::max<std::int64_t>(name.index, 0));
  const bool oracle = name.kind == "reference" || backend == "reference";
  auto devices = oracle ? reference_backend().devices() : cpu_backend().devices();
  if (devices.empty()) return fail(Errc::no_device, NW_TR("{0} is not available on this machine"), text);
  return std::shared_ptr<const Device>(devices.front());
}

// The gradients of all devices are summed in one order, so all devices of a run are of the same kind.
Status check_kinds(const std::vector<std::string>& names) {
  const auto is_gpu = [](const std::string& name) { return name.rfind("cuda", 0) == 0; };
  const auto gpus = static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_gpu));
  if (gpus == 0 || gpus == names.size()) return {};
  return fail(Errc::usage, NW_TR("GPUs and processors cannot share a run; name devices of one kind"));
}

}  // namespace

std::vector<std::string> split_device_list(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::size_t first = list.find_first_not_of(' ', begin);
    if (first < end) names.push_back(list.substr(first, list.find_last_not_of(' ', end - 1) - first + 1));
    begin = end + 1;
  }
  return names;
}

std::vector<int> gpu_numbers(const std::vector<std::string>& devices) {
  std::vector<int> numbers;
  for (const std::string& name : devices)
    if (name.starts_with("cuda")) numbers.push_back(name.size() > 5 ? std::atoi(name.c_str() + 5) : 0);
  return numbers;
}

std::vector<std::string> devices_of_process(std::vector<std::string> names, int number, int gpus) {
  if (gpus > 0 && names == std::vector<std::string>{"cuda"}) names = {"cuda:" + std::to_string(number % gpus)};
  return names;
}

std::vector<std::string> bus_ids_of_gpus() {
  std::vector<std::string> all;
  if (!loads_plugins()) return all;
  const auto backend = backend_plugin("cuda");
  if (!backend) return all;
  for (const auto& device : (*backend)->devices()) all.push_back(device->bus_id());
  return all;
}

std::vector<Text> slowed_down_by(const std::vector<ResolvedDevice>& devices) {
  if (devices.empty() || !devices.front().name.starts_with("cuda")) return {};
  const auto backend = backend_plugin("cuda");
  return backend && (*backend)->missing ? (*backend)->missing(static_cast<int>(devices.size())) : std::vector<Text>{};
}

Result<std::vector<ResolvedDevice>> resolve_devices(const std::vector<std::string>& names, std::int64_t threads,
                                                    const std::string& backend) {
  if (names.empty()) return fail(Errc::usage, NW_TR("no device was named; use cpu"));
  if (names.size() > 64) return fail(Errc::usage, NW_TR("{0} devices are too many; choose at most 64"), names.size());
  NW_TRY(check_kinds(names));
  std::set<std::string> seen;
  std::vector<ResolvedDevice> found;
  const int share = std::max(1, default_threads(threads) / static_cast<int>(names.size()));
  for (const std::string& text : names) {
    if (!seen.insert(text == "cuda" ? "cuda:0" : text).second)
      return fail(Errc::usage, NW_TR("device {0} is named twice"), text);
    NW_ASSIGN(const DeviceName name, parse_name(text));
    if (name.kind == "cpu" && name.index < 0 && names.size() > 1)
      return fail(Errc::usage, NW_TR("\"cpu\" is the whole machine and cannot be combined; use cpu:0,cpu:1"));
    NW_ASSIGN(auto device, open_device(name, backend, text));
    found.push_back({text, std::move(device), share});
  }
  return found;
}

}  // namespace nw
