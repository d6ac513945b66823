// SPDX-License-Identifier: Apache-2.0
// Enumerations by their names in files and responses. The names are defined in one place, a `name_of(E)` with a switch
// that the compiler checks for completeness.
#pragma once
#include <optional>
#include <string_view>

namespace nw {

/// The value with this name; nullopt if there is none. E's values are 0, 1, 2, …, its underlying type is fixed, and
/// name_of() of any other value is "".
template <class E>
std::optional<E> named(std::string_view name) {
  for (int i = 0; !name_of(static_cast<E>(i)).empty(); ++i)
    if (name_of(static_cast<E>(i)) == name) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace nw
