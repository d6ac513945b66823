// SPDX-License-Identifier: Apache-2.0
// What a run writes for TensorBoard, read back by TensorBoard's own reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/train/tensorboard.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

std::string events_of(const fs::path& run) {
  std::string all;
  for (const auto& entry : fs::directory_iterator(run))
    if (entry.path().filename().string().starts_with("events.out.tfevents")) all += *read_file(entry.path(), 1 << 26);
  return all;
}

TEST(Tensorboard, ARunShowsItsFiguresHistogramsImagesAndSettings) {
  Trial t;
  t.request.statistics_steps = 5;
  ASSERT_TRUE(t.run());
  const std::string events = events_of(t.request.run);
  for (const char* tag : {"epoch/validation_loss", "weights/fc1", "gradients/fc1", "outputs/fc1", "train_images/7",
                          "_hparams_/session_start_info", "_hparams_/session_end_info", "data.synthetic_train"})
    EXPECT_THAT(events, HasSubstr(tag));
  EXPECT_EQ(events.find("train_images/8"), std::string::npos);
}

TEST(Tensorboard, AHistogramHasTheBinsOfTheRecord) {
  LayerStatistics s{.step = 3, .layers = {{.layer = "a"}}};
  Figures& f = s.layers[0].weights;
  f.count = 5, f.not_finite = 1, f.mean = 0.5, f.norm = 2, f.least = -1, f.most = 3;
  f.bins = {3, 1};
  const std::string event = tensorboard_histograms_event(1, s);
  const auto bytes = [](double v) { return std::string(reinterpret_cast<const char*>(&v), 8); };
  EXPECT_THAT(event, HasSubstr("\x0A\x09weights/a"));
  // min, max, num, sum, sum of squares; then the limits and the contents of two bins
  EXPECT_THAT(event, HasSubstr("\x09" + bytes(-1) + "\x11" + bytes(3) + "\x19" + bytes(4) + "\x21" + bytes(2) + "\x29" +
                               bytes(4) + "\x32\x10" + bytes(1) + bytes(3) + "\x3A\x10" + bytes(3) + bytes(1)));
  EXPECT_EQ(event.find("gradients"), std::string::npos) << "nothing was measured";
}

TEST(Tensorboard, ItsOwnReaderFindsWhatTheRunWrote) {
  const char* python = std::getenv("NETWRIGHT_PYTHON");
  if (!python) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with tensorboard";
  Trial t;
  t.request.statistics_steps = 5;
  ASSERT_TRUE(t.run());
  const std::string log = (t.folder.path / "log").string();
  const std::string command = std::string("'") + python + "' -B '" + test::source_folder() +
                              "/tests/engine/train/tensorboard_peer.py' '" + t.request.run.string() + "' > '" + log +
                              "' 2>&1";
  const int code = WEXITSTATUS(std::system(command.c_str()));
  const std::string said = *read_file(log, 1 << 24);
  if (code == 77) GTEST_SKIP() << said;
  EXPECT_EQ(code, 0) << said;
}

}  // namespace
}  // namespace nw
