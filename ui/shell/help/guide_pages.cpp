// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/guide_pages.hpp"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUrl>
#include <QVariant>
#include <QWidget>

#include "ui/page/guide_page.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

struct Place {
  const char *widget, *page;  // name of the widget's class without the namespace, or its object name
};
// The nearest widget around the focus that is listed decides.
constexpr Place places[] = {
    {"WelcomePage", "first_network"},
    {"DesignPage", "first_network"},
    {"Canvas", "first_network"},
    {"PaletteTree", "layers/index"},
    {"Inspector", "layers/index"},
    {"LaneView", "machines"},
    {"PlacementPanel", "machines"},
    {"DevicePlan", "planning"},
    {"ProblemList", "first_network"},
    {"DataPanel", "own_photos"},
    {"CheckPanel", "own_photos"},
    {"PhotoDialog", "own_photos"},
    {"GetDataDialog", "own_photos"},
    {"Explorer", "own_photos"},
    {"SettingsPanel", "optimizers/index"},
    {"TrainPage", "charts"},
    {"RunSettingsDialog", "charts"},
    {"BranchDialog", "charts"},
    {"WhySlow", "speed"},
    {"DoctorPanel", "wrong"},
    {"PredictPage", "explaining"},
    {"RunsPage", "charts"},
    {"StudiesPanel", "searching"},
    {"StudyView", "searching"},
    {"SearchDialog", "searching"},
    {"QueuePanel", "machines"},
    {"DevicePanel", "machines"},
    {"JobsPanel", "machines"},
    {"SubmitDialog", "machines"},
    {"DeployPage", "deployment"},
    {"WeightMatchDialog", "exchange"},
    {"CommandPalette", "keys"},
    {"HelpDialog", "keys"},
    {"ShortcutsPage", "keys"},
    {"SpeedDialog", "speed"},
    {"DeviceComparisonDialog", "speed"},
    {"CompareDialog", "charts"},
    {"ComputedDialog", "charts"},
    {"TrainFurtherDialog", "charts"},
    {"TableTargetsDialog", "own_photos"},
    {"SaveBlockDialog", "layers/index"},
    {"MergeDialog", "first_network"},
};

QString pageOf(const QWidget& widget) {
  if (const QVariant own = widget.property(guidePageProperty); own.isValid()) return own.toString();
  const QString name = QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1);
  for (const Place& place : places)
    if (name == QLatin1String(place.widget) || widget.objectName() == QLatin1String(place.widget))
      return QLatin1String(place.page);
  return {};
}

}  // namespace

QString guidePageOf(const QWidget* where) {
  for (const QWidget* w = where; w; w = w->parentWidget())
    if (const QString page = pageOf(*w); !page.isEmpty()) return page;
  return QStringLiteral("index");
}

QString guideFile(const QString& page, const QString& language) {
  QStringList folders = QStandardPaths::locateAll(
      QStandardPaths::GenericDataLocation, QStringLiteral("doc/netwright-doc/guide"), QStandardPaths::LocateDirectory);
  folders << QDir(QCoreApplication::applicationDirPath()).absoluteFilePath(QStringLiteral("../guide/html"));
  for (const QString& of : {language, QStringLiteral("en")})
    for (const QString& folder : std::as_const(folders))
      if (const QFileInfo file(QStringLiteral("%1/%2/%3.html").arg(folder, of, page)); file.isFile())
        return file.canonicalFilePath();
  return {};
}

bool openGuide(const QString& page) {
  QString file = guideFile(page, currentLanguage());
  if (file.isEmpty()) file = guideFile(QStringLiteral("index"), currentLanguage());
  return !file.isEmpty() && QDesktopServices::openUrl(QUrl::fromLocalFile(file));
}

}  // namespace nw::ui
