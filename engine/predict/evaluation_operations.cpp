// SPDX-License-Identifier: Apache-2.0
// Operations on a network and a whole split: metrics, curves, a report.
#include <chrono>

#include "engine/core/path_text.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/kept.hpp"
#include "engine/predict/label_issues.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/report.hpp"
#include "engine/runs/epochs.hpp"

namespace nw::predicting {
namespace {

// The most points of a curve and the most pairs of a scatter plot.
constexpr std::size_t most_points = 400, most_pairs = 2000;

Error no_probabilities() {
  return fail(
      Errc::bad_input,
      NW_TR("There are too many images and classes to keep every probability; choose a smaller part of the data"));
}

/// What an evaluation has of each sample and of each pair of classes.
void put_arrays(Message& m, const Evaluation& e) {
  put_array<std::int32_t>(m, "confusion", e.confusion);
  put_array<std::int64_t>(m, "sample", e.sample);
  put_array<std::int32_t>(m, "label", e.label);
  put_array<std::int32_t>(m, "predicted", e.predicted);
  put_array<float>(m, "confidence", e.confidence);
  put_array<float>(m, "loss_per_sample", e.loss_per_sample);
  if (e.kind == TargetKind::values) put_array<float>(m, "targets", e.targets);
}

}  // namespace

Result<const Operations::CachedEvaluation*> Operations::evaluated(const Weights& weights, const std::string& split,
                                                                  const Progress& progress, bool anew) {
  NW_ASSIGN(const Network* n, network_of(weights));
  Predictor& p = *n->predictor;
  NW_ASSIGN(const Opened* o, data_of(*n));
  const std::string key = n->key + "\n" + split;
  evaluated_.remove_if([&](const CachedEvaluation& e) { return e.key == key && (anew || e.data != o->data); });
  NW_ASSIGN(const CachedEvaluation* found, cached(evaluated_, key, [&]() -> Result<CachedEvaluation> {
              const Borrowed borrowed(p, o->data, progress);
              auto e = p.evaluate(split);
              if (!e) return e.error();
              return CachedEvaluation{key, o->data, std::move(*e)};
            }));
  return found;
}

Result<Message> Operations::evaluate(const EvaluateRequest& r, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  NW_ASSIGN(const CachedEvaluation* found, evaluated(r.weights, r.split, work.progress, true));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  NW_ASSIGN(const Network* n, network_of(r.weights));
  const Evaluation& e = found->evaluation;
  Message m{Json{{"loss", e.loss},
                 {"cross_entropy", e.cross_entropy},
                 {"label_smoothing", n->predictor->label_smoothing()},
                 {"not_finite", e.not_finite},
                 {"accuracy", e.accuracy},
                 {"samples", e.samples},
                 {"classes", e.classes},
                 {"seconds", seconds}},
            {}};
  put_arrays(m, e);
  const std::vector<std::string>& outputs = n->predictor->definition().classes;
  if (e.kind != TargetKind::classes) m.json["groups"] = found->data->data.classes;
  if (!e.sets.empty()) m.json["sets"] = e.sets;
  m.json["kind"] = name_of(e.kind);
  if (!e.names.empty()) m.json["names"] = e.names;
  if (e.kind == TargetKind::values)
    m.json["values"] = to_json(values_of(e), outputs);
  else if (!e.probability.empty())
    m.json["metrics"] = to_json(metrics_of(e), outputs);
  return m;
}

/// The curves of one class or label against all others; for regression the pairs of target and prediction.
Result<Message> Operations::curves(const CurvesRequest& r, const Work& work) {
  NW_ASSIGN(const CachedEvaluation* found, evaluated(r.weights, r.split, work.progress));
  const Evaluation& e = found->evaluation;
  const std::int64_t one = r.output;
  if (one >= e.outputs) return fail(Errc::bad_input, NW_TR("The network has no output {0}"), one);
  if (e.probability.empty()) return no_probabilities();
  if (e.kind == TargetKind::values) {
    const TargetsAndPredictions p = pairs_of(e, one, most_pairs);
    return Message{Json{{"class", one}, {"targets", p.truth}, {"predictions", p.predictions}}, {}};
  }
  const OneVsRest o = one_of(e, one);
  return Message{Json{{"class", one},
                      {"roc", to_json(thinned(roc_curve(o.score, o.positive), most_points))},
                      {"precision_recall", to_json(thinned(precision_recall_curve(o.score, o.positive), most_points))},
                      {"decisions", to_json(decisions_of(o))}},
                 {}};
}

/// The report as an HTML page, or the table of classes as CSV, as bytes.
Result<Message> Operations::report(const ReportRequest& r, const Work& work) {
  NW_ASSIGN(const CachedEvaluation* found, evaluated(r.weights, r.split, work.progress));
  NW_ASSIGN(const Network* n, network_of(r.weights));
  const RunDefinition& d = n->predictor->definition();
  const Evaluation& e = found->evaluation;
  std::string text;
  if (r.format == "csv") {
    if (e.probability.empty()) return no_probabilities();
    text = e.kind == TargetKind::values ? values_csv(values_of(e), d.classes) : metrics_csv(metrics_of(e), d.classes);
  } else {
    NW_ASSIGN(text, html_report({&d, fs::path(r.weights.run).lexically_normal().filename().string(), n->checkpoint,
                                 r.split, found->data->data.description, &e, found->data->set_of(r.split),
                                 recorded_epochs(r.weights.run)}));
  }
  return Message{Json::object(), {text.begin(), text.end()}};
}

Result<Message> Operations::suspects(const SuspectsRequest& r, const Work& work) {
  NW_ASSIGN(const CachedEvaluation* found, evaluated(r.weights, r.split, work.progress));
  const auto& set = found->data->set_of(r.split);
  const bool test_set = set != found->data->data.train;
  Json list = Json::array();
  for (const LabelIssue& s : find_label_issues(found->evaluation, static_cast<std::size_t>(r.limit)))
    list.push_back({{"index", s.sample},
                    {"test_set", test_set},
                    {"label", s.label},
                    {"predicted", s.predicted},
                    {"confidence", s.confidence},
                    {"loss", s.loss},
                    {"name", path_to_text(sample_name(test_set, set->origin(s.sample)))}});
  return Message{
      Json{{"label_issues", list},
           {"images", found->evaluation.samples},
           {"classes", found->evaluation.names.empty() ? found->data->data.classes : found->evaluation.names}},
      {}};
}

std::vector<Operation> Operations::evaluation_rows() {
  return {
      operation("predictions of every sample of a split, anew; reports progress", &Operations::evaluate,
                {{"kind", "\"classes\", \"labels\" or \"values\""},
                 {"loss", "mean over the split, as in training but without penalties; null if it is not finite"},
                 {"cross_entropy", "the loss without label smoothing, weights and focus"},
                 {"label_smoothing", "of the loss"},
                 {"not_finite", "samples for which the network computes numbers that are not finite"},
                 {"accuracy", "share of right predictions; of values R², null if all have the same"},
                 {"samples", "how many"},
                 {"classes", "how many"},
                 {"confusion", "(classes, classes) counts, row = true class", Presence::always, ArrayType::i32},
                 {"sample", "index of each in its data set", Presence::always, ArrayType::i64},
                 {"label", "true class of each", Presence::always, ArrayType::i32},
                 {"predicted", "class of each", Presence::always, ArrayType::i32},
                 {"confidence", "probability of the predicted class of each", Presence::always, ArrayType::f32},
                 {"loss_per_sample", "of each", Presence::always, ArrayType::f32},
                 {"seconds", "the evaluation took"},
                 {"groups", "names of the data's classes, where labels or values are learned", Presence::sometimes},
                 {"sets", "labels of each class, where labels are learned", Presence::sometimes},
                 {"targets", "(samples, numbers), where values are learned", Presence::sometimes, ArrayType::f32},
                 {"names", "of classes that stand for sets of labels or ranges of values", Presence::sometimes},
                 {"values", "figures of each number, where values are learned", Presence::sometimes},
                 {"metrics", "figures of each class, averages, top-k, calibration", Presence::sometimes}}),
      operation("one class against all others, or one number against its truth", &Operations::curves,
                {{"class", "as asked"},
                 {"roc", "{x, y, threshold}", Presence::sometimes},
                 {"precision_recall", "{x, y, threshold}", Presence::sometimes},
                 {"decisions", "counts by threshold", Presence::sometimes},
                 {"targets", "of a number", Presence::sometimes},
                 {"predictions", "of a number", Presence::sometimes}}),
      operation("a report of an evaluation as a file", &Operations::report, {}, "the file's bytes"),
      operation("training images whose label the network doubts; reports progress", &Operations::suspects,
                {{"images", "how many were evaluated"},
                 {"classes", "names"},
                 {"label_issues", "list of {index, test_set, name, label, predicted, confidence, loss}"}}),
  };
}

}  // namespace nw::predicting
