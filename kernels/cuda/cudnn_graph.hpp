// SPDX-License-Identifier: Apache-2.0
// A graph of cuDNN operations as data, and its execution by cuDNN. The backend's descriptors are built here, by one
// short function for each kind, instead of by NVIDIA's C++ frontend: our graphs have at most three operations, and
// nothing has to be downloaded.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "kernels/api.hpp"
#include "kernels/cuda/driver_api.hpp"

namespace nw::cuda {

struct GraphTensor {
  DType type = DType::f32;
  std::array<std::int64_t, 4> sizes{};  // (N,C,H,W), or (O,I,kh,kw); in memory channels are innermost
  bool is_virtual = false;              // between two operations, never in memory
};
struct Window {
  std::array<std::int64_t, 2> strides{1, 1}, padding{0, 0}, dilations{1, 1};
};
/// Operands are indices into Graph::tensors; their order is the one of the operation's comment.
struct GraphOperation {
  enum Kind : int {
    forward,          // x w > y
    data_gradient,    // dy w > dx
    filter_gradient,  // dy x > dw
    add,              // a b > y; b may be one number for each channel
    relu,             // x > y
    statistics,       // x > sums, sums of squares
  };
  Kind kind;
  std::vector<int> tensors;
  Window window;
};
struct Graph {
  std::vector<GraphTensor> tensors{};
  std::vector<GraphOperation> operations{};
  bool tf32 = false;  // f32 operands may lose what tf32 has no room for
  int tensor(DType, std::array<std::int64_t, 4> sizes, bool is_virtual = false);
  void operation(GraphOperation::Kind, std::vector<int> tensors, const Window& = {});
  /// All of it in one line: equal graphs have equal lines.
  std::string line() const;
};

/// The target of a graph's compilation: a handle, or a device that is not present, described by JSON.
struct GraphTarget {
  void* handle = nullptr;
  void* device = nullptr;  // descriptor of device properties
};

/// One backend descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int kind);
  Descriptor(Descriptor&& o) noexcept : raw_(std::exchange(o.raw_, nullptr)), status_(o.status_) {}
  Descriptor& operator=(Descriptor&& o) noexcept { return std::swap(raw_, o.raw_), status_ = o.status_, *this; }
  ~Descriptor();
  void* raw() const { return raw_; }
  /// The first failure of any call so far; later calls are skipped.
  int status() const { return status_; }
  Descriptor& set(int attribute, int type, std::int64_t count, const void* values);
  Descriptor& set(int attribute, int type, std::int64_t value) { return set(attribute, type, 1, &value); }
  Descriptor& set_mode(int attribute, int type, int mode) { return set(attribute, type, 1, &mode); }
  Descriptor& set(int attribute, const Descriptor& other);
  Descriptor& finish();

 private:
  void* raw_ = nullptr;
  int status_ = 0;
};

class CudnnPlan {
 public:
  /// The first implementation, in cuDNN's order, that supports the graph, always adds in the same order and needs no
  /// more workspace; those that have to be compiled first, which takes seconds, come last. Error: there is none.
  static Result<std::shared_ptr<CudnnPlan>> make(const Graph&, const GraphTarget&, std::int64_t most_workspace_bytes);
  /// From the result of text(), checked by cuDNN. Error: damaged, or of another device or cuDNN.
  static Result<std::shared_ptr<CudnnPlan>> from_text(const Graph&, const GraphTarget&, const std::string& text);
  std::int64_t workspace_bytes() const { return workspace_bytes_; }
  bool runtime_compiled() const { return runtime_compiled_; }
  std::int64_t engine() const { return engine_; }
  /// How many of the implementations tried, beginning with the first, do not fit.
  int refused() const { return refused_; }
  /// The plan as text, mostly cuDNN's own, from which another process can start; empty: cuDNN provides none.
  std::string text() const;
  /// Addresses by index into Graph::tensors (virtual ones are ignored). cuDNN's status; 0: enqueued on the handle's
  /// stream.
  int enqueue(void* handle, const std::vector<void*>& addresses, void* workspace) const;

 private:
  Descriptor plan_;
  std::vector<bool> is_virtual_;
  std::int64_t workspace_bytes_ = 0, engine_ = -1;
  bool runtime_compiled_ = false;
  int refused_ = 0;
  friend class GraphBuilder;
};

/// Device properties as cuDNN writes and reads them. Error: cuDNN is too old for them, or rejects them.
Result<Descriptor> device_properties(const std::string& json);

}  // namespace nw::cuda
