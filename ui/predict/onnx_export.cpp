// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/onnx_export.hpp"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <cmath>

#include "kernels/printable.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(OnnxExport)
};

constexpr int most_images = 1 << 30;

/// The programs that ran the file.
QStringList programsOf(const Json& readers) {
  QStringList names;
  for (const Json& reader : readers) {
    JsonReader r(reader, "proof");
    const std::string name = r.string("reader"), version = r.string_or("version", "");
    if (r.status() && !r.has("problem")) names += QString::fromStdString(printable(name + ' ' + version)).trimmed();
  }
  return names;
}

/// Where the command writes the file until it is proved.
QString unproved(const QString& file) {
  const QFileInfo info(file);
  return info.absolutePath() + QStringLiteral("/.") + info.completeBaseName() + QStringLiteral(".proving.onnx");
}

}  // namespace

QString proofText(const Json& proof) {
  JsonReader r(proof, "proof");
  const double difference = r.real("max_abs_diff"), same = r.real("top1_agreement");
  const auto images = r.integer("images", 0, most_images);
  const Json* readers = r.child("readers", Json::value_t::array);
  if (!r.status() || !readers)
    return translated(r.status() ? text(NW_TR("the proof cannot be read")) : r.status().error().what);
  const QStringList programs = programsOf(*readers);
  QString sentence = Words::tr(
                         "%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of "
                         "%n image(s).",
                         nullptr, static_cast<int>(images))
                         .arg(programs.join(QStringLiteral(", ")), QString::number(difference, 'g', 2),
                              QString::number(std::llround(same * static_cast<double>(images))));
  if (programs.size() < 2)
    sentence += u' ' + Words::tr("No Python with onnxruntime, OpenCV or onnx was found to run the file too.");
  if (r.string_or("images_from", "") == "noise")
    sentence += u' ' + Words::tr("The run's data was not found, so noise was used for images.");
  return sentence;
}

OnnxExport::OnnxExport(Session& session, QWidget& page) : QObject(&page), session_(session), page_(page) {}

void OnnxExport::save(const QString& run, const QString& checkpoint) {
  stop();
  const QString file =
      QFileDialog::getSaveFileName(&page_, tr("Save the network for other programs"),
                                   QFileInfo(run).fileName() + QStringLiteral(".onnx"), tr("ONNX networks (*.onnx)"));
  if (file.isEmpty()) return;
  process_ = new CommandProcess(this);
  connect(process_, &CommandProcess::answered, this, [this, file](const Json& proof) { finish(file, proof); });
  connect(process_, &CommandProcess::failed, this, [this, file](const QString& sentence) { giveUp(file, sentence); });
  process_->start({QStringLiteral("export"), run, QStringLiteral("--checkpoint"), checkpoint, QStringLiteral("--onnx"),
                   file, QStringLiteral("--force")});  // the dialog has asked
  Q_EMIT session_.message(tr("Writing %1 and running it in other programs…").arg(QFileInfo(file).fileName()), 0,
                          {{tr("Stop"),
                            [self = QPointer(this)] {
                              if (self) self->stop();
                            },
                            ValidUntil::closed}});
}

void OnnxExport::stop() {
  if (process_) process_->stop();
}

void OnnxExport::finish(const QString& file, const Json& proof) {
  process_->deleteLater();
  Q_EMIT session_.message(tr("Exported to %1.").arg(QFileInfo(file).fileName()) + u' ' + proofText(proof), 0,
                          fileActions(file).mid(1));
}

void OnnxExport::giveUp(const QString& file, const QString& sentence) {
  process_->deleteLater();
  QFile::remove(unproved(file));
  Q_EMIT session_.message(sentence.isEmpty() ? tr("Exporting was stopped; nothing was written.") : sentence,
                          sentence.isEmpty() ? 0 : 2);
}

}  // namespace nw::ui
