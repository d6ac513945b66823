// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/data_hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/train/training_data.hpp"

namespace nw {
namespace {

/// From now on the run uses synthetic digits, even if the real data set is found later.
void fall_back_to_synthetic(RunDefinition& definition) {
  DataChoice choice = definition.doc.data();
  choice.kind = SourceKind::synthetic;
  choice.path.clear();
  (void)definition.doc.apply({PutData{choice}});
  definition.data_dir.clear();
}

std::shared_ptr<const Dataset> test_set(const TrainingData& d) {
  return d.splits.test_from_train || !d.opened.test ? d.opened.train : d.opened.test;
}

Status fill_in(RunDefinition& definition, const TrainingData& d, std::uint64_t hash) {
  definition.data_hash = hash;
  definition.split_hash = split_hash(d.splits);
  definition.classes = output_names(d.opened);
  definition.class_counts = d.facts.class_counts;
  definition.channels = d.facts.channels;
  definition.height = d.facts.height;
  definition.width = d.facts.width;
  if (definition.data_dir.empty() && definition.doc.data().path.empty()) definition.data_dir = d.opened.place;
  NW_ASSIGN(const Normalization n, normalization_of(definition.doc.data(), *d.opened.train, d.splits.train));
  definition.mean = n.mean;
  definition.deviation = n.deviation;
  return {};
}

}  // namespace

Result<TrainingData> open_training_data(RunDefinition& definition, bool allow_synthetic, bool resume) {
  TrainingData d;
  bool fell_back = false;
  NW_ASSIGN(d.opened, open_data(definition.doc.data(), definition.data_dir, allow_synthetic, &fell_back));
  if (fell_back) {
    fall_back_to_synthetic(definition);
    d.notes.push_back(
        text(NW_TR("No data set was found: training on built-in synthetic digits. --data DIR or NETWRIGHT_DATA names a "
                   "folder with real ones.")));
  }
  for (const Text& warning : d.opened.warnings) d.notes.push_back(warning);
  NW_ASSIGN(d.splits, split_data(d.opened, definition.doc.data()));
  if (d.splits.train.empty())
    return fail(Errc::bad_input, NW_TR("{0} leaves no images to train on"), d.opened.description);
  d.facts = facts_of(d.opened, d.splits, definition.doc.data());
  NW_ASSIGN(const std::uint64_t hash, data_hash(d.opened));
  if (!resume)
    NW_TRY(fill_in(definition, d, hash));
  else if (hash != definition.data_hash)
    d.notes.push_back(text(NW_TR("The data is not what this run was started with: {0}"), d.opened.description));
  else if (definition.split_hash != 0 && split_hash(d.splits) != definition.split_hash)
    d.notes.push_back(
        text(NW_TR("The data is not split as when this run was started: images it trained on may be among those that "
                   "measure it")));

  // as when the run began: balanced weights are those of its start
  if (definition.class_counts.size() == d.facts.class_counts.size()) d.facts.class_counts = definition.class_counts;

  const TrainSettings& s = definition.doc.settings();
  const Normalization norm{definition.mean, definition.deviation};
  if (static_cast<std::int64_t>(norm.mean.size()) != d.facts.channels)
    return fail(Errc::bad_input, NW_TR("{0}: its images have {1} channels, the run was started with {2}"),
                d.opened.description, d.facts.channels, norm.mean.size());
  const Augmentation augmentation{s.random_crop, s.crop_padding, s.horizontal_flip, s.transforms, s.augment_strength};
  d.train.emplace(d.opened.train, d.splits.train, norm, augmentation, s.seed);
  if (!d.splits.validation.empty())
    d.validation.emplace(d.opened.train, d.splits.validation, norm, Augmentation{}, s.seed);
  if (!d.splits.test.empty()) d.test.emplace(test_set(d), d.splits.test, norm, Augmentation{}, s.seed);
  return d;
}

}  // namespace nw
