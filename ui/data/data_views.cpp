// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_views.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "engine/design/project_file.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int thumbs_across = 6, lines = 3, thumbnail = 64, thumb_caption = 17, thumb_gap = 8;
constexpr int row_height = 20, most_rows = 40, legend = 22, legend_line = 18, legend_swatch = 12;

qint64 at(const std::vector<qint64>& counts, int i) {
  return i < static_cast<int>(counts.size()) ? counts[static_cast<std::size_t>(i)] : 0;
}
}  // namespace

SamplePreview::SamplePreview(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setAccessibleName(tr("Samples of the data"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize SamplePreview::sizeHint() const { return {280, lines * (40 + thumb_caption + thumb_gap)}; }

void SamplePreview::setSplit(const QString& split) {
  split_ = split;
  begin_ = 0;
  refresh();
}

qint64 SamplePreview::count() const {
  const DataFacts facts = session_.dataFacts();
  return split_ == QLatin1String("train")  ? facts.train
         : split_ == QLatin1String("test") ? facts.test
                                           : facts.validation;
}

void SamplePreview::next() {
  begin_ += thumbs_across * lines;
  if (begin_ >= count()) begin_ = 0;
  refresh();
}

void SamplePreview::showEvent(QShowEvent*) {
  if (wanted_) refresh();
}

void SamplePreview::refresh() {
  session_.helper().cancel(asked_);
  images_.clear();
  labels_.clear();
  origins_.clear();
  error_.clear();
  update();
  wanted_ = !isVisible();
  if (wanted_ || !session_.dataFacts().known()) return;
  const qint64 shown = std::clamp<qint64>(count() - begin_, 0, thumbs_across * lines);
  if (shown == 0) {
    error_ = tr("This split has no images.");
    return;
  }
  const protocol::SamplesRequest request{.source = {session_.doc().data()},
                                         .split = split_.toStdString(),
                                         .begin = begin_,
                                         .count = shown,
                                         .size = thumbnail};
  asked_ = session_.helper().ask(this, request, [this, shown](const Result<Message>& answer) {
    if (!answer)
      error_ = translated(answer.error().what);
    else if (Result<std::vector<QImage>> images =
                 images_from(answer->payload, static_cast<std::size_t>(shown), thumbnail, thumbnail))
      images_ = *std::move(images);
    const QStringList names = dataOpener(session_).info().classes;
    if (answer && answer->json.contains("labels"))
      for (const Json& label : answer->json["labels"])
        labels_ << (label.is_number_integer() ? names.value(label.get<int>(), QString::number(label.get<int>()))
                    : label.is_string()       ? QString::fromStdString(label.get<std::string>())
                                              : QString());
    if (answer && answer->json.contains("origins"))
      for (const Json& origin : answer->json["origins"])
        origins_ << (origin.is_string() ? QString::fromStdString(origin.get<std::string>()) : QString());
    update();
  });
}

QRectF SamplePreview::cell(int i) const {
  const qreal side = std::min((width() - (thumbs_across - 1.0) * thumb_gap) / thumbs_across, 40.0),
              step = (width() - side) / (thumbs_across - 1);
  return {(i % thumbs_across) * step, (i / thumbs_across) * (side + thumb_caption + thumb_gap), side, side};
}

void SamplePreview::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setFont(ui::font(TextRole::small));
  if (!error_.isEmpty()) {
    p.setPen(t.text2);
    p.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, error_);
    return;
  }
  for (int i = 0; i < thumbs_across * lines; ++i) {
    if (i >= count()) break;
    const QRectF where = cell(i);
    paintThumbnail(p, i < loaded() ? images_[static_cast<std::size_t>(i)] : QImage(), where, 3);
    p.setPen(t.text2);
    const QRectF below(where.x() - 4, where.bottom(), where.width() + 8, thumb_caption);
    p.drawText(below, Qt::AlignCenter, shortenedText(p, below, labels_.value(i)));
  }
}

bool SamplePreview::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (int i = 0; i < loaded(); ++i)
    if (cell(i).contains(help->pos())) {
      QToolTip::showText(help->globalPos(), origins_.value(i), this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

ClassCounts::ClassCounts(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Images per class"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ClassCounts::setInfo(const DataInfo& info) {
  info_ = info;
  QStringList parts;
  for (int i = 0; i < info.classes.size() && i < most_rows; ++i)
    parts << tr("%1: %2").arg(info.classes[i]).arg(at(info.train, i) + at(info.validation, i) + at(info.test, i));
  setAccessibleDescription(parts.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

QSize ClassCounts::sizeHint() const {
  return {240, std::min<int>(static_cast<int>(info_.classes.size()), most_rows) * row_height + legendHeight()};
}

void ClassCounts::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (height() != sizeHint().height()) updateGeometry();
}

QStringList ClassCounts::legendTexts() const {
  const auto countText = [](qint64 count, const QString& part) {
    return QStringLiteral("%1 %2").arg(grouped(count), part);
  };
  return {countText(info_.facts.train, tr("training")), countText(info_.facts.validation, tr("validation")),
          countText(info_.facts.test, tr("test"))};
}

std::vector<QPoint> ClassCounts::legendPlaces() const {
  const QFontMetrics metrics(ui::font(TextRole::small));
  std::vector<QPoint> places;
  QPoint at;
  for (const QString& text : legendTexts()) {
    const int wide = legend_swatch + metrics.horizontalAdvance(text);
    if (at.x() > 0 && at.x() + wide > width()) at = {0, at.y() + legend_line};
    places.push_back(at);
    at.rx() += wide + thumb_gap;
  }
  return places;
}

int ClassCounts::legendHeight() const { return legend + legendPlaces().back().y(); }

void ClassCounts::paintLegend(QPainter& p) const {
  const Theme& t = theme();
  const QColor colours[] = {t.series[0], t.series[1], t.text3};
  const QStringList texts = legendTexts();
  const std::vector<QPoint> places = legendPlaces();
  p.setFont(ui::font(TextRole::small));
  for (int i = 0; i < 3; ++i) {
    const QPoint at = places[static_cast<std::size_t>(i)];
    p.setPen(Qt::NoPen);
    p.setBrush(colours[i]);
    p.drawRoundedRect(QRectF(at.x(), at.y() + 5, 8, 8), 2, 2);
    p.setPen(t.text2);
    p.drawText(QRectF(at.x() + legend_swatch, at.y(), width() - at.x() - legend_swatch, 18), Qt::AlignVCenter,
               texts[i]);
  }
}

void ClassCounts::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  if (info_.classes.isEmpty()) return;
  paintLegend(p);
  const int rows = std::min<int>(static_cast<int>(info_.classes.size()), most_rows), top = legendHeight();
  qint64 most = 1;
  int names = 12;
  const QFontMetrics metrics(ui::font(TextRole::secondary));
  for (int i = 0; i < rows; ++i) {
    most = std::max(most, at(info_.train, i) + at(info_.validation, i) + at(info_.test, i));
    names = std::max(names, metrics.horizontalAdvance(info_.classes[i]));
  }
  names = std::min(names, width() / 3);
  p.setFont(ui::font(TextRole::secondary));
  for (int i = 0; i < rows; ++i) {
    const qreal y = top + i * row_height;
    const qint64 parts[] = {at(info_.train, i), at(info_.validation, i), at(info_.test, i)};
    const QColor colours[] = {t.series[0], t.series[1], t.text3};
    p.setPen(t.text2);
    p.drawText(QRectF(0, y, names, row_height), Qt::AlignRight | Qt::AlignVCenter,
               metrics.elidedText(info_.classes[i], Qt::ElideRight, names));
    p.drawText(QRectF(width() - 56, y, 56, row_height), Qt::AlignRight | Qt::AlignVCenter,
               grouped(parts[0] + parts[1] + parts[2]));
    qreal x = names + 10;
    const qreal room = width() - 60 - x;
    p.setPen(Qt::NoPen);
    for (int k = 0; k < 3; ++k) {
      const qreal length = room * static_cast<qreal>(parts[k]) / static_cast<qreal>(most);
      p.setBrush(colours[k]);
      if (length > 0)
        p.drawRoundedRect(QRectF(x, y + row_height / 2.0 - 3, std::max<qreal>(length - 1.5, 1), 6), 1.5, 1.5);
      x += length;
    }
  }
}

}  // namespace nw::ui
