// SPDX-License-Identifier: Apache-2.0
// Validation images that were trained on, so that the validation accuracy is too good.
#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double leaked = 0.01;  // of the validation images
constexpr std::int64_t fewest_shared = 3;
constexpr std::int64_t min_bytes = 64;  // of an image: smaller ones are equal by chance

std::optional<Finding> judge_leak(const Record& r) {
  if (!r.data || r.data->shared < fewest_shared || r.data->image_bytes < min_bytes) return {};
  const double share = static_cast<double>(r.data->shared) / static_cast<double>(r.data->validation);
  if (share < leaked) return {};
  Finding f;
  f.sentence = text(NW_TR("{0} of the {1} validation images ({2} %) are training images too, pixel by pixel: the "
                          "validation accuracy is too good."),
                    r.data->shared, r.data->validation, percent_of(share));
  f.evidence = {of_epochs(r, "train accuracy", [](const EpochEnd& e) { return e.train_accuracy; }),
                of_epochs(r, "validation accuracy", [](const EpochEnd& e) { return e.validation_accuracy; })};
  f.recommendation = {text(NW_TR("Exclude the duplicates: netwright-cli data check lists them.")), {}, {}};
  return f;
}

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis label_leak_diagnosis{
    .id = "label_leak", .title = text(NW_TR("Validation images in the training")), .judge = doctor::judge_leak};

}  // namespace nw
