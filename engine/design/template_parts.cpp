// SPDX-License-Identifier: Apache-2.0
#include "engine/design/template_parts.hpp"

#include <cassert>

namespace nw::drawing {
namespace {

void put(GraphDoc& doc, const Edit& edit) {
  const auto undo = doc.apply(edit);
  assert(undo && "a template draws what a document takes");
  (void)undo;
}

}  // namespace

void set(GraphDoc& doc, const DataChoice& data, const TrainSettings& settings) {
  put(doc, {PutData{data}, PutSettings{settings}});
}

void define_block(GraphDoc& doc, const std::string& name, std::vector<BlockParameter> parameters) {
  put(doc, {PutBlock{name, Block{.parameters = std::move(parameters)}}});
}

TrainSettings adam(double learning_rate) {
  TrainSettings s;
  s.optimizer.choose("adam");
  s.learning_rate = learning_rate;
  return s;
}

AttrMap image(Int channels, Int size) { return {{"channels", channels}, {"height", size}, {"width", size}}; }
AttrMap outputs(Int n) { return {{"out_features", n}}; }

AttrMap conv(Int filters, Int kernel, Int padding) {
  AttrMap attrs = {{"out_channels", filters}, {"kernel_size", both(kernel)}};
  if (padding > 0) attrs["padding"] = both(padding);
  return attrs;
}

AttrMap plain_conv(Attr filters, Attr kernel, Attr padding, Attr stride) {
  const auto sized = [](Attr a) { return std::holds_alternative<Int>(a) ? Attr(both(std::get<Int>(a))) : a; };
  AttrMap attrs = {{"out_channels", std::move(filters)}, {"kernel_size", sized(std::move(kernel))}, {"bias", false}};
  if (padding != Attr(Int{0})) attrs["padding"] = sized(std::move(padding));
  if (stride != Attr(both(1))) attrs["stride"] = sized(std::move(stride));
  return attrs;
}

DataChoice from(SourceKind kind) {
  DataChoice d;
  d.kind = kind;
  return d;
}

DataChoice own_images(Int size) {
  DataChoice d = from(SourceKind::image_folder);
  d.channels = 3;
  d.height = d.width = size;
  return d;
}

TrainSettings cifar_settings(double learning_rate) {
  TrainSettings s;
  s.epochs = 30;
  s.batch = 128;
  s.learning_rate = learning_rate;
  s.l2 = 5e-4;
  s.schedule = ScheduleKind::cosine;
  s.warmup_epochs = 1;
  s.random_crop = true;
  s.horizontal_flip = true;
  return s;
}

TrainSettings photo_settings(double learning_rate) {
  TrainSettings s = cifar_settings(learning_rate);
  s.batch = 32;
  s.l2 = 1e-4;
  s.crop_padding = 16;
  return s;
}

}  // namespace nw::drawing
