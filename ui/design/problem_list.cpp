// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/problem_list.hpp"

#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int problemHeight = 36;
constexpr std::size_t mostRows = 200;  // more than a user reads; others appear as these are fixed
}  // namespace

ProblemList::ProblemList(Canvas& canvas, QWidget* parent) : QListWidget(parent), canvas_(canvas) {
  setObjectName(QStringLiteral("problems"));
  setAccessibleName(tr("Problems"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(ScrollPerPixel);
  setSpacing(0);
  QPalette clear = palette();
  clear.setColor(QPalette::Base, Qt::transparent);
  setPalette(clear);
  viewport()->setAutoFillBackground(false);
  connect(&canvas.scene().session(), &Session::analysisChanged, this, &ProblemList::fill);
  connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { goTo(row(item)); });
  connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { goTo(row(item)); });
  fill();
}

void ProblemList::fill() {
  std::vector<Problem> problems = canvas_.scene().session().analysis().problems;
  // Those of layers first: "Show the problems" leads to a layer, also when the data's was found sooner.
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.severity, a.of_data) < std::pair(b.severity, b.of_data);
  });
  if (problems.size() > mostRows) problems.resize(mostRows);
  const int selected = currentRow();
  shown_ = std::move(problems);
  QStringList faces = facesNow();
  if (faces == faces_) return;
  faces_ = std::move(faces);
  clear();
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    auto* item = new QListWidgetItem(this);
    item->setSizeHint({100, problemHeight});
    item->setData(Qt::AccessibleTextRole,
                  QString::fromStdString(shown_[i].node_name) + ": " + translated(shown_[i].what));
    setItemWidget(item, makeRow(shown_[i], static_cast<int>(i)));
  }
  if (shown_.empty() && canvas_.scene().session().analysisCurrent()) {
    auto* fine = new QListWidgetItem(this);
    fine->setFlags(Qt::NoItemFlags);
    fine->setSizeHint({100, problemHeight + 8});
    fine->setData(Qt::AccessibleTextRole, tr("No problems. The network can be trained."));
    setItemWidget(fine, makeFine());
  }
  if (selected >= 0 && selected < problemCount()) setCurrentRow(selected);
  if (problemCount() == 0 && hasFocus()) canvas_.view().setFocus();
  Q_EMIT countChanged(problemCount());
}

/// The rows are as wide as the list; their buttons stand at its right end.
void ProblemList::resizeEvent(QResizeEvent* event) {
  QListWidget::resizeEvent(event);
  doItemsLayout();
}

QStringList ProblemList::facesNow() const {
  if (shown_.empty()) return {canvas_.scene().session().analysisCurrent() ? QStringLiteral("fine") : QString()};
  QStringList faces;
  for (const Problem& p : shown_) {
    QStringList face{QString::number(static_cast<int>(p.severity)), whereOf(p), translated(p.what), wordsOf(p)};
    for (const Fix& fix : p.fixes) face += translated(fix.label);
    faces += face.join(u'\n');
  }
  return faces;
}

QWidget* ProblemList::makeFine() {
  auto* line = new QWidget;
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(14, 8, 10, 0);
  layout->setSpacing(10);
  layout->addWidget(new PlainIcon(QStringLiteral("check-circle"), &Theme::ok, line));
  layout->addWidget(
      makeElidedLabel(tr("No problems. The network can be trained."), 2, static_cast<int>(TextRole::body), line), 1);
  return line;
}

QString ProblemList::whereOf(const Problem& problem) {
  return problem.of_data ? tr("Data") : problem.node == 0 ? tr("Network") : QString::fromStdString(problem.node_name);
}

/// A problem of the data begins with a path, of which the last part is enough here; the tool tip has the whole.
QString ProblemList::wordsOf(const Problem& problem) const {
  QString words = translated(problem.what);
  const QString path = QString::fromStdString(canvas_.scene().doc().data().path);
  if (problem.of_data && !path.isEmpty()) words.replace(path, QFileInfo(path).fileName());
  return words;
}

QWidget* ProblemList::makeRow(const Problem& problem, int row) {
  auto* line = new QWidget;
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(14, 0, 10, 0);
  layout->setSpacing(10);
  layout->addWidget(new SeverityIcon(problem.severity, line));
  const QString where = whereOf(problem);
  QLabel* name = makeElidedLabel(where, 1, static_cast<int>(TextRole::button), line);
  name->setFixedWidth(110);
  layout->addWidget(name);
  QLabel* words = makeElidedLabel(wordsOf(problem), 2, static_cast<int>(TextRole::body), line);
  words->setMinimumWidth(60);
  line->setToolTip(where + u'\n' + translated(problem.what));  // labels pass the mouse on
  layout->addWidget(words, 1);
  // The data panel, which the row opens, has all repairs of the data.
  const int fixes = problem.of_data ? std::min<int>(1, static_cast<int>(problem.fixes.size()))
                                    : static_cast<int>(problem.fixes.size());
  for (int i = fixes - 1; i >= 0; --i) {
    const ButtonKind kind = i > 0                                 ? ButtonKind::ghost
                            : problem.severity == Severity::error ? ButtonKind::tonal
                                                                  : ButtonKind::neutral;
    const QString label = translated(problem.fixes[static_cast<std::size_t>(i)].label);
    QPushButton* button = makeButton(label, kind, {}, line);
    button->setToolTip(label);  // a narrow list cuts the text off
    button->setObjectName(QStringLiteral("fix-%1-%2").arg(row).arg(i));
    button->setFixedHeight(26);
    layout->addWidget(button);
    button->setProperty("nwFix", QPoint(row, i));
    button->installEventFilter(this);
    connect(button, &QPushButton::clicked, this, [this, row, i] {
      QMetaObject::invokeMethod(
          this, [this, row, i] { repair(row, i); }, Qt::QueuedConnection);
    });
  }
  // Labels pass clicks to the row.
  for (QLabel* label : line->findChildren<QLabel*>()) label->setAttribute(Qt::WA_TransparentForMouseEvents);
  return line;
}

/// A quick fix under the mouse or with the focus is previewed on the canvas.
bool ProblemList::eventFilter(QObject* object, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::Enter || type == QEvent::FocusIn) showRepair(object->property("nwFix").toPoint());
  if (type == QEvent::Leave || type == QEvent::FocusOut) canvas_.scene().endPreview();
  return QListWidget::eventFilter(object, event);
}

void ProblemList::showRepair(QPoint which) {
  if (which.x() < 0 || which.x() >= problemCount() || !canvas_.scene().session().analysisCurrent()) return;
  const Problem& problem = shown_[static_cast<std::size_t>(which.x())];
  if (problem.scope != canvas_.scene().scope() || which.y() >= static_cast<int>(problem.fixes.size())) return;
  canvas_.scene().preview(withPlaces(canvas_.scene().doc(), problem.fixes[static_cast<std::size_t>(which.y())].edit));
}

bool ProblemList::repair(int row, int fix) {
  if (row < 0 || row >= problemCount() || !canvas_.scene().session().analysisCurrent()) return false;
  const Problem problem = shown_[static_cast<std::size_t>(row)];
  if (fix < 0 || fix >= static_cast<int>(problem.fixes.size())) return false;
  Session& session = canvas_.scene().session();
  const Fix chosen = problem.fixes[static_cast<std::size_t>(fix)];
  // The button disappears with its problem: the next one is reached from the list.
  if (isAncestorOf(QApplication::focusWidget())) setFocus();
  return session.push(withPlaces(session.doc(), chosen.edit), translated(chosen.label));
}

void ProblemList::goTo(int row) {
  if (row < 0 || row >= problemCount()) return;
  const Problem& problem = shown_[static_cast<std::size_t>(row)];
  if (problem.of_data) action(QStringLiteral("show-data"))->trigger();
  if (problem.node != 0) canvas_.goTo(problem.scope, problem.node);
}

void ProblemList::goToNext() {
  if (problemCount() == 0) return;
  setCurrentRow((currentRow() + 1) % problemCount());
  goTo(currentRow());
}

}  // namespace nw::ui
