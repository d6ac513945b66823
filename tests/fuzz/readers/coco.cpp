// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

Outcome looked_at(Bytes bytes, TargetKind kind) {
  const auto list = parse_coco(as_text(bytes), "/data/annotations.json", kind);
  if (!list) return {};
  if (list->train.empty()) return {true, "a list of nothing is taken"};
  for (const auto& image : list->train) {
    if (image.label < 0 || image.label >= static_cast<std::int64_t>(list->classes.size()) || image.file.empty())
      return {true, "a label is no class"};
    if (image.targets.size() != list->target_names.size())
      return {true, "an image has not as many targets as there are names"};
  }
  return {true, {}};
}

}  // namespace

Outcome read_coco(Bytes bytes) {
  const Outcome classes = looked_at(bytes, TargetKind::classes), labels = looked_at(bytes, TargetKind::labels);
  return labels.broken.empty() ? classes : labels;
}

}  // namespace nw::fuzz
