// SPDX-License-Identifier: Apache-2.0
// A descriptor of the imitated cuDNN's backend API.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda::fake_dnn {

/// As in the library, a descriptor keeps the descriptors that it refers to alive.
struct Node {
  int kind;
  std::map<int, std::vector<std::byte>> values{};
  std::map<int, std::vector<std::shared_ptr<Node>>> links{};
  template <class T>
  T value(int attribute, std::size_t i = 0) const {
    T v{};
    const auto it = values.find(attribute);
    if (it != values.end() && it->second.size() >= (i + 1) * sizeof v)
      std::memcpy(&v, it->second.data() + i * sizeof v, sizeof v);
    return v;
  }
  std::string words(int attribute) const {
    const auto it = values.find(attribute);
    return it == values.end() ? "" : std::string(reinterpret_cast<const char*>(it->second.data()), it->second.size());
  }
  Node* link(int attribute) const { return links.count(attribute) ? links.at(attribute).at(0).get() : nullptr; }
};
using Handle = std::shared_ptr<Node>;

/// Executes a graph's operations in double, on the tensors that the arguments name.
void run(const Node& graph, const Node& arguments);
/// Adds to the call what the graph reads, writes and computes.
void describe(const Node& graph, const Node& arguments, FakeCall& call);

}  // namespace nw::cuda::fake_dnn
