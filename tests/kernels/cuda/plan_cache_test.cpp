// SPDX-License-Identifier: Apache-2.0
// cuDNN's choices on disk: the next executable reuses them, and damaged files are ignored.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/cuda/backend.hpp"
#include "kernels/cuda/conv_graphs.hpp"
#include "kernels/cuda/plan_cache.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PlanCacheTest : public testing::Test {
 protected:
  PlanCacheTest() : folder_(fs::temp_directory_path() / ("nw-plans-" + std::to_string(::getpid()))) {}
  ~PlanCacheTest() override { fs::remove_all(folder_); }
  std::string folder() const { return folder_.string(); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }
  static std::string text_of(const fs::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    return all.str();
  }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }
  const fs::path folder_;
};

TEST_F(PlanCacheTest, ReturnsEntriesOnlyForTheSameMachineAndGraph) {
  cuda::PlanCache cache(folder(), "H200, cuDNN 9");
  EXPECT_FALSE(cache.find("conv"));
  cache.keep("conv", "62 0\n{\"engine\": 62}\nmore");
  EXPECT_EQ(cache.find("conv"), "62 0\n{\"engine\": 62}\nmore");
  EXPECT_EQ(cuda::PlanCache(folder(), "H200, cuDNN 9").find("conv"), "62 0\n{\"engine\": 62}\nmore");
  EXPECT_FALSE(cuda::PlanCache(folder(), "H200, cuDNN 10").find("conv"));
  EXPECT_FALSE(cache.find("conv2"));
  EXPECT_EQ(cache.damaged(), 0);
  EXPECT_EQ(files().size(), 1u) << "something half written was left behind";
}
/// Threads of one process store plans at the same time, so a name made from the process alone would be shared; and a
/// link with a name that is easy to guess would lead the bytes elsewhere.
TEST_F(PlanCacheTest, NoOtherFileIsWritten) {
  cuda::PlanCache cache(folder(), "H200");
  cache.keep("conv", "plan 1");
  const fs::path file = files().at(0), other = folder() + "/other";
  put(other, "mine");
  const std::string guessed = file.string() + "." + std::to_string(::getpid());
  fs::create_symlink(other, guessed);
  cache.keep("conv", "plan 2");
  EXPECT_EQ(text_of(other), "mine");
  EXPECT_TRUE(fs::is_symlink(guessed));
  EXPECT_EQ(cache.find("conv"), "plan 2");
}
TEST_F(PlanCacheTest, RejectsTruncatedOrModifiedFiles) {
  cuda::PlanCache(folder(), "H200").keep("conv", "62 0\nplan");
  const fs::path file = files().at(0);
  const std::string whole = text_of(file);
  int damaged = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    for (const std::string& text : {changed, whole.substr(0, i)}) {
      put(file, text);
      cuda::PlanCache cache(folder(), "H200");
      EXPECT_FALSE(cache.find("conv")) << "byte " << i;
      damaged += cache.damaged();
    }
  }
  EXPECT_EQ(damaged, static_cast<int>(2 * whole.size()));
  put(file, std::string(2 << 20, 'x'));
  EXPECT_FALSE(cuda::PlanCache(folder(), "H200").find("conv"));
}
TEST_F(PlanCacheTest, AnUnwritableFolderIsIgnored) {
  cuda::PlanCache cache("/proc/nowhere", "H200");
  cache.keep("conv", "plan");
  EXPECT_FALSE(cache.find("conv"));
  cuda::PlanCache none("", "H200");
  none.keep("conv", "plan");
  EXPECT_FALSE(none.find("conv"));
}

TinyPlan two_convolutions() {
  TinyPlan t(2);
  const int x = t.value("x", {2, 4, 6, 6}), w = t.weight("w", {4, 4, 3, 3}), y = t.value("y", {2, 4, 4, 4}),
            v = t.weight("v", {4, 4, 1, 1}), z = t.value("z", {2, 4, 4, 4});
  t.step("conv2d", {x, w}, {y});
  t.step("conv2d", {y, v}, {z});
  return t;
}
std::vector<float> results(const Device& gpu, std::string* choices = nullptr) {
  Bench bench(two_convolutions(), gpu, 1);
  bench.write("x", noise(2 * 4 * 36, 1));
  bench.write("w", noise(4 * 36, 2));
  bench.write("v", noise(16, 3));
  EXPECT_TRUE(static_cast<bool>(bench.executable().run(args_for(2))));
  for (const std::string& line : bench.executable().choices())
    if (choices) *choices += line + "\n";
  return bench.read("z");
}
TEST_F(PlanCacheTest, TheNextExecutableDoesNotSearchForCudnnEngines) {
  const cuda::FakeLibraries libraries{.cudnn = true, .plan_cache = folder()};
  cuda::use_driver_api(&cuda::fake_driver_api({}, libraries));
  const auto gpu = cuda::cuda_backend().devices().at(0);
  const int before = cuda::fake_engine_searches();
  const auto first = results(*gpu);
  const int after = cuda::fake_engine_searches();
  EXPECT_GT(after, before);
  EXPECT_EQ(files().size(), 2u);
  EXPECT_EQ(results(*gpu), first);
  EXPECT_EQ(cuda::fake_engine_searches(), after);
  EXPECT_THAT(cuda::fake_library_calls(), testing::SizeIs(4));
}
/// The engine of each convolution, by what cuDNN offers; `folder`: of the plan cache.
std::vector<std::string> engines_chosen(const cuda::FakeLibraries& libraries) {
  cuda::use_driver_api(&cuda::fake_driver_api({}, libraries));
  const auto gpu = cuda::cuda_backend().devices().at(0);
  std::string choices;
  results(*gpu, &choices);
  std::vector<std::string> all;
  for (std::size_t at = 0; (at = choices.find("engine ", at)) != std::string::npos; ++at)
    all.push_back(choices.substr(at + 7, 1));
  return all;
}
TEST_F(PlanCacheTest, TheFastestEngineIsTakenAndKept) {
  using testing::ElementsAre;
  const cuda::FakeLibraries third{.cudnn = true, .engines = {{1, 4}, {2, 5}, {3, 2}, {8, 2.5}}, .plan_cache = folder()};
  EXPECT_THAT(engines_chosen(third), ElementsAre("3", "3"));
  const cuda::FakeLibraries first{.cudnn = true, .engines = {{1, 1}, {3, 9}}, .plan_cache = folder()};
  EXPECT_THAT(engines_chosen(first), ElementsAre("3", "3")) << "a choice that was kept is not measured again";
}
TEST_F(PlanCacheTest, NoEngineOfWinogradsAlgorithmIsTakenForFp32) {
  EXPECT_THAT(engines_chosen({.cudnn = true}), testing::ElementsAre("5", "5")) << "9 comes first";
}
TEST_F(PlanCacheTest, AnEngineKnownToBeImpreciseIsNotTakenForFilterGradientsInFp32) {
  cuda::use_driver_api(&cuda::fake_driver_api({}, {.cudnn = true, .engines = {{17, 1}, {5, 2}}}));
  const auto engine_of = [](const cuda::Graph& graph) {
    const auto plan = cuda::CudnnPlan::make(graph, {}, 1 << 20);
    return plan ? (*plan)->engine() : -1;
  };
  cuda::ConvGraphs graphs{{2, 4, 6, 6, 4, 4, 4, 3, 3, 1, 1, 0, 0, 1, 1, 4, 4, 1, 4}, DType::f32};
  EXPECT_EQ(engine_of(graphs.filter_gradient()), 5);
  EXPECT_EQ(engine_of(graphs.forward()), 17);
  graphs.tf32 = true;
  EXPECT_EQ(engine_of(graphs.filter_gradient()), 17);
}
TEST_F(PlanCacheTest, AnEngineThatIsMuchSlowerIsNotMeasuredFurther) {
  const double before = cuda::fake_time_taken_ms();
  const cuda::FakeLibraries slow{.cudnn = true, .engines = {{1, 1}, {2, 1000}}, .plan_cache = folder()};
  EXPECT_THAT(engines_chosen(slow), testing::ElementsAre("1", "1"));
  constexpr double convolutions = 2, runs = 3;
  EXPECT_LT(cuda::fake_time_taken_ms() - before, convolutions * (runs * 1000 + 100));
}
TEST_F(PlanCacheTest, AGainThatMayBeChanceDoesNotCount) {
  const cuda::FakeLibraries close{.cudnn = true, .engines = {{1, 4}, {2, 3.9}}, .plan_cache = folder()};
  EXPECT_THAT(engines_chosen(close), testing::ElementsAre("1", "1"));
}
TEST_F(PlanCacheTest, WithoutAFolderTheFirstEngineIsTakenSoThatRunsDoNotDiffer) {
  const cuda::FakeLibraries nowhere{.cudnn = true, .engines = {{1, 4}, {2, 1}}};
  EXPECT_THAT(engines_chosen(nowhere), testing::ElementsAre("1", "1"));
}
TEST_F(PlanCacheTest, DamagedFilesAreReportedAndReplaced) {
  const cuda::FakeLibraries libraries{.cudnn = true, .plan_cache = folder()};
  cuda::use_driver_api(&cuda::fake_driver_api({}, libraries));
  const auto gpu = cuda::cuda_backend().devices().at(0);
  const auto first = results(*gpu);
  for (const fs::path& file : files()) put(file, "nonsense");
  std::string choices;
  EXPECT_EQ(results(*gpu, &choices), first);
  EXPECT_THAT(choices, HasSubstr("2 damaged file(s) in the plan cache"));
  choices.clear();
  EXPECT_EQ(results(*gpu, &choices), first);
  EXPECT_THAT(choices, testing::Not(HasSubstr("damaged")));
}

}  // namespace
}  // namespace nw::test
