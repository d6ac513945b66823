// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/data/batches/inputs.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/split/split.hpp"
#include "engine/predict/explainer.hpp"
#include "engine/predict/forward.hpp"
#include "engine/predict/target_evaluation.hpp"
#include "engine/predict/timing.hpp"

namespace nw {
namespace {

using predicting::Forward;

constexpr std::int64_t most_probabilities = (std::int64_t{256} << 20) / 4;

class RunPredictor final : public Predictor {
 public:
  RunPredictor(RunDefinition d, Forward f)
      : definition_(std::move(d)),
        scales_(pixel_scales({definition_.mean, definition_.deviation}, definition_.channels)),
        forward_(std::move(f)) {}
  const RunDefinition& definition() const override { return definition_; }
  std::int64_t classes() const override {
    return kind() != TargetKind::classes
               ? forward_.compiled.classes
               : std::max<std::int64_t>(forward_.compiled.classes, forward_.compiled.classes == 1 ? 2 : 0);
  }

  double label_smoothing() const override { return forward_.compiled.label_smoothing; }

  Result<std::vector<Prediction>> predict(std::span<const std::uint8_t> hwc, std::int64_t count) override {
    const std::int64_t each = image_elements();
    if (static_cast<std::int64_t>(hwc.size()) != each * count)
      return fail(Errc::bad_input, NW_TR("{0} bytes are not {1} images of {2}×{3}×{4}"), hwc.size(), count,
                  definition_.height, definition_.width, definition_.channels);
    std::vector<Prediction> all;
    std::vector<float> scores;
    for (std::int64_t at = 0; at < count; at += predicting::batch_images) {
      const std::int64_t n = std::min(predicting::batch_images, count - at);
      const auto some = hwc.subspan(static_cast<std::size_t>(at * each), static_cast<std::size_t>(n * each));
      NW_TRY(forward_.run(inputs_of(some), n, scores));
      for (std::int64_t i = 0; i < n; ++i) all.push_back(prediction_of(row(scores, i, n)));
    }
    return all;
  }

  void use_data(std::shared_ptr<const SplitData> data) override { data_ = std::move(data); }
  Result<std::shared_ptr<const SplitData>> data() override {
    if (!data_) { NW_ASSIGN(data_, open_run_data()); }
    return data_;
  }

  Result<Evaluation> evaluate(const std::string& split) override {
    if (split != "train" && split != "validation" && split != "test")
      return fail(Errc::usage, NW_TR("There is no split \"{0}\": train, validation or test"), split);
    NW_ASSIGN(const auto opened, data());
    const auto& set = opened->set_of(split);
    const auto& indices = opened->indices_of(split);
    if (!set || indices.empty()) return fail(Errc::bad_input, NW_TR("The split \"{0}\" has no images"), split);
    if (set->height() != definition_.height || set->width() != definition_.width ||
        set->channels() != definition_.channels)
      return fail(Errc::bad_input, NW_TR("The data of this run has changed: its images are {0}×{1}×{2} now"),
                  set->height(), set->width(), set->channels());
    const BatchBuilder maker(set, indices, {definition_.mean, definition_.deviation}, {}, 0);
    return kind() == TargetKind::classes ? evaluate_on(maker, indices) : evaluate_targets(maker, indices);
  }

  Result<std::pair<Shape, std::vector<float>>> activation(std::span<const std::uint8_t> hwc,
                                                          const std::string& node) override {
    NW_ASSIGN(LayerPrediction p, run_with_layer(hwc, node));
    return std::pair{p.shape, std::move(p.output)};
  }

  Result<LayerPrediction> predict_with_layer(std::span<const std::uint8_t> hwc, const std::string& node) override {
    if (!node.empty()) return run_with_layer(hwc, node);
    NW_ASSIGN(const std::vector<Prediction> one, predict(hwc, 1));
    return LayerPrediction{one.front(), {}, {}};
  }

  std::vector<std::string> filter_layers() const override {
    constexpr std::string_view ending = ".weight";
    const Plan& plan = forward_.compiled.plan;
    std::vector<std::string> names;
    for (const Step& step : plan.steps)
      for (const int v : step.inputs) {
        if (v < 0 || !is_filter(plan.values[static_cast<std::size_t>(v)])) continue;
        const std::string& name = plan.values[static_cast<std::size_t>(v)].name;
        const std::string layer = name.substr(0, name.size() - ending.size());
        if (name.ends_with(ending) && std::find(names.begin(), names.end(), layer) == names.end())
          names.push_back(layer);
      }
    return names;
  }

  Result<std::pair<Shape, std::vector<float>>> filters(const std::string& node) override {
    const Plan& plan = forward_.compiled.plan;
    const int v = plan.find(node + ".weight");
    if (v < 0 || !is_filter(plan.values[static_cast<std::size_t>(v)]))
      return fail(Errc::usage, NW_TR("{0} has no filters; choose a convolution"), node);
    const Shape& shape = plan.values[static_cast<std::size_t>(v)].shape;
    std::vector<float> all(static_cast<std::size_t>(shape.elements()));
    forward_.executable->read(v, std::as_writable_bytes(std::span(all)));
    return std::pair{shape, std::move(all)};
  }

  Result<std::vector<float>> features_of(std::span<const std::uint8_t> hwc) override {
    if (static_cast<std::int64_t>(hwc.size()) != image_elements())
      return fail(Errc::bad_input, NW_TR("The image has the wrong size"));
    NW_TRY(show_layers());
    std::vector<float> scores;
    NW_TRY(layers_->run(inputs_of(hwc), 1, scores));
    return finite_features(1);
  }

  Result<Features> features(const std::string& split, std::int64_t most) override {
    NW_ASSIGN(const auto opened, data());
    const auto& set = opened->set_of(split);
    const std::vector<std::int64_t> indices = spread(opened->indices_of(split), most);
    if (!set || indices.empty()) return fail(Errc::bad_input, NW_TR("The split \"{0}\" has no images"), split);
    NW_TRY(show_layers());
    const BatchBuilder maker(set, indices, {definition_.mean, definition_.deviation}, {}, 0);
    Features f;
    std::vector<float> scores;
    const auto total = static_cast<std::int64_t>(indices.size());
    for (std::int64_t at = 0; at < total; at += predicting::batch_images) {
      const std::int64_t n = std::min(predicting::batch_images, total - at);
      const std::span samples(indices.data() + at, static_cast<std::size_t>(n));
      NW_TRY(layers_->run(maker, samples, scores));
      NW_ASSIGN(const std::vector<float> rows, finite_features(n));
      f.width = static_cast<std::int64_t>(rows.size()) / n;
      f.rows.insert(f.rows.end(), rows.begin(), rows.end());
      for (const std::int64_t i : samples) {
        f.sample.push_back(i);
        f.label.push_back(maker.label(i));
      }
      if (static_cast<std::int64_t>(f.rows.size()) > most_probabilities)
        return fail(Errc::out_of_memory,
                    NW_TR("The features of these images need too much memory; choose fewer images"));
      if (progress && !progress(static_cast<double>(at + n) / static_cast<double>(total)))
        return fail(Errc::stopped, NW_TR("cancelled"));
    }
    return f;
  }

  Result<Explanation> explain(std::span<const std::uint8_t> hwc, const ExplainOptions& question) override {
    if (static_cast<std::int64_t>(hwc.size()) != image_elements())
      return fail(Errc::bad_input, NW_TR("The image has the wrong size"));
    if (!explainer_) { NW_ASSIGN(explainer_, predicting::Explainer::make(definition_, forward_)); }
    std::vector<float> image(hwc.size()), scores;
    NW_TRY(inputs_of(hwc).images(0, 1, image));
    NW_TRY(forward_.run(image, 1, scores));
    if (!predicting::all_finite(scores)) return diverged();
    return explainer_->explain(image, scores, question);
  }

 private:
  static bool is_filter(const Value& v) { return v.role == Role::weight && v.shape.rank() == 4; }
  TargetKind kind() const { return target_kind(definition_.doc.data()); }
  static Error diverged() {
    return fail(Errc::not_finite, NW_TR("The network computes numbers that are not finite: its training diverged. "
                                        "Choose an earlier checkpoint, or train again with a lower learning rate."));
  }
  Result<std::vector<float>> finite_features(std::int64_t count) {
    NW_ASSIGN(std::vector<float> rows, predicting::features_in(*layers_, count));
    if (!predicting::all_finite(rows)) return diverged();
    return rows;
  }
  std::int64_t image_elements() const { return definition_.channels * definition_.height * definition_.width; }

  PixelInputs inputs_of(std::span<const std::uint8_t> hwc) const { return {hwc, image_elements(), scales_}; }

  Result<LayerPrediction> run_with_layer(std::span<const std::uint8_t> hwc, const std::string& node) {
    NW_TRY(show_layers());
    const Plan& plan = layers_->compiled.plan;
    const int v = plan.find(node);
    const bool output =
        v >= 0 && (plan.values[static_cast<std::size_t>(v)].role == Role::activation || v == layers_->images);
    if (!output) return fail(Errc::usage, NW_TR("The network has no layer \"{0}\""), node);
    if (static_cast<std::int64_t>(hwc.size()) != image_elements())
      return fail(Errc::bad_input, NW_TR("The image has the wrong size"));
    std::vector<float> scores;
    NW_TRY(layers_->run(inputs_of(hwc), 1, scores));
    const Value& value = plan.values[static_cast<std::size_t>(v)];
    std::vector<float> all(static_cast<std::size_t>(value.shape.elements()));
    layers_->executable->read(v, std::as_writable_bytes(std::span(all)));
    return LayerPrediction{prediction_of(scores), without_batch(value.shape), to_chw(value.shape, all)};
  }

  Status show_layers() {
    if (!layers_) { NW_ASSIGN(layers_, forward_.with_every_layer(definition_)); }
    return {};
  }

  void add_loss(Evaluation& e, std::span<const float> scores, std::int64_t label) const {
    const Compiled& c = forward_.compiled;
    const predicting::LossForm form = forward_.loss_form();
    const double loss = predicting::loss_of(scores, label, c.activation, form);
    e.loss_per_sample.push_back(stored_loss(loss));
    e.loss += loss;
    e.cross_entropy += form.plain() ? loss : predicting::loss_of(scores, label, c.activation);
  }
  /// Finite where the loss is, although it may be beyond the largest float.
  static float stored_loss(double loss) {
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::isfinite(loss) ? std::clamp(loss, -most, most) : loss);
  }

  static std::vector<std::int64_t> spread(const std::vector<std::int64_t>& all, std::int64_t most) {
    const auto count = std::min<std::size_t>(all.size(), static_cast<std::size_t>(std::max<std::int64_t>(1, most)));
    std::vector<std::int64_t> some;
    for (std::size_t k = 0; k < count; ++k) some.push_back(all[k * all.size() / count]);
    return some;
  }

  static std::span<const float> row(const std::vector<float>& scores, std::int64_t i, std::int64_t n) {
    const std::size_t width = scores.size() / static_cast<std::size_t>(n);
    return {scores.data() + static_cast<std::size_t>(i) * width, width};
  }

  Prediction prediction_of(std::span<const float> scores) const {
    Prediction p{.finite = predicting::all_finite(scores)};
    if (kind() == TargetKind::values)
      return {predicting::answers(scores, forward_.compiled.activation), 0, -1, p.finite};
    p.probability = kind() == TargetKind::labels ? predicting::answers(scores, forward_.compiled.activation)
                                                 : predicting::probabilities(scores, forward_.compiled.activation);
    p.predicted = predicting::largest(p.probability);
    p.confidence = p.probability[static_cast<std::size_t>(p.predicted)];
    return p;
  }

  Result<std::shared_ptr<const SplitData>> open_run_data() const {
    auto d = std::make_shared<SplitData>();
    NW_ASSIGN(d->data, open_data(definition_.doc.data(), definition_.data_dir, false));
    NW_ASSIGN(d->splits, split_data(d->data, definition_.doc.data()));
    return std::shared_ptr<const SplitData>(std::move(d));
  }

  Result<Evaluation> evaluate_on(const BatchBuilder& maker, const std::vector<std::int64_t>& indices) {
    Evaluation e;
    e.classes = e.outputs = classes();
    const bool keeps = static_cast<std::int64_t>(indices.size()) * e.classes <= most_probabilities;
    e.confusion.assign(static_cast<std::size_t>(e.classes * e.classes), 0);
    std::vector<float> scores;
    const auto total = static_cast<std::int64_t>(indices.size());
    std::int64_t right = 0;
    double weight = 0;
    for (std::int64_t at = 0; at < total; at += predicting::batch_images) {
      const std::int64_t n = std::min(predicting::batch_images, total - at);
      const std::span samples(indices.data() + at, static_cast<std::size_t>(n));
      NW_TRY(forward_.run(maker, samples, scores));
      for (std::int64_t i = 0; i < n; ++i) {
        Prediction p = prediction_of(row(scores, i, n));
        const std::int64_t label = maker.label(samples[static_cast<std::size_t>(i)]);
        if (!p.finite) p.predicted = label == 0 ? 1 : 0;  // anything but the label
        e.sample.push_back(samples[static_cast<std::size_t>(i)]);
        e.label.push_back(label);
        e.predicted.push_back(p.predicted);
        add_loss(e, row(scores, i, n), label);
        weight += forward_.weight_of(label);
        e.confidence.push_back(p.finite ? p.confidence : -1);
        if (keeps) e.probability.insert(e.probability.end(), p.probability.begin(), p.probability.end());
        right += p.predicted == label;
        e.not_finite += !p.finite;
        if (p.finite && label >= 0 && label < e.classes)
          ++e.confusion[static_cast<std::size_t>(label * e.classes + p.predicted)];
      }
      if (progress && !progress(static_cast<double>(at + n) / static_cast<double>(total)))
        return fail(Errc::stopped, NW_TR("cancelled"));
    }
    e.samples = total;
    e.loss /= weight;
    e.cross_entropy /= static_cast<double>(total);
    e.accuracy = static_cast<double>(right) / static_cast<double>(total);
    return e;
  }

  /// Collects the probabilities and targets of all samples; metrics are computed from them afterwards.
  Result<Evaluation> evaluate_targets(const BatchBuilder& maker, const std::vector<std::int64_t>& indices) {
    Evaluation e{
        .kind = kind(), .samples = static_cast<std::int64_t>(indices.size()), .outputs = classes(), .sample = indices};
    if (e.samples * e.outputs > most_probabilities)
      return fail(Errc::out_of_memory,
                  NW_TR("The predictions of these images need too much memory; choose a smaller split"));
    std::vector<float> scores;
    for (std::int64_t at = 0; at < e.samples; at += predicting::batch_images) {
      const std::int64_t n = std::min(predicting::batch_images, e.samples - at);
      const std::span samples(indices.data() + at, static_cast<std::size_t>(n));
      NW_TRY(forward_.run(maker, samples, scores));
      for (std::int64_t i = 0; i < n; ++i) {
        const std::span<const float> targets = maker.targets(samples[static_cast<std::size_t>(i)]);
        if (static_cast<std::int64_t>(targets.size()) != e.outputs)
          return fail(Errc::bad_input,
                      NW_TR("The data set of this run has changed: it has {0} targets for each image, the network "
                            "outputs {1}; restore the data set or train again"),
                      targets.size(), e.outputs);
        const double loss =
            predicting::loss_of(row(scores, i, n), targets, forward_.compiled.activation, forward_.loss_form());
        const std::vector<float> activated = predicting::answers(row(scores, i, n), forward_.compiled.activation);
        e.loss_per_sample.push_back(stored_loss(loss));
        e.loss += loss / static_cast<double>(e.samples);
        e.not_finite += !predicting::all_finite(row(scores, i, n));
        e.targets.insert(e.targets.end(), targets.begin(), targets.end());
        e.probability.insert(e.probability.end(), activated.begin(), activated.end());
      }
      if (progress && !progress(static_cast<double>(at + n) / static_cast<double>(e.samples)))
        return fail(Errc::stopped, NW_TR("cancelled"));
    }
    e.cross_entropy = e.loss;
    predicting::judge(e, definition_.classes);
    return e;
  }

  static Shape without_batch(const Shape& s) {
    std::vector<std::int64_t> dims;
    for (int i = 1; i < s.rank(); ++i) dims.push_back(s[i]);
    return Shape(std::span<const std::int64_t>(dims));
  }

  /// The first sample of an (N,H,W,C) block in host layout as (C,H,W).
  static std::vector<float> to_chw(const Shape& s, const std::vector<float>& all) {
    const std::int64_t each = s.per_sample();
    std::vector<float> out(all.begin(), all.begin() + each);
    if (s.rank() != 4) return out;
    for (std::int64_t c = 0; c < s[1]; ++c)
      for (std::int64_t i = 0; i < s[2] * s[3]; ++i)
        out[static_cast<std::size_t>(c * s[2] * s[3] + i)] = all[static_cast<std::size_t>(i * s[1] + c)];
    return out;
  }

  RunDefinition definition_;
  std::vector<PixelScale> scales_;
  Forward forward_;
  std::optional<Forward> layers_;                   // created by the first request for a layer's output
  std::optional<predicting::Explainer> explainer_;  // created by the first request for an attribution
  std::shared_ptr<const SplitData> data_;
};

}  // namespace

Status check_finite(const Evaluation& e) {
  if (e.not_finite > 0)
    return fail(Errc::not_finite,
                NW_TR("The network computes numbers that are not finite for {0} of {1} images: its training diverged. "
                      "Choose an earlier checkpoint, or train again with a lower learning rate or gradient clipping."),
                e.not_finite, e.samples);
  if (!std::isfinite(e.loss))
    return fail(Errc::not_finite, NW_TR("The loss is too large to be computed: the training diverged. Choose an "
                                        "earlier checkpoint, or train again with a lower learning rate."));
  return {};
}

namespace predicting {
Result<std::string> checkpoint_named(const fs::path& run, const std::string& name) {
  if (name != "best" && name != "latest") return name;
  NW_ASSIGN(const CheckpointName found, name == "best" ? best_checkpoint(run) : latest_checkpoint(run));
  return found.name;
}

Result<RunDefinition> complete_definition(const fs::path& run) {
  NW_ASSIGN(RunDefinition definition, read_run_definition(run));
  if (definition.channels < 1 || definition.height < 1 || definition.width < 1 ||
      static_cast<std::int64_t>(definition.mean.size()) != definition.channels)
    return fail(Errc::bad_input,
                NW_TR("{0} does not name its training data: the run never started, or its run.json is damaged"),
                run.string());
  return definition;
}

Status check_names(const fs::path& run, const RunDefinition& definition, const Forward& forward) {
  const bool of_classes = target_kind(definition.doc.data()) == TargetKind::classes;
  const std::int64_t outputs = of_classes && forward.compiled.classes == 1 ? 2 : forward.compiled.classes;
  const auto names = static_cast<std::int64_t>(definition.classes.size());
  if (names == outputs || (of_classes && names > 0 && names < outputs)) return {};
  return fail(Errc::bad_input, NW_TR("{0} names {1} classes, its network has {2} outputs; its run.json is damaged"),
              run.string(), definition.classes.size(), outputs);
}
}  // namespace predicting

Result<std::unique_ptr<Predictor>> Predictor::open(const fs::path& run, const std::string& checkpoint,
                                                   const std::string& backend) {
  NW_ASSIGN(RunDefinition definition, predicting::complete_definition(run));
  NW_ASSIGN(const std::string name, predicting::checkpoint_named(run, checkpoint));
  NW_ASSIGN(Forward forward, Forward::make(definition, backend));
  NW_TRY(predicting::check_names(run, definition, forward));
  NW_TRY(forward.load(run, name));
  return std::unique_ptr<Predictor>(std::make_unique<RunPredictor>(std::move(definition), std::move(forward)));
}

}  // namespace nw
