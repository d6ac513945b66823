// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/operations.hpp"

#include <algorithm>

#include "engine/core/files.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/kept.hpp"

namespace nw::predicting {
namespace {

/// The modification time of a file or of a folder's list of entries; a fixed value if it does not exist.
fs::file_time_type change_of(const std::string& place) {
  std::error_code ignored;
  return place.empty() ? fs::file_time_type{} : fs::last_write_time(place, ignored);
}

}  // namespace

Result<Image> pixels_of(const Dataset& set, std::int64_t i) {
  if (i < 0 || i >= set.size()) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i);
  Image p{set.height(), set.width(), set.channels(), std::vector<std::uint8_t>(static_cast<std::size_t>(set.bytes()))};
  NW_TRY(set.pixels(i, p.hwc));
  return p;
}

Status check_thumbnails(std::size_t count, std::int64_t size) {
  if (count * static_cast<std::size_t>(size * size * 4) <= payload_limit) return {};
  return fail(Errc::bad_input, NW_TR("{0} thumbnails of {1}×{1} pixels are too large for one answer"), count, size);
}

Result<const Operations::Source*> Operations::source_of(const DataChoice& choice, const std::string& data_dir,
                                                        bool allow_synthetic) {
  DataChoice source = choice;  // without the fields that only affect the split
  const DataChoice plain;
  source.validation_fraction = plain.validation_fraction;
  source.test_fraction = plain.test_fraction;
  source.stratified = plain.stratified;
  source.split_seed = plain.split_seed;
  source.group_by = plain.group_by;
  source.split_file = plain.split_file;
  source.normalize = plain.normalize;
  source.excluded.clear();
  const std::string key = canonical(to_json(source)) + "\n" + data_dir + (allow_synthetic ? "\n+" : "\n-");
  sources_.remove_if([&](const Source& s) { return s.changed != change_of(s.data.place); });
  NW_ASSIGN(const Source* found, cached(sources_, key, [&]() -> Result<Source> {
              Source s;
              NW_ASSIGN(s.data, nw::open_data(choice, data_dir, allow_synthetic, &s.fell_back));
              s.changed = change_of(s.data.place);
              return s;
            }));
  return found;
}

Result<const Operations::Opened*> Operations::data_of(const DataChoice& choice, const std::string& data_dir,
                                                      bool allow_synthetic) {
  NW_ASSIGN(const Source* source, source_of(choice, data_dir, allow_synthetic));
  const auto table_changed = change_of(located(choice.split_file).string()).time_since_epoch().count();
  const std::string key = canonical(to_json(choice)) + "\n" + source->key + "\n" + std::to_string(table_changed);
  opened_.remove_if([&](const Opened& o) { return o.key == key && o.data->data.train != source->data.train; });
  NW_ASSIGN(const Opened* opened, cached(opened_, key, [&]() -> Result<Opened> {
              Opened o;
              auto d = std::make_shared<SplitData>();
              d->data = source->data;
              NW_ASSIGN(d->splits, split_data(d->data, choice));
              NW_ASSIGN(o.normalization, normalization_of(choice, *d->data.train, d->splits.train));
              o.data = std::move(d);
              o.fell_back = source->fell_back;
              return o;
            }));
  return opened;
}

Result<const Operations::Opened*> Operations::data_of(const DataSelection& source) {
  return data_of(source.data, source.data_dir, true);
}

Result<Operations::Network*> Operations::network_of(const Weights& weights) {
  const auto& [run, wanted] = weights;
  // "best" and "latest" change while a run trains, so the key is the name of the checkpoint they refer to now.
  std::string name = wanted;
  if (wanted == "best" || wanted == "latest") {
    NW_ASSIGN(const CheckpointName found, wanted == "best" ? best_checkpoint(run) : latest_checkpoint(run));
    name = found.name;
  }
  return cached(networks_, run + "\n" + name, [&]() -> Result<Network> {
    Network n;
    n.checkpoint = name;
    NW_ASSIGN(n.predictor, Predictor::open(run, name));
    return n;
  });
}

Result<const Operations::Opened*> Operations::data_of(const Network& n) {
  const RunDefinition& d = n.predictor->definition();
  return data_of(d.doc.data(), d.data_dir, false);
}

Result<Image> Operations::image_of(const Network& n, const std::string& split, std::int64_t sample) {
  NW_ASSIGN(const Opened* o, data_of(n));
  const auto& set = o->data->set_of(split);
  if (!set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), sample);
  return pixels_of(*set, sample);
}

const std::vector<Operation>& Operations::table() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> rows;
    for (const auto part : {data_rows, explore_rows, network_rows, evaluation_rows, feature_rows, outputs_rows})
      for (Operation& row : part()) rows.push_back(std::move(row));
    return rows;
  }();
  return all;
}

Result<Message> Operations::answer(const Message& request, const Progress& progress) {
  if (!request.json.is_object()) return fail(Errc::bad_input, NW_TR("A request is a JSON object"));
  const auto what = request.json.find("do");
  const std::string name = what != request.json.end() && what->is_string() ? what->get<std::string>() : "";
  const auto& rows = table();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Operation& o) { return name == o.name; });
  if (row == rows.end()) return fail(Errc::usage, NW_TR("The helper process has no operation \"{0}\""), name);
  return row->handler(*this, request, progress);
}

}  // namespace nw::predicting
