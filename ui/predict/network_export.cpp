// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/network_export.hpp"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(NetworkExport)
};

const NetworkFormat formats[] = {
    {"onnx", QT_TRANSLATE_NOOP("NetworkExport", "Network for other programs (ONNX)…"),
     QT_TRANSLATE_NOOP("NetworkExport", "ONNX networks (*.onnx)"), ".onnx", "--onnx", "", false, "ONNX", "layers",
     QT_TRANSLATE_NOOP("NetworkExport", "One file with the weights; takes pixels"), NetworkCheck::samples},
    {"tensorrt", QT_TRANSLATE_NOOP("NetworkExport", "Network for TensorRT (ONNX, fp16)…"),
     QT_TRANSLATE_NOOP("NetworkExport", "ONNX networks (*.onnx)"), "-fp16.onnx", "--onnx", "--precision fp16", false,
     QT_TRANSLATE_NOOP("NetworkExport", "TensorRT, fp16"), "gpu",
     QT_TRANSLATE_NOOP("NetworkExport", "ONNX with half precision"), NetworkCheck::digests},
    {"tensorrt-int8", QT_TRANSLATE_NOOP("NetworkExport", "Network for TensorRT (ONNX, int8)…"),
     QT_TRANSLATE_NOOP("NetworkExport", "ONNX networks (*.onnx)"), "-int8.onnx", "--onnx", "--precision int8", false,
     QT_TRANSLATE_NOOP("NetworkExport", "TensorRT, int8"), "gpu",
     QT_TRANSLATE_NOOP("NetworkExport", "ONNX with calibrated int8"), NetworkCheck::digests},
    {"weights", QT_TRANSLATE_NOOP("NetworkExport", "Weights by PyTorch's names (safetensors)…"),
     QT_TRANSLATE_NOOP("NetworkExport", "Weights (*.safetensors)"), ".safetensors", "--safetensors", "", false,
     "safetensors", "database", QT_TRANSLATE_NOOP("NetworkExport", "Weights under PyTorch's names"),
     NetworkCheck::digests},
    {"pytorch", QT_TRANSLATE_NOOP("NetworkExport", "Source code for PyTorch…"),
     QT_TRANSLATE_NOOP("NetworkExport", "Python files (*.py)"), ".py", "--pytorch", "", true,
     QT_TRANSLATE_NOOP("NetworkExport", "PyTorch source"), "file",
     QT_TRANSLATE_NOOP("NetworkExport", "Classes of nn.Module with a training loop"), NetworkCheck::digests},
    {"keras", QT_TRANSLATE_NOOP("NetworkExport", "Source code for Keras…"),
     QT_TRANSLATE_NOOP("NetworkExport", "Python files (*.py)"), "-keras.py", "--keras", "", true,
     QT_TRANSLATE_NOOP("NetworkExport", "Keras source"), "file",
     QT_TRANSLATE_NOOP("NetworkExport", "Keras 3 that loads our weights"), NetworkCheck::digests},
    {"c", QT_TRANSLATE_NOOP("NetworkExport", "C library…"), QT_TRANSLATE_NOOP("NetworkExport", "New folders (*)"), "-c",
     "--c", "", false, QT_TRANSLATE_NOOP("NetworkExport", "C library"), "cpu",
     QT_TRANSLATE_NOOP("NetworkExport", "C99, no memory allocated, only libm"), NetworkCheck::digests},
    {"bundle", QT_TRANSLATE_NOOP("NetworkExport", "Bundle of everything…"),
     QT_TRANSLATE_NOOP("NetworkExport", "New folders (*)"), "-bundle", "--bundle", "", false,
     QT_TRANSLATE_NOOP("NetworkExport", "Bundle"), "folder",
     QT_TRANSLATE_NOOP("NetworkExport", "All of it, with examples and PROOF.json"), NetworkCheck::bundle},
    {"server", QT_TRANSLATE_NOOP("NetworkExport", "Inference server (a folder)…"),
     QT_TRANSLATE_NOOP("NetworkExport", "New folders (*)"), "-server", "--server", "", false,
     QT_TRANSLATE_NOOP("NetworkExport", "Inference server"), "monitor",
     QT_TRANSLATE_NOOP("NetworkExport", "Program, container recipe and Kubernetes YAML"), NetworkCheck::digests},
};

QString weightsBeside(const QString& file) {
  const QFileInfo info(file);
  return info.absolutePath() + u'/' + info.completeBaseName() + QStringLiteral(".safetensors");
}

bool isFolder(const NetworkFormat& format) { return format.option == std::string_view("--server"); }

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

std::span<const NetworkFormat> networkFormats() { return formats; }
QString titleOf(const NetworkFormat& format) { return Words::tr(format.title); }
QString nameOf(const NetworkFormat& format) { return Words::tr(format.name); }
QString aboutOf(const NetworkFormat& format) { return Words::tr(format.about); }

QStringList exportArguments(const NetworkFormat& format, const QString& file, const QString& run,
                            const QString& checkpoint) {
  const QStringList all{QStringLiteral("export"),     run,  QStringLiteral("--checkpoint"), checkpoint,
                        QLatin1String(format.option), file, QStringLiteral("--force")};
  return all + QString::fromLatin1(format.more).split(u' ', Qt::SkipEmptyParts);
}

QString askForFile(const NetworkFormat& format, const QString& run, QWidget& window) {
  return QFileDialog::getSaveFileName(&window, Words::tr("Save the network for other programs"),
                                      QFileInfo(run).fileName() + QLatin1String(format.ending),
                                      Words::tr(format.names));
}

QString weightsInTheWay(const NetworkFormat& format, const QString& file) {
  const QString beside = weightsBeside(file);
  return format.weights_beside && QFile::exists(beside) && !QFile::exists(file) ? beside : QString();
}

void removeUnfinished(const QString& file) {
  QFile::remove(unproved(file));
  const QFileInfo info(file);
  for (const QString& stage : info.dir().entryList({u'.' + info.fileName() + QStringLiteral(".bundling-??????")},
                                                   QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot))
    QDir(info.dir().filePath(stage)).removeRecursively();
}

QString proofText(const Json& proof) {
  if (textAt(proof, "type") == QLatin1String("server"))
    return Words::tr("The folder holds the server, this network, a container recipe and YAML for Kubernetes.");
  if (textAt(proof, "type") == QLatin1String("weights"))
    return Words::tr("%n weight(s), read again bit by bit.", nullptr, static_cast<int>(integerAt(proof, "tensors")));
  if (textAt(proof, "not_run") == QLatin1String("cc"))
    return Words::tr("The library was not run: there is no C compiler.");
  if (const QString missing = textAt(proof, "not_run"); !missing.isEmpty())
    return Words::tr("The file was not run: Python's %1 was not found.").arg(missing);
  const QStringList programs = programsOf(proof);
  const qint64 images = integerAt(proof, "images");
  const qint64 same = std::llround(numberAt(proof, "top1_agreement") * static_cast<double>(images));
  const bool rounded = textAt(proof, "precision") == QLatin1String("int8");
  QString sentence =
      (rounded ? Words::tr("In int8, as %1 compute it, outputs differ from fp32 by at most %2, and the class "
                           "is the same for %3 of %n image(s).",
                           nullptr, static_cast<int>(images))
               : Words::tr("%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of "
                           "%n image(s).",
                           nullptr, static_cast<int>(images)))
          .arg(programs.join(QStringLiteral(", ")), QString::number(numberAt(proof, "max_abs_diff"), 'g', 2),
               QString::number(same));
  if (!rounded && programs.size() < 2 && textAt(proof, "language").isEmpty())
    sentence += u' ' + Words::tr("No Python with onnxruntime, OpenCV or onnx was found to run the file too.");
  if (textAt(proof, "images_from") == QLatin1String("noise"))
    sentence += u' ' + Words::tr("The run's data was not found, so noise was used for images.");
  return sentence;
}

NetworkExport::NetworkExport(Session& session, QWidget& page)
    : QObject(&page), session_(session), page_(page), command_(session, this) {}

bool NetworkExport::save(const QString& what, const QString& run, const QString& checkpoint, qint64 step) {
  const auto format = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const NetworkFormat& f) { return what == QLatin1String(f.id); });
  if (format == std::end(formats)) return false;
  command_.stop();
  const QString file = askForFile(*format, run, page_);
  if (!file.isEmpty())
    start(*format, {.format = what, .file = QFileInfo(file).absoluteFilePath(), .checkpoint = checkpoint, .step = step},
          run);
  return true;
}

/// "best" may become other weights while this runs: its step is what is exported.
void NetworkExport::start(const NetworkFormat& format, const ExportRecord& record, const QString& run) {
  const QString& file = record.file;
  if (const QString beside = weightsInTheWay(format, file); !beside.isEmpty())
    return void(
        Q_EMIT session_.message(tr("%1 exists already; choose another name.").arg(QFileInfo(beside).fileName()), 2));
  command_.start((isFolder(format) ? tr("Writing %1…") : tr("Writing %1 and running it in other programs…"))
                     .arg(QFileInfo(file).fileName()),
                 exportArguments(format, file, run, QString::fromStdString(checkpoint_name(record.step))),
                 [this, record, run](const Json& proof) {
                   ExportRecord proved = record;
                   proved.proof = proof;
                   proved.at = QDateTime::currentSecsSinceEpoch();
                   finish(proved, run);
                 },
                 [this, file](const QString& sentence) { giveUp(file, sentence); });
}

void NetworkExport::finish(const ExportRecord& record, const QString& run) {
  Q_EMIT session_.message(tr("Exported to %1.").arg(QFileInfo(record.file).fileName()) + u' ' + proofText(record.proof),
                          0, fileActions(record.file).mid(1));
  const auto remember = [record, folder = run.toStdString()]() -> Status {
    ExportRecord whole = record;
    NW_ASSIGN(whole.digests, digestsOf(whole));
    return saveExport(folder, whole);
  };
  inBackground(this, remember, [this](const Status& saved) {
    if (!saved) Q_EMIT session_.message(translated(saved.error().what), 1);
  });
}

void NetworkExport::giveUp(const QString& file, const QString& sentence) {
  removeUnfinished(file);
  Q_EMIT session_.message(sentence.isEmpty() ? tr("Exporting was stopped; nothing was written.") : sentence,
                          sentence.isEmpty() ? 0 : 2);
}

}  // namespace nw::ui
