// SPDX-License-Identifier: Apache-2.0
// Runs an 8-bit network. Equal bytes whatever the instruction set, the number of threads and of images at once; with
// layers in fp32, whatever the latter two.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "engine/compress/int8/network.hpp"
#include "engine/compress/int8/real_layer.hpp"
#include "kernels/api.hpp"

namespace nw::compress::int8 {

/// One thread at a time. The team must outlive it.
class Runner {
 public:
  /// Errc::bad_input: the network is too large for this machine's addresses.
  static Result<Runner> make(Network, const nw::int8::Kernels&, Team&);
  /// Normalized images (count, H, W, C) to scores (count, outputs).
  Status run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores);
  const nw::int8::Kernels& kernels() const { return *kernels_; }
  std::int64_t memory_bytes() const;

 private:
  /// The values of some images, and the steps with views of them.
  struct Arena {
    std::vector<std::vector<std::uint8_t>> values;
    std::vector<nw::int8::View> views;
    std::vector<std::unique_ptr<RealLayer>> real;
    std::vector<float> numbers, nhwc;  // of a layer in fp32
    Status done;
  };
  struct Worker {
    std::vector<Step> own, shared;  // on the worker's arena, and on the first one
  };
  /// Which of `size` equal workers computes, on how many images.
  struct Share {
    int worker = 0, size = 1;
    std::int64_t images = 0;
  };

  Runner(Network network, const nw::int8::Kernels& kernels, Team& team);
  Status prepare();
  Result<Arena> make_arena() const;
  std::vector<Step> steps_on(const Arena&) const;
  /// Rows [first, last) over the images of a value.
  void load(const Extent&, const nw::int8::View&, std::span<const float> nhwc, nw::int8::Range rows) const;
  void compute(Step&, const Share&, Arena&, float* scores) const;
  void compute_real(const Real&, const Step&, std::int64_t images, Arena&) const;
  void read_scores(const Arena&, std::int64_t images, float* scores) const;
  /// The images [first, last), on the worker's arena.
  void run_alone(nw::int8::Range, int worker, std::span<const float> nhwc, float* scores);
  void run_on_team(std::span<const float> nhwc, std::int64_t count, float* scores);
  void run_together(int worker, std::span<const float> nhwc, std::int64_t count, float* scores);

  Network network_;
  const nw::int8::Kernels* kernels_;
  Team* team_;
  std::int64_t group_ = 1;          // images of an arena
  std::int64_t multiply_adds_ = 0;  // of one image, with what fills up blocks
  std::vector<Arena> arenas_;
  std::vector<Worker> workers_;
};

}  // namespace nw::compress::int8
