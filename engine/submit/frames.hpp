// SPDX-License-Identifier: Apache-2.0
// What a script at a place prints, as frames: "KIND BYTES PATH", a byte 0, and so many bytes. Their sender is not
// trusted: lengths are limited, paths stay inside a folder.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw::submit {

struct FrameHead {
  std::string kind, path;
  std::uint64_t bytes = 0;
};

/// Takes the bytes as they come. `begin` is called with each head, `piece` with its bytes as they arrive, `end` when
/// all are there. An error, of theirs or of the form, is the last: nothing is taken after it.
class FrameReader {
 public:
  struct Receiver {
    std::function<Status(const FrameHead&)> begin;
    std::function<Status(std::string_view)> piece;
    std::function<Status()> end;
  };
  explicit FrameReader(Receiver receiver) : receiver_(std::move(receiver)) {}
  /// Errc::bad_input: no frame, or one of more than `limit_bytes`.
  Status feed(std::string_view bytes);

  static constexpr std::uint64_t limit_bytes = std::uint64_t{1} << 40;

 private:
  Status begin();

  Receiver receiver_;
  std::string head_;
  bool inside_ = false;
  std::uint64_t left_ = 0;
};

/// A relative path of plain parts: no "..", no ".", not empty.
bool is_inside(std::string_view path);

}  // namespace nw::submit
