// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run that may change while it trains. A changed value waits until it is applied; what was applied is
// listed with its number, which the charts show too. GUI thread.
#pragma once
#include <QWidget>
#include <vector>

#include "ui/train/run_settings/frozen_layers.hpp"
#include "ui/train/run_settings/setting_changes.hpp"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace nw::ui {

class ChangeList;
class FormSection;
class RunFeed;
class SettingField;
class SeverityLabel;

class RunSettingsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RunSettingsPanel(const RunFeed& feed, QWidget* parent = nullptr);
  /// `why`: what stands in the way of changes; empty: they are possible.
  void setEditable(const QString& why);
  /// The layers with weights, once the network is analysed.
  void setLayers(const QVector<TrainedLayer>& layers) { frozen_->setLayers(layers); }
  /// After the events of the run, or another run.
  void refresh();
  /// Only the values that change with each step.
  void refreshRate();
  /// The run refused what was applied last.
  void forgetSent();
  /// The keyboard focus goes to the first field.
  void focusFirst();

  /// Null: the run has no such setting.
  SettingField* field(const QString& id) const;
  FrozenLayers& frozen() { return *frozen_; }
  ChangeList& changes() { return *changes_; }
  /// What Apply would send, with names of engine/train/knobs.hpp.
  QVector<std::pair<QString, SettingValue>> waiting() const;

 Q_SIGNALS:
  /// The user has applied these.
  void applied(const QVector<std::pair<QString, nw::ui::SettingValue>>& changes);
  void recipeAsked();

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QWidget* makeForm();
  QWidget* makeChanges();
  QWidget* makeBar();
  void makeFields();
  void apply();
  void discard();
  void setBack();
  void say();
  const RunFeed& feed_;
  QString run_;
  std::vector<SettingField*> fields_;
  QVBoxLayout *first_ = nullptr, *more_ = nullptr;
  FormSection* moreSection_ = nullptr;
  FrozenLayers* frozen_ = nullptr;
  ChangeList* changes_ = nullptr;
  SeverityLabel* why_ = nullptr;
  QWidget *form_ = nullptr, *list_ = nullptr, *bar_ = nullptr;
  QLabel *none_ = nullptr, *waits_ = nullptr;
  QPushButton *back_ = nullptr, *recipe_ = nullptr;
};

}  // namespace nw::ui
