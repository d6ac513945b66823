// SPDX-License-Identifier: GPL-3.0-or-later
// One image, rotated, made noisy or covered by sliders, with live predictions; and the predictions of a second network
// for the same image.
#pragma once
#include <QImage>
#include <QWidget>
#include <array>

#include "ui/predict/source/chooser.hpp"
#include "ui/predict/source/predict_source.hpp"
#include "ui/predict/try/distortion.hpp"

class QBoxLayout;
class QLabel;
class QMenu;
class QSlider;
class QStackedWidget;

namespace nw::ui {

class ClassBars;
class DrawingPad;
class ImageView;
class SeverityLabel;

/// The class bars of one network. One request is pending at a time; of later images only the newest is requested.
class PredictionBars : public QWidget {
  Q_OBJECT
 public:
  PredictionBars(PredictSource& source, QWidget* parent);
  /// The network whose predictions are shown; an empty run: none.
  void setNetwork(const QString& run, const QString& checkpoint);
  QString run() const { return run_; }
  QString checkpoint() const { return checkpoint_; }
  void show(const QImage& input);
  ClassBars& bars() { return *bars_; }
  bool asking() const { return asking_; }

 private:
  void ask();
  void answer(const Result<std::vector<float>>& probability);
  PredictSource& source_;
  QString run_, checkpoint_;
  QImage wanted_;
  ClassBars* bars_;
  SeverityLabel* note_;
  quint64 turn_ = 0;
  bool asking_ = false, again_ = false;
};

class Playground : public QWidget {
  Q_OBJECT
 public:
  explicit Playground(PredictSource& source, QWidget* parent = nullptr);
  /// The image chosen in the grid: used by "the chosen image" and shown while nothing is drawn.
  void setChosen(const QImage& image);
  DrawingPad& pad() { return *pad_; }
  QSlider& slider(int which) { return *sliders_[static_cast<std::size_t>(which)]; }  // 0 turn, 1 noise, 2 cover
  PredictionBars& mine() { return *mine_; }
  PredictionBars& other() { return *other_; }
  void compareWith(const QString& run, const QString& checkpoint);
  /// The input of both networks.
  QImage input() const;
  bool settled() const { return !mine_->asking() && !other_->asking() && !weights_.refreshing(); }

 protected:
  void showEvent(QShowEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QWidget* makeImage();
  QWidget* makeSliders();
  QWidget* makeBars();
  void networkChanged();
  void nameNetworks();
  void takeChosen();
  void refresh();

  PredictSource& source_;
  WeightsList weights_;
  QStackedWidget* stack_;
  DrawingPad* pad_;
  ImageView *picture_, *seen_;
  std::array<QSlider*, 3> sliders_{};
  std::array<QLabel*, 3> values_{};
  QPushButton *undo_, *clear_, *take_;
  PredictionBars *mine_, *other_;
  ChooserButton* chooser_;
  QMenu* menu_;
  QLabel* name_;
  QWidget *imageSide_ = nullptr, *seenSide_ = nullptr;
  QBoxLayout* bars_ = nullptr;
  QImage chosen_, base_;  // base_: a colour network's image
  bool drawn_ = false;
};

}  // namespace nw::ui
