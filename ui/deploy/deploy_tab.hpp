// SPDX-License-Identifier: GPL-3.0-or-later
// A tab of the Deploy page: a row of the table in deploy_page.cpp. GUI thread.
#pragma once
#include <QWidget>

#include "ui/deploy/export_jobs.hpp"
#include "ui/predict/source/chooser.hpp"

namespace nw::ui {

class Session;

class DeployTab : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  /// The weights that the page's button names; an empty run: there are none.
  virtual void setWeights(const DeployWeights& weights) = 0;
  /// Shown, on a page that is shown: only then is anything watched.
  virtual void setWatching(bool) {}
  /// For the status bar.
  virtual QString status() const { return {}; }

 Q_SIGNALS:
  void statusChanged();
  /// A test image of the run, to be shown on the Predict page.
  void openSample(const QString& run, const QString& checkpoint, qint64 sample);
};

/// What tabs are made from.
struct DeployContext {
  Session& session;
  WeightsList& weights;
};
DeployTab* makeExportTab(const DeployContext& context);
DeployTab* makeCompressTab(const DeployContext& context);  // ui/deploy/compress
DeployTab* makeServeTab(const DeployContext& context);
DeployTab* makeTestTab(const DeployContext& context);

}  // namespace nw::ui
