// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/last_view.hpp"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "ui/canvas/canvas.hpp"
#include "ui/design/design_page.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {
namespace {

constexpr auto group = "last";

DesignPage& designOf(MainWindow& window) { return *static_cast<DesignPage*>(window.page(QStringLiteral("design"))); }

}  // namespace

void rememberView(MainWindow& window, Session& session) {
  QSettings s;
  s.beginGroup(QLatin1String(group));
  s.remove(QString());
  if (session.path().isEmpty() || window.currentPage() == QLatin1String("welcome")) return;
  const GraphView& view = designOf(window).canvas().view();
  const GraphScene& scene = view.graph();
  const auto& nodes = scene.graph().nodes;
  const auto chosen = nodes.find(scene.selection().current());
  s.setValue(QStringLiteral("path"), session.path());
  s.setValue(QStringLiteral("page"), window.currentPage());
  s.setValue(QStringLiteral("scope"), QString::fromStdString(scene.scope()));
  s.setValue(QStringLiteral("layer"), chosen == nodes.end() ? QString() : QString::fromStdString(chosen->second.name));
  s.setValue(QStringLiteral("run"), session.feed().folder());
  s.setValue(QStringLiteral("zoom"), view.camera().zoom());
  s.setValue(QStringLiteral("centre"), view.mapToScene(view.viewport()->rect().center()));
}

std::optional<LastView> lastView() {
  QSettings s;
  s.beginGroup(QLatin1String(group));
  LastView view{s.value(QStringLiteral("path")).toString(),  s.value(QStringLiteral("page")).toString(),
                s.value(QStringLiteral("scope")).toString(), s.value(QStringLiteral("layer")).toString(),
                s.value(QStringLiteral("zoom")).toDouble(),  s.value(QStringLiteral("centre")).toPointF(),
                s.value(QStringLiteral("run")).toString()};
  if (view.path.isEmpty() || !QFileInfo(view.path).isFile()) return {};
  return view;
}

void restoreView(MainWindow& window, Session& session, const LastView& last) {
  if (!last.run.isEmpty() && QFileInfo(QDir(last.run).filePath(QStringLiteral("run.json"))).isFile())
    session.feed().follow(last.run);
  Canvas& canvas = designOf(window).canvas();
  GraphScene& scene = canvas.scene();
  if (last.scope.isEmpty() || scene.doc().blocks().contains(last.scope.toStdString()))
    scene.setScope(last.scope.toStdString());
  for (const auto& [id, node] : scene.graph().nodes)
    if (node.name == last.layer.toStdString()) scene.selection().setCurrent(id);
  if (last.zoom > 0) canvas.showPart(last.zoom, last.centre);
  window.showPage(last.page);
}

}  // namespace nw::ui
