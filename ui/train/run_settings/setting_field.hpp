// SPDX-License-Identifier: GPL-3.0-or-later
// One run-time setting: name, exact field, slider, and what was or will be. GUI thread.
#pragma once
#include <QWidget>
#include <optional>

#include "ui/train/run_settings/setting_changes.hpp"
#include "ui/train/run_settings/setting_scale.hpp"

class QLabel;
class QPushButton;

namespace nw::ui {

class NumberSpin;
class SeverityLabel;
class SettingSlider;

class SettingField : public QWidget {
  Q_OBJECT
 public:
  explicit SettingField(const SettingRow& row, QWidget* parent = nullptr);
  const QString& id() const { return id_; }
  /// The value that holds; the controls follow it unless another one waits.
  void setNow(const SettingValue& now);
  /// The last change of this setting; null: none.
  void setLastChange(const SettingChange* change);
  /// What is to be applied; nullopt: nothing waits.
  std::optional<SettingValue> waiting() const { return waiting_; }
  /// The controls show the value; the value that holds ends the wait.
  void wait(const SettingValue& value);
  void discard();
  /// The waiting value was sent to the run; it is `now` when the run says so.
  void setSent(const SettingValue& value);
  bool isSent() const { return sent_.has_value(); }
  /// The run refused it, or ended.
  void forgetSent();
  /// Images of one update, from those of a batch: said beside the number of batches.
  void setBatch(std::int64_t batch) { batch_ = batch; }

  NumberSpin& field() { return *field_; }
  SettingSlider& slider() { return *slider_; }
  QString note() const;

 Q_SIGNALS:
  void changed();  // waiting()

 private:
  void build(const SettingRow& row);
  void take(double value);
  void showValue(bool force);
  void say();
  QString waitingText() const;
  QString id_, label_;
  SettingRow row_;
  SettingScale scale_;
  SettingValue now_;
  std::optional<SettingValue> waiting_, sent_;
  std::optional<SettingChange> last_;
  std::int64_t batch_ = 0;
  bool known_ = false;
  QString refusal_;
  QLabel* badge_ = nullptr;
  SeverityLabel* note_ = nullptr;
  QPushButton* schedule_ = nullptr;  // of the learning rate
  NumberSpin* field_ = nullptr;
  SettingSlider* slider_ = nullptr;
};

}  // namespace nw::ui
