// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings_dialog.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/train/knobs.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

bool isFrozen(const QString& name) { return name.startsWith(QString::fromUtf8(frozen_knob.data())); }

const SettingRow* rowOf(const std::vector<SettingRow>& rows, const QString& name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& r) { return r.id == name; });
  return row == rows.end() ? nullptr : &*row;
}

/// The definition with the changes that the run has recorded.
GraphDoc trainedNow(const RunFeed& feed) {
  GraphDoc doc = feed.definition()->doc;
  for (const Event& e : feed.log()) {
    const auto* knob = std::get_if<Knob>(&e.what);
    if (knob == nullptr) continue;
    if (auto changed = with_knob(doc, knob->name, knob->value)) doc = *std::move(changed);
  }
  return doc;
}

}  // namespace

RunSettingsDialog::RunSettingsDialog(const RunFeed& feed, QWidget* parent)
    : QDialog(parent), doc_(trainedNow(feed)), rate_(feed.last().learning_rate) {
  setObjectName(QStringLiteral("runSettings"));
  setWindowTitle(tr("Change a setting of the run"));
  setMinimumWidth(460);
  names_ = new QComboBox;
  names_->setAccessibleName(tr("Setting"));
  number_ = new NumberSpin(false, 0, 1, 0);
  number_->setAccessibleName(tr("Value"));
  toggle_ = new ToggleSwitch(tr("Frozen"));
  toggle_->setCheckable(true);
  note_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  note_->setWordWrap(true);
  const std::vector<SettingRow> rows = settingRows();
  names_->addItem(tr("Learning rate"), QStringLiteral("learning_rate"));
  for (const std::string& known : knob_names(doc_)) {
    const QString id = QString::fromStdString(known);
    const SettingRow* row = rowOf(rows, id);
    if (isFrozen(id))
      names_->addItem(tr("Freeze %1").arg(id.mid(static_cast<qsizetype>(frozen_knob.size()))), id);
    else if (row != nullptr && row->kind != SettingRow::Kind::toggle)
      names_->addItem(row->label, id);
  }
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(space::l);
  form->addRow(tr("Setting"), names_);
  form->addRow(tr("Value"), number_);
  form->addRow(tr("Frozen"), toggle_);
  auto* apply = makeButton(tr("Apply"), ButtonKind::primary, {}, this);
  apply->setObjectName(QStringLiteral("apply"));
  apply->setDefault(true);
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(apply);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addLayout(form);
  column->addWidget(note_);
  column->addStretch(1);
  column->addLayout(buttons);
  connect(apply, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(names_, &QComboBox::currentIndexChanged, this, &RunSettingsDialog::show);
  show(0);
}

QString RunSettingsDialog::name() const { return names_->currentData().toString(); }

double RunSettingsDialog::value() const {
  return isFrozen(name()) ? (toggle_->isChecked() ? 1.0 : 0.0) : number_->value();
}

double RunSettingsDialog::valueNow(const QString& name) const {
  if (name == QLatin1String("learning_rate")) return rate_;
  const std::vector<SettingRow> rows = settingRows();
  const SettingRow* row = rowOf(rows, name);
  return row != nullptr ? row->get(doc_.settings()) : 0;
}

/// The control of the chosen setting, with its limits and the value that it has now.
void RunSettingsDialog::show(int) {
  const QString id = name();
  const bool frozen = isFrozen(id);
  auto* form = qobject_cast<QFormLayout*>(layout()->itemAt(0)->layout());
  form->setRowVisible(number_, !frozen);
  form->setRowVisible(toggle_, frozen);
  const std::vector<SettingRow> rows = settingRows();
  if (frozen) {
    const std::string layer = id.mid(static_cast<qsizetype>(frozen_knob.size())).toStdString();
    for (const auto& [node_id, node] : doc_.graph().nodes)
      if (node.name == layer) toggle_->setChecked(node.frozen);
  } else if (const SettingRow* row = rowOf(rows, id)) {
    number_->setDecimals(row->kind == SettingRow::Kind::integer ? 0 : 12);
    number_->setRange(row->lo, row->hi);
    number_->follow(valueNow(id));
  }
  note_->setText(
      id == QLatin1String("accumulate")
          ? tr("The change holds from the next epoch on. It is marked on the charts and recorded in the run.")
          : tr("The change holds from the next step on. It is marked on the charts and recorded in the run."));
}

}  // namespace nw::ui
