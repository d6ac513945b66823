// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/shortcuts.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QSettings>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"

namespace nw::ui {
namespace {

/// The canvas and the fields use these themselves.
constexpr const char* kept[] = {"Tab",       "Shift+Tab", "Ctrl+Tab", "Return",    "Enter",     "Esc",
                                "Backspace", "Space",     "/",        "Y",         "Up",        "Down",
                                "Left",      "Right",     "Ctrl+Up",  "Ctrl+Down", "Ctrl+Left", "Ctrl+Right"};

QString settingOf(const QString& id) { return QStringLiteral("keys/") + id; }

const ActionRow* rowOf(const QString& id) {
  for (const ActionRow& row : actionTable())
    if (id == QLatin1String(row.id)) return &row;
  return nullptr;
}

void store(const QString& id, const QList<QKeySequence>& keys) {
  if (keys == usualKeys(id))
    QSettings().remove(settingOf(id));
  else
    QSettings().setValue(settingOf(id), QKeySequence::listToString(keys));
  applyKeys(id);
}

}  // namespace

QList<QKeySequence> usualKeys(const QString& id) {
  const ActionRow* row = rowOf(id);
  QList<QKeySequence> list;
  if (!row) return list;
  for (const QString& key :
       QString::fromLatin1(row->keys + (*row->keys == '~')).split(QStringLiteral("; "), Qt::SkipEmptyParts))
    list << QKeySequence(key);
  return list;
}

bool areOwnKeys(const QString& id) { return QSettings().contains(settingOf(id)); }

QList<QKeySequence> keysOf(const QString& id) {
  if (!areOwnKeys(id)) return usualKeys(id);
  QList<QKeySequence> own = QKeySequence::listFromString(QSettings().value(settingOf(id)).toString());
  own.removeAll(QKeySequence());
  return own;
}

void setKeys(const QString& id, const QList<QKeySequence>& keys) {
  for (const QKeySequence& key : keys)
    for (QString holder = holderOf(key, id); !holder.isEmpty(); holder = holderOf(key, id)) {
      QList<QKeySequence> left = keysOf(holder);
      left.removeAll(key);
      store(holder, left);
    }
  store(id, keys);
}

void resetKeys(const QString& id) { setKeys(id, usualKeys(id)); }

void resetAllKeys() {
  QSettings().remove(QStringLiteral("keys"));
  for (const ActionRow& row : actionTable()) applyKeys(QLatin1String(row.id));
}

QString holderOf(const QKeySequence& key, const QString& except) {
  for (const ActionRow& row : actionTable()) {
    const QString id = QLatin1String(row.id);
    if (id != except && id != QLatin1String("-") && keysOf(id).contains(key)) return id;
  }
  return {};
}

bool typesText(const QKeySequence& key) {
  const QKeyCombination pressed = key[0];
  return !(pressed.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) &&
         pressed.key() < Qt::Key_Escape;
}

QString rejectionOf(const QKeySequence& key, const QString& id) {
  const QString keyText = key.toString(QKeySequence::NativeText);
  for (const char* taken : kept)
    if (key == QKeySequence(QLatin1String(taken)))
      return QCoreApplication::translate("Shortcuts",
                                         "%1 is reserved for the canvas and text fields. Choose another key.")
          .arg(keyText);
  const ActionRow* row = rowOf(id);
  if (row && !*row->page && typesText(key))
    return QCoreApplication::translate("Shortcuts", "%1 alone types a letter in every field. Hold Ctrl or Alt with it.")
        .arg(keyText);
  return {};
}

}  // namespace nw::ui
