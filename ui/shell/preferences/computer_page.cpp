// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/computer_page.hpp"

#include <QBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QScrollArea>
#include <QTableWidget>
#include <cmath>

#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/figure_table.hpp"
#include "ui/widgets/share_bars.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QTableWidget* makeTable(const QString& name, const QStringList& heads, QWidget* parent) {
  QTableWidget* table = makeFigureTable(name, heads, parent);
  table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return table;
}

QTableWidgetItem* numberItem(const QString& text, double share = -1) {
  QTableWidgetItem* item = makeFigure(text);
  if (share >= 0) item->setData(ShareBars::shareRole, share);
  return item;
}

/// All rows are seen: the page scrolls, not the table.
void showAllRows(QTableWidget& table) {
  int height = table.horizontalHeader()->sizeHint().height() + 2 * table.frameWidth();
  for (int row = 0; row < table.rowCount(); ++row) height += table.rowHeight(row);
  table.setFixedHeight(height);
}

struct SpeedRow {
  QString processor, format;
  scaling::TrainingSpeeds speeds;
  bool here = false;
};

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString giga(double perSecond) { return QString::number(perSecond / 1e9, 'f', perSecond < 1e10 ? 1 : 0); }

}  // namespace

ComputerPage::ComputerPage(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      processor_(makeElidedLabel(QString(), 1, static_cast<int>(TextRole::body), this)),
      sets_(makeLabel(QString(), 1, static_cast<int>(TextRole::body), this)),
      peaks_(makeLabel(QString(), 1, static_cast<int>(TextRole::body), this)),
      speedTable_(makeTable(
          tr("Training speed by processor and network"),
          QStringList{tr("Processor"), tr("Precision")} <<
              [] {
                QStringList names;
                for (const std::string_view name : scaling::compared_networks) names << textOf(name);
                return names;
              }(),
          this)),
      kernelTable_(makeTable(tr("Kernels of a training step"),
                             {tr("Kernel"), tr("Share"), tr("Time, µs"), tr("GFLOP/s"), tr("Of the peak")}, this)),
      kernelSection_(new FormSection(tr("Kernels of a step of %1").arg(textOf(scaling::compared_networks[0])), this)) {
  sets_->setWordWrap(true);
  peaks_->setWordWrap(true);
  speedTable_->setItemDelegate(new ShareBars(speedTable_));
  kernelTable_->setItemDelegate(new ShareBars(kernelTable_));
  auto* facts = new FormSection(tr("Processor"), this);
  facts->addRow(tr("Name"), processor_);
  facts->addRow(tr("Instruction sets"), sets_);
  facts->addRow(tr("One thread"), peaks_);
  auto* speeds = new FormSection(tr("Training on two threads, images per second"), this);
  speeds->addWide(speedTable_);
  kernelSection_->addWide(kernelTable_);
  kernelSection_->hide();
  auto* page = new QWidget(this);
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(0, space::m, 0, 0);
  rows->setSpacing(space::m);
  for (QWidget* section :
       {static_cast<QWidget*>(facts), static_cast<QWidget*>(speeds), static_cast<QWidget*>(kernelSection_)})
    rows->addWidget(section);
  rows->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(page);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(scroll, 1);
  column->addWidget(makeFoot());
  connect(&measured_, &ComputerSpeed::changed, this, &ComputerPage::fill);
  connect(&measured_, &ComputerSpeed::finished, this, [this] { ended({}); });
  connect(&measured_, &ComputerSpeed::failed, this, &ComputerPage::ended);
  fill();
}

QWidget* ComputerPage::makeFoot() {
  auto* foot = new QWidget(this);
  bar_ = new QProgressBar(foot);
  bar_->setRange(0, 1000);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the benchmark"));
  bar_->hide();
  note_ = new SeverityLabel(SeverityLabel::Tone::quiet, foot);
  measure_ = makeButton(tr("Measure"), ButtonKind::neutral, QStringLiteral("refresh"), foot);
  measure_->setObjectName(QStringLiteral("measureComputer"));
  auto* line = new QHBoxLayout(foot);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(space::m);
  line->addWidget(note_, 1);
  line->addWidget(bar_);
  line->addWidget(measure_);
  note_->say(tr("The benchmark takes about a minute."));
  connect(measure_, &QPushButton::clicked, this, &ComputerPage::startOrStop);
  return foot;
}

void ComputerPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(looked_, true)) return;
  measure_->setEnabled(false);
  measured_.look();
}

void ComputerPage::startOrStop() {
  if (measured_.isMeasuring()) return measured_.stop();
  note_->setSeverity(SeverityLabel::Tone::quiet);
  bar_->show();
  measure_->setText(tr("Stop"));
  measured_.measure();
}

void ComputerPage::fill() {
  fillProcessor();
  fillSpeeds();
  fillKernels();
  if (measured_.isMeasuring()) sayProgress();
}

void ComputerPage::fillProcessor() {
  const ProcessorFacts& facts = measured_.processor();
  processor_->setText(facts.description.isEmpty()
                          ? tr("Measuring…")
                          : tr("%1, %2 of memory").arg(facts.description, bytesText(facts.memoryBytes)));
  QStringList sets;
  for (const auto& set : facts.instructionSets)
    sets << (set.used     ? tr("%1 (in use)").arg(set.name)
             : set.usable ? set.name
                          : tr("%1 (not in this processor)").arg(set.name));
  sets_->setText(sets.join(QStringLiteral(" · ")));
  peaks_->setText(
      facts.flops > 0
          ? tr("%1 GFLOP/s in fp32, %2 GB/s of memory").arg(giga(facts.flops), giga(facts.memoryBytesPerSecond))
          : QString());
}

void ComputerPage::fillSpeeds() {
  QVector<SpeedRow> rows;
  const auto own = [&](ComputerSpeed::Format format) {
    scaling::TrainingSpeeds speeds;
    for (std::size_t n = 0; n < speeds.size(); ++n) speeds[n] = measured_.imagesPerSecond(format, n);
    return speeds;
  };
  rows.push_back({tr("This computer"), QStringLiteral("fp32"), own(ComputerSpeed::Format::fp32), true});
  rows.push_back({tr("This computer"), tr("automatic"), own(ComputerSpeed::Format::automatic), true});
  for (const scaling::KnownProcessor& known : scaling::known_processors()) {
    const QString name =
        QStringLiteral("%1, %2, %3").arg(textOf(known.name), textOf(known.instruction_set), textOf(known.date));
    rows.push_back({name, QStringLiteral("fp32"), known.fp32});
    rows.push_back({name, tr("16 bits"), known.sixteen_bits});
  }
  scaling::TrainingSpeeds most{};
  for (const SpeedRow& row : rows)
    for (std::size_t n = 0; n < most.size(); ++n) most[n] = std::max(most[n], row.speeds[n]);
  speedTable_->setRowCount(static_cast<int>(rows.size()));
  for (int r = 0; r < rows.size(); ++r) {
    auto* name = new QTableWidgetItem(rows[r].processor);
    name->setToolTip(rows[r].processor);
    name->setData(ShareBars::accentRole, rows[r].here);
    speedTable_->setItem(r, 0, name);
    speedTable_->setItem(r, 1, new QTableWidgetItem(rows[r].format));
    for (std::size_t n = 0; n < most.size(); ++n) {
      const double speed = rows[r].speeds[n];
      auto* item =
          numberItem(speed > 0 ? grouped(std::llround(speed)) : QStringLiteral("–"), most[n] > 0 ? speed / most[n] : 0);
      item->setData(ShareBars::accentRole, rows[r].here);
      speedTable_->setItem(r, static_cast<int>(n) + 2, item);
    }
  }
  for (int r = 0; r + 1 < rows.size(); r += 2) speedTable_->setSpan(r, 0, 2, 1);  // both formats of a processor
  showAllRows(*speedTable_);
}

void ComputerPage::fillKernels() {
  const QVector<KernelFacts>& all = measured_.kernels();
  kernelSection_->setVisible(!all.isEmpty());
  kernelTable_->setRowCount(static_cast<int>(all.size()));
  for (int r = 0; r < all.size(); ++r) {
    const KernelFacts& k = all[r];
    const double peak = measured_.peakFlops();
    const QString name = k.layer + QLatin1Char(' ') + k.kernel;
    kernelTable_->setItem(r, 0, new QTableWidgetItem(name));
    kernelTable_->item(r, 0)->setToolTip(name);
    kernelTable_->setItem(r, 1, numberItem(percentText(k.share), k.share));
    kernelTable_->setItem(r, 2, numberItem(QString::number(1e6 * k.seconds, 'f', 1)));
    kernelTable_->setItem(r, 3, numberItem(k.flops > 0 ? giga(k.flops) : QString()));
    kernelTable_->setItem(r, 4, numberItem(k.flops > 0 && peak > 0 ? percentText(k.flops / peak, 0) : QString()));
  }
  if (!all.isEmpty()) showAllRows(*kernelTable_);
}

void ComputerPage::sayProgress() {
  bar_->setValue(static_cast<int>(1000 * measured_.progress()));
  const auto left = measured_.secondsLeft();
  QString text = left ? tr("Measuring, %1 left").arg(durationText(std::ceil(*left))) : tr("Measuring…");
  if (session_.run().state() != RunController::State::idle)
    text += QLatin1Char(' ') + tr("A training runs beside it: the figures are lower than they could be.");
  note_->say(text);
}

void ComputerPage::ended(const QString& error) {
  const bool benchmark = bar_->isVisible();
  bar_->hide();
  measure_->setEnabled(true);
  measure_->setText(tr("Measure"));
  note_->setSeverity(error.isEmpty() ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::error);
  if (!error.isEmpty())
    note_->say(error);
  else if (benchmark && measured_.progress() < 1)
    note_->say(tr("Stopped."));
  else
    note_->say(benchmark ? tr("Other programs that run at the same time make the figures lower.")
                         : tr("The benchmark takes about a minute."));
}

}  // namespace nw::ui
