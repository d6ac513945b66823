// SPDX-License-Identifier: Apache-2.0
// Which kernels are chosen on this processor and for NETWRIGHT_CPU, and what is said where they cannot run.
#include "kernels/cpu/instruction_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "kernels/cpu/tiles/tile_kernels.hpp"

namespace nw::cpu {
namespace {

std::string no_fault() { return ""; }

TEST(TileCheck, AnUnavailableInstructionSetIsReportedWithTheReason) {
  const std::vector<Candidate> all = {
      {"amx", "the system does not let this process use its tiles", &portable::vector_kernels(), no_fault},
      {"avx2", "", &portable::vector_kernels()}};
  EXPECT_EQ(choose(all, "amx").name, "avx2");
  EXPECT_EQ(choose(all, "amx").note,
            "NETWRIGHT_CPU=amx: the system does not let this process use its tiles, using avx2");
  EXPECT_EQ(choose(all, "mmx").note,
            "NETWRIGHT_CPU=mmx: not one of portable, avx2, avx512, avx512bf16, amx, using avx2");
  EXPECT_EQ(choose(all, "").note, "");
}

TEST(TileCheck, ThisProcessorUsesAmxOrReportsTheReason) {
  setenv("NETWRIGHT_CPU", "amx", 1);
  const InstructionSet set = choose_instruction_set();
  unsetenv("NETWRIGHT_CPU");
  const bool by_amx = set.kernels->tiles && std::string(set.kernels->tiles->name) == "amx";
  EXPECT_EQ(by_amx, set.name == "amx");
  using testing::HasSubstr;
  EXPECT_THAT(set.note, testing::AnyOf(testing::StrEq(by_amx ? "" : "-"), HasSubstr("NETWRIGHT_CPU=amx: "),
                                       HasSubstr("amx: a trial product")));
}

TEST(TileCheck, TheEmulatedUnitIsUsedOnlyOnRequest) {
  EXPECT_NE(choose_instruction_set().name, "amx-emulated");
  setenv("NETWRIGHT_CPU", "amx-emulated", 1);
  const InstructionSet set = choose_instruction_set();
  unsetenv("NETWRIGHT_CPU");
  EXPECT_EQ(set.name, "amx-emulated");
  EXPECT_EQ(set.kernels->tiles, &emulated::tile_kernels());
}

}  // namespace
}  // namespace nw::cpu
