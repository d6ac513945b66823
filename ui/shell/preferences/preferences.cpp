// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/preferences.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QHash>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

#include "ui/page/actions.hpp"

namespace nw::ui {
namespace {

constexpr auto recentKey = "recent";
constexpr int recentMost = 10;

QString chosenLanguage(const QString& wanted) {
  const QString name = wanted.isEmpty() ? QLocale::system().name() : wanted;
  return name.startsWith(QLatin1String("zh")) ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

struct Translators {
  QTranslator own, qt;
  QString language;  // empty: not set yet
};
Translators& translators() {
  static Translators* t = new Translators;  // never deleted: the application refers to it until it exits
  return *t;
}

/// A typed folder: "~" is the home folder, and a relative path lies in it, wherever the program was started.
QString absoluteFolder(const QString& typed) {
  if (typed.isEmpty()) return typed;
  if (typed == QLatin1String("~")) return QDir::homePath();
  const QString path = typed.startsWith(QLatin1String("~/")) ? typed.mid(2) : typed;
  return QDir::cleanPath(QDir::home().absoluteFilePath(path));
}

void setOrUnset(const char* variable, const QString& value) {
  static QHash<QByteArray, QByteArray> before;
  if (!before.contains(variable)) before.insert(variable, qgetenv(variable));
  const QByteArray wanted = value.isEmpty() ? before.value(variable) : value.toLocal8Bit();
  if (wanted == qgetenv(variable)) return;  // other threads may be reading the environment
  if (wanted.isEmpty())
    qunsetenv(variable);
  else
    qputenv(variable, wanted);
}

}  // namespace

Preferences preferences() {
  const QSettings s;
  Preferences p;
  p.theme = static_cast<ThemeMode>(
      qBound(0, s.value(QStringLiteral("theme")).toInt(), static_cast<int>(ThemeMode::contrast)));
  p.language = s.value(QStringLiteral("language")).toString();
  p.threads = qBound(0, s.value(QStringLiteral("threads")).toInt(), 1024);
  p.dataFolder = absoluteFolder(s.value(QStringLiteral("dataFolder")).toString());
  p.runsFolder = absoluteFolder(s.value(QStringLiteral("runsFolder")).toString());
  p.reduceMotion = s.value(QStringLiteral("reduceMotion")).toBool();
  p.reopen = s.value(QStringLiteral("reopen"), true).toBool();
  return p;
}

void setPreferences(const Preferences& p) {
  QSettings s;
  s.setValue(QStringLiteral("theme"), static_cast<int>(p.theme));
  s.setValue(QStringLiteral("language"), p.language);
  s.setValue(QStringLiteral("threads"), p.threads);
  s.setValue(QStringLiteral("dataFolder"), p.dataFolder);
  s.setValue(QStringLiteral("runsFolder"), p.runsFolder);
  s.setValue(QStringLiteral("reduceMotion"), p.reduceMotion);
  s.setValue(QStringLiteral("reopen"), p.reopen);
}

void applyPreferences(const Preferences& p) {
  applyTheme(p.theme);
  setOrUnset("NETWRIGHT_DATA", p.dataFolder);
  setOrUnset("NETWRIGHT_RUNS", p.runsFolder);
  qApp->setProperty("nwReduceMotion", p.reduceMotion);
}

void useSafeSettings() {
  const QString language = preferences().language;
  QCoreApplication::setApplicationName(QStringLiteral("netwright-safe"));
  QSettings().clear();
  setPreferences({.language = language});
}

bool setLanguage(const QString& language) {
  Translators& t = translators();
  const QString wanted = chosenLanguage(language);
  if (wanted == t.language) return false;
  t.language = wanted;
  QCoreApplication::removeTranslator(&t.own);
  QCoreApplication::removeTranslator(&t.qt);
  // English has a translation file too, for the plural forms.
  if (t.own.load(QStringLiteral(":/i18n/netwright_%1.qm").arg(wanted))) QCoreApplication::installTranslator(&t.own);
  if (wanted != QLatin1String("en")) {
    if (t.qt.load(QStringLiteral("qtbase_") + wanted, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
      QCoreApplication::installTranslator(&t.qt);
  }
  retranslateActions();
  return true;
}

QString currentLanguage() {
  const QString language = translators().language;
  return language.isEmpty() ? QStringLiteral("en") : language;
}

QStringList recentProjects() { return QSettings().value(QLatin1String(recentKey)).toStringList().mid(0, recentMost); }

void rememberProject(const QString& path) {
  QStringList all = recentProjects();
  all.removeAll(path);
  all.prepend(path);
  QSettings().setValue(QLatin1String(recentKey), all.mid(0, recentMost));
}

void forgetProject(const QString& path) {
  QStringList all = recentProjects();
  all.removeAll(path);
  QSettings().setValue(QLatin1String(recentKey), all);
}

void clearRecentProjects() { QSettings().remove(QLatin1String(recentKey)); }

}  // namespace nw::ui
