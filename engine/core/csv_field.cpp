// SPDX-License-Identifier: Apache-2.0
#include "engine/core/csv_field.hpp"

namespace nw {

std::string without_formula(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return (formula ? "'" : "") + std::string(text);
}

std::string csv_field(std::string_view text) {
  return text.find_first_of(",\"\r\n") == std::string_view::npos ? without_formula(text) : csv_quoted(text);
}

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : without_formula(text)) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace nw
