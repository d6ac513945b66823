// SPDX-License-Identifier: GPL-3.0-or-later
// The settings and frozen layers that a branch may change. GUI thread.
#pragma once
#include <QSet>
#include <QWidget>
#include <vector>

#include "engine/design/settings.hpp"

class QFormLayout;
class QListWidget;

namespace nw::ui {

class BranchFields : public QWidget {
  Q_OBJECT
 public:
  explicit BranchFields(QWidget* parent = nullptr);
  /// What holds at the checkpoint. Fields that were not changed follow; the others keep what was chosen.
  void setBase(const TrainSettings& settings);
  /// Layers with weights and those of them that are frozen at the checkpoint.
  void setLayers(const QStringList& layers, const QSet<QString>& frozen);
  /// Every change as `--set` takes it: "learning_rate=0.001", "frozen.conv1=1".
  QStringList changes() const;
  /// Chooses the value of a setting, as the field would; nothing if there is no such field.
  void choose(const QString& setting, double value);
  /// The list of layers, to be placed beside the form.
  QFormLayout& form() { return *form_; }
  QListWidget& layers() { return *layers_; }

 Q_SIGNALS:
  void changed();

 private:
  struct Field {
    QString id;
    QWidget* control;
    double base = 0;
    bool applies = true;
  };
  void addFields();
  static double valueOf(const Field& field);
  static void put(const Field& field, double value);

  QFormLayout* form_;
  std::vector<Field> fields_;
  QListWidget* layers_;
  QSet<QString> frozen_;  // at the checkpoint
  bool filled_ = false;
};

}  // namespace nw::ui
