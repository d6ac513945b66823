// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlays/tool_strip.hpp"

#include <QActionGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <cmath>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/canvas/scene/paint_cache.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

class StripButton : public QAbstractButton {
 public:
  StripButton(QString icon, const QString& name, bool chevron = false) : icon_(std::move(icon)), chevron_(chevron) {
    setAccessibleName(name);
    setToolTip(name);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setFixedHeight(32);
  }
  QSize sizeHint() const override {
    const int words = text().isEmpty() ? 0 : QFontMetrics(ui::font(TextRole::button)).horizontalAdvance(text());
    if (icon_.isEmpty()) return {std::max(words + 16, 56), 32};
    return {(text().isEmpty() ? 34 : words + 40) + (chevron_ ? 18 : 0), 32};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (isChecked() || underMouse() || hasFocus()) {
      p.setPen(hasFocus() ? QPen(t.ring, 1.6) : Qt::NoPen);
      p.setBrush(isChecked() ? t.accentSoft : t.hover);
      p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::control, radius::control);
    }
    const QColor ink = isChecked() ? t.accentText : underMouse() ? t.text1 : t.text2;
    if (!icon_.isEmpty())
      paintSymbol(p, icon_,
                  QRectF(text().isEmpty() && !chevron_ ? (width() - 16) / 2.0 : 10, (height() - 16) / 2.0, 16, 16),
                  ink);
    p.setFont(ui::font(TextRole::button));
    p.setPen(t.text1);
    const QRectF words = icon_.isEmpty() ? QRectF(rect()) : QRectF(rect()).adjusted(32, 0, 0, 0);
    p.drawText(words, Qt::AlignVCenter | (icon_.isEmpty() ? Qt::AlignHCenter : Qt::AlignLeft), text());
    if (chevron_)
      paintSymbol(p, QStringLiteral("chevron-down"), QRectF(width() - 20, (height() - 12) / 2.0, 12, 12), t.text3);
  }

 private:
  /// The buttons are above the canvas, so each of its frames repaints them too.
  static void paintSymbol(QPainter& p, const QString& name, const QRectF& where, const QColor& colour) {
    paintCached(p, QStringLiteral("icon/%1/%2/%3").arg(name, colour.name()).arg(where.width()), where,
                [&](QPainter& still) { paintIcon(still, name, where, colour); });
  }

  QString icon_;
  bool chevron_;
};

}  // namespace

ToolStrip::ToolStrip(GraphView& view, NodeOutputs& outputs, Heatmap& heat, QWidget* parent)
    : QWidget(parent), view_(view), outputs_(outputs), heat_(heat) {
  setObjectName(QStringLiteral("toolStrip"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(shadow, shadow, shadow, shadow);
  row->setSpacing(12);
  const auto group = [&] {
    auto* box = new QWidget(this);
    auto* inner = new QHBoxLayout(box);
    inner->setContentsMargins(4, 4, 4, 4);
    inner->setSpacing(2);
    row->addWidget(box);
    groups_ << box;
    return inner;
  };
  QHBoxLayout* tools = group();
  pointer_ = addTool(tools, QStringLiteral("pointer"), tr("Select and move"), QStringLiteral("Esc"));
  QAbstractButton* add = addTool(tools, QStringLiteral("plus"), tr("Add a layer"), QStringLiteral("Tab"));
  frame_ = addTool(tools, QStringLiteral("frame"), tr("Draw a frame"), QStringLiteral("frame"));
  note_ = addTool(tools, QStringLiteral("note"), tr("Write a note"), QStringLiteral("note"));
  for (QAbstractButton* b : {pointer_, frame_, note_}) b->setCheckable(true);
  QHBoxLayout* zoom = group();
  QAbstractButton* out = addTool(zoom, QStringLiteral("minus"), tr("Zoom out"), QStringLiteral("zoom-out"));
  percent_ = new StripButton({}, tr("Zoom to 100 %"));
  percent_->setObjectName(QStringLiteral("zoomPercent"));
  zoom->addWidget(percent_);
  QAbstractButton* in = addTool(zoom, QStringLiteral("plus"), tr("Zoom in"), QStringLiteral("zoom-in"));
  QAbstractButton* fit = addTool(zoom, QStringLiteral("fit"), tr("Show everything"), QStringLiteral("zoom-fit"));
  QAbstractButton* layout = addTool(zoom, QStringLiteral("layout"), tr("Lay out"), {});
  layout->setObjectName(QStringLiteral("layoutButton"));
  zoomSteps_ = {out, percent_, in};
  show_ = new StripButton(QStringLiteral("eye"), tr("What is shown"), true);
  group()->addWidget(show_);
  show_->setText(shownWords());
  const auto showZoom = [this] {
    percent_->setText(QStringLiteral("%1 %").arg(std::lround(view_.camera().zoom() * 100)));
    fitTo(width_);
  };
  const auto showTool = [this] {
    pointer_->setChecked(view_.tool() == GraphView::Tool::pointer);
    frame_->setChecked(view_.tool() == GraphView::Tool::frame);
    note_->setChecked(view_.tool() == GraphView::Tool::note);
  };
  connect(&view.camera(), &Camera::zoomChanged, this, showZoom);
  connect(&view, &GraphView::toolChanged, this, showTool);
  connect(pointer_, &QAbstractButton::clicked, this, [this] { view_.setTool(GraphView::Tool::pointer); });
  connect(frame_, &QAbstractButton::clicked, this, [this] { view_.setTool(GraphView::Tool::frame); });
  connect(note_, &QAbstractButton::clicked, this, [this] { view_.setTool(GraphView::Tool::note); });
  connect(add, &QAbstractButton::clicked, this,
          [this] { openAddList(view_, view_.mapToScene(view_.viewport()->rect().center())); });
  connect(out, &QAbstractButton::clicked, this, [this] { view_.camera().zoomStep(-1); });
  connect(in, &QAbstractButton::clicked, this, [this] { view_.camera().zoomStep(1); });
  connect(percent_, &QAbstractButton::clicked, this,
          [this] { view_.camera().setZoom(1, view_.viewport()->rect().center()); });
  connect(fit, &QAbstractButton::clicked, this, [this] { view_.camera().fitAll(); });
  connect(layout, &QAbstractButton::clicked, this, [this] { runCommand(view_, "layout"); });
  connect(show_, &QAbstractButton::clicked, this, &ToolStrip::openShowMenu);
  connect(&outputs, &NodeOutputs::changed, this, &ToolStrip::showWords);
  connect(&heat, &Heatmap::changed, this, &ToolStrip::showWords);
  showZoom();
  showTool();
}

/// `keys`: the text of the shortcut, or the id of the command that has the shortcut.
QAbstractButton* ToolStrip::addTool(QHBoxLayout* group, const QString& icon, const QString& name, const QString& keys) {
  auto* button = new StripButton(icon, name);
  QAction* command = action(keys);
  const auto tell = [button, name, keys, command] {
    const QString shortcut = command ? shortcutText(*command) : keys;
    button->setToolTip(shortcut.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, shortcut));
  };
  if (command) connect(command, &QAction::changed, button, tell);
  tell();
  group->addWidget(button);
  return button;
}

QString ToolStrip::shownWords() const {
  QStringList words;
  if (view_.graph().display().showShapes()) words << tr("shapes");
  if (view_.graph().display().showCounts()) words << tr("parameters");
  if (outputs_.isOn()) words << tr("outputs");
  if (heat_.by() != HeatmapQuantity::none) words << tr("heat");
  return words.isEmpty() ? tr("Show: names only") : tr("Show: %1").arg(words.join(QStringLiteral(", ")));
}

void ToolStrip::showWords() { fitTo(width_); }

void ToolStrip::fitTo(int width) {
  width_ = width;
  show_->setToolTip(shownWords());
  for (const auto& [words, withSteps] : {std::pair(shownWords(), true), {QString(), true}, {QString(), false}}) {
    show_->setText(words);
    for (QAbstractButton* step : std::as_const(zoomSteps_)) step->setVisible(withSteps);
    for (QWidget* group : std::as_const(groups_)) {
      group->layout()->invalidate();
      group->updateGeometry();
    }
    layout()->invalidate();
    if (sizeHint().width() <= width) break;
  }
  adjustSize();
}

void ToolStrip::openShowMenu() {
  QMenu menu(this);
  GraphScene& scene = view_.graph();
  const auto row = [&](const QString& text, bool on, auto set) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::toggled, &scene, set);
  };
  row(tr("Shapes on connections"), scene.display().showShapes(),
      [&scene](bool on) { scene.display().setShowShapes(on); });
  row(tr("Parameters on cards"), scene.display().showCounts(),
      [&scene](bool on) { scene.display().setShowCounts(on); });
  row(tr("Outputs for a sample image"), outputs_.isOn(), [this](bool on) { outputs_.setOn(on); });
  menu.addSeparator();
  auto* kinds = new QActionGroup(&menu);
  for (const HeatmapQuantity by :
       {HeatmapQuantity::none, HeatmapQuantity::time, HeatmapQuantity::memory, HeatmapQuantity::spread,
        HeatmapQuantity::zeros, HeatmapQuantity::gradients, HeatmapQuantity::updates}) {
    QAction* action = kinds->addAction(menu.addAction(Heatmap::title(by)));
    action->setCheckable(true);
    action->setChecked(heat_.by() == by);
    connect(action, &QAction::triggered, &heat_, [this, by] { heat_.setBy(by); });
  }
  menu.exec(show_->mapToGlobal(QPoint(0, -menu.sizeHint().height() - 4)));
  showWords();
}

void ToolStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  for (const QWidget* group : groups_)
    paintFloat(p, group->geometry(), radius::group, theme().overlay, theme().border2);
}

}  // namespace nw::ui
