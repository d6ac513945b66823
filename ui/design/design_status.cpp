// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/design_status.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/severity_icon.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
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

/// "✓ Fits" and a bar of the share; a warning from 90 % on.
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
  QSize sizeHint() const override { return {QFontMetrics(ui::font(TextRole::button)).horizontalAdvance(words()) + 22 + gap + bar, 20}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    const QColor ink = share_ > 1 ? t.error : share_ > tight ? t.warn : t.ok;
    QPainter p(this);
    paintIcon(p, share_ > 1 ? QStringLiteral("alert-octagon") : share_ > tight ? QStringLiteral("alert-triangle") : QStringLiteral("check"), QRectF(0, 3, 14, 14), ink);
    p.setFont(ui::font(TextRole::button));
    p.setPen(ink);
    p.drawText(QRectF(20, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, words());
    const QRectF track(width() - bar, height() / 2.0 - 3, bar, 6);
    style::box(p, track, 2, t.border2, QColor(0, 0, 0, 0));
    style::box(p, QRectF(track.left(), track.top(), std::max(3.0, bar * std::min(1.0, share_)), 6), 2, share_ > tight ? ink : t.text2, QColor(0, 0, 0, 0));
  }

 private:
  static constexpr double tight = 0.9;
  static constexpr int bar = 110, gap = 12;
  QString words() const { return share_ > 1 ? DesignStatus::tr("Does not fit") : share_ > tight ? DesignStatus::tr("Hardly fits") : DesignStatus::tr("Fits"); }
  double share_ = 0;
};

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
  row->addSpacing(32);
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
  row->addWidget(new UpLine(this));
  row->addSpacing(16);
  fits_ = new Fits(this);
  row->addWidget(fits_);
  row->addSpacing(10);
  memory_ = figure(tr("Memory"), "memoryFigure");
  row->addStretch(1);
  connect(&session_, &Session::devicesChanged, this, &DesignStatus::refresh);
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
  const double needed = static_cast<double>(a.memory_bytes), there = memoryThere();
  const QString known = there > 0 ? tr("%1 of %2 to train").arg(bytesText(needed), bytesText(there)) : tr("%1 to train").arg(bytesText(needed));
  memory_->setText(a.memory_bytes > 0 ? known : QStringLiteral("?"));
  fits_->setVisible(a.memory_bytes > 0 && there > 0);
  fits_->show(there > 0 ? needed / there : 0);
}

/// Of the smallest device that is chosen; 0: not known.
double DesignStatus::memoryThere() const {
  const std::vector<std::string>& chosen = session_.doc().settings().devices;
  double least = 0;
  for (const DeviceInfo& info : session_.devices()) {
    const auto is = [&](const std::string& name) { return name == info.name || (name.rfind("cpu", 0) == 0 && info.name.rfind("cpu", 0) == 0); };
    if (info.memory_bytes <= 0 || std::none_of(chosen.begin(), chosen.end(), is)) continue;
    const double bytes = static_cast<double>(info.memory_bytes);
    least = least > 0 ? std::min(least, bytes) : bytes;
  }
  return least;
}

}  // namespace nw::ui
