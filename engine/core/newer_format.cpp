// SPDX-License-Identifier: Apache-2.0
#include "engine/core/newer_format.hpp"

#include <algorithm>

#include "engine/core/version.hpp"

namespace nw {
namespace {

constexpr std::size_t longest_version = 20;

/// "0.3.0" of the member, as the file says; empty: it says nothing that is a version.
std::string version_needed(const Json& file) {
  const auto at = file.is_object() ? file.find(needs_key) : file.end();
  if (!file.is_object() || at == file.end() || !at->is_string()) return {};
  const std::string text = at->get<std::string>();
  const bool plain = !text.empty() && text.size() <= longest_version && text.front() != '.' && text.back() != '.' &&
                     std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return plain ? text : std::string();
}

}  // namespace

Error newer_format(const Json& file, std::string_view where, std::int64_t format, std::int64_t known) {
  if (const std::string needed = version_needed(file); !needed.empty())
    return fail(
        Errc::bad_input,
        NW_TR("{0} was written by a newer Netwright (format {1}, this one reads {2}): it needs version {3}, and "
              "this is {4}; it was left as it is"),
        where, format, known, needed, version());
  return fail(Errc::bad_input,
              NW_TR("{0} was written by a newer Netwright (format {1}, this one reads {2}); it was left as it is"),
              where, format, known);
}

}  // namespace nw
