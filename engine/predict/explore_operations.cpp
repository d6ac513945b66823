// SPDX-License-Identifier: Apache-2.0
// What an explorer of a whole data set asks for: who is in a part, in numbers that a million of take a few megabytes.
#include <cstring>

#include "engine/predict/operations.hpp"
#include "engine/predict/requests.hpp"

namespace nw::predicting {

/// Payload: data-set index of each sample of the split, then the class of each; int32 in this machine's byte order.
Result<Message> Operations::labels(const Json& r) {
  NW_ASSIGN(const Opened* o, data_of_request(r));
  const std::string split = string_or(r, "split", "train");
  const std::vector<std::int64_t>& indices = o->data->indices_of(split);
  const auto& set = o->data->set_of(split);
  std::vector<std::int32_t> numbers;
  numbers.reserve(2 * indices.size());
  for (const std::int64_t i : indices) numbers.push_back(static_cast<std::int32_t>(i));
  for (const std::int64_t i : indices) numbers.push_back(static_cast<std::int32_t>(set->label(i)));
  Message m{Json{{"count", indices.size()}, {"test_set", set != o->data->data.train}}, {}};
  m.payload.resize(numbers.size() * sizeof(std::int32_t));
  if (!numbers.empty()) std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
  return m;
}

}  // namespace nw::predicting
