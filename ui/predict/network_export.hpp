// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a run's network for other programs and says which of them compute the same with it. A process of its own writes
// and proves the file.
#pragma once
#include <QString>
#include <QStringList>
#include <span>

#include "ui/predict/export_record.hpp"
#include "ui/session/announced_command.hpp"

class QWidget;

namespace nw::ui {

class Session;

/// How an export is proved again once it lies there: by the SHA-256 of its files alone, by `verify` on images of the
/// run's data, or by `verify` on the bundle's own samples.
enum class NetworkCheck { digests, samples, bundle };

/// A row of the Export menu and a card of the Deploy page. To add one, add a row of the table in network_export.cpp.
struct NetworkFormat {
  const char* id;                   // of PredictHeader::exportRequested
  const char* title;                // of the menu's row
  const char* names;                // of the file dialog: "ONNX networks (*.onnx)"
  const char* ending;               // ".onnx"
  const char* option;               // of `netwright-cli export`, before the file
  const char* more;                 // other options, separated by spaces; "": none
  bool weights_beside;              // a file of weights of the same name is written too
  const char *name, *icon, *about;  // of the card
  NetworkCheck check;
};
std::span<const NetworkFormat> networkFormats();
QString titleOf(const NetworkFormat&);
QString nameOf(const NetworkFormat&);
QString aboutOf(const NetworkFormat&);
/// The arguments of netwright-cli that write `file`.
QStringList exportArguments(const NetworkFormat& format, const QString& file, const QString& run,
                            const QString& checkpoint);
/// Asks where the run's network is saved; empty: nowhere.
QString askForFile(const NetworkFormat& format, const QString& run, QWidget& window);
/// The file of weights that source code would replace: the dialog has asked about the code, not about it. Empty: none.
QString weightsInTheWay(const NetworkFormat& format, const QString& file);
/// What an export that was stopped leaves beside the file.
void removeUnfinished(const QString& file);

class NetworkExport : public QObject {
  Q_OBJECT
 public:
  NetworkExport(Session& session, QWidget& page);
  /// Whether `what` is a row of networkFormats(). Asks for the file, then writes it; what was being written is stopped.
  /// `checkpoint`: "best", "latest" or a name; `step`: of the weights that it stands for now. The Deploy page remembers
  /// the export.
  bool save(const QString& what, const QString& run, const QString& checkpoint, qint64 step);

 private:
  void start(const NetworkFormat& format, const ExportRecord& record, const QString& run);
  void finish(const ExportRecord& record, const QString& run);
  void giveUp(const QString& file, const QString& sentence);
  Session& session_;
  QWidget& page_;
  AnnouncedCommand command_;
};

/// What the answer of an export shows, in one or two sentences.
QString proofText(const Json& proof);

}  // namespace nw::ui
