// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/chosen_data.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/data/sources/recognise.hpp"
#include "ui/data/data_rows.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"

namespace nw::ui {
namespace {

/// The template that new projects on such data begin with; "": there is none.
QString usualNetwork(SourceKind kind) {
  if (kind == SourceKind::mnist) return QStringLiteral("lenet5");
  return kind == SourceKind::cifar ? QStringLiteral("convnet-tiny") : QString();
}

}  // namespace

ChosenData::ChosenData(Session& session, ProjectFiles& files, QWidget& window)
    : session_(session), files_(files), window_(window) {}

bool ChosenData::open(const QString& path) {
  const QFileInfo info(path);
  if (!info.isDir() && !recognise(path.toStdString())) {
    Q_EMIT session_.message(
        ProjectFiles::tr(
            "%1 is neither a project nor a data set. Netwright opens .netwright files, PNG diagrams that it exported, "
            "run folders, folders and archives of images, CSV and IDX files, and COCO and VOC annotations.")
            .arg(info.fileName()),
        2);
    return false;
  }
  const SourceKind kind = choice_for(path, {}).kind;
  if (info.isDir() && kind == SourceKind::image_folder) return ask(path), false;
  const QString network = session_.doc().graph().nodes.empty() ? usualNetwork(kind) : QString();
  if (!network.isEmpty() && !files_.newFromTemplate(network)) return false;
  return use(choice_for(path, session_.doc().data()), info.fileName());
}

/// Queued: the program that the folder was dragged from waits for the drop to end, and at the start the window is not
/// shown yet.
void ChosenData::ask(const QString& folder) {
  QMetaObject::invokeMethod(
      &window_,
      [this, folder] {
        auto* dialog = new PhotoDialog(session_, folder, &window_);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QDialog::accepted, &files_, [this, dialog] { answered(*dialog); });
        dialog->open();
      },
      Qt::QueuedConnection);
}

void ChosenData::answered(const PhotoDialog& dialog) {
  const QString name = QFileInfo(dialog.folder()).fileName();
  if (dialog.isForThisProject())
    use(dialog.dataOfThisProject(), name);
  else
    files_.newProject(dialog.project(), name);
}

/// The project's data; undo restores the old one.
bool ChosenData::use(const DataChoice& data, const QString& name) {
  if (!session_.push({PutData{data}}, ProjectFiles::tr("Choose data"))) return false;
  Q_EMIT session_.message(ProjectFiles::tr("The project now trains on %1").arg(name), 0, undoAction(session_));
  Q_EMIT files_.opened();
  return true;
}

}  // namespace nw::ui
