// SPDX-License-Identifier: GPL-3.0-or-later
// The window's preferences, stored in the user's configuration: theme, language, folders, motion, recent
// projects.
#pragma once
#include <QString>
#include <QStringList>

#include "ui/theme/theme.hpp"

namespace nw::ui {

struct Preferences {
  ThemeMode theme = ThemeMode::system;
  QString language;    // "en", "zh_CN"; empty: the system's
  int threads = 0;     // for new projects; 0: all available
  QString dataFolder;  // empty: NETWRIGHT_DATA or the user's data folder
  QString runsFolder;  // empty: the default folder
  bool reduceMotion = false;
  bool reopen = true;  // open the last project at the start
};
Preferences preferences();
void setPreferences(const Preferences&);
/// Preferences, folders included, as the rest of the program reads them (theme, environment of the processes it
/// starts).
void applyPreferences(const Preferences&);
/// Safe mode: from now on settings are read and written in a file of its own, which begins with the defaults in the
/// user's language at each start; the user's file is left as it is.
void useSafeSettings();

/// Installs the translators; empty: the system's language, English where there is none for it. True: something changed.
bool setLanguage(const QString& language);
QString currentLanguage();  // "en" or "zh_CN"

/// The ten projects used last, newest first.
QStringList recentProjects();
void rememberProject(const QString& path);
void forgetProject(const QString& path);
void clearRecentProjects();

}  // namespace nw::ui
