// SPDX-License-Identifier: Apache-2.0
// Checks of the data before training: defects that worsen the result, or make it look better than it is.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/dataset.hpp"

namespace nw {

enum class DefectKind : std::uint8_t {
  duplicate,         // the same pixels more than once
  near_duplicate,    // similar: recompressed, brightened, noisy, shifted by a pixel or two
  blank,             // all pixels of the image are equal
  small_class,       // fewer than ten images, or less than a tenth of the classes' mean
  constant_channel,  // a channel has the same value everywhere in the set
  grey_in_colour,    // three channels that are always equal: one is sufficient
};
std::string_view name_of(DefectKind);  // "duplicate", "near-duplicate", …

/// A split that is checked: "train", "validation", "test".
struct CheckedSplit {
  std::string name;
  std::shared_ptr<const Dataset> set;
  std::vector<std::int64_t> indices;
  bool test_set = false;  // its set is the source's test set
  TargetKind targets = TargetKind::classes;
};
struct CheckedSample {
  int part = 0;            // index in the list of splits
  std::int64_t index = 0;  // index in its set
};

struct Defect {
  DefectKind kind = DefectKind::duplicate;
  std::vector<CheckedSample> samples;  // the images concerned; empty for a defect of a class or a channel
  bool across = false;                 // samples are in different splits: test images occur in training
  bool contradicts = false;            // the samples have different labels
  double likeness = 0;                 // near duplicates: smallest similarity of the pairs that join them, 0.6…1
  std::int64_t which = -1;             // the class or channel
  int part = -1;
};
struct DataCheckReport {
  std::vector<Defect> defects;  // by kind; those across splits first, then those with contradicting labels
  std::int64_t images = 0;
  std::int64_t count(DefectKind) const;
};

/// Every image is read twice, and all pairs are compared (see find_near_duplicate_pairs). `progress` gets 0…1; false
/// cancels (Errc::stopped).
Result<DataCheckReport> find_defects(const std::vector<CheckedSplit>&, std::size_t classes,
                                     const std::function<bool(double)>& progress = {});

}  // namespace nw
