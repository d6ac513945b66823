// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/top_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <algorithm>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/window/data_chip.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/train_button.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int barHeight = 52, leftWidth = 244, shortLeftWidth = 170, logoWidth = 84;
constexpr int besideName = 100;  // the logo, the dot and margins
constexpr int narrowSearch = 34, wideSearch = 250;

/// The logo with its small arrow.
class LogoButton : public QPushButton {
 public:
  explicit LogoButton(QWidget* parent) : QPushButton(parent) {
    setFixedSize(46, 36);
    setAccessibleName(TopBar::tr("Menu"));
    QAction* open = action(QStringLiteral("main-menu"));
    const auto tell = [this, open] {
      setToolTip(shortcutText(*open).isEmpty() ? accessibleName()
                                               : QStringLiteral("%1 (%2)").arg(accessibleName(), shortcutText(*open)));
    };
    connect(open, &QAction::changed, this, tell);
    tell();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    if (underMouse() || isDown()) style::box(p, rect(), radius::group, t.hover, QColor(0, 0, 0, 0));
    paintIcon(p, QStringLiteral("netwright"), QRectF(2, 4, 28, 28), t.accent);
    paintIcon(p, QStringLiteral("chevron-down"), QRectF(33, 12, 12, 12), t.text2);
    if (hasFocus()) style::focusRing(p, rect(), radius::group);
  }
};

/// A dot that marks unsaved changes.
class ModifiedDot : public QWidget {
 public:
  explicit ModifiedDot(QWidget* parent) : QWidget(parent) { setFixedSize(10, 10); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    style::box(p, QRectF(2, 2, 6, 6), 3, theme().text3, QColor(0, 0, 0, 0));
  }
};

class SearchBox : public QAbstractButton {
 public:
  explicit SearchBox(QWidget* parent) : QAbstractButton(parent) {
    setText(TopBar::tr("Search or command"));
    setAccessibleName(text());
    setToolTip(text());
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setMaximumWidth(wideSearch);
    connect(action(QStringLiteral("command-palette")), &QAction::changed, this, qOverload<>(&QWidget::update));
  }
  QSize sizeHint() const override { return {244, 30}; }
  QSize minimumSizeHint() const override { return {narrowSearch, 30}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    style::box(p, rect(), radius::control, t.field, underMouse() ? t.border3 : t.border2);
    paintIcon(p, QStringLiteral("search"), QRectF(9, 7, 16, 16), t.text2);
    p.setFont(ui::font(TextRole::body));
    p.setPen(t.text2);
    // the last shortcut is the short one
    const QList<QKeySequence> all = action(QStringLiteral("command-palette"))->shortcuts();
    const QString keys = all.isEmpty() ? QString() : all.back().toString(QKeySequence::NativeText).replace(u'+', u' ');
    const int keyWidth = QFontMetrics(ui::font(TextRole::small)).horizontalAdvance(keys) + 12;
    const int room = width() - 32 - keyWidth - 12;
    if (room > 30)
      p.drawText(QRectF(32, 0, room, height()), Qt::AlignVCenter,
                 p.fontMetrics().elidedText(text(), Qt::ElideRight, room));
    if (room > 60 && !keys.isEmpty()) {
      const QRectF key(width() - keyWidth - 6, 6, keyWidth, height() - 12);
      style::box(p, key, radius::mark + 1, t.window, t.border2);
      p.setFont(ui::font(TextRole::small));
      p.setPen(t.text3);
      p.drawText(key, Qt::AlignCenter, keys);
    }
    if (hasFocus()) style::focusRing(p, rect(), radius::control);
  }
};

class Line : public QWidget {
 public:
  explicit Line(QWidget* parent) : QWidget(parent) { setFixedSize(9, 28); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.fillRect(4, 0, 1, height(), theme().border2);
  }
};

QPushButton* stepButton(const char* id, QWidget* parent) {
  QAction* a = action(QLatin1String(id));
  QPushButton* button = makeIconButton(QLatin1String(id), a->text(), parent);
  const auto follow = [button, a] {
    button->setEnabled(a->isEnabled());
    button->setToolTip(a->toolTip());
    button->setAccessibleName(a->text());
  };
  QObject::connect(a, &QAction::changed, button, follow);
  QObject::connect(button, &QPushButton::clicked, a, &QAction::trigger);
  follow();
  return button;
}

}  // namespace

TopBar::TopBar(Session& session, MachineWatch& machine, ProjectFiles& files, QWidget* parent)
    : QWidget(parent), session_(session) {
  setFixedHeight(barHeight);
  left_ = new QWidget(this);
  left_->setFixedWidth(leftWidth);
  auto* left = new QHBoxLayout(left_);
  left->setContentsMargins(space::s, 0, space::s, 0);
  left->setSpacing(space::s);
  left->addWidget(makeMenuButton(files));
  name_ = makeLabel({}, 1, static_cast<int>(TextRole::node), left_);
  modified_ = new ModifiedDot(left_);
  modified_->setToolTip(tr("There are changes that are not saved yet"));
  left->addWidget(name_);
  left->addWidget(modified_);
  left->addStretch(1);

  pages_ = new SegmentedControl(this);
  pages_->setAccessibleName(tr("Page"));
  pages_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  search_ = new SearchBox(this);
  search_->setObjectName(QStringLiteral("searchBox"));
  connect(static_cast<QAbstractButton*>(search_), &QAbstractButton::clicked, this, &TopBar::searchRequested);
  data_ = new DataChip(session_, this);
  line_ = new Line(this);
  devices_ = new DeviceChips(session_, machine, this);
  train_ = new TrainButtons(session_, this);

  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(space::xs, 0, space::m, 1);
  row->setSpacing(space::s);
  row->addWidget(left_);
  row->addWidget(pages_);
  row->addSpacing(space::xs);
  row->addWidget(stepButton("undo", this));
  row->addWidget(stepButton("redo", this));
  row->addWidget(search_);
  row->addStretch(1);
  row->addWidget(data_);
  row->addWidget(line_);
  row->addWidget(devices_);
  row->addSpacing(space::xs);
  row->addWidget(train_);
  connect(&session_, &Session::fileChanged, this, &TopBar::fit);
  showProject();
}

QWidget* TopBar::makeMenuButton(ProjectFiles& files) {
  menuButton_ = new LogoButton(this);
  menuButton_->setObjectName(QStringLiteral("menuButton"));
  menu_ = new QMenu(this);
  const auto sub = [&](const char* name, const QString& title) {
    QMenu* menu = menu_->addMenu(title);
    fillMenu(*menu, QLatin1String(name));
    return menu;
  };
  QMenu* file = sub("file", tr("File"));
  auto* recent = new QMenu(tr("Open recent"), file);
  recent->setIcon(icon(QStringLiteral("clock")));
  connect(recent, &QMenu::aboutToShow, this, [&files, recent] { files.fillRecent(*recent); });
  file->insertMenu(action(QStringLiteral("save")), recent);
  auto* examples = new QMenu(tr("Open an example"), file);
  examples->setIcon(icon(QStringLiteral("book")));
  files.fillExamples(*examples);
  file->insertMenu(action(QStringLiteral("save")), examples);
  sub("edit", tr("Edit"));
  QMenu* network = sub("arrange", tr("Network"));
  auto* align = new QMenu(tr("Align"), network);
  align->setIcon(icon(QStringLiteral("align-left")));
  fillMenu(*align, QStringLiteral("align"));
  network->insertMenu(action(QStringLiteral("layout")), align);
  QMenu* view = sub("view", tr("View"));
  auto* heat = new QMenu(tr("Heatmap"), view);
  fillMenu(*heat, QStringLiteral("heat"));
  view->insertMenu(action(QStringLiteral("overview")), heat);
  sub("run", tr("Training"));
  sub("help", tr("Help"));
  connect(menuButton_, &QPushButton::clicked, this, &TopBar::openMenu);
  return menuButton_;
}

void TopBar::openMenu() { menu_->popup(menuButton_->mapToGlobal(QPoint(0, menuButton_->height() + 4))); }

void TopBar::showProject() {
  const QString name = session_.displayName();
  name_->setText(QFontMetrics(name_->font()).elidedText(name, Qt::ElideMiddle, left_->minimumWidth() - besideName));
  name_->setToolTip(session_.path().isEmpty() ? tr("Not saved yet") : session_.path());
  modified_->setVisible(session_.isModified());
}

void TopBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

bool TopBar::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) fit();  // "Stop now" needs more room than "Stop"
  return done;
}

/// A short name leaves its room to the data chip, and then to the search. Where there is not enough, the project's
/// name is shortened first, then the data chip goes, then the name. The widths are computed, not tried: a trial would
/// cause the next layout request.
void TopBar::fit() {
  const int chip = data_->minimumSizeHint().width() + line_->width() + 2 * space::s;
  const int others = layout()->totalMinimumSize().width() - left_->width() - (data_->isHidden() ? 0 : chip);
  const int room = width() - others;
  const int named = QFontMetrics(name_->font()).horizontalAdvance(session_.displayName()) + besideName + 2;
  const int least = std::min(shortLeftWidth, named);
  const bool withChip = room >= least + chip;
  const int left = room - (withChip ? chip : 0);
  left_->setFixedWidth(left >= leftWidth + 80 ? leftWidth : left >= least ? least : logoWidth);
  name_->setVisible(left_->minimumWidth() > logoWidth);
  showProject();
  data_->setVisible(withChip);
  line_->setVisible(withChip);
  const int spare = left - left_->minimumWidth();
  const int forChip = withChip ? data_->sizeHint().width() - data_->minimumSizeHint().width() : 0;
  search_->setMaximumWidth(std::clamp(search_->minimumSizeHint().width() + spare - forChip, narrowSearch, wideSearch));
}

void TopBar::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().window);
  p.fillRect(0, height() - 1, width(), 1, theme().border1);
}

}  // namespace nw::ui
