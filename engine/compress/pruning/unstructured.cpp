// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/pruning/unstructured.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>

namespace nw::compress {
namespace {

using exchange::NamedWeight;
using exchange::Weights;

bool is_matrix(const std::string& name, const NamedWeight& w) {
  return w.dims.size() >= 2 && (name == "weight" || name.ends_with(".weight"));
}

/// A weight's magnitude, and where it is: the index of its layer and its place there.
struct Entry {
  float magnitude;
  std::size_t layer, place;
  auto operator<=>(const Entry&) const = default;
};

class Pruner {
 public:
  Pruner(const FlatNetwork& network, Weights weights, const SparsityPlan& plan) : plan_(plan) {
    made_.weights = std::move(weights);
    for (const FlatLayer& l : network.layers) {
      const auto at = made_.weights.find(exchange::weight_name(l.name, "weight"));
      if (at == made_.weights.end() || !is_matrix(at->first, at->second)) continue;
      made_.layers.push_back({l.name, std::ssize(at->second.values), 0});
      values_.push_back(&at->second.values);
    }
  }

  Result<SparseNetwork> all() {
    NW_TRY(check());
    std::vector<std::size_t> together;
    for (std::size_t l = 0; l < values_.size(); ++l) {
      const auto named = plan_.layers.find(made_.layers[l].layer);
      if (named == plan_.layers.end())
        together.push_back(l);
      else
        remove({l}, named->second);
    }
    remove(together, plan_.share);
    for (std::size_t l = 0; l < values_.size(); ++l)
      made_.layers[l].zeros = std::count(values_[l]->begin(), values_[l]->end(), 0.0F);
    return std::move(made_);
  }

 private:
  Status check() const {
    for (const auto& [layer, share] : plan_.layers)
      if (std::none_of(made_.layers.begin(), made_.layers.end(), [&](const auto& l) { return l.layer == layer; }))
        return fail(Errc::bad_input, NW_TR("There is no layer {0} with a matrix or filters of weights"), layer);
    for (std::size_t l = 0; l < values_.size(); ++l)
      if (!std::all_of(values_[l]->begin(), values_[l]->end(), [](float v) { return std::isfinite(v); }))
        return fail(Errc::bad_input, NW_TR("{0} holds numbers that are not finite"), made_.layers[l].layer);
    return {};
  }

  /// Without the largest, which stays.
  void add_entries(std::size_t l, std::vector<Entry>& all) const {
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    for (std::size_t i = 0; i < values_[l]->size(); ++i) all.push_back({std::abs((*values_[l])[i]), l, i});
    if (!values_[l]->empty()) all.erase(std::max_element(all.begin() + first, all.end()));
  }

  void remove(const std::vector<std::size_t>& layers, double share) {
    std::vector<Entry> entries;
    double weights = 0;
    for (const std::size_t l : layers) {
      add_entries(l, entries);
      weights += static_cast<double>(values_[l]->size());
    }
    const auto count = std::min(entries.size(), static_cast<std::size_t>(std::llround(share * weights)));
    std::nth_element(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count), entries.end());
    for (std::size_t i = 0; i < count; ++i) (*values_[entries[i].layer])[entries[i].place] = 0;
  }

  const SparsityPlan& plan_;
  SparseNetwork made_;
  std::vector<std::vector<float>*> values_;
};

}  // namespace

Result<SparseNetwork> prune_weights(const FlatNetwork& network, Weights weights, const SparsityPlan& plan) {
  return Pruner(network, std::move(weights), plan).all();
}

void keep_zeros(const Weights& pruned, Weights& weights) {
  for (auto& [name, w] : weights) {
    const auto at = pruned.find(name);
    if (at == pruned.end() || !is_matrix(name, w)) continue;
    for (std::size_t i = 0; i < w.values.size(); ++i)
      if (at->second.values[i] == 0) w.values[i] = 0;
  }
}

std::int64_t sparse_bytes(const Weights& weights) {
  std::int64_t all = 0;
  for (const auto& [name, w] : weights) {
    const std::int64_t places = std::ssize(w.values), zeros = std::count(w.values.begin(), w.values.end(), 0.0F);
    all += std::min(4 * places, 4 * (places - zeros) + (places + 7) / 8);
  }
  return all;
}

Result<std::int64_t> deflated_bytes(const fs::path& file) {
  constexpr std::size_t most = std::size_t{1} << 34;
  NW_ASSIGN(const std::string bytes, read_file(file, most));
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 6) != Z_OK)
    return fail(Errc::disk, NW_TR("{0} cannot be compressed"), file.string());
  return static_cast<std::int64_t>(size);
}

}  // namespace nw::compress
