// SPDX-License-Identifier: Apache-2.0
// Reading requests, and keeping what was made for them; private to engine/predict.
#pragma once
#include <list>
#include <string>

#include "engine/core/json.hpp"

namespace nw::predicting {

/// Refused when the request has no such string.
Result<std::string> string_of(const Json& request, const char* key);
std::string string_or(const Json& request, const char* key, const char* otherwise);
Result<std::int64_t> integer_of(const Json& request, const char* key, std::int64_t lo, std::int64_t hi);

inline constexpr std::size_t kept_open = 2;
/// The list's entry of that key, made where there is none; the newest stands first, and kept_open of them stay.
template <class T, class Make>
Result<T*> cached(std::list<T>& list, const std::string& key, Make make) {
  for (auto it = list.begin(); it != list.end(); ++it)
    if (it->key == key) {
      list.splice(list.begin(), list, it);
      return &list.front();
    }
  NW_ASSIGN(T made, make());
  made.key = key;
  list.push_front(std::move(made));
  while (list.size() > kept_open) list.pop_back();
  return &list.front();
}

}  // namespace nw::predicting
