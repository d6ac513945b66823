// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/event_list.hpp"

#include <QDateTime>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/health_pill.hpp"
#include "ui/train/severity_style.hpp"

namespace nw::ui {

namespace {
constexpr int header_height = 42, row_height = 50;
constexpr qsizetype longest_path = 28;

QString clockText(double time) {
  return time > 0
             ? QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(time * 1000)).toString(QStringLiteral("HH:mm:ss"))
             : QString();
}

/// How many letters of the text, up to the end of a word, stand in its first line.
qsizetype lettersInALine(const QString& text, const QFont& font, qreal width) {
  QTextLayout layout(text, font);
  layout.beginLayout();
  QTextLine line = layout.createLine();
  if (line.isValid()) line.setLineWidth(width);
  layout.endLayout();
  return line.isValid() ? line.textLength() : text.size();
}

class EventDelegate : public QStyledItemDelegate {
 public:
  EventDelegate(const EventModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {option.rect.width(), row_height};
  }

  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const EventRow& e = model_.entry(index.row());
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(6, 1, -6, -1);
    const bool loud = e.tone == QLatin1String("warn") || e.tone == QLatin1String("error");
    if (loud || option.state.testFlag(QStyle::State_Selected)) {
      p->setPen(Qt::NoPen);
      p->setBrush(loud ? severityBackground(e.tone) : theme().hover);
      p->drawRoundedRect(row, radius::control, radius::control);
    }
    paintIcon(*p, e.icon, QRectF(row.left() + 8, row.top() + 8, 15, 15),
              e.tone.isEmpty() ? theme().text2 : severityColour(e.tone));
    paintTexts(*p, row.adjusted(32, 4, -10, -4), e);
    p->restore();
  }

 private:
  static void paintTexts(QPainter& p, const QRectF& where, const EventRow& e) {
    const QString clock = clockText(e.time);
    p.setFont(ui::font(TextRole::axis));
    p.setPen(theme().text3);
    const QRectF line(where.left(), where.top(), where.width(), 21);
    p.drawText(line, Qt::AlignRight | Qt::AlignVCenter, clock);
    const qreal room = where.width() - QFontMetricsF(p.font()).horizontalAdvance(clock) - 10;
    QFont title = ui::font(TextRole::body);
    title.setWeight(QFont::DemiBold);
    p.setFont(title);
    p.setPen(theme().text1);
    const QString said = withShortPaths(e.title);
    const qsizetype first = e.detail.isEmpty() ? lettersInALine(said, title, room) : said.size();
    paintLine(p, {line.topLeft(), QSizeF(room, line.height())}, said.left(first));
    const QRectF second(where.left(), where.top() + 20, where.width(), 19);
    if (e.detail.isEmpty()) return paintLine(p, second, said.mid(first));
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    paintLine(p, second, withShortPaths(e.detail));
  }
  static void paintLine(QPainter& p, const QRectF& where, const QString& text) {
    p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(text.trimmed(), Qt::ElideRight, where.width()));
  }
  const EventModel& model_;
};
}  // namespace

QString withShortPaths(const QString& sentence) {
  static const QRegularExpression path(QStringLiteral("/[^/\\s:;,\"]+(?:/[^/\\s:;,\"]+)+"));
  QString out = sentence;
  for (auto it = path.globalMatch(sentence); it.hasNext();) {
    const QString whole = it.next().captured();
    const QString name = whole.section(u'/', -1);
    const QString shorter = whole.section(u'/', 0, 1) + QStringLiteral("/…/") + name;
    if (whole.size() > longest_path && shorter.size() < whole.size()) out.replace(whole, shorter);
  }
  return out;
}

void EventModel::setEntries(QVector<EventRow> oldestFirst) {
  if (oldestFirst == entries_) return;
  beginResetModel();
  entries_ = std::move(oldestFirst);
  endResetModel();
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (index.row() < 0 || index.row() >= rowCount()) return {};
  const EventRow& e = entry(index.row());
  const QString whole = e.detail.isEmpty() ? e.title : e.title + u'\n' + e.detail;
  if (role == Qt::DisplayRole) return e.title;
  if (role == Qt::ToolTipRole) return whole;
  if (role == Qt::AccessibleTextRole) return QString(whole).replace(u'\n', QStringLiteral(", "));
  return {};
}

EventList::EventList(QWidget* parent)
    : QWidget(parent), model_(new EventModel(this)), pill_(new HealthPill(this)), view_(new QListView) {
  view_->setModel(model_);
  view_->setItemDelegate(new EventDelegate(*model_, view_));
  view_->setFrameShape(QFrame::NoFrame);
  view_->setUniformItemSizes(true);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->viewport()->setAutoFillBackground(false);
  view_->setAccessibleName(tr("Events of the run"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2, header_height, 2, 6);
  column->addWidget(view_);
}

void EventList::setLog(const std::vector<Event>& log) {
  const QVector<EventRow> entries = eventEntries(log);
  health_ = entries.isEmpty() ? QString() : healthText(log, &healthSeverity_);
  setAccessibleName(health_.isEmpty() ? tr("Events") : tr("Events: %1").arg(health_));
  model_->setEntries(entries);
  showHealth();
  update();
}

void EventList::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
  p.setFont(ui::font(TextRole::node));
  p.setPen(theme().text1);
  const QRectF head(14, 0, width() - 24, header_height - 4);
  p.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("Events"));
}

void EventList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showHealth();
}

void EventList::setFindings(int count) {
  findings_ = count;
  showHealth();
}

void EventList::showHealth() {
  const bool found = findings_ > 0 && healthSeverity_ != QLatin1String("error");
  const QString words = findings_ > 0 ? tr("%n finding(s)", nullptr, findings_) : health_;
  pill_->say(found || health_.isEmpty() ? words : health_, found ? QStringLiteral("warn") : healthSeverity_);
  const QSize size = pill_->sizeHint();
  pill_->setGeometry(width() - 10 - size.width(), (header_height - 4 - size.height()) / 2, size.width(), size.height());
}

}  // namespace nw::ui
