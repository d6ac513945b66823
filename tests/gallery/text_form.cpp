// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/text_form.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QGraphicsView>
#include <QLineEdit>
#include <QMetaEnum>
#include <QRegularExpression>
#include <algorithm>

#include "tests/gallery/controls.hpp"
#include "tests/gallery/text_colours.hpp"
#include "ui/charts/plot.hpp"

namespace nw::ui {
namespace {

constexpr int unit = 8;  // pixels

QString roleOf(QWidget& w) {
  const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&w);
  const char* key = face ? QMetaEnum::fromType<QAccessible::Role>().valueToKey(face->role()) : nullptr;
  return key ? QLatin1String(key) : QString::fromLatin1("Widget");
}

QString placeOf(const QRectF& place) {
  const auto units = [](qreal pixels) { return qRound(pixels / unit); };
  return QStringLiteral("@%1,%2+%3x%4")
      .arg(units(place.x()))
      .arg(units(place.y()))
      .arg(units(place.width()))
      .arg(units(place.height()));
}

/// Views and charts paint many texts, of which each has a line.
bool paintsMany(const QWidget& w) {
  return qobject_cast<const QCustomPlot*>(&w) || qobject_cast<const QAbstractScrollArea*>(w.parentWidget());
}

/// "-#", "# #", "#·#": the ticks of an axis, whose number follows from the figures.
bool isFigure(const QString& words) {
  static const QRegularExpression figure(QStringLiteral("^(?:[-−#·×  ]|<figure>)+$"));
  return words.contains(figure);
}

/// Line by line; a chosen tab is painted last.
QList<PaintedText> inReadingOrder(QList<PaintedText> texts) {
  constexpr qreal same_line = 6;
  std::stable_sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.place.y() < b.place.y(); });
  for (auto first = texts.begin(); first != texts.end();) {
    const auto end =
        std::find_if(first, texts.end(), [&](const auto& t) { return t.place.y() > first->place.y() + same_line; });
    std::stable_sort(first, end, [](const auto& a, const auto& b) { return a.place.x() < b.place.x(); });
    first = end;
  }
  return texts;
}

class Form {
 public:
  Form(QWidget& window, const QList<PaintedText>& texts, const QImage& picture, Figures figures)
      : window_(window), picture_(picture), figures_(figures) {
    for (const PaintedText& text : texts) texts_[text.owner] << text;
  }
  QStringList lines() {
    add(window_, 0);
    return lines_;
  }

 private:
  /// Widgets without words, name or use of their own are left out, their children take their place.
  void add(QWidget& w, int depth) {
    const QList<PaintedText> texts = texts_.value(&w);
    const bool listed = !texts.isEmpty() || isHandled(&w);
    if (listed) addLine(w, texts, depth);
    for (QObject* child : w.children())
      if (auto* inner = qobject_cast<QWidget*>(child); inner && !inner->isWindow() && isSeen(*inner))
        add(*inner, depth + (listed || hasName(w)));
  }
  static bool hasName(const QWidget& w) { return !w.objectName().isEmpty() && !w.objectName().startsWith(u"qt_"); }
  bool isSeen(const QWidget& w) const { return !seenPart(window_, w).isEmpty(); }

  void addLine(QWidget& w, const QList<PaintedText>& texts, int depth) {
    const QString indent(2 * depth, u' ');
    QString line = indent + roleOf(w);
    const bool many = paintsMany(w);
    const bool ofChart = qobject_cast<QCustomPlot*>(&w) || qobject_cast<QCustomPlot*>(w.parentWidget());
    const QString words = joined(ofChart ? withoutFigures(texts) : texts);
    if (ofChart && !texts.isEmpty() && words.isEmpty()) return;
    if (!many && !texts.isEmpty()) line += u' ' + quoted(words);
    if (texts.isEmpty() && !w.accessibleName().isEmpty()) line += u' ' + masked(w.accessibleName(), figures_);
    line += u' ' + placeOf(QRectF(w.mapTo(&window_, QPoint()), w.size()));
    if (isHandled(&w)) line += stateOf(w);
    if (!many && !texts.isEmpty()) line += coloursOf(texts.first());
    lines_ << line;
    if (!many) return;
    QString last;
    for (const PaintedText& text : texts) {
      const QString words = masked(text.text, figures_);
      if (words.isEmpty() || (isFigure(words) && qobject_cast<QCustomPlot*>(&w))) continue;
      const QString inner = indent + QStringLiteral("  ") + quoted(words) + coloursOf(text);
      if (inner != last) lines_ << inner;
      last = inner;
    }
  }
  /// How many ticks an axis has follows from what was measured.
  QList<PaintedText> withoutFigures(QList<PaintedText> texts) const {
    texts.removeIf([this](const PaintedText& text) { return isFigure(masked(text.text, figures_)); });
    return texts;
  }
  static QString quoted(const QString& words) { return u'"' + words + u'"'; }
  QString joined(const QList<PaintedText>& texts) const {
    QStringList parts;
    for (const PaintedText& text : inReadingOrder(texts)) parts << text.text.trimmed();
    return masked(parts.join(u' '), figures_);
  }
  static QString stateOf(const QWidget& w) {
    const auto* button = qobject_cast<const QAbstractButton*>(&w);
    return (w.isEnabled() ? QString() : QStringLiteral(" disabled")) +
           (button && button->isChecked() ? QStringLiteral(" checked") : QString());
  }
  QString coloursOf(const PaintedText& text) const {
    const Ground ground = groundOf(text, picture_);
    const QString ink = tokenOf(text.ink), under = ground.plain ? tokenOf(ground.colour) : QStringLiteral("picture");
    return QStringLiteral(" %1 on %2")
        .arg(ink.isEmpty() ? QStringLiteral("mixed") : ink, under.isEmpty() ? QStringLiteral("mixed") : under);
  }

  QWidget& window_;
  const QImage& picture_;
  Figures figures_;
  QHash<QWidget*, QList<PaintedText>> texts_;
  QStringList lines_;
};

struct Line {
  QString words;
  QList<int> place;
};
Line parsed(const QString& line) {
  static const QRegularExpression place(QStringLiteral(" @(-?\\d+),(-?\\d+)\\+(\\d+)x(\\d+)"));
  const QRegularExpressionMatch match = place.match(line);
  Line made{line, {}};
  if (!match.hasMatch()) return made;
  for (int i = 1; i <= 4; ++i) made.place << match.captured(i).toInt();
  made.words.remove(match.capturedStart(), match.capturedLength());
  return made;
}
bool same(const Line& a, const Line& b) {
  return a.words == b.words && std::equal(a.place.begin(), a.place.end(), b.place.begin(), b.place.end(),
                                          [](int x, int y) { return std::abs(x - y) <= 1; });
}

}  // namespace

QString masked(const QString& text, Figures figures) {
  struct Rule {
    QRegularExpression pattern;
    QString mask;
  };
  static const QList<Rule> rules = {
      {QRegularExpression(QStringLiteral("\u200b")), {}},  // between the letters of paths, where lines may be broken
      {QRegularExpression(
           QStringLiteral("\\b(lenet5|mlp|cifar|labels|values)(\\s+·\\s+|\\s+)[0-9a-f]{2}\\b(?![.,]\\d)")),
       QStringLiteral("\\1\\2<id>")},
      {QRegularExpression(QStringLiteral("\\b(?:AMD|Intel|ARM)\\b.*?(?:(?:avx|amx|sse|neon)\\w*…?|…)")),
       QStringLiteral("<processor>")},
      {QRegularExpression(QStringLiteral("(?:Input|Processor|Reduce|Compute)-bound: .*")),
       QStringLiteral("<bottleneck>")},
      {QRegularExpression(QStringLiteral("(?:~|\\.\\.\\.|…)?(?:/[\\w.…+-]+){2,}/?")), QStringLiteral("<path>")},
      {QRegularExpression(QStringLiteral("\\d{4}-\\d\\d-\\d\\d(?:[-T ][\\w:.-]+)?")), QStringLiteral("<date>")},
      {QRegularExpression(QStringLiteral("\\d\\d?:\\d\\d(?::\\d\\d)?")), QStringLiteral("<time>")},
      {QRegularExpression(
           QStringLiteral("(?:[<≈~]?(?<![\\w.])\\d[\\d.,  ]*(?:e-?\\d+)? "
                          "?(?:min|ms|µs|s|h|d|[kKMGT]?i?B|[kMGT]?FLOPS?|MHz|GHz|W|J|kJ|Wh|%)(?![\\w])(?:/s)? ?)+")),
       QStringLiteral("<figure> ")},
      {QRegularExpression(QStringLiteral("[-−]?\\d+(?:[   ]\\d{3})*\\.\\d+(?:e-?\\d+)?|\\d+e-?\\d+")),
       QStringLiteral("#")}};
  static const QRegularExpression whole(QStringLiteral("\\d+(?:[   ]\\d{3})*"));
  QString out = text;
  for (const Rule& rule : rules) out.replace(rule.pattern, rule.mask);
  static const QRegularExpression thousands(QStringLiteral("# [kM]\\b"));
  if (figures == Figures::measured) out.replace(whole, QStringLiteral("#"));
  out = out.simplified();
  return figures == Figures::measured ? out.replace(thousands, QStringLiteral("#")) : out;
}

QStringList textForm(QWidget& window, const QList<PaintedText>& texts, const QImage& picture, Figures figures) {
  return Form(window, texts, picture, figures).lines();
}

/// The longest common part, by the table of its lengths.
QStringList differences(const QStringList& expected, const QStringList& shown) {
  const qsizetype n = expected.size(), m = shown.size();
  QList<Line> a, b;
  for (const QString& line : expected) a << parsed(line);
  for (const QString& line : shown) b << parsed(line);
  std::vector<std::vector<int>> common(static_cast<std::size_t>(n) + 1,
                                       std::vector<int>(static_cast<std::size_t>(m) + 1));
  const auto at = [&](qsizetype i, qsizetype k) -> int& {
    return common[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  };
  for (qsizetype i = n; i-- > 0;)
    for (qsizetype k = m; k-- > 0;)
      at(i, k) = same(a[i], b[k]) ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
  QStringList out;
  qsizetype i = 0, k = 0;
  while (i < n || k < m) {
    if (i < n && k < m && same(a[i], b[k]))
      ++i, ++k;
    else if (k == m || (i < n && at(i + 1, k) >= at(i, k + 1)))
      out << u'-' + expected[i++];
    else
      out << u'+' + shown[k++];
  }
  return out;
}

}  // namespace nw::ui
