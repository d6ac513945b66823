// SPDX-License-Identifier: GPL-3.0-or-later
// Says that the settings file cannot be read or written, once until it can. What could not be written is kept in memory
// and tried again.
#pragma once
#include <QObject>
#include <QSettings>
#include <QTimer>

namespace nw::ui {

class Session;

/// Why the settings file, which is there, cannot be read, a sentence; empty: it can, or there is none. Qt takes one
/// that fails for an empty one, and then replaces it.
QString unreadableSettings();

class SettingsWatch : public QObject {
  Q_OBJECT
 public:
  /// Watches the settings of the application's name at this time; says it through Session::message().
  explicit SettingsWatch(Session& session, QObject* parent = nullptr);
  /// Tries to read and write them; done every two seconds.
  void look();

 private:
  Session& session_;
  QSettings kept_;  // while it lives, Qt keeps what could not be written, even of a file that does not exist yet
  QTimer timer_;
  bool failing_ = false;
};

}  // namespace nw::ui
