// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer of the project's data set: a split as a grid, filtered by class and sorted; class counts, imbalance and
// channel statistics; the chosen image enlarged, with its source; actions to exclude samples and to include them again.
// GUI thread.
#pragma once
#include <QDialog>

#include "engine/predict/serve.hpp"
#include "ui/data/explorer_grid.hpp"
#include "ui/data/explorer_orders.hpp"

class QComboBox;
class QLabel;
class QPushButton;

namespace nw::ui {

class ClassCounts;
class DataOpener;
class SegmentedControl;
class Session;
class SeverityLabel;

class Explorer : public QDialog {
  Q_OBJECT
 public:
  explicit Explorer(Session& session, QWidget* parent = nullptr);
  ExplorerGrid& grid() { return *grid_; }
  ExplorerModel& model() { return model_; }
  ExplorerThumbnails& pictures() { return pictures_; }
  QComboBox& classes() { return *classes_; }
  QComboBox& orders() { return *orders_; }
  QPushButton& excludeButton() { return *exclude_; }
  void setSplit(int split);  // training, validation, test
  QString statusText() const;
  /// True if no request is pending.
  bool settled() const { return request_ == 0 && picture_ == 0 && !rankings_.busy(); }

 private:
  QWidget* makeHead();
  QWidget* makeSide();
  void load();
  void take(const Message& answer);
  void infoChanged();
  void showStatus();
  void showCurrent();
  void showLarge(const QImage& image);
  QString fileOf(const NamedPicture& picture) const;
  void openRow(int row);
  void excludeOrInclude();
  QStringList chosenNames() const;

  Session& session_;
  DataOpener& probe_;
  ExplorerModel model_;
  ExplorerThumbnails pictures_;
  ExplorerOrders rankings_;
  ExplorerGrid* grid_;
  SegmentedControl* split_;
  QComboBox *classes_, *orders_;
  ClassCounts* counts_;
  QLabel *status_, *balance_, *channels_, *name_, *large_;
  QPushButton *exclude_, *show_;
  SeverityLabel* error_;
  DataChoice loadedFor_;  // without exclusions: excluded samples stay in the grid, marked
  qint64 request_ = 0, picture_ = 0, largeIndex_ = -1;
};

/// Shows the explorer; at most one is open.
void exploreData(Session& session, QWidget* parent);

}  // namespace nw::ui
