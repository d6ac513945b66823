// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/add_list.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int idRole = Qt::UserRole, shapeRole = Qt::UserRole + 1, groupRole = Qt::UserRole + 2,
              wrongRole = Qt::UserRole + 3;
constexpr int rowHeight = 36, listWidth = 330, mostRows = 7;

class Row : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {listWidth - 20, rowHeight}; }
  void paint(QPainter* p, const QStyleOptionViewItem& o, const QModelIndex& i) const override {
    const Theme& t = theme();
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    if (o.state & QStyle::State_Selected) {
      p->setPen(Qt::NoPen);
      p->setBrush(blend(t.overlay, t.text1, 0.09));
      p->drawRoundedRect(QRectF(o.rect), radius::control, radius::control);
    }
    const QRectF r(o.rect);
    const QString id = i.data(idRole).toString(), group = i.data(groupRole).toString();
    paintTile(*p, layerIcon(isBlockId(id) ? QStringLiteral("Block") : id, group), group,
              QRectF(r.left() + 8, r.center().y() - 11, 22, 22), 6);
    p->setFont(font(TextRole::body));
    p->setPen(i.data(wrongRole).toBool() ? t.text3 : t.text1);
    p->drawText(r.adjusted(42, 0, -90, 0), Qt::AlignVCenter | Qt::TextSingleLine, i.data(Qt::DisplayRole).toString());
    p->setFont(font(TextRole::mono));
    p->setPen(t.text3);
    p->drawText(r.adjusted(0, 0, -10, 0), Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine,
                i.data(shapeRole).toString());
    p->restore();
  }
};

}  // namespace

QStringList addable(const GraphScene& scene) {
  QStringList ids;
  for (const LayerType* type : all_layers()) {
    const bool end = type->name == "BlockInput" || type->name == "BlockOutput";
    if (type->name == "Input" && !scene.scope().empty()) continue;
    if ((end && scene.scope().empty()) || type->refusal) continue;
    ids << QString::fromUtf8(type->name.data(), static_cast<int>(type->name.size()));
  }
  for (const auto& [name, block] : scene.doc().blocks())
    if (name != scene.scope()) ids << QStringLiteral("Block/") + QString::fromStdString(name);
  for (const QString& name : savedBlocks())
    if (!scene.doc().blocks().contains(name.toStdString())) ids << QStringLiteral("Mine/") + name;
  return ids;
}

int matchScore(const QString& name, const QString& query) {
  if (query.isEmpty()) return 0;
  if (name.startsWith(query, Qt::CaseInsensitive)) return 100;
  if (const auto at = name.indexOf(query, 0, Qt::CaseInsensitive); at >= 0) return 60 - static_cast<int>(at);
  int found = 0;
  for (const QChar c : name)
    if (found < query.size() && c.toLower() == query[found].toLower()) ++found;
  return found == query.size() ? 10 : -1;
}

AddList::AddList(GraphScene& scene, std::optional<PortRef> from, Shows shows, QWidget& view)
    : QFrame(view.window()),
      scene_(scene),
      view_(&view),
      from_(from),
      shows_(shows),
      search_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
  setObjectName(QStringLiteral("addList"));
  search_->setObjectName(QStringLiteral("addSearch"));
  search_->setPlaceholderText(tr("Add a layer"));
  search_->setAccessibleName(tr("Add a layer"));
  search_->setFrame(false);
  search_->addAction(icon(QStringLiteral("search"), true), QLineEdit::LeadingPosition);
  list_->setObjectName(QStringLiteral("addRows"));
  list_->setAccessibleName(tr("Layers that fit"));
  list_->setFrameShape(NoFrame);
  list_->setItemDelegate(new Row(list_));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->viewport()->setAutoFillBackground(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 8, 10, 8);
  layout->setSpacing(6);
  layout->addWidget(search_);
  layout->addWidget(list_);
  QString foot = tr("Enter adds, Esc closes");
  if (shows == Shows::fitting && from && from->output && scene.facts(from->node) &&
      scene.facts(from->node)->output.rank() > 0)
    foot = tr("Only layers that fit %1, with the result").arg(shapeText(scene.facts(from->node)->output));
  layout->addWidget(makeLabel(foot, 3, static_cast<int>(TextRole::axis), this));
  search_->installEventFilter(this);
  parentWidget()->installEventFilter(this);
  view.installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, &AddList::fill);
  connect(list_, &QListWidget::itemClicked, this, &AddList::take);
  connect(&scene, &GraphScene::contentChanged, this, &AddList::closeIfStale);
  connect(&scene, &GraphScene::scopeChanged, this, &AddList::close);
  fill();
}

/// The node that the list was opened for may be removed by a command or replaced with the document.
void AddList::closeIfStale() {
  if (from_ && !scene_.graph().nodes.contains(from_->node)) close();
}

void AddList::fill() {
  if (closing_ || (from_ && !scene_.graph().nodes.contains(from_->node))) return;
  struct Hit {
    QString id;
    Fit fit;
    int score;
  };
  std::vector<Hit> hits;
  list_->clear();
  const QString typed = search_->text().trimmed();
  for (const QString& id : addable(scene_)) {
    const int score = matchScore(shownName(id), typed);
    if (score < 0) continue;
    const Fit fit = from_ ? fitOf(scene_, id, *from_) : Fit{};
    if (fit.answer == Fit::Answer::fits || (fit.answer == Fit::Answer::wrong && shows_ == Shows::all))
      hits.push_back({id, fit, score});
  }
  const auto rank = [&](const Hit& h) {  // a name that was typed whole is what the user wants, even if it does not fit
    const bool whole = shownName(h.id).compare(typed, Qt::CaseInsensitive) == 0;
    return std::tuple(!whole, h.fit.answer != Fit::Answer::fits, -h.score);
  };
  std::stable_sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) { return rank(a) < rank(b); });
  for (const Hit& hit : hits)
    addRow(hit.id, hit.fit.why, hit.fit.output.rank() > 0 ? shapeText(hit.fit.output) : QString());
  if (list_->count() > 0) list_->setCurrentRow(0);
  list_->setFixedHeight(rowHeight * std::clamp(list_->count(), 1, mostRows));
  setFixedWidth(listWidth);
  adjustSize();
}

/// `wrong`: why the layer would cause a problem; empty: it fits.
void AddList::addRow(const QString& id, const QString& wrong, const QString& output) {
  auto* row = new QListWidgetItem(shownName(id), list_);
  row->setData(idRole, id);
  row->setData(groupRole, groupOf(nodeFor(id)));
  row->setData(wrongRole, !wrong.isEmpty());
  row->setToolTip(wrong);
  if (!output.isEmpty()) row->setData(shapeRole, QStringLiteral("→ ") + output);
}

QStringList AddList::shown() const {
  QStringList ids;
  for (int i = 0; i < list_->count(); ++i) ids << list_->item(i)->data(idRole).toString();
  return ids;
}

void AddList::openAt(QPoint inView) {
  adjustSize();
  const QRect room = parentWidget()->rect().adjusted(8, 8, -8, -8);
  const QPoint at = view_->mapTo(parentWidget(), inView);
  const int left = std::clamp(at.x() - 20, room.left(), std::max(room.left(), room.right() - width()));
  const bool above = at.y() + height() > room.bottom() && at.y() - height() - 8 >= room.top();
  const int top = above ? at.y() - height() - 8 : at.y();  // the position may be far outside of the view
  move(left, std::clamp(top, room.top(), std::max(room.top(), room.bottom() - height())));
  show();
  raise();
  search_->setFocus(Qt::PopupFocusReason);
}

void AddList::close() {
  if (closing_) return;
  closing_ = true;
  hide();
  deleteLater();
}

void AddList::take() {
  const QListWidgetItem* row = list_->currentItem();
  if (!row || closing_ || (from_ && !scene_.graph().nodes.contains(from_->node))) return close();
  const QString id = row->data(idRole).toString();
  close();
  Q_EMIT picked(id);
}

bool AddList::eventFilter(QObject* object, QEvent* event) {
  if (object != search_) {
    const bool gone = object == view_ ? event->type() == QEvent::Hide : event->type() == QEvent::Resize;
    if (gone) close();
    return false;
  }
  if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
    close();
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const int row = list_->currentRow(), last = list_->count() - 1;
  if (key == Qt::Key_Escape) {
    close();
    if (view_) view_->setFocus(Qt::OtherFocusReason);
  } else if (key == Qt::Key_Return || key == Qt::Key_Enter)
    take();
  else if (key == Qt::Key_Down || key == Qt::Key_Tab)
    list_->setCurrentRow(std::min(row + 1, last));
  else if (key == Qt::Key_Up || key == Qt::Key_Backtab)
    list_->setCurrentRow(std::max(row - 1, 0));
  else
    return false;
  return true;
}

void AddList::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(theme().overlay);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::card, radius::card);
}

}  // namespace nw::ui
