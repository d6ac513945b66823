// SPDX-License-Identifier: Apache-2.0
// Operations on the network of a run and on single images.
#include <algorithm>

#include "engine/core/files.hpp"
#include "engine/core/path_text.hpp"
#include "engine/core/resize.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/kept.hpp"
#include "engine/predict/operations.hpp"

namespace nw::predicting {

Result<Message> Operations::open_run(const OpenRunRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  const RunDefinition& d = n->predictor->definition();
  return Message{Json{{"classes", d.classes},
                      {"channels", d.channels},
                      {"height", d.height},
                      {"width", d.width},
                      {"checkpoint", n->checkpoint},
                      {"step", checkpoint_step(n->checkpoint).value_or(0)},
                      {"filters", n->predictor->filter_layers()},
                      {"data", to_json(d.doc.data())}},
                 {}};
}

Result<Message> Operations::thumbnails(const ThumbnailsRequest& r, const Work&) {
  NW_TRY(check_thumbnails(r.samples.size(), r.size));
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const Opened* o, data_of(*n));
  const auto& set = o->data->set_of(r.split);
  Message m{Json{{"height", r.size}, {"width", r.size}, {"names", Json::array()}}, {}};
  for (const std::int64_t i : r.samples) {
    if (!set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i);
    NW_ASSIGN(const Image pixels, pixels_of(*set, i));
    append_rgba(pixels, r.size, m.payload);
    m.json["names"].push_back(path_to_text(sample_name(set != o->data->data.train, set->origin(i))));
  }
  return m;
}

namespace {

Json json_of(const Shape& shape) {
  Json dims = Json::array();
  for (int i = 0; i < shape.rank(); ++i) dims.push_back(shape[i]);
  return dims;
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return {bytes, bytes + values.size() * sizeof(float)};
}

/// RGBA pixels of an image at its own size: the first three of more than three channels; of two channels the second is
/// used twice.
std::vector<std::uint8_t> rgba_of(const Image& image) {
  const Image colour = with_channels(image, 3);
  const auto channels = static_cast<std::size_t>(colour.channels);
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i < colour.hwc.size(); i += channels) {
    for (std::size_t c = 0; c < 3; ++c) out.push_back(colour.hwc[i + std::min(c, channels - 1)]);
    out.push_back(255);
  }
  return out;
}

Result<Message> classes_of(Predictor& p, const Image& image) {
  const RunDefinition& d = p.definition();
  const Resampling how = resampling_named(d.doc.data().resize).value_or(Resampling::antialiased);
  const Image fitted = resized(with_channels(image, d.channels), d.height, d.width, how);
  if (fitted.channels != d.channels)
    return fail(Errc::bad_input, NW_TR("The network reads {0} channels, the image has {1}"), d.channels,
                image.channels);
  NW_ASSIGN(const auto predictions, p.predict(fitted.hwc, 1));
  Message m{Json{{"probability", predictions[0].probability}, {"predicted", predictions[0].predicted}}, {}};
  m.payload = rgba_of(fitted);
  return m;
}

Result<Image> decode_file(const std::string& path, std::int64_t channels) {
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  NW_ASSIGN(const std::string bytes, read_file(path, std::uint64_t{512} << 20));
  NW_ASSIGN(auto image,
            decoder->decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, path, channels, 0, 0));
  return Image(std::move(image));
}

}  // namespace

Result<Message> Operations::sample(const SampleRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const Opened* o, data_of(*n));
  NW_ASSIGN(const Image image, image_of(*n, r.split, r.sample));
  NW_ASSIGN(const LayerPrediction p, n->predictor->predict_with_layer(image.hwc, r.node));
  const auto& set = o->data->set_of(r.split);
  Message m{Json{{"probability", p.prediction.probability},
                 {"predicted", p.prediction.predicted},
                 {"name", path_to_text(sample_name(set != o->data->data.train, set->origin(r.sample)))},
                 {"height", image.height},
                 {"width", image.width}},
            rgba_of(image)};
  if (r.node.empty()) return m;
  m.json["shape"] = json_of(p.shape);
  const std::vector<std::uint8_t> output = bytes_of(p.output);
  m.payload.insert(m.payload.end(), output.begin(), output.end());
  return m;
}

Result<Message> Operations::predict(const PredictRequest& r, const Work& work) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  const Image image{r.height, r.width, r.channels, work.payload};
  if (static_cast<std::int64_t>(image.hwc.size()) != image.height * image.width * image.channels)
    return fail(Errc::bad_input, NW_TR("{0} bytes are not an image of {1}×{2}×{3}"), image.hwc.size(), image.height,
                image.width, image.channels);
  return classes_of(*n->predictor, image);
}

Result<Message> Operations::predict_file(const PredictFileRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const Image image, decode_file(r.path, n->predictor->definition().channels));
  return classes_of(*n->predictor, image);
}

Result<Message> Operations::decode(const DecodeRequest& r, const Work&) {
  NW_ASSIGN(const Image image, decode_file(r.path, 3));
  Message m{Json{{"height", image.height}, {"width", image.width}}, {}};
  append_rgba(image, r.size, m.payload);
  return m;
}

Result<Message> Operations::activation(const ActivationRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const Image image, image_of(*n, r.split, r.sample));
  NW_ASSIGN(const auto values, n->predictor->activation(image.hwc, r.node));
  return Message{Json{{"shape", json_of(values.first)}}, bytes_of(values.second)};
}

Result<Message> Operations::filters(const FiltersRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const auto weights, n->predictor->filters(r.node));
  return Message{Json{{"shape", json_of(weights.first)}}, bytes_of(weights.second)};
}

Result<Message> Operations::explain(const ExplainRequest& r, const Work&) {
  NW_ASSIGN(const Network* n, network_of(r.weights));
  ExplainOptions options;
  NW_ASSIGN(options.method, explain_method(r.method));
  options.target = r.target;
  options.layer = r.layer;
  NW_ASSIGN(const Image image, image_of(*n, r.split, r.sample));
  NW_ASSIGN(const Explanation e, n->predictor->explain(image.hwc, options));
  return Message{
      Json{{"height", e.height}, {"width", e.width}, {"target", e.target}, {"layer", e.layer}, {"score", e.score}},
      bytes_of(e.weight)};
}

std::vector<Operation> Operations::network_rows() {
  const AnswerField shape{"shape", "of the payload's numbers"};
  return {
      operation("opens a run's network", &Operations::open_run,
                {{"classes", "names of classes, labels or numbers"},
                 {"channels", "of the input"},
                 {"height", "of the input"},
                 {"width", "of the input"},
                 {"checkpoint", "name of the checkpoint"},
                 {"step", "of the checkpoint"},
                 {"filters", "dotted names of the layers that have filters, in the order of computation"},
                 {"data", "the data the network was trained on, as in a project file"}}),
      operation("thumbnails of samples of the run's data", &Operations::thumbnails,
                {{"names", "\"test: cat/12.jpg\""}, {"height", "of a thumbnail"}, {"width", "of a thumbnail"}},
                "RGBA thumbnails, one after another"),
      operation("a sample, its prediction and the output of a layer, by one forward pass", &Operations::sample,
                {{"probability", "of each class, of each label; or the numbers"},
                 {"predicted", "index of the largest"},
                 {"name", "\"test: cat/12.jpg\""},
                 {"height", "of the image"},
                 {"width", "of the image"},
                 {"shape", "(channels, height, width) or (units) of the layer's output", Presence::sometimes}},
                "the image as RGBA in its own size; then the layer's output as f32"),
      operation("the prediction of an image in the payload, resized to the network's input", &Operations::predict,
                {{"probability", "as in \"sample\""}, {"predicted", "index of the largest"}},
                "RGBA: the image in the network's input size"),
      operation("the prediction of an image file", &Operations::predict_file,
                {{"probability", "as in \"sample\""}, {"predicted", "index of the largest"}},
                "RGBA: the image in the network's input size"),
      operation("a thumbnail of an image file", &Operations::decode,
                {{"height", "of the image"}, {"width", "of the image"}}, "an RGBA thumbnail"),
      operation("the output of a layer for a sample", &Operations::activation, {shape},
                "f32 (channels, height, width)"),
      operation("the weights of a convolution", &Operations::filters, {shape},
                "f32 (output channels, input channels, height, width)"),
      operation("what in a sample speaks for a class", &Operations::explain,
                {{"height", "of the map"},
                 {"width", "of the map"},
                 {"target", "the class that is explained"},
                 {"layer", "the layer whose feature maps were used"},
                 {"score", "of the class"}},
                "f32 (height, width)"),
  };
}

}  // namespace nw::predicting
