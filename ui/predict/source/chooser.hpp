// SPDX-License-Identifier: GPL-3.0-or-later
// "Weights | lenet5-a7, best ⌄": a button with the current choice that opens a menu; and the menu of all available
// weights.
#pragma once
#include <QFutureWatcher>
#include <QObject>
#include <QPushButton>

#include "engine/runs/run_folder.hpp"
#include "ui/session/guarded.hpp"

class QMenu;

namespace nw::ui {

class ChooserButton : public QPushButton {
  Q_OBJECT
 public:
  ChooserButton(const QString& label, QWidget* parent, bool framed = true);
  void setValue(const QString& value);
  QString value() const { return value_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString label_, value_;
  bool framed_;
};

/// A run that has checkpoints.
struct WeightsOfRun {
  RunSummary summary;
  std::vector<CheckpointName> checkpoints;  // oldest first
  qint64 best = 0, latest = 0;              // the steps these names refer to now
  QString folder() const { return QString::fromStdString(summary.folder.string()); }
  /// The given name, or "2026-11-21-lenet5-a7".
  QString title() const {
    return QString::fromStdString(summary.given_name.empty() ? summary.folder.filename().string() : summary.given_name);
  }
};

/// All runs that have a checkpoint, newest first; read on a worker thread.
class WeightsList : public QObject {
  Q_OBJECT
 public:
  explicit WeightsList(QObject* parent = nullptr);
  ~WeightsList() override;
  /// `also`: a run folder elsewhere.
  void refresh(const QString& also);
  bool refreshing() const { return refreshing_; }
  const std::vector<WeightsOfRun>& runs() const { return runs_; }
  const WeightsOfRun* find(const QString& folder) const;
  /// Fills `menu`: one submenu per run with best, latest and every checkpoint.
  void fill(QMenu& menu, const QString& run, const QString& checkpoint);
  /// The project that the run belongs to; empty: unknown.
  QString project(const QString& run) const;
  /// "lenet5 · a7, best, epoch 2"
  QString describe(const QString& run, const QString& checkpoint, qint64 step) const;

 Q_SIGNALS:
  void refreshed();
  void chosen(const QString& run, const QString& checkpoint);

 private:
  std::vector<WeightsOfRun> runs_;
  QFutureWatcher<Guarded<std::vector<WeightsOfRun>>> watcher_;
  QString also_;
  bool refreshing_ = false, again_ = false;
};

}  // namespace nw::ui
