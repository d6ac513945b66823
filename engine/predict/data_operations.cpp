// SPDX-License-Identifier: Apache-2.0
// Operations on a data set: its summary, thumbnails of its samples, data checks.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/path_text.hpp"
#include "engine/core/text_json.hpp"
#include "engine/data/batches/batch.hpp"
#include "engine/data/checks/data_check_report.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/photo_survey.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/predict/kept.hpp"
#include "engine/predict/operations.hpp"

namespace nw::predicting {
namespace {

constexpr std::size_t most_defects = 2000;

/// Element k of a permutation of `total` samples in which neighbours are far apart, so that a few consecutive elements
/// show all classes even of a data set sorted by class.
std::int64_t scattered(std::int64_t k, std::int64_t total) {
  std::int64_t stride = std::max<std::int64_t>(1, total * 618 / 1000);  // golden ratio: the most even spread
  while (std::gcd(stride, total) != 1) ++stride;
  return k * stride % total;
}

std::vector<std::int64_t> counts_of(const SplitData& d, const std::string& split) {
  std::vector<std::int64_t> counts(d.data.classes.size(), 0);
  for (const std::int64_t i : d.indices_of(split)) {
    const std::span<const float> labels =
        d.data.target_kind == TargetKind::labels ? d.set_of(split)->targets(i) : std::span<const float>();
    for (std::size_t k = 0; k < std::min(labels.size(), counts.size()); ++k) counts[k] += labels[k] > 0;
    const auto label = static_cast<std::size_t>(d.set_of(split)->label(i));
    if (label < counts.size() && label >= labels.size())
      ++counts[label];  // the sample's class; or unlabelled in multi-label data
  }
  return counts;
}

/// Sample k of `samples` with the training augmentation. MixUp and CutMix are previewed by mixing each sample with the
/// one before it, more strongly than most batches of the training.
Result<Image> augmented_pixels(const BatchBuilder& maker, std::span<const std::int64_t> samples, std::int64_t k) {
  NW_ASSIGN(Image image, maker.augmented(samples[static_cast<std::size_t>(k)], k));
  if (const Mix mix = maker.mix_of_preview(k); mix.kind != Mix::Kind::none) {
    const auto total = static_cast<std::int64_t>(samples.size());
    NW_ASSIGN(const Image before, maker.augmented(samples[static_cast<std::size_t>((k + total - 1) % total)], k));
    std::vector<float> own(image.hwc.begin(), image.hwc.end());
    maker.mix_images(mix, own, std::vector<float>(before.hwc.begin(), before.hwc.end()));
    std::transform(own.begin(), own.end(), image.hwc.begin(), [](float v) {
      return static_cast<std::uint8_t>(std::lround(v));  // a mean of bytes is in 0…255
    });
  }
  return image;
}

/// Counted among the skipped files, of which there is a limit.
std::int64_t images_of_other_size(const OpenedData& data) {
  return std::count_if(data.skipped_files.begin(), data.skipped_files.end(),
                       [](const SkippedFile& f) { return f.kind == SkippedFile::Kind::other_size; });
}

Json to_json_array(const std::vector<Text>& list) {
  Json out = Json::array();
  for (const Text& t : list) out.push_back(to_json(t));
  return out;
}

}  // namespace

Result<Message> Operations::open_data(const OpenDataRequest& r, const Work&) {
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const OpenedData& d = o->data->data;
  const DataFacts f = facts_of(d, o->data->splits, {});
  Json counts = Json::object();
  for (const char* split : {"train", "validation", "test"}) counts[split] = counts_of(*o->data, split);
  const Json facts{{"channels", f.channels}, {"height", f.height},
                   {"width", f.width},       {"classes", f.classes},
                   {"train", f.train},       {"validation", f.validation},
                   {"test", f.test},         {"targets", static_cast<int>(f.targets)}};
  return Message{Json{{"description", d.description},
                      {"place", d.place},
                      {"classes", d.classes},
                      {"outputs", output_names(d)},
                      {"counts", counts},
                      {"facts", facts},
                      {"mean", o->normalization.mean},
                      {"deviation", o->normalization.deviation},
                      {"other_size", images_of_other_size(d)},
                      {"warnings", to_json_array(d.warnings)},
                      {"fell_back", o->fell_back}},
                 {}};
}

Result<Message> Operations::survey(const SurveyRequest& r, const Work&) {
  NW_ASSIGN(const PhotoSet set, survey_photos(r.path));
  return Message{Json{{"images", set.images}, {"classes", set.classes}, {"height", set.height}, {"width", set.width}},
                 {}};
}

Result<Message> Operations::samples(const SamplesRequest& r, const Work&) {
  NW_TRY(check_thumbnails(static_cast<std::size_t>(r.count), r.size));
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const Dataset& set = *o->data->set_of(r.split);
  const std::vector<std::int64_t>& indices = o->data->indices_of(r.split);
  Message m{Json{{"labels", Json::array()}, {"origins", Json::array()}, {"height", r.size}, {"width", r.size}}, {}};
  const auto total = static_cast<std::int64_t>(indices.size());
  for (std::int64_t k = r.begin; k < std::min(r.begin + r.count, total); ++k) {
    const std::int64_t i = indices[static_cast<std::size_t>(scattered(k, total))];
    NW_ASSIGN(const Image p, pixels_of(set, i));
    append_rgba(p, r.size, m.payload);
    m.json["labels"].push_back(set.label(i));
    m.json["origins"].push_back(set.origin(i));
  }
  return m;
}

Result<Message> Operations::augmented(const AugmentedRequest& r, const Work&) {
  NW_TRY(check_thumbnails(static_cast<std::size_t>(r.count), r.size));
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const TrainSettings& s = r.settings;
  const BatchBuilder maker(o->data->data.train, o->data->splits.train, Normalization{},
                           {s.random_crop, s.crop_padding, s.horizontal_flip, s.transforms}, s.seed);
  Message m{Json{{"height", r.size}, {"width", r.size}}, {}};
  const auto total = static_cast<std::int64_t>(o->data->splits.train.size());
  for (std::int64_t k = 0; k < std::min(r.count, total); ++k) {
    NW_ASSIGN(const Image p, augmented_pixels(maker, o->data->splits.train, k));
    append_rgba(p, r.size, m.payload);
  }
  return m;
}

Result<Message> Operations::check(const CheckRequest& r, const Work& work) {
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const OpenedData& d = o->data->data;
  const std::vector<CheckedSplit> parts = checked_splits(d, o->data->splits);
  NW_ASSIGN(const DataCheckReport found, find_defects(parts, d.classes.size(), work.progress));
  Json defects = Json::array(), files = Json::array();
  for (std::size_t i = 0; i < std::min(found.defects.size(), most_defects); ++i)
    defects.push_back(to_json(found.defects[i], parts));
  for (std::size_t i = 0; i < std::min(d.skipped_files.size(), most_defects); ++i)
    files.push_back(to_json(d.skipped_files[i]));
  return Message{Json{{"images", found.images},
                      {"unreadable", d.unreadable},
                      {"defects", defects},
                      {"files", files},
                      {"total", found.defects.size()}},
                 {}};
}

/// Samples by set and index, in any split, and also excluded samples.
Result<Message> Operations::images(const ImagesRequest& r, const Work&) {
  NW_TRY(check_thumbnails(r.samples.size(), r.size));
  NW_ASSIGN(const Source* source, source_of(r.source.data, r.source.data_dir, true));
  Message m{Json{{"height", r.size}, {"width", r.size}, {"names", Json::array()}}, {}};
  for (const auto& [index, test_set] : r.samples) {
    const auto& set = test_set ? source->data.test : source->data.train;
    if (!set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), index);
    NW_ASSIGN(const Image pixels, pixels_of(*set, index));
    append_rgba(pixels, r.size, m.payload);
    m.json["names"].push_back(path_to_text(sample_name(test_set, set->origin(index))));
  }
  return m;
}

std::vector<Operation> Operations::data_rows() {
  return {
      operation("opens a data set and describes it", &Operations::open_data,
                {{"description", "one line"},
                 {"place", "file or folder; empty: generated"},
                 {"classes", "names"},
                 {"outputs", "names of what a network learns: classes, labels or numbers"},
                 {"counts", "object: for each split, the samples of each class"},
                 {"facts", "object: channels, height, width, classes, train, validation, test, targets"},
                 {"mean", "of each channel over the training split, 0 to 1"},
                 {"deviation", "of each channel over the training split"},
                 {"other_size", "images that were resized to the first one's size, since the choice sets none"},
                 {"warnings", "list of {source, args}"},
                 {"fell_back", "synthetic data takes the place of data that was not found"}}),
      operation("counts the photos of a folder, without reading them all", &Operations::survey,
                {{"images", "number of photos for training"},
                 {"classes", "number of class folders"},
                 {"height", "usual height in pixels; 0: no photo could be decoded"},
                 {"width", "usual width"}}),
      operation("thumbnails of consecutive samples of a split", &Operations::samples,
                {{"labels", "class of each"},
                 {"origins", "file or position of each"},
                 {"height", "of a thumbnail"},
                 {"width", "of a thumbnail"}},
                "RGBA thumbnails, one after another"),
      operation("training images as augmentation makes them", &Operations::augmented,
                {{"height", "of a thumbnail"}, {"width", "of a thumbnail"}}, "RGBA thumbnails, one after another"),
      operation("looks for defects of a data set; reports progress", &Operations::check,
                {{"images", "how many were examined"},
                 {"unreadable", "how many could not be read"},
                 {"total", "how many defects were found"},
                 {"defects", "the first 2000, as engine/data/checks/data_check_report.hpp writes them"},
                 {"files", "files that were left out, and why"}}),
      operation("thumbnails of samples, whatever split they belong to", &Operations::images,
                {{"names", "\"train: cat/12.jpg\""}, {"height", "of a thumbnail"}, {"width", "of a thumbnail"}},
                "RGBA thumbnails, one after another"),
  };
}

}  // namespace nw::predicting
