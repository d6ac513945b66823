// SPDX-License-Identifier: GPL-3.0-or-later
// The Deploy page: the weights that leave, and a tab for each way out. A tab is a row of the table in deploy_page.cpp.
// GUI thread.
#pragma once
#include <QLabel>

#include "ui/deploy/deploy_tab.hpp"
#include "ui/page/page.hpp"

class QMenu;
class QStackedLayout;
class QStackedWidget;
class QTabBar;

namespace nw::ui {

class EmptyState;

class DeployPage : public Page {
  Q_OBJECT
 public:
  explicit DeployPage(Session& session);
  void activated() override;
  QWidget* statusWidget() override { return status_; }
  QString shownRun() const override;
  QTabBar& tabs() { return *tabs_; }
  /// By the id of its row; null: there is none.
  DeployTab* tab(const QString& id) const;
  void showTab(const QString& id);
  const DeployWeights& weights() const { return weights_; }

 Q_SIGNALS:
  /// A test image with what the run's weights predict for it, on the Predict page.
  void openSample(const QString& run, const QString& checkpoint, qint64 sample);

 protected:
  void hideEvent(QHideEvent*) override;

 private:
  QWidget* makeHead();
  void addTabs();
  void pickRun();
  void setWeights(const QString& run, const QString& checkpoint);
  void watchShownTab();
  Session& session_;
  WeightsList list_;
  DeployWeights weights_;
  QString followed_;
  ChooserButton* chooser_;
  QMenu* menu_;
  QTabBar* tabs_;
  QStackedWidget* parts_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QLabel* status_;
  bool active_ = false;
};

Page* makeDeployPage(Session& session);

}  // namespace nw::ui
