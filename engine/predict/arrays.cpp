// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/arrays.hpp"

#include "engine/core/json_part.hpp"

namespace nw {
namespace {

constexpr std::size_t alignment = 8;

/// A number of bytes or of entries in the JSON of an answer; nothing if it is none, or more than a payload can hold.
std::optional<std::size_t> size_at(const Json& array, const char* key) {
  const auto found = array.find(key);
  if (found == array.end() || !found->is_number_unsigned()) return {};
  const auto size = found->get<std::uint64_t>();
  return size <= payload_limit ? std::optional<std::size_t>(size) : std::nullopt;
}

const Json* described(const Message& m, const std::string& name) {
  const auto all = m.json.is_object() ? m.json.find("arrays") : m.json.end();
  if (all == m.json.end() || !all->is_object()) return nullptr;
  const auto found = all->find(name);
  return found != all->end() && found->is_object() ? &*found : nullptr;
}

}  // namespace

const char* name_of(ArrayType type) {
  constexpr const char* names[] = {"", "i32", "i64", "f32", "f64"};
  return names[static_cast<std::size_t>(type)];
}

std::size_t bytes_of(ArrayType type) {
  constexpr std::size_t bytes[] = {0, 4, 8, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

std::uint8_t* add_array(Message& m, const std::string& name, ArrayType type, std::size_t count) {
  const std::size_t at = (m.payload.size() + alignment - 1) / alignment * alignment;
  object_in(m.json, "arrays")[name] = {{"type", name_of(type)}, {"count", count}, {"at", at}};
  m.payload.resize(at + count * bytes_of(type));
  return m.payload.data() + at;
}

Error inconsistent_answer() {
  return fail(Errc::bad_input, NW_TR("The helper's answer is inconsistent. The helper may be of another version."));
}

Result<std::span<const std::uint8_t>> array_bytes(const Message& m, const std::string& name, ArrayType type,
                                                  std::optional<std::size_t> count) {
  const Json* array = described(m, name);
  if (!array || array->value("type", Json()) != Json(name_of(type))) return inconsistent_answer();
  const std::optional<std::size_t> at = size_at(*array, "at"), entries = size_at(*array, "count");
  if (!at || !entries || *entries != count.value_or(*entries)) return inconsistent_answer();
  // neither can overflow: both are at most payload_limit
  const std::size_t bytes = *entries * bytes_of(type);
  if (*at > m.payload.size() || bytes > m.payload.size() - *at) return inconsistent_answer();
  return std::span(m.payload).subspan(*at, bytes);
}

}  // namespace nw
