// SPDX-License-Identifier: Apache-2.0
#include "engine/design/recipe.hpp"

#include <algorithm>
#include <cmath>

namespace nw {
namespace {

constexpr std::int64_t first_large = 96;                  // pixels; from here on networks begin with strided layers
constexpr double images_of_a_run = 135'000;               // the length of a training, in images
constexpr std::int64_t enough_without_transforms = 2000;  // docs/performance.md, "Own photos"
constexpr std::int64_t enough_for_residual = 2000, enough_for_large = 5000;

std::int64_t smaller_side(const PhotoSet& p) { return std::min(p.height, p.width); }

std::string_view template_of(const Recipe& r) {
  const RecipeNetwork* network = find_recipe_network(r.network);
  return r.size < first_large ? network->small : network->large;
}

/// Sets attributes of the top-level node with this name; the templates have it.
void set_node(GraphDoc& doc, std::string_view name, const AttrMap& attrs) {
  for (const auto& [id, node] : doc.graph("").nodes) {
    if (node.name != name) continue;
    Node changed = node;
    for (const auto& [attr, value] : attrs) changed.attrs[attr] = value;
    if (doc.apply({PutNode{"", id, std::move(changed)}})) return;
  }
}

}  // namespace

std::span<const RecipeNetwork> recipe_networks() {
  static const RecipeNetwork list[] = {
      {"convnet", text(NW_TR("Small ConvNet")), "convnet-tiny", "convnet-tiny"},
      {"resnet18", text(NW_TR("ResNet-18")), "resnet18-cifar", "resnet18"},
  };
  return list;
}

const RecipeNetwork* find_recipe_network(std::string_view name) {
  for (const RecipeNetwork& n : recipe_networks())
    if (n.name == name) return &n;
  return nullptr;
}

std::span<const std::int64_t> recipe_sizes() {
  static const std::int64_t sizes[] = {32, 64, 128, 224};
  return sizes;
}

Recipe recommended_recipe(const PhotoSet& photos, bool gpu) {
  const std::int64_t side = smaller_side(photos);
  const bool residual = gpu && photos.images >= enough_for_residual;
  if (residual && side >= 128 && photos.images >= enough_for_large) return {"resnet18", 224};
  return {residual ? "resnet18" : "convnet", side > 48 ? 64 : 32};
}

std::vector<Transform> recipe_transforms(std::int64_t images) {
  if (images >= enough_without_transforms) return {};
  return {default_transform(*find_transform("RandAugment"))};
}

TrainSettings recipe_settings(TrainSettings s, std::int64_t images) {
  const std::int64_t batch = images < 2000 ? 32 : images < 20'000 ? 64 : 128;
  s.learning_rate *= static_cast<double>(batch) / static_cast<double>(s.batch);
  s.batch = batch;
  const double epochs = images_of_a_run / static_cast<double>(std::max<std::int64_t>(images, 1));
  s.epochs = std::llround(std::clamp(epochs, 15.0, 100.0));
  s.transforms = recipe_transforms(images);
  s.warmup_epochs = std::max(1.0, std::round(static_cast<double>(s.epochs) / 20));
  return s;
}

GraphDoc make_recipe(const Recipe& recipe, DataChoice data, const PhotoSet& photos, const std::string& device) {
  GraphDoc doc = new_project(*find_template(template_of(recipe)));
  data.channels = 3;
  data.height = data.width = recipe.size;
  const auto training = static_cast<std::int64_t>((1 - data.validation_fraction) * static_cast<double>(photos.images));
  TrainSettings settings = recipe_settings(doc.settings(), training);
  settings.devices = {device};
  (void)static_cast<bool>(doc.apply({PutData{std::move(data)}, PutSettings{settings}}));
  set_node(doc, "images", {{"channels", std::int64_t{3}}, {"height", recipe.size}, {"width", recipe.size}});
  if (photos.classes > 0) set_node(doc, "fc", {{"out_features", photos.classes}});
  return doc;
}

}  // namespace nw
