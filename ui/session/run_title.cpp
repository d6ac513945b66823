// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_title.hpp"

#include <QFileInfo>
#include <QRegularExpression>

namespace nw::ui {

QString runTitle(const QString& folder) {
  static const QRegularExpression dated(QStringLiteral("^\\d{4}-\\d{2}-\\d{2}-(.+)-([0-9a-f]+)$"));
  const QString name = QFileInfo(folder).fileName();
  const auto match = dated.match(name);
  return match.hasMatch() ? match.captured(1) + u' ' + match.captured(2) : name;
}

QString runTitle(const RunSummary& run) {
  return run.given_name.empty() ? runTitle(QString::fromStdString(run.folder.string()))
                                : QString::fromStdString(run.given_name);
}

}  // namespace nw::ui
