// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QListWidget>

#include "ui/train/run_settings/setting_changes.hpp"

namespace nw::ui {

/// The changes of a run's settings, newest first: number, "Learning rate 0.4 → 0.04", when, and what the loss did
/// since. GUI thread.
class ChangeList : public QListWidget {
  Q_OBJECT
 public:
  explicit ChangeList(QWidget* parent = nullptr);
  void setChanges(const QVector<SettingChange>& oldestFirst);
  /// The chosen one, else the newest; null: there is none.
  const SettingChange* chosen() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 private:
  QVector<SettingChange> changes_;
};

/// "epoch 41.2, step 3 460", and how the validation loss has changed since.
QString changeDetail(const SettingChange& change);

}  // namespace nw::ui
