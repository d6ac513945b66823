// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/operations.hpp"

#include <algorithm>
#include <numeric>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/split/split.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/requests.hpp"

namespace nw::predicting {
namespace {

constexpr std::int64_t most_thumbnails = 4096, largest_thumbnail = 1024;

/// The k-th of `total` places in an order that visits each once and soon comes around: data that lies class by class
/// shows them all.
std::int64_t scattered(std::int64_t k, std::int64_t total) {
  std::int64_t stride = std::max<std::int64_t>(1, total * 618 / 1000);  // near the golden ratio, the most even of all
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
    if (label < counts.size() && label >= labels.size()) ++counts[label];  // its class; or that it has no label
  }
  return counts;
}

/// When a file, or the list of a folder's entries, was last changed; the same for what is not there.
fs::file_time_type change_of(const std::string& place) {
  std::error_code ignored;
  return place.empty() ? fs::file_time_type{} : fs::last_write_time(place, ignored);
}

Json to_json_array(const std::vector<Text>& list) {
  Json out = Json::array();
  for (const Text& t : list) out.push_back(Json{{"source", t.source}, {"args", t.args}});
  return out;
}

}  // namespace

Result<Pixels> pixels_of(const Dataset& set, std::int64_t i) {
  if (i < 0 || i >= set.size()) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i);
  Pixels p{set.height(), set.width(), set.channels(), std::vector<std::uint8_t>(static_cast<std::size_t>(set.bytes()))};
  NW_TRY(set.pixels(i, p.hwc));
  return p;
}

Result<const Operations::Source*> Operations::source_of(const DataChoice& choice, const std::string& data_dir,
                                                        bool allow_synthetic) {
  DataChoice source = choice;  // without what only splits it
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
              NW_ASSIGN(o.normalization, measure_normalization(*d->data.train, d->splits.train));
              o.data = std::move(d);
              o.fell_back = source->fell_back;
              return o;
            }));
  return opened;
}

Result<const Operations::Opened*> Operations::data_of_request(const Json& r) {
  const auto data = r.find("data");
  if (data == r.end()) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "data");
  NW_ASSIGN(const DataChoice choice, data_from_json(*data, "request"));
  return data_of(choice, string_or(r, "data_dir", ""), true);
}

Result<Operations::Network*> Operations::network_of(const Json& r) {
  NW_ASSIGN(const std::string run, string_of(r, "run"));
  const std::string wanted = string_or(r, "checkpoint", "best");
  // "best" and "latest" move while a run goes on: the name they stand for now is the key.
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

Result<Message> Operations::open_data(const Json& r) {
  NW_ASSIGN(const Opened* o, data_of_request(r));
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
                      {"warnings", to_json_array(d.warnings)},
                      {"fell_back", o->fell_back}},
                 {}};
}

Result<Message> Operations::samples(const Json& r) {
  NW_ASSIGN(const Opened* o, data_of_request(r));
  NW_ASSIGN(const std::int64_t begin, integer_of(r, "begin", 0, std::int64_t{1} << 40));
  NW_ASSIGN(const std::int64_t count, integer_of(r, "count", 0, most_thumbnails));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  const std::string split = string_or(r, "split", "train");
  const Dataset& set = *o->data->set_of(split);
  const std::vector<std::int64_t>& indices = o->data->indices_of(split);
  Message m{Json{{"labels", Json::array()}, {"origins", Json::array()}, {"height", size}, {"width", size}}, {}};
  const auto total = static_cast<std::int64_t>(indices.size());
  for (std::int64_t k = begin; k < std::min(begin + count, total); ++k) {
    const std::int64_t i = indices[static_cast<std::size_t>(scattered(k, total))];
    NW_ASSIGN(const Pixels p, pixels_of(set, i));
    append_rgba(p, size, m.payload);
    m.json["labels"].push_back(set.label(i));
    m.json["origins"].push_back(set.origin(i));
  }
  return m;
}

Result<Message> Operations::augmented(const Json& r) {
  NW_ASSIGN(const Opened* o, data_of_request(r));
  NW_ASSIGN(const std::int64_t count, integer_of(r, "count", 0, 1024));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  if (!r.contains("settings")) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "settings");
  NW_ASSIGN(const TrainSettings s, settings_from_json(r.at("settings"), "request"));
  const Dataset& set = *o->data->data.train;
  // Pixels back from floats: the same code that feeds training, with a normalisation that changes nothing.
  const Normalization none{std::vector<float>(static_cast<std::size_t>(set.channels()), 0.0f),
                           std::vector<float>(static_cast<std::size_t>(set.channels()), 1.0f)};
  const BatchMaker maker(o->data->data.train, o->data->splits.train, none,
                         {s.random_crop, s.crop_padding, s.horizontal_flip, s.transforms}, s.seed);
  std::vector<float> image(static_cast<std::size_t>(set.bytes())), other(image.size());
  Message m{Json{{"height", size}, {"width", size}}, {}};
  const auto total = static_cast<std::int64_t>(o->data->splits.train.size());
  for (std::int64_t k = 0; k < std::min(count, total); ++k) {
    const std::int64_t i = o->data->splits.train[static_cast<std::size_t>(k)];
    NW_TRY(maker.fill(std::span(&i, 1), k, true, image));
    if (const Mix mix = maker.mix(k, k); mix.kind != Mix::Kind::none) {
      const std::int64_t before = o->data->splits.train[static_cast<std::size_t>((k + total - 1) % total)];
      NW_TRY(maker.fill(std::span(&before, 1), k, true, other));
      maker.mix_images(mix, image, other);
    }
    Pixels p{set.height(), set.width(), set.channels(), {}};
    for (const float v : image) p.hwc.push_back(static_cast<std::uint8_t>(std::clamp(v * 255.0f + 0.5f, 0.0f, 255.0f)));
    append_rgba(p, size, m.payload);
  }
  return m;
}

Result<Message> Operations::open_run(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  const RunDefinition& d = n->predictor->definition();
  return Message{Json{{"classes", d.classes},
                      {"channels", d.channels},
                      {"height", d.height},
                      {"width", d.width},
                      {"checkpoint", n->checkpoint},
                      {"step", checkpoint_step(n->checkpoint).value_or(0)},
                      {"data", to_json(d.doc.data())}},
                 {}};
}

Result<Message> Operations::thumbnails(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  const RunDefinition& d = n->predictor->definition();
  NW_ASSIGN(const Opened* o, data_of(d.doc.data(), d.data_dir, false));
  const auto& set = o->data->set_of(string_or(r, "split", "test"));
  const auto list = r.find("samples");
  if (list == r.end() || !list->is_array() || list->size() > static_cast<std::size_t>(most_thumbnails))
    return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "samples");
  Message m{Json{{"height", size}, {"width", size}, {"names", Json::array()}}, {}};
  for (const Json& i : *list) {
    if (!i.is_number_integer() || !set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i.dump());
    NW_ASSIGN(const Pixels pixels, pixels_of(*set, i.get<std::int64_t>()));
    append_rgba(pixels, size, m.payload);
    m.json["names"].push_back(sample_name(set != o->data->data.train, set->origin(i.get<std::int64_t>())));
  }
  return m;
}

namespace {

Result<Message> classes_of(Predictor& p, const Pixels& image) {
  const RunDefinition& d = p.definition();
  const Pixels fitted = resized(with_channels(image, d.channels), d.height, d.width);
  if (fitted.channels != d.channels)
    return fail(Errc::bad_input, NW_TR("The network reads {0} channels, the image has {1}"), d.channels,
                image.channels);
  NW_ASSIGN(const auto predictions, p.predict(fitted.hwc, 1));
  Message m{Json{{"probability", predictions[0].probability}, {"predicted", predictions[0].predicted}}, {}};
  const Pixels colour = with_channels(fitted, 3);
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.height * d.width); ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      m.payload.push_back(colour.hwc[i * static_cast<std::size_t>(colour.channels) +
                                     std::min<std::size_t>(c, static_cast<std::size_t>(colour.channels) - 1)]);
    m.payload.push_back(255);
  }
  return m;
}

Result<Pixels> decode_file(const std::string& path, std::int64_t channels) {
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  NW_ASSIGN(const std::string bytes, read_file(path, std::uint64_t{512} << 20));
  NW_ASSIGN(auto image,
            decoder->decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, path, channels, 0, 0));
  return Pixels{image.height, image.width, image.channels, std::move(image.hwc)};
}

}  // namespace

Result<Message> Operations::predict(const Message& request) {
  NW_ASSIGN(const Network* n, network_of(request.json));
  Pixels image;
  NW_ASSIGN(image.height, integer_of(request.json, "height", 1, 16384));
  NW_ASSIGN(image.width, integer_of(request.json, "width", 1, 16384));
  NW_ASSIGN(image.channels, integer_of(request.json, "channels", 1, 4));
  if (static_cast<std::int64_t>(request.payload.size()) != image.height * image.width * image.channels)
    return fail(Errc::bad_input, NW_TR("{0} bytes are not an image of {1}×{2}×{3}"), request.payload.size(),
                image.height, image.width, image.channels);
  image.hwc = request.payload;
  NW_ASSIGN(Message m, classes_of(*n->predictor, image));
  m.payload.clear();
  return m;
}

Result<Message> Operations::predict_file(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::string path, string_of(r, "path"));
  NW_ASSIGN(const Pixels image, decode_file(path, n->predictor->definition().channels));
  return classes_of(*n->predictor, image);
}

Result<Message> Operations::decode(const Json& r) {
  NW_ASSIGN(const std::string path, string_of(r, "path"));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  NW_ASSIGN(const Pixels image, decode_file(path, 3));
  Message m{Json{{"height", image.height}, {"width", image.width}}, {}};
  append_rgba(image, size, m.payload);
  return m;
}

Result<Pixels> Operations::requested_image(const Json& r, Predictor& p) {
  const RunDefinition& d = p.definition();
  NW_ASSIGN(const Opened* o, data_of(d.doc.data(), d.data_dir, false));
  NW_ASSIGN(const std::int64_t sample, integer_of(r, "sample", 0, std::int64_t{1} << 40));
  const auto& set = o->data->set_of(string_or(r, "split", "test"));
  if (!set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), sample);
  return pixels_of(*set, sample);
}

namespace {
std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return {bytes, bytes + values.size() * sizeof(float)};
}
}  // namespace

Result<Message> Operations::activation(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::string node, string_of(r, "node"));
  NW_ASSIGN(const Pixels image, requested_image(r, *n->predictor));
  NW_ASSIGN(const auto values, n->predictor->activation(image.hwc, node));
  Json shape = Json::array();
  for (int i = 0; i < values.first.rank(); ++i) shape.push_back(values.first[i]);
  return Message{Json{{"shape", shape}}, bytes_of(values.second)};
}

Result<Message> Operations::filters(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::string node, string_of(r, "node"));
  NW_ASSIGN(const auto weights, n->predictor->filters(node));
  Json shape = Json::array();
  for (int i = 0; i < weights.first.rank(); ++i) shape.push_back(weights.first[i]);
  return Message{Json{{"shape", shape}}, bytes_of(weights.second)};
}

Result<Message> Operations::explain(const Json& r) {
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::string method, string_of(r, "method"));
  ExplainQuestion question;
  NW_ASSIGN(question.method, explain_method(method));
  NW_ASSIGN(question.target, integer_of(r, "target", -1, std::int64_t{1} << 40));
  question.layer = string_or(r, "layer", "");
  NW_ASSIGN(const Pixels image, requested_image(r, *n->predictor));
  NW_ASSIGN(const Explanation e, n->predictor->explain(image.hwc, question));
  return Message{
      Json{{"height", e.height}, {"width", e.width}, {"target", e.target}, {"layer", e.layer}, {"score", e.score}},
      bytes_of(e.weight)};
}

Result<Message> Operations::answer(const Message& request, const std::function<bool(double)>& progress) {
  if (!request.json.is_object()) return fail(Errc::bad_input, NW_TR("A request is a JSON object"));
  const Json& r = request.json;
  const std::string what = string_or(r, "do", "");
  if (what == "open_data") return open_data(r);
  if (what == "samples") return samples(r);
  if (what == "augmented") return augmented(r);
  if (what == "open_run") return open_run(r);
  if (what == "evaluate") return evaluate(r, progress);
  if (what == "curves") return curves(r, progress);
  if (what == "report") return report(r, progress);
  if (what == "neighbours") return neighbours(r, progress);
  if (what == "map") return map(r, progress);
  if (what == "check") return check(r, progress);
  if (what == "images") return images(r);
  if (what == "labels") return labels(r);
  if (what == "order_by_name") return order_by_name(r, progress);
  if (what == "tones") return tones(r);
  if (what == "losses") return losses(r);
  if (what == "suspects") return suspects(r, progress);
  if (what == "thumbnails") return thumbnails(r);
  if (what == "predict") return predict(request);
  if (what == "predict_file") return predict_file(r);
  if (what == "decode") return decode(r);
  if (what == "activation") return activation(r);
  if (what == "filters") return filters(r);
  if (what == "outputs") return outputs(r);
  if (what == "explain") return explain(r);
  return fail(Errc::usage, NW_TR("The helper cannot \"{0}\""), what);
}

}  // namespace nw::predicting
