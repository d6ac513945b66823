// SPDX-License-Identifier: GPL-3.0-or-later
// The card of keys and gestures: one page of A4 as a PDF, made from the table of actions. GUI thread, or the program's
// main thread without a window: `netwright --key-card en|zh FILE`.
#pragma once
#include <QByteArray>
#include <QList>
#include <QString>

namespace nw::ui {

struct KeyCardRow {
  QString keys, text;  // no keys: a heading
};
/// All keys in force and the gestures of the canvas, in the interface's language.
QList<KeyCardRow> keyCardRows();
/// The card with these rows; empty: they do not fit on one page in letters that can be read.
QByteArray keyCardPdf(const QList<KeyCardRow>& rows);
/// Writes the card to the user's folder of caches and opens it. False: it could not be written or opened.
bool openKeyCard();

/// Whether these are the arguments of `--key-card`; makes the program's QApplication and returns the exit code: 0; 1
/// after a sentence on stderr; 2 for other arguments.
bool asksForKeyCard(int argc, char** argv);
int writeKeyCard(int argc, char** argv);

}  // namespace nw::ui
