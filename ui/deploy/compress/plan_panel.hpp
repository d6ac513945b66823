// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of the next step: a slider for each layer, how it is trained, 8 bits; and the buttons that suggest, measure
// and make it. GUI thread.
#pragma once
#include <memory>

#include "ui/deploy/compress/channel_row.hpp"
#include "ui/deploy/compress/step_kind.hpp"
#include "ui/deploy/deploy_ground.hpp"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace nw::ui {

class ToggleSwitch;

class PlanPanel : public DeployGround {
  Q_OBJECT
 public:
  explicit PlanPanel(QWidget* parent = nullptr);
  /// A slider for each layer, all at zero. `locked`: why the run cannot be made smaller; empty: it can.
  void setLayers(const std::vector<compress::PlannedLayer>& layers, const QString& locked);
  /// Titles and folders of runs that may teach.
  void setTeachers(const QVector<QPair<QString, QString>>& teachers);
  /// Of `sensitivity`; null: not measured.
  void setSensitivity(const Json& measured);
  bool hasSensitivity() const { return measured_; }
  CompressPlan plan() const;
  bool int8() const;
  void setInt8Warning(const QString& sentence);
  /// At the slider of the layer that was moved last.
  void setPlanWarning(const QString& sentence);
  /// What is being done, with a fraction (negative: not known). `own`: the plan itself is being made.
  void setBusy(const QString& text, double fraction, bool own);
  void setIdle(const QString& note);
  ChannelRow* row(const QString& layer) const;
  const std::vector<ChannelRow*>& rows() const { return rows_; }
  void suggest();

 Q_SIGNALS:
  void planChanged();
  void criterionChanged();
  void applyRequested();
  void measureRequested();
  void stopRequested();

 private:
  QWidget* makeHead();
  QWidget* makeHow();
  QWidget* makeFoot();
  void moved(ChannelRow* row);
  void refreshButtons();
  std::vector<ChannelRow*> rows_;
  ChannelRow* last_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  QComboBox *criterion_ = nullptr, *teacher_ = nullptr;
  QSpinBox* epochs_ = nullptr;
  ToggleSwitch* int8_ = nullptr;
  QLabel *int8Warning_ = nullptr, *note_ = nullptr, *locked_ = nullptr;
  QWidget* int8Line_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QPushButton *apply_ = nullptr, *suggest_ = nullptr, *measure_ = nullptr;
  QScrollArea* area_ = nullptr;
  bool measured_ = false, busy_ = false, own_ = false, refused_ = true;
};

}  // namespace nw::ui
