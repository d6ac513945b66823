// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_status.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "ui/design/lanes/placement.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class UpLine : public QWidget {
 public:
  explicit UpLine(QWidget* parent) : QWidget(parent) { setFixedSize(1, 16); }

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().border2); }
};

}  // namespace

/// "✓ Fits" and a bar of the used fraction of the memory; a warning from 90 % on.
class Fits : public QWidget {
 public:
  explicit Fits(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("fits"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  }
  void show(double share) {
    share_ = share;
    setAccessibleName(words());
    updateGeometry();
    update();
  }
  QSize sizeHint() const override {
    return {QFontMetrics(ui::font(TextRole::button)).horizontalAdvance(words()) + 22 + gap + bar, 20};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    const QColor ink = share_ > 1 ? t.error : share_ > tight ? t.warn : t.ok;
    QPainter p(this);
    paintIcon(p,
              share_ > 1       ? QStringLiteral("alert-octagon")
              : share_ > tight ? QStringLiteral("alert-triangle")
                               : QStringLiteral("check"),
              QRectF(0, 3, 14, 14), ink);
    p.setFont(ui::font(TextRole::button));
    p.setPen(ink);
    p.drawText(QRectF(20, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, words());
    const QRectF track(width() - bar, height() / 2.0 - 3, bar, 6);
    style::box(p, track, 2, t.track, QColor(0, 0, 0, 0));
    style::box(p, QRectF(track.left(), track.top(), std::max(3.0, bar * std::min(1.0, share_)), 6), 2,
               share_ > tight ? ink : t.text2, QColor(0, 0, 0, 0));
  }

 private:
  static constexpr double tight = 0.9;
  static constexpr int bar = 80, gap = 10;
  QString words() const {
    return share_ > 1       ? DesignStatus::tr("Does not fit")
           : share_ > tight ? DesignStatus::tr("Barely fits")
                            : DesignStatus::tr("Fits");
  }
  double share_ = 0;
};

DesignStatus::DesignStatus(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), estimator_(new FitEstimator(session, this)) {
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
  row->addSpacing(16);
  parameters_ = figure(tr("Parameters"), "parameterCount");
  compute_ = figure(tr("Compute"), "computeFigure");
  row->addWidget(new UpLine(this));
  row->addSpacing(10);
  fits_ = new Fits(this);
  row->addWidget(fits_);
  memory_ = figure(tr("Memory"), "memoryFigure");
  batch_ = figure(tr("Largest batch"), "largestBatch");
  epoch_ = figure(tr("Epoch"), "epochTime");
  measure_ = measureButton();
  last_ = figure(tr("Last run"), "lastRunTime");
  times_ = figure({}, "laneTimes");
  times_.wanted = false;
  row->addStretch(1);
  connect(&session_, &Session::devicesChanged, this, &DesignStatus::refresh);
  connect(&session_, &Session::analysisChanged, this, &DesignStatus::refresh);
  connect(estimator_, &FitEstimator::changed, this, &DesignStatus::refresh);
  refresh();
}

void DesignStatus::follow(Placement& placement) {
  const auto say = [this, &placement] {
    times_.wanted = placement.split();
    times_.value->setText(placement.sourceText());
    drop();
  };
  connect(&placement, &Placement::changed, this, say);
  say();
}

DesignStatus::Figure DesignStatus::figure(const QString& title, const char* name) {
  auto* place = new QWidget(this);
  auto* row = new QHBoxLayout(place);
  row->setContentsMargins(0, 0, 10, 0);
  row->setSpacing(6);
  row->addWidget(makeLabel(title, 2, static_cast<int>(TextRole::secondary), place));
  QLabel* label = makeLabel({}, 1, static_cast<int>(TextRole::button), place);
  label->setObjectName(QLatin1String(name));
  row->addWidget(label);
  layout()->addWidget(place);
  return {place, label};
}

DesignStatus::Figure DesignStatus::measureButton() {
  auto* button = new QPushButton(tr("Measure"), this);
  button->setObjectName(QStringLiteral("measureSpeed"));
  button->setToolTip(tr("Trains this network for a second, to measure the time of an epoch"));
  button->setAccessibleDescription(button->toolTip());
  layout()->addWidget(button);
  connect(button, &QPushButton::clicked, estimator_, &FitEstimator::measure);
  return {button, nullptr};
}

void DesignStatus::showEvent(QShowEvent* event) {
  estimator_->setOn(true);
  QWidget::showEvent(event);
}

void DesignStatus::hideEvent(QHideEvent* event) {
  estimator_->setOn(false);
  QWidget::hideEvent(event);
}

/// Also another font or screen changes what the figures need.
bool DesignStatus::event(QEvent* event) {
  const bool taken = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest && isCutOff()) drop();
  return taken;
}

/// A figure that could be left out is narrower than its text.
bool DesignStatus::isCutOff() const {
  const Figure* all[] = {&parameters_, &compute_, &memory_, &batch_, &epoch_, &measure_, &last_, &times_};
  return layout()->totalMinimumSize().width() > width() && width() >= minimumSizeHint().width() &&
         std::any_of(std::begin(all), std::end(all), [](const Figure* f) { return !f->place->isHidden(); });
}

void DesignStatus::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  drop();
}

/// Hides what does not fit, the least important first.
void DesignStatus::drop() {
  for (const Figure* f : {&parameters_, &compute_, &memory_, &batch_, &epoch_, &measure_, &last_, &times_}) {
    f->place->setVisible(f->wanted);
    f->place->updateGeometry();  // the layout would use the width of the text before
  }
  layout()->invalidate();
  for (const Figure* f : {&compute_, &last_, &parameters_, &times_, &batch_, &measure_, &memory_, &epoch_}) {
    if (layout()->totalMinimumSize().width() <= width() || width() < minimumSizeHint().width()) return;
    f->place->hide();
    layout()->invalidate();
  }
}

void DesignStatus::refresh() {
  const Analysis& a = session_.analysis();
  errors_->setText(QString::number(a.count(Severity::error)));
  warnings_->setText(QString::number(a.count(Severity::warning)));
  notes_->setText(QString::number(a.count(Severity::note)));
  parameters_.value->setText(grouped(a.parameters));
  const double flop = 2.0 * static_cast<double>(a.multiply_adds);  // one multiplication and one addition
  compute_.value->setText(flop >= 1e9 ? tr("%1 GFLOP / image").arg(flop / 1e9, 0, 'f', 2)
                                      : tr("%1 MFLOP / image").arg(flop / 1e6, 0, 'f', 2));
  compute_.place->setToolTip(tr("%1 multiply-adds to predict one image; training takes about three times as many")
                                 .arg(grouped(a.multiply_adds)));
  refreshFit();
  refreshTimes();
  drop();
}

/// The planned memory until training is prepared; of several devices the one with the least memory left.
void DesignStatus::refreshFit() {
  const std::int64_t planned = session_.analysis().memory_bytes;
  double needs = static_cast<double>(planned), there = memoryThere(), share = there > 0 ? needs / there : 0;
  QStringList each;
  if (planned > 0 && !estimator_->devices().empty()) share = needs = there = 0;
  if (planned > 0)
    for (const FitDevice& d : estimator_->devices()) {
      each << tr("%1: %2 of %3").arg(d.name, bytesText(d.needs), bytesText(d.there));
      if (needs > 0 && (d.there <= 0 || d.needs / d.there <= share)) continue;
      needs = d.needs;
      there = d.there;
      share = d.there > 0 ? d.needs / d.there : 0;
    }
  const QString known = there > 0 ? tr("%1 for training, %2 available").arg(bytesText(needs), bytesText(there))
                                  : tr("%1 for training").arg(bytesText(needs));
  memory_.value->setText(planned > 0 ? known : QStringLiteral("?"));
  memory_.place->setToolTip(each.join(u'\n'));
  fits_->setVisible(planned > 0 && there > 0);
  fits_->show(share);
  batch_.wanted = planned > 0 && estimator_->largestBatch() > 0;
  batch_.value->setText(grouped(estimator_->largestBatch()));
  batch_.place->setToolTip(tr("The largest batch that fits into the memory of the chosen devices during training"));
}

void DesignStatus::refreshTimes() {
  const FitEstimator& e = *estimator_;
  const bool ready = session_.analysis().ok() && session_.analysis().memory_bytes > 0;
  const bool measuring = e.state() == FitEstimator::State::measuring, failed = e.state() == FitEstimator::State::failed;
  epoch_.wanted = ready && (e.epochSeconds() > 0 || measuring || failed);
  epoch_.value->setText(e.epochSeconds() > 0 ? tr("≈ %1").arg(durationText(e.epochSeconds()))
                        : failed             ? QStringLiteral("?")
                                             : tr("measuring…"));
  epoch_.place->setToolTip(failed ? e.error() : e.epochSeconds() > 0 ? epochSource() : QString());
  measure_.wanted = ready && !e.measured() && !measuring && session_.run().state() == RunController::State::idle;
  last_.wanted = ready && e.lastRun().has_value();
  if (!last_.wanted) return;
  const LastRun& run = *e.lastRun();
  last_.value->setText(tr("%1 an epoch").arg(durationText(run.epochSeconds)));
  last_.place->setToolTip(tr("Measured by the last run of this network: %1 image(s) a second, %2 of memory\n%3",
                             nullptr, static_cast<int>(qRound64(run.imagesPerSecond)))
                              .arg(grouped(qRound64(run.imagesPerSecond)), bytesText(run.memoryBytes), run.folder));
}

/// Where the time of an epoch comes from.
QString DesignStatus::epochSource() const {
  const auto speed = static_cast<int>(qRound64(estimator_->imagesPerSecond()));
  const QString text =
      estimator_->measured()
          ? tr("Estimated from a short training run on this computer: %1 image(s) per second", nullptr, speed)
          : tr("Computed from the network's multiply-adds and the speed of this computer with a small network: %1 "
               "image(s) per second. Measure trains this network for a second.",
               nullptr, speed);
  return text.arg(grouped(speed));
}

/// Free memory of the smallest chosen device; 0: unknown.
double DesignStatus::memoryThere() const {
  const std::vector<std::string>& chosen = session_.doc().settings().devices;
  double least = 0;
  for (const DeviceInfo& info : session_.devices()) {
    const auto is = [&](const std::string& name) {
      return name == info.name || (name.rfind("cpu", 0) == 0 && info.name.rfind("cpu", 0) == 0);
    };
    if (info.memory_bytes <= 0 || std::none_of(chosen.begin(), chosen.end(), is)) continue;
    double bytes = static_cast<double>(info.memory_bytes);
    if (info.name.rfind("cpu", 0) == 0 && estimator_->freeBytes() > 0) bytes = std::min(bytes, estimator_->freeBytes());
    least = least > 0 ? std::min(least, bytes) : bytes;
  }
  return least;
}

}  // namespace nw::ui
