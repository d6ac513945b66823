// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/run_adaptation.hpp"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "engine/core/files.hpp"
#include "ui/data/table_targets_dialog.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// A project among the user's, named after the images or the table, that does not exist yet.
QString freeProject(const QString& data) {
  const QDir folder(QString::fromStdString((data_folder() / "projects").string()));
  folder.mkpath(QStringLiteral("."));
  const QFileInfo info(QDir::cleanPath(data));
  const QString stem = info.isDir() ? info.fileName() : info.completeBaseName();
  const auto taken = [&](const QString& name) {
    return folder.exists(name + QStringLiteral(".netwright")) || folder.exists(name + QStringLiteral(".safetensors"));
  };
  QString name = stem.isEmpty() ? QStringLiteral("images") : stem;
  for (int i = 2; taken(name); ++i) name = QStringLiteral("%1-%2").arg(stem).arg(i);
  return folder.filePath(name + QStringLiteral(".netwright"));
}

}  // namespace

RunAdaptation::RunAdaptation(Session& session, QWidget& window)
    : QObject(&window), session_(session), window_(window), command_(session, this) {}

void RunAdaptation::toImages(const Source& source) {
  command_.stop();
  const QString images = QFileDialog::getExistingDirectory(
      &window_, tr("The images that the network is to learn, a folder for each class"));
  if (!images.isEmpty()) start(source, images, {});
}

void RunAdaptation::toTable(const Source& source) {
  command_.stop();
  const QString table = QFileDialog::getOpenFileName(
      &window_, tr("The table with the images that the network is to learn"), {}, tr("Tables (*.csv *.tsv)"));
  if (table.isEmpty()) return;
  const Result<TableHead> head = table_head(table.toStdString());
  if (!head) return void(Q_EMIT session_.message(translated(head.error().what), 2));
  TableTargetsDialog dialog(QFileInfo(table).fileName(), *head, &window_);
  if (dialog.exec() != QDialog::Accepted) return;
  const TableTargets targets = dialog.chosen();
  start(source, table,
        {QStringLiteral("--target"), targets.target, QStringLiteral("--target-column"), targets.columns});
}

void RunAdaptation::start(const Source& source, const QString& data, const QStringList& targets) {
  const QString project = freeProject(data);
  command_.start(
      tr("Adapting %1 to the images in %2…").arg(source.name, inOneLine(QFileInfo(QDir::cleanPath(data)).fileName())),
      QStringList{QStringLiteral("adapt"), source.path, QStringLiteral("--data"), data, QStringLiteral("--output"),
                  project} +
          targets,
      [this, project](const Json& answer) { finish(project, answer); },
      [this](const QString& sentence) {
        Q_EMIT session_.message(sentence.isEmpty() ? tr("Adapting was stopped; nothing was written.") : sentence,
                                sentence.isEmpty() ? 0 : 2);
      });
}

void RunAdaptation::finish(const QString& project, const Json& answer) {
  Q_EMIT adapted(project);
  const QString folder = QFileInfo(project).absolutePath();
  Q_EMIT session_.message(
      tr("The network has a new last layer, %1; training begins with the weights that it had. First the last layer "
         "learns alone, then the others more slowly: see their cards.")
          .arg(textAt(answer, "head")),
      0, {{tr("Show folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }}});
}

}  // namespace nw::ui
