// SPDX-License-Identifier: GPL-3.0-or-later
// The strip on top of the Predict page: the weights, the images and the metrics.
#pragma once
#include <QWidget>

#include "ui/predict/source/chooser.hpp"
#include "ui/predict/source/predict_source.hpp"

/// Own images that are predicted together; further ones are left out.
inline constexpr int most_files = 2000;

class QMenu;
class QLabel;
class QProgressBar;

namespace nw::ui {

class SegmentedControl;
class SeverityLabel;

class PredictHeader : public QWidget {
  Q_OBJECT
 public:
  PredictHeader(PredictSource& source, WeightsList& weights, QWidget* parent = nullptr);
  /// The figures as shown, by their English names: accuracy, wrong, unsure, loss, time.
  QString figure(const QString& name) const;
  /// Shows the newest response and names.
  void refresh();
  /// The open project; a line warns where the run belongs to another one.
  void setOpenProject(const QString& name);
  SegmentedControl& views() { return *views_; }

 Q_SIGNALS:
  void filesRequested(const QStringList& files);
  void exportRequested(const QString& what);  // "predictions", "metrics", "report", or of NetworkFormat
  void viewChosen(int view);                  // in the order of the views: images, metrics, suspects, playground, map

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  void fillExportMenu();
  void addFigure(const QString& name, const QString& label);
  void fitFigures();
  void refreshProject();
  void fitHeight();
  void fillImagesMenu();
  void chooseFolder();
  void chooseFiles();
  void progress(double fraction);

  PredictSource& source_;
  WeightsList& weights_;
  ChooserButton *weightsButton_, *imagesButton_;
  QMenu *weightsMenu_, *imagesMenu_;
  QWidget* figures_;
  QMap<QString, QLabel*> values_, captions_;
  QStringList order_;         // of the figures, the most important first
  QVector<QWidget*> places_;  // the same, each with caption and value
  QProgressBar* progress_;
  QLabel* progressText_;
  SegmentedControl* views_;
  QPushButton* export_;
  SeverityLabel* foreign_;  // the run belongs to another project
  QString openProject_;
  QMap<QString, QAction*> exports_;
};

/// Image files in a folder and its direct subfolders, sorted, at most `limit`. Slow on large folders: call off the GUI
/// thread.
QStringList image_files(const QString& folder, int limit);

}  // namespace nw::ui
