// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/device_comparison_dialog.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <algorithm>
#include <cmath>

#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/sentences.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/figure_table.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QTableWidget* makeTable(const QString& name, const QStringList& columns, QWidget* parent) {
  QTableWidget* table = makeFigureTable(name, columns, parent);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  return table;
}

void addRow(QTableWidget& table, const QStringList& cells) {
  const int row = table.rowCount();
  table.insertRow(row);
  for (int c = 0; c < cells.size(); ++c) {
    table.setItem(row, c, c == 0 ? new QTableWidgetItem(cells[c]) : makeFigure(cells[c]));
  }
}

/// A number that is none (JSON has no others: null) is a dash.
QString number(double x, char format = 'g', int digits = 3) {
  return std::isfinite(x) ? QString::number(x, format, digits) : QStringLiteral("–");
}
double realAt(const Json& object, const char* key) { return numberAt(object, key, std::nan("")); }

/// The list or object of this name; empty where there is none.
Json childOf(const Json& all, const char* key) {
  const auto found = all.find(key);
  return found == all.end() ? Json() : *found;
}

/// The position of the first GPU after the first device; of the second device without a GPU.
int secondOf(const QStringList& devices) {
  const auto gpu = std::find_if(devices.begin() + 1, devices.end(),
                                [](const QString& d) { return d.startsWith(QLatin1String("cuda:")); });
  return gpu == devices.end() ? 1 : static_cast<int>(gpu - devices.begin());
}

}  // namespace

DeviceComparisonDialog::DeviceComparisonDialog(const QString& run, const QString& checkpoint,
                                               const QStringList& devices, QWidget* parent)
    : QDialog(parent),
      run_(run),
      checkpoint_(checkpoint),
      first_(makeChoice(devices, tr("First device"), 0)),
      second_(makeChoice(devices, tr("Second device"), secondOf(devices))),
      devices_(makeTable(
          tr("The devices side by side"),
          {tr("Device"), tr("Images/s"), tr("Median, ms"), tr("J per image"), tr("Loss"), tr("Accuracy")}, this)),
      layers_(makeTable(tr("Differences by layer, in the order of computation"),
                        {tr("Layer"), tr("Largest difference"), tr("Largest value"), tr("Relative difference")}, this)),
      verdict_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      again_(makeButton(tr("Compare again"), ButtonKind::neutral, QStringLiteral("refresh"), this)) {
  setWindowTitle(tr("Device comparison"));
  resize(760, 560);
  verdict_->setWordWrap(true);
  devices_->horizontalHeaderItem(3)->setToolTip(tr(
      "Of a GPU by its own counter, including other programs; processors are added where their counter can be read"));
  layOut();
  connect(again_, &QPushButton::clicked, this, &DeviceComparisonDialog::start);
  for (QComboBox* box : {first_, second_})
    connect(box, &QComboBox::currentIndexChanged, this, &DeviceComparisonDialog::start);
  start();
}

void DeviceComparisonDialog::layOut() {
  auto* choices = new QHBoxLayout;
  choices->addWidget(first_);
  choices->addWidget(second_);
  choices->addStretch(1);
  choices->addWidget(again_);
  const int header = devices_->horizontalHeader()->sizeHint().height();
  devices_->setFixedHeight(header + 2 * devices_->verticalHeader()->defaultSectionSize() + 4);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::l, space::l, space::l, space::l);
  rows->setSpacing(space::m);
  rows->addLayout(choices);
  rows->addWidget(devices_);
  rows->addWidget(verdict_);
  rows->addWidget(layers_, 1);
}

QComboBox* DeviceComparisonDialog::makeChoice(const QStringList& devices, const QString& name, int chosen) {
  auto* box = new QComboBox(this);
  box->addItems(devices);
  box->setCurrentIndex(chosen);
  box->setAccessibleName(name);
  box->setToolTip(name);
  return box;
}

QString DeviceComparisonDialog::sentence() const { return verdict_->text(); }

void DeviceComparisonDialog::setIdle(bool idle) {
  for (QWidget* w : {static_cast<QWidget*>(first_), static_cast<QWidget*>(second_), static_cast<QWidget*>(again_)})
    w->setEnabled(idle);
}

void DeviceComparisonDialog::start() {
  if (comparing()) return;
  devices_->setRowCount(0);
  layers_->setRowCount(0);
  verdict_->setSeverity(SeverityLabel::Tone::quiet);
  verdict_->say(tr("Comparing…"));
  setIdle(false);
  process_ = new CommandProcess(this);
  process_->start(
      {QStringLiteral("compare-devices"), run_, QStringLiteral("--checkpoint"), checkpoint_,
       QStringLiteral("--devices"), first_->currentText() + QLatin1Char(',') + second_->currentText()},
      [this](const Json& all) { showResult(all); }, [this](const QString& sentence) { showError(sentence); });
}

void DeviceComparisonDialog::end() {
  process_->deleteLater();
  process_ = nullptr;
  setIdle(true);
}

void DeviceComparisonDialog::showResult(const Json& all) {
  const Json layers = childOf(all, "layers");
  if (!layers.is_array()) return showError(tr("The comparison ended without a result."));
  end();
  for (const char* side : {"first", "second"}) showDevice(childOf(all, side));
  const QString diverging = textAt(all, "first_diverging_layer");
  for (const Json& layer : layers) showLayer(layer);
  for (int row = 0; row < layers_->rowCount() && !diverging.isEmpty(); ++row)
    if (layers_->item(row, 0)->text() == diverging) return showVerdict(all, row);
  showVerdict(all, -1);
}

void DeviceComparisonDialog::showDevice(const Json& device) {
  const double energy = realAt(device, "energy_j_per_image");
  addRow(*devices_, {textAt(device, "device"), grouped(std::llround(numberAt(device, "images_per_s"))),
                     number(realAt(device, "latency_ms"), 'f', 3), number(energy),
                     number(realAt(device, "loss"), 'f', 5), percentText(realAt(device, "accuracy"), 2)});
  if (!std::isfinite(energy))
    devices_->item(devices_->rowCount() - 1, 3)->setToolTip(tr("This device has no energy counter that can be read"));
}

void DeviceComparisonDialog::showLayer(const Json& layer) {
  const Json finite = layer.is_object() ? childOf(layer, "finite") : Json();
  const bool numbers = !finite.is_boolean() || finite.get<bool>();
  addRow(*layers_, {textAt(layer, "layer"), number(realAt(layer, "largest")), number(realAt(layer, "scale")),
                    numbers ? number(realAt(layer, "relative")) : tr("not finite")});
}

/// `diverging`: the row of the first layer that differs; -1: none.
void DeviceComparisonDialog::showVerdict(const Json& all, int diverging) {
  const QString tolerance = percentText(numberAt(all, "tolerance"), 1);
  const QString images = tr("%1 of %2 images are predicted as another class.")
                             .arg(grouped(integerAt(all, "disagreements")), grouped(integerAt(all, "images")));
  verdict_->setSeverity(diverging < 0 ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::warn);
  if (diverging < 0)
    return verdict_->say(joinedSentences(tr("No layer differs by more than %1.").arg(tolerance), images));
  QFont bold = layers_->font();
  bold.setWeight(QFont::DemiBold);
  for (int c = 0; c < layers_->columnCount(); ++c) layers_->item(diverging, c)->setFont(bold);
  layers_->selectRow(diverging);
  layers_->scrollToItem(layers_->item(diverging, 0));
  verdict_->say(joinedSentences(
      tr("The first layer that differs by more than %1 is %2.").arg(tolerance, layers_->item(diverging, 0)->text()),
      images));
}

void DeviceComparisonDialog::showError(const QString& sentence) {
  end();
  verdict_->setSeverity(SeverityLabel::Tone::error);
  verdict_->say(sentence);
}

}  // namespace nw::ui
