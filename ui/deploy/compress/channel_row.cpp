// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/channel_row.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>

#include "engine/design/layer_type.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class LayerTile : public QWidget {
 public:
  LayerTile(const std::string& type, QWidget* parent) : QWidget(parent) {
    const LayerType* known = find_layer(type);
    group_ = known ? QString::fromStdString(std::string(known->group)) : QString();
    name_ = layerIcon(QString::fromStdString(type), group_);
    setFixedSize(22, 22);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme().tile(group_));
    p.drawRoundedRect(rect(), radius::pill, radius::pill);
    paintIcon(p, name_, QRectF(4, 4, 14, 14), theme().group(group_));
  }

 private:
  QString group_, name_;
};

}  // namespace

ChannelRow::ChannelRow(const compress::PlannedLayer& layer, QWidget* parent) : QWidget(parent), layer_(layer) {
  const QString name = inOneLine(QString::fromStdString(layer.name));
  setObjectName(QStringLiteral("layer-") + name);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 7, 14, 6);
  column->setSpacing(2);
  column->addWidget(makeHead());
  if (layer.fixed || layer.channels < 2)
    column->addWidget(makeElidedLabel(tr("All %n channel(s) stay: others need them", nullptr, int(layer.channels)), 3,
                                      static_cast<int>(TextRole::secondary), this));
  else
    makeSlider(*column);
}

QWidget* ChannelRow::makeHead() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  row->addWidget(new LayerTile(layer_.type, head));
  row->addWidget(makeLabel(QString::fromStdString(layer_.type), 1, static_cast<int>(TextRole::node), head));
  QStringList names;
  for (const std::string& n : layer_.layers) names << inOneLine(QString::fromStdString(n));
  QLabel* label = makeElidedLabel(names.join(QStringLiteral(", ")), 2, static_cast<int>(TextRole::body), head);
  row->addWidget(label, 1);
  left_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), head);
  row->addWidget(left_);
  return head;
}

void ChannelRow::makeSlider(QVBoxLayout& column) {
  const QString name = inOneLine(QString::fromStdString(layer_.name));
  auto* line = new QHBoxLayout;
  line->setSpacing(space::m);
  slider_ = new SensitivitySlider(this);
  slider_->setAccessibleName(tr("Share of the channels of %1 to remove, per cent").arg(name));
  share_ = new QSpinBox(this);
  share_->setObjectName(QStringLiteral("share-") + name);
  share_->setRange(0, SensitivitySlider::most);
  share_->setSuffix(QStringLiteral(" %"));
  share_->setAccessibleName(tr("Share of the channels of %1 to remove").arg(name));
  share_->setKeyboardTracking(false);
  line->addWidget(slider_, 1);
  line->addWidget(share_);
  column.addLayout(line);
  warningLine_ = new QWidget(this);
  auto* warned = new QHBoxLayout(warningLine_);
  warned->setContentsMargins(0, 0, 0, 0);
  warned->setSpacing(6);
  warned->addWidget(new SeverityIcon(Severity::warning, warningLine_), 0, Qt::AlignTop);
  warning_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), warningLine_);
  warning_->setWordWrap(true);
  warned->addWidget(warning_, 1);
  warningLine_->hide();
  column.addWidget(warningLine_);
  connect(slider_, &QSlider::valueChanged, this, &ChannelRow::show);
  connect(share_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
  show(0);
}

double ChannelRow::removed() const { return slider_ ? slider_->value() / 100.0 : 0; }

void ChannelRow::setRemoved(double share) {
  if (slider_) slider_->setValue(static_cast<int>(std::lround(100 * share)));
}

void ChannelRow::show(int percent) {
  const auto kept = compress::channels_left(layer_.channels, percent / 100.0);
  share_->setValue(percent);
  left_->setText(kept == layer_.channels ? tr("%n channel(s)", nullptr, static_cast<int>(kept))
                                         : tr("%1 → %2 channels").arg(layer_.channels).arg(kept));
  slider_->setToolTip(tr("Keeps %1 of %2 channels").arg(kept).arg(layer_.channels));
  update();
  Q_EMIT removedChanged();
}

void ChannelRow::setWarning(const QString& sentence) {
  if (!warning_) return;
  warning_->setText(sentence);
  warningLine_->setVisible(!sentence.isEmpty());
}

QString ChannelRow::warning() const { return warning_ ? warning_->text() : QString(); }

void ChannelRow::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  if (removed() > 0) {
    p.fillRect(rect(), t.hover);
    p.fillRect(0, 0, 3, height(), t.accent);
  }
  p.fillRect(0, height() - 1, width(), 1, t.border1);
}

}  // namespace nw::ui
