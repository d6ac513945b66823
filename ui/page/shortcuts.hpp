// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the commands: those of the table (ui/page/actions.cpp) until people choose their own, which are kept in
// the user's configuration and in force at once. GUI thread.
#pragma once
#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>

namespace nw::ui {

/// What Netwright came with; what is in force.
QList<QKeySequence> usualKeys(const QString& id);
QList<QKeySequence> keysOf(const QString& id);
bool areOwnKeys(const QString& id);
/// Takes them away from whoever had them.
void setKeys(const QString& id, const QList<QKeySequence>& keys);
void resetKeys(const QString& id);
void resetAllKeys();
/// The other command that has this key; empty: it is free.
QString holderOf(const QKeySequence& key, const QString& except);
/// Why this command cannot have the key; empty: it can.
QString rejectionOf(const QKeySequence& key, const QString& id);
/// A letter, a digit or a sign alone: text fields want it, so only the canvas listens to it.
bool typesText(const QKeySequence& key);

}  // namespace nw::ui
