// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/real_layer.hpp"

#include <algorithm>

#include "engine/backend/devices.hpp"
#include "engine/design/draft.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/parallel/team.hpp"

namespace nw::compress::int8 {
namespace {

constexpr const char* alone = "layer";

/// The largest width that an input may have and that divides the numbers.
std::int64_t width_for(std::int64_t numbers) {
  std::int64_t width = std::min<std::int64_t>(numbers, 4096);
  while (numbers % width != 0) --width;
  return width;
}

/// A network of the one layer, from images or vectors to vectors.
Result<GraphDoc> document_of(const FlatLayer& l) {
  const auto fits = [](const Shape& s) { return s.rank() == 2 || s.rank() == 4; };
  if (l.inputs.size() != 1 || !fits(l.input_shapes[0]) || !fits(l.shape))
    return fail(Errc::bad_input, NW_TR("{0}: a {1} layer cannot be computed in 8 bits"), l.name, l.type->name);
  const Shape& in = l.input_shapes[0];
  const std::int64_t width = width_for(in.per_sample());
  GraphDoc doc;
  Draft d(doc);
  // The input has few channels at most: as many pixels of one channel instead.
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", in.per_sample() / width}, {"width", width}});
  if (in.rank() == 2)
    d.add("Flatten", "vector");
  else
    d.add("Reshape", "image", {{"channels", in[1]}, {"height", in[2]}, {"width", in[3]}});
  d.add(std::string(l.type->name), alone, l.attrs.values());
  if (l.shape.rank() == 4) d.add("Flatten", "flatten");
  d.add("MSE", "loss");
  return doc;
}

exchange::Weights own_weights(const FlatLayer& l, const exchange::Weights& all) {
  exchange::Weights own;
  for (const Weight& w : l.weights) {
    const auto it = all.find(exchange::weight_name(l.name, w.name));
    if (it != all.end()) own[exchange::weight_name(alone, w.name)] = it->second;
  }
  return own;
}

}  // namespace

Result<std::unique_ptr<RealLayer>> RealLayer::make(const FlatLayer& l, const exchange::Weights& weights,
                                                   std::int64_t batch) {
  NW_ASSIGN(const GraphDoc doc, document_of(l));
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, 1));
  auto made = std::unique_ptr<RealLayer>(new RealLayer());
  made->device_ = devices.front().device;
  NW_ASSIGN(made->compiled_, compile(doc, {.training = false, .batch = batch, .device = made->device_.get()}));
  NW_ASSIGN(made->team_, start_team(1));
  NW_ASSIGN(made->executable_, made->device_->prepare(made->compiled_.plan, {.team = made->team_.get()}));
  NW_TRY(exchange::write_weights(made->compiled_.plan, own_weights(l, weights), *made->executable_));
  made->output_ = made->compiled_.plan.find(made->compiled_.output);
  if (made->output_ < 0) return fail(Errc::other, NW_TR("The network has no output"));
  return made;
}

Status RealLayer::run(std::span<const float> in, std::int64_t count, std::vector<float>& numbers) {
  return exchange::run_batch(compiled_.plan, *executable_, in, count, output_, numbers);
}

}  // namespace nw::compress::int8
