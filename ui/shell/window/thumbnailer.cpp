// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/thumbnailer.hpp"

#include <QApplication>
#include <QBuffer>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "engine/core/json.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/canvas/scene/diagram_export.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int largest_side = 2048;

int refuse(const std::string& sentence, int code) {
  std::fprintf(stderr, "netwright: %s\n", sentence.c_str());
  return code;
}

/// 0: not a side that a thumbnail can have.
int sideIn(std::string_view text) {
  int side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  return error == std::errc() && end == text.data() + text.size() && side > 0 && side <= largest_side ? side : 0;
}

QByteArray pictureOf(const GraphDoc& doc, int side) {
  Session session;
  session.replace(doc, {}, {});
  const GraphScene scene(session);
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  return drawingPicture(scene, side).save(&out, "PNG") ? out.data() : QByteArray();
}

}  // namespace

Result<GraphDoc> drawingIn(const fs::path& file) {
  NW_ASSIGN(const std::string bytes, read_file(file, JsonLimits{}.bytes));
  const std::string name = file.filename().string();
  NW_ASSIGN(const Json json, parse_json(bytes, name));
  if (!json.is_object() || json.contains("format") || !json.contains("schema"))
    return ProjectFile::from_json(json, name);
  NW_ASSIGN(RunDefinition run, run_from_json(json, name));
  return std::move(run.doc);
}

bool asksForThumbnail(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "--thumbnail"; }

int makeThumbnail(int argc, char** argv) {
  const int side = argc == 5 ? sideIn(argv[2]) : 0;
  if (side == 0)
    return refuse("--thumbnail needs a side of 1 to 2048 pixels, a project or run.json, and a PNG file", 2);
  const std::string file = argv[3], picture = argv[4];
  const auto doc = drawingIn(file);
  if (!doc) return refuse(doc.error().str(), 3);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  applyTheme(ThemeMode::light);
  const QByteArray bytes = pictureOf(*doc, side);
  if (bytes.isEmpty()) return refuse("there is not enough memory for the picture", 5);
  const auto done = save_file(picture, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  return done ? 0 : refuse(done.error().str(), 7);
}

}  // namespace nw::ui
