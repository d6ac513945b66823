// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/onnx_import.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// A name beside the file that neither a project nor weights have yet.
QString freeProject(const QFileInfo& file) {
  const QDir folder = file.absoluteDir();
  QString name = file.completeBaseName();
  const auto taken = [&](const QString& base) {
    return folder.exists(base + QStringLiteral(".netwright")) || folder.exists(base + QStringLiteral(".safetensors"));
  };
  for (int i = 2; taken(name); ++i) name = QStringLiteral("%1-%2").arg(file.completeBaseName()).arg(i);
  return folder.filePath(name + QStringLiteral(".netwright"));
}

/// What the user should know about the import, as sentences.
QStringList notesOf(const Json& answer) {
  QStringList notes;
  if (const auto list = answer.find("notes"); list != answer.end() && list->is_array())
    for (const Json& note : *list) notes += sentenceOf(note);
  return notes;
}

}  // namespace

OnnxImport::OnnxImport(Session& session, QWidget& window)
    : QObject(&window), session_(session), window_(window), command_(session, this) {}

void OnnxImport::open(const QString& file) {
  command_.stop();
  const QFileInfo info(file);
  const QString project = QFileDialog::getSaveFileName(&window_, tr("Save the imported network as a project"),
                                                       freeProject(info), tr("Netwright projects (*.netwright)"));
  if (project.isEmpty()) return;
  QStringList arguments{QStringLiteral("import"), info.absoluteFilePath(), QStringLiteral("--output"), project};
  if (QFileInfo::exists(project)) arguments << QStringLiteral("--force");  // the dialog has asked
  command_.start(
      tr("Importing %1…").arg(info.fileName()), arguments,
      [this, file, project](const Json& answer) { finish(file, project, answer); },
      [this](const QString& sentence) {
        Q_EMIT session_.message(sentence.isEmpty() ? tr("Importing was stopped; nothing was written.") : sentence,
                                sentence.isEmpty() ? 0 : 2);
      });
}

void OnnxImport::finish(const QString& file, const QString& project, const Json& answer) {
  const QString weights = QFileInfo(textAt(answer, "weights")).fileName();
  const QString done = tr("%1 was imported: %n layer(s). Training begins with its weights, which are in %2.", nullptr,
                          static_cast<int>(integerAt(answer, "layers")))
                           .arg(QFileInfo(file).fileName(), weights);
  const auto opaque = answer.find("opaque");
  Q_EMIT imported(project, (QStringList(done) + notesOf(answer)).join(u' '),
                  opaque != answer.end() && opaque->is_array() && !opaque->empty());
}

}  // namespace nw::ui
