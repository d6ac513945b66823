// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/step.hpp"

#include <charconv>
#include <sstream>

namespace nw::ui {
namespace {

struct Row {
  const char* name;
  int weight;  // relative frequency
};
// In the order of StepKind.
constexpr std::array<Row, step_kinds> rows{{
    {"click", 240},  {"double_click", 40}, {"canvas_click", 110}, {"canvas_drag", 60}, {"drag", 30},
    {"wheel", 30},   {"key", 170},         {"type", 60},          {"action", 130},     {"page", 30},
    {"place", 40},   {"resize", 12},       {"drop", 8},           {"open", 8},         {"theme", 4},
    {"language", 4}, {"screen", 4},        {"wait", 40},          {"train", 8},        {"kill", 3},
}};

}  // namespace

std::string line_of(const Step& step) {
  std::ostringstream out;
  out << rows[static_cast<std::size_t>(step.kind)].name << ' ' << step.a << ' ' << step.b << ' ' << step.c;
  return out.str();
}

std::optional<Step> step_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::string name;
  Step step{};
  if (!(in >> name >> step.a >> step.b >> step.c)) return std::nullopt;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (name == rows[i].name) return step.kind = static_cast<StepKind>(i), step;
  return std::nullopt;
}

Step StepSource::next() {
  int all = 0;
  for (const Row& row : rows) all += row.weight;
  int drawn = static_cast<int>(random_() % static_cast<std::uint64_t>(all));
  std::size_t kind = 0;
  while (drawn >= rows[kind].weight) drawn -= rows[kind++].weight;
  // Three words, not one, so that the choice of one number tells nothing about the others.
  const auto number = [this] { return static_cast<std::uint32_t>(random_() >> 32); };
  const std::uint32_t a = number(), b = number(), c = number();
  return {static_cast<StepKind>(kind), a, b, c};
}

}  // namespace nw::ui
