// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/field_search.hpp"

#include <QBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>

#include "engine/search/project_space.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

SearchMark::SearchMark(const QString& label, QWidget* row) : QAbstractButton(row) {
  setAccessibleName(FieldSearch::tr("Search over %1").arg(label));
  setToolTip(FieldSearch::tr("Search over this field…"));
  setCheckable(true);
  setCursor(Qt::ArrowCursor);
  setFocusPolicy(Qt::TabFocus);
  setFixedSize(24, 24);
}

void SearchMark::setNear(bool near) {
  near_ = near;
  update();
}

void SearchMark::paintEvent(QPaintEvent*) {
  if (!near_ && !isChecked() && !hasFocus()) return;
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(0.6, 0.6, -0.6, -0.6);
  p.setPen(hasFocus() ? QPen(t.ring, 1.2) : Qt::NoPen);
  p.setBrush(isChecked() ? t.accentSoft : underMouse() ? t.hover : t.raised);
  p.drawRoundedRect(box, radius::pill, radius::pill);
  paintIcon(p, QStringLiteral("search"), QRectF(6, 6, 12, 12), isChecked() ? t.accentText : t.text2);
}

FieldSearch::FieldSearch(Session& session, std::function<std::string()> field, const QString& label, QWidget* row)
    : QWidget(row),
      session_(session),
      field_(std::move(field)),
      label_(label),
      mark_(new SearchMark(label, row)),
      line_(new QLineEdit(this)),
      log_(makeButton(tr("log"), ButtonKind::ghost, {}, this)),
      note_(new RefusalNote(this)) {
  setObjectName(QStringLiteral("fieldSearch"));
  build();
  connect(&session_, &Session::documentChanged, this, &FieldSearch::refresh);
  connect(&session_, &Session::documentReplaced, this, &FieldSearch::refresh);
  hide();
  refresh();
}

void FieldSearch::build() {
  line_->setObjectName(QStringLiteral("searchValues"));
  line_->setAccessibleName(tr("Values of %1 to search").arg(label_));
  line_->setPlaceholderText(QStringLiteral("0.001 … 0.1"));
  line_->setToolTip(tr("A range, as 0.001 … 0.1, or a list, as 16, 32, 64"));
  line_->setMaxLength(4000);
  log_->setObjectName(QStringLiteral("searchLog"));
  log_->setCheckable(true);
  log_->setAccessibleName(tr("Draw %1 by its logarithm").arg(label_));
  log_->setToolTip(tr("Draws by the logarithm: as often from 0.001 to 0.01 as from 0.01 to 0.1"));
  log_->setFixedHeight(24);
  QPushButton* remove = makeIconButton(QStringLiteral("close"), tr("Do not search over %1").arg(label_), this);
  remove->setObjectName(QStringLiteral("searchRemove"));
  remove->setFixedSize(24, 24);
  remove->setIconSize({12, 12});
  auto* values = new QHBoxLayout;
  values->setSpacing(space::xs);
  values->addWidget(line_, 1);
  values->addWidget(log_);
  values->addWidget(remove);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(values);
  column->addWidget(note_);
  connect(mark_, &QAbstractButton::clicked, this, &FieldSearch::toggle);
  connect(line_, &QLineEdit::editingFinished, this, &FieldSearch::takeLine);
  connect(line_, &QLineEdit::textEdited, note_, &RefusalNote::clear);
  connect(log_, &QAbstractButton::clicked, this, [this] { take(line_->text()); });
  connect(remove, &QPushButton::clicked, this, &FieldSearch::end);
}

void FieldSearch::listenTo(NumberSpin& spin) {
  spin.setTakesLists(true);
  connect(&spin, &NumberSpin::listTyped, this, &FieldSearch::take);
}

void FieldSearch::refresh() {
  const auto p = search::project_parameter(session_.doc(), field_());
  if (!p && !mark_->isChecked()) return;
  const bool refused = !note_->isHidden();
  mark_->setChecked(p.has_value());
  if (p && !line_->isModified() && !refused) line_->setText(QString::fromStdString(search::text_of(*p)));
  log_->setVisible(!p || p->kind != search::Parameter::Kind::choice);
  if (p) log_->setChecked(p->log);
  setVisible(p.has_value());
  Q_EMIT searchedChanged(p.has_value());
}

/// The click has changed the mark already; the document decides.
void FieldSearch::toggle() {
  const bool wanted = mark_->isChecked();
  mark_->setChecked(!wanted);
  wanted ? begin() : end();
}

void FieldSearch::begin() {
  const auto f = search::search_field(session_.doc(), field_());
  if (!f) return void(Q_EMIT session_.message(tr("A search cannot vary %1 as it is now.").arg(label_), 1));
  session_.push(search::search_over(session_.doc(), f->suggested), tr("Search over %1").arg(label_));
  line_->setFocus(Qt::OtherFocusReason);
  line_->selectAll();
}

void FieldSearch::end() {
  line_->setModified(false);
  note_->clear();
  const Edit edit = search::search_no_longer(session_.doc(), field_());
  if (!edit.empty()) session_.push(edit, tr("Do not search over %1").arg(label_));
  hide();
}

void FieldSearch::takeLine() {
  if (line_->isModified()) take(line_->text());
}

/// What is refused stays where it is typed, with the reason.
void FieldSearch::take(const QString& typed) {
  const auto f = search::search_field(session_.doc(), field_());
  if (!f) return void(Q_EMIT session_.message(tr("A search cannot vary %1 as it is now.").arg(label_), 1));
  const auto p = search::parameter_from_text(session_.doc(), *f, typed.toStdString(), log_->isChecked());
  if (!p) {
    line_->setText(typed);
    line_->setModified(false);
    note_->say(translated(p.error().what), {});
    return show();
  }
  line_->setModified(false);
  note_->clear();
  if (search::project_parameter(session_.doc(), f->name) != *p)
    session_.push(search::search_over(session_.doc(), *p), tr("Search over %1").arg(label_));
  refresh();
}

}  // namespace nw::ui
