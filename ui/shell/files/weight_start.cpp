// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/weight_start.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <memory>

#include "engine/core/digest.hpp"
#include "engine/design/start_from.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/session/start_command.hpp"
#include "ui/shell/files/weight_match_dialog.hpp"

namespace nw::ui {
namespace {

/// Relative where the file lies beside the project or below it; a project that is moved with it finds it again.
QString namedFrom(const QString& project, const QString& file) {
  const QString whole = QFileInfo(file).absoluteFilePath();
  if (project.isEmpty()) return whole;
  const QString relative = QFileInfo(project).absoluteDir().relativeFilePath(whole);
  return relative.startsWith(QLatin1String("..")) ? whole : relative;
}

}  // namespace

WeightStart::WeightStart(Session& session, QWidget& window) : QObject(&window), session_(session), window_(window) {}

void WeightStart::choose() {
  const QString file = QFileDialog::getOpenFileName(&window_, tr("The weights that training begins with"), {},
                                                    tr("Weights (*.safetensors);;All files (*)"));
  if (!file.isEmpty()) open(file);
}

void WeightStart::open(const QString& file) {
  if (exchange::foreign_weights(file.toStdString())) return void(Q_EMIT foreign(file));
  using Read = Result<Matches>;
  const auto read = [doc = session_.doc(), path = fs::path(file.toStdString())]() -> Read {
    NW_ASSIGN(const FlatNetwork network, flatten(doc, {.training = false, .batch = 1}));
    NW_ASSIGN(const SafetensorsFile weights, SafetensorsFile::open(path));
    NW_ASSIGN(const FileDigests digests, digests_of_file(path));
    return Matches{exchange::weight_table(network, weights.header()), digests.sha256};
  };
  inBackground(this, withinMemory([read] { return std::make_shared<Read>(read()); }),
               [this, file, version = session_.version()](const std::shared_ptr<Read>& matches) {
                 if (*matches) return show(file, **matches, version);
                 Q_EMIT session_.message(translated(matches->error().what), 2);
               });
}

void WeightStart::show(const QString& file, const Matches& matches, quint64 version) {
  if (session_.version() != version)
    return void(Q_EMIT session_.message(tr("The network was changed meanwhile. Choose the weights again."), 1));
  auto* dialog = new WeightMatchDialog(QFileInfo(file).fileName(), matches.rows, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowModality(Qt::WindowModal);
  connect(dialog, &QDialog::accepted, this, [this, file, matches] { take(file, matches); });
  dialog->show();
}

void WeightStart::take(const QString& file, const Matches& matches) {
  const StartFrom from{.weights = namedFrom(session_.path(), file).toStdString(), .sha256 = matches.sha256};
  if (!pushStart(session_, from, tr("Start from weights"))) return;
  const auto taken = std::count_if(matches.rows.begin(), matches.rows.end(), [](const exchange::WeightRow& r) {
    return r.match == exchange::WeightMatch::taken;
  });
  Q_EMIT session_.message(tr("Training begins with %n weight(s) of %1.", nullptr, static_cast<int>(taken))
                              .arg(inOneLine(QFileInfo(file).fileName())),
                          0, undoAction(session_));
}

}  // namespace nw::ui
