// SPDX-License-Identifier: GPL-3.0-or-later
// The page's share of the status bar: problems by kind, and whether the training will fit: parameters, computation,
// memory on the devices, the largest batch, the time of an epoch as predicted and as the last run of this network took
// it.
#pragma once
#include <QLabel>
#include <QWidget>

namespace nw::ui {

class FitEstimator;
class Fits;
class Session;

class DesignStatus : public QWidget {
  Q_OBJECT
 public:
  explicit DesignStatus(Session& session, QWidget* parent = nullptr);
  FitEstimator& estimator() { return *estimator_; }
  QSize minimumSizeHint() const override { return {200, 20}; }

 protected:
  void resizeEvent(QResizeEvent*) override;
  void showEvent(QShowEvent*) override;
  void hideEvent(QHideEvent*) override;

 private:
  void refresh();
  void refreshFit();
  void refreshTimes();
  void drop();
  double memoryThere() const;
  /// A title with its value; those that find no room are left out, the last first.
  struct Figure {
    QWidget* place;
    QLabel* value;
    bool wanted = true;
  };
  Figure figure(const QString& title, const char* name);
  Session& session_;
  FitEstimator* estimator_;
  QLabel *errors_, *warnings_, *notes_;
  Figure parameters_, compute_, memory_, batch_, epoch_, last_;
  Fits* fits_;
};

}  // namespace nw::ui
