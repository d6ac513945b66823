// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/diagram_export.hpp"

#include <QBuffer>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "engine/core/files.hpp"
#include "engine/core/png_text.hpp"
#include "engine/design/project_file.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/tikz_device.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr qreal margin = 32, sharpness = 2;
constexpr qreal largest_side = 8000;                      // pixels of a PNG; Qt reads images of up to 256 MiB
const QString project_key = QStringLiteral("netwright");  // a PNG text chunk's keyword

/// A separate scene, so that nothing is selected in it and no gesture is under way.
struct Drawing {
  explicit Drawing(const GraphScene& shown) : scene(shown.session()) {
    scene.setScope(shown.scope());
    scene.display().setShowShapes(shown.display().showShapes());
    scene.display().setShowCounts(shown.display().showCounts());
    scene.display().setSample(shown.display().sample());
    area = scene.elements().contentRect().adjusted(-margin, -margin, margin, margin);
  }
  void paint(QPainter& p) {
    const QRectF page({0, 0}, area.size());
    p.setRenderHint(QPainter::Antialiasing);
    p.fillRect(page, theme().canvas);
    scene.render(&p, page, area);
    p.translate(-area.topLeft());
    scene.elements().paintLabels(p, area, 1);
  }
  GraphScene scene;
  QRectF area;
};

QByteArray svg(Drawing& drawing, const QString& title) {
  QBuffer out;
  QSvgGenerator generator;
  generator.setOutputDevice(&out);
  generator.setSize(drawing.area.size().toSize());
  generator.setViewBox(QRectF({0, 0}, drawing.area.size()));
  generator.setTitle(title);
  QPainter p(&generator);
  drawing.paint(p);
  p.end();
  return out.data();
}

QByteArray pdf(Drawing& drawing, const QString& title) {
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  QPdfWriter writer(&out);
  writer.setTitle(title);
  writer.setResolution(72);  // a unit of the drawing is a point
  writer.setPageLayout({QPageSize(drawing.area.size(), QPageSize::Point), QPageLayout::Portrait, QMarginsF()});
  QPainter p(&writer);
  drawing.paint(p);
  p.end();
  return out.data();
}

QByteArray tikz(Drawing& drawing, const QString& title) {
  TikzDevice device(drawing.area.size(), title);
  QPainter p(&device);
  drawing.paint(p);
  p.end();
  return device.document().toUtf8();
}

/// Null: there is not enough memory.
QImage pixels(Drawing& drawing, qreal most, qreal side) {
  const qreal scale = std::min(most, side / std::max(drawing.area.width(), drawing.area.height()));
  QImage image((drawing.area.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  QPainter p(&image);
  p.scale(scale, scale);
  drawing.paint(p);
  return image;
}

QByteArray png(Drawing& drawing, const GraphDoc& doc) {
  QImage image = pixels(drawing, sharpness, largest_side);
  if (image.isNull()) return {};
  image.setText(project_key, QString::fromStdString(ProjectFile::text(doc)));
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  return image.save(&out, "PNG") ? out.data() : QByteArray();
}

}  // namespace

Status exportDrawing(const GraphScene& shown, const QString& file) {
  Drawing drawing(shown);
  const QString title = shown.session().displayName();
  const QByteArray bytes = file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)   ? svg(drawing, title)
                           : file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive) ? pdf(drawing, title)
                           : file.endsWith(QLatin1String(".tex"), Qt::CaseInsensitive) ? tikz(drawing, title)
                                                                                       : png(drawing, shown.doc());
  if (bytes.isEmpty())
    return fail(Errc::out_of_memory, NW_TR("{0}: there is not enough memory for an image of this size"),
                file.toStdString());
  return save_file(fs::path(file.toStdString()),
                   std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

QImage drawingPicture(const GraphScene& shown, int side) {
  Drawing drawing(shown);
  return pixels(drawing, sharpness, side);
}

Result<GraphDoc> projectInPicture(const QString& file) {
  constexpr std::uint64_t max_bytes = std::uint64_t{256} << 20;
  const std::string where = file.toStdString();
  NW_ASSIGN(const std::string bytes, read_file(where, max_bytes));
  NW_ASSIGN(const auto text, png_text(bytes, project_key.toStdString(), JsonLimits{}.bytes, where));
  if (!text || text->empty())
    return fail(Errc::bad_input, NW_TR("{0}: this image contains no project; open a PNG that Netwright exported"),
                where);
  return ProjectFile::parse(*text, where);
}

}  // namespace nw::ui
