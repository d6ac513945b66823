// SPDX-License-Identifier: Apache-2.0
// Training with the complete program on fake GPUs gives the same results as on the CPU.
#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "engine/io/safetensors.hpp"
#include "kernels/library_search.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace nw {
namespace {

class GpuTraining : public OnFakeGpus {
 protected:
  struct Learnt {
    std::vector<double> losses;
    std::vector<std::string> choices;
  };
  Learnt train(const std::string& project, const std::string& devices) {
    const std::string dir = at("run-" + devices);
    const CommandOutput output =
        gpu_run({"train", project, "--device", devices, "--run-dir", dir, "--json", "--seed", "3"});
    EXPECT_EQ(output.code, 0) << output.err;
    Learnt l;
    for (const Json& line : output.lines())
      if (line.value("type", "") == "epoch") l.losses.push_back(line["train_loss"].get<double>());
    l.choices = read_run_definition(dir)->choices;
    return l;
  }
  void expect_same(const Learnt& got, const Learnt& wanted) {
    ASSERT_EQ(got.losses.size(), wanted.losses.size());
    for (std::size_t i = 0; i < got.losses.size(); ++i)
      EXPECT_NEAR(got.losses[i], wanted.losses[i], 1e-4 * wanted.losses[i]) << "epoch " << i + 1;
  }
};

TEST_F(GpuTraining, TrainingOnSamplesInDeviceMemoryMatchesTheCpu) {
  const std::string project = small_project(4, "lenet5");
  expect_same(train(project, "cuda:0"), train(project, "cpu"));
}
TEST_F(GpuTraining, TwoGpusWithNcclTrainAsOne) {
  const std::string project = small_project(3, "lenet5");
  const Learnt two = train(project, "cuda:0,cuda:1");
  expect_same(two, train(project, "cuda:0"));
  EXPECT_THAT(two.choices, testing::Contains(testing::HasSubstr("NCCL")));
}

/// Also after a resume on another number of GPUs.
TEST_F(GpuTraining, GpusThatDivideTheOptimizersStateTrainTheSameBytes) {
  const std::string project = small_project(2, "lenet5");
  for (const std::string how : {"data", "sharded"}) {
    const CommandOutput output = gpu_run({"train", project, "--device", "cuda:0,cuda:1", "--parallel", how, "--run-dir",
                                          at(how), "--seed", "3", "--quiet"});
    ASSERT_EQ(output.code, 0) << output.err;
  }
  const auto expect_same = [&] {
    for (const char* file : {"model.safetensors", "optimizer.safetensors"})
      EXPECT_TRUE(latest_bytes(at("sharded"), file) == latest_bytes(at("data"), file)) << file;
  };
  expect_same();
  for (const std::string how : {"data", "sharded"})
    ASSERT_EQ(gpu_run({"resume", at(how), "--epochs", "3", "--device", "cuda:0,cuda:1,cuda:2", "--quiet"}).code, 0);
  expect_same();
}

TEST_F(GpuTraining, StreamedBatchesGiveTheSameResultAsSamplesOnTheDevice) {
  const std::string project = small_project(3, "lenet5");
  const auto calls_of = [&](const std::string& devices, const std::string& name, Learnt& learnt) {
    ::setenv("NETWRIGHT_FAKE_GPU_CALLS", at(name).c_str(), 1);
    learnt = train(project, devices);
    fs::remove_all(at("run-" + devices));
    ::unsetenv("NETWRIGHT_FAKE_GPU_CALLS");
    return std::stoll(*read_file(at(name), 64));
  };
  for (const std::string devices : {"cuda:0", "cuda:0,cuda:1"}) {
    Learnt kept, brought;
    const std::int64_t with_room = calls_of(devices, "kept", kept);
    ::setenv("NETWRIGHT_FAKE_GPU_FREE", std::to_string(512 << 20).c_str(), 1);  // the reserve, which is never used
    const std::int64_t without = calls_of(devices, "brought", brought);
    ::unsetenv("NETWRIGHT_FAKE_GPU_FREE");
    expect_same(brought, kept);
    EXPECT_LT(without, with_room) << "nothing is uploaded, and no graph is made of steps over samples that are there";
  }
}

// Steps over inputs from the host are run many at once; a command ends them early, and what was prepared for the
// others is used when the run goes on.
TEST_F(GpuTraining, CommandsDuringABurstDoNotChangeTheResult) {
  const std::string project = small_project(60);
  ::setenv("NETWRIGHT_FAKE_GPU_FREE", std::to_string(512 << 20).c_str(), 1);  // no room for the data set
  for (const std::string devices : {"cuda:0", "cuda:0,cuda:1"}) {
    const Learnt wanted = train(project, devices);
    const std::string bytes = latest_bytes(at("run-" + devices));
    fs::remove_all(at("run-" + devices));
    std::atomic<bool> over = false;
    int answered = 0;
    std::thread commands([&] {
      while (!over)
        for (const char* command : {"pause", "continue", "checkpoint"})
          answered += run({"control", at("run-" + devices), command}).code == 0;
    });
    const CommandOutput output =
        run({"train", project, "--device", devices, "--run-dir", at("run-" + devices), "--json", "--seed", "3"});
    over = true;
    commands.join();
    EXPECT_GT(answered, 0) << "or nothing is proved";
    ASSERT_EQ(output.code, 0) << output.err;
    std::vector<double> losses;
    for (const Json& line : output.lines())
      if (line.value("type", "") == "epoch") losses.push_back(line["train_loss"].get<double>());
    EXPECT_EQ(losses, wanted.losses);
    EXPECT_EQ(latest_bytes(at("run-" + devices)), bytes);
  }
  ::unsetenv("NETWRIGHT_FAKE_GPU_FREE");
}

TEST_F(GpuTraining, ReportsTheEnergyOfTheGpusUsed) {
  const std::string project = small_project(1);
  const CommandOutput output = gpu_run({"train", project, "--device", "cuda:0,cuda:1", "--run-dir", at("run")});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_THAT(output.err, testing::ContainsRegex("energy of the GPUs: [0-9.]+ kJ, [0-9.]+ J per 1 000 images"));
  const auto summary = summarize_run(at("run"));
  EXPECT_GT(summary->gpu_energy_j, 0);
  EXPECT_EQ(summary->images, 90);
}
/// The management library counts the GPUs of the machine, the driver those that are visible.
TEST_F(GpuTraining, TheEnergyIsThatOfTheGpusThatAreVisible) {
  ::setenv("NETWRIGHT_FAKE_GPU_FIRST", "2", 1);
  ::setenv("NETWRIGHT_FAKE_GPU_COUNT", "2", 1);
  const CommandOutput output = gpu_run({"train", small_project(1), "--device", "cuda:1", "--run-dir", at("run")});
  ::unsetenv("NETWRIGHT_FAKE_GPU_FIRST");
  ::unsetenv("NETWRIGHT_FAKE_GPU_COUNT");
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_GT(summarize_run(at("run"))->gpu_energy_j, 0) << "a GPU that the driver does not show uses none here";
}
TEST_F(GpuTraining, DevicesListsEveryGpuThatCanTrain) {
  const CommandOutput output = gpu_run({"devices", "--json"});
  ASSERT_EQ(output.code, 0);
  int usable = 0;
  for (const Json& line : output.lines())  // lines without it say what a GPU needs
    usable +=
        line.contains("usable") && line["name"].get<std::string>().starts_with("cuda:") && line["usable"].get<bool>();
  EXPECT_EQ(usable, 4) << output.out << output.err;
  EXPECT_EQ(output.err, "");
}
/// Libraries that can be loaded and lack every function; found before those of this computer.
TEST_F(GpuTraining, ARunSaysAtItsStartWhichLibrariesItCannotUse) {
  const std::string math = open_library({"libm.so.6"}, {}).file;
  for (const char* name : {"libcudnn.so.9", "libcublasLt.so.13"}) fs::copy_file(math, place_.path / name);
  ::setenv("NETWRIGHT_CUDA_PATH", place_.path.c_str(), 1);
  const CommandOutput on_gpu = gpu_run({"train", small_project(1), "--device", "cuda:0", "--run-dir", at("run")}),
                      on_cpu = gpu_run({"train", small_project(1), "--device", "cpu", "--run-dir", at("run-cpu")}),
                      devices = gpu_run({"devices", "--json"});
  ::unsetenv("NETWRIGHT_CUDA_PATH");
  ASSERT_EQ(on_gpu.code, 0) << on_gpu.err;
  EXPECT_THAT(on_gpu.err, testing::HasSubstr("cuDNN here is too old, it has no cudnnGetVersion"));
  EXPECT_THAT(on_gpu.err, testing::HasSubstr("cuBLASLt here is too old, it has no cublasLtGetVersion"));
  EXPECT_THAT(on_gpu.err, testing::Not(testing::HasSubstr("NCCL"))) << "one GPU does not need it";
  EXPECT_THAT(on_cpu.err, testing::Not(testing::HasSubstr("cuDNN")));
  for (const Json& line : devices.lines())
    if (line.value("search", "") == "cudnn") {
      EXPECT_FALSE(line["found"].get<bool>());
      EXPECT_EQ(line["place"], at("libcudnn.so.9"));
    }
}
TEST_F(GpuTraining, DevicesNamesEachLibraryWithItsVersionAndPlace) {
  const CommandOutput output = gpu_run({"devices"});
  ASSERT_EQ(output.code, 0);
  EXPECT_THAT(output.out, testing::HasSubstr("NVIDIA driver CUDA 13.0, " NW_FAKE_GPU "/libcuda.so.1"));
  EXPECT_THAT(output.out, testing::HasSubstr("NCCL 2.28.9, " NW_FAKE_GPU "/libnccl.so.2"));
}
/// The folders that pip makes, in a Python that the user names.
TEST_F(GpuTraining, LibrariesInThePackagesOfAPythonAreFound) {
  const fs::path lib = place_.path / "venv/lib/python3.12/site-packages/nvidia/nccl/lib";
  fs::create_directories(lib);
  fs::copy_file(fs::path(NW_FAKE_GPU) / "libnccl.so.2", lib / "libnccl.so.2");
  ::setenv("NETWRIGHT_CUDA_PATH", (place_.path / "venv").c_str(), 1);
  const CommandOutput output = gpu_run({"devices"});
  const Learnt two = train(small_project(1, "lenet5"), "cuda:0,cuda:1");
  ::unsetenv("NETWRIGHT_CUDA_PATH");
  EXPECT_THAT(output.out, testing::HasSubstr("NCCL 2.28.9, " + (lib / "libnccl.so.2").string())) << output.err;
  EXPECT_THAT(two.choices, testing::Contains(testing::HasSubstr("NCCL")));
}
TEST_F(GpuTraining, AProfileUsesTheTimesMeasuredByTheDevice) {
  ASSERT_EQ(
      gpu_run({"train", small_project(1), "--device", "cuda:0", "--profile", "--run-dir", at("run"), "--quiet"}).code,
      0);
  const Json profile = Json::parse(*read_file(at("run/profile.json"), 1 << 20), nullptr, false);
  ASSERT_GT(profile["layers"].size(), 3U);
  EXPECT_DOUBLE_EQ(profile["layers"][0]["kernels"][0]["seconds"].get<double>(), 0.25e-3) << "what a fake event says";
}

}  // namespace
}  // namespace nw
