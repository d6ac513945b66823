// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/notice_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/severity_style.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
struct ActionRow {
  const char* id;
  const char* text;
  ButtonKind kind;
};
constexpr ActionRow action_rows[] = {
    {"try-again", QT_TRANSLATE_NOOP("NoticeBar", "Try again now"), ButtonKind::primary},
    {"resume", QT_TRANSLATE_NOOP("NoticeBar", "Resume"), ButtonKind::primary},
    {"resume-cpu", QT_TRANSLATE_NOOP("NoticeBar", "Continue on the CPU"), ButtonKind::primary},
    {"lower-rate", QT_TRANSLATE_NOOP("NoticeBar", "Go back with a lower learning rate"), ButtonKind::primary},
    {"predict", QT_TRANSLATE_NOOP("NoticeBar", "See predictions"), ButtonKind::tonal},
    {"adapt", QT_TRANSLATE_NOOP("NoticeBar", "Adapt to my images…"), ButtonKind::neutral},
    {"show-active", QT_TRANSLATE_NOOP("NoticeBar", "Show the active run"), ButtonKind::neutral},
    {"delete-for-good", QT_TRANSLATE_NOOP("NoticeBar", "Delete permanently"), ButtonKind::danger},
    {"log", QT_TRANSLATE_NOOP("NoticeBar", "Show log"), ButtonKind::neutral},
};
constexpr int icon_room = 44;
}  // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent),
      title_(makeLabel({}, 1, static_cast<int>(TextRole::node))),
      sentence_(makeLabel({}, 2, static_cast<int>(TextRole::body))),
      buttons_(new QWidget) {
  for (QLabel* label : {title_, sentence_}) label->setWordWrap(true);  // or the buttons would be cut off
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  words->addWidget(title_);
  words->addWidget(sentence_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(icon_room, 9, 12, 9);
  row->setSpacing(12);
  row->addLayout(words, 1);
  row->addWidget(buttons_);
  auto* inner = new QHBoxLayout(buttons_);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(8);
  setVisible(false);
}

void NoticeBar::setNotice(const Notice& notice) {
  if (notice == notice_) return;
  const bool sameActions = notice.actions == notice_.actions;
  notice_ = notice;
  title_->setText(notice.title);
  sentence_->setText(notice.sentence);
  sentence_->setVisible(!notice.sentence.isEmpty());
  if (!sameActions) rebuildButtons();
  setAccessibleName(notice.title);
  setVisible(!notice.tone.isEmpty());
  update();
}

void NoticeBar::rebuildButtons() {
  qDeleteAll(buttons_->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly));
  for (const QString& id : notice_.actions)
    for (const ActionRow& row : action_rows) {
      if (id != QLatin1String(row.id)) continue;
      QPushButton* button = makeButton(QCoreApplication::translate("NoticeBar", row.text), row.kind);
      button->setObjectName(id);
      connect(
          button, &QPushButton::clicked, this, [this, id] { Q_EMIT action(id); }, Qt::QueuedConnection);
      buttons_->layout()->addWidget(button);
    }
}

void NoticeBar::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  p.setBrush(severityBackground(notice_.tone));
  p.drawRoundedRect(rect(), radius::card, radius::card);
  paintIcon(p, notice_.icon, QRectF(15, height() / 2.0 - 9, 18, 18), severityColour(notice_.tone));
}

}  // namespace nw::ui
