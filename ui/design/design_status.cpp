// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_status.hpp"

#include <QHBoxLayout>

#include "ui/design/severity_icon.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

DesignStatus::DesignStatus(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("designStatus"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  const auto count = [&](Severity severity, const char* name, const QString& spoken) {
    row->addWidget(new SeverityIcon(severity, this));
    QLabel* label = makeLabel({}, 1, static_cast<int>(TextRole::button), this);
    label->setObjectName(QLatin1String(name));
    label->setToolTip(spoken);
    row->addWidget(label);
    row->addSpacing(8);
    return label;
  };
  errors_ = count(Severity::error, "errorCount", tr("Errors"));
  warnings_ = count(Severity::warning, "warningCount", tr("Warnings"));
  notes_ = count(Severity::note, "noteCount", tr("Notes"));
  row->addSpacing(60);
  const auto figure = [&](const QString& title, const char* name) {
    row->addWidget(makeLabel(title, 2, static_cast<int>(TextRole::secondary), this));
    QLabel* label = makeLabel({}, 1, static_cast<int>(TextRole::button), this);
    label->setObjectName(QLatin1String(name));
    row->addWidget(label);
    row->addSpacing(16);
    return label;
  };
  parameters_ = figure(tr("Parameters"), "parameterCount");
  compute_ = figure(tr("Compute"), "computeFigure");
  memory_ = figure(tr("Memory"), "memoryFigure");
  row->addStretch(1);
  connect(&session_, &Session::analysisChanged, this, &DesignStatus::refresh);
  refresh();
}

void DesignStatus::refresh() {
  const Analysis& a = session_.analysis();
  errors_->setText(QString::number(a.count(Severity::error)));
  warnings_->setText(QString::number(a.count(Severity::warning)));
  notes_->setText(QString::number(a.count(Severity::note)));
  parameters_->setText(grouped(a.parameters));
  const double flop = 2.0 * static_cast<double>(a.multiply_adds);      // one multiplication and one addition
  compute_->setText(flop >= 1e9 ? tr("%1 GFLOP / image").arg(flop / 1e9, 0, 'f', 2) : tr("%1 MFLOP / image").arg(flop / 1e6, 0, 'f', 2));
  memory_->setText(a.memory_bytes > 0 ? tr("%1 to train").arg(bytesText(static_cast<double>(a.memory_bytes))) : QStringLiteral("?"));
}

}  // namespace nw::ui
