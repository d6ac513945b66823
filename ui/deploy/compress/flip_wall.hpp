// SPDX-License-Identifier: GPL-3.0-or-later
// "Changed predictions": the images whose answer differs between the original and the smaller network, by margin, with
// filters, the counts of each class, and McNemar's test. GUI thread.
#pragma once
#include "ui/deploy/compress/flip_model.hpp"
#include "ui/session/thumbnails.hpp"
#include "ui/widgets/widgets.hpp"

class QLabel;
class QListView;

namespace nw::ui {

class ClassFlips;
class ChooserButton;

class FlipWall : public Card {
  Q_OBJECT
 public:
  explicit FlipWall(HelperClient& helper, QWidget* parent = nullptr);
  /// `result`: of `changed-predictions`; an empty object: nothing is measured. `weights`: whose data the images are.
  void setResult(const Json& result, const QStringList& names, const protocol::Weights& weights);
  FlipModel& model() { return model_; }
  QListView& view() { return *view_; }
  ClassFlips& classes() { return *classes_; }
  /// What McNemar's test says, with its counts.
  QString sentence() const;
  QString filesSentence() const;

 Q_SIGNALS:
  /// The image was clicked, or Enter pressed on it.
  void opened(qint64 sample);

 private:
  QWidget* makeBar();
  QWidget* makeSide();
  void filter();
  void showCounts();
  FlipModel model_;
  Thumbnails thumbnails_;
  SampleSet set_;
  SegmentedControl* kinds_ = nullptr;
  QPushButton* clear_ = nullptr;
  ChooserButton* order_ = nullptr;
  QListView* view_ = nullptr;
  ClassFlips* classes_ = nullptr;
  QLabel *test_ = nullptr, *files_ = nullptr, *none_ = nullptr;
  QWidget *bar_ = nullptr, *side_ = nullptr;
};

/// The sentences of a result of `changed-predictions`.
QString mcnemarSentence(const Json& result);
QString filesSentence(const Json& result);

}  // namespace nw::ui
