// SPDX-License-Identifier: GPL-3.0-or-later
// Small things that only the whole window shows: cards follow the data, counts have the right form, a mixed selection
// has a name, the focus after a repair, the order of the network's text.
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/design/inspector.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/design/text_pane.hpp"
#include "ui/page/page.hpp"
#include "ui/session/exclusion.hpp"

namespace nw::ui {
namespace {

class SmallThings : public Journey {
 protected:
  void open(const char* network = "lenet5") {
    openWindow({{}, QLatin1String(network)});
    analysed();
  }
  /// A folder with grey images of two classes.
  QString greyImages() {
    const QString top = folder.filePath(QStringLiteral("grey"));
    for (const char* name : {"a", "b"})
      for (int i = 0; i < 6; ++i) {
        QDir().mkpath(top + u'/' + QLatin1String(name));
        QFile file(QStringLiteral("%1/%2/%3.pgm").arg(top, QLatin1String(name)).arg(i));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("P5\n20 20\n255\n");
        for (int p = 0; p < 400; ++p) file.putChar(static_cast<char>((p * (i + 1) + *name) % 251));
      }
    return top;
  }
  bool hasSize(std::int64_t side) {
    return test::wait_for([&] {
      const DataFacts facts = session().dataFacts();
      return facts.width == side && facts.height == side && session().analysisCurrent() && !session().dataOpening();
    });
  }
  const NodeItem& card(const char* name) { return *scene().elements().node(find(name)); }
  QImage pixels(const char* name) {
    return view().viewport()->grab(view().mapFromScene(card(name).outline()).boundingRect()).toImage();
  }
  void select(const char* name, Qt::KeyboardModifiers held = {}) {
    hand.click(view().viewport(), nodePosition(view(), find(name)), held);
  }
  QString shown(const char* label) {
    for (const QLabel* found : window().findChildren<QLabel*>(QLatin1String(label)))
      if (found->isVisible()) return found->text();
    return {};
  }
};

TEST_F(SmallThings, TheInputsCardFollowsTheDatasSize) {
  open();
  DataChoice data = session().doc().data();
  data.kind = SourceKind::image_folder;
  data.path = greyImages().toStdString();
  data.channels = 1;
  data.height = data.width = 28;
  session().push({PutData{data}}, QStringLiteral("Choose data"));
  ASSERT_TRUE(hasSize(28));
  EXPECT_TRUE(card("images").look().settings.startsWith(QStringLiteral("28 × 28")));
  EXPECT_TRUE(card("images").problemText().isEmpty());
  const QImage before = pixels("images");
  action(QStringLiteral("show-data"))->trigger();
  for (const char* id : {"height", "width"})
    hand.fill(window().findChild<DataPanel*>()->control(QLatin1String(id)), QStringLiteral("32"));
  ASSERT_TRUE(hasSize(32));
  EXPECT_FALSE(card("images").problemText().isEmpty()) << "the card says that the data are larger";
  const QImage told = pixels("images");
  EXPECT_NE(told, before);
  view().camera().reveal(find("images"));
  hand.click(view().viewport(), fixPosition(view(), find("images")));
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && card("images").problemText().isEmpty(); }));
  EXPECT_TRUE(card("images").look().settings.startsWith(QStringLiteral("32 × 32")))
      << card("images").look().settings.toStdString();
  const QImage after = pixels("images");
  EXPECT_NE(after, told);
  EXPECT_NE(after, before);
  EXPECT_TRUE(view().hasFocus()) << "the keys stay with the canvas after a repair";
}

TEST_F(SmallThings, TheFocusStaysInTheListAfterARepair) {
  open();
  session().push(disconnect(session().doc(), "", session().doc().graph().connections.front()),
                 QStringLiteral("Disconnect"));
  analysed();
  ASSERT_FALSE(session().analysis().ok());
  action(QStringLiteral("next-problem"))->trigger();
  auto& list = *window().findChild<ProblemList*>();
  auto* fix = list.findChild<QPushButton*>(QStringLiteral("fix-0-0"));
  ASSERT_NE(fix, nullptr);
  hand.click(fix);
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && session().analysis().ok(); }));
  QWidget* focus = QApplication::focusWidget();
  ASSERT_NE(focus, nullptr);
  EXPECT_TRUE(focus->isVisible());
  EXPECT_TRUE(focus == &list || focus == &view()) << focus->objectName().toStdString();
}

TEST_F(SmallThings, TheButtonsOfAProblemStayAsLongAsItDoes) {
  open();
  ASSERT_TRUE(session().push(disconnect(session().doc(), "", session().doc().graph().connections.front()),
                             QStringLiteral("Cut")));
  analysed();
  action(QStringLiteral("next-problem"))->trigger();
  const QPointer<QPushButton> fix =
      window().findChild<ProblemList*>()->findChild<QPushButton*>(QStringLiteral("fix-0-0"));
  ASSERT_TRUE(fix);
  window().resize(1366, 728);
  const QWidget& viewport = *window().findChild<ProblemList*>()->viewport();
  EXPECT_LE(fix->mapTo(&viewport, QPoint(fix->width(), 0)).x(), viewport.width()) << "in a narrow window it is there";
  fix->setFocus();
  TrainSettings settings = session().doc().settings();
  ++settings.epochs;
  ASSERT_TRUE(session().push({PutSettings{settings}}, QStringLiteral("Epochs")));
  analysed();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  ASSERT_TRUE(fix) << "the network was looked at once more, and the problem is the same";
  EXPECT_TRUE(fix->hasFocus());
  hand.key(Qt::Key_Space);
  EXPECT_TRUE(test::wait_for([&] { return session().analysisCurrent() && session().analysis().ok(); }));
}

TEST_F(SmallThings, AMixedSelectionNamesItsKinds) {
  open();
  select("conv1");
  select("relu1", Qt::ControlModifier);
  select("conv2", Qt::ControlModifier);
  EXPECT_EQ(shown("layerKind"), QStringLiteral("2 × Conv2d, 1 × ReLU"));
  EXPECT_EQ(design().inspector().editorOf(QStringLiteral("out_channels")), nullptr) << "they have no common settings";
  EXPECT_EQ(child<QLineEdit>(QStringLiteral("layerName"))->text(), QStringLiteral("3 layers"));
  EXPECT_TRUE(child<QLineEdit>(QStringLiteral("layerName"))->isReadOnly());
}

TEST_F(SmallThings, CountsHaveTheRightForm) {
  open();
  excludeSamples(session(), {QStringLiteral("a.png")});
  EXPECT_EQ(session().undoStack().undoText(), QStringLiteral("Exclude 1 image"));
  excludeSamples(session(), {QStringLiteral("b.png"), QStringLiteral("c.png")});
  EXPECT_EQ(session().undoStack().undoText(), QStringLiteral("Exclude 2 images"));
  session().push(set_attr(session().doc(), "", find("conv1"), "out_channels", std::int64_t{1}), QStringLiteral("Set"));
  EXPECT_TRUE(card("conv1").look().settings.startsWith(QStringLiteral("1 filter ")))
      << card("conv1").look().settings.toStdString();
  EXPECT_TRUE(card("conv2").look().settings.startsWith(QStringLiteral("16 filters")));
  hand.key(Qt::Key_Z, Qt::ControlModifier);
}

TEST_F(SmallThings, TheNetworksTextFollowsTheConnectionsAndNotThePositions) {
  open();
  child<TabbedPanel>(QStringLiteral("problemsPanel"))->showPage(3);
  const QString before = window().findChild<TextPane*>()->editor().toPlainText();
  ASSERT_TRUE(before.startsWith(QStringLiteral("images:")));
  session().push(move_nodes(session().doc(), "", {{find("images"), {4000, 9000}}, {find("fc1"), {-4000, -9000}}}),
                 QStringLiteral("Move"));
  EXPECT_EQ(window().findChild<TextPane*>()->editor().toPlainText(), before);
}

}  // namespace
}  // namespace nw::ui
