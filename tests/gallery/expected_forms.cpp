// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/expected_forms.hpp"

#include <QDir>
#include <QFile>

#include "tests/gallery/text_form.hpp"

namespace nw::ui {
namespace {

constexpr qsizetype most_lines = 20;

QStringList linesOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
}

void write(const QString& path, const QStringList& lines) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write((lines.join(u'\n') + u'\n').toUtf8());
}

}  // namespace

QString ExpectedForms::take(const QString& screen, const QStringList& form) const {
  const QString path = QDir(folder_).filePath(screen + QStringLiteral(".txt"));
  if (!QFile::exists(path)) return {};
  const QStringList changed = differences(linesOf(path), form);
  if (changed.isEmpty()) return {};
  if (task_ == Task::write) {
    write(path, form);
    return {};
  }
  QString said = QStringLiteral("%1 differs from %2 (- expected, + shown):\n%3")
                     .arg(screen, path, changed.mid(0, most_lines).join(u'\n'));
  if (changed.size() > most_lines) said += QStringLiteral("\n… %1 lines more").arg(changed.size() - most_lines);
  return said;
}

}  // namespace nw::ui
