// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/calibration.hpp"

#include <algorithm>
#include <memory>

#include "engine/backend/devices.hpp"
#include "engine/compile/flat_network.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/split/split.hpp"
#include "engine/parallel/start_threads.hpp"
#include "engine/parallel/team.hpp"
#include "engine/runs/run_folder.hpp"
#include "kernels/fill_inputs.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw::compress {
namespace {

constexpr std::int64_t batch = 8;

/// In fp32, whatever the precision that it trains in.
Result<GraphDoc> in_single(GraphDoc doc) {
  TrainSettings s = doc.settings();
  s.precision = DType::f32;
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}}));
  (void)undo;
  return doc;
}

/// The network on the processor, with every layer's output to be read.
struct Prepared {
  FlatNetwork flat;
  Compiled compiled;
  ResolvedDevice device;
  std::shared_ptr<Team> team;
  std::unique_ptr<Executable> executable;  // last member, destroyed first
};

Result<Prepared> prepared(const CalibratedNetwork& network) {
  NW_ASSIGN(const GraphDoc doc, in_single(network.doc));
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, doc.settings().threads));
  Prepared p;
  p.device = devices.front();
  const Target target{.training = false, .batch = batch, .device = p.device.device.get(), .every_layer = true};
  NW_ASSIGN(p.flat, flatten(doc, target));
  NW_ASSIGN(p.compiled, compile(doc, target));
  NW_ASSIGN(p.team, start_team(p.device.threads));
  NW_ASSIGN(p.executable, p.device.device->prepare(p.compiled.plan, {.team = p.team.get()}));
  NW_TRY(network.load(p.compiled.plan, *p.executable));
  return p;
}

/// Where the layer's output is in the plan; -1: it is computed together with the loss.
int value_of(const Prepared& p, std::size_t layer) {
  return p.compiled.plan.find(static_cast<int>(layer) == p.flat.input ? "images" : p.flat.layers[layer].name);
}

/// A batch of normalized images, the last ones of a short batch being zeros.
Status fill(const CalibratedNetwork& network, const CalibrationImages& images, std::int64_t first,
            std::span<std::uint8_t> pixels, std::vector<float>& nhwc) {
  const std::int64_t each = images.height * images.width * images.channels;
  const std::int64_t n = std::min(batch, images.count - first);
  std::fill(nhwc.begin(), nhwc.end(), 0.0F);
  for (std::int64_t i = 0; i < n; ++i) {
    NW_TRY(images.pixels(first + i, pixels));
    for (std::int64_t k = 0; k < each; ++k) {
      const auto c = static_cast<std::size_t>(k % images.channels);
      const PixelScale scale{c < network.mean.size() ? network.mean[c] : 0.0F,
                             c < network.deviation.size() ? network.deviation[c] : 1.0F};
      nhwc[static_cast<std::size_t>(i * each + k)] = math::scaled_pixel(pixels[static_cast<std::size_t>(k)], scale);
    }
  }
  return {};
}

Status run(Prepared& p, const std::vector<float>& nhwc, std::int64_t n, std::int64_t each) {
  const NumberInputs inputs(nhwc, each);
  const std::vector<std::int64_t> samples(static_cast<std::size_t>(batch), 0);
  StepArgs args;
  args.valid = args.global_valid = n;
  args.sample = samples.data();
  NW_TRY(write_inputs(inputs, p.compiled.plan, *p.team, *p.executable));
  return p.executable->run(args);
}

void measure(const Prepared& p, std::int64_t n, RangeTable& table) {
  std::vector<float> all;
  for (std::size_t i = 0; i < p.flat.layers.size(); ++i) {
    const int v = value_of(p, i);
    if (v < 0) continue;
    const Shape& shape = p.compiled.plan.values[static_cast<std::size_t>(v)].shape;
    all.resize(static_cast<std::size_t>(shape.elements()));
    p.executable->read(v, std::as_writable_bytes(std::span(all)));
    table[p.flat.layers[i].name].add(std::span(all).first(static_cast<std::size_t>(n * shape.per_sample())));
  }
}

struct TrainingPart {
  OpenedData data;
  Splits splits;
};

}  // namespace

Result<CalibrationImages> calibration_images(const RunDefinition& run, std::int64_t most) {
  auto part = std::make_shared<TrainingPart>();
  NW_ASSIGN(part->data, open_data(run.doc.data(), run.data_dir, run.data_dir.empty()));
  NW_ASSIGN(part->splits, split_data(part->data, run.doc.data()));
  const auto& set = part->data.train;
  if (!set || part->splits.train.empty()) return fail(Errc::bad_input, NW_TR("The data has no training images"));
  if (set->channels() != run.channels || set->height() != run.height || set->width() != run.width)
    return fail(Errc::bad_input, NW_TR("The training images are {0}×{1}×{2}, the network takes {3}×{4}×{5}"),
                set->channels(), set->height(), set->width(), run.channels, run.height, run.width);
  CalibrationImages images{.count = std::min<std::int64_t>(most, std::ssize(part->splits.train)),
                           .height = run.height,
                           .width = run.width,
                           .channels = run.channels};
  images.pixels = [part, count = images.count](std::int64_t i, std::span<std::uint8_t> hwc) {
    const auto& all = part->splits.train;
    return part->data.train->pixels(all[static_cast<std::size_t>(i * std::ssize(all) / count)], hwc);
  };
  return images;
}

Result<RangeTable> calibrate(const CalibratedNetwork& network, const CalibrationImages& images,
                             const std::function<bool(std::int64_t, std::int64_t)>& progress) {
  if (images.count < 1) return fail(Errc::bad_input, NW_TR("There are no images for the calibration"));
  NW_ASSIGN(Prepared p, prepared(network));
  const std::int64_t each = images.height * images.width * images.channels;
  const Shape in = p.flat.layers[static_cast<std::size_t>(p.flat.input)].shape;
  if (in.per_sample() != each) return fail(Errc::bad_input, NW_TR("The images are not of the network's size"));
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(each));
  std::vector<float> nhwc(static_cast<std::size_t>(batch * each));
  RangeTable table;
  for (std::int64_t at = 0; at < images.count; at += batch) {
    const std::int64_t n = std::min(batch, images.count - at);
    NW_TRY(fill(network, images, at, pixels, nhwc));
    NW_TRY(run(p, nhwc, n, each));
    measure(p, n, table);
    if (progress && !progress(at + n, images.count)) return fail(Errc::stopped, NW_TR("The calibration was stopped"));
  }
  return table;
}

}  // namespace nw::compress
