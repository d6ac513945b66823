// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/device_comparison_dialog.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <algorithm>
#include <cmath>

#include "ui/settings/severity_label.hpp"
#include "ui/theme/sentences.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QTableWidget* makeTable(const QStringList& columns, const QString& name, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(columns.size()), parent);
  table->setHorizontalHeaderLabels(columns);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAccessibleName(name);
  return table;
}

void addRow(QTableWidget& table, const QStringList& cells) {
  const int row = table.rowCount();
  table.insertRow(row);
  for (int c = 0; c < cells.size(); ++c) {
    auto* item = new QTableWidgetItem(cells[c]);
    item->setTextAlignment(Qt::AlignVCenter | (c == 0 ? Qt::AlignLeft : Qt::AlignRight));
    table.setItem(row, c, item);
  }
}

QString number(double x) { return QString::number(x, 'g', 3); }

}  // namespace

DeviceComparisonDialog::DeviceComparisonDialog(const QString& run, const QString& checkpoint,
                                               const QStringList& devices, QWidget* parent)
    : QDialog(parent),
      run_(run),
      checkpoint_(checkpoint),
      process_(new MeasuringProcess(this)),
      verdict_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      again_(makeButton(tr("Compare again"), ButtonKind::neutral, QStringLiteral("refresh"), this)) {
  setWindowTitle(tr("Two devices compared"));
  resize(760, 560);
  const auto gpu = std::find_if(devices.begin() + 1, devices.end(),
                                [](const QString& d) { return d.startsWith(QLatin1String("cuda:")); });
  first_ = makeChoice(devices, tr("First device"), 0);
  second_ =
      makeChoice(devices, tr("Second device"), gpu == devices.end() ? 1 : static_cast<int>(gpu - devices.begin()));
  devices_ = makeTable({tr("Device"), tr("Images/s"), tr("Median, ms"), tr("J per image"), tr("Loss"), tr("Accuracy")},
                       tr("The devices side by side"), this);
  devices_->setFixedHeight(110);
  layers_ = makeTable({tr("Layer"), tr("Largest difference"), tr("Largest value"), tr("Relative difference")},
                      tr("Differences by layer, in the order of computation"), this);
  verdict_->setWordWrap(true);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::l, space::l, space::l, space::l);
  rows->setSpacing(space::m);
  auto* choices = new QHBoxLayout;
  choices->addWidget(first_);
  choices->addWidget(second_);
  choices->addStretch(1);
  choices->addWidget(again_);
  rows->addLayout(choices);
  rows->addWidget(devices_);
  rows->addWidget(verdict_);
  rows->addWidget(layers_, 1);
  connect(process_, &MeasuringProcess::line, this, &DeviceComparisonDialog::show);
  connect(process_, &MeasuringProcess::ended, this, &DeviceComparisonDialog::ended);
  connect(again_, &QPushButton::clicked, this, &DeviceComparisonDialog::start);
  for (QComboBox* box : {first_, second_})
    connect(box, &QComboBox::currentIndexChanged, this, &DeviceComparisonDialog::start);
  start();
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

void DeviceComparisonDialog::start() {
  if (comparing()) return;
  shown_ = false;
  devices_->setRowCount(0);
  layers_->setRowCount(0);
  verdict_->setSeverity(SeverityLabel::Tone::quiet);
  verdict_->say(tr("Comparing…"));
  for (QWidget* w : {static_cast<QWidget*>(first_), static_cast<QWidget*>(second_), static_cast<QWidget*>(again_)})
    w->setEnabled(false);
  process_->start({QStringLiteral("compare-devices"), run_, QStringLiteral("--checkpoint"), checkpoint_,
                   QStringLiteral("--devices"), first_->currentText() + QLatin1Char(',') + second_->currentText(),
                   QStringLiteral("--json")});
}

void DeviceComparisonDialog::show(const QByteArray& json) {
  const auto all = parse_json(json.toStdString(), "compare-devices");
  if (!all || !all->is_object()) return;
  JsonReader r(*all, "compare-devices");
  const Json *first = r.child("first", Json::value_t::object), *second = r.child("second", Json::value_t::object),
             *layers = r.child("layers", Json::value_t::array);
  if (first == nullptr || second == nullptr || layers == nullptr) return;
  shown_ = true;
  for (const Json* device : {first, second}) showDevice(*device);
  const std::string diverging = all->value("first_diverging_layer", Json()).is_string()
                                    ? (*all)["first_diverging_layer"].get<std::string>()
                                    : std::string();
  for (const Json& layer : *layers)
    if (layer.is_object()) showLayer(layer, !diverging.empty() && layer.value("layer", "") == diverging);
  showVerdict(*all);
}

void DeviceComparisonDialog::showDevice(const Json& device) {
  JsonReader r(device, "compare-devices");
  const double energy = r.real_or("energy_j_per_image", -1);
  addRow(*devices_, {QString::fromStdString(r.string("device")), grouped(std::llround(r.real("images_per_s"))),
                     QString::number(r.real("latency_ms"), 'f', 3), energy < 0 ? QStringLiteral("–") : number(energy),
                     QString::number(r.real("loss"), 'f', 5), percentText(r.real("accuracy"), 2)});
  if (energy < 0) devices_->item(devices_->rowCount() - 1, 3)->setToolTip(tr("This device has no energy counter here"));
}

void DeviceComparisonDialog::showLayer(const Json& layer, bool firstDiverging) {
  JsonReader r(layer, "compare-devices");
  const bool finite = r.boolean_or("finite", true);
  addRow(*layers_, {QString::fromStdString(r.string("layer")), number(r.real_or("largest", 0)),
                    number(r.real_or("scale", 0)), finite ? number(r.real_or("relative", 0)) : tr("not finite")});
  if (!firstDiverging) return;
  const int row = layers_->rowCount() - 1;
  QFont bold = layers_->font();
  bold.setWeight(QFont::DemiBold);
  for (int c = 0; c < layers_->columnCount(); ++c) layers_->item(row, c)->setFont(bold);
  layers_->selectRow(row);
  layers_->scrollToItem(layers_->item(row, 0));
}

void DeviceComparisonDialog::showVerdict(const Json& all) {
  JsonReader r(all, "compare-devices");
  const QString tolerance = percentText(r.real_or("tolerance", 0), 1);
  const Json diverging = all.value("first_diverging_layer", Json());
  const QString images = tr("%1 of %2 images are predicted as another class.")
                             .arg(grouped(r.integer_or("disagreements", 0, 0, 1LL << 40)))
                             .arg(grouped(r.integer_or("images", 0, 0, 1LL << 40)));
  verdict_->setSeverity(diverging.is_string() ? SeverityLabel::Tone::warn : SeverityLabel::Tone::quiet);
  const QString layer = diverging.is_string()
                            ? tr("The first layer that differs by more than %1 is %2.")
                                  .arg(tolerance, QString::fromStdString(diverging.get<std::string>()))
                            : tr("No layer differs by more than %1.").arg(tolerance);
  verdict_->say(joinedSentences(layer, images));
}

void DeviceComparisonDialog::ended(int, const QString& error) {
  for (QWidget* w : {static_cast<QWidget*>(first_), static_cast<QWidget*>(second_), static_cast<QWidget*>(again_)})
    w->setEnabled(true);
  if (shown_) return;  // exit code 1: a layer differs
  verdict_->setSeverity(SeverityLabel::Tone::error);
  verdict_->say(error.isEmpty() ? tr("The comparison ended without a result.") : error);
}

}  // namespace nw::ui
