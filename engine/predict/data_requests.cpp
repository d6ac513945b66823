// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/data_requests.hpp"

namespace nw::protocol {
namespace {
constexpr FieldName size_name{"size", "side of each thumbnail in pixels"};
}

void split_field(Fields& f, std::string& split, Need need) {
  f.choice({"split", "part of the data set", need}, split, {"train", "validation", "test"});
}

void DataSelection::fields(Fields& f) {
  f.data({"data", "the data set and how it is split"}, data);
  f.text({"data_dir", "folder that holds the built-in data sets; empty: the default", Need::optional}, data_dir);
}
void SurveyRequest::fields(Fields& f) { f.text({"path", "a folder with one folder of photos for each class"}, path); }
void SamplesRequest::fields(Fields& f) {
  source.fields(f);
  split_field(f, split);
  f.integer({"begin", "position of the first sample, in an order that mixes the classes"}, begin, 0, largest_index);
  f.integer({"count", "how many; fewer come at the end of the split"}, count, 0,
            static_cast<std::int64_t>(most_thumbnails));
  f.integer(size_name, size, 1, largest_thumbnail);
}
void AugmentedRequest::fields(Fields& f) {
  source.fields(f);
  f.settings({"settings", "training settings, of which augmentation is used"}, settings);
  f.integer({"count", "how many training images"}, count, 0, 1024);
  f.integer(size_name, size, 1, largest_thumbnail);
}
void ImagesRequest::fields(Fields& f) {
  source.fields(f);
  f.samples({"samples", "which samples, excluded ones too"}, samples, most_thumbnails);
  f.integer(size_name, size, 1, largest_thumbnail);
}
void LabelsRequest::fields(Fields& f) {
  source.fields(f);
  split_field(f, split);
}
void OrderByNameRequest::fields(Fields& f) {
  source.fields(f);
  split_field(f, split);
}
void TonesRequest::fields(Fields& f) {
  source.fields(f);
  split_field(f, split);
  f.integer({"begin", "position in \"labels\" of the first sample"}, begin, 0, largest_index);
}
void LossesRequest::fields(Fields& f) {
  source.fields(f);
  split_field(f, split);
}
void OutputsRequest::fields(Fields& f) {
  f.project({"project", "the network, its data and its settings"}, project);
  f.texts({"names", "dotted names of layers"}, names, 65536);
  f.integer({"sample", "position in the training split, modulo its length", Need::optional}, sample, 0, largest_index);
  f.text({"run", "folder of the run whose weights are used; empty: initial weights", Need::optional}, run);
  f.text({"checkpoint", "name of the checkpoint, \"best\" or \"latest\"", Need::optional}, checkpoint);
}
void DecodeRequest::fields(Fields& f) {
  f.text({"path", "an image file"}, path);
  f.integer(size_name, size, 1, largest_thumbnail);
}

}  // namespace nw::protocol
