// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/onnx_export.hpp"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <cmath>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(OnnxExport)
};

/// The programs that ran the file.
QStringList programsOf(const Json& proof) {
  QStringList names;
  if (const auto readers = proof.find("readers"); readers != proof.end() && readers->is_array())
    for (const Json& reader : *readers)
      if (textAt(reader, "problem").isEmpty())
        names += (textAt(reader, "reader") + u' ' + textAt(reader, "version")).trimmed();
  return names;
}

/// Where the command writes the file until it is proved.
QString unproved(const QString& file) {
  const QFileInfo info(file);
  return info.absolutePath() + QStringLiteral("/.") + info.completeBaseName() + QStringLiteral(".proving.onnx");
}

}  // namespace

QString proofText(const Json& proof) {
  const QStringList programs = programsOf(proof);
  const qint64 images = integerAt(proof, "images");
  const qint64 same = std::llround(numberAt(proof, "top1_agreement") * static_cast<double>(images));
  QString sentence = Words::tr(
                         "%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of "
                         "%n image(s).",
                         nullptr, static_cast<int>(images))
                         .arg(programs.join(QStringLiteral(", ")),
                              QString::number(numberAt(proof, "max_abs_diff"), 'g', 2), QString::number(same));
  if (programs.size() < 2)
    sentence += u' ' + Words::tr("No Python with onnxruntime, OpenCV or onnx was found to run the file too.");
  if (textAt(proof, "images_from") == QLatin1String("noise"))
    sentence += u' ' + Words::tr("The run's data was not found, so noise was used for images.");
  return sentence;
}

OnnxExport::OnnxExport(Session& session, QWidget& page)
    : QObject(&page), session_(session), page_(page), command_(session, this) {}

void OnnxExport::save(const QString& run, const QString& checkpoint) {
  command_.stop();
  const QString file =
      QFileDialog::getSaveFileName(&page_, tr("Save the network for other programs"),
                                   QFileInfo(run).fileName() + QStringLiteral(".onnx"), tr("ONNX networks (*.onnx)"));
  if (file.isEmpty()) return;
  command_.start(
      tr("Writing %1 and running it in other programs…").arg(QFileInfo(file).fileName()),
      {QStringLiteral("export"), run, QStringLiteral("--checkpoint"), checkpoint, QStringLiteral("--onnx"), file,
       QStringLiteral("--force")},  // the dialog has asked
      [this, file](const Json& proof) { finish(file, proof); },
      [this, file](const QString& sentence) { giveUp(file, sentence); });
}

void OnnxExport::finish(const QString& file, const Json& proof) {
  Q_EMIT session_.message(tr("Exported to %1.").arg(QFileInfo(file).fileName()) + u' ' + proofText(proof), 0,
                          fileActions(file).mid(1));
}

void OnnxExport::giveUp(const QString& file, const QString& sentence) {
  QFile::remove(unproved(file));
  Q_EMIT session_.message(sentence.isEmpty() ? tr("Exporting was stopped; nothing was written.") : sentence,
                          sentence.isEmpty() ? 0 : 2);
}

}  // namespace nw::ui
