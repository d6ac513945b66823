// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/palette_tree.hpp"

#include <QApplication>
#include <QCoreApplication>
#include <QMenu>
#include <QMouseEvent>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/commands/block_commands.hpp"
#include "ui/canvas/commands/node_commands.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/editors/save_block_dialog.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/design/layer_rows.hpp"
#include "ui/design/palette_drag.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

struct GroupRow {
  const char* group;
  const char* title;
};
/// In the order a network is drawn.
const GroupRow groupRows[] = {
    {"Input", QT_TRANSLATE_NOOP("design", "Input")},
    {"Convolution", QT_TRANSLATE_NOOP("design", "Convolution")},
    {"Pooling", QT_TRANSLATE_NOOP("design", "Pooling")},
    {"Linear", QT_TRANSLATE_NOOP("design", "Linear")},
    {"Attention", QT_TRANSLATE_NOOP("design", "Attention")},
    {"Normalization", QT_TRANSLATE_NOOP("design", "Normalization")},
    {"Activation", QT_TRANSLATE_NOOP("design", "Activation")},
    {"Regularization", QT_TRANSLATE_NOOP("design", "Regularization")},
    {"Shape", QT_TRANSLATE_NOOP("design", "Shape and merge")},
    {"Loss", QT_TRANSLATE_NOOP("design", "Loss")},
};

/// What of saved blocks the rows show besides their names.
QString cardsOf(const QStringList& ids) {
  QString all;
  for (const QString& id : ids) {
    if (!id.startsWith(QLatin1String("Mine/"))) continue;
    const BlockCard card = savedCard(shownName(id));
    all += QString::fromStdString(card.icon + '\n' + card.help + '\n');
  }
  return all;
}

}  // namespace

PaletteTree::PaletteTree(Shows shows, Canvas& canvas, QWidget* parent)
    : QTreeWidget(parent), shows_(shows), canvas_(canvas), view_(canvas.view()) {
  const bool layers = shows == Shows::layers;
  prepareTree(*this, layers ? QStringLiteral("palette") : QStringLiteral("blockPalette"),
              layers ? tr("Layers") : tr("Blocks"));
  connect(this, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* row) { closed_.remove(row->text(0)); });
  connect(this, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem* row) { closed_.insert(row->text(0)); });
  connect(&view_.graph(), &GraphScene::scopeChanged, this, &PaletteTree::fill);
  connect(&view_.graph().session(), &Session::documentChanged, this, &PaletteTree::fill);
  connect(&view_.graph().session(), &Session::documentReplaced, this, &PaletteTree::fill);
  connect(&savedBlocksNotice(), &SavedBlocksNotice::changed, this, &PaletteTree::fill);
  if (shows == Shows::blocks) setContextMenuPolicy(Qt::CustomContextMenu);
  connect(this, &QWidget::customContextMenuRequested, this, &PaletteTree::openMenu);
  fill();
}

void PaletteTree::setFilter(const QString& text) {
  filter_ = text.trimmed();
  known_.clear();
  fill();
}

void PaletteTree::fill() {
  const QStringList ids = addable(view_.graph());
  const QString key = ids.join('\n') + '\n' + filter_ + '\n' + cardsOf(ids);
  if (key == known_) return;
  known_ = key;
  clear();
  if (shows_ == Shows::blocks) { return fillBlocks(ids); }
  for (const GroupRow& group : groupRows) {
    const QString title = QCoreApplication::translate("design", group.title), name = QLatin1String(group.group);
    auto* header = new QTreeWidgetItem(QStringList(title));
    for (const QString& id : ids) {
      const LayerType* type = find_layer(id.toStdString());
      if (!type || groupOf(nodeFor(id)) != name ||
          !(matches(id) || (!filter_.isEmpty() && title.startsWith(filter_, Qt::CaseInsensitive))))
        continue;
      QTreeWidgetItem* row = layerRow(id, id, name, layerIcon(id, name));
      row->setToolTip(0, translated(type->summary));
      row->setData(0, rowNote, layerNote(id));
      header->addChild(row);
    }
    if (header->childCount() == 0) {
      delete header;
      continue;
    }
    header->setData(0, rowMuted, QString::number(header->childCount()));
    addTopLevelItem(header);
    header->setExpanded(!filter_.isEmpty() || !closed_.contains(title));
  }
}

bool PaletteTree::matches(const QString& name) const {
  return matchScore(name, filter_) > (filter_.isEmpty() ? -1 : 5);
}

/// The project's blocks, then those that the user saved, with their icons and help.
void PaletteTree::fillBlocks(const QStringList& ids) {
  const QString ordinary = layerIcon(QStringLiteral("Block"), QStringLiteral("Shape"));
  auto* mine = new QTreeWidgetItem(QStringList(tr("My blocks")));
  for (const QString& id : ids) {
    if (!isBlockId(id) || !matches(shownName(id))) continue;
    if (!id.startsWith(QLatin1String("Mine/"))) {
      addTopLevelItem(layerRow(id, shownName(id), QStringLiteral("Shape"), ordinary));
      continue;
    }
    const BlockCard card = savedCard(shownName(id));
    const QString icon = QString::fromStdString(card.icon);
    QTreeWidgetItem* row =
        layerRow(id, shownName(id), QStringLiteral("Shape"), blockIcons().contains(icon) ? icon : ordinary);
    row->setToolTip(0, QString::fromStdString(card.help));
    mine->addChild(row);
  }
  if (mine->childCount() == 0) return void(delete mine);
  mine->setData(0, rowMuted, QString::number(mine->childCount()));
  addTopLevelItem(mine);
  mine->setExpanded(!filter_.isEmpty() || !closed_.contains(mine->text(0)));
}

QPoint PaletteTree::rowPosition(const QString& id) {
  for (QTreeWidgetItemIterator it(this); *it; ++it)
    if ((*it)->data(0, rowId).toString() == id) {
      if ((*it)->parent()) (*it)->parent()->setExpanded(true);
      scrollToItem(*it);
      return visualItemRect(*it).center();
    }
  return {-1, -1};
}

void PaletteTree::openMenu(QPoint at) {
  const QTreeWidgetItem* row = itemAt(at);
  if (!row || row->data(0, rowId).toString().isEmpty()) return;
  QMenu menu(this);
  fillBlockMenu(view_, menu, row->data(0, rowId).toString());
  menu.exec(viewport()->mapToGlobal(at));
}

void PaletteTree::add(const QTreeWidgetItem* row) {
  if (row && !row->data(0, rowId).toString().isEmpty()) addAfterCurrent(view_, row->data(0, rowId).toString());
}

void PaletteTree::addBest() {
  const QTreeWidgetItem* best = nullptr;
  int score = -1;
  for (QTreeWidgetItemIterator it(this); *it; ++it) {
    const int own = (*it)->data(0, rowId).toString().isEmpty() ? -1 : std::max(0, matchScore((*it)->text(0), filter_));
    if (own <= score) continue;
    score = own;
    best = *it;
  }
  add(best);
}

void PaletteTree::mousePressEvent(QMouseEvent* event) {
  const QTreeWidgetItem* row = itemAt(event->position().toPoint());
  pressed_ = row && event->button() == Qt::LeftButton ? row->data(0, rowId).toString() : QString();
  pressedAt_ = event->position().toPoint();
  QTreeWidget::mousePressEvent(event);
}

void PaletteTree::mouseMoveEvent(QMouseEvent* event) {
  if (pressed_.isEmpty() || !(event->buttons() & Qt::LeftButton)) return QTreeWidget::mouseMoveEvent(event);
  if ((event->position().toPoint() - pressedAt_).manhattanLength() < QApplication::startDragDistance()) return;
  dragLayer(canvas_, std::exchange(pressed_, {}), *this, event->globalPosition().toPoint());
}

void PaletteTree::mouseReleaseEvent(QMouseEvent* event) {
  pressed_.clear();
  QTreeWidgetItem* row = itemAt(event->position().toPoint());
  if (row && row->data(0, rowId).toString().isEmpty() && event->button() == Qt::LeftButton)
    row->setExpanded(!row->isExpanded());
  QTreeWidget::mouseReleaseEvent(event);
}

void PaletteTree::mouseDoubleClickEvent(QMouseEvent* event) { add(itemAt(event->position().toPoint())); }

void PaletteTree::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!enter) return QTreeWidget::keyPressEvent(event);
  QTreeWidgetItem* row = currentItem();
  if (row && row->data(0, rowId).toString().isEmpty())
    row->setExpanded(!row->isExpanded());
  else
    add(row);
}

}  // namespace nw::ui
