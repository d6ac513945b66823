// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/component_sheet.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class IconSheet : public QWidget {
 public:
  IconSheet() { setMinimumSize(520, 330); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    int i = 0;
    for (const QString& file : QDir(QStringLiteral(":/icons")).entryList()) {
      const QString name = file.chopped(4);
      paintIcon(p, name, QRectF((i % 16) * 32, (i / 16) * 32, 20, 20), theme().text1);
      ++i;
    }
  }
};

QWidget* row(std::initializer_list<QWidget*> widgets) {
  auto* host = new QWidget;
  auto* line = new QHBoxLayout(host);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(space::s);
  for (QWidget* w : widgets) line->addWidget(w);
  line->addStretch(1);
  return host;
}

QWidget* disabled(QWidget* w) {
  w->setEnabled(false);
  return w;
}

QWidget* controls() {
  auto* card = new Card(QStringLiteral("Controls"));
  auto* body = card->body()->layout();
  body->addWidget(row({makeButton(QStringLiteral("Train"), ButtonKind::primary, QStringLiteral("play")),
                       makeButton(QStringLiteral("Insert Flatten"), ButtonKind::tonal),
                       makeButton(QStringLiteral("Hold out 10 %"), ButtonKind::neutral),
                       makeButton(QStringLiteral("Cancel"), ButtonKind::ghost),
                       makeButton(QStringLiteral("Delete"), ButtonKind::danger, QStringLiteral("trash"))}));
  body->addWidget(row({disabled(makeButton(QStringLiteral("Train"), ButtonKind::primary)),
                       disabled(makeButton(QStringLiteral("Open"), ButtonKind::neutral)),
                       makeIconButton(QStringLiteral("undo"), QStringLiteral("Undo")),
                       disabled(makeIconButton(QStringLiteral("redo"), QStringLiteral("Redo")))}));
  auto* wrong = new QLineEdit(QStringLiteral("-3"));
  wrong->setProperty("nwWrong", true);
  auto* box = new QComboBox;
  box->addItems({QStringLiteral("Tanh"), QStringLiteral("ReLU")});
  auto* spin = new QSpinBox;
  spin->setRange(0, 4096);
  spin->setValue(16);
  body->addWidget(row({new QLineEdit(QStringLiteral("0.05")), wrong, box, spin}));
  auto* on = new QCheckBox(QStringLiteral("Bias"));
  on->setChecked(true);
  auto* radio = new QRadioButton(QStringLiteral("Same"));
  radio->setChecked(true);
  auto* toggle = new ToggleSwitch(QStringLiteral("Update weights"));
  toggle->setChecked(true);
  body->addWidget(row({on, new QCheckBox(QStringLiteral("Off")), radio, new QRadioButton(QStringLiteral("None")),
                       toggle, new ToggleSwitch(QStringLiteral("Off"))}));
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setValue(40);
  slider->setFixedWidth(200);
  auto* progress = new QProgressBar;
  progress->setValue(35);
  progress->setFixedWidth(200);
  body->addWidget(row({slider, progress}));
  body->addWidget(row({makePill(QStringLiteral("Healthy"), QStringLiteral("ok")),
                       makePill(QStringLiteral("Slow"), QStringLiteral("warn")),
                       makePill(QStringLiteral("Failed"), QStringLiteral("error")),
                       makePill(QStringLiteral("candidate"), QStringLiteral("accent")),
                       makePill(QStringLiteral("MNIST"), QStringLiteral("neutral"))}));
  auto* segments = new SegmentedControl;
  for (const char* text : {"Design", "Train", "Predict", "Runs"}) segments->addSegment(QLatin1String(text));
  segments->setMark(1, true);
  auto* tabs = new QTabBar;
  tabs->setDrawBase(false);
  for (const char* text : {"Layers", "Blocks", "Outline"}) tabs->addTab(QLatin1String(text));
  body->addWidget(row({segments, tabs}));
  return card;
}

QWidget* table() {
  auto* tree = new QTreeWidget;
  tree->setHeaderLabels({QStringLiteral("Run"), QStringLiteral("Status"), QStringLiteral("Best accuracy")});
  tree->setSortingEnabled(true);
  tree->setRootIsDecorated(false);
  for (int i = 0; i < 14; ++i) {
    auto* item = new QTreeWidgetItem(
        tree, {QStringLiteral("run %1").arg(40 - i), QStringLiteral("Finished"), percentText(0.6 - i * 0.01)});
    item->setCheckState(0, i < 3 ? Qt::Checked : Qt::Unchecked);
    if (i == 2) item->setSelected(true);
  }
  tree->setMinimumHeight(200);
  return tree;
}

}  // namespace

QWidget* makeComponentSheet() {
  auto* sheet = new QWidget;
  auto* left = new QVBoxLayout;
  left->addWidget(controls());
  left->addWidget(table(), 1);
  auto* empty = new EmptyState;
  empty->show(QStringLiteral("image"), QStringLiteral("No predictions yet"), QStringLiteral("Train, or load weights"),
              QStringLiteral("Load weights"));
  auto* right = new QVBoxLayout;
  auto* icons = new Card(QStringLiteral("Icons"));
  icons->body()->layout()->addWidget(new IconSheet);
  right->addWidget(icons);
  auto* form = new FormSection(QStringLiteral("Layer"));
  form->addRow(QStringLiteral("Filters"), new QSpinBox);
  form->addRow(QStringLiteral("Bias"), new ToggleSwitch(QStringLiteral("Bias")));
  right->addWidget(form);
  right->addWidget(empty, 1);
  auto* both = new QHBoxLayout(sheet);
  both->addLayout(left, 1);
  both->addLayout(right, 1);
  return sheet;
}

}  // namespace nw::ui
