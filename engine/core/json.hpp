// SPDX-License-Identifier: Apache-2.0
// Strict JSON for all external input: duplicate keys, nesting beyond 64, oversized text, values that take too much
// memory and trailing bytes are errors with line and column; the ranges of numbers are checked.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw {

using Json = nlohmann::json;  // based on std::map: keys are sorted, which keeps files stable under version control

struct JsonLimits {
  int depth = 64;
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t string_bytes = std::size_t{1} << 20;
  std::size_t memory_bytes = std::size_t{512} << 20;  // that the values take once read: "[{},{}]" takes 30 × its text
  std::span<const std::string_view> skipped_keys = {};  // members of objects, at any depth, that are not kept
};
/// `where` names the source in messages ("lenet5.netwright").
Result<Json> parse_json(std::string_view text, std::string_view where, const JsonLimits& = {});
/// Two-space indented, keys sorted, one trailing newline; doubles in the shortest form that reads back equal.
std::string canonical(const Json&);

/// A reader of an object that tracks its path, so that messages can contain "network.nodes[3].attrs.stride".
/// Getters check presence, type and range; the first problem is stored, and later getters return defaults.
class JsonReader {
 public:
  JsonReader(const Json& json, std::string where);
  bool has(std::string_view key) const;
  std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi);
  std::int64_t integer_or(std::string_view key, std::int64_t otherwise, std::int64_t lo, std::int64_t hi);
  double real(std::string_view key);
  double real_or(std::string_view key, double otherwise);
  bool boolean_or(std::string_view key, bool otherwise);
  std::string string(std::string_view key);
  std::string string_or(std::string_view key, std::string otherwise);
  const Json* child(std::string_view key, Json::value_t type);  // nullptr: absent (no problem) or wrong type (problem)
  void problem(const Text& what);
  Status status() const;
  const Json& json() const { return json_; }
  const std::string& where() const { return where_; }

 private:
  const Json* find(std::string_view key, bool required);  // nullptr after the first problem, too
  void wrong(std::string_view key, const Text& what);
  std::int64_t number(std::string_view key, bool required, std::int64_t otherwise, std::int64_t lo, std::int64_t hi);

  const Json& json_;
  std::string where_;
  std::optional<Error> first_;
};

}  // namespace nw
