// SPDX-License-Identifier: Apache-2.0
// Who touched each byte: the last thread that wrote it and those that read it, with their block and the number of
// barriers that the block had passed.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "tests/kernels/cuda/proof/access.hpp"

namespace nw::proof {

/// A thread between two barriers.
struct Moment {
  int block = -1, thread = -1, barriers = -1;
  bool in_order_with(const Moment& o) const {
    return block == o.block && (thread == o.thread || barriers != o.barriers);
  }
};

class Touched {
 public:
  /// Notes an access; returns what is wrong with it, or nothing. `must_be_written`: of a byte that is read.
  std::string touch(const Access& a, const Moment& now, bool must_be_written) {
    std::string wrong;
    for (std::size_t i = 0; i < a.bytes && wrong.empty(); ++i) {
      Cell& c = cell(reinterpret_cast<std::uintptr_t>(a.at) + i);
      wrong = a.writes ? write(c, now) : read(c, now, must_be_written);
    }
    return wrong;
  }
  void forget() { pages_.clear(); }

 private:
  static constexpr std::uintptr_t page_bytes = 256;
  struct Cell {
    Moment writer, reader;
    bool other_blocks = false, other_threads = false;  // read it too, or did so since the same barrier
  };
  Cell& cell(std::uintptr_t at) {
    auto& page = pages_[at / page_bytes];
    if (!page) page = std::make_unique<std::array<Cell, page_bytes>>();
    return (*page)[at % page_bytes];
  }
  static std::string name(const Moment& m) {
    return "thread " + std::to_string(m.thread) + " of block " + std::to_string(m.block);
  }
  static std::string both(const char* what, const Moment& a, const Moment& b) {
    return name(a) + " and " + name(b) + what;
  }
  static std::string write(Cell& c, const Moment& now) {
    if (c.writer.block >= 0 && !c.writer.in_order_with(now)) return both(" write the same byte", c.writer, now);
    const bool many = c.other_blocks || (c.other_threads && c.reader.barriers == now.barriers);
    if (c.reader.block >= 0 && (many || !c.reader.in_order_with(now)))
      return both(" read and write the same byte", c.reader, now);
    c.writer = now;
    return {};
  }
  static std::string read(Cell& c, const Moment& now, bool must_be_written) {
    if (c.writer.block < 0 && must_be_written) return name(now) + " reads what its block did not write";
    if (c.writer.block >= 0 && !c.writer.in_order_with(now))
      return both(" write and read the same byte", c.writer, now);
    const bool same_block = c.reader.block == now.block, same_phase = same_block && c.reader.barriers == now.barriers;
    c.other_blocks |= c.reader.block >= 0 && !same_block;
    c.other_threads = same_phase && (c.other_threads || c.reader.thread != now.thread);
    c.reader = now;
    return {};
  }
  std::unordered_map<std::uintptr_t, std::unique_ptr<std::array<Cell, page_bytes>>> pages_;
};

}  // namespace nw::proof
