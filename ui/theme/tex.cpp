// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tex.hpp"

#include <QMap>

namespace nw::ui {

QString texOf(const QString& text) {
  static const QMap<QChar, QString> signs{
      {u'\\', QStringLiteral("\\textbackslash{}")},
      {u'~', QStringLiteral("\\textasciitilde{}")},
      {u'^', QStringLiteral("\\textasciicircum{}")},
      {u'\u00D7', QStringLiteral("$\\times$")},
      {u'\u2192', QStringLiteral("$\\to$")},
      {u'\u00B7', QStringLiteral("$\\cdot$")},
      {u'\u2212', QStringLiteral("$-$")},
      {u'\u2026', QStringLiteral("\\dots{}")},
      {u'\u03B3', QStringLiteral("$\\gamma$")},
      {u'\u03B2', QStringLiteral("$\\beta$")},
      {u'\u2009', QStringLiteral("\\,")},
      {u'\u202F', QStringLiteral("\\,")},
      {u'\u00A0', QStringLiteral("~")},
  };
  QString out;
  for (const QChar c : text) {
    const bool prints = c.isPrint() && c.category() != QChar::Other_Format;
    if (QStringLiteral("&%$#_{}").contains(c)) out += u'\\';
    out += signs.value(c, prints || c.isSurrogate() ? QString(c) : QStringLiteral("?"));
  }
  return out;
}

}  // namespace nw::ui
