// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_title.hpp"

#include <QFileInfo>
#include <QRegularExpression>

#include "ui/session/session.hpp"

namespace nw::ui {

QString runTitle(const QString& folder) {
  static const QRegularExpression dated(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}-(.+)-([0-9a-f]+)$"));
  const QString name = inOneLine(QFileInfo(folder).fileName());
  const auto match = dated.match(name);
  return match.hasMatch() ? match.captured(1) + u' ' + match.captured(2) : name;
}

QString runTitle(const RunSummary& run) {
  return run.given_name.empty() ? runTitle(QString::fromStdString(run.folder.string()))
                                : inOneLine(QString::fromStdString(run.given_name));
}

QString runNameOf(const QString& project) {
  QString out;
  for (const QChar c : project.toLower()) {
    const bool plain = (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
    if (plain)
      out += c;
    else if (!out.isEmpty() && !out.endsWith(u'-'))
      out += u'-';
  }
  while (out.endsWith(u'-')) out.chop(1);
  return out.isEmpty() ? QStringLiteral("network") : out.left(40);
}

QString titleWithProject(const QString& project, const QString& folder) {
  const QString title = runTitle(folder);
  if (project.isEmpty() || title == project) return title;
  const QString rest = title.startsWith(project + u' ') ? title.mid(project.size() + 1) : title;
  return QStringLiteral("%1 · %2").arg(project, rest);
}

}  // namespace nw::ui
