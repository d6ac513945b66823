// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/sample_runs.hpp"

#include "engine/queue/journal.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/study_writer.hpp"

namespace nw::ui {
namespace {

std::string writeRun(const fs::path& runs, const char* network, double created, const test::RunScript& story) {
  test::RunWriter writer(runs, test::definition_of(network, created));
  test::write_training(writer, story);
  return writer.folder().string();
}

/// A run that found numbers that are not finite: the page offers to go back with a lower rate.
void writeDiverged(const fs::path& runs) {
  test::RunWriter writer(runs, test::definition_of("mlp", 4000));
  test::write_training(writer, {.epochs_done = 3, .best = 0.6});
  writer.post(60, Health{HealthLevel::warning, text(NW_TR("the loss is not a number after step {0}"), 812), 812});
  Ended ended;
  ended.reason = EndReason::failed;
  ended.exit_code = static_cast<int>(Errc::not_finite);
  ended.step = 812;
  ended.message = text(NW_TR("the loss is not a number after step {0}: the weights of step {1} were kept"), 812, 811);
  writer.post(61, ended);
}

void writeStudy(const fs::path& folder, const test::StudyScript& script, const fs::path& project) {
  (void)bool(test::StudyWriter(script).save(folder));
  std::error_code ignored;
  fs::copy_file(project, folder / search::project_copy, ignored);
  (void)bool(save_file(folder / search::space_copy, search::to_json(test::script_space()).dump(2) + "\n"));
}

void writeQueue(const fs::path& folder, const fs::path& project, const std::string& run) {
  auto writer = queue::QueueWriter::open(folder);
  if (!writer) return;
  const auto add = [&](const char* name, const std::string& file, const char* device) {
    queue::Item item{.number = writer->queue().next_number(), .command = "train", .arguments = {file}, .folder = "/"};
    item.name = name;
    item.device = *queue::device_rule(device);
    (void)bool(writer->write(queue::Added{item}));
  };
  (void)bool(writer->write(queue::Paused{}));
  add("mlp", project.string(), "cpu");
  add("photos <b>", "/none", "cpu");
  add("lenet5 宽", project.string(), "cpu");
  add("resnet18", project.string(), "cuda:0,cuda:1");
  add("a name that is far too long for the column of names of the queue, and goes on", project.string(), "any");
  (void)bool(writer->write(queue::Began{1, run, {"cpu"}, 1}));
  (void)bool(writer->write(queue::Ended{1, queue::Ending::finished, "", 2}));
  (void)bool(writer->write(queue::Began{2, "", {"cpu"}, 3}));
  (void)bool(writer->write(queue::Ended{2, queue::Ending::failed, "the folder /data/photos is not there", 4}));
}

}  // namespace

void writeSampleRuns(const fs::path& runs, const fs::path& queue, const fs::path& project) {
  const std::string finished =
      writeRun(runs, "lenet5", 1000, {.epochs_done = 4, .best = 0.93, .end = EndReason::finished});
  writeRun(runs, "mlp", 2000, {.epochs_done = 6, .best = 0.97, .end = EndReason::stopped});
  writeRun(runs, "lenet5", 3000, {.epochs_done = 2, .best = 0.5, .into_epoch = 0.4});
  writeDiverged(runs);
  writeStudy(runs / "2026-11-25-lenet5-study-a1", {.trials = 24, .epochs = 9}, project);
  writeStudy(runs / "2026-11-25-lenet5-study-b2", {.trials = 20, .epochs = 3, .two_objectives = true}, project);
  writeStudy(runs / "2026-11-26-lenet5-study-c3", {.trials = 12, .epochs = 3, .begun = 7}, project);
  (void)bool(make_folder(runs / "2026-11-26-broken-study-d4", 0700));
  (void)bool(save_file(runs / "2026-11-26-broken-study-d4" / search::journal_file, "{\"schema\":1,\"type\":\n"));
  writeQueue(queue, project, finished);
}

}  // namespace nw::ui
