// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/run_adaptation.hpp"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "engine/core/files.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// A project among the user's, named after the images, that does not exist yet.
QString freeProject(const QString& images) {
  const QDir folder(QString::fromStdString((data_folder() / "projects").string()));
  folder.mkpath(QStringLiteral("."));
  const QString stem = QFileInfo(QDir(images).absolutePath()).fileName();
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

void RunAdaptation::adapt(const QString& run) {
  command_.stop();
  const QString images = QFileDialog::getExistingDirectory(
      &window_, tr("The images that the network is to learn, a folder for each class"));
  if (images.isEmpty()) return;
  const QString project = freeProject(images);
  command_.start(
      tr("Adapting %1 to the images in %2…").arg(runTitle(run), QDir(images).dirName()),
      {QStringLiteral("adapt"), run, QStringLiteral("--data"), images, QStringLiteral("--output"), project},
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
      tr("The network has a new last layer, %1; training begins with the weights of the run. First the last layer "
         "learns alone, then the others more slowly: see their cards.")
          .arg(textAt(answer, "head")),
      0, {{tr("Show folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }}});
}

}  // namespace nw::ui
