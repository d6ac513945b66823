// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/flip_wall.hpp"

#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/deploy/compress/class_flips.hpp"
#include "ui/predict/source/chooser.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {

constexpr int side = 66, cell_width = 84, cell_height = 104, fetched = 96, side_width = 190;

struct KindLook {
  const char* icon;
  QColor Theme::*colour;
};
KindLook badgeOf(FlipKind kind) {
  if (kind == FlipKind::now_wrong) return {"close", &Theme::error};
  if (kind == FlipKind::now_right) return {"check", &Theme::ok};
  return {"minus", &Theme::text3};
}

class FlipDelegate : public QStyledItemDelegate {
 public:
  FlipDelegate(FlipModel& model, std::function<QImage(qint64)> image, QObject* parent)
      : QStyledItemDelegate(parent), model_(model), image_(std::move(image)) {}
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {cell_width, cell_height}; }
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    const ChangedAnswer& a = model_.at(index.row());
    const QRectF picture(option.rect.left() + (cell_width - side) / 2.0, option.rect.top() + 6, side, side);
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    paintThumbnail(*p, image_(a.sample), picture, radius::pill);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      p->setPen(QPen(option.state & QStyle::State_Selected ? t.ring : t.border3, 2));
      p->setBrush(Qt::NoBrush);
      p->drawRoundedRect(picture.adjusted(-2, -2, 2, 2), radius::control, radius::control);
    }
    paintBadge(*p, badgeOf(a.kind()), picture.topRight());
    paintWords(*p, a, QRectF(option.rect.left() + 3, picture.bottom() + 3, cell_width - 6, 16));
    paintMargin(*p, a, QRectF(picture.left(), picture.bottom() + 20, side, 3));
    p->restore();
  }

 private:
  static void paintBadge(QPainter& p, const KindLook& look, QPointF at) {
    const QRectF disc(at.x() - 9, at.y() - 5, 15, 15);
    p.setPen(QPen(theme().chartCard, 1.5));
    p.setBrush(theme().*look.colour);
    p.drawEllipse(disc);
    paintIcon(p, QLatin1String(look.icon), disc.adjusted(3, 3, -3, -3), theme().chartCard);
  }
  void paintWords(QPainter& p, const ChangedAnswer& a, const QRectF& where) const {
    p.setFont(ui::font(TextRole::small));
    const QString margin = a.margin < 0 ? QString() : QString::number(a.margin, 'f', 2);
    const double right = textWidth(p.font(), margin) + 4;
    p.setPen(theme().text1);
    const QString words = model_.nameOf(a.before) + QStringLiteral(" › ") + model_.nameOf(a.after);
    p.drawText(where.adjusted(0, 0, -right, 0), Qt::AlignLeft | Qt::AlignVCenter,
               p.fontMetrics().elidedText(words, Qt::ElideMiddle, static_cast<int>(where.width() - right)));
    p.setPen(theme().text2);
    p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, margin);
  }
  static void paintMargin(QPainter& p, const ChangedAnswer& a, const QRectF& where) {
    p.fillRect(where, theme().track);
    const double share = std::clamp(a.margin, 0.0, 1.0);
    p.fillRect(QRectF(where.left(), where.top(), std::max(2.0, where.width() * share), where.height()),
               a.kind() == FlipKind::now_right ? theme().series[0] : theme().series[1]);
  }
  FlipModel& model_;
  std::function<QImage(qint64)> image_;
};

}  // namespace

QString mcnemarSentence(const Json& result) {
  const auto c = result.find("changes");
  if (c == result.end() || !c->is_object()) return {};
  const qint64 wrong = integerAt(*c, "only_before"), right = integerAt(*c, "only_after");
  const double p = numberAt(*c, "mcnemar_p", 1);
  const QString verdict =
      p < 0.05 ? FlipWall::tr("That is more than chance.") : FlipWall::tr("Chance alone may do that.");
  const QString value = p < 0.001 ? QStringLiteral("p < 0.001") : QStringLiteral("p = %1").arg(p, 0, 'g', 2);
  return FlipWall::tr("McNemar's test: %1. %2 answers became wrong, %3 became right, of %4 images.")
             .arg(value, grouped(wrong), grouped(right), grouped(integerAt(*c, "samples"))) +
         u' ' + (wrong + right > 0 ? verdict : FlipWall::tr("Accuracy is the same."));
}

QString filesSentence(const Json& result) {
  const auto c = result.find("changes");
  if (c == result.end() || !c->is_object()) return {};
  const qint64 all = integerAt(*c, "flips_in_all"), same = integerAt(result, "repeated_by_files", -1);
  if (all == 0) return {};
  if (same == all) return FlipWall::tr("All %1 are the same when computed from exported files.").arg(grouped(all));
  if (same >= 0)
    return FlipWall::tr("Computed from exported files, only %1 of %2 are the same.").arg(grouped(same), grouped(all));
  const bool int8 = result.contains("files_problem");
  return int8 ? FlipWall::tr("Not computed from a file: runs in 8 bits are exported from the run before.") : QString();
}

FlipWall::FlipWall(HelperClient& helper, QWidget* parent)
    : Card(tr("Changed predictions"), parent), thumbnails_(helper) {
  setObjectName(QStringLiteral("flipWall"));
  makePane(*this);
  auto* column = static_cast<QVBoxLayout*>(body()->layout());
  column->addWidget(bar_ = makeBar());
  none_ = makeLabel({}, 2, static_cast<int>(TextRole::body), this);
  none_->setWordWrap(true);
  column->addWidget(none_);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::m);
  view_ = new QListView(this);
  view_->setObjectName(QStringLiteral("flips"));
  view_->setAccessibleName(tr("Images with another predicted class"));
  view_->setViewMode(QListView::IconMode);
  view_->setMovement(QListView::Static);
  view_->setResizeMode(QListView::Adjust);
  view_->setUniformItemSizes(true);
  view_->setLayoutMode(QListView::Batched);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setMouseTracking(true);
  view_->setMinimumHeight(cell_height + 6);
  view_->setModel(&model_);
  view_->setItemDelegate(new FlipDelegate(
      model_, [this](qint64 s) { return thumbnails_.image(set_, s, fetched); }, view_));
  row->addWidget(view_, 1);
  row->addWidget(makeSide());
  column->addLayout(row, 1);
  connect(&thumbnails_, &Thumbnails::arrived, view_->viewport(), qOverload<>(&QWidget::update));
  const auto open = [this](const QModelIndex& index) { Q_EMIT opened(model_.at(index.row()).sample); };
  connect(view_, &QListView::clicked, this, open);
  connect(view_, &QListView::activated, this, open);
  setResult(Json::object(), {}, {});
}

QWidget* FlipWall::makeBar() {
  auto* bar = new WrappingBar(this);
  kinds_ = new SegmentedControl(bar);
  kinds_->setObjectName(QStringLiteral("flipKinds"));
  kinds_->setAccessibleName(tr("Which changes"));
  for (int i = 0; i < 4; ++i) kinds_->addSegment({});
  clear_ = makeButton({}, ButtonKind::tonal, QStringLiteral("filter"), bar);
  clear_->setObjectName(QStringLiteral("clearClass"));
  clear_->setToolTip(tr("Clear the filter"));
  order_ = new ChooserButton(tr("Order"), bar, false);
  auto* menu = new QMenu(order_);
  for (const bool largest : {false, true}) {
    const QString text = largest ? tr("Largest margin first") : tr("Smallest margin first");
    menu->addAction(text, this, [this, largest, text] {
      model_.setLargestFirst(largest);
      order_->setValue(text);
    });
  }
  order_->setMenu(menu);
  order_->setValue(tr("Smallest margin first"));
  order_->setToolTip(
      tr("Margin: the original's probability of its own answer, less that of the answer that it is now"));
  bar->addWidget(kinds_);
  bar->addWidget(clear_);
  bar->addWidget(order_, true);
  connect(kinds_, &SegmentedControl::currentChanged, this, &FlipWall::filter);
  connect(clear_, &QPushButton::clicked, this, [this] { classes_->choose(-1); });
  return bar;
}

QWidget* FlipWall::makeSide() {
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 6, 0);
  column->setSpacing(space::s);
  column->addWidget(makeLabel(tr("By class"), 1, static_cast<int>(TextRole::node), inside));
  classes_ = new ClassFlips(inside);
  column->addWidget(classes_);
  test_ = makeLabel({}, 1, static_cast<int>(TextRole::secondary), inside);
  test_->setObjectName(QStringLiteral("mcnemar"));
  files_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), inside);
  files_->setObjectName(QStringLiteral("flipsFromFiles"));
  for (QLabel* label : {test_, files_}) {
    label->setWordWrap(true);
    column->addWidget(label);
  }
  column->addStretch(1);
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFixedWidth(side_width);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(inside);
  area->viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);  // setWidget() sets it
  connect(classes_, &ClassFlips::chosenChanged, this, &FlipWall::filter);
  return side_ = area;
}

void FlipWall::setResult(const Json& result, const QStringList& names, const protocol::Weights& weights) {
  set_ = samplesOfRun(weights, QStringLiteral("test"));
  model_.setAnswers(changedAnswersIn(result), names);
  classes_->setModel(model_);
  test_->setText(mcnemarSentence(result));
  files_->setText(ui::filesSentence(result));
  files_->setVisible(!files_->text().isEmpty());
  const bool any = !model_.all().empty();
  const auto changes = result.find("changes");
  none_->setVisible(!any);
  none_->setText(changes == result.end() ? tr("Here are the test images whose answer a smaller network changes, once "
                                              "one is made.")
                                         : tr("No test image gets another class."));
  view_->setVisible(any);
  bar_->setVisible(any);
  side_->setVisible(any);
  filter();
}

void FlipWall::filter() {
  const int kind = kinds_->current();
  model_.setFilter(kind == 0 ? std::nullopt : std::optional(static_cast<FlipKind>(kind - 1)), classes_->chosen());
  showCounts();
}

void FlipWall::showCounts() {
  const QString texts[] = {tr("All %1"), tr("Now wrong %1"), tr("Now right %1"), tr("Still wrong %1")};
  for (int i = 0; i < 4; ++i)
    kinds_->setSegmentText(
        i, texts[i].arg(grouped(model_.count(i == 0 ? std::nullopt : std::optional(static_cast<FlipKind>(i - 1))))));
  clear_->setVisible(classes_->chosen() >= 0);
  clear_->setText(classes_->chosen() >= 0 ? tr("Class %1").arg(model_.nameOf(classes_->chosen())) : QString());
}

QString FlipWall::sentence() const { return test_->text(); }
QString FlipWall::filesSentence() const { return files_->text(); }

}  // namespace nw::ui
