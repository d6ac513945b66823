// SPDX-License-Identifier: GPL-3.0-or-later
// What the helper answered about many images, checked and in the shape the page draws.
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
  float confidence = 0;  // of the predicted class, 0…1; < 0: there is none, numbers are learned
  float loss = -1;       // < 0: not known
  bool wrong() const { return label >= 0 && label != predicted; }
};

/// Below this confidence a prediction counts as unsure.
inline constexpr float unsure_below = 0.6f;

struct EvaluationView {
  TargetKind kind = TargetKind::classes;
  double loss = -1, accuracy = -1;  // < 0: no true classes; where numbers are learned R², which may be below 0
  int classes = 0;
  QStringList names;                   // `classes` of them; sets of labels and ranges of numbers stand in for classes
  QStringList groups;                  // of the data's samples where those are not the classes
  QStringList outputs;                 // of what is learned: classes, labels or numbers
  std::vector<NumberFigures> numbers;  // where numbers are learned
  // where labels are: those of each of the classes; shorter: of the others it is not known
  std::vector<std::vector<int>> sets;
  std::vector<float> truth;  // where numbers are: (samples, numbers); empty where there are too many
  std::vector<int> labelsOf(int set) const;
  std::vector<float> truthOf(const Sample&) const;
  std::vector<Sample> samples;
  std::vector<qint64> confusion;  // (classes, classes), row = true class; empty: no true classes
  Metrics metrics;                // of outputs; without classes where they are not known
  bool measured() const { return !confusion.empty(); }
  qint64 wrong() const;
  qint64 unsure() const;
  qint64 at(int truth, int read) const { return confusion[static_cast<std::size_t>(truth) * classes + read]; }
};

/// A pair of classes that is mixed up, and how often.
struct ConfusedPair {
  int truth = 0, read = 0;
  qint64 count = 0;
};
/// The most frequent ones first, at most `limit`.
std::vector<ConfusedPair> most_confused_pairs(const EvaluationView& view, int limit);

/// Names for `classes` outputs: as given when they match, "even" and "odd" for two outputs over more classes, else
/// numbers.
QStringList class_names(const QStringList& given, int classes);
/// Class probabilities of an answer: one number p of a binary network becomes {1 - p, p}. Labels' probabilities and
/// numbers as they are.
Result<std::vector<float>> probabilities_from(const Json& answer, TargetKind kind);
/// "Circle" of a group or class by its number.
QString name_in(const QStringList& names, int number);
/// The answer to "evaluate"; refused when its lists do not fit each other.
Result<EvaluationView> evaluation_from(const Json& answer, const QStringList& names);
/// Positions of the `count` largest values, largest first.
std::vector<int> top_classes(const std::vector<float>& probability, int count);

}  // namespace nw::ui
