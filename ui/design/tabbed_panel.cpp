// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/tabbed_panel.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Panel colour, one line towards the neighbours.
class Ground : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().window); }
};

/// The bar of tabs; where it is empty it lets the dock be dragged.
class TitleBar : public Ground {
 public:
  using Ground::Ground;

 protected:
  void paintEvent(QPaintEvent* event) override {
    Ground::paintEvent(event);
    QPainter(this).fillRect(QRect(0, height() - 1, width(), 1), theme().border1);
  }
};

}  // namespace

TabbedPanel::TabbedPanel(const QString& objectName, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), tabs_(new QTabBar), stack_(new QStackedWidget) {
  setObjectName(objectName);
  setFeatures(DockWidgetClosable | DockWidgetMovable);  // never floating: some desktops cannot dock it again
  setAllowedAreas(Qt::AllDockWidgetAreas);
  auto* bar = new TitleBar;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 2, 8, 0);
  row->setSpacing(0);
  tabs_->setObjectName(objectName + QStringLiteral("Tabs"));
  tabs_->setAccessibleName(title);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);  // the panel is as wide as its tabs at least
  tabs_->setElideMode(Qt::ElideNone);
  row->addWidget(tabs_);
  row->addStretch(1);
  QPushButton* close = makeIconButton(QStringLiteral("close"), tr("Hide this panel"), bar);
  close->setFixedSize(24, 24);
  close->setIconSize({14, 14});
  row->addWidget(close);
  setTitleBarWidget(bar);
  auto* ground = new Ground;
  column_ = new QVBoxLayout(ground);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  column_->addWidget(stack_, 1);
  setWidget(ground);
  connect(close, &QPushButton::clicked, this, &QDockWidget::close);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    stack_->setCurrentIndex(index);
    Q_EMIT pageChanged(index);
  });
}

int TabbedPanel::addPage(const QString& title, QWidget* page) {
  stack_->addWidget(page);
  const int index = tabs_->addTab(title);
  tabs_->updateGeometry();  // otherwise a hidden bar keeps its first size
  return index;
}

void TabbedPanel::setCount(int index, int count) {
  auto* pill = qobject_cast<QLabel*>(tabs_->tabButton(index, QTabBar::RightSide));
  if (count <= 0 && pill) {
    tabs_->setTabButton(index, QTabBar::RightSide, nullptr);
    pill->deleteLater();
  }
  if (count > 0) {
    const bool made = !pill;
    if (made) pill = makePill({}, QStringLiteral("neutral"), tabs_);
    pill->setText(QString::number(count));
    pill->adjustSize();
    if (made) tabs_->setTabButton(index, QTabBar::RightSide, pill);
    tabs_->setTabText(index, tabs_->tabText(index));  // measures the tab with its pill again
  }
  tabs_->setAccessibleDescription(QString::number(count));
  tabs_->setTabText(index, tabs_->tabText(index));  // measures the tab with its pill again
  tabs_->updateGeometry();
}

void TabbedPanel::showPage(int index) {
  show();
  raise();
  tabs_->setCurrentIndex(index);
}

int TabbedPanel::currentPage() const { return tabs_->currentIndex(); }

void TabbedPanel::setFooter(QWidget* widget) {
  auto* line = new QFrame;
  line->setFrameShape(QFrame::HLine);
  line->setFixedHeight(1);
  column_->addWidget(line);
  column_->addWidget(widget);
}

void TabbedPanel::setHeader(QWidget* widget) { column_->insertWidget(0, widget); }

}  // namespace nw::ui
