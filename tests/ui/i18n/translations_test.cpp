// SPDX-License-Identifier: GPL-3.0-or-later
// Every user text of the sources has a Chinese translation: lupdate is run on a copy of the shipped file and must not
// find a missing one.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTranslator>
#include <QXmlStreamReader>
#include <vector>

#include "tests/support/paths.hpp"

namespace {

struct Entry {
  QString context, source;
  QStringList translations;
  bool finished = true;
};

std::vector<Entry> entries(const QString& path) {
  QFile file(path);
  std::vector<Entry> all;
  if (!file.open(QIODevice::ReadOnly)) return all;
  QXmlStreamReader xml(&file);
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("name"))
      context = xml.readElementText();
    else if (xml.name() == QLatin1String("message"))
      all.push_back({context, {}, {}, true});
    else if (xml.name() == QLatin1String("source"))
      all.back().source = xml.readElementText();
    else if (xml.name() == QLatin1String("numerusform"))
      all.back().translations << xml.readElementText();
    else if (xml.name() == QLatin1String("translation")) {
      all.back().finished = xml.attributes().value(QLatin1String("type")) != QLatin1String("unfinished");
      while (xml.readNext() != QXmlStreamReader::EndElement || xml.name() != QLatin1String("translation")) {
        if (xml.isCharacters() && !xml.isWhitespace()) all.back().translations << xml.text().toString();
        if (xml.isStartElement() && xml.name() == QLatin1String("numerusform"))
          all.back().translations << xml.readElementText();
      }
    }
  }
  return all;
}

/// The placeholders {0}, %1 and %n of a text.
QSet<QString> placeholders(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("\\{\\d\\}|%\\d|%n"));
  QSet<QString> found;
  for (auto it = pattern.globalMatch(text); it.hasNext();) found.insert(it.next().captured());
  return found;
}

class Chinese : public testing::Test {
 protected:
  void SetUp() override {
    copy_ = folder_.filePath(QStringLiteral("netwright_zh_CN.ts"));
    const QString source = QString::fromStdString(nw::test::source_folder());
    ASSERT_TRUE(QFile::copy(source + QStringLiteral("/resources/i18n/netwright_zh_CN.ts"), copy_));
    QFile::setPermissions(copy_, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    QProcess collect;
    collect.start(
        QStringLiteral(NW_CMAKE),
        {QStringLiteral("-DLUPDATE=" NW_LUPDATE), QStringLiteral("-DSOURCE=") + source,
         QStringLiteral("-DWORK=") + folder_.filePath(QStringLiteral("texts")), QStringLiteral("-DTS=") + copy_,
         QStringLiteral("-P"), source + QStringLiteral("/resources/cmake/collect_texts.cmake")});
    ASSERT_TRUE(collect.waitForFinished(60000));
    ASSERT_EQ(collect.exitCode(), 0) << collect.readAllStandardError().toStdString();
  }
  QTemporaryDir folder_;
  QString copy_;
};

TEST_F(Chinese, NothingIsMissing) {
  const std::vector<Entry> all = entries(copy_);
  EXPECT_GT(all.size(), 300u);
  for (const Entry& e : all)
    EXPECT_TRUE(e.finished && !e.translations.isEmpty())
        << e.context.toStdString() << ": \"" << e.source.toStdString()
        << "\" has no translation in resources/i18n/netwright_zh_CN.ts; the target update_translations adds the text "
           "there";
}

TEST_F(Chinese, EveryPlaceholderIsKept) {
  for (const Entry& e : entries(copy_))
    for (const QString& translation : e.translations) {
      QSet<QString> wanted = placeholders(e.source), got = placeholders(translation);
      EXPECT_EQ(wanted, got) << e.source.toStdString() << " → " << translation.toStdString();
    }
}

TEST(Translations, EnglishCountsInPlurals) {
  const std::vector<Entry> all =
      entries(QString::fromStdString(nw::test::source_folder() + "/resources/i18n/netwright_en.ts"));
  ASSERT_FALSE(all.empty());
  for (const Entry& e : all) {
    EXPECT_TRUE(e.finished) << e.source.toStdString();
    EXPECT_EQ(e.translations.size(), 2) << e.source.toStdString();
  }
}

TEST(Translations, TheEnginesSentencesAreFoundUnderTheirEnglishTemplate) {
  QTranslator translator;
  ASSERT_TRUE(translator.load(QStringLiteral(":/i18n/netwright_zh_CN.qm")));
  EXPECT_EQ(translator.translate("engine", "Insert Flatten"), QStringLiteral("插入 Flatten"));
}

}  // namespace
