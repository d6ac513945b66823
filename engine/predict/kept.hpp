// SPDX-License-Identifier: Apache-2.0
// Keeping what was opened for a request; private to engine/predict.
#pragma once
#include <list>
#include <string>

#include "kernels/result.hpp"

namespace nw::predicting {

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
