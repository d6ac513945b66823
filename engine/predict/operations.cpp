// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/operations.hpp"

#include <algorithm>
#include <chrono>

#include "engine/design/project_file.hpp"

namespace nw::predicting {
namespace {

constexpr std::size_t kept_open = 2;
constexpr std::int64_t most_thumbnails = 4096, largest_thumbnail = 1024;

Result<std::string> string_of(const Json& j, const char* key) {
  const auto it = j.find(key);
  if (it == j.end() || !it->is_string()) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), key);
  return it->get<std::string>();
}
std::string string_or(const Json& j, const char* key, const char* otherwise) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : otherwise;
}
Result<std::int64_t> integer_of(const Json& j, const char* key, std::int64_t lo, std::int64_t hi) {
  JsonReader reader(j, "request");
  const std::int64_t value = reader.integer(key, lo, hi);
  NW_TRY(reader.status());
  return value;
}

/// The set and the indices a split's name stands for.
struct SplitView {
  std::shared_ptr<const Dataset> set;
  const std::vector<std::int64_t>* indices;
};
SplitView view_of(const OpenedData& d, const Splits& s, const std::string& split) {
  if (split == "test") return {s.test_from_train ? d.train : d.test, &s.test};
  return {d.train, split == "validation" ? &s.validation : &s.train};
}

Result<Pixels> pixels_of(const Dataset& set, std::int64_t i) {
  if (i < 0 || i >= set.size()) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i);
  Pixels p{set.height(), set.width(), set.channels(), std::vector<std::uint8_t>(static_cast<std::size_t>(set.bytes()))};
  NW_TRY(set.pixels(i, p.hwc));
  return p;
}

std::vector<std::int64_t> counts_of(const SplitView& v, std::size_t classes) {
  std::vector<std::int64_t> counts(classes, 0);
  for (const std::int64_t i : *v.indices)
    if (const std::int64_t label = v.set->label(i); label >= 0 && static_cast<std::size_t>(label) < classes) ++counts[static_cast<std::size_t>(label)];
  return counts;
}

template <class T, class Make>
Result<T*> cached(std::list<T>& list, const std::string& key, Make make) {
  for (auto it = list.begin(); it != list.end(); ++it)
    if (it->key == key) { list.splice(list.begin(), list, it); return &list.front(); }
  NW_ASSIGN(T made, make());
  made.key = key;
  list.push_front(std::move(made));
  while (list.size() > kept_open) list.pop_back();
  return &list.front();
}

Json to_json_array(const std::vector<Text>& list) {
  Json out = Json::array();
  for (const Text& t : list) out.push_back(t.str());
  return out;
}

}  // namespace

Result<Operations::Opened*> Operations::data_of(const DataChoice& choice, const std::string& data_dir, bool allow_synthetic) {
  const std::string key = canonical(to_json(choice)) + "\n" + data_dir;
  return cached(data_, key, [&]() -> Result<Opened> {
    Opened o;
    NW_ASSIGN(o.data, nw::open_data(choice, data_dir, allow_synthetic, &o.fell_back));
    NW_ASSIGN(o.splits, split_data(o.data, choice));
    return o;
  });
}

Result<Operations::Opened*> Operations::data_of_request(const Json& r) {
  const auto data = r.find("data");
  if (data == r.end()) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "data");
  NW_ASSIGN(const DataChoice choice, data_from_json(*data, "request"));
  return data_of(choice, string_or(r, "data_dir", ""), true);
}

Result<Predictor*> Operations::network_of(const Json& r) {
  NW_ASSIGN(const std::string run, string_of(r, "run"));
  const std::string wanted = string_or(r, "checkpoint", "best");
  // "best" and "latest" move while a run goes on: the name they stand for now is the key.
  std::string name = wanted;
  if (wanted == "best" || wanted == "latest") {
    NW_ASSIGN(const CheckpointName found, wanted == "best" ? best_checkpoint(run) : latest_checkpoint(run));
    name = found.name;
  }
  NW_ASSIGN(Network * network, cached(networks_, run + "\n" + name, [&]() -> Result<Network> {
    Network n;
    NW_ASSIGN(n.predictor, Predictor::open(run, name));
    return n;
  }));
  return network->predictor.get();
}

Result<Message> Operations::open_data(const Json& r) {
  NW_ASSIGN(Opened * o, data_of_request(r));
  NW_ASSIGN(const DataChoice choice, data_from_json(r.at("data"), "request"));
  NW_ASSIGN(const Normalization norm, measure_normalization(*o->data.train, o->splits.train));
  const DataFacts f = facts_of(o->data, o->splits, choice);
  const std::size_t classes = o->data.classes.size();
  Json counts = Json::object();
  for (const char* split : {"train", "validation", "test"}) counts[split] = counts_of(view_of(o->data, o->splits, split), classes);
  const Json facts{{"channels", f.channels}, {"height", f.height}, {"width", f.width}, {"classes", f.classes}, {"train", f.train}, {"validation", f.validation}, {"test", f.test}};
  return Message{Json{{"description", o->data.description}, {"place", o->data.place}, {"classes", o->data.classes}, {"counts", counts}, {"facts", facts},
                      {"mean", norm.mean}, {"deviation", norm.deviation}, {"warnings", to_json_array(o->data.warnings)}, {"fell_back", o->fell_back}}, {}};
}

Result<Message> Operations::samples(const Json& r) {
  NW_ASSIGN(Opened * o, data_of_request(r));
  NW_ASSIGN(const std::int64_t begin, integer_of(r, "begin", 0, std::int64_t{1} << 40));
  NW_ASSIGN(const std::int64_t count, integer_of(r, "count", 0, most_thumbnails));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  const SplitView view = view_of(o->data, o->splits, string_or(r, "split", "train"));
  Message m{Json{{"labels", Json::array()}, {"origins", Json::array()}, {"height", size}, {"width", size}}, {}};
  const auto total = static_cast<std::int64_t>(view.indices->size());
  for (std::int64_t k = begin; k < std::min(begin + count, total); ++k) {
    const std::int64_t i = (*view.indices)[static_cast<std::size_t>(k)];
    NW_ASSIGN(const Pixels p, pixels_of(*view.set, i));
    append_rgba(p, size, m.payload);
    m.json["labels"].push_back(view.set->label(i));
    m.json["origins"].push_back(view.set->origin(i));
  }
  return m;
}

Result<Message> Operations::augmented(const Json& r) {
  NW_ASSIGN(Opened * o, data_of_request(r));
  NW_ASSIGN(const std::int64_t count, integer_of(r, "count", 0, 1024));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  if (!r.contains("settings")) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "settings");
  NW_ASSIGN(const TrainSettings s, settings_from_json(r.at("settings"), "request"));
  const Dataset& set = *o->data.train;
  // Pixels back from floats: the same code that feeds training, with a normalisation that changes nothing.
  const Normalization none{std::vector<float>(static_cast<std::size_t>(set.channels()), 0.0f), std::vector<float>(static_cast<std::size_t>(set.channels()), 1.0f)};
  const BatchMaker maker(o->data.train, o->splits.train, none, {s.random_crop, s.crop_padding, s.horizontal_flip}, s.seed);
  std::vector<float> image(static_cast<std::size_t>(set.bytes()));
  Message m{Json{{"height", size}, {"width", size}}, {}};
  const auto total = static_cast<std::int64_t>(o->splits.train.size());
  for (std::int64_t k = 0; k < std::min(count, total); ++k) {
    const std::int64_t i = o->splits.train[static_cast<std::size_t>(k)];
    NW_TRY(maker.fill(std::span(&i, 1), k, true, image));
    Pixels p{set.height(), set.width(), set.channels(), {}};
    for (const float v : image) p.hwc.push_back(static_cast<std::uint8_t>(std::clamp(v * 255.0f + 0.5f, 0.0f, 255.0f)));
    append_rgba(p, size, m.payload);
  }
  return m;
}

Result<Message> Operations::open_run(const Json& r) {
  NW_ASSIGN(Predictor * p, network_of(r));
  const RunDefinition& d = p->definition();
  const std::string wanted = string_or(r, "checkpoint", "best");
  std::string name = wanted;
  if (wanted == "best" || wanted == "latest") {
    NW_ASSIGN(const CheckpointName found, wanted == "best" ? best_checkpoint(r.at("run").get<std::string>()) : latest_checkpoint(r.at("run").get<std::string>()));
    name = found.name;
  }
  return Message{Json{{"classes", d.classes}, {"channels", d.channels}, {"height", d.height}, {"width", d.width}, {"checkpoint", name}}, {}};
}

Result<Message> Operations::evaluate(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(Predictor * p, network_of(r));
  const auto begin = std::chrono::steady_clock::now();
  p->progress = progress;
  auto e = p->evaluate(string_or(r, "split", "test"));
  p->progress = nullptr;
  if (!e) return e.error();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return Message{Json{{"loss", e->loss}, {"accuracy", e->accuracy}, {"samples", e->samples}, {"classes", e->classes}, {"confusion", e->confusion},
                      {"sample", e->sample}, {"label", e->label}, {"predicted", e->predicted}, {"confidence", e->confidence},
                      {"loss_per_sample", e->loss_per_sample}, {"seconds", seconds}}, {}};
}

Result<Message> Operations::thumbnails(const Json& r) {
  NW_ASSIGN(Predictor * p, network_of(r));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  const RunDefinition& d = p->definition();
  NW_ASSIGN(Opened * o, data_of(d.doc.data(), d.data_dir, false));
  const SplitView view = view_of(o->data, o->splits, string_or(r, "split", "test"));
  const auto list = r.find("samples");
  if (list == r.end() || !list->is_array() || list->size() > static_cast<std::size_t>(most_thumbnails)) return fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), "samples");
  Message m{Json{{"height", size}, {"width", size}}, {}};
  for (const Json& i : *list) {
    if (!i.is_number_integer() || !view.set) return fail(Errc::bad_input, NW_TR("There is no image {0}"), i.dump());
    NW_ASSIGN(const Pixels pixels, pixels_of(*view.set, i.get<std::int64_t>()));
    append_rgba(pixels, size, m.payload);
  }
  return m;
}

namespace {

Result<Message> classes_of(Predictor& p, const Pixels& image) {
  const RunDefinition& d = p.definition();
  const Pixels fitted = resized(with_channels(image, d.channels), d.height, d.width);
  if (fitted.channels != d.channels) return fail(Errc::bad_input, NW_TR("The network reads {0} channels, the image has {1}"), d.channels, image.channels);
  NW_ASSIGN(const auto predictions, p.predict(fitted.hwc, 1));
  Message m{Json{{"probability", predictions[0].probability}, {"predicted", predictions[0].predicted}}, {}};
  const Pixels colour = with_channels(fitted, 3);
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.height * d.width); ++i) {
    for (std::size_t c = 0; c < 3; ++c) m.payload.push_back(colour.hwc[i * static_cast<std::size_t>(colour.channels) + std::min<std::size_t>(c, static_cast<std::size_t>(colour.channels) - 1)]);
    m.payload.push_back(255);
  }
  return m;
}

Result<Pixels> decode_file(const std::string& path, std::int64_t channels) {
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  NW_ASSIGN(const std::string bytes, read_file(path, std::uint64_t{512} << 20));
  NW_ASSIGN(auto image, decoder->decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, path, channels, 0, 0));
  return Pixels{image.height, image.width, image.channels, std::move(image.hwc)};
}

}  // namespace

Result<Message> Operations::predict(const Message& request) {
  NW_ASSIGN(Predictor * p, network_of(request.json));
  Pixels image;
  NW_ASSIGN(image.height, integer_of(request.json, "height", 1, 16384));
  NW_ASSIGN(image.width, integer_of(request.json, "width", 1, 16384));
  NW_ASSIGN(image.channels, integer_of(request.json, "channels", 1, 4));
  if (static_cast<std::int64_t>(request.payload.size()) != image.height * image.width * image.channels)
    return fail(Errc::bad_input, NW_TR("{0} bytes are not an image of {1}×{2}×{3}"), request.payload.size(), image.height, image.width, image.channels);
  image.hwc = request.payload;
  NW_ASSIGN(Message m, classes_of(*p, image));
  m.payload.clear();
  return m;
}

Result<Message> Operations::predict_file(const Json& r) {
  NW_ASSIGN(Predictor * p, network_of(r));
  NW_ASSIGN(const std::string path, string_of(r, "path"));
  NW_ASSIGN(const Pixels image, decode_file(path, p->definition().channels));
  return classes_of(*p, image);
}

Result<Message> Operations::decode(const Json& r) {
  NW_ASSIGN(const std::string path, string_of(r, "path"));
  NW_ASSIGN(const std::int64_t size, integer_of(r, "size", 1, largest_thumbnail));
  NW_ASSIGN(const Pixels image, decode_file(path, 3));
  Message m{Json{{"height", image.height}, {"width", image.width}}, {}};
  append_rgba(image, size, m.payload);
  return m;
}

Result<Message> Operations::activation(const Json& r) {
  NW_ASSIGN(Predictor * p, network_of(r));
  const RunDefinition& d = p->definition();
  NW_ASSIGN(Opened * o, data_of(d.doc.data(), d.data_dir, false));
  NW_ASSIGN(const std::int64_t sample, integer_of(r, "sample", 0, std::int64_t{1} << 40));
  NW_ASSIGN(const std::string node, string_of(r, "node"));
  const SplitView view = view_of(o->data, o->splits, string_or(r, "split", "test"));
  NW_ASSIGN(const Pixels image, pixels_of(*view.set, sample));
  NW_ASSIGN(const auto values, p->activation(image.hwc, node));
  Json shape = Json::array();
  for (int i = 0; i < values.first.rank(); ++i) shape.push_back(values.first[i]);
  Message m{Json{{"shape", shape}}, {}};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.second.data());
  m.payload.assign(bytes, bytes + values.second.size() * sizeof(float));
  return m;
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
  if (what == "thumbnails") return thumbnails(r);
  if (what == "predict") return predict(request);
  if (what == "predict_file") return predict_file(r);
  if (what == "decode") return decode(r);
  if (what == "activation") return activation(r);
  return fail(Errc::usage, NW_TR("The helper cannot \"{0}\""), what);
}

}  // namespace nw::predicting
