// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "engine/queue/queue.hpp"

namespace nw::queue {
namespace {

constexpr std::size_t most_devices = 64;
constexpr std::int64_t most_any = 64;

/// The number after "any:"; 0: there is none.
std::int64_t count_of(std::string_view digits) {
  std::int64_t n = 0;
  const auto end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, n);
  return read.ec == std::errc() && read.ptr == end && n >= 1 && n <= most_any ? n : 0;
}

/// "cpu", "cpu:1", "cuda", "cuda:12", "reference".
bool is_device(std::string_view name) {
  const auto colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  if (kind != "cpu" && kind != "cuda" && kind != "reference") return false;
  if (colon == name.npos) return true;
  const std::string_view digits = name.substr(colon + 1);
  return !digits.empty() && digits.size() <= 3 &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<DeviceRule> device_rule(std::string_view text) {
  const Error wrong = fail(Errc::usage,
                           NW_TR("\"{0}\" names no devices; there are cpu, cuda:1, lists such as cuda:0,cuda:1, any "
                                 "(one that is free), and any:2 (two GPUs that are free)"),
                           text.substr(0, 80));
  if (text == "any") return DeviceRule{.names = {}, .any = 1};
  if (text.starts_with("any:")) {
    const std::int64_t n = count_of(text.substr(4));
    return n > 0 ? Result<DeviceRule>(DeviceRule{.names = {}, .any = n}) : Result<DeviceRule>(wrong);
  }
  DeviceRule rule;
  for (std::size_t begin = 0; begin <= text.size() && rule.names.size() < most_devices;) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string name(text.substr(begin, comma - begin));
    if (!is_device(name)) return wrong;
    rule.names.push_back(name == "cuda" ? "cuda:0" : std::move(name));
    begin = comma + 1;
  }
  return rule;
}

std::string to_text(const DeviceRule& rule) {
  if (rule.any == 1) return "any";
  if (rule.any > 1) return fmt::format("any:{}", rule.any);
  std::string all;
  for (const std::string& name : rule.names) all += (all.empty() ? "" : ",") + name;
  return all;
}

std::string_view name_of(ItemState s) {
  constexpr std::string_view names[] = {"waiting", "paused", "finished", "stopped", "failed", "removed"};
  return names[static_cast<std::size_t>(s)];
}

std::string_view name_of(Ending e) {
  constexpr std::string_view names[] = {"finished", "stopped", "failed", "interrupted"};
  return names[static_cast<std::size_t>(e)];
}

}  // namespace nw::queue
