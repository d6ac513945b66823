// SPDX-License-Identifier: Apache-2.0
// What the helper says of a network and a whole split: figures, curves, a report.
#include <array>
#include <chrono>

#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/report.hpp"
#include "engine/predict/requests.hpp"

namespace nw::predicting {
namespace {

// of a curve, of a cloud, in one answer
constexpr std::size_t most_points = 400, most_pairs = 2000, most_numbers = 500000;

constexpr std::array kind_names = {"classes", "labels", "values"};

Error no_probabilities() {
  return fail(
      Errc::bad_input,
      NW_TR("There are too many images and classes to keep every probability; choose a smaller part of the data"));
}

}  // namespace

Result<const Operations::Evaluated*> Operations::evaluated(const Json& r, const std::function<bool(double)>& progress,
                                                           bool anew) {
  NW_ASSIGN(const Network* n, network_of(r));
  Predictor& p = *n->predictor;
  NW_ASSIGN(const Opened* o, data_of(p.definition().doc.data(), p.definition().data_dir, false));
  const std::string split = string_or(r, "split", "test"), key = n->key + "\n" + split;
  evaluated_.remove_if([&](const Evaluated& e) { return e.key == key && (anew || e.data != o->data); });
  NW_ASSIGN(const Evaluated* found, cached(evaluated_, key, [&]() -> Result<Evaluated> {
              p.use_data(o->data);
              p.progress = progress;
              auto e = p.evaluate(split);
              p.progress = nullptr;
              p.use_data(nullptr);
              if (!e) return e.error();
              return Evaluated{key, o->data, std::move(*e)};
            }));
  return found;
}

Result<Message> Operations::evaluate(const Json& r, const std::function<bool(double)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  NW_ASSIGN(const Evaluated* found, evaluated(r, progress, true));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  NW_ASSIGN(const Network* n, network_of(r));
  const Evaluation& e = found->evaluation;
  Message m{Json{{"loss", e.loss},
                 {"accuracy", e.accuracy},
                 {"samples", e.samples},
                 {"classes", e.classes},
                 {"confusion", e.confusion},
                 {"sample", e.sample},
                 {"label", e.label},
                 {"predicted", e.predicted},
                 {"confidence", e.confidence},
                 {"loss_per_sample", e.loss_per_sample},
                 {"seconds", seconds}},
            {}};
  const std::vector<std::string>& outputs = n->predictor->definition().classes;
  if (e.kind != TargetKind::classes) m.json["groups"] = found->data->data.classes;
  if (!e.sets.empty()) m.json["sets"] = e.sets;
  if (e.kind == TargetKind::values && e.targets.size() <= most_numbers) m.json["truth"] = e.targets;
  m.json["kind"] = kind_names[static_cast<std::size_t>(e.kind)];
  if (!e.names.empty()) m.json["names"] = e.names;
  if (e.kind == TargetKind::values)
    m.json["values"] = to_json(values_of(e), outputs);
  else if (!e.probability.empty())
    m.json["metrics"] = to_json(metrics_of(e), outputs);
  return m;
}

/// One class or label against all others; or one number, as it is and as it was said.
Result<Message> Operations::curves(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(const Evaluated* found, evaluated(r, progress));
  const Evaluation& e = found->evaluation;
  NW_ASSIGN(const std::int64_t one, integer_of(r, "class", 0, e.outputs - 1));
  if (e.probability.empty()) return no_probabilities();
  if (e.kind == TargetKind::values) {
    const TrueAndSaid p = pairs_of(e, one, most_pairs);
    return Message{Json{{"class", one}, {"truth", p.truth}, {"said", p.said}}, {}};
  }
  const OneAgainstRest o = one_of(e, one);
  return Message{Json{{"class", one},
                      {"roc", to_json(thinned(roc_curve(o.score, o.positive), most_points))},
                      {"precision_recall", to_json(thinned(precision_recall_curve(o.score, o.positive), most_points))},
                      {"decisions", to_json(decisions_of(o))}},
                 {}};
}

/// A page (HTML) or the table of classes (CSV), as bytes.
Result<Message> Operations::report(const Json& r, const std::function<bool(double)>& progress) {
  NW_ASSIGN(const Evaluated* found, evaluated(r, progress));
  NW_ASSIGN(const Network* n, network_of(r));
  NW_ASSIGN(const std::string run, string_of(r, "run"));
  const RunDefinition& d = n->predictor->definition();
  const Evaluation& e = found->evaluation;
  const std::string split = string_or(r, "split", "test");
  std::string text;
  if (string_or(r, "format", "html") == "csv") {
    if (e.probability.empty()) return no_probabilities();
    text = e.kind == TargetKind::values ? values_csv(values_of(e), d.classes) : metrics_csv(metrics_of(e), d.classes);
  } else {
    NW_ASSIGN(text, html_report({&d, fs::path(run).lexically_normal().filename().string(), n->checkpoint, split,
                                 found->data->data.description, &e, found->data->set_of(split)}));
  }
  return Message{Json::object(), {text.begin(), text.end()}};
}

}  // namespace nw::predicting
