// SPDX-License-Identifier: GPL-3.0-or-later
// The environment of every window test: no display, the light theme, and temporary folders, so that no file of the
// user is read or written.
#include <gtest/gtest.h>

#include <QDir>
#include <QTemporaryDir>

#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/guarded_application.hpp"
#include "ui/theme/theme.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir home;
  for (const char* place :
       {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
    // the paths of sockets are limited to 107 bytes
    const QString folder = home.filePath(
        QString::fromLatin1(place).toLower().replace(QLatin1String("xdg_runtime_dir"), QLatin1String("rt")));
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    qputenv(place, folder.toLocal8Bit());
  }
  qputenv("NETWRIGHT_RUNS", home.filePath(QStringLiteral("runs")).toLocal8Bit());
  nw::ui::GuardedApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright"));
  QCoreApplication::setApplicationName(QStringLiteral("netwright"));
  nw::ui::setLanguage(QStringLiteral("en"));  // with its plural forms
  nw::ui::applyTheme(nw::ui::ThemeMode::light);
  return RUN_ALL_TESTS();
}
