// SPDX-License-Identifier: Apache-2.0
// Arrays of numbers in the payload of an answer: a list of a million numbers would take ten times its bytes as JSON.
// "arrays" of the JSON says where each is: {NAME: {"type", "count", "at"}}, "at" in bytes. This machine's byte order.
#pragma once
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/predict/serve.hpp"

namespace nw {

enum class ArrayType { none, i32, i64, f32, f64 };
/// "i32"; "" for none.
const char* name_of(ArrayType);
std::size_t bytes_of(ArrayType);

template <class T>
constexpr ArrayType array_type() {
  static_assert(std::is_arithmetic_v<T> && std::is_signed_v<T> && sizeof(T) >= 4);
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? ArrayType::f32 : ArrayType::f64;
  return sizeof(T) == 4 ? ArrayType::i32 : ArrayType::i64;
}

/// Appends zeros for `count` numbers to the payload, aligned, and records them; returns their first byte.
std::uint8_t* add_array(Message&, const std::string& name, ArrayType, std::size_t count);
/// Appends the numbers as numbers of type T.
template <class T, class From>
void put_array(Message& m, const std::string& name, const std::vector<From>& numbers) {
  std::uint8_t* at = add_array(m, name, array_type<T>(), numbers.size());
  for (const From number : numbers) {
    const T value = static_cast<T>(number);
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
}

/// The error for an answer that is not as the table of operations says.
Error inconsistent_answer();
/// The bytes of an array of this type, which lie in the payload; an error if they do not, or if it has another `count`.
Result<std::span<const std::uint8_t>> array_bytes(const Message&, const std::string& name, ArrayType,
                                                  std::optional<std::size_t> count);
/// The numbers of an array of exactly this type; without `count` it may have any. Numbers that are not finite become
/// `missing`.
template <class T>
Result<std::vector<T>> array_in(const Message& m, const std::string& name, std::optional<std::size_t> count = {},
                                T missing = T{}) {
  NW_ASSIGN(const std::span<const std::uint8_t> bytes, array_bytes(m, name, array_type<T>(), count));
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  if constexpr (std::is_floating_point_v<T>)
    for (T& number : out)
      if (!std::isfinite(number)) number = missing;
  return out;
}

}  // namespace nw
