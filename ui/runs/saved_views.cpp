// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/saved_views.hpp"

#include <QSettings>
#include <QVariantMap>
#include <algorithm>

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

const char* const viewsKey = "runs/views";
constexpr int longest_view_name = 60;

QVariantMap toMap(const RunView& v) {
  return {{QStringLiteral("name"), v.name},           {QStringLiteral("words"), v.words},
          {QStringLiteral("status"), v.status},       {QStringLiteral("tree"), v.tree},
          {QStringLiteral("sort"), v.table.sort},     {QStringLiteral("columns"), v.table.columns},
          {QStringLiteral("metric"), v.metric},       {QStringLiteral("axis"), v.axis},
          {QStringLiteral("pinned"), v.charted},      {QStringLiteral("grouping"), v.grouping},
          {QStringLiteral("collapsed"), v.collapsed}, {QStringLiteral("pins"), v.pinned}};
}

RunView fromMap(const QVariantMap& m) {
  const auto text = [&](const char* key) { return m.value(QLatin1String(key)).toString(); };
  RunView v{.name = inOneLine(text("name")).left(longest_view_name), .words = text("words")};
  v.status = m.value(QStringLiteral("status")).toInt();
  v.tree = m.value(QStringLiteral("tree"), true).toBool();
  v.table = {m.value(QStringLiteral("columns")).toStringList(), text("sort")};
  v.metric = text("metric");
  v.axis = text("axis");
  v.charted = m.value(QStringLiteral("pinned")).toStringList();
  v.grouping = text("grouping");
  v.collapsed = m.value(QStringLiteral("collapsed")).toStringList();
  v.pinned = m.value(QStringLiteral("pins")).toStringList();
  return v;
}

void store(const QVector<RunView>& views) {
  QVariantList list;
  for (const RunView& v : views) list.append(toMap(v));
  QSettings settings;
  settings.setValue(QLatin1String(viewsKey), list);
  settings.sync();
}

}  // namespace

QVector<RunView> savedViews() {
  QVector<RunView> views;
  for (const QVariant& one : QSettings().value(QLatin1String(viewsKey)).toList())
    if (RunView v = fromMap(one.toMap()); !v.name.isEmpty() && views.size() < most_views) views.append(std::move(v));
  std::sort(views.begin(), views.end(), [](const RunView& a, const RunView& b) { return a.name < b.name; });
  return views;
}

bool saveView(const RunView& view) {
  QVector<RunView> views = savedViews();
  views.removeIf([&](const RunView& v) { return v.name == view.name; });
  if (views.size() >= most_views) return false;
  views.append(view);
  store(views);
  return true;
}

void removeView(const QString& name) {
  QVector<RunView> views = savedViews();
  views.removeIf([&](const RunView& v) { return v.name == name; });
  store(views);
}

}  // namespace nw::ui
