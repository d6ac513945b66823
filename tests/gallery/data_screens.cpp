// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/data_screens.hpp"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/gallery/data_samples.hpp"
#include "ui/data/data_fetch.hpp"
#include "ui/data/explorer.hpp"
#include "ui/data/get_data_dialog.hpp"
#include "ui/data/photo_dialog.hpp"

namespace nw::ui {
namespace {

/// Installs a script in place of netwright-cli data get that runs `lines`.
void say(const QByteArray& lines) {
  static QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("cli")));
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return;
  file.write("#!/bin/sh\n" + lines);
  file.close();
  file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
  DataFetch::setProgram(file.fileName());
}

GetDataDialog& dialogOf(Stage& s) { return *static_cast<GetDataDialog*>(s.extra.get()); }

GetDataDialog* open(Stage& s, const char* set) {
  auto* made = new GetDataDialog(s.work.session);
  s.extra.reset(made);
  made->choose(QLatin1String(set));
  made->show();
  return made;
}

}  // namespace

QWidget* photos(Stage& s) {
  s.open("lenet5");
  auto* made = new PhotoDialog(s.work.session, QString::fromStdString(folderChoice().path));
  s.extra.reset(made);
  made->setVisible(true);
  return made;
}

bool photosCounted(Stage& s) {
  auto& shown = *static_cast<PhotoDialog*>(s.extra.get());
  return !shown.errorText().isEmpty() || (shown.isCounted() && shown.isMeasured());
}

QWidget* getDataScreen(Stage& s) { return open(s, "imagenette"); }

QWidget* getDataRunning(Stage& s) {
  say(R"(echo '{"type":"progress","phase":"downloading","file":"EuroSAT.zip","host":"madm.dfki.de","done_bytes":41303168,"total_bytes":94280567,"bytes_per_s":8808038,"remaining_s":6.0}')"
      "\nexec sleep 30\n");
  GetDataDialog* shown = open(s, "eurosat");  // a data set that no test machine has installed
  shown->fetchButton().click();
  return shown;
}
bool dataDownloadRuns(Stage& s) { return dataFetch(s.work.session).progress().doneBytes > 0; }

QWidget* getDataFailed(Stage& s) {
  say(R"(echo '{"type":"error","code":1,"source":"{0} cannot be reached. Without a network: download {1} on another computer, copy it into {2} and start again here; its checksum is then verified","args":["codh.rois.ac.jp","http://codh.rois.ac.jp/kmnist/dataset/kmnist/train-images-idx3-ubyte.gz","/home/me/.local/share/netwright/kmnist"]}')"
      "\nexit 1\n");
  GetDataDialog* shown = open(s, "kmnist");
  shown->fetchButton().click();
  return shown;
}
QWidget* explorerScreen(Stage& s) {
  s.open("lenet5");
  auto* made = new Explorer(s.work.session);
  s.extra.reset(made);
  made->show();
  return made;
}
/// All visible thumbnails are loaded, and the fourth image is selected.
bool explorerFilled(Stage& s) {
  auto& e = *static_cast<Explorer*>(s.extra.get());
  const auto [first, count] = e.grid().inView();
  if (count == 0 || !e.pictures().idle()) return false;
  for (int row = first; row < first + count; ++row)
    if (!e.pictures().picture(e.model().index(row))) return false;
  if (e.grid().current() < 0) e.grid().setCurrent(3);
  return e.settled();
}

bool dataDownloadFailed(Stage& s) { return !dialogOf(s).errorText().isEmpty(); }

}  // namespace nw::ui
