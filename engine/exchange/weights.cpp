// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/weights.hpp"

#include <algorithm>
#include <cstring>

#include "engine/core/digest.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/initial_weights.hpp"

namespace nw::exchange {
namespace {

Result<Weights> weights_in(const SafetensorsFile& file, Counters* counters) {
  Weights all;
  for (const TensorInfo& t : file.header().tensors) {
    if (counters && t.dtype == "I64" && t.shape.empty())
      NW_TRY(file.read(t, std::as_writable_bytes(std::span(&(*counters)[t.name], 1))));
    if (t.dtype != "F32") continue;
    NamedWeight w{.dims = t.shape, .values = std::vector<float>(t.bytes() / sizeof(float))};
    NW_TRY(file.read(t, std::as_writable_bytes(std::span(w.values))));
    all[t.name] = std::move(w);
  }
  return all;
}

bool is_counter(const Weight& w) { return w.shape.rank() == 0; }

TensorSource source_of(const std::string& name, const NamedWeight& w) {
  return {.name = name, .dtype = DType::f32, .shape = w.dims, .fill = [&w](std::span<std::byte> to) {
            std::memcpy(to.data(), w.values.data(), to.size());
            return Status();
          }};
}

TensorSource source_of(const std::string& node, const std::string& kept) {
  return {.name = node + std::string(kept_suffix),
          .dtype = DType::u8,
          .shape = {std::ssize(kept)},
          .fill = [&kept](std::span<std::byte> to) {
            std::memcpy(to.data(), kept.data(), to.size());
            return Status();
          }};
}

TensorSource counter_tensor(const std::string& name, std::int64_t batches) {
  return {.name = name, .dtype = DType::i64, .shape = {}, .fill = [batches](std::span<std::byte> to) {
            std::memcpy(to.data(), &batches, to.size());
            return Status();
          }};
}

}  // namespace

std::vector<std::int64_t> sizes_of(const Shape& s) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < s.rank(); ++i) sizes.push_back(s[i]);
  return sizes;
}

std::string weight_name(const std::string& layer, std::string_view weight) {
  return name_in_files(layer + "." + std::string(weight));
}

Result<Weights> weights_of_run(const fs::path& run, const RunDefinition& definition, const std::string& checkpoint,
                               Counters* counters) {
  std::string name = checkpoint;
  if (name == "best" || name == "latest") {
    NW_ASSIGN(const CheckpointName found, name == "best" ? best_checkpoint(run) : latest_checkpoint(run));
    name = found.name;
  }
  NW_ASSIGN(const LoadedCheckpoint opened, open_checkpoint(run, name, weight_bytes_of(definition)));
  for (const TensorInfo& t : opened.model.header().tensors)
    if (t.dtype == "I8")
      return fail(Errc::bad_input,
                  NW_TR("{0} holds weights of 8 bits; take the run that it was made of, {1} (export has --precision "
                        "int8, and --c alone for this run)"),
                  run.string(), definition.parent);
  return weights_in(opened.model, counters);
}

Result<Weights> load_weights(const fs::path& path, Counters* counters) {
  NW_ASSIGN(const SafetensorsFile file, SafetensorsFile::open(path));
  return weights_in(file, counters);
}

std::size_t take_weights(Weights& to, const Weights& from, const std::vector<std::string>& fresh) {
  std::size_t taken = 0;
  for (auto& [name, w] : to) {
    const auto it = from.find(name);
    const bool anew = std::any_of(fresh.begin(), fresh.end(),
                                  [&](const std::string& layer) { return (name + ".").starts_with(layer + "."); });
    if (anew || it == from.end() || it->second.dims != w.dims) continue;
    w.values = it->second.values;
    ++taken;
  }
  return taken;
}

Result<Weights> initial_weights(const FlatNetwork& network, std::uint64_t seed) {
  Weights all;
  for (const FlatLayer& layer : network.layers)
    for (const Weight& w : layer.weights) {
      if (is_counter(w)) continue;
      NamedWeight made{sizes_of(w.shape), std::vector<float>(static_cast<std::size_t>(w.shape.elements()))};
      Value value;
      value.name = layer.name + "." + w.name;
      value.shape = w.shape;
      value.init = w.init;
      value.fan_in = static_cast<int>(w.fan_in);
      NW_TRY(initial_values(value, seed, made.values));
      all[name_in_files(value)] = std::move(made);
    }
  return all;
}

void add_names(WeightNames& names, const std::string& layer, const std::vector<Weight>& weights) {
  for (const Weight& w : weights)
    (is_counter(w) ? names.counters : names.weights).push_back(weight_name(layer, w.name));
}

WeightNames names_of(const FlatNetwork& network) {
  WeightNames names;
  for (const FlatLayer& layer : network.layers) add_names(names, layer.name, layer.weights);
  return names;
}

Result<std::vector<TensorSource>> sources_of(const Weights& weights, const WeightNames& names,
                                             const Counters& counters) {
  std::vector<TensorSource> tensors;
  for (const std::string& name : names.weights) {
    const auto it = weights.find(name);
    if (it == weights.end()) return fail(Errc::other, NW_TR("There are no values for {0}"), name);
    tensors.push_back(source_of(name, it->second));
  }
  for (const std::string& name : names.counters)
    tensors.push_back(counter_tensor(name, counters.contains(name) ? counters.at(name) : 0));
  return tensors;
}

Result<std::string> save_weights(const Weights& weights, const WeightNames& names, const fs::path& path,
                                 const Counters& counters, const KeptOperators& kept,
                                 const SafetensorsMetadata& metadata) {
  NW_ASSIGN(std::vector<TensorSource> tensors, sources_of(weights, names, counters));
  for (const auto& [node, bytes] : kept) tensors.push_back(source_of(node, bytes));
  NW_ASSIGN(const std::uint64_t bytes, write_safetensors(path, std::move(tensors), metadata));
  (void)bytes;
  NW_ASSIGN(const FileDigests digests, digests_of_file(path));
  return digests.sha256;
}

}  // namespace nw::exchange
