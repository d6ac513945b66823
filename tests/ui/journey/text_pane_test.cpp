// SPDX-License-Identifier: GPL-3.0-or-later
// Undo while the network is edited as text, in the whole window.
#include "ui/design/text_pane.hpp"

#include <QLabel>
#include <QPlainTextEdit>
#include <algorithm>

#include "tests/ui/journey/journey.hpp"
#include "ui/design/tabbed_panel.hpp"

namespace nw::ui {
namespace {

class TextJourney : public Journey {
 public:
  void open() {
    openWindow({{}, QStringLiteral("lenet5")});
    analysed();
    child<TabbedPanel>(QStringLiteral("problemsPanel"))->showPage(3);
    pane = window().findChild<TextPane*>();
    hand.click(pane->editor().viewport());
  }
  void typeAtTheEndOf(const QString& begin, const QString& words) {
    QTextCursor at = pane->editor().document()->find(begin);
    at.clearSelection();
    at.movePosition(QTextCursor::EndOfBlock);
    pane->editor().setTextCursor(at);
    hand.type(words);
  }
  TextPane* pane = nullptr;
};

TEST_F(TextJourney, CtrlZUndoesTheNetworkOnceTheTextIsTakenOver) {
  open();
  const GraphDoc before = session().doc();
  const QString text = pane->editor().toPlainText();
  typeAtTheEndOf(QStringLiteral("conv1:"), QStringLiteral(" frozen"));
  ASSERT_TRUE(test::wait_for([&] { return session().doc() != before; }));
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().doc(), before);
  EXPECT_EQ(pane->editor().toPlainText(), text);
  hand.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_NE(session().doc(), before);
}

TEST_F(TextJourney, CtrlZUndoesTypedTextThatIsNoNetworkYetAndNothingElse) {
  open();
  const GraphDoc before = session().doc();
  const QString text = pane->editor().toPlainText();
  session().push(rename_node(before, "", find("conv1"), "stem"), QStringLiteral("Rename"));
  const GraphDoc renamed = session().doc();
  typeAtTheEndOf(QStringLiteral("stem:"), QStringLiteral(" loud"));
  pane->takeOver();
  ASSERT_FALSE(pane->faults().empty());
  for (int i = 0; i < 10 && pane->editor().toPlainText().contains(QStringLiteral("loud")); ++i)
    hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(pane->editor().toPlainText().contains(QStringLiteral("loud")));
  EXPECT_EQ(session().doc(), renamed) << "the rename stays until the text is the network's again";
  ASSERT_TRUE(test::wait_for([&] { return pane->faults().empty(); }));
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(pane->editor().toPlainText(), text);
}

TEST_F(TextJourney, ANumberThatIsNoneIsNamedWithItsSetting) {
  open();
  typeAtTheEndOf(QStringLiteral("conv2:"), QStringLiteral(" padding=x"));
  ASSERT_TRUE(test::wait_for([&] { return !pane->faults().empty(); }));
  const auto labels = pane->findChildren<QLabel*>();
  const auto says = [&](const char* words) {
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(QLatin1String(words));
    });
  };
  EXPECT_TRUE(test::wait_for([&] { return says("padding needs a number, not \"x\""); }));
  EXPECT_FALSE(says("block")) << "no block is meant";
}

}  // namespace
}  // namespace nw::ui
