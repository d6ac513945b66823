// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/branch_fields.hpp"

#include <QFormLayout>
#include <QListWidget>
#include <QSignalBlocker>
#include <algorithm>

#include "engine/train/knobs.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr const char* field_ids[] = {
    "learning_rate", "weight_decay",    "l2",          "clip_norm",        "epochs",
    "batch",         "horizontal_flip", "random_crop", "augment_strength", "early_stopping_epochs"};

const SettingRow* settingOf(const std::vector<SettingRow>& rows, const QString& id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& r) { return r.id == id; });
  return found == rows.end() ? nullptr : &*found;
}
}  // namespace

BranchFields::BranchFields(QWidget* parent) : QWidget(parent), form_(new QFormLayout(this)), layers_(new QListWidget) {
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setHorizontalSpacing(space::l);
  addFields();
  layers_->setObjectName(QStringLiteral("branchFrozen"));
  layers_->setAccessibleName(tr("Frozen layers"));
  connect(layers_, &QListWidget::itemChanged, this, &BranchFields::changed);
}

void BranchFields::addFields() {
  const std::vector<SettingRow> rows = settingRows();
  for (const char* id : field_ids) {
    const SettingRow* row = settingOf(rows, QLatin1String(id));
    if (!row) continue;
    QWidget* control = nullptr;
    if (row->kind == SettingRow::Kind::toggle) {
      auto* toggle = new ToggleSwitch(row->label);
      toggle->setCheckable(true);
      connect(toggle, &ToggleSwitch::toggled, this, &BranchFields::changed);
      control = toggle;
    } else {
      auto* spin = new NumberSpin(row->kind == SettingRow::Kind::integer, row->lo, row->hi, row->step);
      if (!row->zero.isEmpty()) spin->setZeroText(row->zero);
      if (!row->unit.isEmpty()) spin->setUnit(row->unit, row->unitOne);
      connect(spin, &NumberSpin::valueChanged, this, &BranchFields::changed);
      control = spin;
    }
    control->setObjectName(QLatin1String(id));
    control->setAccessibleName(row->label);
    control->setToolTip(row->help);
    form_->addRow(row->label, control);
    fields_.push_back({QLatin1String(id), control});
  }
}

double BranchFields::valueOf(const Field& field) {
  if (const auto* toggle = qobject_cast<const ToggleSwitch*>(field.control)) return toggle->isChecked() ? 1 : 0;
  return static_cast<const NumberSpin*>(field.control)->value();
}

void BranchFields::put(const Field& field, double value) {
  if (auto* toggle = qobject_cast<ToggleSwitch*>(field.control)) return toggle->setChecked(value != 0);
  static_cast<NumberSpin*>(field.control)->setValue(value);
}

void BranchFields::setBase(const TrainSettings& settings) {
  const std::vector<SettingRow> rows = settingRows();
  for (Field& field : fields_) {
    const SettingRow* row = settingOf(rows, field.id);
    field.applies = !row->applies || row->applies(settings);
    form_->setRowVisible(field.control, field.applies);
    const double value = row->get(settings);
    const bool kept = filled_ && valueOf(field) != field.base;
    field.base = value;
    const QSignalBlocker quiet(field.control);
    if (!kept) put(field, value);
    if (const double shown = valueOf(field); !kept) field.base = shown;  // as the field rounds it
  }
  filled_ = true;
}

void BranchFields::setLayers(const QStringList& layers, const QSet<QString>& frozen) {
  const QSignalBlocker quiet(layers_);
  QSet<QString> chosen = frozen;
  for (int i = 0; i < layers_->count(); ++i) {  // what the user chose stays
    const QListWidgetItem* item = layers_->item(i);
    const bool on = item->checkState() == Qt::Checked;
    if (on != frozen_.contains(item->text()))
      on ? void(chosen.insert(item->text())) : void(chosen.remove(item->text()));
  }
  frozen_ = frozen;
  layers_->clear();
  for (const QString& layer : layers) {
    auto* item = new QListWidgetItem(layer, layers_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren);
    item->setCheckState(chosen.contains(layer) ? Qt::Checked : Qt::Unchecked);
  }
}

QStringList BranchFields::changes() const {
  QStringList out;
  for (const Field& field : fields_) {
    if (!field.applies || valueOf(field) == field.base) continue;
    const bool word = qobject_cast<const ToggleSwitch*>(field.control) != nullptr;
    out += QStringLiteral("%1=%2").arg(field.id, word ? QLatin1String(valueOf(field) != 0 ? "true" : "false")
                                                      : QString::number(valueOf(field), 'g', 12));
  }
  for (int i = 0; i < layers_->count(); ++i) {
    const QListWidgetItem* item = layers_->item(i);
    const bool on = item->checkState() == Qt::Checked;
    if (on != frozen_.contains(item->text()))
      out += QStringLiteral("%1%2=%3").arg(QString::fromUtf8(frozen_knob.data()), item->text()).arg(on ? 1 : 0);
  }
  return out;
}

void BranchFields::choose(const QString& setting, double value) {
  for (Field& field : fields_) {
    if (field.id != setting) continue;
    field.applies = true;
    form_->setRowVisible(field.control, true);
    put(field, value);
  }
}

}  // namespace nw::ui
