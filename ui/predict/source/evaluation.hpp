// SPDX-License-Identifier: GPL-3.0-or-later
// The helper process's evaluation of many images, validated and converted for the page.
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

#include "engine/design/choice.hpp"
#include "ui/predict/source/metric_responses.hpp"

namespace nw::ui {

/// One image with the network's prediction. `label` < 0: the true class is unknown.
struct Sample {
  qint64 index = 0;  // in the data set; in a list of files: position in the list
  int label = -1, predicted = 0;
  float confidence = 0;  // of the predicted class, 0…1; < 0: none, as in regression
  float loss = -1;       // < 0: not known
  bool wrong() const { return label >= 0 && label != predicted; }
};

/// Below this confidence a prediction counts as unsure.
inline constexpr float unsure_below = 0.6f;

struct EvaluationView {
  TargetKind kind = TargetKind::classes;
  double loss = -1, accuracy = -1;  // < 0: no true classes; regression: R², which may be below 0 or undefined (NaN)
  double crossEntropy = -1, smoothing = 0;  // the loss without label smoothing, and its label smoothing
  qint64 notFinite = 0;                     // images for which the network computes numbers that are not finite
  int classes = 0;
  QStringList names;                   // `classes` of them; multi-label: label sets; regression: value ranges
  QStringList groups;                  // of the samples, if groups are not the classes
  QStringList outputs;                 // names of classes, labels or targets
  std::vector<NumberFigures> numbers;  // regression only
  // multi-label: the labels of each label set; shorter if the labels of further sets are unknown
  std::vector<std::vector<int>> sets;
  std::vector<float> truth;  // regression: (samples, targets)
  std::vector<int> labelsOf(int set) const;
  std::vector<float> truthOf(const Sample&) const;
  std::vector<Sample> samples;
  std::vector<qint32> confusion;  // (classes, classes), row = true class; empty: no true classes
  Metrics metrics;                // of outputs; without classes if unknown
  bool measured() const { return !confusion.empty(); }
  qint64 wrong() const;
  qint64 unsure() const;
  /// No better than always answering the most common class, within two standard deviations. False without true classes.
  bool atChance() const;
  qint64 at(int truth, int read) const { return confusion[static_cast<std::size_t>(truth) * classes + read]; }
};

/// A confused pair and its count.
struct ConfusedPair {
  int truth = 0, read = 0;
  qint64 count = 0;
};
/// The most frequent ones first, at most `limit`.
std::vector<ConfusedPair> most_confused_pairs(const EvaluationView& view, int limit);

/// Names for `classes` outputs: as given when they match, "even" and "odd" for two outputs over more classes, else
/// numbers.
QStringList class_names(const QStringList& given, int classes);
/// Class probabilities of a response: one number p of a binary network becomes {1 - p, p}. Labels' probabilities and
/// numbers as they are.
Result<std::vector<float>> probabilities_from(const Json& answer, TargetKind kind);
/// "Circle" of a group or class by its number.
QString name_in(const QStringList& names, int number);
/// The response to "evaluate"; rejected if its lists differ in length.
Result<EvaluationView> evaluation_from(const Message& answer, const QStringList& names);
/// Positions of the `count` largest values, largest first.
std::vector<int> top_classes(const std::vector<float>& probability, int count);

}  // namespace nw::ui
