// SPDX-License-Identifier: GPL-3.0-or-later
// Where the canvas is: "Network › BasicBlock". Shown only inside a block; the first part leads back.
#pragma once
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/canvas/graph_scene.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

class Breadcrumbs : public QWidget {
  Q_OBJECT
 public:
  explicit Breadcrumbs(GraphScene& scene) : scene_(scene) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    auto* back = makeButton(tr("Network"), ButtonKind::ghost, QStringLiteral("chevron-left"));
    back->setObjectName(QStringLiteral("leaveBlock"));
    connect(back, &QPushButton::clicked, this, [this] { scene_.setScope({}); });
    row->addWidget(back);
    name_ = makeLabel({}, 1, 2 /*TextRole::node*/);
    row->addWidget(name_);
    row->addWidget(makeLabel(tr("Every instance follows what you change here."), 3));
    row->addStretch(1);
    connect(&scene, &GraphScene::scopeChanged, this, &Breadcrumbs::refresh);
    refresh();
  }

 private:
  void refresh() {
    name_->setText(QString::fromStdString(scene_.scope()));
    setVisible(!scene_.scope().empty());
  }
  GraphScene& scene_;
  QLabel* name_;
};

}  // namespace nw::ui
