// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/latin_words.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

namespace nw::ui {
namespace {

constexpr qsizetype shortest = 3;  // letters; shorter words are units and names

constexpr QChar ellipsis(0x2026);

/// A word before "…" is in the list with it, too.
QStringList wordsOf(const QString& text) {
  static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z']+"));
  QStringList words;
  for (auto it = word.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    words << match.captured();
    if (text.mid(match.capturedEnd(), 1) == ellipsis) words << match.captured() + ellipsis;
  }
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

/// Names of files, layers and settings have digits, signs or a capital inside.
bool isName(const QString& piece) {
  static const QRegularExpression sign(QStringLiteral("[0-9_./:@=\\\\<>~+-]|[a-z][A-Z]"));
  return piece.contains(sign);
}

}  // namespace

QStringList foreignWords(const QString& text) {
  static const QSet<QString> english = englishWords();
  static const QRegularExpression piece(QStringLiteral("[A-Za-z0-9_./:@=\\\\<>~+'-]+"));
  QStringList found;
  for (auto it = piece.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    QString one = match.captured();
    // what is left of a name that was cut may be a word
    if (text.mid(match.capturedEnd(), 1) == ellipsis && !english.contains(one + ellipsis)) continue;
    while (!one.isEmpty() && QStringLiteral(".:-/'").contains(one.back())) one.chop(1);
    if (one.size() >= shortest && !isName(one) && english.contains(one)) found << one;
  }
  return found;
}

}  // namespace nw::ui
