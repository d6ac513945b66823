// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.hpp"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPalette>
#include <QSvgRenderer>
#include <memory>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

QByteArray source(const QString& name) {
  static QHash<QString, QByteArray> sources;
  const auto found = sources.constFind(name);
  if (found != sources.constEnd()) return *found;
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  const bool there = file.open(QIODevice::ReadOnly);
  if (!there && !name.startsWith(QLatin1String("layer-"))) qWarning("No icon named \"%s\"", qPrintable(name));
  return *sources.insert(name, there ? file.readAll() : QByteArray());
}

/// Parsed SVGs are cached per colour and stroke width; pixmaps are not, so every pixel ratio is sharp.
QSvgRenderer* renderer(const QString& name, const QColor& colour, const char* stroke) {
  static QHash<QString, std::shared_ptr<QSvgRenderer>> cache;
  const QString key = name + colour.name(QColor::HexArgb) + QLatin1String(stroke);
  const auto found = cache.constFind(key);
  if (found != cache.constEnd()) return found->get();
  QByteArray svg = source(name);
  if (svg.isEmpty()) return nullptr;
  svg.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
  svg.replace("stroke-width=\"1.75\"", QByteArray("stroke-width=\"") + stroke + "\"");
  if (cache.size() > 2000) cache.clear();
  return cache.insert(key, std::make_shared<QSvgRenderer>(svg))->get();
}

/// Small drawings need a bolder line to carry the same weight.
const char* strokeFor(qreal size) { return size < 13 ? "2.4" : size < 16 ? "2.0" : "1.75"; }

void draw(QPainter& p, const QString& name, const QRectF& where, const QColor& colour, const char* stroke) {
  QSvgRenderer* drawing = renderer(name, colour, stroke);
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  if (!drawing) {
    p.setPen(QPen(colour, 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(where.adjusted(where.width() / 4, where.height() / 4, -where.width() / 4, -where.height() / 4));
  } else {
    p.setOpacity(p.opacity() * colour.alphaF());
    drawing->render(&p, where);
  }
  p.restore();
}

QColor colourOf(QIcon::Mode mode, bool quiet) {
  if (quiet && mode != QIcon::Disabled) return theme().text2;
  return QGuiApplication::palette().color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Normal,
                                          QPalette::WindowText);
}

class Engine : public QIconEngine {
 public:
  Engine(QString name, bool quiet) : name_(std::move(name)), quiet_(quiet) {}
  void paint(QPainter* p, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    draw(*p, name_, rect, colourOf(mode, quiet_), strokeFor(qMin(rect.width(), rect.height())));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    draw(p, name_, QRect(QPoint(), size), colourOf(mode, quiet_),
         strokeFor(qMin(size.width(), size.height()) / qMax(scale, 1.0)));
    return pixmap;
  }
  QIconEngine* clone() const override { return new Engine(name_, quiet_); }
  QString key() const override { return QStringLiteral("netwright"); }
  QString iconName() override { return name_; }

 private:
  QString name_;
  bool quiet_;
};

QString groupIcon(const QString& group) {
  static const QHash<QString, QString> names = {
      {QStringLiteral("Input"), QStringLiteral("layer-input")},
      {QStringLiteral("Convolution"), QStringLiteral("layer-conv2d")},
      {QStringLiteral("Pooling"), QStringLiteral("layer-maxpool2d")},
      {QStringLiteral("Normalization"), QStringLiteral("layer-batchnorm2d")},
      {QStringLiteral("Activation"), QStringLiteral("layer-relu")},
      {QStringLiteral("Linear"), QStringLiteral("layer-linear")},
      {QStringLiteral("Attention"), QStringLiteral("layer-multiheadattention")},
      {QStringLiteral("Regularization"), QStringLiteral("layer-dropout")},
      {QStringLiteral("Shape"), QStringLiteral("layer-flatten")},
      {QStringLiteral("Loss"), QStringLiteral("layer-crossentropy")},
  };
  return names.value(group, QStringLiteral("layer-unknown"));
}

}  // namespace

void paintIcon(QPainter& p, const QString& name, const QRectF& where, const QColor& colour) {
  draw(p, name, where, colour, strokeFor(qMin(where.width(), where.height())));
}

QIcon icon(const QString& name, bool quiet) { return QIcon(new Engine(name, quiet)); }

QString layerIcon(const QString& type, const QString& group) {
  const QString own = QStringLiteral("layer-") + type.toLower();
  return source(own).isEmpty() ? groupIcon(group) : own;
}

}  // namespace nw::ui
