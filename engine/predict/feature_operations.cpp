// SPDX-License-Identifier: Apache-2.0
// Images as the network sees them: which lie near each other.
#include <algorithm>

#include "engine/predict/operations.hpp"
#include "engine/predict/requests.hpp"
#include "engine/predict/tsne.hpp"

namespace nw::predicting {
namespace {

constexpr std::int64_t most_searched = 20000, most_drawn = 5000;  // more take minutes, or cannot be told apart

/// Where a data-set index stands among the features; -1: it does not.
std::int64_t place_of(const Features& f, std::int64_t sample) {
  const auto found = std::find(f.sample.begin(), f.sample.end(), sample);
  return found == f.sample.end() ? -1 : found - f.sample.begin();
}

}  // namespace

Result<const Operations::Seen*> Operations::seen(const Json& r, const std::string& split, std::int64_t most,
                                                 const std::function<bool(double)>& progress) {
  NW_ASSIGN(const Network* n, network_of(r));
  Predictor& p = *n->predictor;
  NW_ASSIGN(const Opened* o, data_of(p.definition().doc.data(), p.definition().data_dir, false));
  const std::string key = fmt::format("{}\n{}\n{}", n->key, split, most);
  seen_.remove_if([&](const Seen& s) { return s.key == key && s.data != o->data; });
  NW_ASSIGN(const Seen* found, cached(seen_, key, [&]() -> Result<Seen> {
              p.use_data(o->data);
              p.progress = progress;
              auto f = p.features(split, most);
              p.progress = nullptr;
              p.use_data(nullptr);
              if (!f) return f.error();
              return Seen{key, o->data, std::move(*f)};
            }));
  return found;
}

Result<Message> Operations::neighbours(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(const std::int64_t most, integer_of(r, "most", 1, 1000));
  NW_ASSIGN(const Seen* s, seen(r, "train", most_searched, progress));
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const Pixels image, requested_image(r, *n->predictor));
  NW_ASSIGN(const std::vector<float> one, n->predictor->features_of(image.hwc));
  NW_ASSIGN(const std::int64_t sample, integer_of(r, "sample", 0, std::int64_t{1} << 40));
  const auto& set = s->data->set_of("train");
  const bool own = s->data->set_of(string_or(r, "split", "test")) == set;
  Json list = Json::array();
  for (const Neighbour& near :
       nearest(s->features, one, static_cast<std::size_t>(most), own ? place_of(s->features, sample) : -1)) {
    const std::int64_t index = s->features.sample[static_cast<std::size_t>(near.at)];
    list.push_back({{"index", index},
                    {"name", sample_name(false, set->origin(index))},
                    {"label", s->features.label[static_cast<std::size_t>(near.at)]},
                    {"likeness", near.likeness}});
  }
  return Message{Json{{"searched", s->features.count()}, {"neighbours", list}}, {}};
}

Result<Message> Operations::map(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(const std::int64_t most, integer_of(r, "most", 1, most_drawn));
  const std::string method = string_or(r, "method", "plane"), split = string_or(r, "split", "test");
  if (method == "plane") {
    NW_ASSIGN(const Seen* s, seen(r, split, most, progress));
    const Plane p = principal_plane(s->features);
    return Message{
        Json{{"x", p.x}, {"y", p.y}, {"share", p.share}, {"sample", s->features.sample}, {"label", s->features.label}},
        {}};
  }
  if (method != "tsne") return fail(Errc::bad_input, NW_TR("There is no map \"{0}\""), method);
  NW_ASSIGN(const Seen* s,
            seen(r, split, std::min(most, most_embedded), [&](double done) { return progress(done / 2); }));
  NW_ASSIGN(const Embedding e, tsne(s->features, {}, [&](double done) { return progress((1 + done) / 2); }));
  return Message{Json{{"x", e.x},
                      {"y", e.y},
                      {"share", {0, 0}},
                      {"divergence", e.divergence},
                      {"sample", s->features.sample},
                      {"label", s->features.label}},
                 {}};
}

}  // namespace nw::predicting
