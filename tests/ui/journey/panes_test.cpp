// SPDX-License-Identifier: GPL-3.0-or-later
// F6 visits all panes of a page and returns to the first.
#include <QApplication>

#include "tests/ui/journey/journey.hpp"
#include "ui/widgets/panes.hpp"

namespace nw::ui {
namespace {

class Panes : public Journey {};

QWidget* paneWithFocus(const QVector<QWidget*>& panes) {
  const QWidget* focus = QApplication::focusWidget();
  for (QWidget* pane : panes)
    if (focus && (pane == focus || pane->isAncestorOf(focus))) return pane;
  return nullptr;
}

TEST_F(Panes, F6VisitsEveryPaneOfEveryPage) {
  openSmallProject(1);
  for (const char* id : {"design", "runs", "deploy"}) {
    window().showPage(QLatin1String(id));
    QCoreApplication::processEvents();
    const QVector<QWidget*> panes = panesOf(*window().page(QLatin1String(id)));
    if (QLatin1String(id) == QLatin1String("design")) {
      ASSERT_EQ(panes.size(), 4) << "palette, canvas, problems, settings";
    }
    QSet<QWidget*> visited;
    for (qsizetype i = 0; i < panes.size(); ++i) {
      hand.key(Qt::Key_F6);
      QWidget* pane = paneWithFocus(panes);
      ASSERT_NE(pane, nullptr) << id;
      visited.insert(pane);
    }
    EXPECT_EQ(visited.size(), panes.size()) << id;
  }
}

}  // namespace
}  // namespace nw::ui
