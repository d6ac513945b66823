// SPDX-License-Identifier: Apache-2.0
#include "engine/core/free_memory.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/files.hpp"

namespace nw {
namespace {

/// Files of the kernel are short.
std::string text_of(const fs::path& file) {
  const auto text = read_file(file, 1 << 20);
  return text ? *text : std::string();
}

std::optional<std::int64_t> number_in(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
  return error == std::errc() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// The number after `key` at the start of a line.
std::optional<std::int64_t> value_of(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text.substr(at).starts_with(key)) return number_in(text.substr(at + key.size()));
    if (text.find('\n', at) == std::string_view::npos) break;
  }
  return {};
}

std::optional<std::int64_t> left_in(const fs::path& group) {
  const auto most = number_in(text_of(group / "memory.max"));  // "max": no limit
  const auto taken = number_in(text_of(group / "memory.current"));
  if (!most || !taken) return {};
  const std::int64_t cache = value_of(text_of(group / "memory.stat"), "inactive_file ").value_or(0);
  return std::max<std::int64_t>(1, *most - std::max<std::int64_t>(0, *taken - cache));
}

/// "0::/user.slice/app.scope" -> "user.slice/app.scope"
fs::path own_group(const fs::path& proc) {
  const std::string all = text_of(proc / "self/cgroup");
  const std::size_t at = all.starts_with("0::/") ? 0 : all.find("\n0::/");
  if (at == std::string::npos) return {};
  const std::size_t begin = all.find("::/", at) + 3;
  return fs::path(all.substr(begin, all.find('\n', begin) - begin)).lexically_normal();
}

}  // namespace

std::int64_t free_memory_bytes(const fs::path& proc, const fs::path& cgroup) {
  std::optional<std::int64_t> least;
  const auto take = [&](std::optional<std::int64_t> bytes) {
    if (bytes) least = std::min(least.value_or(*bytes), *bytes);
  };
  if (const auto kib = value_of(text_of(proc / "meminfo"), "MemAvailable:"))
    take(std::min(*kib, std::int64_t{1} << 50) * 1024);
  fs::path group = cgroup;
  take(left_in(group));
  for (const fs::path& part : own_group(proc)) {
    if (part == "..") break;  // outside this container's view
    take(left_in(group /= part));
  }
  return least.value_or(0);
}

}  // namespace nw
