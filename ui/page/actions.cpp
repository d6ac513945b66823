// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/actions.hpp"

#include <QActionGroup>
#include <QCoreApplication>
#include <QHash>
#include <QPointer>

#include "ui/page/page.hpp"
#include "ui/page/shortcuts.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

const QList<ActionRow> rows = {
    // id, text, icon, keys, menu, page, checkable; "-" starts a new group in the menu. Keys after "~" are shown only:
    // the canvas takes them itself, because a shortcut of a single letter would block typing it.
    {"new", QT_TRANSLATE_NOOP("Actions", "New empty network"), "new", "Ctrl+N", "file", "", false},
    {"open", QT_TRANSLATE_NOOP("Actions", "Open…"), "open", "Ctrl+O", "file", "", false},
    {"open-folder", QT_TRANSLATE_NOOP("Actions", "Open a folder…"), "folder", "Ctrl+Shift+O", "file", "", false},
    {"save", QT_TRANSLATE_NOOP("Actions", "Save"), "save", "Ctrl+S", "file", "", false},
    {"save-as", QT_TRANSLATE_NOOP("Actions", "Save as…"), "save-as", "Ctrl+Shift+S", "file", "", false},
    {"-", "", "", "", "file", "", false},
    {"get-data", QT_TRANSLATE_NOOP("Actions", "Get data…"), "download", "", "file", "", false},
    {"explore-data", QT_TRANSLATE_NOOP("Actions", "Browse the images…"), "images", "", "file", "", false},
    {"start-weights", QT_TRANSLATE_NOOP("Actions", "Start from weights…"), "layers", "", "file", "", false},
    {"adapt-images", QT_TRANSLATE_NOOP("Actions", "Adapt to my images…"), "images", "", "file", "", false},
    {"adapt-table", QT_TRANSLATE_NOOP("Actions", "Adapt to a table…"), "columns", "", "file", "", false},
    {"export-drawing", QT_TRANSLATE_NOOP("Actions", "Export the diagram…"), "export", "", "file", "design", false},
    {"compare", QT_TRANSLATE_NOOP("Actions", "Compare with a project or run…"), "compare", "", "file", "", false},
    {"merge", QT_TRANSLATE_NOOP("Actions", "Merge with…"), "branch", "", "file", "", false},
    {"export-command-line", QT_TRANSLATE_NOOP("Actions", "Copy the training command line"), "terminal", "", "file", "",
     false},
    {"-", "", "", "", "file", "", false},
    {"close", QT_TRANSLATE_NOOP("Actions", "Close the project"), "home", "Ctrl+W", "file", "", false},
    {"quit", QT_TRANSLATE_NOOP("Actions", "Quit"), "quit", "Ctrl+Q", "file", "", false},

    {"undo", QT_TRANSLATE_NOOP("Actions", "Undo"), "undo", "Ctrl+Z", "edit", "", false},
    {"redo", QT_TRANSLATE_NOOP("Actions", "Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y", "edit", "", false},
    {"show-history", QT_TRANSLATE_NOOP("Actions", "History of edits"), "clock", "Ctrl+Alt+Z", "edit", "", false},
    {"-", "", "", "", "edit", "", false},
    {"cut", QT_TRANSLATE_NOOP("Actions", "Cut"), "cut", "Ctrl+X", "edit", "design", false},
    {"copy", QT_TRANSLATE_NOOP("Actions", "Copy"), "copy", "Ctrl+C", "edit", "design", false},
    {"paste", QT_TRANSLATE_NOOP("Actions", "Paste"), "paste", "Ctrl+V", "edit", "design", false},
    {"duplicate", QT_TRANSLATE_NOOP("Actions", "Duplicate"), "duplicate", "Ctrl+D", "edit", "design", false},
    {"duplicate-inputs", QT_TRANSLATE_NOOP("Actions", "Duplicate with inputs"), "duplicate", "Ctrl+Shift+D", "edit",
     "design", false},
    {"delete", QT_TRANSLATE_NOOP("Actions", "Delete"), "trash", "Del", "edit", "design", false},
    {"select-all", QT_TRANSLATE_NOOP("Actions", "Select all"), "select-all", "Ctrl+A", "edit", "design", false},
    {"-", "", "", "", "edit", "", false},
    {"find", QT_TRANSLATE_NOOP("Actions", "Find a layer"), "find", "Ctrl+F", "edit", "design", false},
    {"add-layer", QT_TRANSLATE_NOOP("Actions", "Add a layer"), "plus", "Shift+A", "edit", "design", false},
    {"rename", QT_TRANSLATE_NOOP("Actions", "Rename"), "pencil", "F2", "edit", "design", false},
    {"delete-heal", QT_TRANSLATE_NOOP("Actions", "Delete and reconnect"), "cut", "Ctrl+Del", "edit", "design", false},

    {"bypass", QT_TRANSLATE_NOOP("Actions", "Bypass"), "bypass", "~M", "arrange", "design", false},
    {"freeze", QT_TRANSLATE_NOOP("Actions", "Freeze weights"), "snowflake", "", "arrange", "design", false},
    {"freeze-up-to", QT_TRANSLATE_NOOP("Actions", "Freeze up to here"), "snowflake", "", "arrange", "design", false},
    {"collapse", QT_TRANSLATE_NOOP("Actions", "Collapse"), "chevron-up", "~H", "arrange", "design", false},
    {"-", "", "", "", "arrange", "", false},
    {"frame", QT_TRANSLATE_NOOP("Actions", "Frame"), "frame", "~C", "arrange", "design", false},
    {"note", QT_TRANSLATE_NOOP("Actions", "Note"), "note", "~Shift+C", "arrange", "design", false},
    {"-", "", "", "", "arrange", "", false},
    {"group", QT_TRANSLATE_NOOP("Actions", "Make a block of the selection"), "layers", "Ctrl+G", "arrange", "design",
     false},
    {"ungroup", QT_TRANSLATE_NOOP("Actions", "Ungroup the block"), "ungroup", "Ctrl+Shift+G", "arrange", "design",
     false},
    {"make-unique", QT_TRANSLATE_NOOP("Actions", "Make the block unique"), "unique", "", "arrange", "design", false},
    {"save-block", QT_TRANSLATE_NOOP("Actions", "Save the block to my palette…"), "save", "", "arrange", "design",
     false},
    {"-", "", "", "", "arrange", "", false},
    {"layout", QT_TRANSLATE_NOOP("Actions", "Lay out the network"), "layout", "", "arrange", "design", false},
    {"layout-selection", QT_TRANSLATE_NOOP("Actions", "Lay out the selection"), "layout", "Ctrl+Shift+L", "arrange",
     "design", false},
    {"align-left", QT_TRANSLATE_NOOP("Actions", "Align left edges"), "align-left", "", "align", "design", false},
    {"align-centre", QT_TRANSLATE_NOOP("Actions", "Align centres, one below the other"), "align-centre", "", "align",
     "design", false},
    {"align-right", QT_TRANSLATE_NOOP("Actions", "Align right edges"), "align-right", "", "align", "design", false},
    {"-", "", "", "", "align", "", false},
    {"align-top", QT_TRANSLATE_NOOP("Actions", "Align upper edges"), "align-top", "", "align", "design", false},
    {"align-middle", QT_TRANSLATE_NOOP("Actions", "Align centres, side by side"), "align-middle", "", "align", "design",
     false},
    {"align-bottom", QT_TRANSLATE_NOOP("Actions", "Align lower edges"), "align-bottom", "", "align", "design", false},
    {"-", "", "", "", "align", "", false},
    {"distribute-across", QT_TRANSLATE_NOOP("Actions", "Distribute horizontally"), "distribute-across", "", "align",
     "design", false},
    {"distribute-down", QT_TRANSLATE_NOOP("Actions", "Distribute vertically"), "distribute-down", "", "align", "design",
     false},
    {"straighten", QT_TRANSLATE_NOOP("Actions", "Straighten the connections"), "straighten", "", "align", "design",
     false},
    {"-", "", "", "", "arrange", "", false},
    {"connect-selected", QT_TRANSLATE_NOOP("Actions", "Connect the selection"), "link", "Ctrl+L", "arrange", "design",
     false},
    {"detach", QT_TRANSLATE_NOOP("Actions", "Detach and reconnect"), "external", "", "arrange", "design", false},
    {"break", QT_TRANSLATE_NOOP("Actions", "Remove all connections"), "cut", "Alt+Del", "arrange", "design", false},
    {"dot", QT_TRANSLATE_NOOP("Actions", "Add a bend point to the connection"), "record", "", "arrange", "design",
     false},
    {"wire", QT_TRANSLATE_NOOP("Actions", "Start a connection"), "link", "~W", "arrange", "design", false},
    {"upstream", QT_TRANSLATE_NOOP("Actions", "Select predecessors"), "arrow-up", "~L", "arrange", "design", false},
    {"downstream", QT_TRANSLATE_NOOP("Actions", "Select successors"), "arrow-down", "~Shift+L", "arrange", "design",
     false},

    {"-", "", "", "", "arrange", "", false},
    {"lane-left", QT_TRANSLATE_NOOP("Actions", "Move to the lane on the left"), "arrow-left", "Alt+Left", "arrange",
     "design", false},
    {"lane-right", QT_TRANSLATE_NOOP("Actions", "Move to the lane on the right"), "arrow-right", "Alt+Right", "arrange",
     "design", false},
    {"lane-balance", QT_TRANSLATE_NOOP("Actions", "Balance the lanes"), "wand", "", "arrange", "design", false},

    {"page-design", QT_TRANSLATE_NOOP("Actions", "Design"), "page-design", "Ctrl+1", "view", "", true},
    {"page-train", QT_TRANSLATE_NOOP("Actions", "Train"), "page-train", "Ctrl+2", "view", "", true},
    {"page-predict", QT_TRANSLATE_NOOP("Actions", "Predict"), "page-predict", "Ctrl+3", "view", "", true},
    {"page-runs", QT_TRANSLATE_NOOP("Actions", "Runs"), "page-runs", "Ctrl+4", "view", "", true},
    {"page-deploy", QT_TRANSLATE_NOOP("Actions", "Deploy"), "upload", "Ctrl+5", "view", "", true},
    {"-", "", "", "", "view", "", false},
    {"zoom-in", QT_TRANSLATE_NOOP("Actions", "Zoom in"), "zoom-in", "Ctrl+=; Ctrl++", "view", "design", false},
    {"zoom-out", QT_TRANSLATE_NOOP("Actions", "Zoom out"), "zoom-out", "Ctrl+-", "view", "design", false},
    {"zoom-100", QT_TRANSLATE_NOOP("Actions", "Actual size"), "search", "Ctrl+0", "view", "design", false},
    {"zoom-fit", QT_TRANSLATE_NOOP("Actions", "Show the whole network"), "fit", "Home", "view", "design", false},
    {"zoom-selection", QT_TRANSLATE_NOOP("Actions", "Show the selection"), "fit", "~F", "view", "design", false},
    {"outputs", QT_TRANSLATE_NOOP("Actions", "Outputs of all layers for a sample image"), "image", "", "view", "design",
     true},
    {"outputs-here", QT_TRANSLATE_NOOP("Actions", "Outputs of the selection for a sample image"), "image", "~O", "view",
     "design", false},
    {"heat-none", QT_TRANSLATE_NOOP("Actions", "No heatmap"), "eye-off", "", "heat", "design", true},
    {"heat-time", QT_TRANSLATE_NOOP("Actions", "Heatmap: time of a training step"), "clock", "", "heat", "design",
     true},
    {"heat-memory", QT_TRANSLATE_NOOP("Actions", "Heatmap: memory of the outputs"), "memory", "", "heat", "design",
     true},
    {"heat-spread", QT_TRANSLATE_NOOP("Actions", "Heatmap: spread of the outputs"), "activity", "", "heat", "design",
     true},
    {"heat-zeros", QT_TRANSLATE_NOOP("Actions", "Heatmap: fraction of zeros in the outputs"), "snowflake", "", "heat",
     "design", true},
    {"heat-gradients", QT_TRANSLATE_NOOP("Actions", "Heatmap: size of the gradients"), "arrow-left", "", "heat",
     "design", true},
    {"heat-updates", QT_TRANSLATE_NOOP("Actions", "Heatmap: size of the updates"), "refresh", "", "heat", "design",
     true},
    {"overview", QT_TRANSLATE_NOOP("Actions", "Overview map"), "map", "Ctrl+Shift+M", "view", "design", true},
    {"lanes", QT_TRANSLATE_NOOP("Actions", "Lanes: layers by device"), "columns", "", "view", "design", true},
    {"show-placement", QT_TRANSLATE_NOOP("Actions", "Placement on devices"), "split", "", "view", "design", false},
    {"show-palette", QT_TRANSLATE_NOOP("Actions", "Palette"), "layers", "", "view", "design", false},
    {"show-data", QT_TRANSLATE_NOOP("Actions", "Data"), "database", "", "view", "", false},
    {"show-settings", QT_TRANSLATE_NOOP("Actions", "Training settings"), "settings", "", "view", "", false},
    {"next-pane", QT_TRANSLATE_NOOP("Actions", "Go to the next pane"), "columns", "F6", "view", "", false},
    {"reset-layout", QT_TRANSLATE_NOOP("Actions", "Reset the layout of panels"), "columns", "", "view", "design",
     false},
    {"-", "", "", "", "view", "", false},
    {"theme-light", QT_TRANSLATE_NOOP("Actions", "Light theme"), "sun", "", "view", "", true},
    {"theme-dark", QT_TRANSLATE_NOOP("Actions", "Dark theme"), "moon", "", "view", "", true},
    {"theme-contrast", QT_TRANSLATE_NOOP("Actions", "High-contrast theme"), "eye", "", "view", "", true},
    {"theme-system", QT_TRANSLATE_NOOP("Actions", "System theme"), "contrast", "", "view", "", true},
    {"-", "", "", "", "view", "", false},
    {"language-en", "English", "language", "", "view", "", true},
    {"language-zh", "简体中文", "language", "", "view", "", true},
    {"fullscreen", QT_TRANSLATE_NOOP("Actions", "Full screen"), "fullscreen", "F11", "view", "", true},

    {"train", QT_TRANSLATE_NOOP("Actions", "Start training"), "play", "F5", "run", "", false},
    {"pause", QT_TRANSLATE_NOOP("Actions", "Pause or continue"), "pause", "Shift+F6", "run", "", false},
    {"stop", QT_TRANSLATE_NOOP("Actions", "Stop training"), "stop", "Shift+F5", "run", "", false},
    {"run-settings", QT_TRANSLATE_NOOP("Actions", "Settings of the run"), "settings", "Shift+F7", "run", "", false},
    {"branch", QT_TRANSLATE_NOOP("Actions", "Branch from here…"), "branch", "Shift+F8", "run", "", false},
    {"-", "", "", "", "run", "", false},
    {"submit", QT_TRANSLATE_NOOP("Actions", "Run elsewhere…"), "external", "", "run", "", false},
    {"queue-add", QT_TRANSLATE_NOOP("Actions", "Add to the queue"), "list", "", "run", "", false},
    {"search-settings", QT_TRANSLATE_NOOP("Actions", "Search for settings…"), "search", "Ctrl+Shift+F", "run", "",
     false},
    {"deploy-export", QT_TRANSLATE_NOOP("Actions", "Export by the chosen card"), "export", "", "", "deploy", false},
    {"deploy-prove", QT_TRANSLATE_NOOP("Actions", "Prove the chosen export again"), "refresh", "", "", "deploy", false},
    {"deploy-prove-all", QT_TRANSLATE_NOOP("Actions", "Prove all exports again"), "refresh", "", "", "deploy", false},
    {"compress-make", QT_TRANSLATE_NOOP("Actions", "Make the smaller network, or stop"), "cut", "", "", "deploy",
     false},
    {"compress-undo", QT_TRANSLATE_NOOP("Actions", "Undo the step of compression"), "undo", "", "", "deploy", false},
    {"compress-redo", QT_TRANSLATE_NOOP("Actions", "Go to the undone step of compression"), "redo", "", "", "deploy",
     false},
    {"compress-keep", QT_TRANSLATE_NOOP("Actions", "Keep the smaller network as a run…"), "plus", "", "", "deploy",
     false},
    {"deploy-serve", QT_TRANSLATE_NOOP("Actions", "Start or stop the inference server"), "monitor", "", "", "deploy",
     false},
    {"deploy-watch", QT_TRANSLATE_NOOP("Actions", "Watch the folder, or stop"), "eye", "", "", "deploy", false},
    {"deploy-measure", QT_TRANSLATE_NOOP("Actions", "Measure the speed"), "gauge", "", "", "deploy", false},
    {"next-problem", QT_TRANSLATE_NOOP("Actions", "Go to the next problem"), "alert-octagon", "F8", "run", "", false},

    {"command-palette", QT_TRANSLATE_NOOP("Actions", "Search all commands"), "command", "Ctrl+Shift+P; Ctrl+K", "help",
     "", false},
    {"preferences", QT_TRANSLATE_NOOP("Actions", "Preferences…"), "settings", "Ctrl+,", "help", "", false},
    {"-", "", "", "", "help", "", false},
    {"guide", QT_TRANSLATE_NOOP("Actions", "Train your first network"), "flag", "", "help", "", false},
    {"tour-own-photos", QT_TRANSLATE_NOOP("Actions", "Tour: train on your own photos"), "flag", "", "help", "", false},
    {"tour-better-network", QT_TRANSLATE_NOOP("Actions", "Tour: find a better network"), "flag", "", "help", "", false},
    {"tour-deploy", QT_TRANSLATE_NOOP("Actions", "Tour: deploy a network"), "flag", "", "help", "", false},
    {"user-guide", QT_TRANSLATE_NOOP("Actions", "User guide for this place"), "book", "F1", "help", "", false},
    {"help", QT_TRANSLATE_NOOP("Actions", "Help and keyboard shortcuts"), "help", "Ctrl+F1", "help", "", false},
    {"key-card", QT_TRANSLATE_NOOP("Actions", "Keyboard and gesture card (PDF)"), "keyboard", "", "help", "", false},
    {"whats-this", QT_TRANSLATE_NOOP("Actions", "What is this control?"), "help", "Shift+F1", "help", "", false},
    {"point-for-help", QT_TRANSLATE_NOOP("Actions", "What's this? Click a control"), "pointer", "", "help", "", false},
    {"about", QT_TRANSLATE_NOOP("Actions", "About Netwright"), "about", "", "help", "", false},

    {"main-menu", QT_TRANSLATE_NOOP("Actions", "Open the menu"), "list", "F10", "", "", false},
};

struct Registry : QObject {
  using QObject::QObject;
  QHash<QString, QAction*> byId;
};

/// Keys that type text are shown only: the canvas handles them itself.
void giveKeys(QAction& to) {
  QList<QKeySequence> listened;
  QString shown;
  for (const QKeySequence& key : keysOf(to.objectName())) {
    if (!typesText(key))
      listened << key;
    else if (shown.isEmpty())
      shown = key.toString();
  }
  to.setShortcuts(listened);
  to.setProperty("nwKeys", shown);
}

void giveToolTip(QAction& to) {
  const QString keys = shortcutText(to);
  to.setToolTip(keys.isEmpty() ? to.text() : QStringLiteral("%1 (%2)").arg(to.text(), keys));
}

void group(Registry& registry, const char* prefix) {
  auto* exclusive = new QActionGroup(&registry);
  for (const ActionRow& row : rows)
    if (QLatin1String(row.id).startsWith(QLatin1String(prefix)))
      exclusive->addAction(registry.byId.value(QLatin1String(row.id)));
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
    giveKeys(*made);
    made->setCheckable(row.checkable);
    instance->byId.insert(QLatin1String(row.id), made);
  }
  for (const char* prefix : {"page-", "theme-", "language-", "heat-"}) group(*instance, prefix);
  retranslateActions();
  return *instance;
}

}  // namespace

const QList<ActionRow>& actionTable() { return rows; }

QAction* action(const QString& id) { return registry().byId.value(id); }

void retranslateActions() {
  for (const ActionRow& row : rows) {
    if (!*row.text) continue;
    QAction* a = registry().byId.value(QLatin1String(row.id));
    a->setText(QCoreApplication::translate("Actions", row.text));
    giveToolTip(*a);
  }
}

void applyKeys(const QString& id) {
  QAction* a = action(id);
  if (!a) return;
  giveKeys(*a);
  giveToolTip(*a);
}

void enableActionsFor(const QString& pageId) {
  for (const ActionRow& row : rows)
    if (*row.page) action(QLatin1String(row.id))->setEnabled(pageId == QLatin1String(row.page));
}

void fillMenu(QMenu& menu, const QString& name) {
  for (const ActionRow& row : rows) {
    if (name != QLatin1String(row.menu)) continue;
    if (QLatin1String(row.id) == QLatin1String("-"))
      menu.addSeparator();
    else
      menu.addAction(action(QLatin1String(row.id)));
  }
}

QString shortcutText(const QAction& a) {
  const QString shown = a.property("nwKeys").toString();
  return (shown.isEmpty() ? a.shortcut() : QKeySequence(shown)).toString(QKeySequence::NativeText);
}

}  // namespace nw::ui
