// SPDX-License-Identifier: Apache-2.0
// Training towards the outputs of another network: Hinton, Vinyals, Dean, "Distilling the knowledge in a neural
// network", arXiv 1503.02531. The teacher sees the same augmented images as the network that is trained (Beyer et al.,
// "Knowledge distillation: a good teacher is patient and consistent", CVPR 2022). The member "distillation" of the
// project file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw {

/// The target of an image is weight × softmax(teacher's scores / temperature) + (1 - weight) × its label. The network's
/// scores are divided by the temperature too, and the loss's gradient multiplied by its square, so that it keeps its
/// size.
struct Distillation {
  std::string run;         // folder of the teacher's run, absolute
  std::string checkpoint;  // its name
  std::string sha256;      // of the checkpoint's weights; empty: not checked
  double temperature = 4;  // lowest_temperature to highest_temperature
  double weight = 0.9;     // in (0, 1]
  bool operator==(const Distillation&) const = default;
};
inline constexpr double lowest_temperature = 0.1, highest_temperature = 100;

/// nullopt: the project has no teacher. Errc::bad_input: what it says of one cannot be used.
Result<std::optional<Distillation>> distillation(const GraphDoc&);
/// The edit that gives the project this teacher; nullopt: none.
Edit distil(const std::optional<Distillation>&);

/// Makes targets of a batch, (count, classes), of the teacher's scores: see Distillation.
void mix_answers(const Distillation&, const std::vector<float>& scores, std::int64_t classes,
                 std::vector<float>& targets);

}  // namespace nw
