// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/tracked_sample_grid.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {

namespace {

constexpr qreal gap = 6, badge = 14;
constexpr int least_columns = 8;

std::vector<QImage> pictures_of(const TrackedSampleHistory& h) {
  std::vector<QImage> all;
  const auto width = static_cast<int>(h.width), height = static_cast<int>(h.height),
             bytes = width * static_cast<int>(h.channels);
  for (std::size_t i = 0; i < h.probes.size(); ++i)
    all.push_back(QImage(h.pixels.data() + i * static_cast<std::size_t>(bytes * height), width, height, bytes,
                         h.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888)
                      .copy());
  return all;
}

struct Look {
  QColor colour;
  const char* icon;
};
Look look_of(TrackedSampleState s) {
  const Theme& t = theme();
  return s == TrackedSampleState::right       ? Look{t.ok, "check"}
         : s == TrackedSampleState::forgotten ? Look{t.warn, "arrow-down"}
                                              : Look{t.border3, nullptr};
}

}  // namespace

TrackedSampleGrid::TrackedSampleGrid(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Tracked samples"));
}

void TrackedSampleGrid::setHistory(std::shared_ptr<const TrackedSampleHistory> history, const QStringList& names) {
  const bool others = !history || !history_ || history->pixels != history_->pixels;
  history_ = std::move(history);
  names_ = names;
  if (others) {
    pictures_ = history_ ? pictures_of(*history_) : std::vector<QImage>();
    current_ = 0;
  }
  takeRoom();
  record_ = history_ ? std::clamp(record_, 0, std::max(0, static_cast<int>(history_->steps.size()) - 1)) : 0;
  update();
}

void TrackedSampleGrid::setRecord(int record) {
  record_ = record;
  setAccessibleDescription(count() > 0 ? sentence(current_) : QString());
  update();
}

/// The number of columns at which all rows fit.
int TrackedSampleGrid::columns() const {
  for (int c = least_columns; c < count(); ++c) {
    const qreal side = (width() - (c - 1) * gap) / c;
    if (((count() + c - 1) / c) * (side + gap) - gap <= height()) return c;
  }
  return std::max(least_columns, count());
}

/// At most the height of the largest images.
void TrackedSampleGrid::takeRoom() {
  const int rows = (std::max(1, count()) + least_columns - 1) / least_columns;
  setMaximumHeight(static_cast<int>(rows * ((width() - (least_columns - 1) * gap) / least_columns + gap)));
}

QRectF TrackedSampleGrid::cell(int probe) const {
  const int c = columns();
  const qreal side = (width() - (c - 1) * gap) / c;
  return {(probe % c) * (side + gap), (probe / c) * (side + gap), side, side};
}

QString TrackedSampleGrid::sentence(int probe) const {
  const auto at = static_cast<std::size_t>(probe), record = static_cast<std::size_t>(record_);
  const auto name = [this](std::int64_t c) { return names_.value(static_cast<int>(c), QString::number(c)); };
  const QString what =
      tr("Image %1: %2").arg(QString::number(history_->probes[at].sample), name(history_->probes[at].label));
  if (record >= history_->steps.size()) return what;
  const TrackedPrediction& a = history_->at(record, at);
  return what + u'\n' +
         tr("predicted as %1, %2").arg(name(a.predicted), percentText(static_cast<double>(a.confidence), 0));
}

void TrackedSampleGrid::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < count(); ++i) {
    const QRectF where = cell(i).adjusted(2, 2, -2, -2);
    paintThumbnail(p, pictures_[static_cast<std::size_t>(i)], where, 3);
    const bool known = static_cast<std::size_t>(record_) < history_->steps.size();
    const Look look =
        look_of(known ? state_at(*history_, static_cast<std::size_t>(record_), static_cast<std::size_t>(i))
                      : TrackedSampleState::not_yet);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(look.colour, 2));
    p.drawRoundedRect(where, 3, 3);
    if (look.icon) {
      const QRectF mark(where.right() - badge + 2, where.bottom() - badge + 2, badge, badge);
      p.setPen(Qt::NoPen);
      p.setBrush(look.colour);
      p.drawEllipse(mark);
      paintIcon(p, QLatin1String(look.icon), mark.adjusted(2, 2, -2, -2), t.chartCard);
    }
    if (i != current_) continue;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(hasFocus() ? t.ring : t.text1, 1.6));
    p.drawRoundedRect(where.adjusted(-2, -2, 2, 2), 5, 5);
  }
}

void TrackedSampleGrid::choose(int probe) {
  if (probe < 0 || probe >= count()) return;
  current_ = probe;
  setAccessibleDescription(sentence(probe));
  update();
  Q_EMIT chosen(probe);
}

void TrackedSampleGrid::mousePressEvent(QMouseEvent* event) {
  for (int i = 0; i < count(); ++i)
    if (cell(i).contains(event->position())) return choose(i);
}

void TrackedSampleGrid::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Left    ? -1
                   : event->key() == Qt::Key_Right ? 1
                   : event->key() == Qt::Key_Up    ? -columns()
                   : event->key() == Qt::Key_Down  ? columns()
                                                   : 0;
  if (event->key() == Qt::Key_Home)
    choose(0);
  else if (event->key() == Qt::Key_End)
    choose(count() - 1);
  else if (step != 0)
    choose(current_ + step);
  else
    QWidget::keyPressEvent(event);
}

bool TrackedSampleGrid::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (int i = 0; i < count(); ++i)
    if (cell(i).contains(help->pos())) {
      QToolTip::showText(help->globalPos(), sentence(i), this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

}  // namespace nw::ui
