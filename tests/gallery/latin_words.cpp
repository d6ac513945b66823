// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/latin_words.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

namespace nw::ui {
namespace {

constexpr qsizetype shortest = 3;  // letters; shorter words are units and names

QStringList wordsOf(const QString& text) {
  static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z']+"));
  QStringList words;
  for (auto it = word.globalMatch(text); it.hasNext();) words << it.next().captured();
  return words;
}

/// What the program says in English, without what its Chinese says too: names of products, layers, settings, keys.
QSet<QString> englishWords() {
  QFile file(QStringLiteral(NW_CHINESE_TEXTS));
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", NW_CHINESE_TEXTS);
  QXmlStreamReader xml(&file);
  QSet<QString> english, chinese;
  const auto add = [](QSet<QString>& words, const QString& text) {
    for (const QString& word : wordsOf(text)) words << word;
  };
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == u"source") add(english, xml.readElementText());
    if (xml.name() == u"translation") add(chinese, xml.readElementText(QXmlStreamReader::IncludeChildElements));
  }
  return english.subtract(chinese);
}

}  // namespace

QStringList foreignWords(const QString& text) {
  static const QSet<QString> english = englishWords();
  QStringList found;
  for (const QString& word : wordsOf(text))
    if (word.size() >= shortest && english.contains(word)) found << word;
  return found;
}

}  // namespace nw::ui
