// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/data_chip.hpp"

#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "engine/design/data_source.hpp"
#include "engine/design/project_file.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_rows.hpp"
#include "ui/page/page.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int thumbnail = 28;  // requested pixels per image; shown at half the size, sharp at 200 %

constexpr int beside = 40 + 26;  // thumbnails at the left, arrow at the right

QFont nameFont() {
  QFont bold = ui::font(TextRole::button);
  bold.setWeight(QFont::DemiBold);
  return bold;
}

QString nameOf(const DataChoice& data) {
  const QString name = described(data);
  return name.isEmpty() ? DataChip::tr("No data chosen") : name;
}

}  // namespace

DataChip::DataChip(Session& session, QWidget* parent)
    : QAbstractButton(parent), session_(session), probe_(dataOpener(session)) {
  setObjectName(QStringLiteral("dataChip"));
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(&probe_, &DataOpener::changed, this, &DataChip::refresh);
  connect(&session_, &Session::documentReplaced, this, &DataChip::refresh);
  connect(this, &QAbstractButton::clicked, this, &DataChip::openMenu);
  refresh();
}

void DataChip::refresh() {
  setText(nameOf(session_.doc().data()));
  const DataInfo& info = probe_.info();
  switch (probe_.state()) {
    case DataOpener::State::opening:
      detail_ = tr("reading…");
      break;
    case DataOpener::State::failed:
      detail_ = tr("cannot be read");
      break;
    case DataOpener::State::open: {
      const DataFacts& f = info.facts;
      detail_ = tr("%1 image(s) · %2×%3×%4", nullptr, static_cast<int>(f.train + f.validation + f.test))
                    .arg(grouped(f.train + f.validation + f.test))
                    .arg(f.height)
                    .arg(f.width)
                    .arg(f.channels);
      if (info.fellBack) setText(tr("Synthetic digits"));
    }
  }
  setAccessibleName(tr("Data: %1, %2").arg(text(), detail_));
  const QString more = probe_.state() == DataOpener::State::failed ? probe_.error()
                       : info.place.isEmpty()                      ? info.description
                                                                   : info.place;
  setToolTip(text() + QStringLiteral(" · ") + detail_ + (more.isEmpty() ? QString() : u'\n' + more));
  updateGeometry();
  images_ = {};
  if (probe_.state() == DataOpener::State::open) requestVisibleImages();
  update();
}

QSize DataChip::sizeHint() const {
  const int words = std::max(QFontMetrics(nameFont()).horizontalAdvance(text()),
                             QFontMetrics(ui::font(TextRole::small)).horizontalAdvance(detail_));
  return {std::clamp(words + beside + 4, 150, 300), 36};
}

void DataChip::requestVisibleImages() {
  const protocol::SamplesRequest request{
      .source = {session_.doc().data()}, .split = "train", .count = 4, .size = thumbnail};
  session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    constexpr int bytes = thumbnail * thumbnail * 4;
    if (!answer || answer->payload.size() < std::size_t{4} * bytes) return;
    QImage sheet(2 * thumbnail, 2 * thumbnail, QImage::Format_RGBA8888);
    QPainter p(&sheet);
    for (int i = 0; i < 4; ++i)
      p.drawImage((i % 2) * thumbnail, (i / 2) * thumbnail,
                  QImage(answer->payload.data() + i * bytes, thumbnail, thumbnail, QImage::Format_RGBA8888));
    p.end();
    images_ = sheet;
    update();
  });
}

void DataChip::choose(const DataSource& source) {
  DataChoice data = session_.doc().data();
  if (data.kind == source.kind && data.path.empty()) return;
  choose_kind(data, source.kind);
  session_.push({PutData{data}}, tr("Choose data"));
}

void DataChip::openMenu() {
  QMenu menu;
  for (const DataSource* source : all_sources()) {
    if (!source->built_in) continue;
    DataChoice data = session_.doc().data();
    data.kind = source->kind;
    QAction* entry = menu.addAction(described(data), this, [this, source] { choose(*source); });
    entry->setCheckable(true);
    entry->setChecked(session_.doc().data().kind == source->kind);
  }
  menu.addSeparator();
  menu.addAction(ui::icon(QStringLiteral("folder")), tr("Folder, CSV, IDX or split…"),
                 action(QStringLiteral("show-data")), &QAction::trigger);
  menu.exec(mapToGlobal(QPoint(0, height() + 4)));
}

void DataChip::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  style::box(p, rect(), radius::group, t.raised, underMouse() ? t.border3 : t.border2);
  const QRectF tile(4, 4, 28, 28);
  if (images_.isNull()) {
    style::box(p, tile, radius::pill, t.tile(QStringLiteral("Input")), QColor(0, 0, 0, 0));
    paintIcon(p, QStringLiteral("database"), tile.adjusted(6, 6, -6, -6), t.group(QStringLiteral("Input")));
  } else {
    QPainterPath round;
    round.addRoundedRect(tile, radius::pill, radius::pill);
    p.setClipPath(round);
    p.drawImage(tile, images_);
    p.setClipping(false);
  }
  const bool failed = probe_.state() == DataOpener::State::failed;
  const QFont bold = nameFont();
  const int room = width() - beside;
  p.setFont(bold);
  p.setPen(t.text1);
  p.drawText(QRectF(40, 2, room, 17), Qt::AlignVCenter | Qt::AlignLeft,
             QFontMetrics(bold).elidedText(text(), Qt::ElideMiddle, room));
  p.setFont(ui::font(TextRole::small));
  p.setPen(failed ? t.error : t.text2);
  p.drawText(QRectF(40, 18, room, 15), Qt::AlignVCenter | Qt::AlignLeft,
             QFontMetrics(p.font()).elidedText(detail_, Qt::ElideRight, room));
  style::chevron(p, QRectF(width() - 24, 0, 16, height()), "down", t.text2);
  if (hasFocus()) style::focusRing(p, rect(), radius::group);
}

}  // namespace nw::ui
