// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/journey/pseudo_locale.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTabBar>
#include <cmath>

#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int slack = 1;  // pixels that rounding may remove

const QHash<QChar, QChar>& accents() {
  static const QHash<QChar, QChar> table = [] {
    const QString plain = QStringLiteral("aceginorstuyzACEGINORSTUYZ"),
                  accented = QStringLiteral("åçéğîñôřšţüýžÅÇÉĞÎÑÔŘŠŢÜÝŽ");
    QHash<QChar, QChar> made;
    for (qsizetype i = 0; i < plain.size(); ++i) made.insert(plain[i], accented[i]);
    return made;
  }();
  return table;
}

/// Placeholders (%1, %n, %L1, {0}) and markers of menu keys (&) are not letters.
bool startsPlaceholder(const QString& text, qsizetype at) {
  return text[at] == u'%' || text[at] == u'{' || text[at] == u'&';
}

QString nameOf(const QWidget* w, const QString& text) {
  QStringList path;
  for (const QWidget* up = w; up && path.size() < 4; up = up->parentWidget())
    path << QLatin1String(up->metaObject()->className()) +
                (up->objectName().isEmpty() ? QString() : u' ' + up->objectName());
  return QStringLiteral("“%1” (%2)").arg(text, path.join(QStringLiteral(" < ")));
}

struct Finder {
  WithToolTip withToolTip;
  QStringList found = {};
  void say(const QWidget* w, const QString& text, int has, int needs) {
    found << QStringLiteral("%1 has %2, needs %3").arg(nameOf(w, text)).arg(has).arg(needs);
  }

  void label(const QLabel& l) {
    if (l.text().isEmpty() || l.text().endsWith(u'…')) return;  // elided on purpose; the tool tip holds the whole text
    if (l.wordWrap()) {
      const int needs = l.heightForWidth(l.width());
      if (l.height() + slack < needs) say(&l, l.text(), l.height(), needs);
    } else if (l.width() + slack < l.minimumSizeHint().width()) {
      say(&l, l.text(), l.width(), l.minimumSizeHint().width());
    }
  }
  void button(const QAbstractButton& b) {
    if (!b.text().isEmpty() && b.width() + slack < b.sizeHint().width())
      say(&b, b.text(), b.width(), b.sizeHint().width());
  }
  void tabs(const QTabBar& t) {
    for (int i = 0; i < t.count(); ++i) {
      const int needs = t.fontMetrics().horizontalAdvance(t.tabText(i)), has = t.tabRect(i).width();
      if (has < needs) say(&t, t.tabText(i), has, needs);
      if (t.tabRect(i).right() > t.width() + slack) say(&t, t.tabText(i), t.width(), t.tabRect(i).right());
    }
  }
  void header(const QHeaderView& h) {
    if (h.orientation() != Qt::Horizontal || !h.model()) return;
    for (int i = 0; i < h.count(); ++i) {
      const QString text = h.model()->headerData(i, Qt::Horizontal).toString();
      const int needs = h.fontMetrics().horizontalAdvance(text), has = h.sectionSize(i);
      const bool helps = h.model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().contains(text);
      if (helps && withToolTip == WithToolTip::is_fine) continue;
      if (!h.isSectionHidden(i) && !text.isEmpty() && has < needs) say(&h, text, has, needs);
    }
  }
  void combo(const QComboBox& c) {
    const int needs = c.fontMetrics().horizontalAdvance(c.currentText()) + 24;
    if (c.width() < needs) say(&c, c.currentText(), c.width(), needs);
  }
};

bool isInView(const QWidget* w) { return w->isVisible() && !w->size().isEmpty(); }

}  // namespace

QString PseudoLocale::of(const QString& text) {
  QString out;
  int letters = 0;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (startsPlaceholder(text, i)) {
      out += text[i];
      if (i + 1 < text.size()) out += text[++i];
      continue;
    }
    letters += text[i].isLetter();
    out += accents().value(text[i], text[i]);
  }
  const int longer = static_cast<int>(std::ceil(letters * 0.4));
  for (int i = 0; i < longer; ++i) out += i % 8 == 7 ? u' ' : u'ö';  // spaces, so that the padding can wrap like words
  return out;
}

QString PseudoLocale::translate(const char*, const char* source, const char*, int) const {
  return of(QString::fromUtf8(source));
}

QStringList clippedTexts(QWidget* root, WithToolTip withToolTip) {
  Finder finder{withToolTip};
  for (QWidget* w : root->findChildren<QWidget*>()) {
    if (!isInView(w) || w->window() != root->window()) continue;
    if (withToolTip == WithToolTip::is_fine && !w->toolTip().isEmpty()) continue;
    if (const auto* l = qobject_cast<QLabel*>(w))
      finder.label(*l);
    else if (const auto* b = qobject_cast<QAbstractButton*>(w))
      finder.button(*b);
    else if (const auto* t = qobject_cast<QTabBar*>(w))
      finder.tabs(*t);
    else if (const auto* h = qobject_cast<QHeaderView*>(w))
      finder.header(*h);
    else if (const auto* c = qobject_cast<QComboBox*>(w))
      finder.combo(*c);
    else if (const auto* s = qobject_cast<SegmentedControl*>(w)) {
      const bool helps = withToolTip == WithToolTip::is_fine;  // the control shows a shortened text in a tool tip
      if (!helps && s->width() + slack < s->sizeHint().width())
        finder.say(s, s->segmentText(0), s->width(), s->sizeHint().width());
    }
  }
  return finder.found;
}

}  // namespace nw::ui
