// SPDX-License-Identifier: GPL-3.0-or-later
// What "What's this?" must do for every control of a widget, in the language of the test's parameter.
#pragma once
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <set>
#include <string_view>
#include <typeinfo>

#include "engine/design/layer_type.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/help/whats_this.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

class WhatsThisRule : public Journey, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Journey::SetUp();
    setLanguage(QLatin1String(GetParam()));
    retranslateActions();
  }
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  bool isChinese() const { return std::string_view(GetParam()) == "zh_CN"; }
  static QString around(const QWidget* w) {
    QStringList all;
    for (; w; w = w->isWindow() ? nullptr : w->parentWidget())
      all << QString::fromLatin1(w->metaObject()->className()).section(QStringLiteral("::"), -1) +
                 (w->objectName().isEmpty() ? QString() : u'#' + w->objectName());
    return all.join(QStringLiteral(" < "));
  }
  static QString nameOn(const QWidget* w) {
    const auto* button = qobject_cast<const QAbstractButton*>(w);
    return button ? button->text() : QString();
  }
  void expectExplained(QWidget* root, const char* where) {
    for (QWidget* w : root->findChildren<QWidget*>()) {
      if (!isInteractive(w) || !w->isVisible() || controlOf(w) != w ||
          !seen.insert(around(w) + w->accessibleName() + nameOn(w)).second)
        continue;
      ++controls;
      const QString sentence = helpSentence(w);
      EXPECT_FALSE(sentence.isEmpty()) << where << ": " << around(w).toStdString() << " \"" << nameOn(w).toStdString()
                                       << "\" / \"" << w->accessibleName().toStdString() << "\" tip \""
                                       << w->toolTip().toStdString() << '"';
      const bool hasChinese =
          std::any_of(sentence.begin(), sentence.end(), [](QChar c) { return c.unicode() >= 0x4e00; });
      if (isChinese() && !sentence.isEmpty()) EXPECT_TRUE(hasChinese) << where << ": " << sentence.toStdString();
      if (sentence.isEmpty()) continue;
      const QString page = helpBubble(w).section(QStringLiteral("<a href=\""), 1).section(u'"', 0, 0);
      EXPECT_TRUE(isInTheGuide(page)) << where << ": " << around(w).toStdString() << " leads to \""
                                      << page.toStdString() << '"';
    }
  }
  /// A chapter, the page of the keys, or a page that is made of records: the list of them, or that of a layer or loss.
  static bool isInTheGuide(const QString& page) {
    static const QStringList made = {QStringLiteral("keys"), QStringLiteral("layers/index"),
                                     QStringLiteral("losses/index"), QStringLiteral("optimizers/index"),
                                     QStringLiteral("transforms/index")};
    const QString guide = QString::fromStdString(test::source_folder()) + QStringLiteral("/docs/guide/");
    if (made.contains(page) || QFileInfo::exists(guide + page + QStringLiteral(".rst"))) return true;
    const LayerType* type = find_layer(page.section(u'/', 1).toStdString());
    return type && page.section(u'/', 0, 0) == QLatin1String(type->loss ? "losses" : "layers");
  }
  /// A control of the window's own that the Tab key reaches, such as a chart or a canvas; also one without Q_OBJECT.
  static bool isOwnControl(const QWidget* w) {
    return std::string_view(typeid(*w).name()).starts_with("N2nw2ui") && !w->isWindow() &&
           (w->focusPolicy() & Qt::TabFocus) != 0;
  }
  static bool isInteractive(const QWidget* w) {
    if (qobject_cast<const QHeaderView*>(w) || qobject_cast<const QScrollBar*>(w)) return false;
    return isOwnControl(w) || qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w) ||
           qobject_cast<const QComboBox*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
           qobject_cast<const QAbstractItemView*>(w) || qobject_cast<const QTabBar*>(w) ||
           qobject_cast<const QSlider*>(w) || qobject_cast<const SegmentedControl*>(w) ||
           qobject_cast<const QPlainTextEdit*>(w);
  }
  /// Every page of every panel and of every bar of tabs that the page shows.
  void expectTabs(const char* where) {
    for (auto* bar : window().findChildren<QTabBar*>())
      for (int i = 0; bar->isVisible() && i < bar->count(); ++i) {
        bar->setCurrentIndex(i);
        QTest::qWait(50);
        expectExplained(&window(), where);
      }
  }
  /// What each choice of the page's visible rows of choices shows.
  void expectChoices(const char* where) {
    for (auto* choice : window().page(window().currentPage())->findChildren<SegmentedControl*>())
      for (int i = 0; choice->isVisible() && i < choice->count(); ++i) {
        choice->setCurrent(i);
        QTest::qWait(50);
        expectExplained(&window(), where);
      }
  }
  void expectDialog(QDialog& dialog) {
    dialog.show();
    dialogs.insert(QString::fromLatin1(dialog.metaObject()->className()).section(QStringLiteral("::"), -1));
    auto* tabs = dialog.findChild<QTabWidget*>();
    for (int i = 0; i < (tabs ? tabs->count() : 1); ++i) {
      if (tabs) tabs->setCurrentIndex(i);
      expectExplained(&dialog, dialog.metaObject()->className());
    }
  }
  std::set<QString> seen;     // controls
  std::set<QString> dialogs;  // names of classes
  int controls = 0;
};

}  // namespace nw::ui
