// SPDX-License-Identifier: Apache-2.0
// A cache of objects opened for requests; private to engine/predict.
#pragma once
#include <list>
#include <string>

#include "kernels/result.hpp"

namespace nw::predicting {

inline constexpr std::size_t kept_open = 2;
/// The entry of `key`, created if missing. The most recently used entry is first; older ones beyond kept_open are
/// removed.
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
