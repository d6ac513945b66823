// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts an image of the user: a drawing pad for networks with grey input, a drop area for others. The classes are
// updated while drawing: one request is pending at a time, and the newest drawing is requested next.
#pragma once
#include <QWidget>

#include "ui/predict/source/predict_source.hpp"

class QStackedWidget;
class QLabel;
class QSlider;
class QPushButton;

namespace nw::ui {

class DrawingPad;
class ClassBars;
class SeverityLabel;

/// A dashed area with a hint, or the image that was dropped.
class DropZone : public QWidget {
  Q_OBJECT
 public:
  explicit DropZone(QWidget* parent = nullptr);
  void setInputSize(int height, int width);
  void setPicture(const QImage& picture);
  bool isEmpty() const { return picture_.isNull(); }

 Q_SIGNALS:
  void chooseRequested();

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QImage picture_;
  QString hint_;
  QPushButton* choose_;
};

class OwnImagePanel : public QWidget {
  Q_OBJECT
 public:
  explicit OwnImagePanel(PredictSource& source, QWidget* parent = nullptr);
  DrawingPad& pad() { return *pad_; }
  ClassBars& bars() { return *bars_; }
  /// Predicts one image file.
  void openFile(const QString& path);
  void openClipboard();
  /// True while the prediction of a drawing is pending.
  bool asking() const { return asking_; }

 private:
  void networkChanged();
  void ask();
  void show(const std::vector<float>& probability);
  void showNothing();
  void showInput(const Result<PredictSource::FilePrediction>& answer, const QString& origin);
  void chooseFile();
  void say(const QString& sentence, bool error = false);

  PredictSource& source_;
  QLabel* title_;
  SeverityLabel* note_;
  QStackedWidget* stack_;
  DrawingPad* pad_;
  DropZone* zone_;
  ClassBars* bars_;
  QSlider* brush_;
  QPushButton *undo_, *clear_;
  bool asking_ = false, again_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
