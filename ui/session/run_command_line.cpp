// SPDX-License-Identifier: GPL-3.0-or-later
// The command lines that do what the window does, to copy.
#include <QRegularExpression>

#include "ui/session/run_controller.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

namespace {
QString quoted(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
  if (plain.match(word).hasMatch()) return word;
  return u'\'' + QString(word).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}
}  // namespace

QString RunController::commandLine() const {
  const QString file =
      session_.path().isEmpty() ? runNameOf(session_.displayName()) + QStringLiteral(".netwright") : session_.path();
  return QStringLiteral("netwright-cli train ") + quoted(file);
}

QString RunController::replayCommand(const QString& runFolder) {
  return QStringLiteral("netwright-cli train --replay ") + quoted(runFolder);
}

}  // namespace nw::ui
