// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen image enlarged, the network's prediction, and buttons for the previous and the next image.
#pragma once
#include <QImage>
#include <QWidget>

#include "ui/predict/source/predict_source.hpp"

class QLabel;
class QPushButton;
class QGridLayout;

namespace nw::ui {

class ClassBars;
class ImageView;
class LayerView;
class NeighborStrip;

class SamplePanel : public QWidget {
  Q_OBJECT
 public:
  explicit SamplePanel(PredictSource& source, QWidget* parent = nullptr);
  /// Nullptr: nothing is chosen.
  void setSample(const Sample* sample);
  void setNeighbors(bool previous, bool next);
  const QImage& image() const;
  /// The chosen image and its classes are shown.
  bool settled() const;
  /// The name of the sample in project files; empty: not in a data set, or not known yet.
  QString name() const { return has_ ? source_.sampleName(sample_.index) : QString(); }
  NeighborStrip& neighbours() { return *near_; }
  QPushButton& similarButton() { return *similar_; }
  /// State of the button that excludes the sample; `why`: the reason if it is not allowed.
  void setExclusion(bool allowed, bool excluded, const QString& why);

 Q_SIGNALS:
  void stepRequested(int by);  // -1: previous, 1: next
  void excludeRequested();     // or to include it again
  void shown();                // image and name are loaded

 private:
  void ask();
  void take(const PredictSource::Look& look, const QString& layer);
  void showClasses(const std::vector<float>& probability);
  void showFacts();
  QString origin() const;

  PredictSource& source_;
  Sample sample_;
  bool has_ = false;
  quint64 turn_ = 0;
  QLabel *title_, *muted_, *facts_, *origin_, *note_;
  QPushButton *previous_, *next_, *exclude_, *similar_;
  NeighborStrip* near_;
  ImageView* input_;
  LayerView* layer_;
  ClassBars* bars_;
};

}  // namespace nw::ui
