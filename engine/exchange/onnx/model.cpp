// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/onnx/model.hpp"

#include <bit>
#include <cstring>

namespace nw::onnx {
namespace {

template <class T>
T element(const Tensor& t, std::size_t i) {
  T value;
  std::memcpy(&value, t.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

float half_to_float(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000) << 16, exponent = h >> 10 & 0x1F,
                      mantissa = h & 0x3FF;
  if (exponent == 0) {
    const float small = static_cast<float>(mantissa) / 16777216.0F;  // 2^-24
    return sign ? -small : small;
  }
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000 | mantissa << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

template <class To>
std::optional<std::vector<To>> converted(const Tensor& t) {
  const std::int64_t count = t.elements();
  if (count < 0 || size_of(t.type) == 0 || t.bytes.size() != static_cast<std::size_t>(count) * size_of(t.type))
    return std::nullopt;
  std::vector<To> out(static_cast<std::size_t>(count));
  const auto all = [&](auto read) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<To>(read(i));
  };
  switch (t.type) {
    case Type::f32:
      if constexpr (std::is_same_v<To, float>)
        std::memcpy(out.data(), t.bytes.data(), t.bytes.size());
      else
        all([&](std::size_t i) { return element<float>(t, i); });
      break;
    case Type::f64:
      all([&](std::size_t i) { return element<double>(t, i); });
      break;
    case Type::f16:
      all([&](std::size_t i) { return half_to_float(element<std::uint16_t>(t, i)); });
      break;
    case Type::bf16:
      all([&](std::size_t i) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(element<std::uint16_t>(t, i)) << 16);
      });
      break;
    case Type::i64:
      all([&](std::size_t i) { return element<std::int64_t>(t, i); });
      break;
    case Type::u64:
      all([&](std::size_t i) { return element<std::uint64_t>(t, i); });
      break;
    case Type::i32:
      all([&](std::size_t i) { return element<std::int32_t>(t, i); });
      break;
    case Type::u32:
      all([&](std::size_t i) { return element<std::uint32_t>(t, i); });
      break;
    case Type::i16:
      all([&](std::size_t i) { return element<std::int16_t>(t, i); });
      break;
    case Type::u16:
      all([&](std::size_t i) { return element<std::uint16_t>(t, i); });
      break;
    case Type::i8:
      all([&](std::size_t i) { return element<std::int8_t>(t, i); });
      break;
    case Type::u8:
      all([&](std::size_t i) { return element<std::uint8_t>(t, i); });
      break;
    case Type::boolean:
      all([&](std::size_t i) { return element<std::uint8_t>(t, i) != 0; });
      break;
    case Type::text:
    case Type::undefined:
      return std::nullopt;
  }
  return out;
}

template <class T>
Tensor made(std::string name, Type type, Dims dims, std::span<const T> values) {
  Tensor t{.name = std::move(name), .type = type, .dims = std::move(dims)};
  if (!values.empty()) t.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return t;
}

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::u8:
    case Type::i8:
    case Type::boolean:
      return 1;
    case Type::u16:
    case Type::i16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::f32:
    case Type::i32:
    case Type::u32:
      return 4;
    case Type::f64:
    case Type::i64:
    case Type::u64:
      return 8;
    case Type::text:
    case Type::undefined:
      return 0;
  }
  return 0;
}

std::string name_of(Type type) {
  switch (type) {
    case Type::f32:
      return "float";
    case Type::u8:
      return "uint8";
    case Type::i8:
      return "int8";
    case Type::u16:
      return "uint16";
    case Type::i16:
      return "int16";
    case Type::i32:
      return "int32";
    case Type::i64:
      return "int64";
    case Type::text:
      return "string";
    case Type::boolean:
      return "bool";
    case Type::f16:
      return "float16";
    case Type::f64:
      return "double";
    case Type::u32:
      return "uint32";
    case Type::u64:
      return "uint64";
    case Type::bf16:
      return "bfloat16";
    case Type::undefined:
      break;
  }
  return fmt::format("type {}", static_cast<int>(type));
}

std::int64_t elements_of(const Dims& dims) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t size : dims)
    if (size < 0 || size > most) return -1;
  for (const std::int64_t size : dims)
    if (size == 0) return 0;
  for (const std::int64_t size : dims) {
    if (count > most / size) return -1;
    count *= size;
  }
  return count;
}

Tensor tensor_of(std::string name, Dims dims, std::span<const float> values) {
  return made(std::move(name), Type::f32, std::move(dims), values);
}
Tensor tensor_of(std::string name, Dims dims, std::span<const std::int64_t> values) {
  return made(std::move(name), Type::i64, std::move(dims), values);
}
std::optional<std::vector<double>> reals_of(const Tensor& t) { return converted<double>(t); }
std::optional<std::vector<float>> floats_of(const Tensor& t) { return converted<float>(t); }
std::optional<std::vector<std::int64_t>> integers_of(const Tensor& t) {
  const bool real = t.type == Type::f32 || t.type == Type::f64 || t.type == Type::f16 || t.type == Type::bf16;
  return real ? std::nullopt : converted<std::int64_t>(t);
}

std::int64_t Node::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto it = attributes.find(attribute);
  const auto* value = it == attributes.end() ? nullptr : std::get_if<std::int64_t>(&it->second);
  return value ? *value : otherwise;
}
double Node::real(std::string_view attribute, double otherwise) const {
  const auto it = attributes.find(attribute);
  const auto* value = it == attributes.end() ? nullptr : std::get_if<float>(&it->second);
  // The shortest decimal number that is this float: 1e-05 instead of 9.99999974e-06.
  return value ? std::strtod(fmt::format("{}", *value).c_str(), nullptr) : otherwise;
}
std::string Node::text(std::string_view attribute, std::string otherwise) const {
  const auto it = attributes.find(attribute);
  const auto* value = it == attributes.end() ? nullptr : std::get_if<std::string>(&it->second);
  return value ? *value : otherwise;
}
std::vector<std::int64_t> Node::integers(std::string_view attribute) const {
  const auto it = attributes.find(attribute);
  const auto* value = it == attributes.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&it->second);
  return value ? *value : std::vector<std::int64_t>{};
}

std::int64_t Model::opset() const {
  for (const char* domain : {"", "ai.onnx"})
    if (const auto it = opsets.find(domain); it != opsets.end()) return it->second;
  return 0;
}

}  // namespace nw::onnx
