// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.hpp"

#include <QActionGroup>
#include <QCoreApplication>
#include <QHash>

#include "ui/shell/page.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

#define NW_ACTION(text) QT_TRANSLATE_NOOP("Actions", text)
const QList<ActionRow> rows = {
    // id, text, icon, keys, menu, page, checkable; "-" starts a new group in the menu
    {"new", NW_ACTION("New empty network"), "new", "Ctrl+N", "file", "", false},
    {"open", NW_ACTION("Open…"), "open", "Ctrl+O", "file", "", false},
    {"save", NW_ACTION("Save"), "save", "Ctrl+S", "file", "", false},
    {"save-as", NW_ACTION("Save as…"), "save-as", "Ctrl+Shift+S", "file", "", false},
    {"-", "", "", "", "file", "", false},
    {"export-command-line", NW_ACTION("Copy the command line of this training"), "terminal", "", "file", "", false},
    {"-", "", "", "", "file", "", false},
    {"close", NW_ACTION("Close the project"), "home", "Ctrl+W", "file", "", false},
    {"quit", NW_ACTION("Quit"), "quit", "Ctrl+Q", "file", "", false},

    {"undo", NW_ACTION("Undo"), "undo", "Ctrl+Z", "edit", "", false},
    {"redo", NW_ACTION("Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y", "edit", "", false},
    {"-", "", "", "", "edit", "", false},
    {"cut", NW_ACTION("Cut"), "cut", "Ctrl+X", "edit", "design", false},
    {"copy", NW_ACTION("Copy"), "copy", "Ctrl+C", "edit", "design", false},
    {"paste", NW_ACTION("Paste"), "paste", "Ctrl+V", "edit", "design", false},
    {"duplicate", NW_ACTION("Duplicate"), "duplicate", "Ctrl+D", "edit", "design", false},
    {"delete", NW_ACTION("Delete"), "trash", "Del", "edit", "design", false},
    {"select-all", NW_ACTION("Select all"), "select-all", "Ctrl+A", "edit", "design", false},
    {"-", "", "", "", "edit", "", false},
    {"find", NW_ACTION("Find a layer"), "find", "Ctrl+F", "edit", "design", false},
    {"add-layer", NW_ACTION("Add a layer"), "plus", "Shift+A", "edit", "design", false},

    {"page-design", NW_ACTION("Design"), "page-design", "Ctrl+1", "view", "", true},
    {"page-train", NW_ACTION("Train"), "page-train", "Ctrl+2", "view", "", true},
    {"page-predict", NW_ACTION("Predict"), "page-predict", "Ctrl+3", "view", "", true},
    {"page-runs", NW_ACTION("Runs"), "page-runs", "Ctrl+4", "view", "", true},
    {"-", "", "", "", "view", "", false},
    {"zoom-in", NW_ACTION("Zoom in"), "zoom-in", "Ctrl+=; Ctrl++", "view", "design", false},
    {"zoom-out", NW_ACTION("Zoom out"), "zoom-out", "Ctrl+-", "view", "design", false},
    {"zoom-fit", NW_ACTION("Show the whole network"), "fit", "Ctrl+0; Home", "view", "design", false},
    {"show-data", NW_ACTION("Data"), "database", "", "view", "", false},
    {"show-settings", NW_ACTION("Training settings"), "settings", "", "view", "", false},
    {"reset-layout", NW_ACTION("Reset the layout of panels"), "columns", "", "view", "design", false},
    {"-", "", "", "", "view", "", false},
    {"theme-light", NW_ACTION("Light theme"), "sun", "", "view", "", true},
    {"theme-dark", NW_ACTION("Dark theme"), "moon", "", "view", "", true},
    {"theme-system", NW_ACTION("Theme of the system"), "contrast", "", "view", "", true},
    {"-", "", "", "", "view", "", false},
    {"language-en", "English", "language", "", "view", "", true},
    {"language-zh", "简体中文", "language", "", "view", "", true},
    {"fullscreen", NW_ACTION("Full screen"), "fullscreen", "F11", "view", "", true},

    {"train", NW_ACTION("Start training"), "play", "F5", "run", "", false},
    {"pause", NW_ACTION("Pause or continue"), "pause", "Shift+F6", "run", "", false},
    {"stop", NW_ACTION("Stop training"), "stop", "Shift+F5", "run", "", false},
    {"-", "", "", "", "run", "", false},
    {"next-problem", NW_ACTION("Go to the next problem"), "alert-octagon", "F8", "run", "", false},

    {"command-palette", NW_ACTION("Search all commands"), "command", "Ctrl+Shift+P; Ctrl+K", "help", "", false},
    {"preferences", NW_ACTION("Preferences…"), "settings", "Ctrl+,", "help", "", false},
    {"-", "", "", "", "help", "", false},
    {"help", NW_ACTION("Help and keyboard"), "help", "F1", "help", "", false},
    {"about", NW_ACTION("About Netwright"), "about", "", "help", "", false},

    {"main-menu", NW_ACTION("Open the menu"), "list", "F10", "", "", false},
};
#undef NW_ACTION

struct Registry : QObject {
  using QObject::QObject;
  QHash<QString, QAction*> byId;
};

QList<QKeySequence> sequences(const char* keys) {
  QList<QKeySequence> list;
  for (const QString& key : QString::fromLatin1(keys).split(QStringLiteral("; "), Qt::SkipEmptyParts)) list << QKeySequence(key);
  return list;
}

void group(Registry& registry, const char* prefix) {
  auto* exclusive = new QActionGroup(&registry);
  for (const ActionRow& row : rows)
    if (QLatin1String(row.id).startsWith(QLatin1String(prefix))) exclusive->addAction(registry.byId.value(QLatin1String(row.id)));
}

Registry& registry() {
  static QPointer<Registry> instance;
  if (instance) return *instance;
  instance = new Registry(qApp);
  for (const ActionRow& row : rows) {
    if (QLatin1String(row.id) == QLatin1String("-")) continue;
    auto* made = new QAction(instance);
    made->setObjectName(QLatin1String(row.id));
    if (*row.icon) made->setIcon(icon(QLatin1String(row.icon)));
    made->setShortcuts(sequences(row.keys));
    made->setCheckable(row.checkable);
    instance->byId.insert(QLatin1String(row.id), made);
  }
  for (const char* prefix : {"page-", "theme-", "language-"}) group(*instance, prefix);
  retranslateActions();
  return *instance;
}

}  // namespace

const QList<ActionRow>& actionTable() { return rows; }

QAction* action(const QString& id) {
  QAction* found = registry().byId.value(id);
  Q_ASSERT_X(found, "action", qPrintable(id));
  return found;
}

void retranslateActions() {
  for (const ActionRow& row : rows) {
    if (!*row.text) continue;
    QAction* a = registry().byId.value(QLatin1String(row.id));
    a->setText(QCoreApplication::translate("Actions", row.text));
    const QString keys = shortcutText(*a);
    a->setToolTip(keys.isEmpty() ? a->text() : QStringLiteral("%1 (%2)").arg(a->text(), keys));
  }
}

void enableActionsFor(const QString& pageId) {
  for (const ActionRow& row : rows)
    if (*row.page) action(QLatin1String(row.id))->setEnabled(pageId == QLatin1String(row.page));
}

void fillMenu(QMenu& menu, const QString& name) {
  for (const ActionRow& row : rows) {
    if (name != QLatin1String(row.menu)) continue;
    if (QLatin1String(row.id) == QLatin1String("-")) menu.addSeparator();
    else menu.addAction(action(QLatin1String(row.id)));
  }
}

QString shortcutText(const QAction& a) { return a.shortcut().toString(QKeySequence::NativeText); }

}  // namespace nw::ui
