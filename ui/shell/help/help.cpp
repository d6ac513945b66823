// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/help.hpp"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct Key {
  const char *keys, *text;
};
const Key canvasKeys[] = {
    {"Tab", QT_TRANSLATE_NOOP("Help", "Add a layer by typing its name")},
    {"Space + drag", QT_TRANSLATE_NOOP("Help", "Move the view; the middle button does the same")},
    {"Ctrl + wheel", QT_TRANSLATE_NOOP("Help", "Zoom at the pointer")},
    {"Arrows", QT_TRANSLATE_NOOP("Help", "Go from layer to layer along the connections")},
    {"Alt + drag",
     QT_TRANSLATE_NOOP("Help",
                       "Detach a layer; its neighbors are connected to each other. Shaking the layer does the same")},
    {"Alt + click", QT_TRANSLATE_NOOP("Help", "Add a bend point to a connection; on a port: remove its connections")},
    {"Ctrl + drag", QT_TRANSLATE_NOOP("Help", "From an output: move all its connections to another output")},
    {"Ctrl + right drag",
     QT_TRANSLATE_NOOP("Help",
                       "Cut the connections that the stroke crosses; Y held with the left button does the same")},
    {"Esc", QT_TRANSLATE_NOOP("Help", "Cancel the current drag")},
};
struct Step {
  const char *title, *text;
};
const Step tour[] = {
    {QT_TRANSLATE_NOOP("Help", "1. Open a template"),
     QT_TRANSLATE_NOOP("Help",
                       "Open LeNet-5 on the Welcome page. Its data set is handwritten digits: MNIST if it is found, "
                       "otherwise synthetic digits.")},
    {QT_TRANSLATE_NOOP("Help", "2. Read the network"),
     QT_TRANSLATE_NOOP("Help",
                       "Each node is a layer. The text beside a connection is the shape of its tensor. Select a node "
                       "to see and change its settings on the right.")},
    {QT_TRANSLATE_NOOP("Help", "3. Break something"),
     QT_TRANSLATE_NOOP("Help",
                       "Delete the Flatten layer and connect the pooling layer to the first Linear layer. The node "
                       "turns red, states what the layer needs, and offers a quick fix. Every edit can be undone.")},
    {QT_TRANSLATE_NOOP("Help", "4. Train"),
     QT_TRANSLATE_NOOP("Help",
                       "Press Train or F5. The charts are updated during training. Training is a separate process: you "
                       "can continue editing, or close the window.")},
    {QT_TRANSLATE_NOOP("Help", "5. See why"),
     QT_TRANSLATE_NOOP("Help",
                       "Predict shows the test images with the network's predictions. Click a cell of the confusion "
                       "matrix to see only those images, or draw a digit yourself.")},
    {QT_TRANSLATE_NOOP("Help", "6. Compare"),
     QT_TRANSLATE_NOOP("Help",
                       "Change a setting, train again, and compare both curves in one chart on the Runs page. Every "
                       "run is a plain folder that the command line reads as well.")},
};

QString say(const char* text) { return QCoreApplication::translate("Help", text); }

QLabel* keyLabel(const QString& text) {
  QLabel* label = makePill(text, QStringLiteral("neutral"));
  return label;
}

QScrollArea* scrolled(QWidget* content) {
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(content);
  return area;
}

QLabel* heading(const QString& text) { return makeLabel(text, 1, static_cast<int>(TextRole::title)); }

}  // namespace

HelpDialog::HelpDialog(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Help"));
  resize(760, 620);
  auto* tabs = new QTabWidget(this);
  tabs->setDocumentMode(true);
  tabs->addTab(makeTour(), tr("Five-minute tour"));
  tabs->addTab(makeKeyboard(), tr("Keyboard"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, space::s, 0, 0);
  column->addWidget(tabs);
}

QWidget* HelpDialog::makeKeyboard() {
  auto* content = new QWidget;
  auto* grid = new QGridLayout(content);
  grid->setContentsMargins(space::xxl, space::l, space::xxl, space::xxl);
  grid->setHorizontalSpacing(space::xl);
  grid->setVerticalSpacing(7);
  int line = 0;
  const auto add = [&](const QString& keys, const QString& text) {
    grid->addWidget(keyLabel(keys), line, 0, Qt::AlignRight);
    grid->addWidget(makeLabel(text, 1), line, 1);
    ++line;
  };
  grid->addWidget(heading(tr("Everywhere")), line++, 0, 1, 2);
  for (const ActionRow& row : actionTable()) {
    const QAction* a = action(QLatin1String(row.id));
    if (!a || *row.page || shortcutText(*a).isEmpty()) continue;
    add(shortcutText(*a), QCoreApplication::translate("Actions", row.text));
  }
  grid->addItem(new QSpacerItem(1, space::m), line++, 0);
  grid->addWidget(heading(tr("On the canvas")), line++, 0, 1, 2);
  for (const auto& [keys, text] : canvasGestures()) add(keys, text);
  for (const ActionRow& row : actionTable())
    if (*row.page && !shortcutText(*action(QLatin1String(row.id))).isEmpty())
      add(shortcutText(*action(QLatin1String(row.id))), QCoreApplication::translate("Actions", row.text));
  grid->setColumnStretch(1, 1);
  return scrolled(content);
}

QWidget* HelpDialog::makeTour() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::xxl, space::l, space::xxl, space::xxl);
  column->setSpacing(space::xs);
  for (const Step& step : tour) {
    column->addWidget(heading(say(step.title)));
    QLabel* text = makeLabel(say(step.text), 2);
    text->setWordWrap(true);
    column->addWidget(text);
    column->addSpacing(space::m);
  }
  column->addStretch(1);
  return scrolled(content);
}

QList<std::pair<QString, QString>> canvasGestures() {
  QList<std::pair<QString, QString>> all;
  for (const Key& key : canvasKeys) all.emplace_back(QLatin1String(key.keys), say(key.text));
  return all;
}

void showHelp(QWidget* parent) {
  auto* dialog = new HelpDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace nw::ui
