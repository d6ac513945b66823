// SPDX-License-Identifier: Apache-2.0
// The run ended because a number was not finite.
#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

Recommendation lower_rate(const Record& r) {
  return {text(NW_TR("Go back to the last checkpoint with a tenth of the learning rate.")), "learning_rate",
          short_number(r.settings.learning_rate / 10)};
}

std::optional<Finding> judge_non_finite(const Record& r) {
  const bool ended = r.ended && r.ended->exit_code == exit_code(Errc::not_finite);
  if (!r.not_finite && !ended) return {};
  Finding f;
  f.sentence = ended ? r.ended->message : text(NW_TR("A step was not finite in layer {0}."), r.not_finite->layer);
  f.evidence = {of_steps(r, "loss", [](const Steps& s) { return s.loss.max; }),
                of_steps(r, "gradient norm", [](const Steps& s) { return s.grad_norm; })};
  f.recommendation = lower_rate(r);
  if (r.not_finite) f.layer = r.not_finite->layer;
  if (f.layer == "images")
    f.recommendation = {text(NW_TR("Check the data: the images hold numbers that are not finite.")), {}, {}};
  return f;
}

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis non_finite_diagnosis{
    .id = "non_finite", .title = text(NW_TR("Numbers that are not finite")), .judge = doctor::judge_non_finite};

}  // namespace nw
