// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/proof_panel.hpp"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/deploy/deploy_ground.hpp"
#include "ui/deploy/golden_strip.hpp"
#include "ui/session/background.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int most_golden = 8;

QLabel* heading(const QString& text, QWidget* parent) {
  return makeLabel(text, 1, static_cast<int>(TextRole::node), parent);
}

QLabel* wrapped(int level, QWidget* parent) {
  QLabel* label = makeLabel({}, level, static_cast<int>(TextRole::body), parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QLabel* cell(const QString& text, int level, TextRole role, QWidget* parent) {
  QLabel* label = makeLabel(text, level, static_cast<int>(role), parent);
  label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return label;
}

QWidget* rows(QWidget* parent) {
  auto* made = new QWidget(parent);
  auto* grid = new QGridLayout(made);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::m);
  grid->setVerticalSpacing(6);
  return made;
}

}  // namespace

ProofPanel::ProofPanel(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("proofPanel"));
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(16, 14, 16, 8);
  column->setSpacing(space::m);
  column->addWidget(makeTitle());
  sentence_ = wrapped(2, inside);
  column->addWidget(sentence_);
  stages_ = rows(inside);
  column->addWidget(stages_);
  readersTitle_ = heading(tr("Readers"), inside);
  column->addWidget(readersTitle_);
  readers_ = rows(inside);
  column->addWidget(readers_);
  goldenTitle_ = heading(tr("Golden samples"), inside);
  column->addWidget(goldenTitle_);
  golden_ = new GoldenStrip(inside);
  column->addWidget(golden_);
  verdict_ = wrapped(1, inside);
  verdict_->setObjectName(QStringLiteral("proofVerdict"));
  column->addWidget(verdict_);
  column->addStretch(1);
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setAccessibleName(tr("Proof"));
  area->setFocusPolicy(Qt::StrongFocus);  // a pane even while its buttons are disabled; the arrow keys scroll
  area->viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);
  area->setWidget(inside);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(1, 0, 0, 0);
  whole->setSpacing(0);
  whole->addWidget(area, 1);
  whole->addWidget(makeButtons());
}

QWidget* ProofPanel::makeTitle() {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  title_ = makeElidedLabel({}, 1, static_cast<int>(TextRole::title), line);
  pill_ = new QWidget(line);
  (new QHBoxLayout(pill_))->setContentsMargins(0, 0, 0, 0);
  row->addWidget(title_, 1);
  row->addWidget(pill_);
  return line;
}

QWidget* ProofPanel::makeButtons() {
  auto* line = new QWidget(this);
  auto* column = new QVBoxLayout(line);
  column->setContentsMargins(16, 8, 16, 12);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::s);
  again_ = makeButton(tr("Prove again"), ButtonKind::neutral, QStringLiteral("refresh"), line);
  again_->setObjectName(QStringLiteral("proveAgain"));
  open_ = makeButton(QStringLiteral("PROOF.json"), ButtonKind::neutral, QStringLiteral("file"), line);
  copy_ = makeButton(tr("Copy as text"), ButtonKind::ghost, QStringLiteral("copy"), line);
  copy_->setObjectName(QStringLiteral("copyProof"));
  row->addWidget(again_);
  row->addWidget(open_);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(copy_, 0, Qt::AlignLeft);
  connect(again_, &QPushButton::clicked, this, [this] {
    if (state_ == ExportState::checking)
      Q_EMIT stopRequested(format_);
    else
      Q_EMIT checkRequested(format_);
  });
  connect(open_, &QPushButton::clicked, this, &ProofPanel::openProof);
  connect(copy_, &QPushButton::clicked, this, &ProofPanel::copy);
  return line;
}

void ProofPanel::openProof() const {
  QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(file_).filePath(QStringLiteral("PROOF.json"))));
}

void ProofPanel::copy() const {
  if (!text_.isEmpty()) QGuiApplication::clipboard()->setText(text_);
}

void ProofPanel::setItem(const ExportItem& item, ExportState state, const QString& weights) {
  const QString format = QLatin1String(item.format->id);
  const QString text = proofAsText(item, weights);
  const bool same = filled_ && format == format_ && state == state_ && text == text_;
  state_ = state;
  if (same) return;
  filled_ = true;
  format_ = format;
  text_ = text;
  file_ = item.record ? item.record->file : QString();
  title_->setText(tr("Proof of %1").arg(nameOf(*item.format)));
  const StateText shown = stateText(state);
  showPill(*pill_, shown.text, shown.tone);
  sentence_->setText(item.record ? proofText(item.record->proof)
                                 : tr("Export it, and this page shows who read the file back and what was computed."));
  showStages(item);
  showReaders(item);
  showGolden(item);
  showVerdict(item, state);
  again_->setText(state == ExportState::checking ? tr("Stop") : tr("Prove again"));
  again_->setEnabled(item.record && state != ExportState::running);
  open_->setVisible(item.record && item.format->check == NetworkCheck::bundle);
  copy_->setEnabled(item.record.has_value());
}

void ProofPanel::showStages(const ExportItem& item) {
  auto* grid = static_cast<QGridLayout*>(stages_->layout());
  clearLayout(grid);
  stages_->setVisible(item.record && !item.record->stages.isEmpty());
  if (!item.record) return;
  int row = 0;
  for (const ExportStage& s : item.record->stages) {
    grid->addWidget(new PlainIcon(QStringLiteral("check-circle"), &Theme::ok, stages_), row, 0);
    grid->addWidget(makeElidedLabel(stageText(s.id), 1, static_cast<int>(TextRole::body), stages_), row, 1);
    grid->addWidget(cell(tr("%1 s").arg(s.seconds, 0, 'f', 2), 2, TextRole::secondary, stages_), row++, 2);
  }
  grid->setColumnStretch(1, 1);
}

void ProofPanel::showReaders(const ExportItem& item) {
  auto* grid = static_cast<QGridLayout*>(readers_->layout());
  clearLayout(grid);
  const Json none = Json::array();
  const Json& list = item.record && item.record->proof.contains("readers") ? item.record->proof.at("readers") : none;
  const bool any = list.is_array() && !list.empty();
  readers_->setVisible(any);
  readersTitle_->setVisible(any);
  if (!any) return;
  const char* const heads[] = {QT_TR_NOOP("Max |Δ|"), QT_TR_NOOP("Top-1"), QT_TR_NOOP("One image")};
  for (int i = 0; i < 3; ++i) grid->addWidget(cell(tr(heads[i]), 2, TextRole::axis, readers_), 0, i + 1);
  int row = 1;
  for (const Json& r : list) {
    const QString name = inOneLine((textAt(r, "reader") + u' ' + textAt(r, "version")).trimmed());
    grid->addWidget(makeElidedLabel(name, 1, static_cast<int>(TextRole::body), readers_), row, 0);
    if (const QString problem = textAt(r, "problem"); !problem.isEmpty()) {
      grid->addWidget(makeElidedLabel(inOneLine(problem), 3, static_cast<int>(TextRole::secondary), readers_), row++, 1,
                      1, 3);
      continue;
    }
    const QStringList values{differenceText(numberAt(r, "max_abs_diff")), percentText(numberAt(r, "top1_agreement"), 2),
                             millisecondsText(numberAt(r, "ms_per_image"))};
    for (int i = 0; i < 3; ++i) grid->addWidget(cell(values[i], 1, TextRole::secondary, readers_), row, i + 1);
    ++row;
  }
  grid->setColumnStretch(0, 1);
}

void ProofPanel::showGolden(const ExportItem& item) {
  const bool bundle = item.record && item.format->check == NetworkCheck::bundle;
  const QString wanted = bundle ? file_ + QString::number(item.record->at) : QString();
  if (wanted == shownGolden_ && bundle) return;
  shownGolden_ = wanted;
  golden_->hide();
  goldenTitle_->hide();
  if (!bundle) return;
  inBackground(
      this, [file = file_.toStdString()] { return goldenSamples(file, most_golden); },
      [this, wanted](Result<QVector<GoldenSample>> samples) {
        if (wanted != shownGolden_ || !samples) return;
        golden_->setSamples(*std::move(samples));
        golden_->setVisible(golden_->count() > 0);
        goldenTitle_->setVisible(golden_->count() > 0);
      });
}

void ProofPanel::showVerdict(const ExportItem& item, ExportState state) {
  const bool told = state == ExportState::changed || state == ExportState::failed || !item.checked.isEmpty();
  verdict_->setVisible(told);
  QStringList all;
  if (state == ExportState::changed)
    all << tr("Changed since the proof: %1. Export again, or compare it with what you know of it.")
               .arg(inOneLine(item.changed.join(QStringLiteral(", "))));
  if (state == ExportState::failed) all << item.failure;
  if (!item.checked.isEmpty()) all << item.checked;
  verdict_->setText(all.join(u'\n'));
}

void ProofPanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().window);
  p.fillRect(0, 0, 1, height(), theme().border1);
}

}  // namespace nw::ui
