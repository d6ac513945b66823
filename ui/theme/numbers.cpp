// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as text: thin spaces between thousands, one unit, few digits.
#include <QCoreApplication>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr QChar thin(0x2009);

QString tr(const char* text) { return QCoreApplication::translate("nw::ui", text); }

/// Three significant digits at most: 9.75, 97.5, 975.
QString threeDigits(double v) {
  const int decimals = std::abs(v) < 9.995 ? 2 : std::abs(v) < 99.95 ? 1 : 0;
  QString s = QString::number(v, 'f', decimals);
  if (s.contains(QLatin1Char('.'))) {
    while (s.endsWith(QLatin1Char('0'))) s.chop(1);
    if (s.endsWith(QLatin1Char('.'))) s.chop(1);
  }
  return s;
}

}  // namespace

QString grouped(qint64 n) {
  QString s = QString::number(n);
  const int first = n < 0 ? 1 : 0;
  for (int i = static_cast<int>(s.size()) - 3; i > first; i -= 3) s.insert(i, thin);
  return s;
}

QString rounded(double n) {
  if (!std::isfinite(n)) return QStringLiteral("–");
  const double a = std::abs(n);
  if (a < 1000) return a == std::floor(a) ? QString::number(n, 'f', 0) : threeDigits(n);
  static const char* const units[] = {"k", "M", "G", "T", "P"};
  double v = n / 1000;
  int unit = 0;
  while (std::abs(v) >= 999.5 && unit < 4) v /= 1000, ++unit;
  const QString digits = std::abs(v) >= 99.95 ? QString::number(v, 'f', 0) : QString::number(v, 'f', 1);
  return (digits.endsWith(QLatin1String(".0")) ? digits.chopped(2) : digits) + QChar(0x202F) +
         QLatin1String(units[unit]);
}

QString bytesText(double bytes) {
  if (!std::isfinite(bytes) || bytes < 0) return QStringLiteral("–");
  static const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 5) bytes /= 1000, ++unit;
  const int decimals = unit == 0 ? 0 : bytes < 9.95 ? (unit >= 3 ? 2 : 1) : bytes < 99.5 ? 1 : 0;
  return QString::number(bytes, 'f', decimals) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString durationText(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return QStringLiteral("–");
  if (seconds < 0.9995) return tr("%1 ms").arg(std::lround(seconds * 1000));
  if (seconds < 9.95) return tr("%1 s").arg(QString::number(seconds, 'f', 1));
  const qint64 s = std::llround(seconds);
  if (s < 60) return tr("%1 s").arg(s);
  if (s < 3600) return s % 60 ? tr("%1 min %2 s").arg(s / 60).arg(s % 60) : tr("%1 min").arg(s / 60);
  const qint64 minutes = s / 60;
  if (minutes < 48 * 60)
    return minutes % 60 ? tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60) : tr("%1 h").arg(minutes / 60);
  return tr("%1 d %2 h").arg(minutes / 1440).arg(minutes % 1440 / 60);
}

QString millisecondsText(double ms) {
  if (!std::isfinite(ms) || ms <= 0) return QStringLiteral("–");
  return tr("%1 ms").arg(ms < 999.5 ? QString::number(ms, 'g', 3) : grouped(std::llround(ms)));
}

QString deviceText(const std::string& described) {
  const QString names = QString::fromStdString(described).section(QStringLiteral(" ("), 0, 0);
  QStringList shown;
  bool gpus = true;
  for (const QString& device : names.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
    const QString kind = device.section(u':', 0, 0), number = device.section(u':', 1);
    const QString name = kind == QLatin1String("cpu")    ? QStringLiteral("CPU")
                         : kind == QLatin1String("cuda") ? QStringLiteral("GPU")
                                                         : kind;
    gpus = gpus && kind == QLatin1String("cuda");
    shown += number.isEmpty() ? name : name + u' ' + number;
  }
  if (shown.size() <= 2) return shown.join(QStringLiteral(", "));
  return QStringLiteral("%1 × %2").arg(shown.size()).arg(gpus ? QStringLiteral("GPU") : QStringLiteral("CPU"));
}

QString percentText(double fraction, int decimals) {
  if (!std::isfinite(fraction)) return QStringLiteral("–");
  return QString::number(fraction * 100, 'f', decimals) + QStringLiteral(" %");
}

}  // namespace nw::ui
