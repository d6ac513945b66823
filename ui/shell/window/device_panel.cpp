// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/device_panel.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/sentences.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int panelWidth = 460, gap = 4;

/// What was found, or that nothing was, and what to do.
QString detailOf(const SearchedPart& part) {
  const QString sought = QString::fromStdString(part.sought), place = QString::fromStdString(part.place);
  if (part.found())
    return DevicePanel::tr("Found: %1")
        .arg(part.version.empty() ? place : QString::fromStdString(part.version) + ", " + place);
  const QString state = part.place.empty()
                            ? DevicePanel::tr("%1 was not found.").arg(sought)
                            : DevicePanel::tr("%1 cannot be used (%2).").arg(place, translated(part.why));
  return joinedSentences(state, translated(part.remedy));
}

/// One part; reached by Tab, so that a screen reader reads it.
class PartRow : public QWidget {
 public:
  PartRow(const SearchedPart& part, QWidget* parent) : QWidget(parent) {
    const QString title = translated(part.title), detail = detailOf(part);
    setObjectName(QStringLiteral("part-") + QString::fromStdString(part.id));
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(title + QStringLiteral(": ") + detail);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::s, space::xs, space::s, space::xs);
    row->setSpacing(space::m);
    row->addWidget(part.found() ? new PlainIcon(QStringLiteral("check-circle"), &Theme::ok, this)
                                : new PlainIcon(QStringLiteral("x-circle"), &Theme::warn, this),
                   0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(makeLabel(title, 1, static_cast<int>(TextRole::button), this));
    QLabel* below = makeLabel(detail, 2, static_cast<int>(TextRole::secondary), this);
    below->setWordWrap(true);
    words->addWidget(below);
    row->addLayout(words, 1);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    if (hasFocus()) style::focusRing(p, rect(), radius::control);
  }
};

}  // namespace

DevicePanel::DevicePanel(QWidget* parent) : QFrame(parent, Qt::Popup) {
  setObjectName(QStringLiteral("devicePanel"));
  setAccessibleName(tr("Training on a GPU"));
  setAttribute(Qt::WA_DeleteOnClose);
  setAttribute(Qt::WA_TranslucentBackground);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::m);
  column->setSpacing(space::s);
  column->addWidget(makeLabel(tr("Training on a GPU"), 1, static_cast<int>(TextRole::title), this));
  sentence_ = makeLabel({}, 2, static_cast<int>(TextRole::body), this);
  sentence_->setWordWrap(true);
  column->addWidget(sentence_);
  auto* content = new QWidget;
  rows_ = new QVBoxLayout(content);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(space::xs);
  scroll_ = new QScrollArea(this);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setWidget(content);
  scroll_->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);  // setWidget() has set it
  column->addWidget(scroll_, 1);
  column->addWidget(makeButtons());
}

QWidget* DevicePanel::makeButtons() {
  auto* row = new QWidget(this);
  auto* buttons = new QHBoxLayout(row);
  buttons->setContentsMargins(0, 0, 0, 0);
  again_ = makeButton(tr("Search again"), ButtonKind::neutral, QStringLiteral("refresh"), row);
  copy_ = makeButton(tr("Copy"), ButtonKind::ghost, QStringLiteral("copy"), row);
  copy_->setToolTip(tr("Copy the list as text"));
  connect(again_, &QPushButton::clicked, this, &DevicePanel::search);
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(report()); });
  buttons->addStretch(1);
  buttons->addWidget(copy_);
  buttons->addWidget(again_);
  return row;
}

void DevicePanel::openBelow(const QWidget& chip, const QString& sentence) {
  about_ = sentence;
  chip_ = QRect(chip.mapToGlobal(QPoint(0, 0)), chip.size());
  search();
  QWidget::show();
  again_->setFocus(Qt::PopupFocusReason);
}

void DevicePanel::search() {
  parts_.clear();
  sentence_->setText(tr("Searching for a GPU and for what training on it needs…"));
  for (QPushButton* button : {again_, copy_}) button->setEnabled(false);
  place();
  inBackground(
      this, [] { return reported_device_search(); }, [this](const std::vector<SearchedPart>& parts) { show(parts); },
      [this] { show({}); });
}

void DevicePanel::show(const std::vector<SearchedPart>& parts) {
  parts_ = parts;
  clearLayout(rows_);
  sentence_->setText(parts.empty()       ? tr("netwright-cli did not report; install Netwright again.")
                     : !about_.isEmpty() ? about_
                                         : tr("This computer trains on its CPU. To train on an NVIDIA GPU (compute "
                                              "capability 8.0, Ampere, or later), these parts are needed:"));
  for (const SearchedPart& part : parts) {
    auto* row = new PartRow(part, scroll_->widget());
    rows_->addWidget(row);
    row->show();  // a hidden row takes no height in place()
  }
  rows_->addStretch(1);
  again_->setEnabled(true);
  copy_->setEnabled(!parts.empty());
  if (!isAncestorOf(QApplication::focusWidget())) again_->setFocus(Qt::PopupFocusReason);
  place();
}

/// Below the chip, right-aligned with it, as high as the rows if the screen has the room.
void DevicePanel::place() {
  const QRect room = screen()->availableGeometry().marginsRemoved({gap, gap, gap, gap});
  const int wide = std::min(panelWidth, room.width());
  const int inner = wide - 2 * space::l;
  const int rows = rows_->hasHeightForWidth() ? rows_->heightForWidth(inner) : rows_->sizeHint().height();
  const int most = room.bottom() - chip_.bottom() - gap;
  scroll_->setFixedHeight(rows);  // the layout's own hint is bounded and may be one of fewer rows
  const int excess = layout()->totalHeightForWidth(wide) - most;
  if (excess > 0) scroll_->setFixedHeight(std::max(0, rows - excess));
  resize(wide, layout()->totalHeightForWidth(wide));
  move(std::clamp(chip_.right() - wide, room.left(), std::max(room.left(), room.right() - wide)), chip_.bottom() + gap);
}

QString DevicePanel::report() const {
  QStringList lines;
  for (const SearchedPart& part : parts_) lines << translated(part.title) + QStringLiteral(": ") + detailOf(part);
  return lines.join(QLatin1Char('\n'));
}

void DevicePanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  style::box(p, rect(), radius::card, theme().overlay, theme().border2);
}

}  // namespace nw::ui
