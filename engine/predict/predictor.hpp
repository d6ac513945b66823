// SPDX-License-Identifier: Apache-2.0
// Inference with the preprocessing of the run's training: images → scores; the output of every node can be read.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/predict/explain.hpp"
#include "engine/predict/features.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

struct Prediction {
  // of each class (one entry for a binary network), of each label, or the predicted values
  std::vector<float> probability;
  std::int64_t predicted = 0;  // the most probable class or label; 0 for regression
  float confidence = 0;        // probability of `predicted`; -1 for regression
  bool finite = true;          // false: the network computed numbers that are not finite, as after diverging
};

/// A prediction with the output of one layer, both of the same forward pass.
struct LayerPrediction {
  Prediction prediction;
  Shape shape;                // without the batch; rank 0 if no layer was requested
  std::vector<float> output;  // (C,H,W)
};

struct Evaluation {
  TargetKind kind = TargetKind::classes;
  double loss = 0;  // the mean of loss_per_sample: the loss of the training, with label smoothing, no penalties
  double cross_entropy = 0;  // the loss without label smoothing
  double accuracy = 0;  // multi-label: fraction of samples with all labels correct; regression: R², NaN: undefined
  std::int64_t samples = 0;
  // samples whose outputs are not finite numbers: never right, in no cell of `confusion`, without metrics
  std::int64_t not_finite = 0;
  std::vector<std::int64_t> confusion;  // (classes, classes), row = true class
  std::int64_t classes = 0;
  // names of the label sets or ranges of values that replace classes; empty for classification
  std::vector<std::string> names;
  // multi-label: the labels of each set, except the last class, which collects rare sets
  std::vector<std::vector<std::int64_t>> sets;
  std::int64_t outputs = 0;          // entries of `probability` per sample
  std::vector<float> targets;        // (samples, outputs); empty for classification
  std::vector<std::int64_t> sample;  // data-set index
  std::vector<std::int64_t> label, predicted;
  std::vector<float> confidence;  // of the predicted class; -1: none
  std::vector<float> loss_per_sample;
  std::vector<float> probability;  // (samples, outputs); empty if it would take more than 256 MiB
};
/// Errc::not_finite with the sentence to report if the network computed numbers that are not finite.
Status check_finite(const Evaluation&);
/// The names of an evaluation's classes; there may be more classes than names.
inline const std::vector<std::string>& names_of(const Evaluation& e, const RunDefinition& run) {
  return e.names.empty() ? run.classes : e.names;
}

/// A data set and its splits, shared by requests for the same data.
struct SplitData {
  OpenedData data;
  Splits splits;
  /// The set that the split's indices refer to: the test split may be held out of the training images.
  const std::shared_ptr<const Dataset>& set_of(const std::string& split) const {
    return split == "test" && !splits.test_from_train ? data.test : data.train;
  }
  const std::vector<std::int64_t>& indices_of(const std::string& split) const {
    return split == "test" ? splits.test : split == "validation" ? splits.validation : splits.train;
  }
};

/// Predicts with a run's checkpoint. One thread at a time.
class Predictor {
 public:
  /// Opens a run's network. `checkpoint`: a name, "best" or "latest".
  static Result<std::unique_ptr<Predictor>> open(const fs::path& run, const std::string& checkpoint,
                                                 const std::string& backend = "cpu");
  virtual ~Predictor() = default;
  virtual const RunDefinition& definition() const = 0;
  /// Number of entries of Prediction::probability; 2 for a binary network.
  virtual std::int64_t classes() const = 0;
  /// Of the network's loss; 0: none.
  virtual double label_smoothing() const = 0;
  /// Predicts `count` u8 images (H,W,C) of the network's input size, consecutive in memory.
  virtual Result<std::vector<Prediction>> predict(std::span<const std::uint8_t> hwc, std::int64_t count) = 0;
  virtual Result<Evaluation> evaluate(const std::string& split) = 0;  // "train", "validation", "test"
  /// The data that evaluate() uses instead of opening the run's data.
  virtual void use_data(std::shared_ptr<const SplitData>) = 0;
  /// The data of evaluate(); the run's data is opened at the first call.
  virtual Result<std::shared_ptr<const SplitData>> data() = 0;
  /// Called during evaluate() with 0…1; false cancels (Errc::stopped).
  std::function<bool(double)> progress;
  /// Output of a node (dotted name) for one image, in (C,H,W) order.
  virtual Result<std::pair<Shape, std::vector<float>>> activation(std::span<const std::uint8_t> hwc,
                                                                  const std::string& node) = 0;
  /// The prediction for one image and the output of a node (dotted name; empty: no output).
  virtual Result<LayerPrediction> predict_with_layer(std::span<const std::uint8_t> hwc, const std::string& node) = 0;
  /// Dotted names of the layers that have filters, in the order of computation.
  virtual std::vector<std::string> filter_layers() const = 0;
  /// Weights of a convolution (dotted name), (O,I,h,w).
  virtual Result<std::pair<Shape, std::vector<float>>> filters(const std::string& node) = 0;
  /// Features of at most `most` images of a split, evenly spread.
  virtual Result<Features> features(const std::string& split, std::int64_t most) = 0;
  /// Features of one image, u8 (H,W,C).
  virtual Result<std::vector<float>> features_of(std::span<const std::uint8_t> hwc) = 0;
  /// The attribution of a class's score to the pixels of one image.
  virtual Result<Explanation> explain(std::span<const std::uint8_t> hwc, const ExplainOptions&) = 0;
};

}  // namespace nw
