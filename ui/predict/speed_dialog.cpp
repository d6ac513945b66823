// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/speed_dialog.hpp"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QTableWidget>
#include <cmath>

#include "engine/core/csv_field.hpp"
#include "ui/predict/device_comparison_dialog.hpp"
#include "ui/session/command_process.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/figure_table.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int columns = 6;

}  // namespace

SpeedDialog::SpeedDialog(const QString& run, const QString& checkpoint, const QStringList& devices, QWidget* parent)
    : QDialog(parent),
      run_(run),
      checkpoint_(checkpoint),
      devices_(devices),
      compare_(makeButton(tr("Compare layer by layer…"), ButtonKind::ghost, {}, this)),
      table_(makeFigureTable(
          tr("Speed by device and batch size"),
          {tr("Device"), tr("Threads"), tr("Batch size"), tr("Median, ms"), tr("99th percentile, ms"), tr("Images/s")},
          this)),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      again_(makeButton(tr("Measure again"), ButtonKind::neutral, QStringLiteral("refresh"), this)),
      copy_(makeButton(tr("Copy as CSV"), ButtonKind::neutral, QStringLiteral("copy"), this)) {
  setWindowTitle(tr("Speed of predictions"));
  resize(720, 380);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::l, space::l, space::l, space::l);
  rows->setSpacing(space::m);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(note_, 1);
  buttons->addWidget(compare_);
  buttons->addWidget(copy_);
  buttons->addWidget(again_);
  rows->addWidget(table_, 1);
  rows->addLayout(buttons);
  compare_->setEnabled(devices_.size() > 1);
  compare_->setToolTip(devices_.size() > 1
                           ? tr("Compares two devices: the outputs of each layer, loss, speed and energy")
                           : tr("Only one device can compute here"));
  connect(compare_, &QPushButton::clicked, this, &SpeedDialog::compare);
  connect(again_, &QPushButton::clicked, this, &SpeedDialog::start);
  connect(copy_, &QPushButton::clicked, this, &SpeedDialog::copy);
  start();
}

QString SpeedDialog::error() const { return note_->text(); }

void SpeedDialog::start() {
  if (measuring()) return;
  table_->setRowCount(0);
  note_->setSeverity(SeverityLabel::Tone::quiet);
  note_->say(tr("Measuring…"));
  again_->setEnabled(false);
  process_ = new CommandProcess(this);
  process_->onLine([this](const Json& speed) { addRow(speed); });
  process_->start(
      {QStringLiteral("infer-bench"), run_, QStringLiteral("--checkpoint"), checkpoint_, QStringLiteral("--devices"),
       devices_.join(QLatin1Char(','))},
      [this](const Json&) { ended({}); }, [this](const QString& error) { ended(error); });
}

void SpeedDialog::compare() {
  auto* dialog = new DeviceComparisonDialog(run_, checkpoint_, devices_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void SpeedDialog::addRow(const Json& speed) {
  JsonReader r(speed, "infer-bench");
  const QStringList cells{
      QString::fromStdString(r.string("device")),      QString::number(r.integer("threads", 1, 1 << 16)),
      QString::number(r.integer("batch", 1, 1 << 20)), QString::number(r.real("latency_ms"), 'f', 3),
      QString::number(r.real("slowest_ms"), 'f', 3),   grouped(std::llround(r.real("images_per_s")))};
  if (!r.status()) return;
  const int row = table_->rowCount();
  table_->insertRow(row);
  for (int c = 0; c < columns; ++c) {
    auto* item = new QTableWidgetItem(cells[c]);
    item->setTextAlignment(Qt::AlignVCenter | (c == 0 ? Qt::AlignLeft : Qt::AlignRight));
    table_->setItem(row, c, item);
  }
}

void SpeedDialog::ended(const QString& error) {
  process_->deleteLater();
  process_ = nullptr;
  again_->setEnabled(true);
  note_->setSeverity(error.isEmpty() ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::error);
  note_->say(error);
}

void SpeedDialog::copy() {
  QStringList lines{QStringLiteral("device,threads,batch,latency_ms,slowest_ms,images_per_s")};
  for (int r = 0; r < table_->rowCount(); ++r) {
    QStringList cells;
    for (int c = 0; c < columns; ++c)
      cells << QString::fromStdString(csv_field(table_->item(r, c)
                                                    ->text()
                                                    .remove(QChar(0x2009))
                                                    .remove(QChar(0x202f))
                                                    .remove(QLatin1Char(' '))
                                                    .toStdString()));
    lines << cells.join(QLatin1Char(','));
  }
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

}  // namespace nw::ui
