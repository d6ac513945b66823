// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_details.hpp"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart_scale.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_title.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
struct RunDetailsTexts {
  Q_DECLARE_TR_FUNCTIONS(RunDetails)
};

struct ActionRow {
  const char* id;
  const char* text;
  const char* icon;
  ButtonKind kind;
};
constexpr ActionRow action_rows[] = {
    {"open", QT_TRANSLATE_NOOP("RunDetails", "Open"), "chart", ButtonKind::tonal},
    {"predict", QT_TRANSLATE_NOOP("RunDetails", "See predictions"), "eye", ButtonKind::neutral},
    {"canvas", QT_TRANSLATE_NOOP("RunDetails", "Open on canvas"), "page-design", ButtonKind::neutral},
    {"resume", QT_TRANSLATE_NOOP("RunDetails", "Resume"), "play", ButtonKind::neutral},
    {"further", QT_TRANSLATE_NOOP("RunDetails", "Train further…"), "play", ButtonKind::neutral},
    {"branch", QT_TRANSLATE_NOOP("RunDetails", "Branch from here…"), "branch", ButtonKind::neutral},
    {"adapt", QT_TRANSLATE_NOOP("RunDetails", "Adapt to my images…"), "images", ButtonKind::neutral},
    {"adapt-table", QT_TRANSLATE_NOOP("RunDetails", "Adapt to a table…"), "columns", ButtonKind::neutral},
    {"report", QT_TRANSLATE_NOOP("RunDetails", "Report…"), "file", ButtonKind::ghost},
    {"reveal", QT_TRANSLATE_NOOP("RunDetails", "Show folder"), "folder", ButtonKind::ghost},
    {"delete", QT_TRANSLATE_NOOP("RunDetails", "Move to trash"), "trash", ButtonKind::ghost},
};
}  // namespace

QVector<RunProperty> runProperties(const RunRow& row) {
  const RunSummary& s = row.summary;
  QVector<RunProperty> out;
  const auto add = [&](const QString& name, const QString& value, bool known = true) {
    if (known) out.append({name, value});
  };
  const bool plain = s.metric == Metric::accuracy;
  add(bestCaption(s.metric, true), metricText(s.metric, s.best_accuracy), std::isfinite(s.best_accuracy));
  add(plain ? RunDetailsTexts::tr("Test accuracy") : RunDetailsTexts::tr("%1, test").arg(metricTitle(s.metric)),
      metricText(s.metric, s.test_accuracy), std::isfinite(s.test_accuracy));
  add(RunDetailsTexts::tr("Last loss"), QString::number(s.last_loss, 'g', 4), s.last_loss >= 0);
  add(RunDetailsTexts::tr("Epochs"), RunDetailsTexts::tr("%1 of %2").arg(s.epochs_done).arg(s.epochs));
  add(RunDetailsTexts::tr("Steps"), grouped(s.steps), s.steps > 0);
  add(RunDetailsTexts::tr("Optimizer"), row.optimizer, !row.optimizer.isEmpty());
  add(RunDetailsTexts::tr("Learning rate"), tickText(row.learningRate), row.learningRate >= 0);
  add(RunDetailsTexts::tr("Batch"), grouped(row.batch), row.batch > 0);
  add(RunDetailsTexts::tr("Seed"), QString::number(row.seed), row.seed >= 0);
  add(RunDetailsTexts::tr("Parameters"), grouped(s.parameters), s.parameters > 0);
  add(RunDetailsTexts::tr("Time"), durationText(s.wall_s), s.wall_s > 0);
  const auto addEnergy = [&](const QString& name, double joules) {
    const double each = s.images > 0 ? 1000 * joules / static_cast<double>(s.images) : 0;
    add(name, RunDetailsTexts::tr("%1 kJ, %2 J per 1,000 images").arg(joules / 1000, 0, 'f', 1).arg(each, 0, 'f', 2),
        joules >= 0 && s.images > 0);
  };
  addEnergy(RunDetailsTexts::tr("Energy of the GPUs"), s.gpu_energy_j);
  addEnergy(RunDetailsTexts::tr("Energy of the processors"), s.cpu_energy_j);
  add(RunDetailsTexts::tr("Device"), deviceText(s.device), !s.device.empty());
  return out;
}

/// Names and values in two columns.
class RunFacts : public QWidget {
 public:
  void setFacts(const QVector<RunProperty>& facts) {
    facts_ = facts;
    setMinimumHeight(static_cast<int>(rows()) * line);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    constexpr qreal gap = 24;
    const qreal wide = (width() - gap) / columns;
    for (qsizetype i = 0; i < facts_.size(); ++i)
      paintFact(
          p, facts_[i],
          QRectF((wide + gap) * static_cast<qreal>(i / rows()), line * static_cast<qreal>(i % rows()), wide, line));
  }

 private:
  static constexpr int columns = 2, line = 26;
  qsizetype rows() const { return std::max<qsizetype>(1, (facts_.size() + columns - 1) / columns); }
  static void paintFact(QPainter& p, const RunProperty& fact, const QRectF& where) {
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter, fact.name);
    const qreal room = where.width() - textWidth(p.font(), fact.name) - 12;
    p.setFont(ui::font(TextRole::button));
    p.setPen(theme().text1);
    p.drawText(where, Qt::AlignRight | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(fact.value, Qt::ElideRight, room));
    p.fillRect(QRectF(where.left(), where.bottom() - 1, where.width(), 1), theme().border1);
  }
  QVector<RunProperty> facts_;
};

RunDetails::RunDetails(QWidget* parent) : QWidget(parent) {
  setMinimumWidth(420);
  name_ = new QLineEdit;
  name_->setObjectName(QStringLiteral("runName"));
  name_->setFont(ui::font(TextRole::node));
  name_->setAccessibleName(tr("Name of the run"));
  name_->setToolTip(tr("Rename the run; its folder keeps its name"));
  when_ = makeLabel({}, 3, static_cast<int>(TextRole::secondary));
  auto* head = new QHBoxLayout;
  head->setSpacing(space::m);
  head->addWidget(name_, 1);
  head->addWidget(when_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  column->addLayout(head);
  column->addWidget(makeTexts(), 1);
  column->addWidget(makeButtons());
  connect(name_, &QLineEdit::editingFinished, this, &RunDetails::commit);
  connect(tags_, &QLineEdit::editingFinished, this, &RunDetails::commit);
  notes_->installEventFilter(this);
  setRun(nullptr);
}

QWidget* RunDetails::makeTexts() {
  facts_ = new RunFacts;
  tags_ = new QLineEdit;
  tags_->setObjectName(QStringLiteral("runTags"));
  tags_->setPlaceholderText(tr("Tags, separated by commas"));
  tags_->setAccessibleName(tr("Tags"));
  notes_ = new QPlainTextEdit;
  notes_->setObjectName(QStringLiteral("runNotes"));
  notes_->setPlaceholderText(tr("Notes"));
  notes_->setAccessibleName(tr("Notes"));
  notes_->setTabChangesFocus(true);
  notes_->setMinimumHeight(56);
  problem_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  problem_->setWordWrap(true);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  for (QWidget* part : {static_cast<QWidget*>(facts_), static_cast<QWidget*>(tags_), static_cast<QWidget*>(problem_)})
    column->addWidget(part);
  column->addWidget(notes_, 1);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  for (QWidget* each : {static_cast<QWidget*>(content), scroll->viewport()}) each->setAutoFillBackground(false);
  return scroll;
}

QWidget* RunDetails::makeButtons() {
  auto* row = new WrappingBar;
  for (const ActionRow& a : action_rows) {
    QPushButton* button = makeButton(QCoreApplication::translate("RunDetails", a.text), a.kind, QLatin1String(a.icon));
    button->setObjectName(QLatin1String(a.id));
    connect(button, &QPushButton::clicked, this, [this, id = QString::fromLatin1(a.id)] { Q_EMIT action(id); });
    row->addWidget(button, buttons_.size() >= 3);  // the first of them that is shown begins a second line
    buttons_.append(button);
  }
  return row;
}

QPushButton* RunDetails::button(const QString& action) const {
  const auto found =
      std::find_if(buttons_.begin(), buttons_.end(), [&](const QPushButton* b) { return b->objectName() == action; });
  return found == buttons_.end() ? nullptr : *found;
}

void RunDetails::rename() {
  name_->setFocus();
  name_->selectAll();
}

void RunDetails::setRun(const RunRow* row, int selected) {
  const QString id = row && selected == 1 ? row->id() : QString();
  if (id != id_) commit();
  const bool other = std::exchange(id_, id) != id;
  if (other) {
    for (QLineEdit* field : {name_, tags_}) field->setModified(false);
    notes_->document()->setModified(false);
  }
  if (!id.isEmpty()) {
    fill(*row);
  } else {
    facts_->setFacts({});
    name_->setText(selected > 1 ? tr("%n run(s) chosen", nullptr, selected) : tr("No run chosen"));
    when_->setText(selected > 1 ? QString() : tr("Choose a row to see its settings."));
    tags_->clear();
    notes_->clear();
    problem_->hide();
  }
  const bool editable = !id.isEmpty() && row->notesProblem.isEmpty();
  for (QLineEdit* field : {name_, tags_}) field->setReadOnly(!editable);
  notes_->setReadOnly(!editable);
  showButtons(row, selected);
  setAccessibleName(name_->text());
}

/// A field that is being edited keeps what was typed.
void RunDetails::fill(const RunRow& row) {
  facts_->setFacts(runProperties(row));
  when_->setText(whenText(row.summary.created));
  const QString waits = row.record ? translated(row.record->pause_reason) : QString();
  const QString problem = row.notesProblem.isEmpty() ? waits : row.notesProblem;
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  shown_ = row.notes;
  const auto put = [](QLineEdit& field, const QString& text) {
    if (field.isModified() && field.text() != text) return;
    if (field.text() != text) field.setText(text);
    field.setModified(false);
  };
  put(*name_, row.title());
  put(*tags_, tagsText(row.notes));
  const QString notes = QString::fromStdString(row.notes.notes);
  if (notes_->toPlainText() == notes)
    notes_->document()->setModified(false);
  else if (!notes_->document()->isModified())
    notes_->setPlainText(notes);
}

void RunDetails::showButtons(const RunRow* row, int selected) {
  const bool one = row && selected == 1, running = row && row->summary.status == RunStatus::running;
  for (QPushButton* b : buttons_) b->setEnabled(one);
  button(QStringLiteral("resume"))->setVisible(one && row->summary.can_resume && !running);
  button(QStringLiteral("further"))->setVisible(one && row->summary.can_train_further && !row->summary.can_resume);
  const bool hasCheckpoint =
      one && (row->summary.can_resume || row->summary.can_train_further || (running && row->summary.epochs_done > 0));
  button(QStringLiteral("branch"))->setVisible(hasCheckpoint);
  for (const char* id : {"predict", "adapt", "adapt-table"})
    button(QLatin1String(id))->setEnabled(one && row->summary.epochs_done > 0);
  button(QStringLiteral("delete"))->setEnabled(selected > 1 || (one && !running));
  button(QStringLiteral("delete"))->setToolTip(one && running ? tr("Stop the run first") : QString());
}

/// Who keeps the notes shows the run again, and may take another run from the panel: that does not commit once more.
void RunDetails::commit() {
  const bool edited = name_->isModified() || tags_->isModified() || notes_->document()->isModified();
  if (id_.isEmpty() || !edited || committing_) return;
  const QScopedValueRollback<bool> once(committing_, true);
  RunNotes notes = shown_;
  const QString name = name_->text().simplified();
  if (name_->isModified()) notes.name = name == runTitle(id_) ? std::string() : name.toStdString();
  if (tags_->isModified()) notes.tags = tagsOf(tags_->text());
  if (notes_->document()->isModified()) notes.notes = notes_->toPlainText().toStdString();
  if (notes != shown_) Q_EMIT notesEdited(id_, notes);
}

bool RunDetails::eventFilter(QObject* watched, QEvent* event) {
  if (watched == notes_ && event->type() == QEvent::FocusOut) commit();
  return QWidget::eventFilter(watched, event);
}

void RunDetails::paintEvent(QPaintEvent*) {
  QPainter p(this);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
}

}  // namespace nw::ui
