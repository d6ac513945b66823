// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all commands (see page.hpp: action()). The actions are created at the first use and live until
// the program ends, so they outlive a window that is rebuilt for another language.
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
  const char* keys;  // default keys, portable text, separated by "; "; "~": only the canvas handles them
  // "file", "edit", "arrange", "align" (inside arrange), "view", "run", "help"; "" only by its key and the palette
  const char* menu;
  const char* page;  // id of the one page it works on; "" everywhere
  bool checkable;
};
const QList<ActionRow>& actionTable();

/// Assigns the keys in force (ui/page/shortcuts.hpp) to that action; unknown ids are ignored.
void applyKeys(const QString& id);
/// Translates all texts again after a change of language.
void retranslateActions();
/// Disables the actions of other pages.
void enableActionsFor(const QString& pageId);
/// Fills `menu` with the rows of the menu `name`, with separators between groups.
void fillMenu(QMenu& menu, const QString& name);
/// The action's shortcut in the platform's notation ("Ctrl+Shift+P").
QString shortcutText(const QAction& action);

}  // namespace nw::ui
