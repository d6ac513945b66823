// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/arrays.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

/// The numbers of an array that is read lie in the payload. True: it was read.
template <class T>
bool reads(const Message& m, const std::string& name, std::string& broken) {
  const auto numbers = array_in<T>(m, name);
  if (!numbers) return false;
  if (numbers->size() > m.payload.size() / sizeof(T)) broken = "more numbers than the payload holds";
  if (!array_in<T>(m, name, numbers->size())) broken = "it is refused by its own count";
  if (array_in<T>(m, name, numbers->size() + 1)) broken = "it is taken for a longer one";
  return true;
}

}  // namespace

Outcome read_arrays(Bytes bytes) {
  if (bytes.size() < 2) return {};
  const std::size_t length = bytes[0] | bytes[1] << 8;
  if (bytes.size() - 2 < length) return {};
  const auto json = parse_json(as_text(bytes.subspan(2, length)), "answer", {.bytes = json_limit});
  if (!json || !json->is_object()) return {};
  const Bytes payload = bytes.subspan(2 + length);
  const Message m{*json, {payload.begin(), payload.end()}};
  const auto list = m.json.find("arrays");
  if (list == m.json.end() || !list->is_object() || list->empty()) return {};
  Outcome outcome{true, {}};
  for (const auto& [name, about] : list->items()) {
    const int kinds = reads<std::int32_t>(m, name, outcome.broken) + reads<std::int64_t>(m, name, outcome.broken) +
                      reads<float>(m, name, outcome.broken) + reads<double>(m, name, outcome.broken);
    if (kinds > 1) outcome.broken = "an array of two types";
    outcome.accepted = outcome.accepted && kinds == 1;
  }
  return outcome;
}

}  // namespace nw::fuzz
