// SPDX-License-Identifier: Apache-2.0
// std::variant that may be copied where there is no memory.
#pragma once
#include <utility>
#include <variant>

namespace nw {

/// A std::variant of texts, lists and numbers. Where there is no memory for a copy of its value, libstdc++'s copy
/// constructor destroys a value that was never made if it holds that its alternatives always have one (texts and lists
/// among them): it jumps to a random address. This one assigns instead, which either succeeds or throws.
template <class First, class... Rest>
class Variant : public std::variant<First, Rest...> {
 public:
  using Base = std::variant<First, Rest...>;
  using Base::Base;
  using Base::operator=;
  Variant() = default;
  Variant(const Variant& other) : Base() { Base::operator=(static_cast<const Base&>(other)); }
  Variant(Variant&&) = default;
  Variant& operator=(const Variant&) = default;
  Variant& operator=(Variant&&) = default;
  ~Variant() = default;
};

}  // namespace nw
