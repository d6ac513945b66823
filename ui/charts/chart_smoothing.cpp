// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_smoothing.hpp"

#include <QEvent>
#include <QMenu>
#include <QSettings>
#include <cmath>

#include "ui/charts/metric_chart.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr double factors[] = {0, 0.6, 0.9, 0.95, 0.99};
constexpr int width_with_factor = 420;

QString keyOf(const QString& id) { return QStringLiteral("charts/smoothing/") + id; }
}  // namespace

double rememberedSmoothing(const QString& id, double otherwise) {
  if (id.isEmpty()) return otherwise;
  bool number = false;
  const double factor = QSettings().value(keyOf(id)).toDouble(&number);
  return number && factor >= 0 && factor < 1 ? factor : otherwise;
}

void MetricChart::chooseSmoothing(double factor) {
  if (!options_.id.isEmpty()) QSettings().setValue(keyOf(options_.id), factor);
  setSmoothing(factor);
}

void MetricChart::fillSmoothingMenu(QMenu& menu) {
  for (const double factor : factors) {
    const QString text = factor == 0 ? tr("Off") : QString::number(factor);
    QAction* action = menu.addAction(text, this, [this, factor] { chooseSmoothing(factor); });
    action->setCheckable(true);
    action->setChecked(factor == options_.smoothing);
  }
}

SmoothingButton::SmoothingButton(MetricChart& chart) : chart_(chart) {
  setObjectName(QStringLiteral("smoothing"));
  setIcon(ui::icon(QStringLiteral("smooth")));
  setIconSize({18, 18});
  setFixedHeight(30);
  setFont(ui::font(TextRole::button));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setButtonKind(this, ButtonKind::ghost);
  connect(this, &QPushButton::clicked, this, [this] {
    QMenu menu(this);
    chart_.fillSmoothingMenu(menu);
    menu.exec(mapToGlobal(rect().bottomLeft()));
  });
  connect(&chart_, &MetricChart::smoothingChanged, this, &SmoothingButton::say);
  chart_.installEventFilter(this);
  say();
}

void SmoothingButton::say() {
  const double factor = chart_.options().smoothing;
  const QString value = factor > 0 ? QString::number(factor) : tr("Off");
  setAccessibleName(tr("Smoothing of chart %1").arg(chart_.options().title));
  setAccessibleDescription(value);
  setToolTip(tr("Smoothing: %1").arg(value));
  const bool room = factor > 0 && chart_.width() >= width_with_factor;
  setText(room ? value : QString());
  if (room)
    setMinimumWidth(0), setMaximumWidth(QWIDGETSIZE_MAX);
  else
    setFixedWidth(30);
}

bool SmoothingButton::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) say();
  return QPushButton::eventFilter(watched, event);
}

}  // namespace nw::ui
