// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/branch_card.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

BranchCard::BranchCard(QWidget* parent) : QWidget(parent), tree_(new BranchTree) {
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::node));
  muted_ = makeElidedLabel({}, 3, static_cast<int>(TextRole::secondary));
  chosen_ = makeLabel({}, 1, static_cast<int>(TextRole::button));
  facts_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  branch_ = makeButton(tr("Branch from here…"), ButtonKind::tonal, QStringLiteral("branch"));
  branch_->setObjectName(QStringLiteral("branchButton"));
  compare_ = makeButton(tr("Compare"), ButtonKind::neutral, QStringLiteral("compare"));
  compare_->setToolTip(tr("Show the curves of these runs"));
  compare_->setObjectName(QStringLiteral("compareBranches"));
  auto* head = new QHBoxLayout;
  head->setSpacing(space::s);
  head->addWidget(title_);
  head->addWidget(muted_, 1);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(tree_);
  tree_->setAutoFillBackground(false);
  scroll->viewport()->setAutoFillBackground(false);
  auto* foot = new QHBoxLayout;
  foot->setSpacing(space::s);
  foot->addWidget(chosen_);
  foot->addWidget(facts_, 1);
  foot->addWidget(compare_);
  foot->addWidget(branch_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 8, 12, 10);
  column->setSpacing(4);
  column->addLayout(head);
  column->addWidget(scroll, 1);
  column->addLayout(foot);
  connect(tree_, &BranchTree::chosenChanged, this, &BranchCard::say);
  connect(tree_, &BranchTree::branchAsked, this, &BranchCard::ask);
  connect(branch_, &QPushButton::clicked, this, &BranchCard::ask);
  connect(compare_, &QPushButton::clicked, this, [this] {
    QStringList runs;
    for (const BranchLane& lane : tree_->lanes()) runs += lane.run;
    Q_EMIT comparisonAsked(runs);
  });
  say();
}

void BranchCard::setTitle(const QString& title, const QString& muted) {
  title_->setText(title);
  muted_->setText(muted);
}

void BranchCard::setLanes(const QVector<BranchLane>& lanes, double epochs) {
  tree_->setLanes(lanes, epochs);
  say();
}

void BranchCard::offerComparison() {
  compares_ = true;
  say();
}

void BranchCard::say() {
  const RunCheckpoint* c = tree_->chosen();
  compare_->setVisible(compares_ && tree_->lanes().size() > 1);
  branch_->setEnabled(c != nullptr);
  chosen_->setText(c ? checkpointTitle(*c) : QString());
  facts_->setText(c ? checkpointFacts(*c) + QStringLiteral(" · ") + tr("full state")
                    : tr("Choose a checkpoint: a new run can begin with it."));
}

void BranchCard::ask() {
  const RunCheckpoint* c = tree_->chosen();
  if (c) Q_EMIT branchAsked(tree_->chosenLane()->run, c->step);
}

void BranchCard::paintEvent(QPaintEvent*) {
  QPainter p(this);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
}

}  // namespace nw::ui
