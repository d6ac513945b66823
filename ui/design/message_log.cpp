// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/message_log.hpp"

#include <QTime>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

MessageLog::MessageLog(Session& session, QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("log"));
  setAccessibleName(tr("Log"));
  setFrameShape(QFrame::NoFrame);
  setWordWrap(true);
  setFont(ui::font(TextRole::body));
  QPalette clear = palette();
  clear.setColor(QPalette::Base, Qt::transparent);
  setPalette(clear);
  connect(&session, &Session::message, this, [this](const QString& sentence, int severity) {
    constexpr int mostRows = 1000;
    const char* icons[] = {"info", "alert-triangle", "alert-octagon"};
    auto* row = new QListWidgetItem(icon(QLatin1String(icons[std::clamp(severity, 0, 2)])),
                                    QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + sentence, this);
    if (count() > mostRows) delete takeItem(0);
    scrollToItem(row);
  });
}

}  // namespace nw::ui
