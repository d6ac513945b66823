// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/finding_list.hpp"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "ui/session/exclusion.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int finding_height = 56, image_side = 40, image_pixels = 80, image_gap = 4, max_images = 3;

}  // namespace

FindingModel::FindingModel(Session& session, QObject* parent) : QAbstractListModel(parent), session_(session) {}

void FindingModel::setFindings(std::vector<Finding> findings) {
  beginResetModel();
  findings_ = std::move(findings);
  endResetModel();
}

int FindingModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(findings_.size());
}

bool FindingModel::settled(int row) const {
  const QStringList names = findings_[static_cast<std::size_t>(row)].superfluous();
  return !names.isEmpty() &&
         std::all_of(names.begin(), names.end(), [this](const QString& n) { return isExcluded(session_, n); });
}

QVariant FindingModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Finding& f = findings_[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return f.title;
  if (role == Qt::AccessibleTextRole)
    return f.title + QStringLiteral(", ") + f.detail +
           (settled(index.row()) ? QStringLiteral(", ") + tr("excluded") : QString());
  if (role != Qt::ToolTipRole) return {};
  QStringList lines{f.title, f.detail};
  for (const FindingSample& s : f.samples)
    if (lines.size() < 12) lines << s.name;
  return lines.join(QLatin1Char('\n'));
}

FindingDelegate::FindingDelegate(Session& session, const FindingModel& model, Picture picture, QObject* parent)
    : QStyledItemDelegate(parent), session_(session), model_(model), picture_(std::move(picture)) {}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {160, finding_height}; }

void FindingDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& t = theme();
  const Finding& f = model_.findings()[static_cast<std::size_t>(index.row())];
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  const bool chosen = option.state & QStyle::State_Selected, focused = option.state & QStyle::State_HasFocus;
  p->setPen(focused ? QPen(t.ring, 1.4) : QPen(Qt::NoPen));
  p->setBrush(chosen                                   ? QBrush(t.accentSoft)
              : option.state & QStyle::State_MouseOver ? QBrush(t.hover)
                                                       : QBrush(Qt::NoBrush));
  p->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), radius::control, radius::control);
  const bool gone = model_.settled(index.row());
  const QString icon = gone        ? QStringLiteral("eye-off")
                       : f.serious ? QStringLiteral("alert-circle")
                                   : QStringLiteral("alert-triangle");
  paintIcon(*p, icon, QRectF(option.rect.left() + 8, option.rect.center().y() - 8, 16, 16),
            gone        ? t.text3
            : f.serious ? t.error
                        : t.warn);
  const int images = static_cast<int>(std::min<std::size_t>(f.samples.size(), max_images)) * (image_side + image_gap);
  const QRect words = option.rect.adjusted(32, 8, -images - 10, -8);
  p->setPen(gone ? t.text3 : t.text1);
  p->setFont(font(TextRole::button));
  p->drawText(words, Qt::AlignLeft | Qt::AlignTop, p->fontMetrics().elidedText(f.title, Qt::ElideRight, words.width()));
  p->setPen(gone ? t.text3 : t.text2);
  p->setFont(font(TextRole::secondary));
  p->drawText(
      words, Qt::AlignLeft | Qt::AlignBottom,
      p->fontMetrics().elidedText(gone ? FindingModel::tr("excluded") : f.detail, Qt::ElideRight, words.width()));
  paintImages(*p, option.rect, f);
  p->restore();
}

void FindingDelegate::paintImages(QPainter& p, const QRect& row, const Finding& f) const {
  const int count = static_cast<int>(std::min<std::size_t>(f.samples.size(), max_images));
  for (int i = 0; i < count; ++i) {
    const FindingSample& s = f.samples[static_cast<std::size_t>(i)];
    const QRectF where(row.right() - 6 - (count - i) * (image_side + image_gap) + image_gap,
                       row.center().y() - image_side / 2.0, image_side, image_side);
    p.setOpacity(isExcluded(session_, s.name) ? 0.3 : 1);
    paintThumbnail(p, picture_(s), where, 3);
  }
  p.setOpacity(1);
}

FindingList::FindingList(Session& session, SetOf setOf, QWidget* parent)
    : QWidget(parent),
      session_(session),
      setOf_(std::move(setOf)),
      thumbnails_(new Thumbnails(session.helper(), this)),
      model_(new FindingModel(session, this)),
      view_(new QListView(this)),
      toggle_(makeButton(tr("Exclude"), ButtonKind::neutral, QStringLiteral("eye-off"), this)),
      all_(makeButton(tr("Exclude all"), ButtonKind::ghost, {}, this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  view_->setModel(model_);
  view_->setItemDelegate(new FindingDelegate(
      session, *model_, [this](const FindingSample& s) { return picture(s); }, view_));
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setUniformItemSizes(true);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setMouseTracking(true);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setAccessibleName(tr("Findings of the data check"));
  view_->setMinimumHeight(3 * finding_height);
  view_->installEventFilter(this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(toggle_);
  buttons->addWidget(all_);
  buttons->addStretch(1);
  rows->addWidget(view_, 1);
  rows->addLayout(buttons);
  connect(thumbnails_, &Thumbnails::arrived, view_->viewport(), qOverload<>(&QWidget::update));
  connect(&session_, &Session::documentChanged, this, &FindingList::refresh);
  connect(&session_, &Session::documentReplaced, this, &FindingList::refresh);
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &FindingList::refresh);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &FindingList::currentChanged);
  connect(toggle_, &QPushButton::clicked, this, &FindingList::toggleChosen);
  connect(all_, &QPushButton::clicked, this, &FindingList::excludeAll);
  refresh();
}

void FindingList::setFindings(std::vector<Finding> findings) {
  training_ = setOf_(false);
  test_ = setOf_(true);
  for (const SampleSet& set : {training_, test_}) thumbnails_->clear(set);  // the data may have changed on the disk
  model_->setFindings(std::move(findings));
  if (model_->rowCount() > 0) view_->setCurrentIndex(model_->index(0));
  refresh();
  Q_EMIT currentChanged();
}

QImage FindingList::picture(const FindingSample& sample) {
  return sample.index < 0 ? QImage()
                          : thumbnails_->image(sample.testSet ? test_ : training_, sample.index, image_pixels);
}

const Finding* FindingList::current() const {
  const int row = view_->currentIndex().row();
  return row >= 0 && row < model_->rowCount() ? &model_->findings()[static_cast<std::size_t>(row)] : nullptr;
}

void FindingList::setAllowed(bool allowed, const QString& why) {
  allowed_ = allowed;
  for (QPushButton* b : {toggle_, all_}) b->setToolTip(why);
  refresh();
}

QStringList FindingList::chosenNames() const {
  QStringList names;
  for (const QModelIndex& i : view_->selectionModel()->selectedIndexes())
    if (i.row() < model_->rowCount()) names += model_->findings()[static_cast<std::size_t>(i.row())].superfluous();
  return names;
}

void FindingList::toggleChosen() {
  const QStringList names = chosenNames();
  if (!allowed_ || names.isEmpty()) return;
  const bool gone =
      std::all_of(names.begin(), names.end(), [this](const QString& n) { return isExcluded(session_, n); });
  if (gone)
    includeSamples(session_, names);
  else
    excludeSamples(session_, names);
}

void FindingList::excludeAll() {
  QStringList names;
  for (const Finding& f : model_->findings()) names += f.superfluous();
  if (allowed_ && !names.isEmpty()) excludeSamples(session_, names);
}

void FindingList::refresh() {
  const QStringList names = chosenNames();
  const bool gone = !names.isEmpty() && std::all_of(names.begin(), names.end(),
                                                    [this](const QString& n) { return isExcluded(session_, n); });
  toggle_->setText(gone ? tr("Include again") : tr("Exclude"));
  toggle_->setEnabled(allowed_ && !names.isEmpty());
  all_->setEnabled(allowed_ && std::any_of(model_->findings().begin(), model_->findings().end(),
                                           [](const Finding& f) { return !f.superfluous().isEmpty(); }));
  view_->viewport()->update();
}

bool FindingList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_X || key == Qt::Key_Delete) {
      toggleChosen();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace nw::ui
