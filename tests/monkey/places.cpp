// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/places.hpp"

#include <QTabBar>
#include <algorithm>
#include <iterator>

#include "engine/runs/run_folder.hpp"
#include "engine/search/journal.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/queue/queue_panel.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/settings/weights_field.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_view.hpp"

namespace nw::ui {
namespace {

template <class P>
P& pageOf(WindowHost& host, const char* id) {
  host.window().showPage(QLatin1String(id));
  return *static_cast<P*>(host.window().page(QLatin1String(id)));
}

RunsPage& tabOf(WindowHost& host, int tab) {
  auto& page = pageOf<RunsPage>(host, "runs");
  page.tabs().setCurrentIndex(tab);
  return page;
}

/// Folder number `which` of the runs folder that `is` accepts; empty: there is none.
template <class Is>
fs::path folderOf(std::uint32_t which, Is is) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(runs_folder(), ignored))
    if (is(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found.empty() ? fs::path() : found[which % found.size()];
}

QWidget* showRuns(WindowHost& host, std::uint32_t, const QString&) { return &tabOf(host, 0); }
QWidget* showStudies(WindowHost& host, std::uint32_t, const QString&) {
  StudiesPanel& studies = tabOf(host, 1).studies();
  studies.showAll();
  return &studies;
}
QWidget* showStudy(WindowHost& host, std::uint32_t which, const QString&) {
  StudiesPanel& studies = tabOf(host, 1).studies();
  const fs::path folder = folderOf(which, [](const fs::path& f) { return search::holds_study(f); });
  if (!folder.empty()) studies.openStudy(folder);
  return &studies;
}
QWidget* showQueue(WindowHost& host, std::uint32_t, const QString&) { return &tabOf(host, 2).queue(); }

/// Refused for a network with problems: a good one is opened first.
QWidget* searchSettings(WindowHost& host, std::uint32_t, const QString& project) {
  const Session& session = host.workplace().session;
  if (session.doc().graph().nodes.empty() || session.analysis().count(Severity::error) > 0)
    host.window().files().openPath(project);
  else
    action(QStringLiteral("search-settings"))->trigger();
  return nullptr;
}

QWidget* showRun(WindowHost& host, std::uint32_t which, const char* page) {
  const fs::path folder = folderOf(which, [](const fs::path& f) { return fs::exists(f / "run.json"); });
  if (!folder.empty()) host.window().openRun(QString::fromStdString(folder.string()), QLatin1String(page));
  return host.window().page(QLatin1String(page));
}
QWidget* showTraining(WindowHost& host, std::uint32_t which, const QString&) { return showRun(host, which, "train"); }
QWidget* showPredictions(WindowHost& host, std::uint32_t which, const QString&) {
  return showRun(host, which, "predict");
}

QWidget* showSetting(WindowHost& host, std::uint32_t which, const QString&) {
  const std::vector<SettingRow> rows = settingRows();
  auto& page = pageOf<DesignPage>(host, "design");
  page.showSetting(rows[which % rows.size()].id);
  return page.findChild<SettingsPanel*>();
}

QWidget* showClassWeights(WindowHost& host, std::uint32_t which, const QString& project) {
  QWidget* panel = showSetting(host, which, project);
  auto* field = panel ? panel->findChild<WeightsField*>() : nullptr;
  if (!field || !field->isVisibleTo(panel)) return panel;
  static_cast<SettingsPanel*>(panel)->ensureWidgetVisible(field);
  field->setFocus(Qt::ShortcutFocusReason);
  return field;
}

QWidget* showDeployTab(WindowHost& host, const char* tab) {
  auto& page = pageOf<DeployPage>(host, "deploy");
  page.showTab(QLatin1String(tab));
  return page.tab(QLatin1String(tab));
}
QWidget* showExports(WindowHost& host, std::uint32_t, const QString&) { return showDeployTab(host, "export"); }
QWidget* showCompress(WindowHost& host, std::uint32_t, const QString&) { return showDeployTab(host, "compress"); }
QWidget* showServe(WindowHost& host, std::uint32_t, const QString&) { return showDeployTab(host, "serve"); }
QWidget* showTest(WindowHost& host, std::uint32_t, const QString&) { return showDeployTab(host, "test"); }

constexpr Place places[] = {{"exports", showExports},   {"compress", showCompress},
                            {"serve", showServe},       {"inference test", showTest},
                            {"runs", showRuns},         {"studies", showStudies},
                            {"study", showStudy},       {"study", showStudy},
                            {"queue", showQueue},       {"search for settings", searchSettings},
                            {"a run", showTraining},    {"predictions", showPredictions},
                            {"a setting", showSetting}, {"class weights", showClassWeights}};

}  // namespace

const Place& placeOf(std::uint32_t n) { return places[n % std::size(places)]; }

}  // namespace nw::ui
