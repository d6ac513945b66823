// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/weight_table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/exchange/weights.hpp"
#include "engine/runs/descriptor.hpp"

namespace nw::exchange {
namespace {

constexpr std::string_view counter = "num_batches_tracked";

const TensorInfo* find(const SafetensorsHeader& file, std::string_view name) {
  const auto it = std::find_if(file.tensors.begin(), file.tensors.end(), [&](const auto& t) { return t.name == name; });
  return it == file.tensors.end() ? nullptr : &*it;
}

WeightRow row_of(std::string name, std::vector<std::int64_t> sizes, const TensorInfo* in_file) {
  WeightRow row{.name = std::move(name), .network = std::move(sizes), .match = WeightMatch::not_in_file};
  if (!in_file) return row;
  row.file = in_file->shape;
  row.match = row.file == row.network && in_file->dtype == "F32" ? WeightMatch::taken : WeightMatch::other_shape;
  return row;
}

/// The first bytes of a plain file; empty: there is none.
std::string first_bytes(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 9> bytes{};
  const auto count = file.fd < 0 ? -1 : ::read(file.fd, bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))};
}

bool ends_with(const std::string& name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return name.ends_with(e); });
}

}  // namespace

std::string_view name_of(WeightMatch match) {
  switch (match) {
    case WeightMatch::taken:
      return "taken";
    case WeightMatch::other_shape:
      return "other shape";
    case WeightMatch::not_in_file:
      return "not in file";
    case WeightMatch::not_in_network:
      return "not in network";
  }
  return "";
}

std::vector<WeightRow> weight_table(const FlatNetwork& network, const SafetensorsHeader& file) {
  std::vector<WeightRow> rows;
  std::set<std::string> known;
  for (const FlatLayer& layer : network.layers)
    for (const Weight& w : layer.weights) {
      if (w.name == counter) continue;
      const std::string name = weight_name(layer.name, w.name);
      known.insert(name);
      rows.push_back(row_of(name, sizes_of(w.shape), find(file, name)));
    }
  for (const TensorInfo& t : file.tensors)
    if (!known.contains(t.name) && !t.name.ends_with(counter))
      rows.push_back({.name = t.name, .network = {}, .file = t.shape, .match = WeightMatch::not_in_network});
  return rows;
}

std::optional<ForeignWeights> foreign_weights(const fs::path& path) {
  const std::string begin = first_bytes(path), name = path.filename().string();
  if (begin.starts_with("\x89HDF") || (begin.starts_with("PK\x03\x04") && ends_with(name, {".keras"})))
    return ForeignWeights::keras;
  // Safetensors: 8 bytes with the header's length, which may look like a pickle's first ones (640 is 80 02), and "{".
  const bool safetensors = begin.size() > 8 && begin[8] == '{';
  const bool pickle = begin.size() > 1 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5 && !safetensors;
  if (pickle || (begin.starts_with("PK\x03\x04") && ends_with(name, {".pt", ".pth", ".bin", ".ckpt"})))
    return ForeignWeights::pytorch;
  return std::nullopt;
}

Error foreign_weights_error(ForeignWeights kind, const fs::path& path) {
  if (kind == ForeignWeights::keras)
    return fail(Errc::bad_input,
                NW_TR("{0} is a file of Keras, which may run code when it is opened; convert it to ONNX with Keras "
                      "(the command line prints the script)"),
                path.string());
  return fail(Errc::bad_input,
              NW_TR("{0} is a file of PyTorch, which may run code when it is opened; convert it to safetensors with "
                    "PyTorch (the command line prints the script)"),
              path.string());
}

std::string_view conversion_script(ForeignWeights kind) {
  if (kind == ForeignWeights::keras)
    return "import sys, keras\n"
           "model = keras.saving.load_model(sys.argv[1], safe_mode=True)\n"
           "model.export(sys.argv[2], format='onnx')\n";
  return "import sys, torch\n"
         "from safetensors.torch import save_file\n"
         "state = torch.load(sys.argv[1], map_location='cpu', weights_only=True)\n"
         "for key in ('state_dict', 'model'):\n"
         "    state = state.get(key, state)\n"
         "save_file({name.removeprefix('module.'): value.contiguous().clone()\n"
         "           for name, value in state.items() if torch.is_tensor(value)}, sys.argv[2])\n";
}

}  // namespace nw::exchange
