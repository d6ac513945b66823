// SPDX-License-Identifier: GPL-3.0-or-later
// The tracked samples at one step of a run: correct, not yet correct, or forgotten. Arrow keys move. GUI thread.
#pragma once
#include <QImage>
#include <QWidget>
#include <memory>
#include <vector>

#include "engine/train/tracked_sample_history.hpp"

namespace nw::ui {

class TrackedSampleGrid : public QWidget {
  Q_OBJECT
 public:
  explicit TrackedSampleGrid(QWidget* parent = nullptr);
  /// Null: nothing is shown. `names`: class names.
  void setHistory(std::shared_ptr<const TrackedSampleHistory> history, const QStringList& names);
  void setRecord(int record);
  int current() const { return current_; }
  void choose(int probe);
  QRectF cell(int probe) const;
  QSize sizeHint() const override { return {340, 170}; }
  QSize minimumSizeHint() const override { return {200, 90}; }

 Q_SIGNALS:
  void chosen(int probe);

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override { takeRoom(); }
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool event(QEvent*) override;  // tooltips

 private:
  int count() const { return history_ ? static_cast<int>(history_->probes.size()) : 0; }
  int columns() const;
  void takeRoom();
  QString sentence(int probe) const;
  std::shared_ptr<const TrackedSampleHistory> history_;
  std::vector<QImage> pictures_;
  QStringList names_;
  int record_ = 0, current_ = 0;
};

}  // namespace nw::ui
