// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/prove_c.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "engine/deploy/c_runner.hpp"
#include "engine/exchange/child_process.hpp"
#include "engine/exchange/proof_parts.hpp"

namespace nw::deploy {
namespace {

constexpr double compiler_seconds = 600, program_seconds = 1200;
constexpr std::int64_t pictures_budget = std::int64_t{256} << 20;  // bytes of floats
constexpr std::size_t golden_bytes = 4096, most_golden = 4;

std::size_t bytes_of(const exchange::ProofImages& i) {
  return static_cast<std::size_t>(i.channels * i.height * i.width);
}

/// The line of the compiler's words that names the first error.
std::string first_error(const std::string& words) {
  const std::size_t at = words.find("error:"), begin = at == std::string::npos ? 0 : words.rfind('\n', at) + 1;
  return words.substr(begin, std::min<std::size_t>(300, words.find('\n', begin) - begin));
}

/// As fast as the compiler makes it; else as every compiler makes it. Returns what the compiler objects to.
std::string compile(const fs::path& folder, const fs::path& work, bool weights_file) {
  const std::vector<std::string> files{(work / "runner.c").string(), (folder / c_source_name).string()};
  std::string objection;
  for (const bool native : {true, false}) {
    std::vector<std::string> command{"/bin/sh", "-c",    "exec \"$@\" 2>&1", "sh",      c_compiler(), "-std=c99",
                                     "-O3",     "-Wall", "-Wextra",          "-Werror", "-pedantic"};
    if (native) command.push_back("-march=native");
    if (weights_file) command.push_back("-DNW_WEIGHTS_FILE");
    command.push_back("-I" + folder.string());
    command.insert(command.end(), files.begin(), files.end());
    command.insert(command.end(), {"-o", (work / "runner").string(), "-lm"});
    const auto done = exchange::run_child(command, compiler_seconds);
    if (done && done->status == 0) return "";
    objection = done ? "the compiler refuses it: " + first_error(done->out) : done.error().str();
  }
  return objection;
}

std::vector<float> floats_of(const fs::path& file) {
  const auto bytes = read_file(file, std::uint64_t{1} << 30);
  std::vector<float> numbers(bytes ? bytes->size() / sizeof(float) : 0);
  if (bytes && !numbers.empty()) std::memcpy(numbers.data(), bytes->data(), numbers.size() * sizeof(float));
  return numbers;
}

exchange::ReaderProof failed(exchange::ReaderProof proof, std::string why) {
  proof.problem = std::move(why);
  return proof;
}

}  // namespace

std::string c_compiler() {
  if (const char* named = std::getenv("CC"); named && *named)
    return named[0] == '/' ? named : exchange::program_in_path(named);
  for (const char* name : {"cc", "gcc", "clang"})
    if (std::string found = exchange::program_in_path(name); !found.empty()) return found;
  return "";
}

std::string version_of(const std::string& compiler) {
  const auto said = exchange::run_child({compiler, "--version"}, 10);
  return said ? said->out.substr(0, said->out.find('\n')) : std::string();
}

std::int64_t pictures_within_budget(const RunDefinition& run) {
  const std::int64_t each = run.channels * run.height * run.width * 4;
  return std::clamp<std::int64_t>(pictures_budget / std::max<std::int64_t>(1, each), 1, 100'000);
}

Result<ProofData> proof_data(const exchange::ExportSource& source, const exchange::ProofInputs& given) {
  exchange::ProofInputs inputs = given;
  constexpr std::int64_t of_noise = 64;
  if (inputs.images == whole_test_part)
    inputs.images = given.definition.created > 0 ? pictures_within_budget(given.definition) : of_noise;
  NW_ASSIGN(exchange::ProofImages images, exchange::images_of(inputs, 1));
  NW_ASSIGN(exchange::ProofSamples samples, exchange::proof_samples(source, {.preprocessing = false}, images));
  return ProofData{std::move(images), std::move(samples.scores), samples.outputs};
}

std::vector<GoldenSample> golden_samples(const ProofData& data) {
  const std::size_t each = bytes_of(data.images), outputs = static_cast<std::size_t>(data.outputs);
  const std::size_t count = std::min(std::clamp(golden_bytes / each, std::size_t{1}, most_golden),
                                     static_cast<std::size_t>(data.images.count));
  std::vector<GoldenSample> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pixels = data.images.hwc.begin() + static_cast<std::ptrdiff_t>(i * each);
    const auto scores = data.scores.begin() + static_cast<std::ptrdiff_t>(i * outputs);
    all.push_back({{pixels, pixels + static_cast<std::ptrdiff_t>(each)},
                   {scores, scores + static_cast<std::ptrdiff_t>(outputs)}});
  }
  return all;
}

exchange::ReaderProof prove_c(const fs::path& folder, const fs::path& work, const ProofData& data, bool weights_file) {
  exchange::ReaderProof proof{.reader = "C library", .version = version_of(c_compiler()), .problem = ""};
  const fs::path pictures = work / "pictures", scores = work / "scores";
  const auto& bytes = data.images.hwc;
  Status written = save_file(work / "runner.c", c_runner);
  if (written) written = save_file(pictures, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!written) return failed(proof, written.error().str());
  if (const std::string objection = compile(folder, work, weights_file); !objection.empty())
    return failed(proof, objection);
  const auto ran = exchange::run_child(
      {(work / "runner").string(), (folder / c_weights_name).string(), pictures.string(), scores.string()},
      program_seconds);
  if (!ran || ran->status != 0) return failed(proof, "its process ended without a result");
  int selftest = -1;
  std::istringstream line(ran->out);
  line >> selftest >> proof.images >> proof.ms_per_image;
  if (selftest != 0) return failed(proof, "nw_selftest() fails with " + std::to_string(selftest));
  const std::vector<float> computed = floats_of(scores);
  if (computed.size() != data.scores.size()) return failed(proof, "it computes another number of outputs");
  const exchange::Difference d = exchange::compared(computed, data.scores, data.outputs);
  proof.max_abs_diff = d.largest;
  proof.top1_agreement = d.agreement;
  proof.differences = d.counts;
  return proof;
}

exchange::Proof proof_of(const ProofData& data, std::vector<exchange::ReaderProof> readers) {
  exchange::Proof proof{.readers = std::move(readers), .images_from = data.images.from, .images = data.images.count};
  for (const float s : data.scores) proof.largest = std::max(proof.largest, static_cast<double>(std::abs(s)));
  return proof;
}

Text objection_to(const exchange::Proof& proof, double tolerance) {
  for (const exchange::ReaderProof& r : proof.readers) {
    if (!r.problem.empty()) return text(NW_TR("{0} does not run it: {1}"), r.reader, r.problem);
    if (!(r.max_abs_diff <= tolerance * std::max(1e-3, proof.largest)))
      return text(NW_TR("{0} computes other numbers from it: they differ by up to {1}"), r.reader, r.max_abs_diff);
  }
  return {};
}

}  // namespace nw::deploy
