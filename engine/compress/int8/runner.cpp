// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/runner.hpp"

#include <algorithm>

namespace nw::compress::int8 {
namespace {

using nw::int8::block;
using nw::int8::Depthwise;
using nw::int8::Kernels;
using nw::int8::Pair;
using nw::int8::Pool;
using nw::int8::Product;
using nw::int8::Range;
using nw::int8::View;

// Images whose values are computed one layer after the other: so many that weights are read seldom, so few that the
// values stay in a core's cache.
constexpr std::int64_t max_images = 16, cache_bytes = std::int64_t{1} << 20;

/// The worker's part of `count`, in multiples of `unit`.
Range part_of(std::int64_t count, std::int64_t unit, int worker, int size) {
  const std::int64_t units = (count + unit - 1) / unit;
  return {std::min(count, units * worker / size * unit), std::min(count, units * (worker + 1) / size * unit)};
}

void compute(const Kernels& k, const Product& p, std::int64_t images, int worker, int size) {
  constexpr std::int64_t tile = 6, columns = 4;
  const std::int64_t pixels = images * p.out.height * p.out.width, blocks = (p.outputs + block - 1) / block;
  if (size == 1) return k.product(p, {0, pixels}, {0, blocks});
  if (pixels >= 2 * tile * size) return k.product(p, part_of(pixels, tile, worker, size), {0, blocks});
  const std::int64_t unit = blocks >= columns * size ? columns : 1;
  k.product(p, {0, pixels}, part_of(blocks, unit, worker, size));
}

/// Rows that a remap works on.
void remap(const Remap& r, Range rows) {
  for (std::int64_t row = rows.first; row < rows.last; ++row) {
    const std::int64_t image = row / r.out.height, y = row % r.out.height;
    const std::uint8_t* in = r.in.at + image * r.in.image + y * r.in.row;
    std::uint8_t* out = r.out.at + image * r.out.image + y * r.out.row + r.first_channel;
    for (std::int64_t x = 0; x < r.in.width; ++x, out += r.out.channels)
      for (std::int64_t c = 0; c < r.in.channels; ++c) out[c] = r.table[*in++];
  }
}

template <class T>
void set_views(T& step, const std::vector<View>& in, const View& out) {
  if constexpr (std::is_same_v<T, Pair>) {
    step.a = in[0];
    step.b = in[1];
  } else {
    step.in = in[0];
  }
  step.out = out;
}

/// A vector of scores that are no value.
View scores_view(std::int64_t outputs) { return {nullptr, 1, 1, outputs, outputs, outputs}; }

}  // namespace

Runner::Runner(Network network, const Kernels& kernels, Team& team)
    : network_(std::move(network)), kernels_(&kernels), team_(&team) {}

Result<Runner> Runner::make(Network network, const Kernels& kernels, Team& team) {
  constexpr std::int64_t max_bytes = std::int64_t{1} << 34;
  const std::int64_t each = network.bytes_per_image();
  if (each > max_bytes / team.size())
    return fail(Errc::out_of_memory, NW_TR("The values of one image take {0} bytes in each thread"), each);
  Runner r(std::move(network), kernels, team);
  r.group_ = std::clamp(cache_bytes / std::max<std::int64_t>(1, each), std::int64_t{1}, max_images);
  NW_TRY(r.prepare());
  return r;
}

Status Runner::prepare() {
  for (const Step& s : network_.steps)
    if (const auto* p = std::get_if<Product>(&s.what)) {
      const Extent& out = network_.values[static_cast<std::size_t>(std::max(0, s.output))];
      const std::int64_t pixels = s.output < 0 ? 1 : out.height * out.width;
      multiply_adds_ += pixels * std::ssize(p->constants->weights);
    }
  for (int w = 0; w < team_->size(); ++w) {
    NW_ASSIGN(Arena arena, make_arena());
    arenas_.push_back(std::move(arena));
  }
  for (int w = 0; w < team_->size(); ++w)
    workers_.push_back({steps_on(arenas_[static_cast<std::size_t>(w)]), steps_on(arenas_.front())});
  return {};
}

Result<Runner::Arena> Runner::make_arena() const {
  Arena a;
  for (const Extent& e : network_.values) {
    const std::int64_t all = group_ * e.bytes();
    a.values.emplace_back(static_cast<std::size_t>(all + nw::int8::slack_bytes), e.zero);
    a.views.push_back({a.values.back().data() + e.border * (e.row() + e.channels), e.height, e.width, e.channels,
                       e.row(), e.bytes()});
  }
  for (const RealSource& source : network_.real) {
    NW_ASSIGN(auto layer, RealLayer::make(source.layer, source.weights, group_));
    a.real.push_back(std::move(layer));
  }
  return a;
}

std::vector<Step> Runner::steps_on(const Arena& arena) const {
  std::vector<Step> steps = network_.steps;
  for (Step& s : steps) {
    std::vector<View> in;
    for (const int v : s.inputs) in.push_back(arena.views[static_cast<std::size_t>(v)]);
    const View out = s.output < 0 ? scores_view(network_.outputs) : arena.views[static_cast<std::size_t>(s.output)];
    std::visit([&](auto& what) { set_views(what, in, out); }, s.what);
  }
  return steps;
}

std::int64_t Runner::memory_bytes() const {
  std::int64_t weights = 0;
  for (const Step& s : network_.steps)
    if (const auto* p = std::get_if<Product>(&s.what)) weights += std::ssize(p->constants->weights);
  return weights + std::ssize(arenas_) * group_ * network_.bytes_per_image();
}

void Runner::load(const Extent& e, const View& to, std::span<const float> nhwc, Range rows) const {
  const std::int64_t each = e.width * e.channels;
  for (std::int64_t row = rows.first; row < rows.last; ++row)
    kernels_->quantize(nhwc.data() + row * each, to.at + row / e.height * to.image + row % e.height * to.row, each,
                       e.scale, e.zero);
}

/// By one worker, for the layer's executable is one.
void Runner::compute_real(const Real& r, const Step& step, std::int64_t images, Arena& arena) const {
  const Extent &in = network_.values[static_cast<std::size_t>(step.inputs.front())],
               &out = network_.values[static_cast<std::size_t>(step.output)];
  const std::int64_t area = in.height * in.width, each = area * in.channels;
  arena.nhwc.resize(static_cast<std::size_t>(images * each));
  for (std::int64_t i = 0; i < images * each; ++i) {
    const std::int64_t image = i / each, c = i % each / area, pixel = i % area;
    const std::uint8_t q =
        r.in.at[image * r.in.image + pixel / in.width * r.in.row + pixel % in.width * in.channels + c];
    arena.nhwc[static_cast<std::size_t>(i)] = static_cast<float>(q - in.zero) * in.scale;
  }
  if (arena.done) arena.done = arena.real[r.at]->run(arena.nhwc, images, arena.numbers);
  if (!arena.done) return;
  const std::int64_t pixels = out.height * out.width, numbers = pixels * out.channels;
  arena.nhwc.resize(static_cast<std::size_t>(images * numbers));
  for (std::int64_t i = 0; i < images * numbers; ++i)
    arena.nhwc[static_cast<std::size_t>(i)] = arena.numbers[static_cast<std::size_t>(
        i / numbers * numbers + i % out.channels * pixels + i % numbers / out.channels)];
  load(out, r.out, arena.nhwc, {0, images * out.height});
}

void Runner::compute(Step& step, const Share& share, Arena& arena, float* scores) const {
  const auto rows = [&](const View& out) { return part_of(share.images * out.height, 1, share.worker, share.size); };
  if (auto* p = std::get_if<Product>(&step.what)) {
    if (step.output < 0) p->scores = scores;
    return int8::compute(*kernels_, *p, share.images, share.worker, share.size);
  }
  if (const auto* d = std::get_if<Depthwise>(&step.what)) return kernels_->depthwise(*d, rows(d->out));
  if (const auto* p = std::get_if<Pool>(&step.what)) return kernels_->pool(*p, rows(p->out));
  if (const auto* p = std::get_if<Pair>(&step.what)) return kernels_->pair(*p, rows(p->out));
  if (const auto* r = std::get_if<Remap>(&step.what)) return remap(*r, rows(r->out));
  if (const auto* r = std::get_if<Real>(&step.what); r && share.worker == 0)
    compute_real(*r, step, share.images, arena);
}

void Runner::read_scores(const Arena& arena, std::int64_t images, float* scores) const {
  if (network_.output < 0) return;
  const auto v = static_cast<std::size_t>(network_.output);
  const Extent& e = network_.values[v];
  for (std::int64_t i = 0; i < images; ++i)
    for (std::int64_t k = 0; k < network_.outputs; ++k)
      *scores++ = static_cast<float>(arena.views[v].at[i * arena.views[v].image + k] - e.zero) * e.scale;
}

void Runner::run_alone(Range own, int worker, std::span<const float> nhwc, float* scores) {
  const Extent& e = network_.values.front();
  const std::int64_t each = e.height * e.width * e.channels;
  Arena& arena = arenas_[static_cast<std::size_t>(worker)];
  for (std::int64_t at = own.first; at < own.last; at += group_) {
    const std::int64_t n = std::min(group_, own.last - at);
    load(e, arena.views.front(), nhwc.subspan(static_cast<std::size_t>(at * each)), {0, n * e.height});
    for (Step& step : workers_[static_cast<std::size_t>(worker)].own)
      compute(step, {0, 1, n}, arena, scores + at * network_.outputs);
    read_scores(arena, n, scores + at * network_.outputs);
  }
}

void Runner::run_together(int worker, std::span<const float> nhwc, std::int64_t count, float* scores) {
  Arena& arena = arenas_.front();
  const Range rows = part_of(count * network_.values.front().height, 1, worker, team_->size());
  load(network_.values.front(), arena.views.front(), nhwc, rows);
  team_->barrier(worker);
  for (Step& step : workers_[static_cast<std::size_t>(worker)].shared) {
    compute(step, {worker, team_->size(), count}, arena, scores);
    team_->barrier(worker);
  }
  if (worker == 0) read_scores(arena, count, scores);
}

Status Runner::run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores) {
  scores.resize(static_cast<std::size_t>(count * network_.outputs));
  // Waking a thread takes as long as some ten million multiply-adds.
  constexpr std::int64_t worth_a_thread = 8'000'000;
  if (team_->size() == 1 || count * multiply_adds_ < worth_a_thread)
    run_alone({0, count}, 0, nhwc, scores.data());
  else
    run_on_team(nhwc, count, scores.data());
  for (const Arena& arena : arenas_) NW_TRY(arena.done);
  return {};
}

void Runner::run_on_team(std::span<const float> nhwc, std::int64_t count, float* scores) {
  const bool together = count < team_->size() && count <= group_;
  team_->run([&](int worker) {
    if (together)
      run_together(worker, nhwc, count, scores);
    else
      run_alone(part_of(count, 1, worker, team_->size()), worker, nhwc, scores);
  });
}

}  // namespace nw::compress::int8
