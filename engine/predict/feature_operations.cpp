// SPDX-License-Identifier: Apache-2.0
// Operations on features: nearest neighbors, embedding.
#include <algorithm>

#include "engine/core/path_text.hpp"
#include "engine/predict/kept.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/tsne.hpp"

namespace nw::predicting {
namespace {

constexpr std::int64_t most_searched = 20000;  // more samples take minutes

/// The row of a data-set index in the features; -1 if it has none.
std::int64_t place_of(const Features& f, std::int64_t sample) {
  const auto found = std::find(f.sample.begin(), f.sample.end(), sample);
  return found == f.sample.end() ? -1 : found - f.sample.begin();
}

/// `x`, `y`: of each row of the features.
template <class Numbers>
Message map_of(const Features& f, const Numbers& x, const Numbers& y, Json json) {
  Message m{std::move(json), {}};
  put_array<double>(m, "x", x);
  put_array<double>(m, "y", y);
  put_array<std::int64_t>(m, "sample", f.sample);
  put_array<std::int32_t>(m, "label", f.label);
  return m;
}

}  // namespace

Result<const Operations::Seen*> Operations::seen(const Weights& weights, const std::string& split, std::int64_t most,
                                                 const Progress& progress) {
  NW_ASSIGN(const Network* n, network_of(weights));
  Predictor& p = *n->predictor;
  NW_ASSIGN(const Opened* o, data_of(*n));
  const std::string key = fmt::format("{}\n{}\n{}", n->key, split, most);
  seen_.remove_if([&](const Seen& s) { return s.key == key && s.data != o->data; });
  NW_ASSIGN(const Seen* found, cached(seen_, key, [&]() -> Result<Seen> {
              const Borrowed borrowed(p, o->data, progress);
              auto f = p.features(split, most);
              if (!f) return f.error();
              return Seen{key, o->data, std::move(*f)};
            }));
  return found;
}

Result<Message> Operations::neighbours(const NeighboursRequest& r, const Work& work) {
  NW_ASSIGN(const Seen* s, seen(r.weights, "train", most_searched, work.progress));
  NW_ASSIGN(const Network* n, network_of(r.weights));
  NW_ASSIGN(const Image image, image_of(*n, r.split, r.sample));
  NW_ASSIGN(const std::vector<float> one, n->predictor->features_of(image.hwc));
  const auto& set = s->data->set_of("train");
  const bool own = s->data->set_of(r.split) == set;
  Json list = Json::array();
  for (const Neighbor& near :
       nearest(s->features, one, static_cast<std::size_t>(r.limit), own ? place_of(s->features, r.sample) : -1)) {
    const std::int64_t index = s->features.sample[static_cast<std::size_t>(near.at)];
    list.push_back({{"index", index},
                    {"name", path_to_text(sample_name(false, set->origin(index)))},
                    {"label", s->features.label[static_cast<std::size_t>(near.at)]},
                    {"similarity", near.likeness}});
  }
  return Message{Json{{"searched", s->features.count()}, {"neighbours", list}}, {}};
}

Result<Message> Operations::map(const MapRequest& r, const Work& work) {
  if (r.method == "plane") {
    NW_ASSIGN(const Seen* s, seen(r.weights, r.split, r.limit, work.progress));
    const Plane p = principal_plane(s->features);
    return map_of(s->features, p.x, p.y, Json{{"share", p.share}});
  }
  NW_ASSIGN(const Seen* s, seen(r.weights, r.split, std::min(r.limit, most_embedded),
                                [&](double done) { return work.progress(done / 2); }));
  NW_ASSIGN(const Embedding e, tsne(s->features, {}, [&](double done) { return work.progress((1 + done) / 2); }));
  return map_of(s->features, e.x, e.y, Json{{"share", {0, 0}}, {"divergence", e.divergence}});
}

std::vector<Operation> Operations::feature_rows() {
  return {
      operation("the training images whose features are nearest to those of a sample; reports progress",
                &Operations::neighbours,
                {{"searched", "how many training images were compared"},
                 {"neighbours", "list of {index, name, label, similarity}, the nearest first"}}),
      operation("a plane on which images with similar features lie near each other; reports progress", &Operations::map,
                {{"x", "of each sample", Presence::always, ArrayType::f64},
                 {"y", "of each sample", Presence::always, ArrayType::f64},
                 {"share", "of the variance along x and y; 0 for t-SNE"},
                 {"divergence", "the loss of t-SNE", Presence::sometimes},
                 {"sample", "index of each in its data set", Presence::always, ArrayType::i64},
                 {"label", "class of each", Presence::always, ArrayType::i32}}),
  };
}

}  // namespace nw::predicting
