// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explain/neighbor_strip.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int most = 8, picture_side = 64, caption = 16, gap = 6;
}

std::vector<NeighborImage> neighbors_from(const Json& answer) {
  std::vector<NeighborImage> all;
  const auto list = answer.is_object() ? answer.find("neighbours") : answer.end();
  if (list == answer.end() || !list->is_array()) return all;
  for (const Json& n : *list) {
    if (!n.is_object() || !n.contains("index") || !n["index"].is_number_integer()) continue;
    const auto number = [&](const char* key) {
      return n.contains(key) && n[key].is_number() ? n[key].get<double>() : 0;
    };
    const auto name = n.find("name");
    all.push_back(
        {n["index"].get<qint64>(), static_cast<int>(number("label")), number("similarity"),
         name != n.end() && name->is_string() ? QString::fromStdString(name->get<std::string>()) : QString()});
  }
  return all;
}

NeighborStrip::NeighborStrip(PredictSource& source, QWidget* parent)
    : QWidget(parent), source_(source), thumbnails_(new Thumbnails(source.helper(), this)) {
  connect(thumbnails_, &Thumbnails::arrived, this, qOverload<>(&QWidget::update));
  setAccessibleName(tr("Similar training images"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize NeighborStrip::sizeHint() const { return {300, 44 + caption}; }

QRectF NeighborStrip::cell(int i) const {
  const qreal side = std::min((width() - (most - 1.0) * gap) / most, 44.0);
  return {i * (side + gap), 0, side, side};
}

void NeighborStrip::setSample(qint64 sample, int label) {
  sample_ = sample;
  label_ = label;
  ++turn_;
  if (request_ != 0) source_.helper().cancel(request_);
  request_ = 0;
  found_.clear();
  thumbnails_->clear();
  note_.clear();
  stale_ = sample >= 0;
  update();
  if (stale_ && isVisible()) ask();
}

void NeighborStrip::showEvent(QShowEvent*) {
  if (stale_) ask();
}

void NeighborStrip::ask() {
  stale_ = false;
  if (!source_.files().isEmpty()) return;
  note_ = tr("Searching the training images");
  update();
  const protocol::NeighboursRequest request{source_.weights(), source_.split().toStdString(), sample_, most};
  request_ = source_.helper().ask(this, request, [this, turn = turn_](const Result<Message>& answer) {
    if (turn != turn_) return;
    request_ = 0;
    note_ = answer ? QString() : translated(answer.error().what);
    if (answer) found_ = neighbors_from(answer->json);
    training_ = samplesOfRun(source_.weights(), QStringLiteral("train"));
    QStringList names;
    for (const NeighborImage& n : found_) names << source_.groupName(n.label);
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    update();
  });
}

QImage NeighborStrip::picture(const NeighborImage& of) const {
  return thumbnails_->image(training_, of.index, picture_side);
}

bool NeighborStrip::pictured() const {
  return !found_.empty() &&
         std::none_of(found_.begin(), found_.end(), [this](const NeighborImage& n) { return picture(n).isNull(); });
}

void NeighborStrip::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setFont(ui::font(TextRole::small));
  p.setPen(t.text2);
  if (!note_.isEmpty()) p.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note_);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const QRectF where = cell(static_cast<int>(i));
    paintThumbnail(p, picture(found_[i]), where, 3);
    const bool same = found_[i].label == label_;
    p.setPen(same ? t.text2 : t.warn);
    const QRectF below(where.left() - 2, where.bottom(), where.width() + 4, caption);
    p.drawText(below, Qt::AlignCenter,
               p.fontMetrics().elidedText(source_.groupName(found_[i].label), Qt::ElideRight,
                                          static_cast<int>(below.width())));
  }
}

bool NeighborStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (cell(static_cast<int>(i)).contains(help->pos())) {
      QToolTip::showText(help->globalPos(),
                         tr("%1\nsimilarity %2").arg(found_[i].name, percentText(found_[i].likeness, 1)), this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

}  // namespace nw::ui
