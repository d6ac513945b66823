// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {
struct ChartExportTexts {
  Q_DECLARE_TR_FUNCTIONS(ChartExport)
};
}  // namespace

void exportChart(QWidget* chart, const QString& title, const QString& suffix,
                 const std::function<Status(const QString& file)>& write, const ChartReport& report) {
  const QString suggestion = QString(title).toLower().replace(u' ', u'-') + u'.' + suffix;
  const QString file = QFileDialog::getSaveFileName(chart, ChartExportTexts::tr("Export chart"), suggestion,
                                                    QStringLiteral("*.") + suffix);
  if (file.isEmpty()) return;
  if (const Status done = write(file); !done) return report(translated(done.error().what), 2, {});
  report(ChartExportTexts::tr("The chart was exported to %1.").arg(QDir::toNativeSeparators(file)), 0,
         fileActions(file));
}

}  // namespace nw::ui
