// SPDX-License-Identifier: GPL-3.0-or-later
// The call is that of the Desktop Notifications Specification 1.2, "org.freedesktop.Notifications.Notify".
#include "ui/desktop/desktop_notification.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>

namespace nw::ui {

void notifyDesktop(const QString& title, const QString& sentence) {
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  const QString name = QStringLiteral("org.freedesktop.Notifications");
  QDBusMessage call = QDBusMessage::createMethodCall(name, QStringLiteral("/org/freedesktop/Notifications"), name,
                                                     QStringLiteral("Notify"));
  constexpr uint none = 0;      // it replaces no earlier one
  constexpr int as_usual = -1;  // how long it is shown
  // Services may show markup in the sentence, and never in the title.
  call << QStringLiteral("Netwright") << none << QStringLiteral("netwright") << title << sentence.toHtmlEscaped()
       << QStringList() << QVariantMap{{QStringLiteral("desktop-entry"), QStringLiteral("netwright")}} << as_usual;
  bus.send(call);
}

void notifyUnlessActive(const QString& title, const QString& sentence) {
  if (QGuiApplication::applicationState() != Qt::ApplicationActive) notifyDesktop(title, sentence);
}

}  // namespace nw::ui
