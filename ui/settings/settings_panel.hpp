// SPDX-License-Identifier: GPL-3.0-or-later
// Training settings, made from the table in setting_rows.hpp, with the loss, the devices and two previews in their
// places.
#pragma once
#include <QScrollArea>
#include <map>

#include "engine/design/choice.hpp"
#include "engine/design/layer_type.hpp"
#include "ui/settings/setting_rows.hpp"

class QComboBox;
class QVBoxLayout;

namespace nw::ui {

class AugmentPreview;
class DeviceList;
class FormSection;
class PanelRow;
class SchedulePreview;
class Session;
class SeverityLabel;
class StageList;
class TeacherField;
class TransformList;

class SettingsPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit SettingsPanel(Session& session, QWidget* parent = nullptr);
  const std::vector<SettingRow>& rows() const { return rows_; }
  /// The control of a row: a NumberSpin, ToggleSwitch or QComboBox, by its id ("learning_rate"), or "loss".
  QWidget* control(const QString& id) const;
  bool isShown(const QString& id) const;

 private:
  QWidget* makeControl(const SettingRow& row, int index);
  void addLossRows(FormSection& section);
  void addExtras(FormSection& section, const QString& lastId);
  void refresh();
  void show(const SettingRow& row);
  void refreshLoss();
  void change(int index, double value);
  void changeLoss(int position);
  QWidget* makeLossControl(const Field& field, int index);
  void showLossField(const Field& field, const Node& loss);
  void changeLossField(int index, const Attr& value);
  qint64 lossNode() const;  // 0: there is none
  std::string lossName() const;

  Session& session_;
  std::vector<SettingRow> rows_;
  std::map<QString, PanelRow*> shown_;
  std::vector<const LayerType*> losses_;
  std::vector<Field> lossFields_;  // of all losses
  SchedulePreview* schedule_;
  AugmentPreview* augment_;
  SeverityLabel* mixedNote_;  // below the augmented images
  TransformList* transforms_;
  DeviceList* devices_;
  StageList* stages_;
  TeacherField* teacher_;
  TrainSettings previewed_;  // the settings the augmented images were requested with
  DataChoice previewedData_;
  bool refreshing_ = false;
};

}  // namespace nw::ui
