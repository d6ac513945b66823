// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications of the desktop, seen by a service of the tests on a bus of their own.
#include "ui/desktop/desktop_notification.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QStandardPaths>
#include <QWidget>

#include "tests/support/wait_for.hpp"

namespace nw::ui {
namespace {

/// org.freedesktop.Notifications, which keeps what it is asked to show.
class Service : public QDBusVirtualObject {
 public:
  QString introspect(const QString&) const override { return {}; }
  bool handleMessage(const QDBusMessage& message, const QDBusConnection& bus) override {
    if (message.member() != QLatin1String("Notify")) return false;
    calls.append(message.arguments());
    return bus.send(message.createReply(uint{1}));
  }
  QList<QVariantList> calls;
};

struct Desktop : testing::Test {
  static void SetUpTestSuite() {
    const QString daemon = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
    if (daemon.isEmpty()) return;
    process().start(daemon,
                    {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
    if (!process().waitForReadyRead(5000)) return;
    qputenv("DBUS_SESSION_BUS_ADDRESS", process().readLine().trimmed());
    // a connection of its own, as another program has it
    QDBusConnection bus =
        QDBusConnection::connectToBus(qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS"), QStringLiteral("desktop"));
    listens() = bus.registerVirtualObject(QStringLiteral("/org/freedesktop/Notifications"), &service()) &&
                bus.registerService(QStringLiteral("org.freedesktop.Notifications"));
  }
  static void TearDownTestSuite() {
    process().kill();
    process().waitForFinished();
  }
  void SetUp() override {
    if (!listens()) GTEST_SKIP() << "dbus-daemon is not here";
    service().calls.clear();
  }
  static QProcess& process() {
    static QProcess daemon;
    return daemon;
  }
  static Service& service() {
    static Service shown;
    return shown;
  }
  static bool& listens() {
    static bool on = false;
    return on;
  }
};

TEST_F(Desktop, ShowsTitleAndSentenceAsPlainText) {
  notifyDesktop(QStringLiteral("lenet5 a7"), QStringLiteral("Test accuracy 98 % <b>& more</b>"));
  ASSERT_TRUE(test::wait_for([] { return service().calls.size() == 1; }));
  const QVariantList call = service().calls.front();
  ASSERT_EQ(call.size(), 8);
  EXPECT_EQ(call[0].toString(), QStringLiteral("Netwright"));
  EXPECT_EQ(call[1].toUInt(), 0U);
  EXPECT_EQ(call[3].toString(), QStringLiteral("lenet5 a7"));
  EXPECT_EQ(call[4].toString(), QStringLiteral("Test accuracy 98 % &lt;b&gt;&amp; more&lt;/b&gt;"));
  EXPECT_EQ(call[7].toInt(), -1);
}

TEST_F(Desktop, IsLeftInPeaceWhileTheWindowIsInFront) {
  QWidget window;
  window.show();
  window.activateWindow();
  ASSERT_TRUE(test::wait_for([] { return QGuiApplication::applicationState() == Qt::ApplicationActive; }));
  notifyUnlessActive(QStringLiteral("a"), QStringLiteral("b"));
  window.hide();
  if (!test::wait_for([] { return QGuiApplication::applicationState() != Qt::ApplicationActive; }, 2000))
    notifyDesktop(QStringLiteral("c"), QStringLiteral("d"));  // this platform keeps programs without windows active
  else
    notifyUnlessActive(QStringLiteral("c"), QStringLiteral("d"));
  ASSERT_TRUE(test::wait_for([] { return service().calls.size() >= 1; }));
  EXPECT_EQ(service().calls.front()[3].toString(), QStringLiteral("c")) << "nothing while the window was in front";
}

}  // namespace
}  // namespace nw::ui
