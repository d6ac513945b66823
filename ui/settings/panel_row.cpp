// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/panel_row.hpp"

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/settings/number_spin.hpp"
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
    auto* limits = new SeverityLabel(SeverityLabel::Tone::error, this);
    QPushButton* nearest = makeButton({}, ButtonKind::tonal, {}, this);
    nearest->setObjectName(QStringLiteral("useNearest"));
    nearest->hide();
    grid.addWidget(limits, line++, 1);
    grid.addWidget(nearest, line++, 1, Qt::AlignLeft);
    connect(spin, &NumberSpin::refused, this, [limits, nearest](const QString& sentence, const QString& number) {
      limits->say(sentence);
      nearest->setText(tr("Use %1").arg(number));
      nearest->setVisible(!number.isEmpty());
    });
    connect(spin, &NumberSpin::accepted, this, [limits, nearest] {
      limits->say({});
      nearest->hide();
    });
    connect(nearest, &QPushButton::clicked, spin, [spin] {
      spin->useNearest();
      spin->setFocus();  // the button is hidden now
    });
  }
}

void PanelRow::setError(const QString& sentence) { error_->say(sentence); }

}  // namespace nw::ui
