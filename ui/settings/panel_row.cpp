// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/panel_row.hpp"

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>

#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int label_width = 108;
}

PanelRow::PanelRow(const QString& label, QWidget* control, const QString& help, QWidget* parent)
    : QWidget(parent), control_(control), error_(new SeverityLabel(SeverityLabel::Tone::error, this)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::s);
  grid->setVerticalSpacing(2);
  QLabel* name = makeLabel(label, 2, static_cast<int>(TextRole::body), this);
  name->setFixedWidth(label_width);
  name->setWordWrap(true);
  name->setBuddy(control);
  grid->addWidget(name, 0, 0, Qt::AlignVCenter);
  const bool narrow = qobject_cast<QAbstractButton*>(control) != nullptr;
  grid->addWidget(control, 0, 1, narrow ? Qt::AlignRight | Qt::AlignVCenter : Qt::Alignment());
  grid->addWidget(error_, 1, 1);
  grid->setColumnStretch(1, 1);
  showRefusals(*grid);
  setToolTip(help);
  if (control->accessibleName().isEmpty()) control->setAccessibleName(label);
  control->setAccessibleDescription(help);
}

void PanelRow::showRefusals(QGridLayout& grid) {
  QList<NumberSpin*> spins = control_->findChildren<NumberSpin*>();
  if (auto* own = qobject_cast<NumberSpin*>(control_)) spins << own;
  int line = 2;
  for (NumberSpin* spin : spins) {
    auto* note = new RefusalNote(this);
    grid.addWidget(note, line++, 1);
    note->follow(*spin);
  }
}

void PanelRow::setError(const QString& sentence) { error_->say(sentence); }

}  // namespace nw::ui
