// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batches/batch.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/outputs.hpp"

namespace nw::predicting {
namespace {

/// One training sample, normalized as for training, without augmentation.
Result<std::vector<float>> sample_of(const SplitData& d, const Normalization& normalization, std::int64_t sample) {
  const auto& set = d.set_of("train");
  const auto& indices = d.indices_of("train");
  if (!set || indices.empty()) return fail(Errc::bad_input, NW_TR("The split \"{0}\" has no images"), "train");
  const std::int64_t index = indices[static_cast<std::size_t>(sample) % indices.size()];
  const BatchBuilder maker(set, indices, normalization, {}, 0);
  std::vector<float> image(static_cast<std::size_t>(set->bytes()));
  NW_TRY(maker.fill(std::span(&index, 1), 0, false, image));
  return image;
}

Json json_of(const OutputImage& p) {
  Json shape = Json::array();
  for (int i = 0; i < p.shape.rank(); ++i) shape.push_back(p.shape[i]);
  return {{"name", p.name}, {"shape", shape},           {"min", p.least},  {"mean", p.mean},
          {"max", p.most},  {"deviation", p.deviation}, {"zeros", p.zeros}};
}

}  // namespace

Result<Message> Operations::outputs(const OutputsRequest& r, const Work&) {
  NW_ASSIGN(const GraphDoc doc, ProjectFile::from_json(r.project, "request"));
  OutputRequest request{.run = r.run, .checkpoint = r.checkpoint};
  request.names = r.names;
  NW_ASSIGN(const Opened* o, data_of(doc.data(), "", true));
  request.data = facts_of(o->data->data, o->data->splits, doc.data());
  NW_ASSIGN(const std::vector<float> image, sample_of(*o->data, o->normalization, r.sample));
  request.nhwc = image;
  NW_ASSIGN(const auto pictures, output_images(doc, request));
  Message m{Json{{"side", output_picture_side}, {"layers", Json::array()}}, {}};
  for (const OutputImage& p : pictures) {
    m.json["layers"].push_back(json_of(p));
    m.payload.insert(m.payload.end(), p.grey.begin(), p.grey.end());
  }
  return m;
}

std::vector<Operation> Operations::outputs_rows() {
  return {operation(
      "what layers of a project's network put out for a training image", &Operations::outputs,
      {{"side", "of each picture in pixels"}, {"layers", "list of {name, shape, min, mean, max, deviation, zeros}"}},
      "one grey picture of side × side for each layer")};
}

}  // namespace nw::predicting
