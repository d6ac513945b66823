// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/device_plan.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/scaling/planned_device.hpp"
#include "ui/charts/energy_text.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/figure_table.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int planQuietMs = 200, planFormWidth = 320, planTableWidth = 200, planTableHeight = 120, planWideWidth = 900;
enum PlanQuantity { efficiencyQuantity, throughputQuantity };

struct PlanColumn {
  const char* name;
  QString (*text)(const scaling::Curve&, const scaling::Prediction&);
};

QString planSeconds(double seconds) {
  return seconds < 0.9995 ? millisecondsText(seconds * 1e3) : durationText(seconds);
}
QString planShare(const scaling::Prediction& p, double seconds) {
  return p.step_s > 0 && seconds > 0 ? percentText(seconds / p.step_s) : QString();
}

using scaling::Curve;
using scaling::Prediction;
const PlanColumn planColumns[] = {
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Devices"),
     [](const Curve&, const Prediction& p) { return grouped(p.devices); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Step"),
     [](const Curve&, const Prediction& p) { return planSeconds(p.step_s); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Images/s"),
     [](const Curve&, const Prediction& p) { return grouped(qRound64(p.samples_per_s())); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Efficiency"),
     [](const Curve& c, const Prediction& p) { return percentText(c.efficiency(p)); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Memory"),
     [](const Curve&, const Prediction& p) { return bytesText(static_cast<double>(p.memory_bytes)); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Communication"),
     [](const Curve&, const Prediction& p) { return planShare(p, p.link_s); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Waiting"),
     [](const Curve&, const Prediction& p) { return planShare(p, p.waiting_s); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Epoch"),
     [](const Curve& c, const Prediction& p) { return c.epoch_s(p) > 0 ? planSeconds(c.epoch_s(p)) : QString(); }},
    {QT_TRANSLATE_NOOP("nw::ui::DevicePlan", "Energy of an epoch"),
     [](const Curve& c, const Prediction& p) { return energyText(c.epoch_energy_j(p)); }},
};
constexpr int planMemoryColumn = 4;

}  // namespace

DevicePlan::DevicePlan(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("devicePlan"));
  quiet_.setSingleShot(true);
  quiet_.setInterval(planQuietMs);
  build();
  fillLinks();
  connect(&quiet_, &QTimer::timeout, this, &DevicePlan::begin);
  connect(&session_, &Session::documentChanged, this, &DevicePlan::soon);
  connect(&session_, &Session::documentReplaced, this, &DevicePlan::soon);
  connect(&session_, &Session::dataFactsChanged, this, &DevicePlan::soon);
}

void DevicePlan::build() {
  makeTable();
  auto* inside = new QWidget;
  parts_ = new QBoxLayout(QBoxLayout::LeftToRight, inside);
  parts_->setContentsMargins(space::m, space::s, space::m, space::s);
  parts_->setSpacing(space::m);
  parts_->addWidget(makeForm());
  parts_->addWidget(makeChart(), 2);
  parts_->addWidget(table_, 3);
  auto* scroll = new QScrollArea;  // a low dock, or a narrow one
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll);
  setFocusProxy(device_);
}

/// Beside each other where there is room, else one below another.
void DevicePlan::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool wide = width() >= planWideWidth;
  parts_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  form_->setFixedWidth(wide ? planFormWidth : QWIDGETSIZE_MAX);
  if (!wide) form_->setMinimumWidth(0);
}

QWidget* DevicePlan::makeForm() {
  form_ = new QWidget;
  auto* column = new QVBoxLayout(form_);
  column->setContentsMargins(0, 0, space::s, 0);
  auto* rows = new QFormLayout;
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setVerticalSpacing(space::xs);
  device_ = new QComboBox;
  for (const scaling::DeviceFigures& d : scaling::published_devices()) {
    const QString name = QString::fromStdString(d.name);
    device_->addItem(name, name);
  }
  device_->addItem(tr("Threads of this computer"),
                   QString::fromUtf8(scaling::processor_name.data(), scaling::processor_name.size()));
  device_->setCurrentText(QStringLiteral("H100"));
  link_ = new QComboBox;
  split_ = new QComboBox;
  split_->addItem(tr("Parts of the batch"), static_cast<int>(scaling::Split::data));
  split_->addItem(tr("Stages of the network"), static_cast<int>(scaling::Split::model));
  split_->addItem(tr("Parts of the batch, optimizer divided"), static_cast<int>(scaling::Split::sharded));
  count_ = new QSpinBox;
  count_->setRange(1, static_cast<int>(scaling::most_devices));
  count_->setValue(8);
  same_ = new QCheckBox(tr("The whole batch on each"));
  same_->setToolTip(
      tr("Each device gets as many images as the project's batch has; otherwise the batch is divided "
         "among them"));
  note_ = makeLabel({}, 1, static_cast<int>(TextRole::secondary));
  note_->setWordWrap(true);
  note_->setObjectName(QStringLiteral("devicePlanNote"));
  column->addWidget(note_);
  column->addLayout(rows);
  column->addStretch();
  const std::pair<QString, QWidget*> fields[] = {
      {tr("Device"), device_}, {tr("Number"), count_}, {tr("Link"), link_}, {tr("Divided"), split_}};
  for (const auto& [name, field] : fields) {
    field->setAccessibleName(name);
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    rows->addRow(name, field);
  }
  rows->addRow(same_);
  connect(device_, &QComboBox::currentIndexChanged, this, &DevicePlan::fillLinks);
  for (QComboBox* box : {device_, link_, split_})
    connect(box, &QComboBox::currentIndexChanged, this, &DevicePlan::soon);
  connect(count_, &QSpinBox::valueChanged, this, &DevicePlan::soon);
  connect(same_, &QCheckBox::toggled, this, &DevicePlan::soon);
  return form_;
}

QWidget* DevicePlan::makeChart() {
  cursor_ = new ChartCursor(this);
  chart_ = new MetricChart({.title = tr("Efficiency"),
                            .unit = QStringLiteral("%"),
                            .xName = tr("Devices"),
                            .fromZero = true,
                            .id = QStringLiteral("device-plan"),
                            .logHorizontal = true},
                           cursor_);
  chart_->setObjectName(QStringLiteral("devicePlanChart"));
  chart_->addCurve({.name = tr("predicted"), .series = 0, .kind = CurveKind::validation, .inLegend = false});
  quantity_ = new QComboBox;
  quantity_->addItems({tr("Efficiency"), tr("Images/s")});
  quantity_->setAccessibleName(tr("Quantity of the curve"));
  chart_->setTitleControl(quantity_);
  connect(quantity_, &QComboBox::currentIndexChanged, this, &DevicePlan::fillChart);
  return chart_;
}

void DevicePlan::makeTable() {
  QStringList names;
  for (const PlanColumn& c : planColumns) names << tr(c.name);
  table_ = makeFigureTable(tr("Predictions by number of devices"), names);
  table_->setMinimumSize(planTableWidth, planTableHeight);
}

/// Those that the device can have; its usual one first.
void DevicePlan::fillLinks() {
  const std::string name = device_->currentData().toString().toStdString();
  scaling::DeviceFigures figures;
  if (const scaling::DeviceFigures* known = scaling::find_device(name))
    figures = *known;
  else
    figures.shares_memory = true;
  const QSignalBlocker quiet(link_);
  const QString before = link_->currentData().toString();
  link_->clear();
  link_->addItem(tr("Usual"), QString());
  for (const scaling::LinkFigures& l : scaling::published_links()) {
    const QString link = QString::fromUtf8(l.name.data(), static_cast<qsizetype>(l.name.size()));
    if (scaling::find_link(l.name, figures)) link_->addItem(link, link);
  }
  link_->setCurrentIndex(std::max(0, link_->findData(before)));
}

QString DevicePlan::sentence() const { return note_->text(); }

void DevicePlan::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  soon();
}

/// Another theme has other colours.
void DevicePlan::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && table_) fillTable();
}

void DevicePlan::soon() {
  if (isVisible()) quiet_.start();
}

DevicePlan::Choice DevicePlan::choice() const {
  return {device_->currentData().toString().toStdString(), link_->currentData().toString().toStdString(),
          static_cast<scaling::Split>(split_->currentData().toInt()), count_->value(), same_->isChecked()};
}

/// Worker thread.
Result<scaling::Curve> DevicePlan::computed(const GraphDoc& doc, const DataFacts& facts, const Choice& choice) {
  NW_ASSIGN(const scaling::PlannedDevice device, scaling::planned_device(choice.device));
  NW_ASSIGN(const scaling::LinkFigures link, scaling::find_link(choice.link, device.figures));
  const scaling::Setup setup{.device = device.figures,
                             .compiled_for = device.device.get(),
                             .link = link,
                             .split = choice.split,
                             .batch_of_device = choice.same ? doc.settings().batch : 0};
  return scaling::predict_curve(doc, facts, setup, choice.count);
}

/// One at a time; what changed meanwhile is computed afterwards.
void DevicePlan::begin() {
  if (computing_) {
    again_ = true;
    return;
  }
  computing_ = true;
  const auto ended = [this] {
    computing_ = false;
    if (std::exchange(again_, false)) begin();
  };
  inBackground(
      this,
      [doc = session_.doc(), facts = session_.dataFacts(), chosen = choice()] { return computed(doc, facts, chosen); },
      [this, ended](const Result<scaling::Curve>& curve) {
        if (!again_) take(curve);
        ended();
      },
      ended);
}

void DevicePlan::take(const Result<scaling::Curve>& curve) {
  curve_ = curve ? std::optional(*curve) : std::nullopt;
  if (!curve)
    say(translated(curve.error().what), true);
  else
    say(tr("Predicted: %1.").arg(translated(scaling::limit_of(*curve))), false);
  fillChart();
  fillTable();
}

void DevicePlan::say(const QString& sentence, bool error) {
  note_->setText(sentence);
  note_->setAccessibleName(error ? tr("No prediction: %1").arg(sentence) : sentence);
}

void DevicePlan::fillChart() {
  const bool share = quantity_->currentIndex() == efficiencyQuantity;
  if (share)
    chart_->setQuantity(tr("Efficiency"), QStringLiteral("%"), 105,
                        [](double v) { return QString::number(v, 'f', 1); });
  else
    chart_->setQuantity(tr("Images/s"), {}, qInf(), [](double v) { return grouped(qRound64(v)); });
  QVector<double> x, y;
  if (curve_)
    for (const Prediction& p : curve_->points) {
      x << static_cast<double>(p.devices);
      y << (share ? 100 * curve_->efficiency(p) : p.samples_per_s());
    }
  chart_->setHorizontal({0, x.isEmpty() ? 1 : x.last()});
  chart_->setCurve(0, x, y);
  chart_->replotSoon();
}

void DevicePlan::fillTable() {
  table_->setRowCount(curve_ ? static_cast<int>(curve_->points.size()) : 0);
  for (int row = 0; row < table_->rowCount(); ++row) {
    const Prediction& p = curve_->points[static_cast<std::size_t>(row)];
    for (int column = 0; column < table_->columnCount(); ++column) {
      QTableWidgetItem* cell = makeFigure(planColumns[column].text(*curve_, p));
      if (column == planMemoryColumn && !p.fits) {
        cell->setText(tr("%1, too much").arg(cell->text()));
        cell->setForeground(theme().warn);
        cell->setToolTip(tr("The device has less memory than a training needs"));
      }
      table_->setItem(row, column, cell);
    }
  }
}

}  // namespace nw::ui
