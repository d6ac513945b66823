// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/run_requests.hpp"

namespace nw::protocol {
namespace {

constexpr FieldName sample_name_{"sample", "index of the sample in its data set"};

void sample_fields(Fields& f, Weights& weights, std::string& split, std::int64_t& sample) {
  weights.fields(f);
  split_field(f, split);
  f.integer(sample_name_, sample, 0, largest_index);
}

}  // namespace

void Weights::fields(Fields& f) {
  f.text({"run", "folder of the run"}, run);
  f.text({"checkpoint", "name of the checkpoint, \"best\" or \"latest\"", Need::optional}, checkpoint);
}
void EvaluateRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
}
void CurvesRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
  f.integer({"class", "the class, label or number"}, output, 0, largest_index);
}
void ReportRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
  f.choice({"format", "a page, or a table of the classes", Need::optional}, format, {"html", "csv"});
}
void NeighboursRequest::fields(Fields& f) {
  sample_fields(f, weights, split, sample);
  f.integer({"limit", "how many neighbours"}, limit, 1, 1000);
}
void MapRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
  f.integer({"limit", "how many samples, spread evenly over the split"}, limit, 1, 5000);
  f.choice({"method", "principal components, or t-SNE", Need::optional}, method, {"plane", "tsne"});
}
void SuspectsRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
  f.integer({"limit", "how many"}, limit, 1, 4096);
}
void ThumbnailsRequest::fields(Fields& f) {
  weights.fields(f);
  split_field(f, split);
  f.integers({"samples", "indices of the samples in their data set"}, samples, most_thumbnails);
  f.integer({"size", "side of each thumbnail in pixels"}, size, 1, largest_thumbnail);
}
void SampleRequest::fields(Fields& f) {
  sample_fields(f, weights, split, sample);
  f.text({"node", "dotted name of the layer whose output is wanted; empty: none", Need::optional}, node);
}
void PredictRequest::fields(Fields& f) {
  weights.fields(f);
  f.integer({"height", "of the image in the payload"}, height, 1, 16384);
  f.integer({"width", "of the image in the payload"}, width, 1, 16384);
  f.integer({"channels", "of the image in the payload"}, channels, 1, 4);
}
void PredictFileRequest::fields(Fields& f) {
  weights.fields(f);
  f.text({"path", "an image file"}, path);
}
void ActivationRequest::fields(Fields& f) {
  sample_fields(f, weights, split, sample);
  f.text({"node", "dotted name of the layer"}, node);
}
void FiltersRequest::fields(Fields& f) {
  weights.fields(f);
  f.text({"node", "dotted name of a convolution"}, node);
}
void ExplainRequest::fields(Fields& f) {
  sample_fields(f, weights, split, sample);
  f.text({"method", "name of the method, as `netwright-cli predict --explain` takes it"}, method);
  f.integer({"target", "the class; -1: the predicted one"}, target, -1, largest_index);
  f.text({"layer", "dotted name of the layer; empty: the last one with feature maps", Need::optional}, layer);
}

}  // namespace nw::protocol
