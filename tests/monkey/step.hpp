// SPDX-License-Identifier: GPL-3.0-or-later
// One simulated input. Its numbers mean "number a, modulo how many there are": a step can be played in any state of the
// window, and a sequence stays playable when steps are removed from it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace nw::ui {

enum class StepKind {
  click,         // a: widget, b: position, c: button and modifiers
  double_click,  // likewise
  canvas_click,  // a: node or port of the canvas, b: which end, c: modifiers
  canvas_drag,   // from element a to element b, or to empty canvas
  drag,          // from widget a to widget b
  wheel,         // over widget a, b: amount, c: modifiers
  key,           // row a of the table of keys
  type,          // row a of the table of texts, into the widget that has the focus
  action,        // row a of the table of actions
  page,          // page a
  place,         // row a of the table of places, number b of its kind
  resize,        // row a of the table of sizes
  drop,          // file a, onto widget b
  open,          // file or template a
  theme,
  language,
  screen,  // moves the window to screen a, which has another device pixel ratio
  wait,    // for b milliseconds
  train,   // starts a short run, or stops the one that runs
  kill,    // the training process or the helper
};
constexpr std::size_t step_kinds = static_cast<std::size_t>(StepKind::kill) + 1;

struct Step {
  StepKind kind;
  std::uint32_t a, b, c;
};

/// "click 17 4 1", as in a file of steps.
std::string line_of(const Step& step);
/// Empty if the line is not a step.
std::optional<Step> step_of(std::string_view line);

/// Draws steps; the same seed draws the same steps.
class StepSource {
 public:
  explicit StepSource(std::uint64_t seed) : random_(seed) {}
  Step next();

 private:
  std::mt19937_64 random_;
};

}  // namespace nw::ui
