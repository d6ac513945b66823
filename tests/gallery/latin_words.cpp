// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/latin_words.hpp"

#include <QRegularExpression>
#include <QSet>

#include "engine/design/layer_type.hpp"

namespace nw::ui {
namespace {

// clang-format off
const char* const allowed[] = {
    // the product, other products, formats
    "Netwright", "PyTorch", "Python", "ImageNet", "Kubernetes", "Slurm", "Linux", "Debian",
    // units and signs
    "batch", "epoch",
};
// clang-format on

QSet<QString> knownWords() {
  QSet<QString> words;
  for (const char* word : allowed) words << QLatin1String(word);
  for (const LayerType* type : all_layers()) {
    words << QString::fromStdString(std::string(type->name));
    for (const Field& field : type->fields) {
      words << QString::fromStdString(field.name);
      for (const std::string& choice : field.choices) words << QString::fromStdString(choice);
    }
  }
  return words;
}

/// Names of files, folders, layers and settings have dots, digits and such; abbreviations have capitals only.
bool isName(const QString& word) {
  static const QRegularExpression signs(QStringLiteral("[0-9_./:@=\\\\<>~+-]")), lower(QStringLiteral("[a-z]"));
  return word.size() < 3 || word.contains(signs) || !word.contains(lower);
}

}  // namespace

QStringList foreignWords(const QString& text) {
  static const QSet<QString> known = knownWords();
  static const QRegularExpression word(QStringLiteral("[A-Za-z0-9_./:@=\\\\<>~+-]+"));
  QStringList found;
  for (auto it = word.globalMatch(text); it.hasNext();) {
    QString one = it.next().captured();
    while (!one.isEmpty() && QStringLiteral(".:-/").contains(one.back())) one.chop(1);
    if (!isName(one) && !known.contains(one)) found << one;
  }
  return found;
}

}  // namespace nw::ui
