// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/palette_entries.hpp"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "engine/design/project_file.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/command_palette.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {
namespace {

constexpr std::size_t most_entries = 60;
using Entries = std::vector<PaletteEntry>;

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

DesignPage& designPageOf(MainWindow& window) {
  return *static_cast<DesignPage*>(window.page(QStringLiteral("design")));
}

/// What an entry does that belongs to the Design page: it shows the page first.
template <class Act>
std::function<void()> onDesignPage(MainWindow& window, Act act) {
  return [&window, act = std::move(act)] {
    window.showPage(QStringLiteral("design"));
    act(designPageOf(window));
  };
}

std::string attrOf(const Node& node, const char* name) {
  const auto found = node.attrs.find(name);
  const auto* text = found == node.attrs.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text ? *text : std::string();
}

Entries commandEntries(const PaletteEntries&) {
  Entries entries;
  for (const ActionRow& row : actionTable()) {
    const QString id = QLatin1String(row.id);
    if (id == QLatin1String("-") || id == QLatin1String("command-palette")) continue;
    QAction* command = action(id);
    if (command->isEnabled())
      entries.push_back(
          {command->text(), shortcutText(*command), command->icon().name(), [command] { command->trigger(); }, id});
  }
  return entries;
}

/// The layers of the network, or of a block's definition.
void addNodes(const PaletteEntries& all, const std::string& scope, Entries& entries) {
  MainWindow& window = all.window();
  for (const auto& [id, node] : all.session().doc().graph(scope).nodes) {
    if (node.type == "BlockInput" || node.type == "BlockOutput") continue;
    const QString type = textOf(node.type == "Block" ? attrOf(node, "block") : node.type);
    entries.push_back({QString::fromStdString(node.name),
                       scope.empty() ? PaletteEntries::tr("%1 on the canvas").arg(type)
                                     : PaletteEntries::tr("%1 in the block %2").arg(type, textOf(scope)),
                       QStringLiteral("target"), onDesignPage(window, [scope, node = id](DesignPage& page) {
                         page.canvas().goTo(scope, node);
                       })});
  }
}

Entries nodeEntries(const PaletteEntries& all) {
  Entries entries;
  addNodes(all, {}, entries);
  for (const auto& [name, block] : all.session().doc().blocks()) addNodes(all, name, entries);
  return entries;
}

Entries layerEntries(const PaletteEntries& all) {
  Entries entries;
  MainWindow& window = all.window();
  for (const AddableLayer& layer : designPageOf(window).addableLayers())
    entries.push_back({PaletteEntries::tr("Add %1").arg(layer.title),
                       layer.block ? PaletteEntries::tr("Block") : PaletteEntries::tr("Layer"),
                       QStringLiteral("layer-add"),
                       onDesignPage(window, [id = layer.id](DesignPage& page) { page.addLayer(id); }), layer.title});
  return entries;
}

Entries settingEntries(const PaletteEntries& all) {
  Entries entries;
  MainWindow& window = all.window();
  const auto* panel = window.page(QStringLiteral("design"))->findChild<SettingsPanel*>();
  if (!panel) return entries;
  for (const SettingRow& row : panel->rows())
    if (panel->isShown(row.id))
      entries.push_back({row.label, PaletteEntries::tr("Training setting"), QStringLiteral("settings"),
                         onDesignPage(window, [id = row.id](DesignPage& page) { page.showSetting(id); }), row.id});
  return entries;
}

Entries templateEntries(const PaletteEntries& all) {
  Entries entries;
  MainWindow& window = all.window();
  for (const Template& row : all_templates())
    entries.push_back({translated(row.title), PaletteEntries::tr("Template"), QStringLiteral("new"),
                       [&window, name = textOf(row.name)] { window.files().newFromTemplate(name); }, textOf(row.name)});
  return entries;
}

Entries recentEntries(const PaletteEntries& all) {
  Entries entries;
  MainWindow& window = all.window();
  for (const QString& path : recentProjects())
    entries.push_back({QFileInfo(path).fileName(), PaletteEntries::tr("Recent project"), QStringLiteral("clock"),
                       [&window, path] { window.files().openPath(path); }});
  return entries;
}

Entries runEntries(const PaletteEntries& all) {
  Entries entries;
  MainWindow& window = all.window();
  for (const RunSummary& run : all.runs()) {
    const QString folder = QString::fromStdString(run.folder.string());
    entries.push_back({runTitle(run), PaletteEntries::tr("Run"), QStringLiteral("page-runs"),
                       [&window, folder] { window.openRun(folder, QStringLiteral("train")); }});
  }
  return entries;
}

// Commands first: they stay first among equal matches.
constexpr Entries (*paletteKinds[])(const PaletteEntries&) = {
    commandEntries, nodeEntries, layerEntries, settingEntries, templateEntries, recentEntries, runEntries};

int scoreOf(const PaletteEntry& entry, const QString& query) {
  return std::max(fuzzyScore(query, entry.title), entry.other.isEmpty() ? 0 : fuzzyScore(query, entry.other));
}

}  // namespace

PaletteEntries::PaletteEntries(MainWindow& window, Session& session)
    : QObject(&window), window_(window), session_(session) {}

void PaletteEntries::refresh() {
  const QString chosen = session_.run().runsFolder();
  inBackground(
      this, [folder = chosen.isEmpty() ? runs_folder() : fs::path(chosen.toStdString())] { return list_runs(folder); },
      [this](std::vector<RunSummary> runs) {
        runs_ = std::move(runs);
        Q_EMIT changed();
      });
}

std::vector<PaletteEntry> PaletteEntries::matching(const QString& query) const {
  if (query.trimmed().isEmpty()) return commandEntries(*this);
  std::vector<std::pair<int, PaletteEntry>> found;
  for (const auto kind : paletteKinds)
    for (PaletteEntry& entry : kind(*this))
      if (const int score = scoreOf(entry, query); score > 0) found.emplace_back(score, std::move(entry));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Entries best;
  for (std::size_t i = 0; i < std::min(found.size(), most_entries); ++i) best.push_back(std::move(found[i].second));
  return best;
}

}  // namespace nw::ui
