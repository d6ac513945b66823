// SPDX-License-Identifier: Apache-2.0
// C libraries of networks, compiled and run.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "engine/deploy/c_library.hpp"
#include "engine/exchange/child_process.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "engine/exchange/run_network.hpp"
#include "tests/engine/exchange/networks.hpp"

namespace nw::deploy {

/// Reads pictures of numbers, writes scores; the exit code is that of the self-test, and 9 if it cannot run.
inline constexpr const char* test_program = R"C(#include <stdio.h>
#include <stdlib.h>
#include "nw_model.h"
int main(int argc, char **argv) {
  static float image[NW_CHANNELS * NW_HEIGHT * NW_WIDTH], scores[NW_OUTPUTS];
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  if (argc < 3 || !in || !out) return 9;
#ifdef NW_WEIGHTS_FILE
  {
    static char bytes[1 << 24];
    FILE *f = fopen(argv[3], "rb");
    size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (nw_predict(image, scores) != NW_NO_WEIGHTS || nw_selftest() != NW_NO_WEIGHTS) return 9;
    if (nw_init(bytes, size) != NW_OK) return 8;
    fclose(f);
  }
#endif
  while (fread(image, sizeof image, 1, in) == 1)
    if (nw_predict(image, scores) != NW_OK || fwrite(scores, sizeof scores, 1, out) != 1) return 9;
  fclose(in);
  fclose(out);
  return nw_selftest();
}
)C";

struct RunOfLibrary {
  bool compiled = false;
  int status = -1;            // of the process
  std::vector<float> scores;  // of all pictures
  std::string words;          // of the compiler
};

/// Compiles with `command` ("gcc", "-O2", …) and runs with the words before the program, for example an emulator.
inline RunOfLibrary run_library(const CLibrary& library, std::vector<std::string> command,
                                const std::vector<float>& pictures, std::vector<std::string> before = {}) {
  const exchange::ScratchFolder scratch;
  const fs::path at = scratch.path, in = at / "in", out = at / "out", weights = at / c_weights_name;
  EXPECT_TRUE(save_file(at / c_header_name, library.header));
  EXPECT_TRUE(save_file(at / c_source_name, library.source));
  EXPECT_TRUE(save_file(at / "main.c", test_program));
  EXPECT_TRUE(save_file(in, {reinterpret_cast<const char*>(pictures.data()), pictures.size() * sizeof(float)}));
  if (!library.weights.empty()) EXPECT_TRUE(save_file(weights, library.weights));
  command.insert(command.begin(), {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"});
  for (const char* flag : {"-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"}) command.emplace_back(flag);
  if (!library.weights.empty()) command.emplace_back("-DNW_WEIGHTS_FILE");
  for (const fs::path& file : {at / "main.c", at / c_source_name}) command.push_back(file.string());
  command.insert(command.end(), {"-o", (at / "program").string(), "-lm"});
  const auto compiled = exchange::run_child(command, 300);
  RunOfLibrary run{.compiled = compiled && compiled->status == 0, .words = compiled ? compiled->out : ""};
  if (!run.compiled) return run;
  for (const fs::path& word : {at / "program", in, out, weights}) before.push_back(word.string());
  const auto ran = exchange::run_child(before, 300);
  run.status = ran ? ran->status : -1;
  const auto bytes = read_file(out, 1 << 28);
  run.scores.resize(bytes ? bytes->size() / sizeof(float) : 0);
  if (!run.scores.empty()) std::memcpy(run.scores.data(), bytes->data(), run.scores.size() * sizeof(float));
  return run;
}

/// Pixels and what the network computes for them.
inline std::vector<GoldenSample> golden(const exchange::ExportSource& source, std::int64_t count = 2) {
  const auto flat = flatten(source.doc, {.training = false, .batch = 1});
  const Shape in = flat->layers[static_cast<std::size_t>(flat->input)].shape;
  const RunDefinition definition{.channels = in[1], .height = in[2], .width = in[3]};
  const exchange::ProofImages images = exchange::noise_images(definition, count);
  const auto samples = exchange::proof_samples(source, {.preprocessing = false}, images);
  EXPECT_TRUE(samples) << samples.error().str();
  std::vector<GoldenSample> all;
  const std::int64_t each = in.per_sample();
  for (std::int64_t i = 0; samples && i < count; ++i)
    all.push_back(
        {{images.hwc.begin() + i * each, images.hwc.begin() + (i + 1) * each},
         {samples->scores.begin() + i * samples->outputs, samples->scores.begin() + (i + 1) * samples->outputs}});
  return all;
}

inline CLibrary library_of(const exchange::ExportSource& source, bool weights_file = false) {
  auto library = c_library(source, golden(source), {.weights_file = weights_file});
  EXPECT_TRUE(library) << library.error().str();
  return library ? *library : CLibrary{};
}

/// Compilers that are installed.
inline std::vector<std::string> compilers() {
  std::vector<std::string> all;
  for (const char* name : {"gcc", "clang"})
    if (!exchange::program_in_path(name).empty()) all.emplace_back(name);
  return all;
}

inline std::vector<float> pictures_of(const GraphDoc& doc, std::int64_t count = 2) {
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  return exchange::noise(count * flat->layers[static_cast<std::size_t>(flat->input)].shape.per_sample());
}

/// The compiled library computes what the engine computes.
inline void expect_equal(const exchange::ExportSource& source, const std::vector<std::string>& command,
                         bool weights_file = false, const std::vector<std::string>& before = {}) {
  const RunOfLibrary run = run_library(library_of(source, weights_file), command, pictures_of(source.doc), before);
  ASSERT_TRUE(run.compiled) << run.words;
  EXPECT_EQ(run.status, 0) << "the self-test fails";
  EXPECT_LE(exchange::relative(run.scores, exchange::outputs(source.doc, source.weights)), 2e-5);
}

}  // namespace nw::deploy
