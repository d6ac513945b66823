// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/confused_pairs.hpp"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int most_rows = 10, images_shown = 4, image_side = 23, images_width = images_shown * (image_side + 2);
}

ConfusionRow::ConfusionRow(const ConfusedPair& mixup, qint64 most, std::shared_ptr<const EvaluationView> view,
                           ThumbnailStore& thumbnails, QWidget* parent)
    : QAbstractButton(parent),
      mixup_(mixup),
      most_(std::max<qint64>(1, most)),
      view_(std::move(view)),
      thumbnails_(thumbnails) {
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("%1 predicted as %2: %3")
                        .arg(view_->names.value(mixup.truth), view_->names.value(mixup.read), grouped(mixup.count)));
  for (const Sample& s : view_->samples) {
    if (samples_.size() == images_shown) break;
    if (s.label == mixup.truth && s.predicted == mixup.read) samples_.push_back(s.index);
  }
  connect(&thumbnails_, &ThumbnailStore::arrived, this, qOverload<>(&QWidget::update));
}

void ConfusionRow::paintPair(QPainter& p) const {
  const Theme& t = theme();
  const QFont quiet = ui::font(TextRole::body);
  QFont strong = quiet;
  strong.setWeight(QFont::DemiBold);
  const int room = width() / 4;
  p.setFont(quiet);
  p.setPen(t.text2);
  const QRectF first(10, 0, room / 2.0, height());
  const QString truth = shortenedText(p, first, view_->names.value(mixup_.truth)) + QStringLiteral(" › ");
  p.drawText(QRect(10, 0, room, height()), Qt::AlignVCenter | Qt::AlignLeft, truth);
  const int x = 10 + QFontMetrics(quiet).horizontalAdvance(truth);
  p.setFont(strong);
  p.setPen(t.text1);
  const QRectF second(x, 0, room / 2.0, height());
  p.drawText(second, Qt::AlignVCenter | Qt::AlignLeft, shortenedText(p, second, view_->names.value(mixup_.read)));
}

void ConfusionRow::paintBar(QPainter& p) const {
  const Theme& t = theme();
  const QFontMetrics metrics(ui::font(TextRole::body));
  const auto wide = [&](int c) { return metrics.horizontalAdvance(view_->names.value(c)); };
  int longest = 16;
  for (int c = 0; c < view_->classes; ++c) longest = std::max(longest, wide(c));
  const int left = 10 + std::min(width() / 4, 2 * std::min(longest, width() / 8) + 24) + 8,
            right = width() - images_width - 22 - 52;
  const QRectF track(left, height() / 2.0 - 2, right - left, 4);
  p.setPen(Qt::NoPen);
  p.setBrush(t.border1);
  p.drawRoundedRect(track, 2, 2);
  p.setBrush(t.series[1]);
  const qreal share = static_cast<qreal>(mixup_.count) / static_cast<qreal>(most_);
  p.drawRoundedRect(QRectF(track.x(), track.y(), std::max<qreal>(4, track.width() * share), track.height()), 2, 2);
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRectF(track.right(), 0, 46, height()), Qt::AlignVCenter | Qt::AlignRight, grouped(mixup_.count));
}

void ConfusionRow::paintImages(QPainter& p) const {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const QRectF where(width() - images_width - 8 + static_cast<int>(i) * (image_side + 2),
                       (height() - image_side) / 2.0, image_side, image_side);
    paintThumbnail(p, thumbnails_.image(samples_[i]), where, 1.5);
  }
}

void ConfusionRow::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(hasFocus() ? QPen(t.ring, 1.6) : QPen(Qt::NoPen));
  p.setBrush(isChecked() ? QBrush(t.accentSoft) : underMouse() ? QBrush(t.hover) : QBrush(Qt::NoBrush));
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::control, radius::control);
  paintPair(p);
  paintBar(p);
  paintImages(p);
}

ConfusionList::ConfusionList(ThumbnailStore& thumbnails, QWidget* parent)
    : QWidget(parent), thumbnails_(thumbnails), layout_(new QVBoxLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  setAccessibleName(tr("Most confused classes"));
}

void ConfusionList::setView(const std::shared_ptr<const EvaluationView>& view) {
  for (ConfusionRow* row : rows_) row->deleteLater();
  rows_.clear();
  if (!view) return;
  const std::vector<ConfusedPair> mixups = most_confused_pairs(*view, most_rows);
  for (const ConfusedPair& mixup : mixups) {
    auto* row = new ConfusionRow(mixup, mixups.front().count, view, thumbnails_, this);
    connect(row, &QAbstractButton::clicked, this, [this, row] {
      setCell(row->isChecked() ? std::optional(row->cell()) : std::nullopt);
      Q_EMIT cellChosen(cell_);
    });
    layout_->addWidget(row);
    rows_.push_back(row);
  }
  setCell(cell_);
}

void ConfusionList::setCell(std::optional<GridModel::Cell> cell) {
  cell_ = cell;
  for (ConfusionRow* row : rows_) row->setChecked(cell && row->cell() == *cell);
}

}  // namespace nw::ui
