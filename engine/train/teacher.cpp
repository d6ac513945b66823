// SPDX-License-Identifier: Apache-2.0
#include "engine/train/teacher.hpp"

#include <algorithm>

#include "engine/compile/compile.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/parallel/start_threads.hpp"
#include "engine/parallel/team.hpp"
#include "engine/runs/teacher_choice.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/model_weights.hpp"

namespace nw {
namespace {

Status check_weights_file(const Distillation& d) {
  NW_ASSIGN(const std::string sha256, digest_of(d));
  if (d.sha256.empty() || sha256 == d.sha256) return {};
  return fail(Errc::bad_input, NW_TR("The teacher's weights in {0} are not those that this training was started with"),
              weights_file(d).string());
}

/// The teacher must take these images and name these classes.
Status check_fits(const RunDefinition& teacher, const DataFacts& data) {
  if (teacher.channels != data.channels || teacher.height != data.height || teacher.width != data.width)
    return fail(Errc::bad_input, NW_TR("The teacher takes images of {0}×{1}×{2}, the data has {3}×{4}×{5}"),
                teacher.channels, teacher.height, teacher.width, data.channels, data.height, data.width);
  if (std::ssize(teacher.classes) != data.classes)
    return fail(Errc::bad_input, NW_TR("The teacher has {0} classes, the data has {1}"), teacher.classes.size(),
                data.classes);
  return {};
}

class OpenTeacher final : public Teacher {
 public:
  OpenTeacher(Distillation d, const BatchBuilder& maker) : distillation_(std::move(d)), builder_(maker) {}
  Status open(const DataFacts&, const ResolvedDevice&, std::int64_t batch);
  Status teach(BatchSamples&, double strength) override;
  std::int64_t memory_bytes() const override { return executable_->memory_bytes(); }

 private:
  Status answer(const BatchSamples&, std::int64_t first, std::vector<float>& scores);

  Distillation distillation_;
  BatchBuilder builder_;  // the student's, with the teacher's normalization
  Compiled compiled_;
  std::shared_ptr<const Device> device_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Executable> executable_;  // last member, destroyed first
};

Status OpenTeacher::open(const DataFacts& data, const ResolvedDevice& on, std::int64_t batch) {
  NW_TRY(check_weights_file(distillation_));
  NW_TRY(refuse_int8(distillation_));
  NW_ASSIGN(const RunDefinition run, read_run_definition(distillation_.run));
  NW_TRY(check_fits(run, data));
  builder_ = builder_.normalized_by({run.mean, run.deviation});
  device_ = on.device;
  Target target{.training = false, .batch = batch, .device = device_.get()};
  target.data = data;
  target.only_output = true;
  NW_ASSIGN(compiled_, compile(run.doc, target));
  NW_ASSIGN(team_, start_team(on.threads));
  NW_ASSIGN(executable_, device_->prepare(compiled_.plan, {.team = team_.get()}));
  write_zero_labels(compiled_.plan, *executable_);
  NW_ASSIGN(const LoadedCheckpoint opened,
            open_checkpoint(distillation_.run, distillation_.checkpoint, weight_bytes(compiled_.plan)));
  return read_weights(opened.model, compiled_.plan, *executable_, weights_file(distillation_).string());
}

Status OpenTeacher::teach(BatchSamples& batch, double strength) {
  builder_.set_strength(strength);
  const std::int64_t each = compiled_.plan.batch;
  BatchSamples seen = batch;
  seen.maker = &builder_;
  seen.targets.clear();
  seen.labels.clear();
  seen.samples.resize(static_cast<std::size_t>((batch.valid + each - 1) / each * each));
  std::vector<float> scores;
  for (std::int64_t first = 0; first < batch.valid; first += each) NW_TRY(answer(seen, first, scores));
  mix_answers(distillation_, scores, compiled_.classes, batch.targets);
  return {};
}

/// Adds the scores of the batch's samples from `first` on, as many as are looked at at a time.
Status OpenTeacher::answer(const BatchSamples& seen, std::int64_t first, std::vector<float>& scores) {
  const BatchInputs inputs(seen, first, compiled_.plan.batch, nullptr);
  StepArgs args;
  args.epoch = seen.epoch;
  args.valid = args.global_valid = std::min(compiled_.plan.batch, seen.valid - first);
  args.sample = seen.samples.data() + first;
  args.inputs = &inputs;
  NW_TRY(executable_->run(args));
  const int output = compiled_.plan.find(compiled_.output);
  const Shape& shape = compiled_.plan.values[static_cast<std::size_t>(output)].shape;
  std::vector<float> all(static_cast<std::size_t>(shape.elements()));
  executable_->read(output, std::as_writable_bytes(std::span(all)));
  scores.insert(scores.end(), all.begin(), all.begin() + args.valid * shape.per_sample());
  return executable_->health();
}

}  // namespace

Result<std::unique_ptr<Teacher>> Teacher::open(const Distillation& d, const TrainingData& data,
                                               const ResolvedDevice& on, std::int64_t batch) {
  auto made = std::make_unique<OpenTeacher>(d, *data.train);
  NW_TRY(made->open(data.facts, on, batch));
  return std::unique_ptr<Teacher>(std::move(made));
}

}  // namespace nw
