// SPDX-License-Identifier: GPL-3.0-or-later
// The page's part of the status bar: number of problems, and the resources of training: parameters, computation, memory
// of the devices, largest batch, time of an epoch, predicted and measured by the last run of this network.
#pragma once
#include <QLabel>
#include <QWidget>

namespace nw::ui {

class FitEstimator;
class Placement;
class Fits;
class Session;

class DesignStatus : public QWidget {
  Q_OBJECT
 public:
  explicit DesignStatus(Session& session, QWidget* parent = nullptr);
  FitEstimator& estimator() { return *estimator_; }
  /// Says where the times of lanes come from while the network is split into stages.
  void follow(Placement& placement);
  QSize minimumSizeHint() const override { return {200, 20}; }

 protected:
  bool event(QEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void showEvent(QShowEvent*) override;
  void hideEvent(QHideEvent*) override;

 private:
  void refresh();
  void refreshFit();
  void refreshTimes();
  void drop();
  bool isCutOff() const;
  QString epochSource() const;
  double memoryThere() const;
  /// A title with its value; those that do not fit are left out, the last first.
  struct Figure {
    QWidget* place;
    QLabel* value;
    bool wanted = true;
  };
  Figure figure(const QString& title, const char* name);
  Figure measureButton();
  Session& session_;
  FitEstimator* estimator_;
  QLabel *errors_, *warnings_, *notes_;
  Figure parameters_, compute_, memory_, batch_, epoch_, measure_, last_, times_;
  Fits* fits_;
};

}  // namespace nw::ui
