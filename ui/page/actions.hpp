// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all commands (see page.hpp: action()). Made at the first use, alive until the program ends, so they
// outlast a window that is built again for another language.
#pragma once
#include <QAction>
#include <QList>
#include <QMenu>
#include <QString>

namespace nw::ui {

struct ActionRow {
  const char* id;
  const char* text;  // English, translated in context "Actions"
  const char* icon;  // "" none
  const char* keys;  // what it comes with, portable text; several by "; "; "~": only the canvas listens
  // "file", "edit", "arrange", "align" (inside arrange), "view", "run", "help"; "" only by its key and the palette
  const char* menu;
  const char* page;  // id of the one page it works on; "" everywhere
  bool checkable;
};
const QList<ActionRow>& actionTable();

/// The keys in force (ui/page/shortcuts.hpp) go to that action; ids that do not exist are passed over.
void applyKeys(const QString& id);
/// Texts again, after the language has changed.
void retranslateActions();
/// Actions of other pages are switched off.
void enableActionsFor(const QString& pageId);
/// Fills `menu` with the rows of that menu, a line between groups.
void fillMenu(QMenu& menu, const QString& name);
/// "Ctrl+Shift+P" as people read it.
QString shortcutText(const QAction& action);

}  // namespace nw::ui
