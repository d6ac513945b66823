// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/step_strip.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/severity_icon.hpp"

namespace nw::ui {
namespace {

constexpr int chip_height = 38;

class StepChip : public QAbstractButton {
 public:
  StepChip(const QString& title, const QString& figure, bool current, QWidget* parent)
      : QAbstractButton(parent), figure_(figure), current_(current) {
    setText(title);
    setAccessibleName(figure.isEmpty() ? title : title + QStringLiteral(", ") + figure);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setFixedHeight(chip_height);
  }
  QSize sizeHint() const override {
    const qreal wide =
        std::max(textWidth(ui::font(TextRole::button), text()), textWidth(ui::font(TextRole::small), figure_));
    return {static_cast<int>(wide) + 22, chip_height};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(hasFocus() ? t.ring : current_ ? t.accent : t.border2, current_ || hasFocus() ? 1.6 : 1));
    p.setBrush(current_ ? t.accentSoft : underMouse() ? t.hover : t.raised);
    p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::control, radius::control);
    p.setPen(t.text1);
    p.setFont(ui::font(TextRole::button));
    p.drawText(QRect(10, 3, width() - 14, 18), Qt::AlignLeft | Qt::AlignVCenter, text());
    p.setPen(t.text2);
    p.setFont(ui::font(TextRole::small));
    p.drawText(QRect(10, 19, width() - 14, 16), Qt::AlignLeft | Qt::AlignVCenter, figure_);
  }

 private:
  QString figure_;
  bool current_;
};

}  // namespace

QString titleOf(const CompressionRecord& record) {
  if (record.kind.isEmpty()) return StepStrip::tr("Original");
  const StepKind* kind = stepKind(record.kind);
  return kind ? kind->title(record.plan) : inOneLine(record.kind);
}

double accuracyOf(const CompressionRecord& record) {
  const auto accuracy = record.result.find("accuracy");
  return accuracy == record.result.end() || !accuracy->is_object() ? -1 : numberAt(*accuracy, "after", -1);
}

StepStrip::StepStrip(QWidget* parent) : DeployGround(&Theme::window, parent) {
  setObjectName(QStringLiteral("stepStrip"));
  makePane(*this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(14, 7, 12, 8);
  row->setSpacing(space::s);
  auto* inside = new QWidget;
  inside->setAutoFillBackground(false);
  chips_ = new QHBoxLayout(inside);
  chips_->setContentsMargins(0, 0, 0, 0);
  chips_->setSpacing(6);
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  area->setFocusPolicy(Qt::NoFocus);
  area->setAccessibleName(tr("Steps"));
  area->viewport()->setAutoFillBackground(false);
  area->setWidget(inside);
  area->setFixedHeight(chip_height + 8);
  undo_ = makeIconButton(QStringLiteral("undo"), tr("Undo this step: back to the run before"), this);
  undo_->setObjectName(QStringLiteral("compressUndo"));
  redo_ = makeIconButton(QStringLiteral("redo"), tr("Go to the step that was undone"), this);
  redo_->setObjectName(QStringLiteral("compressRedo"));
  keep_ = makeButton(tr("Keep as run"), ButtonKind::tonal, QStringLiteral("plus"), this);
  keep_->setObjectName(QStringLiteral("compressKeep"));
  row->addWidget(area, 1);
  row->addWidget(undo_);
  row->addWidget(redo_);
  row->addWidget(keep_);
  connect(undo_, &QPushButton::clicked, this, &StepStrip::undoRequested);
  connect(redo_, &QPushButton::clicked, this, &StepStrip::redoRequested);
  connect(keep_, &QPushButton::clicked, this, &StepStrip::keepRequested);
  setChain({}, false);
}

void StepStrip::setChain(const std::vector<CompressionRecord>& chain, bool canRedo) {
  for (auto* old : chips_->parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) old->hide();
  clearLayout(chips_);
  QWidget* parent = chips_->parentWidget();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (i > 0) chips_->addWidget(new PlainIcon(QStringLiteral("chevron-right"), &Theme::text3, parent));
    const double accuracy = accuracyOf(chain[i]);
    auto* chip = new StepChip(titleOf(chain[i]), accuracy < 0 ? tr("not measured") : percentText(accuracy, 2),
                              i + 1 == chain.size(), parent);
    connect(chip, &QAbstractButton::clicked, this, [this, run = chain[i].run] { Q_EMIT chosen(run); });
    chips_->addWidget(chip);
  }
  chips_->addStretch(1);
  undo_->setEnabled(chain.size() > 1);
  redo_->setEnabled(canRedo);
  keep_->setEnabled(!chain.empty() && chain.back().draft);
  keep_->setToolTip(keep_->isEnabled() ? tr("Names the run and removes its tag \"draft\"")
                                       : tr("This run is kept already"));
}

QStringList StepStrip::titles() const {
  QStringList all;
  for (auto* chip : chips_->parentWidget()->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly))
    if (chip->isVisibleTo(chips_->parentWidget())) all << chip->text();
  return all;
}

}  // namespace nw::ui
