// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the commands: those of the table (ui/page/actions.cpp) unless the user chose others, which are saved in
// the user's configuration and take effect at once. GUI thread.
#pragma once
#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>

namespace nw::ui {

/// The default keys; the keys in force.
QList<QKeySequence> usualKeys(const QString& id);
QList<QKeySequence> keysOf(const QString& id);
bool areOwnKeys(const QString& id);
/// Also removes these keys from other commands.
void setKeys(const QString& id, const QList<QKeySequence>& keys);
void resetKeys(const QString& id);
void resetAllKeys();
/// The command other than `except` that has this key; empty: none.
QString holderOf(const QKeySequence& key, const QString& except);
/// Why this command cannot have the key; empty: the key is accepted.
QString rejectionOf(const QKeySequence& key, const QString& id);
/// Whether the key is a letter, digit or sign alone: text fields need it, so only the canvas handles it.
bool typesText(const QKeySequence& key);

}  // namespace nw::ui
