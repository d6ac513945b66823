// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_status.hpp"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QLabel* figure(QHBoxLayout* row, const QString& title) {
  row->addWidget(makeLabel(title, 2, static_cast<int>(TextRole::secondary)));
  auto* value = makeLabel({}, 1, static_cast<int>(TextRole::button));
  row->addWidget(value);
  row->addSpacing(space::m);
  return value;
}

}  // namespace

DesignStatus::DesignStatus(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(space::m, 0, 0, 0);
  row->setSpacing(space::s);
  problems_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  row->addWidget(problems_);
  row->addSpacing(space::l);
  parameters_ = figure(row, tr("Parameters"));
  parameters_->setObjectName(QStringLiteral("statusParameters"));
  compute_ = figure(row, tr("Multiply-adds per image"));
  memory_ = figure(row, tr("Memory to train"));
  row->addStretch(1);
  connect(&session_, &Session::analysisChanged, this, &DesignStatus::refresh);
  refresh();
}

void DesignStatus::refresh() {
  const Analysis& a = session_.analysis();
  const int errors = a.count(Severity::error), warnings = a.count(Severity::warning);
  problems_->setText(errors + warnings == 0 ? tr("No problems") : tr("%n error(s)", nullptr, errors) + QStringLiteral(", ") + tr("%n warning(s)", nullptr, warnings));
  parameters_->setText(grouped(a.parameters));
  compute_->setText(rounded(static_cast<double>(a.multiply_adds)));
  memory_->setText(a.memory_bytes > 0 ? bytesText(static_cast<double>(a.memory_bytes)) : QStringLiteral("?"));
}

}  // namespace nw::ui
