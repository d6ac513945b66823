// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/input_sample.hpp"

#include "engine/design/project_file.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int samplePixels = 72;  // twice the tile, for screens with many pixels

void ask(Session& session, GraphScene& scene) {
  if (!session.dataFacts().known()) return scene.display().setSample({});
  const protocol::SamplesRequest request{
      .source = {session.doc().data()}, .split = "train", .begin = 1, .count = 1, .size = samplePixels};
  session.helper().ask(&scene, request, [&scene](const Result<Message>& answer) {
    if (!answer) return;  // the layer's icon stays
    const Result<std::vector<QImage>> images = images_from(answer->payload, 1, samplePixels, samplePixels);
    if (images && !images->empty()) scene.display().setSample(images->front());
  });
}

}  // namespace

void showInputSample(Session& session, GraphScene& scene) {
  QObject::connect(&session, &Session::dataFactsChanged, &scene, [&session, &scene] { ask(session, scene); });
  ask(session, scene);
}

}  // namespace nw::ui
