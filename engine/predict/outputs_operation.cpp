// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batches/batch.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/outputs.hpp"

namespace nw::predicting {
namespace {

/// One training image as training sees it, without augmentation.
Result<std::vector<float>> sample_of(const SplitData& d, const Normalization& normalization, std::int64_t sample) {
  const auto& set = d.set_of("train");
  const auto& indices = d.indices_of("train");
  if (!set || indices.empty()) return fail(Errc::bad_input, NW_TR("The split \"{0}\" has no images"), "train");
  const std::int64_t index = indices[static_cast<std::size_t>(sample) % indices.size()];
  const BatchMaker maker(set, indices, normalization, {}, 0);
  std::vector<float> image(static_cast<std::size_t>(set->bytes()));
  NW_TRY(maker.fill(std::span(&index, 1), 0, false, image));
  return image;
}

Json json_of(const OutputPicture& p) {
  Json shape = Json::array();
  for (int i = 0; i < p.shape.rank(); ++i) shape.push_back(p.shape[i]);
  return {{"name", p.name}, {"shape", shape},           {"min", p.least},  {"mean", p.mean},
          {"max", p.most},  {"deviation", p.deviation}, {"zeros", p.zeros}};
}

}  // namespace

Result<Message> Operations::outputs(const Json& r) {
  JsonReader reader(r, "request");
  const Json* project = reader.child("project", Json::value_t::object);
  const Json* names = reader.child("names", Json::value_t::array);
  const std::int64_t sample = reader.integer_or("sample", 0, 0, std::int64_t{1} << 40);
  OutputRequest request{.run = reader.string_or("run", ""), .checkpoint = reader.string_or("checkpoint", "")};
  NW_TRY(reader.status());
  NW_ASSIGN(const GraphDoc doc, ProjectFile::from_json(*project, "request"));
  for (const Json& name : *names)
    if (name.is_string()) request.names.push_back(name.get<std::string>());
  NW_ASSIGN(const Opened* o, data_of(doc.data(), "", true));
  request.data = facts_of(o->data->data, o->data->splits, doc.data());
  NW_ASSIGN(const std::vector<float> image, sample_of(*o->data, o->normalization, sample));
  request.nhwc = image;
  NW_ASSIGN(const auto pictures, output_pictures(doc, request));
  Message m{Json{{"side", output_picture_side}, {"layers", Json::array()}}, {}};
  for (const OutputPicture& p : pictures) {
    m.json["layers"].push_back(json_of(p));
    m.payload.insert(m.payload.end(), p.grey.begin(), p.grey.end());
  }
  return m;
}

}  // namespace nw::predicting
