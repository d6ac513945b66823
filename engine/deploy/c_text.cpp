// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/c_text.hpp"

#include <fmt/format.h>

namespace nw::deploy {
namespace {

constexpr std::size_t widest = 116;

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

template <class T, class F>
std::string lines_of(const std::vector<T>& numbers, F word) {
  std::string text = "  ";
  std::size_t column = 2;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string next = word(numbers[i]) + (i + 1 < numbers.size() ? "," : "");
    if (column + next.size() > widest) {
      text += "\n  ";
      column = 2;
    }
    text += next;
    column += next.size();
  }
  return text + "\n";
}

}  // namespace

std::string c_words(std::string_view untrusted) {
  constexpr std::string_view signs = " _.,:()-+";
  std::string words;
  for (std::size_t i = 0; i < untrusted.size(); ++i)
    if (untrusted.substr(i, 2) == "\xc3\x97") {  // ×
      words += 'x';
      ++i;
    } else {
      words +=
          is_letter_or_digit(untrusted[i]) || signs.find(untrusted[i]) != std::string_view::npos ? untrusted[i] : '_';
    }
  return words;
}

std::string c_string(std::string_view untrusted) {
  std::string text = "\"";
  for (const char c : untrusted)
    text += is_letter_or_digit(c) || c == ' '
                ? std::string(1, c)
                : fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text + "\"";
}

std::string c_numbers(const std::vector<float>& numbers) {
  return lines_of(numbers, [](float v) { return c_float(v); });
}

std::string c_numbers(const std::vector<std::uint8_t>& numbers) {
  return lines_of(numbers, [](std::uint8_t v) { return std::to_string(v); });
}

std::string c_numbers(const std::vector<int>& numbers) {
  return lines_of(numbers, [](int v) { return std::to_string(v); });
}

}  // namespace nw::deploy
