// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/proof.hpp"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sstream>

#include "engine/core/discard.hpp"
#include "engine/core/rng.hpp"
#include "engine/exchange/child_process.hpp"
#include "engine/exchange/import_onnx.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "engine/exchange/python_readers.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/io/safetensors.hpp"
#include "kernels/math/pixel_scale.hpp"

namespace nw::exchange {
namespace {

// An fp16 number has 11 bits, so each operation is off by up to 4.9e-4 of it; a deep network adds these up.
constexpr double child_seconds = 300, single_tolerance = 1e-4, half_tolerance = 2e-2;
// In int8 each layer's values have 7 bits below the largest, and what is above that is clipped.
constexpr double int8_tolerance = 0.25;

std::size_t best(std::span<const float> row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

/// The Softmax or LogSoftmax that the importer left to the loss.
void end_as(const std::string& end, std::vector<float>& scores, std::int64_t outputs) {
  if (end.empty() || outputs < 1) return;
  const auto width = static_cast<std::size_t>(outputs);
  for (std::size_t at = 0; at + width <= scores.size(); at += width) {
    const std::span row(scores.data() + at, width);
    const float largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const float v : row) sum += std::exp(static_cast<double>(v - largest));
    for (float& v : row) {
      const double log = static_cast<double>(v - largest) - std::log(sum);
      v = static_cast<float>(end == "Softmax" ? std::exp(log) : log);
    }
  }
}

ReaderProof proof_from(const Json& j) {
  ReaderProof p;
  const auto number = [&](const char* key) { return j.contains(key) && j[key].is_number() ? j[key].get<double>() : 0; };
  const auto words = [&](const char* key) {
    return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : std::string();
  };
  p.reader = words("reader");
  p.version = words("version");
  p.problem = words("problem");
  p.max_abs_diff = number("max_abs_diff");
  p.top1_agreement = number("top1_agreement");
  p.ms_per_image = number("ms_per_image");
  p.images = static_cast<std::int64_t>(number("images"));
  return p;
}

}  // namespace

Difference compared(const std::vector<float>& a, const std::vector<float>& b, std::int64_t outputs) {
  Difference d;
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(1, outputs));
  const std::size_t count = std::min(a.size(), b.size()) / width;
  for (std::size_t i = 0; i < count * width; ++i) {
    const double diff = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    d.largest = diff >= d.largest ? diff : d.largest;
    if (!(diff >= 0)) d.largest = INFINITY;  // one of them is not a number
    ++d.counts[static_cast<std::size_t>(difference_bin(diff))];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::span x(a.data() + i * width, width), y(b.data() + i * width, width);
    const bool same = width > 1 ? best(x) == best(y) : std::abs(x[0] - y[0]) < 1e-3F;
    d.agreement += same ? 1.0 : 0.0;
  }
  d.agreement /= static_cast<double>(std::max<std::size_t>(1, count));
  return d;
}

std::vector<ReaderProof> proofs_in(const std::string& lines) {
  std::vector<ReaderProof> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);)
    if (const auto json = parse_json(line, "reader"); json && json->is_object() && json->contains("reader"))
      all.push_back(proof_from(*json));
  return all;
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "netwright-proof-XXXXXX").string();
  if (::mkdtemp(name.data())) path = name;
}
ScratchFolder::~ScratchFolder() { discard(path); }

Result<ProofSamples> proof_samples(const ExportSource& source, const ExportOptions& options,
                                   const ProofImages& images) {
  ProofSamples s{.dims = {images.count, images.channels, images.height, images.width}};
  const std::int64_t area = images.height * images.width, each = area * images.channels;
  s.inputs.resize(images.hwc.size());
  std::vector<float> normalized(images.hwc.size());
  for (std::int64_t i = 0; i < std::ssize(images.hwc); ++i) {
    const std::int64_t image = i / each, at = i % each / images.channels;
    const auto c = static_cast<std::size_t>(i % images.channels);
    const auto to = static_cast<std::size_t>(image * each + static_cast<std::int64_t>(c) * area + at);
    const std::uint8_t pixel = images.hwc[static_cast<std::size_t>(i)];
    const PixelScale scale{c < source.mean.size() ? source.mean[c] : 0.0F,
                           c < source.deviation.size() ? source.deviation[c] : 1.0F};
    normalized[to] = math::scaled_pixel(pixel, scale);
    s.inputs[to] = options.preprocessing && !source.mean.empty() ? static_cast<float>(pixel) : normalized[to];
  }
  NW_ASSIGN(s.scores, run_network(source.doc, source.weights, normalized, images.count));
  s.outputs = images.count > 0 ? std::ssize(s.scores) / images.count : 0;
  return s;
}

Status save_samples(const ProofSamples& s, const fs::path& path) {
  const auto source = [](const char* name, std::vector<std::int64_t> dims, const std::vector<float>& values) {
    return TensorSource{
        .name = name, .dtype = DType::f32, .shape = std::move(dims), .fill = [&values](std::span<std::byte> to) {
          std::memcpy(to.data(), values.data(), to.size());
          return Status();
        }};
  };
  const auto written =
      write_safetensors(path, {source("inputs", s.dims, s.inputs), source("scores", {s.dims[0], s.outputs}, s.scores)});
  return written ? Status() : written.error();
}

Result<ProofSamples> load_samples(const fs::path& path) {
  NW_ASSIGN(Weights all, load_weights(path));
  const auto inputs = all.find("inputs"), scores = all.find("scores");
  if (inputs == all.end() || scores == all.end() || inputs->second.dims.size() != 4 ||
      scores->second.dims.size() != 2 || inputs->second.dims[0] != scores->second.dims[0])
    return fail(Errc::bad_input,
                NW_TR("{0} holds no samples: it needs \"inputs\" (N,C,H,W) and \"scores\" (N,outputs)"), path.string());
  return ProofSamples{inputs->second.dims, std::move(inputs->second.values), std::move(scores->second.values),
                      scores->second.dims[1]};
}

namespace {
struct FileScores {
  std::vector<float> scores;
  std::string producer;  // version of the program that wrote the file
  double ms = 0;
};

Result<FileScores> scores_in(const fs::path& file, const ProofSamples& samples) {
  NW_ASSIGN(const onnx::Model model, onnx::read_model(file));
  const std::string where = file.filename().string();
  NW_ASSIGN(const ImportedNetwork network,
            import_onnx(model, where, {.height = samples.dims[2], .width = samples.dims[3], .strict = true}));
  std::vector<float> inputs = samples.inputs;
  const std::int64_t count = samples.dims[0];
  preprocess(network.preprocessing, inputs, samples.dims[1], samples.dims[2] * samples.dims[3]);
  NW_ASSIGN(const FlatNetwork flat, flatten(network.doc, {.training = false, .batch = 1}));
  if (flat.layers[static_cast<std::size_t>(flat.input)].shape.per_sample() * count != std::ssize(inputs))
    return fail(Errc::bad_input, NW_TR("{0}: the samples are not the images of this network"), where);
  const auto begin = std::chrono::steady_clock::now();
  FileScores f{.scores = {}, .producer = model.producer_version};
  NW_ASSIGN(f.scores, run_network(network.doc, network.weights, inputs, count));
  end_as(network.end, f.scores, samples.outputs);
  f.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (f.scores.size() != samples.scores.size())
    return fail(Errc::bad_input, NW_TR("{0}: it has {1} outputs, {2} are expected"), where,
                std::ssize(f.scores) / std::max<std::int64_t>(1, count), samples.outputs);
  return f;
}
}  // namespace

Result<std::vector<float>> file_scores(const fs::path& file, const ProofSamples& samples) {
  NW_ASSIGN(FileScores f, scores_in(file, samples));
  return std::move(f.scores);
}

Result<ReaderProof> read_again(const fs::path& file, const ProofSamples& samples) {
  NW_ASSIGN(const FileScores f, scores_in(file, samples));
  const Difference d = compared(f.scores, samples.scores, samples.outputs);
  const std::int64_t count = samples.dims[0];
  return ReaderProof{.reader = "Netwright",
                     .version = f.producer,
                     .problem = "",
                     .max_abs_diff = d.largest,
                     .top1_agreement = d.agreement,
                     .ms_per_image = f.ms / static_cast<double>(std::max<std::int64_t>(1, count)),
                     .images = count,
                     .differences = d.counts};
}

double Proof::max_abs_diff() const {
  double largest = 0;
  for (const ReaderProof& r : readers)
    if (r.problem.empty()) largest = std::max(largest, r.max_abs_diff);
  return largest;
}
double Proof::top1_agreement() const {
  double least = 1;
  for (const ReaderProof& r : readers)
    if (r.problem.empty()) least = std::min(least, r.top1_agreement);
  return least;
}

double Proof::tolerance() const {
  switch (precision) {
    case ExportPrecision::fp32:
      return single_tolerance;
    case ExportPrecision::fp16:
      return half_tolerance;
    case ExportPrecision::int8:
      return int8_tolerance;
  }
  return 0;
}

bool Proof::agrees(const ReaderProof& r) const {
  return r.problem.empty() && r.max_abs_diff <= tolerance() * std::max(1e-3, largest);
}

Text Proof::objection() const {
  const bool one_is_enough = precision != ExportPrecision::fp32;
  const bool one_agrees = std::any_of(readers.begin(), readers.end(), [&](const ReaderProof& r) { return agrees(r); });
  const bool python =
      std::any_of(readers.begin(), readers.end(), [](const auto& r) { return r.reader != "Netwright"; });
  if (one_is_enough && !one_agrees && !python)
    return text(
        NW_TR("only onnxruntime and onnx.reference check files in {0}; NETWRIGHT_PYTHON names a Python that has one"),
        name_of(precision));
  for (const ReaderProof& r : readers) {
    if (!r.problem.empty() && one_is_enough && one_agrees) continue;
    if (!r.problem.empty() && r.reader == "Netwright") return text(NW_TR("it cannot be read again: {0}"), r.problem);
    if (!r.problem.empty() && r.reader != "OpenCV") return text(NW_TR("{0} does not run it: {1}"), r.reader, r.problem);
    if (r.reader != "OpenCV" && r.problem.empty() && !agrees(r))
      return text(NW_TR("{0} computes other numbers from it: they differ by up to {1}"), r.reader, r.max_abs_diff);
  }
  return {};
}

namespace {

/// By a new process of this program, which reads no quantized files.
Status prove_here(const fs::path& file, const fs::path& samples, const fs::path& program, Proof& proof) {
  if (proof.precision == ExportPrecision::int8) return {};
  NW_ASSIGN(const ChildOutput own,
            run_child({program.string(), "verify", file.string(), samples.string(), "--json"}, child_seconds));
  proof.readers = proofs_in(own.out);
  if (proof.readers.empty())
    proof.readers.push_back({.reader = "Netwright", .version = "", .problem = "the process ended without a result"});
  return {};
}

}  // namespace

Result<Proof> prove(const fs::path& file, const ProofSamples& samples, const std::string& images_from,
                    const fs::path& program, const ExportOptions& options) {
  const std::int64_t batch = options.batch;
  const ScratchFolder scratch;
  if (scratch.path.empty()) return fail(Errc::disk, NW_TR("There is no folder for temporary files"));
  const fs::path given = scratch.path / "samples.safetensors";
  NW_TRY(save_samples(samples, given));
  Proof proof{.readers = {}, .images_from = images_from, .images = samples.dims[0], .precision = options.precision};
  for (const float s : samples.scores) proof.largest = std::max(proof.largest, static_cast<double>(std::abs(s)));
  NW_TRY(prove_here(file, given, program, proof));
  const std::string python = python_program();
  if (python.empty()) return proof;
  const auto others =
      run_child({python, "-c", python_readers, file.string(), given.string(), std::to_string(batch > 0 ? batch : 16)},
                child_seconds);
  for (ReaderProof& r : others ? proofs_in(others->out) : std::vector<ReaderProof>{})
    proof.readers.push_back(std::move(r));
  return proof;
}

Json to_json(const ReaderProof& r) {
  if (!r.problem.empty()) return {{"reader", r.reader}, {"version", r.version}, {"problem", r.problem}};
  Json j{{"reader", r.reader},
         {"version", r.version},
         {"max_abs_diff", r.max_abs_diff},
         {"top1_agreement", r.top1_agreement},
         {"ms_per_image", r.ms_per_image},
         {"images", r.images}};
  if (!r.differences.empty()) j["differences"] = histogram_json(r.differences);
  return j;
}

int difference_bin(double difference) {
  constexpr double lowest = -10, per_power = 2;
  if (difference == 0) return 0;
  if (!(difference < 10)) return difference_bins - 1;
  const double at = std::floor((std::log10(difference) - lowest) * per_power);
  return at < 0 ? 1 : 2 + static_cast<int>(at);
}

Json histogram_json(const std::vector<std::int64_t>& counts) {
  Json edges = Json::array();
  for (int i = 0; i < difference_bins - 2; ++i)
    edges.push_back(std::stod(fmt::format("{:.3g}", std::pow(10, -10 + i / 2.0))));
  return {{"zero", counts.front()},
          {"edges", edges},
          {"counts", std::vector<std::int64_t>(counts.begin() + 1, counts.end())}};
}

Json to_json(const Proof& p) {
  Json readers = Json::array();
  for (const ReaderProof& r : p.readers) readers.push_back(to_json(r));
  return {{"type", "proof"},
          {"precision", name_of(p.precision)},
          {"tolerance", p.tolerance()},
          {"max_abs_diff", p.max_abs_diff()},
          {"top1_agreement", p.top1_agreement()},
          {"images", p.images},
          {"images_from", p.images_from},
          {"largest_output", p.largest},
          {"readers", readers}};
}

}  // namespace nw::exchange
