// SPDX-License-Identifier: Apache-2.0
// The compiled library decides whether it is written.
#include "engine/deploy/prove_c.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/deploy/compiled.hpp"

namespace nw::deploy {
namespace {

struct Small {
  exchange::ExportSource source = exchange::source_of(find_template("lenet5")->make());
  RunDefinition definition{.channels = 1, .height = 28, .width = 28};
  exchange::ProofInputs inputs{.definition = definition, .images = 6};
  exchange::ScratchFolder scratch;

  /// What the proof says about the library that `samples` make, of pictures that the network computes as `data` says.
  exchange::Proof proof(const std::vector<GoldenSample>& samples, const ProofData& data) const {
    const auto library = c_library(source, samples, {});
    EXPECT_TRUE(library);
    std::vector<std::string> files;
    EXPECT_TRUE(write_library(*library, scratch.path, files));
    return proof_of(data, {prove_c(scratch.path, scratch.path, data, false)});
  }
};

TEST(CExport, EqualNumbersAreNoObjection) {
  if (c_compiler().empty()) GTEST_SKIP() << "no C compiler is installed";
  const Small small;
  const auto data = proof_data(small.source, small.inputs);
  ASSERT_TRUE(data);
  const exchange::Proof proof = small.proof(golden_samples(*data), *data);
  EXPECT_TRUE(objection_to(proof).empty()) << objection_to(proof).str();
  EXPECT_EQ(proof.readers[0].images, 6);
  EXPECT_GT(proof.readers[0].ms_per_image, 0);
}

TEST(CExport, OtherNumbersAndAFailingSelftestAre) {
  if (c_compiler().empty()) GTEST_SKIP() << "no C compiler is installed";
  const Small small;
  auto data = proof_data(small.source, small.inputs);
  ASSERT_TRUE(data);
  std::vector<GoldenSample> samples = golden_samples(*data);
  data->scores.back() += 0.01F;
  EXPECT_NE(objection_to(small.proof(samples, *data)).str().find("computes other numbers"), std::string::npos);
  samples[0].scores[0] += 1;
  EXPECT_NE(objection_to(small.proof(samples, *data)).str().find("nw_selftest() fails with 2"), std::string::npos);
}

TEST(CExport, GoldenSamplesStaySmall) {
  ProofData data{.images = exchange::noise_images({.channels = 3, .height = 224, .width = 224}, 3),
                 .scores = {1, 2, 3},
                 .outputs = 1};
  EXPECT_EQ(golden_samples(data).size(), 1U);
  data.images = exchange::noise_images({.channels = 1, .height = 8, .width = 8}, 9);
  data.scores.resize(9);
  EXPECT_EQ(golden_samples(data).size(), 4U);
}

}  // namespace
}  // namespace nw::deploy
