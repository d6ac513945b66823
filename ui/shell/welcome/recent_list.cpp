// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/recent_list.hpp"

#include <QContextMenuEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <cmath>
#include <limits>
#include <map>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/data/data_rows.hpp"
#include "ui/session/metric.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct RunsOf {
  int count = 0;
  double best = std::numeric_limits<double>::quiet_NaN();
  Metric metric = Metric::accuracy;
  bool training = false;
};

}  // namespace

std::vector<RecentProject> readRecent(const QStringList& paths) {
  std::map<std::string, RunsOf> runs;
  for (const RunSummary& run : list_runs(runs_folder())) {
    RunsOf& of = runs[run.name];
    ++of.count;
    if (!std::isnan(run.best_accuracy) && !(run.best_accuracy <= of.best))
      of.best = run.best_accuracy, of.metric = run.metric;
    of.training = of.training || run.status == RunStatus::running;
  }
  std::vector<RecentProject> all;
  for (const QString& path : paths) {
    RecentProject project;
    project.path = path;
    project.name = QFileInfo(path).completeBaseName();
    project.used = QFileInfo(path).lastModified();
    project.missing = !QFileInfo::exists(path);
    if (const auto doc = project.missing ? Result<GraphDoc>(Error{}) : readProject(path)) {
      project.data = described(doc->data());
      project.miniature = miniatureOf(*doc, usualFacts(doc->data()));
    }
    const RunsOf& of = runs[project.name.toStdString()];
    project.runs = of.count;
    project.training = of.training;
    if (!std::isnan(of.best)) project.best = metricText(of.metric, of.best);
    all.push_back(std::move(project));
  }
  return all;
}

QString relativeTimeText(const QDateTime& then, const QDateTime& now) {
  const qint64 seconds = then.secsTo(now);
  const auto say = [](const char* text, qint64 n) { return QCoreApplication::translate("Ago", text).arg(n); };
  if (seconds < 60) return QCoreApplication::translate("Ago", "just now");
  if (seconds < 3600) return say(QT_TRANSLATE_NOOP("Ago", "%1 min ago"), seconds / 60);
  if (then.date() == now.date()) return say(QT_TRANSLATE_NOOP("Ago", "%1 h ago"), seconds / 3600);
  if (then.date().addDays(1) == now.date()) return QCoreApplication::translate("Ago", "yesterday");
  return QLocale().toString(then.date(), QLocale::ShortFormat);
}

RecentRow::RecentRow(RecentProject project, QWidget* parent) : QWidget(parent), project_(std::move(project)) {
  setAccessibleName(tr("Project %1").arg(project_.name));
  setToolTip(project_.path);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setEnabled(!project_.missing);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  if (!project_.missing) setCursor(Qt::PointingHandCursor);
}

void RecentRow::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QColor none(0, 0, 0, 0);
  if (isEnabled() && (underMouse() || hasFocus())) style::box(p, rect(), radius::group, t.hover, none);
  const QRectF picture(8, 7, 72, 48);
  style::box(p, picture, radius::control, t.sunken, t.border1);
  paintMiniature(p, picture.adjusted(7, 7, -7, -7), project_.miniature);
  const qreal x = 92, right = width() - 12.0;
  const qreal bestWidth = project_.best.isEmpty() ? 0 : 70;
  p.setFont(ui::font(TextRole::node));
  p.setPen(isEnabled() ? t.text1 : t.text3);
  const auto line = [&](qreal y, const QString& text, qreal room) {
    p.drawText(QRectF(x, y, room, 17), Qt::AlignVCenter,
               p.fontMetrics().elidedText(text, Qt::ElideMiddle, static_cast<int>(room)));
  };
  line(6, project_.name, right - x - bestWidth);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  const QString runs = project_.runs > 0 ? tr("%n run(s)", nullptr, project_.runs) : tr("no runs yet");
  line(23,
       project_.missing          ? tr("does not exist any more")
       : project_.data.isEmpty() ? runs
                                 : tr("%1, %2").arg(project_.data, runs),
       right - x - bestWidth);
  p.setFont(ui::font(TextRole::axis));
  p.setPen(project_.training ? t.ok : t.text3);
  if (!project_.missing)
    line(39, project_.training ? tr("● training now") : relativeTimeText(project_.used, QDateTime::currentDateTime()),
         right - x - bestWidth);
  if (project_.best.isEmpty()) return;
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRectF(right - bestWidth, 6, bestWidth, 17), Qt::AlignVCenter | Qt::AlignRight, project_.best);
  p.setFont(ui::font(TextRole::small));
  p.setPen(t.text3);
  p.drawText(QRectF(right - bestWidth, 23, bestWidth, 16), Qt::AlignVCenter | Qt::AlignRight, tr("best"));
}

void RecentRow::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT asked();
}

void RecentRow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
    Q_EMIT asked();
  else if (event->key() == Qt::Key_Delete)
    Q_EMIT forgetRequested();
  else
    QWidget::keyPressEvent(event);
}

void RecentRow::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  menu.addAction(tr("Open"), this, &RecentRow::asked);
  menu.addAction(icon(QStringLiteral("x")), tr("Remove from this list"), this, &RecentRow::forgetRequested);
  menu.exec(event->globalPos());
}

}  // namespace nw::ui
