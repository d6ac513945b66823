// SPDX-License-Identifier: Apache-2.0
#include "engine/data/transforms/transform_text.hpp"
#include "engine/design/project_file.hpp"
#include "tests/fuzz/readers/readers.hpp"

/// The words of --transform: what they name can be written into a project and read from it.
nw::fuzz::Outcome nw::fuzz::read_transform(Bytes bytes) {
  const auto transform = transform_from_text(as_text(bytes));
  if (!transform) return {};
  TrainSettings settings;
  settings.transforms = {*transform};
  const auto again = settings_from_json(to_json(settings), "again");
  if (!again) return {true, "a transform that files refuse: " + again.error().str()};
  return {true, *again == settings ? "" : "a transform does not read back"};
}
