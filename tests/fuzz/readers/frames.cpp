// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/frames.hpp"

#include <algorithm>

#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

/// What a receiver was given, as one text; and what it should not have been given.
struct Seen {
  std::string all, broken;
  std::uint64_t left = 0;
  submit::FrameReader::Receiver receiver() {
    return {[this](const submit::FrameHead& head) {
              if (left != 0) broken = "a frame begins inside another one";
              if (!head.path.empty() && !submit::is_inside(head.path)) broken = "a path leads outside";
              if (head.bytes > submit::FrameReader::limit_bytes) broken = "a frame is too long";
              left = head.bytes;
              all += "<" + head.kind + " " + head.path + " " + std::to_string(head.bytes) + ">";
              return Status{};
            },
            [this](std::string_view piece) {
              if (piece.size() > left) broken = "a frame has more bytes than its head says";
              left -= std::min<std::uint64_t>(left, piece.size());
              all += piece;
              return Status{};
            },
            [this] {
              if (left != 0) broken = "a frame ends early";
              all += "</>";
              return Status{};
            }};
  }
};

/// True: all of it was understood.
bool feed(std::string_view bytes, std::size_t piece, Seen& seen) {
  submit::FrameReader reader(seen.receiver());
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    if (!reader.feed(bytes.substr(0, piece))) return false;
  return true;
}

}  // namespace

/// The first byte says into pieces of how many bytes the rest is cut: they mean the same as the whole.
Outcome read_frames(Bytes bytes) {
  if (bytes.empty()) return {};
  const std::string_view stream = as_text(bytes.subspan(1));
  Seen whole, pieces;
  const bool understood = feed(stream, stream.size() + 1, whole);
  const bool again = feed(stream, static_cast<std::size_t>(bytes[0]) + 1, pieces);
  if (!whole.broken.empty() || !pieces.broken.empty()) return {understood, whole.broken + pieces.broken};
  if (understood != again) return {understood, "pieces are understood otherwise than the whole"};
  if (understood && whole.all != pieces.all) return {true, "pieces say something else than the whole"};
  return {understood, {}};
}

}  // namespace nw::fuzz
