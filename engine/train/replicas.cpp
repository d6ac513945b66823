// SPDX-License-Identifier: Apache-2.0
#include "engine/train/replicas.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/data/batches/batch.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/not_finite.hpp"
#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

std::size_t bytes_of(const Value& v) { return static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype); }

}  // namespace

Replicas::~Replicas() = default;

Status Replicas::Share::load(Executable& run) const { return all->load(*rank, run, rank->training, *batch, true); }

Result<std::unique_ptr<Replicas>> Replicas::make(const GraphDoc& doc, const DataFacts& facts,
                                                 std::vector<FoundDevice> devices, bool profile) {
  std::unique_ptr<Replicas> made(new Replicas);
  made->profile_ = profile;
  NW_TRY(made->prepare(doc, facts, std::move(devices)));
  return made;
}

Status Replicas::prepare(const GraphDoc& doc, const DataFacts& facts, std::vector<FoundDevice> devices) {
  const auto world = static_cast<std::int64_t>(devices.size());
  const std::int64_t batch = doc.settings().batch;
  if (batch < world)
    return fail(Errc::usage, NW_TR("a batch of {0} cannot be shared by {1} devices; make it larger"), batch, world);
  share_ = (batch + world - 1) / world;
  own_statistics_ = world > 1 && !doc.settings().sync_batch_norm;
  if (world > 1)
    for (auto& inner : make_local_communicators(static_cast<int>(world)))
      communicators_.push_back(std::make_unique<TimedCommunicator>(std::move(inner)));
  threads_ = make_team(static_cast<int>(world));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto rank = std::make_unique<Rank>();
    rank->rank = static_cast<int>(i);
    rank->device = devices[i].device;
    rank->team = make_team(devices[i].threads);
    rank->communicator = world > 1 ? communicators_[i].get() : nullptr;
    ranks_.push_back(std::move(rank));
  }
  // All at once: GPUs of one run have to meet before their steps can be prepared.
  return on_all([&](Rank& r) { return prepare_rank(r, doc, facts, *r.device); });
}

Status Replicas::prepare_rank(Rank& r, const GraphDoc& doc, const DataFacts& facts, const Device& device) {
  Target target{.training = true,
                .batch = share_,
                .world = r.communicator ? r.communicator->world() : 1,
                .device = &device,
                .data = facts};
  NW_ASSIGN(r.training, compile(doc, target));
  target.training = false;
  target.world = 1;
  NW_ASSIGN(r.evaluation, compile(doc, target));
  // one area serves both in turn
  r.training.plan.arena_bytes = std::max(r.training.plan.arena_bytes, r.evaluation.plan.arena_bytes);
  NW_ASSIGN(r.train, device.prepare(r.training.plan,
                                    {.team = r.team.get(), .communicator = r.communicator, .profile = profile_}));
  NW_ASSIGN(r.evaluate, device.prepare(r.evaluation.plan,
                                       {.team = r.team.get(), .weights_from = r.train.get(), .takes_turns = true}));
  return {};
}

// All devices at once, each on its thread. One that fails wakes those that wait for it; the first error by rank is
// told, but "another device is gone" only when nothing better is known.
Status Replicas::on_all(const std::function<Status(Rank&)>& work) {
  std::vector<Status> done(ranks_.size());
  threads_->run([&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    done[r] = work(*ranks_[r]);
    if (!done[r] && ranks_[r]->communicator) ranks_[r]->communicator->abort();
  });
  const Status* told = nullptr;
  for (const Status& s : done)
    if (!s && (!told || told->error().code == Errc::stopped)) told = &s;
  return told ? *told : Status();
}

std::int64_t Replicas::image_elements() const {
  const Plan& plan = ranks_.front()->training.plan;
  return plan.values[static_cast<std::size_t>(plan.find("images"))].shape.per_sample();
}

std::int64_t Replicas::target_width() const {
  const Plan& plan = ranks_.front()->training.plan;
  const int targets = plan.find("targets");
  return targets < 0 ? 0 : plan.values[static_cast<std::size_t>(targets)].shape.per_sample();
}

std::int64_t Replicas::parameters() const {
  std::int64_t count = 0;
  for (const Value& v : ranks_.front()->training.plan.values)
    if (v.role == Role::weight) count += v.shape.elements();
  return count;
}

std::int64_t Replicas::memory_bytes() const {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < world(); ++rank) bytes += memory_bytes_of(rank);
  return bytes;
}

std::int64_t Replicas::memory_bytes_of(int rank) const {
  const Rank& r = *ranks_[static_cast<std::size_t>(rank)];
  return r.train->memory_bytes() + r.evaluate->memory_bytes();
}

double Replicas::reduce_seconds() const { return communicators_.empty() ? 0 : communicators_.front()->seconds(); }

int Replicas::threads() const {
  int sum = 0;
  for (const auto& r : ranks_) sum += r->team->size();
  return sum;
}

bool Replicas::own_memory() const { return ranks_.front()->device->name().starts_with("cuda"); }

const Plan& Replicas::plan() const { return ranks_.front()->training.plan; }
std::vector<StepTime> Replicas::step_times() const { return ranks_.front()->train->step_times(); }

std::vector<std::string> Replicas::choices() const { return ranks_.front()->train->choices(); }

Status Replicas::start_weights(std::uint64_t seed) {
  const Plan& plan = ranks_.front()->training.plan;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (!is_model(v)) continue;
    std::vector<std::byte> bytes(bytes_of(v));  // counters start at zero
    if (v.dtype == DType::f32) {
      std::vector<float> values(static_cast<std::size_t>(v.shape.elements()));
      NW_TRY(initial_values(v, seed, values));
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    for (auto& r : ranks_) r->train->write(static_cast<int>(i), bytes);
  }
  return {};
}

// All threads of the device make the images of its share, where the device wants them.
Status Replicas::load_images(Rank& r, Executable& run, int value, const Batch& batch) const {
  const std::int64_t elements = image_elements(), threads = r.team->size();
  auto* area = static_cast<float*>(run.input_area(value));
  if (!area) r.images.resize(static_cast<std::size_t>(share_ * elements));
  float* const to = area ? area : r.images.data();
  std::vector<Status> made(static_cast<std::size_t>(threads));
  r.team->run([&](int worker) {
    const std::int64_t begin = share_ * worker / threads, end = share_ * (worker + 1) / threads;
    made[static_cast<std::size_t>(worker)] =
        batch.make(share_ * r.rank + begin, end - begin,
                   {to + begin * elements, static_cast<std::size_t>((end - begin) * elements)});
  });
  for (const Status& s : made) NW_TRY(s);
  if (!area) run.write(value, std::as_bytes(std::span(r.images)));
  return {};
}

// `images`: also those; otherwise the step makes them itself.
Status Replicas::load(Rank& r, Executable& run, const Compiled& compiled, const Batch& batch, bool images) const {
  const auto first = static_cast<std::size_t>(share_ * r.rank), count = static_cast<std::size_t>(share_);
  const auto put = [&](const char* name, std::span<const std::byte> bytes) {
    const int value = compiled.plan.find(name);
    if (value < 0) return;
    if (void* area = run.input_area(value))
      std::memcpy(area, bytes.data(), bytes.size());
    else
      run.write(value, bytes);
  };
  const auto width = static_cast<std::size_t>(target_width());
  put("labels", std::as_bytes(std::span(batch.labels).subspan(first, count)));
  if (width > 0) put("targets", std::as_bytes(std::span(batch.targets).subspan(first * width, count * width)));
  return images ? load_images(r, run, compiled.plan.find("images"), batch) : Status();
}

Status Replicas::load_unless_kept(Rank& r, Executable& run, const Compiled& compiled, const Batch& batch) const {
  return kept(r, batch) ? Status() : load(r, run, compiled, batch, !run.makes_images());
}

const KeptSamples* Replicas::kept(const Rank& r, const Batch& batch) const {
  const auto it = batch.source ? r.kept.find(batch.source->maker) : r.kept.end();
  return it != r.kept.end() ? it->second.get() : nullptr;
}

StepArgs Replicas::args_for(Rank& r, const Batch& batch, StepArgs args, std::size_t ahead) const {
  if (r.shares.size() <= ahead) r.shares.resize(ahead + 1);
  Share& share = r.shares[ahead];
  share.all = this;
  share.rank = &r;
  share.batch = &batch;
  share.offset = share_ * r.rank;
  share.pixels_from = in_place(batch);
  args.images = &share;
  args.kept = kept(r, batch);
  args.valid = std::clamp<std::int64_t>(batch.valid - share_ * r.rank, 0, share_);
  args.global_valid = batch.valid;
  args.sample = batch.samples.data() + share_ * r.rank;
  return args;
}

Result<StepMetrics> Replicas::train(const Batch& batch, StepArgs args) {
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_TRY(load_unless_kept(r, *r.train, r.training, batch));
    return r.train->run(args_for(r, batch, args));
  }));
  StepMetrics m = ranks_.front()->train->metrics();  // reduced: the same on every rank
  m.finite = m.finite && std::isfinite(m.loss_sum);
  return m;
}

namespace {

// Found by trying those next to what two entries of the table tell; none: the table says something else.
std::optional<PixelScale> scale_of(std::span<const float> table) {
  constexpr int steps = 4;
  constexpr float up = std::numeric_limits<float>::infinity();
  const auto first = [](double v) {
    auto f = static_cast<float>(v);
    for (int i = 0; i < steps; ++i) f = std::nextafter(f, -up);
    return f;
  };
  const double range = static_cast<double>(table[255]) - static_cast<double>(table[0]);
  const float first_mean = first(-static_cast<double>(table[0]) / range);
  float deviation = first(1 / range);
  for (int i = 0; i <= 2 * steps; ++i, deviation = std::nextafter(deviation, up)) {
    float mean = first_mean;
    for (int j = 0; j <= 2 * steps; ++j, mean = std::nextafter(mean, up)) {
      std::size_t v = 0;
      while (v < 256 && (static_cast<float>(v) / 255.0F - mean) / deviation == table[v]) ++v;
      if (v == 256) return PixelScale{mean, deviation};
    }
  }
  return std::nullopt;
}

std::vector<PixelScale> scales_of(const SampleSet& set) {
  std::vector<PixelScale> scales;
  for (std::size_t c = 0; c < static_cast<std::size_t>(set.channels); ++c) {
    const auto scale = scale_of(std::span(set.table).subspan(256 * c, 256));
    if (!scale) return {};
    scales.push_back(*scale);
  }
  return scales;
}

}  // namespace

const Replicas::PixelsInPlace* Replicas::in_place(const Batch& batch) const {
  const auto it = batch.source ? in_place_.find(batch.source->maker) : in_place_.end();
  if (it == in_place_.end()) return nullptr;
  const bool moved = batch.source->augment && (it->second.set.mirror || it->second.set.crop_padding > 0);
  return moved ? nullptr : &it->second;
}

Status Replicas::keep(const BatchMaker& maker) {
  const auto set = maker.samples();
  if (!set) return {};
  in_place_[&maker] = {*set, scales_of(*set)};
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_ASSIGN(auto samples, r.train->keep(*set));
    if (!samples) return {};
    NW_ASSIGN(auto too, r.evaluate->keep(*set));  // prepares it; the pixels are those of the first
    if (too) r.kept[&maker] = std::move(samples);
    return {};
  }));
  const bool everywhere =
      std::all_of(ranks_.begin(), ranks_.end(), [&](const auto& r) { return r->kept.count(&maker) > 0; });
  for (auto& r : ranks_)
    if (!everywhere) r->kept.erase(&maker);
  return {};
}

std::int64_t Replicas::steps_at_once(const BatchMaker& maker) const {
  const Rank& first = *ranks_.front();
  if (first.kept.count(&maker)) return first.train->steps_at_once();
  const auto* takes = dynamic_cast<const TakesInputs*>(first.train.get());
  return takes ? takes->loaded_at_once() : 1;
}

Status Replicas::train(std::span<const Batch> batches, std::span<StepArgs> args, std::span<StepMetrics> said) {
  std::vector<std::vector<StepMetrics>> all(ranks_.size(), std::vector<StepMetrics>(said.size()));
  NW_TRY(on_all([&](Rank& r) -> Status {
    std::vector<StepArgs> mine;
    r.shares.resize(std::max(r.shares.size(), batches.size()));  // they stay where they are from here on
    for (std::size_t i = 0; i < batches.size(); ++i) mine.push_back(args_for(r, batches[i], args[i], i));
    return r.train->run_many(mine, all[static_cast<std::size_t>(r.rank)]);
  }));
  std::copy(all.front().begin(), all.front().end(), said.begin());  // reduced: the same on every rank
  for (StepMetrics& m : said) m.finite = m.finite && std::isfinite(m.loss_sum);
  return {};
}

Status Replicas::share_buffers() {
  if (!own_statistics_) return {};
  const Rank& first = *ranks_.front();
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < first.training.plan.values.size(); ++i) {
    const Value& v = first.training.plan.values[i];
    if (v.role != Role::buffer) continue;
    bytes.resize(bytes_of(v));
    first.train->read(static_cast<int>(i), bytes);
    for (std::size_t r = 1; r < ranks_.size(); ++r) ranks_[r]->train->write(static_cast<int>(i), bytes);
  }
  return on_all([](Rank& r) { return r.train->health(); });
}

Result<StepMetrics> Replicas::evaluate(const Batch& batch) {
  NW_TRY(on_all([&](Rank& r) -> Status {
    const StepArgs args = args_for(r, batch, {});
    if (args.valid == 0) return {};
    NW_TRY(load_unless_kept(r, *r.evaluate, r.evaluation, batch));
    return r.evaluate->run(args);
  }));
  StepMetrics sum;
  for (const auto& r : ranks_) {
    if (args_for(*r, batch, {}).valid == 0) continue;
    const StepMetrics m = r->evaluate->metrics();
    sum.loss_sum += m.loss_sum;
    sum.correct += m.correct;
    sum.samples += m.samples;
  }
  return sum;
}

std::int64_t Replicas::scores_per_image() const {
  const Compiled& c = ranks_.front()->evaluation;
  const int output = c.plan.find(c.output);
  return output < 0 ? 0 : c.plan.values[static_cast<std::size_t>(output)].shape.per_sample();
}

const std::string& Replicas::activation() const { return ranks_.front()->evaluation.activation; }

Result<std::vector<float>> Replicas::scores(const Batch& batch) {
  std::vector<float> all(static_cast<std::size_t>(share_ * scores_per_image()));
  NW_TRY(on_all([&](Rank& r) -> Status {
    if (r.rank != 0) return {};
    NW_TRY(load_unless_kept(r, *r.evaluate, r.evaluation, batch));
    NW_TRY(r.evaluate->run(args_for(r, batch, {})));
    r.evaluate->read(r.evaluation.plan.find(r.evaluation.output), std::as_writable_bytes(std::span(all)));
    return r.evaluate->health();
  }));
  all.resize(static_cast<std::size_t>(batch.valid * scores_per_image()));
  return all;
}

std::string Replicas::find_not_finite(const Batch& batch, StepArgs args) {
  std::vector<std::string> found(ranks_.size());
  const Status done = on_all([&](Rank& r) -> Status {
    const Plan spread = keep_every_value(r.training.plan, *r.device);
    NW_ASSIGN(auto run,
              r.device->prepare(spread,
                                {.team = r.team.get(), .communicator = r.communicator, .weights_from = r.train.get()}));
    StepArgs mine = args_for(r, batch, args);
    mine.images = nullptr;  // they are looked at too
    mine.kept = nullptr;
    NW_TRY(load(r, *run, r.training, batch, true));
    NW_TRY(run->run(mine));
    found[static_cast<std::size_t>(r.rank)] = first_not_finite(spread, *run, mine.valid);
    return {};
  });
  for (const std::string& where : found)
    if (done && !where.empty()) return where;
  return "";
}

}  // namespace nw
