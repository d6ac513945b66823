// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of a trained network: grid, confusion matrix, the chosen image, a pad to draw on.
#pragma once
#include "ui/page/page.hpp"
#include "ui/predict/images/grid_model.hpp"
#include "ui/predict/images/thumbnail_store.hpp"
#include "ui/predict/source/chooser.hpp"
#include "ui/predict/source/predict_source.hpp"

class QStackedWidget;
class QLabel;
class QVBoxLayout;

namespace nw::ui {

class ConfusionMatrix;
class EmptyState;
class GridView;
class MapView;
class MetricsView;
class NetworkExport;
class ConfusionList;
class Playground;
class PredictHeader;
class SamplePanel;
class SegmentedControl;
class LabelIssuesView;
class OwnImagePanel;

class PredictPage : public Page {
  Q_OBJECT
 public:
  explicit PredictPage(Session& session);
  void activated() override;
  QWidget* statusWidget() override;
  PredictSource& source() { return source_; }
  GridModel& grid() { return grid_; }
  ConfusionMatrix& matrix() { return *matrix_; }
  OwnImagePanel& ownImagePanel() { return *try_; }
  PredictHeader& header() { return *header_; }
  MetricsView& metrics() { return *metrics_; }
  LabelIssuesView& suspects() { return *labelIssues_; }
  Playground& playground() { return *playground_; }
  MapView& map() { return *map_; }
  SamplePanel& sample() { return *sample_; }
  GridView& gridView() { return *view_; }
  /// Excludes the chosen sample from the project's data, or includes it again.
  void toggleExcluded();
  /// True if every visible part is loaded.
  bool settled() const;
  /// Filters the grid to one cell of the matrix; nullopt: removes the filter.
  void filterCell(std::optional<GridModel::Cell> cell);
  /// A test image as the run's weights predict it, once they are evaluated.
  void showSample(const QString& run, const QString& checkpoint, qint64 sample);
  /// Images or folders from the file manager: one image is predicted alone, several fill the grid.
  void openPaths(const QStringList& paths);

 protected:
  void dragEnterEvent(QDragEnterEvent*) override;
  void dropEvent(QDropEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  QWidget* makeGridSide();
  QWidget* makeMiddle();
  QWidget* makeRight();
  void connectAll();
  void pickRun();
  void switchToNewerWeights();
  void weightsRefreshed();
  void evaluated();
  void refreshFilters();
  void chooseRow(int row);
  void step(int by);
  void showFailure(const QString& sentence);
  void exportAs(const QString& what);
  void saveExport(const QString& path, std::function<Result<std::string>()> make);
  void showView(int view);
  void copyImage();
  void refreshExclusion();
  void chooseSample(qint64 sample);
  void measureSpeed();

  Session& session_;
  PredictSource source_;
  ThumbnailStore thumbnails_;
  GridModel grid_;
  WeightsList weights_;
  QString followed_;    // the run the page last took from the session
  qint64 wanted_ = -1;  // sample to be chosen once it is evaluated
  QStackedWidget* stack_;
  EmptyState* empty_;
  PredictHeader* header_;
  MetricsView* metrics_;
  LabelIssuesView* labelIssues_;
  Playground* playground_;
  MapView* map_;
  SegmentedControl *show_, *counts_;
  QPushButton* filter_;
  ChooserButton* order_;
  GridView* view_;
  ConfusionMatrix* matrix_;
  ConfusionList* confusedPairs_;
  QLabel* noMatrix_;
  SamplePanel* sample_;
  OwnImagePanel* try_;
  NetworkExport* networks_;
  QWidget* status_ = nullptr;
};

}  // namespace nw::ui
