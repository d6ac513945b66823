// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/layer_rows.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

constexpr int layerRowHeight = 30, tileSize = 22, gripRoom = 16;
constexpr qreal noteGap = 8, leastNote = 24;

constexpr const char* names[] = {
    QT_TRANSLATE_NOOP("LayerName", "Input"),
    QT_TRANSLATE_NOOP("LayerName", "Conv2d"),
    QT_TRANSLATE_NOOP("LayerName", "AvgPool2d"),
    QT_TRANSLATE_NOOP("LayerName", "GlobalAvgPool2d"),
    QT_TRANSLATE_NOOP("LayerName", "MaxPool2d"),
    QT_TRANSLATE_NOOP("LayerName", "Linear"),
    QT_TRANSLATE_NOOP("LayerName", "BatchNorm2d"),
    QT_TRANSLATE_NOOP("LayerName", "Dropout"),
    QT_TRANSLATE_NOOP("LayerName", "Add"),
    QT_TRANSLATE_NOOP("LayerName", "Concat"),
    QT_TRANSLATE_NOOP("LayerName", "Flatten"),
    QT_TRANSLATE_NOOP("LayerName", "CrossEntropy"),
    QT_TRANSLATE_NOOP("LayerName", "BCE"),
    QT_TRANSLATE_NOOP("LayerName", "BCEWithLogits"),
    QT_TRANSLATE_NOOP("LayerName", "MSE"),
    QT_TRANSLATE_NOOP("LayerName", "LayerNorm"),
    QT_TRANSLATE_NOOP("LayerName", "GroupNorm"),
    QT_TRANSLATE_NOOP("LayerName", "Multiply"),
    QT_TRANSLATE_NOOP("LayerName", "AdaptiveAvgPool2d"),
    QT_TRANSLATE_NOOP("LayerName", "ZeroPad2d"),
    QT_TRANSLATE_NOOP("LayerName", "ConvTranspose2d"),
    QT_TRANSLATE_NOOP("LayerName", "Upsample"),
    QT_TRANSLATE_NOOP("LayerName", "GlobalMaxPool2d"),
    QT_TRANSLATE_NOOP("LayerName", "LocalResponseNorm"),
    QT_TRANSLATE_NOOP("LayerName", "ChannelShuffle"),
    QT_TRANSLATE_NOOP("LayerName", "Dropout2d"),
    QT_TRANSLATE_NOOP("LayerName", "StochasticDepth"),
    QT_TRANSLATE_NOOP("LayerName", "LayerScale"),
    QT_TRANSLATE_NOOP("LayerName", "InstanceNorm2d"),
    QT_TRANSLATE_NOOP("LayerName", "LayerNorm2d"),
    QT_TRANSLATE_NOOP("LayerName", "Slice"),
    QT_TRANSLATE_NOOP("LayerName", "Reshape"),
    QT_TRANSLATE_NOOP("LayerName", "Transpose"),
    QT_TRANSLATE_NOOP("LayerName", "ChannelLinear"),
    QT_TRANSLATE_NOOP("LayerName", "PatchEmbedding"),
    QT_TRANSLATE_NOOP("LayerName", "ClassToken"),
    QT_TRANSLATE_NOOP("LayerName", "PositionalEmbedding"),
    QT_TRANSLATE_NOOP("LayerName", "MultiheadAttention"),
    QT_TRANSLATE_NOOP("LayerName", "Formula"),
};

bool isHeader(const QModelIndex& index) { return index.data(rowId).toString().isEmpty(); }

void paintHeader(QPainter& p, const QStyleOptionViewItem& o, const QModelIndex& index) {
  const Theme& t = theme();
  const QRectF r(o.rect);
  paintIcon(p, o.state & QStyle::State_Open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
            QRectF(r.left() + 12, r.center().y() - 6, 12, 12), t.text3);
  QFont strong = font(TextRole::button);
  strong.setWeight(QFont::DemiBold);
  p.setFont(strong);
  p.setPen(t.text2);
  p.drawText(r.adjusted(32, 0, -40, 0), Qt::AlignVCenter | Qt::TextSingleLine, index.data().toString());
  p.setFont(font(TextRole::axis));
  p.setPen(t.text3);
  p.drawText(r.adjusted(0, 0, -16, 0), Qt::AlignVCenter | Qt::AlignRight, index.data(rowMuted).toString());
}

}  // namespace

QSize LayerRowPainter::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {160, layerRowHeight}; }

void LayerRowPainter::paint(QPainter* p, const QStyleOptionViewItem& o, const QModelIndex& index) const {
  const Theme& t = theme();
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  const bool selected = o.state & QStyle::State_Selected, hover = o.state & QStyle::State_MouseOver;
  const bool focused = (o.state & QStyle::State_HasFocus) && (o.state & QStyle::State_KeyboardFocusChange);
  const QRectF box = QRectF(o.rect).adjusted(8, 1, -8, -1);
  if (hover || selected || focused) {
    p->setPen(focused ? QPen(t.ring, 1.2) : Qt::NoPen);
    p->setBrush(selected && !isHeader(index) ? blend(t.hover, t.border2, 0.5) : t.hover);
    p->drawRoundedRect(box, radius::control, radius::control);
  }
  if (isHeader(index)) {
    paintHeader(*p, o, index);
    return p->restore();
  }
  const QRectF r(o.rect);
  const qreal x = index.parent().isValid() ? r.left() + 28 : r.left() + 16;
  paintTile(*p, index.data(rowIcon).toString(), index.data(rowGroup).toString(),
            QRectF(x, r.center().y() - tileSize / 2.0, tileSize, tileSize), 6);
  const QString tone = index.data(rowSeverity).toString();
  p->setFont(font(TextRole::body));
  p->setPen(tone == QLatin1String("error") ? t.error : tone == QLatin1String("warn") ? t.warn : t.text1);
  const QRectF words = r.adjusted(x - r.left() + tileSize + 10, 0, -16, 0);
  const QString muted = index.data(rowMuted).toString();
  const LayerWords shown = layerWords(index.data().toString(), index.data(rowNote).toString(), words.width());
  p->drawText(words, Qt::AlignVCenter | Qt::TextSingleLine, shown.name);
  qreal used = shown.nameWidth;
  if (!shown.note.isEmpty()) {
    p->setFont(font(TextRole::secondary));
    p->setPen(t.text3);
    p->drawText(words.adjusted(used + noteGap, 0, 0, 0), Qt::AlignVCenter | Qt::TextSingleLine, shown.note);
    used += noteGap + QFontMetricsF(p->font()).horizontalAdvance(shown.note);
  }
  if (!muted.isEmpty()) {
    p->setFont(font(TextRole::mono));
    p->setPen(t.text3);
    if (QFontMetricsF(p->font()).horizontalAdvance(muted) + used + 12 < words.width())
      p->drawText(words, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, muted);
  } else if (hover) {
    paintIcon(*p, QStringLiteral("grip"), QRectF(r.right() - 30, r.center().y() - 7, 14, 14), t.text3);
  }
  p->restore();
}

LayerWords layerWords(const QString& name, const QString& note, qreal room) {
  const QFontMetricsF body(font(TextRole::body)), small(font(TextRole::secondary));
  LayerWords shown{body.elidedText(name, Qt::ElideRight, room), {}, 0};
  shown.nameWidth = body.horizontalAdvance(shown.name);
  const qreal left = room - shown.nameWidth - noteGap - gripRoom;
  if (!note.isEmpty() && left >= leastNote) shown.note = small.elidedText(note, Qt::ElideRight, left);
  return shown;
}

void prepareTree(QTreeWidget& tree, const QString& objectName, const QString& accessibleName) {
  tree.setObjectName(objectName);
  tree.setAccessibleName(accessibleName);
  tree.setHeaderHidden(true);
  tree.setFrameShape(QFrame::NoFrame);
  tree.setRootIsDecorated(false);
  tree.setIndentation(0);
  tree.setExpandsOnDoubleClick(false);
  tree.setUniformRowHeights(true);
  tree.setMouseTracking(true);
  tree.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree.setItemDelegate(new LayerRowPainter(&tree));
  tree.viewport()->setAutoFillBackground(false);
  QPalette palette = tree.palette();
  palette.setColor(QPalette::Base, Qt::transparent);
  tree.setPalette(palette);
}

QString layerNote(const QString& type) {
  for (const char* name : names)
    if (type == QLatin1String(name)) {
      const QString here = QCoreApplication::translate("LayerName", name);
      return here == type ? QString() : here;
    }
  return {};
}

QTreeWidgetItem* layerRow(const QString& id, const QString& text, const QString& group, const QString& icon) {
  auto* row = new QTreeWidgetItem(QStringList(text));
  row->setData(0, rowId, id);
  row->setData(0, rowGroup, group);
  row->setData(0, rowIcon, icon);
  row->setData(0, Qt::AccessibleTextRole, text);
  return row;
}

}  // namespace nw::ui
