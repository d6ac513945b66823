// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/settings_watch.hpp"

#include <QDir>
#include <chrono>
#include <utility>

#include "engine/core/files.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {
constexpr std::chrono::seconds between_looks{2};
}  // namespace

QString unreadableSettings() {
  const std::string file = QSettings().fileName().toStdString();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  const Result<std::string> start = read_start(file, 1);
  if (start || start.error().code != Errc::disk) return {};
  return SettingsWatch::tr(
             "Your settings cannot be used: %1. Netwright starts with default settings and leaves the "
             "file as it is.")
      .arg(translated(start.error().what));
}

SettingsWatch::SettingsWatch(Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&timer_, &QTimer::timeout, this, &SettingsWatch::look);
  timer_.start(between_looks);
}

/// The status of a QSettings stays what it once was, so each look has a new one.
void SettingsWatch::look() {
  QSettings settings;
  settings.sync();
  const bool fails = settings.status() == QSettings::AccessError;
  if (std::exchange(failing_, fails) == fails || !fails) return;
  Q_EMIT session_.message(
      tr("Your settings cannot be saved: %1 cannot be read or written. They hold until Netwright is "
         "closed. Free some space on its disk, or check its permissions.")
          .arg(QDir::toNativeSeparators(settings.fileName())),
      1);
}

}  // namespace nw::ui
