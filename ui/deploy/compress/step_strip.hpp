// SPDX-License-Identifier: GPL-3.0-or-later
// The chain of steps from the original to the run that is shown, with the accuracy after each: a click goes there. GUI
// thread.
#pragma once
#include "ui/deploy/compress/step_record.hpp"
#include "ui/deploy/deploy_ground.hpp"

class QHBoxLayout;
class QPushButton;

namespace nw::ui {

class StepStrip : public DeployGround {
  Q_OBJECT
 public:
  explicit StepStrip(QWidget* parent = nullptr);
  void setChain(const std::vector<CompressionRecord>& chain, bool canRedo);
  /// Of the chips, in their order.
  QStringList titles() const;
  QPushButton& undo() { return *undo_; }
  QPushButton& redo() { return *redo_; }
  QPushButton& keep() { return *keep_; }

 Q_SIGNALS:
  void chosen(const QString& run);
  void undoRequested();
  void redoRequested();
  void keepRequested();

 private:
  QHBoxLayout* chips_ = nullptr;
  QPushButton *undo_ = nullptr, *redo_ = nullptr, *keep_ = nullptr;
};

/// "Original", "Prune fc1 50 %".
QString titleOf(const CompressionRecord& record);
/// Of the result: accuracy in 0…1; negative: not measured.
double accuracyOf(const CompressionRecord& record);

}  // namespace nw::ui
