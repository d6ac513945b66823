// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/sample_files.hpp"

#include <QDir>
#include <QFile>
#include <QImage>

#include "engine/design/project_file.hpp"

namespace nw::ui {
namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}

/// A template with a small synthetic data set, so that a run of it takes seconds.
void writeProject(const QString& path, const char* name, int epochs) {
  GraphDoc doc = find_template(name)->make();
  DataChoice data = doc.data();
  data.synthetic_train = 400;
  data.synthetic_test = 100;
  if (data.kind != SourceKind::synthetic) data.kind = SourceKind::synthetic;
  TrainSettings settings = doc.settings();
  settings.epochs = epochs;
  if (doc.apply({PutData{data}, PutSettings{settings}})) (void)bool(ProjectFile::save(doc, path.toStdString()));
}

void writePhotos(const QString& folder, int classes, int images) {
  for (int c = 0; c < classes; ++c) {
    const QString place = QStringLiteral("%1/class %2 <b>").arg(folder).arg(c);
    QDir().mkpath(place);
    for (int i = 0; i < images; ++i) {
      QImage image(24 + c * 5, 20 + i % 3, QImage::Format_RGB32);
      image.fill(QColor::fromHsv(c * 80 % 360, 200, 60 + i * 7 % 190));
      image.save(QStringLiteral("%1/%2.png").arg(place).arg(i));
    }
  }
}

}  // namespace

QStringList writeSampleFiles(const QString& folder) {
  const QDir dir(folder);
  const auto at = [&](const char* name) { return dir.filePath(QString::fromUtf8(name)); };
  writeProject(at("lenet.netwright"), "lenet5", 2);
  writeProject(at("mlp 多层.netwright"), "mlp", 3);
  writeProject(at("shapes.netwright"), "shapes-labels", 2);
  QFile project(at("lenet.netwright"));
  const QByteArray whole = project.open(QIODevice::ReadOnly) ? project.readAll() : QByteArray();
  write(at("half.netwright"), whole.left(whole.size() / 2));
  write(at("empty.netwright"), {});
  write(at("deep.netwright"), QByteArray(100000, '['));
  write(at("table.csv"), "label,a,b,c,d\n1,0,0,0,0\n0,255,255,255,255\n1,1,2,3,4\n0,9,8,7,6\n");
  write(at("broken.csv"), "label,a\n1\n\"");
  write(at("notes.txt"), "not data");
  QImage(28, 20, QImage::Format_RGB32).save(at("picture.png"));
  write(at("broken.png"), "\x89PNG\r\n\x1a\n0000");
  writePhotos(at("photos"), 3, 12);
  writePhotos(at("one photo"), 1, 1);
  QDir().mkpath(at("empty folder"));
  QStringList all;
  for (const char* name : {"lenet.netwright", "mlp 多层.netwright", "shapes.netwright", "half.netwright",
                           "empty.netwright", "deep.netwright", "table.csv", "broken.csv", "notes.txt", "picture.png",
                           "broken.png", "photos", "one photo", "empty folder", "absent.netwright"})
    all << at(name);
  return all;
}

}  // namespace nw::ui
