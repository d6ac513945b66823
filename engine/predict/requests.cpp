// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/requests.hpp"

namespace nw::predicting {

Result<std::string> string_of(const Json& j, const char* key) {
  const auto it = j.find(key);
  if (it == j.end() || !it->is_string()) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), key);
  return it->get<std::string>();
}
std::string string_or(const Json& j, const char* key, const char* otherwise) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : otherwise;
}
Result<std::int64_t> integer_of(const Json& j, const char* key, std::int64_t lo, std::int64_t hi) {
  JsonReader reader(j, "request");
  const std::int64_t value = reader.integer(key, lo, hi);
  NW_TRY(reader.status());
  return value;
}

}  // namespace nw::predicting
