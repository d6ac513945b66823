// SPDX-License-Identifier: Apache-2.0
// What the helper finds wrong with data: defects of the images, labels a network doubts; and the images themselves.
#include "engine/data/checks/gate_report.hpp"
#include "engine/data/dataset.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/requests.hpp"
#include "engine/predict/suspects.hpp"

namespace nw::predicting {
namespace {

constexpr std::size_t most_defects = 2000, most_images = 4096;
constexpr std::int64_t largest_image = 1024;

}  // namespace

Result<Message> Operations::check(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(const Opened* o, data_of_request(r));
  const OpenedData& d = o->data->data;
  const std::vector<GatePart> parts = gate_parts(d, o->data->splits);
  NW_ASSIGN(const GateReport found, look_for_defects(parts, d.classes.size(), progress));
  Json defects = Json::array(), files = Json::array();
  for (std::size_t i = 0; i < std::min(found.defects.size(), most_defects); ++i)
    defects.push_back(to_json(found.defects[i], parts));
  for (std::size_t i = 0; i < std::min(d.odd_files.size(), most_defects); ++i) files.push_back(to_json(d.odd_files[i]));
  return Message{Json{{"images", found.images},
                      {"unreadable", d.unreadable},
                      {"defects", defects},
                      {"files", files},
                      {"total", found.defects.size()}},
                 {}};
}

/// Samples by set and index, whatever part they are in, also excluded ones.
Result<Message> Operations::images(const Json& r) {
  const auto data = r.find("data");
  if (data == r.end()) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "data");
  NW_ASSIGN(const DataChoice choice, data_from_json(*data, "request"));
  NW_ASSIGN(const Source* source, source_of(choice, string_or(r, "data_dir", ""), true));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_image));
  const auto list = r.find("samples");
  if (list == r.end() || !list->is_array() || list->size() > most_images)
    return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "samples");
  Message m{Json{{"height", size}, {"width", size}, {"names", Json::array()}}, {}};
  for (const Json& each : *list) {
    JsonReader reader(each, "request");
    const bool test_set = reader.boolean_or("test_set", false);
    const std::int64_t index = reader.integer("index", 0, std::int64_t{1} << 40);
    NW_TRY(reader.status());
    const auto& set = test_set ? source->data.test : source->data.train;
    if (!set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), index);
    NW_ASSIGN(const Pixels pixels, pixels_of(*set, index));
    append_rgba(pixels, size, m.payload);
    m.json["names"].push_back(sample_name(test_set, set->origin(index)));
  }
  return m;
}

Result<Message> Operations::suspects(const Json& r, const std::function<bool(double)>& progress) {
  Json request = r;
  if (!r.contains("split")) request["split"] = "train";
  NW_ASSIGN(const std::int64_t most, integer_of(r, "most", 1, static_cast<std::int64_t>(most_images)));
  NW_ASSIGN(const Evaluated* found, evaluated(request, progress));
  const std::string split = string_or(request, "split", "train");
  const auto& set = found->data->set_of(split);
  const bool test_set = set != found->data->data.train;
  Json list = Json::array();
  for (const Suspect& s : label_suspects(found->evaluation, static_cast<std::size_t>(most)))
    list.push_back({{"index", s.sample},
                    {"test_set", test_set},
                    {"label", s.label},
                    {"predicted", s.predicted},
                    {"confidence", s.confidence},
                    {"loss", s.loss},
                    {"name", sample_name(test_set, set->origin(s.sample))}});
  return Message{
      Json{{"suspects", list},
           {"images", found->evaluation.samples},
           {"classes", found->evaluation.names.empty() ? found->data->data.classes : found->evaluation.names}},
      {}};
}

}  // namespace nw::predicting
