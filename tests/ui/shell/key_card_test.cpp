// SPDX-License-Identifier: GPL-3.0-or-later
// The card of keys and gestures: one page that names every key and gesture.
#include "ui/shell/help/key_card.hpp"

#include <gtest/gtest.h>

#include <QSet>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "tests/support/paths.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

struct KeyCard : testing::TestWithParam<const char*> {
  void SetUp() override {
    setLanguage(QLatin1String(GetParam()));
    retranslateActions();
  }
  void TearDown() override {
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
};

TEST_P(KeyCard, HasARowForEveryKeyAndGesture) {
  QSet<QString> keys;
  for (const KeyCardRow& row : keyCardRows()) keys << row.keys;
  for (const ActionRow& row : actionTable()) {
    const QAction* a = action(QLatin1String(row.id));
    if (!a || shortcutText(*a).isEmpty()) continue;
    const bool found =
        std::any_of(keys.begin(), keys.end(), [&](const QString& k) { return k.contains(shortcutText(*a)); });
    EXPECT_TRUE(found) << row.id << ": " << shortcutText(*a).toStdString();
  }
  for (const auto& [gesture, text] : canvasGestures()) EXPECT_TRUE(keys.contains(gesture)) << gesture.toStdString();
}

TEST_P(KeyCard, IsOnePageInLettersThatCanBeRead) {
  const QByteArray pdf = keyCardPdf(keyCardRows());
  ASSERT_FALSE(pdf.isEmpty()) << "the rows do not fit on one page";
  EXPECT_EQ(pdf.count("/Type /Page\n") + pdf.count("/Type /Page "), 1) << pdf.count("/Type /Page");
  EXPECT_TRUE(pdf.contains("/Count 1")) << "of pages";
}

TEST_P(KeyCard, OfTooManyRowsIsNotMade) {
  QList<KeyCardRow> rows;
  for (int i = 0; i < 2000; ++i) rows << KeyCardRow{QStringLiteral("Ctrl+%1").arg(i), QStringLiteral("what it does")};
  EXPECT_TRUE(keyCardPdf(rows).isEmpty());
}

/// Another reader of PDF finds the page and all keys, where one is installed.
TEST_P(KeyCard, IsReadByOthers) {
  const QTemporaryDir place;
  const std::string file = place.filePath(QStringLiteral("card.pdf")).toStdString();
  const std::string answer = place.filePath(QStringLiteral("answer")).toStdString();
  const QByteArray pdf = keyCardPdf(keyCardRows());
  ASSERT_TRUE(save_file(file, {pdf.constData(), static_cast<std::size_t>(pdf.size())}));
  const char* python = std::getenv("NETWRIGHT_PYTHON");
  const std::string command = std::string("'") + (python && *python ? python : "python3") + "' -B '" +
                              test::source_folder() + "/tests/ui/study/pdf_peer.py' '" + file + "' > '" + answer + "'";
  const int code = WEXITSTATUS(std::system(command.c_str()));
  if (code == 77) GTEST_SKIP() << "neither pypdf nor poppler is installed: nothing else reads the PDF";
  ASSERT_EQ(code, 0);
  const Json read = Json::parse(*read_file(answer, 1 << 24));
  EXPECT_EQ(read["pages"], 1);
  const QString text = QString::fromStdString(read["text"].get<std::string>());
  for (const KeyCardRow& row : keyCardRows())
    for (const QString& word : row.keys.split(u' '))  // poppler reads the lines of all columns together
      EXPECT_TRUE(text.contains(word)) << word.toStdString() << " of " << row.keys.toStdString();
}

INSTANTIATE_TEST_SUITE_P(Languages, KeyCard, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
