// SPDX-License-Identifier: Apache-2.0
// What a training does, one stage after another, with an allocation that fails: a project that is opened, a network
// that is compiled and prepared, a step, a checkpoint. And the helper's responses.
#include <sys/socket.h>

#include <thread>

#include "engine/compile/compile.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/data/checks/similarity.hpp"
#include "engine/predict/serve.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/runs/descriptor.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/trial_network.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/checkpoint_writer.hpp"
#include "tests/torture/allocation/sweep.hpp"

namespace nw::test {
namespace {

std::string memory_or(const Error& error) {
  return error.code == Errc::out_of_memory ? "no memory" : "refused: " + error.str();
}

TEST(StageWithoutMemory, OpeningAProjectThrowsAndKeepsNothing) {
  const Folder folder;
  const fs::path file = folder.path / "p.netwright";
  ASSERT_TRUE(ProjectFile::save(Trial::project({}, "lenet5"), file));
  const Work work{.name = "project", .play = [&]() -> std::string {
                    const auto doc = ProjectFile::load(file);
                    if (!doc) return memory_or(doc.error());
                    const auto found = analyse(
                        *doc, {.data = {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 100}});
                    return found.problems.empty() ? "opened" : "problems";
                  }};
  expect_gets_over(work);
}

TEST(StageWithoutMemory, SavingAProjectLeavesTheOldOrTheNewOne) {
  const Folder folder;
  const fs::path file = folder.path / "p.netwright";
  const GraphDoc before = Trial::project({}, "mlp"), after = Trial::project({}, "lenet5");
  const std::string old_text = ProjectFile::text(before), new_text = ProjectFile::text(after);
  const Work work{.name = "save",
                  .begin = [&] { EXPECT_TRUE(ProjectFile::save(before, file)); },
                  .play = [&]() -> std::string {
                    const auto saved = ProjectFile::save(after, file);
                    return saved ? "saved" : memory_or(saved.error());
                  },
                  .end = [&](bool) -> std::string {
                    const std::string text = *read_file(file, 1 << 24);
                    return text == old_text || text == new_text ? "" : "the project is neither the old nor the new one";
                  },
                  .forgets = lists_in_braces};
  expect_gets_over(work);
}

/// Opens the data, compiles, prepares and takes one step.
std::string one_step(const GraphDoc& doc) {
  const auto trial = TrialNetwork::open({.definition = {.name = "mlp", .doc = doc}, .run = {}});
  if (!trial) return memory_or(trial.error());
  const auto network = (*trial)->make(1);
  if (!network) return memory_or(network.error());
  Batches batches({.maker = &*(*trial)->data().train,
                   .shuffle = true,
                   .augment = false,
                   .batch = (*trial)->settings().samples_per_update(),
                   .statistics_over = (*network)->statistics_over(),
                   .capacity = (*network)->update_capacity(),
                   .target_width = (*network)->target_width()},
                  0, 0, 1);
  const BatchSamples* batch = batches.next();
  if (!batch) return "no batch";
  StepArgs args;
  args.learning_rate = 0.01;
  const auto metrics = (*network)->train(*batch, args);
  return metrics ? fmt::format("{:a}", metrics->loss_sum) : memory_or(metrics.error());
}

TEST(StageWithoutMemory, AStepOfACompiledAndPreparedNetworkThrowsAndKeepsNothing) {
  const GraphDoc doc = Trial::project([](TrainSettings& s, DataChoice&) { s.threads = 1; }, "mlp");
  const Work work{.name = "step", .play = [&] { return one_step(doc); }};
  expect_gets_over(work);
}

TEST(StageWithoutMemory, ACheckpointLosesNoneBeforeIt) {
  const Folder folder;
  const auto begin = [&] {
    fs::remove_all(folder.path / "checkpoints");
    write_checkpoint(folder.path, 1);
  };
  const Work work{.name = "checkpoint",
                  .begin = begin,
                  .play = [&]() -> std::string {
                    try {
                      write_checkpoint(folder.path, 2);
                    } catch (const std::runtime_error& e) { return e.what(); }
                    const auto opened = open_checkpoint(folder.path, checkpoint_name(2));
                    return opened ? std::to_string(opened->progress.step) : memory_or(opened.error());
                  },
                  .end = [&](bool) -> std::string {
                    for (const CheckpointName& c : list_checkpoints(folder.path))
                      if (!verify_checkpoint(folder.path, c.name)) return "a damaged checkpoint is listed";
                    if (!verify_checkpoint(folder.path, checkpoint_name(1))) return "the older checkpoint is lost";
                    return latest_checkpoint(folder.path) ? "" : "no checkpoint is the latest";
                  },
                  .forgets = lists_in_braces};
  expect_gets_over(work);
}

/// Its thread is told to end also where there is no memory for the server that would tell it.
TEST(StageWithoutMemory, AControlServerStartsOrLeavesNothingBehind) {
  const Folder folder;
  const Work work{.name = "control server", .play = [&]() -> std::string {
                    const auto server = ControlServer::start(folder.path, [](std::string_view) { return "here"; });
                    if (!server) return memory_or(server.error());
                    const auto answer = control_run(folder.path, "status", 5);
                    return answer ? *answer : "no answer";
                  }};
  expect_gets_over(work);
}

/// Several threads look at the images.
TEST(StageWithoutMemory, SimilarImagesAreFoundByThreadsThatThrow) {
  const std::vector<std::uint64_t> codes(40, 0x5555);
  const auto look = [](std::int64_t i) {
    std::vector<float> taken(64, static_cast<float>(i));
    Look image;
    for (std::size_t k = 0; k < image.size(); ++k)
      image[k] = static_cast<float>((k * 7919 + k * k) % 31) + taken[k % 64];
    return image;
  };
  const Work work{.name = "similar images", .play = [&]() -> std::string {
                    const auto pairs = find_near_duplicate_pairs(codes, look, nullptr);
                    return pairs ? std::to_string(pairs->size()) : memory_or(pairs.error());
                  }};
  expect_gets_over(work);
}

/// A helper that answers `requests` on a thread, and the connection to it.
std::string responses_of(const std::vector<Json>& requests) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return "no sockets";
  const Descriptor asks(ends[0]), answers(ends[1]);
  std::string all;
  std::jthread asking([&] {
    spare_this_thread();
    for (const Json& request : requests) {
      if (!send_message(asks.fd, {request, {}})) break;
      Result<Message> m = receive_message(asks.fd);
      while (m && m->json.contains("progress")) m = receive_message(asks.fd);
      all += !m ? "closed " : m->json.value("ok", false) ? "ok " : fmt::format("{} ", m->json.value("code", 0));
    }
    ::shutdown(asks.fd, SHUT_RDWR);
  });
  int code = 0;
  try {
    code = serve(answers.fd);
  } catch (const std::bad_alloc&) { code = 5; }
  ::shutdown(answers.fd, SHUT_RDWR);
  asking.join();
  return all + std::to_string(code);
}

TEST(StageWithoutMemory, TheHelperAnswersWithItsCodeOrEnds) {
  Trial trial([](TrainSettings& s, DataChoice&) { s.epochs = 1; });
  ASSERT_TRUE(trial.run());
  const std::string run = trial.request.run;
  const std::vector<Json> requests = {{{"id", 1}, {"do", "open_run"}, {"run", run}},
                                      {{"id", 2}, {"do", "evaluate"}, {"run", run}, {"split", "test"}},
                                      {{"id", 3}, {"do", "fly"}},
                                      {{"id", 4}, {"do", "open_run"}, {"run", run}}};
  std::string last;
  const Work work{.name = "helper",
                  .play = [&] { return last = responses_of(requests); },
                  .end = [&](bool failed) -> std::string {
                    const bool known = last == "ok ok 2 ok 0" || last.find('5') != std::string::npos;
                    return known || (failed && last.ends_with("0")) ? "" : "it answers " + last;
                  },
                  .forgets = lists_in_braces};
  expect_gets_over(work);
}

}  // namespace
}  // namespace nw::test
