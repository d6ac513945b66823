// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explain/map_view.hpp"

#include <QBoxLayout>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "ui/predict/explain/class_legend.hpp"
#include "ui/predict/source/metric_responses.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int most_points = 2000, margin = 28, frame = 2;  // frame: of a picture, in pixels around it
constexpr qint64 sprite_ms = 5;                            // per frame, for scaling thumbnails
constexpr double most_zoom = 40;
constexpr qreal smallest = 20, largest = 64, crowded = 16;
constexpr std::size_t many = 800;  // from this number of images on, thumbnails are smaller

/// The kinds of map, in the order of the switch.
struct MapKind {
  const char *id, *name;
  QString (*facts)(const FeatureMap&);
};
QString images(const FeatureMap& m) { return grouped(static_cast<qint64>(m.points.size())); }
const MapKind map_kinds[] = {
    {"plane", QT_TRANSLATE_NOOP("nw::ui::MapView", "PCA"),
     [](const FeatureMap& m) {
       return MapView::tr("%1 image(s); the two components explain %2 of the variance", nullptr,
                          static_cast<int>(m.points.size()))
           .arg(images(m), percentText(m.share[0] + m.share[1], 0));
     }},
    {"tsne", QT_TRANSLATE_NOOP("nw::ui::MapView", "Neighbors (t-SNE)"),
     [](const FeatureMap& m) {
       return MapView::tr("%1 image(s); nearby points are similar, distances between clusters mean little", nullptr,
                          static_cast<int>(m.points.size()))
           .arg(images(m));
     }},
};

double within(double v, double low, double high) { return high > low ? (v - low) / (high - low) : 0.5; }
}  // namespace

Result<FeatureMap> map_from(const Message& answer) {
  NW_ASSIGN(const auto sample, array_in<std::int64_t>(answer, "sample"));
  const std::size_t n = sample.size();
  NW_ASSIGN(const auto x, array_in<double>(answer, "x", n));
  NW_ASSIGN(const auto y, array_in<double>(answer, "y", n));
  NW_ASSIGN(const auto label, array_in<std::int32_t>(answer, "label", n));
  NW_ASSIGN(const auto share, numbers_in<double>(answer.json, "share", 2));
  FeatureMap map{{}, {share[0], share[1]}};
  if (n == 0) return map;
  const auto [left, right] = std::minmax_element(x.begin(), x.end());
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  for (std::size_t i = 0; i < n; ++i)
    map.points.push_back({within(x[i], *left, *right), 1 - within(y[i], *low, *high), sample[i], label[i]});
  return map;
}

MapCanvas::MapCanvas(PredictSource& source, ThumbnailStore& thumbnails, QWidget* parent)
    : QWidget(parent), source_(source), thumbnails_(thumbnails) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Map of the images"));
  setMinimumSize(300, 240);
  connect(&thumbnails_, &ThumbnailStore::arrived, this, qOverload<>(&QWidget::update));
}

void MapCanvas::setMap(FeatureMap map) {
  map_ = std::move(map);
  sprites_.clear();
  corner_ = {};
  zoom_ = 1;
  current_ = -1;
  update();
}

/// The size changes in steps, so that scaled thumbnails are reused.
qreal MapCanvas::side() const {
  // each doubling
  const qreal least = map_.points.size() > many ? crowded : smallest, step = std::floor(std::log2(zoom_));
  return std::round(std::min(least * std::pow(2, step / 2), largest));
}

QPointF MapCanvas::place(std::size_t i) const {
  const EmbeddedPoint& p = map_.points[i];
  return {margin + (p.x - corner_.x()) * zoom_ * (width() - 2 * margin),
          margin + (p.y - corner_.y()) * zoom_ * (height() - 2 * margin)};
}

int MapCanvas::at(const QPointF& where) const {
  for (std::size_t i = map_.points.size(); i-- > 0;) {  // the last is on top
    const QPointF d = place(i) - where;
    if (std::max(std::abs(d.x()), std::abs(d.y())) <= side() / 2) return static_cast<int>(i);
  }
  return -1;
}

QString MapCanvas::sentence(int point) const {
  const EmbeddedPoint& p = map_.points[static_cast<std::size_t>(point)];
  return tr("Image %1, %2").arg(QString::number(p.sample), source_.groupName(p.label));
}

void MapCanvas::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(hasFocus() ? t.ring : t.border1, hasFocus() ? 1.6 : 1));
  p.setBrush(t.chartCard);
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::card, radius::card);
  p.setClipRect(rect().adjusted(2, 2, -2, -2));
  const qreal s = side();
  const QString look = QStringLiteral("%1/%2/%3").arg(t.series[0].name(), t.border1.name()).arg(devicePixelRatioF());
  if (std::exchange(spritesSide_, s) != s || std::exchange(spritesLook_, look) != look) sprites_.clear();
  QElapsedTimer clock;
  clock.start();
  bool missing = false;
  drawn_ = 0;
  for (std::size_t i = 0; i < map_.points.size(); ++i) {
    const QPointF c = place(i);
    const QRectF where(c.x() - s / 2, c.y() - s / 2, s, s);
    if (!where.intersects(QRectF(rect()))) continue;
    const bool time = clock.elapsed() < sprite_ms;
    if (const QPixmap* picture = sprite(i, time)) {
      p.drawPixmap((where.topLeft() - QPointF(frame, frame)).toPoint(), *picture);
      ++drawn_;
    } else {
      p.fillRect(where.adjusted(s / 4, s / 4, -s / 4, -s / 4).toRect(), categoryColour(map_.points[i].label));
      missing = missing || !time;
    }
  }
  paintCurrent(p, s);
  if (missing) QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
}

void MapCanvas::paintCurrent(QPainter& p, qreal s) {
  if (current_ < 0) return;
  const QPointF c = place(static_cast<std::size_t>(current_));
  const QRectF where(c.x() - s / 2, c.y() - s / 2, s, s);
  paintThumbnail(p, thumbnails_.image(map_.points[static_cast<std::size_t>(current_)].sample), where, 2);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(theme().ring, 3));
  p.drawRoundedRect(where.adjusted(-1, -1, 1, 1), 3, 3);
}

const QPixmap* MapCanvas::sprite(std::size_t point, bool mayMake) {
  const EmbeddedPoint& m = map_.points[point];
  if (const auto known = sprites_.constFind(m.sample); known != sprites_.constEnd()) return &*known;
  if (!mayMake) return nullptr;
  const QImage image = thumbnails_.image(m.sample);
  return image.isNull() ? nullptr : &*sprites_.insert(m.sample, makeSprite(image, categoryColour(m.label)));
}

QPixmap MapCanvas::makeSprite(const QImage& image, const QColor& colour) const {
  const qreal whole = spritesSide_ + 2 * frame;
  QPixmap made((QSizeF(whole, whole) * devicePixelRatioF()).toSize());
  made.setDevicePixelRatio(devicePixelRatioF());
  made.fill(Qt::transparent);
  QPainter p(&made);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF where(frame, frame, spritesSide_, spritesSide_);
  paintThumbnail(p, image, where, 2);
  p.setPen(QPen(colour, 2));
  p.drawRoundedRect(where.adjusted(-1, -1, 1, 1), 3, 3);
  return made;
}

void MapCanvas::enlarge(double factor, const QPointF& about) {
  const double now = std::clamp(zoom_ * factor, 1.0, most_zoom);
  const QPointF whole(width() - 2 * margin, height() - 2 * margin),
      unit((about.x() - margin) / whole.x(), (about.y() - margin) / whole.y());
  corner_ += unit / zoom_ - unit / now;
  zoom_ = now;
  if (zoom_ == 1) corner_ = {};
  update();
}

void MapCanvas::wheelEvent(QWheelEvent* event) {
  enlarge(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void MapCanvas::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position();
  from_ = corner_;
  moved_ = false;
}

void MapCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const QPointF d = event->position() - pressed_;
  if (!moved_ && d.manhattanLength() < 5) return;
  moved_ = true;
  corner_ = from_ - QPointF(d.x() / (width() - 2 * margin), d.y() / (height() - 2 * margin)) / zoom_;
  update();
}

void MapCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (moved_) return;
  if (const int point = at(event->position()); point >= 0) choose(point);
}

void MapCanvas::choose(int point) {
  current_ = point;
  setAccessibleDescription(sentence(point));
  update();
  Q_EMIT chosen(map_.points[static_cast<std::size_t>(point)].sample);
}

/// Selects the nearest point within 45° of the direction.
void MapCanvas::go(const QPointF& direction) {
  if (map_.points.empty()) return;
  const QPointF here =
      current_ >= 0 ? place(static_cast<std::size_t>(current_)) : QPointF(width() / 2.0, height() / 2.0);
  int best = -1;
  double least = 1e30;
  for (std::size_t i = 0; i < map_.points.size(); ++i) {
    const QPointF d = place(i) - here;
    const double along = QPointF::dotProduct(d, direction),
                 across = std::abs(d.x() * direction.y() - d.y() * direction.x());
    if (static_cast<int>(i) == current_ || along <= 0 || across > along || along + across >= least) continue;
    least = along + across;
    best = static_cast<int>(i);
  }
  if (best < 0) return;
  current_ = best;
  setAccessibleDescription(sentence(best));
  update();
}

void MapCanvas::keyPressEvent(QKeyEvent* event) {
  const QPointF middle(width() / 2.0, height() / 2.0);
  switch (event->key()) {
    case Qt::Key_Left:
      return go({-1, 0});
    case Qt::Key_Right:
      return go({1, 0});
    case Qt::Key_Up:
      return go({0, -1});
    case Qt::Key_Down:
      return go({0, 1});
    case Qt::Key_Plus:
      return enlarge(1.4, middle);
    case Qt::Key_Minus:
      return enlarge(1 / 1.4, middle);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0) choose(current_);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
}

bool MapCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int point = at(help->pos());
  if (point < 0)
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), sentence(point), this);
  return true;
}

MapView::MapView(PredictSource& source, ThumbnailStore& thumbnails, QWidget* parent)
    : QWidget(parent),
      source_(source),
      kinds_(new SegmentedControl),
      kept_(std::size(map_kinds)),
      canvas_(new MapCanvas(source, thumbnails)),
      legend_(new ClassLegend(this)),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      facts_(makeLabel({}, 2, static_cast<int>(TextRole::secondary))),
      progress_(new QProgressBar) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(space::l, space::m, space::l, space::m);
  rows->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("By features"), 1, static_cast<int>(TextRole::title)));
  head->addWidget(kinds_);
  head->addStretch(1);
  head->addWidget(facts_);
  for (const MapKind& m : map_kinds) kinds_->addSegment(MapView::tr(m.name));
  kinds_->setAccessibleName(tr("Kind of map"));
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Progress of the map"));
  progress_->hide();
  rows->addLayout(head);
  rows->addWidget(progress_);
  rows->addWidget(note_);
  rows->addWidget(canvas_, 1);
  rows->addWidget(legend_);
  connect(canvas_, &MapCanvas::chosen, this, &MapView::chosen);
  connect(kinds_, &SegmentedControl::currentChanged, this, &MapView::showMethod);
}

void MapView::showMap(const FeatureMap& map) {
  std::set<int> labels;
  for (const EmbeddedPoint& point : map.points) labels.insert(point.label);
  QVector<ClassLegend::Entry> entries;
  for (const int label : labels) entries.append({label, source_.groupName(label)});
  legend_->setEntries(entries);
  canvas_->setMap(map);
}

void MapView::showMethod(int method) {
  if (request_ != 0) source_.helper().cancel(request_);
  request_ = 0;
  progress_->hide();
  if (const auto& known = kept_[static_cast<std::size_t>(method)]) {
    facts_->setText(map_kinds[method].facts(*known));
    return showMap(*known);
  }
  showMap({});
  facts_->clear();
  stale_ = true;
  if (isVisible()) ask();
}

void MapView::showEvent(QShowEvent*) {
  if (stale_) ask();
}

void MapView::refresh() {
  if (request_ != 0) source_.helper().cancel(request_);
  request_ = 0;
  stale_ = true;
  kept_.assign(std::size(map_kinds), {});
  showMap({});
  note_->say({});
  facts_->clear();
  progress_->hide();
  if (isVisible()) ask();
}

void MapView::ask() {
  if (!source_.network().known()) return;
  stale_ = false;
  if (!source_.files().isEmpty())
    return note_->say(tr("The map shows the splits of the run's data set, not your own images."));
  progress_->setValue(0);
  progress_->show();
  const protocol::MapRequest request{source_.weights(), source_.split().toStdString(), map_kinds[kinds_->current()].id,
                                     most_points};
  request_ = source_.helper().ask(
      this, request, [this, method = kinds_->current()](const Result<Message>& answer) { take(method, answer); },
      [this](double done) { progress_->setValue(static_cast<int>(1000 * done)); });
}

void MapView::take(int method, const Result<Message>& answer) {
  request_ = 0;
  progress_->hide();
  Result<FeatureMap> map = answer ? map_from(*answer) : Result<FeatureMap>(answer.error());
  if (!map) return note_->say(translated(map.error().what));
  facts_->setText(map_kinds[method].facts(*map));
  kept_[static_cast<std::size_t>(method)] = *map;
  showMap(*map);
}

}  // namespace nw::ui
