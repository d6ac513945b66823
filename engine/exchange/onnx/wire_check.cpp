// SPDX-License-Identifier: Apache-2.0
// The wire format: https://protobuf.dev/programming-guides/encoding/. Field numbers are those of
// resources/onnx/onnx.proto.
#include "engine/exchange/onnx/wire_check.hpp"

#include <array>

namespace nw::onnx {
namespace {

enum class Kind { model, graph, node, attribute, tensor, leaf, text, data, packed, training };

struct Field {
  Kind in;
  std::uint32_t number;
  Kind of;
};
/// What the fields of a message are; a field that is not listed is a leaf, whose inside is not looked at.
constexpr std::array fields{
    Field{Kind::model, 7, Kind::graph},      Field{Kind::model, 20, Kind::training},
    Field{Kind::model, 2, Kind::text},       Field{Kind::model, 6, Kind::text},
    Field{Kind::graph, 1, Kind::node},       Field{Kind::graph, 5, Kind::tensor},
    Field{Kind::graph, 2, Kind::text},       Field{Kind::graph, 10, Kind::text},
    Field{Kind::node, 5, Kind::attribute},   Field{Kind::node, 1, Kind::text},
    Field{Kind::node, 2, Kind::text},        Field{Kind::node, 3, Kind::text},
    Field{Kind::node, 4, Kind::text},        Field{Kind::node, 6, Kind::text},
    Field{Kind::node, 7, Kind::text},        Field{Kind::attribute, 5, Kind::tensor},
    Field{Kind::attribute, 6, Kind::graph},  Field{Kind::attribute, 10, Kind::tensor},
    Field{Kind::attribute, 11, Kind::graph}, Field{Kind::attribute, 4, Kind::text},
    Field{Kind::attribute, 1, Kind::text},   Field{Kind::attribute, 13, Kind::text},
    Field{Kind::attribute, 7, Kind::data},   Field{Kind::attribute, 8, Kind::packed},
    Field{Kind::attribute, 9, Kind::text},   Field{Kind::tensor, 1, Kind::packed},
    Field{Kind::tensor, 4, Kind::data},      Field{Kind::tensor, 5, Kind::packed},
    Field{Kind::tensor, 7, Kind::packed},    Field{Kind::tensor, 9, Kind::data},
    Field{Kind::tensor, 10, Kind::data},     Field{Kind::tensor, 11, Kind::packed},
    Field{Kind::tensor, 8, Kind::text},      Field{Kind::tensor, 12, Kind::text},
};

constexpr std::uint64_t message_bytes = 256;  // of an empty message in memory, the list that holds it included
constexpr std::uint64_t text_bytes = 64;      // of an empty string
constexpr std::uint64_t leaf_factor = 48;     // memory per byte of a message that is not looked into

Kind kind_of(Kind in, std::uint32_t number) {
  for (const Field& f : fields)
    if (f.in == in && f.number == number) return f.of;
  return Kind::leaf;
}

class Walk {
 public:
  Walk(const Limits& limits, const std::string& where) : limits_(limits), where_(where) {}

  Status message(std::string_view bytes, Kind kind, int depth) {
    if (depth > limits_.depth) return bad(text(NW_TR("its parts are nested more than {0} levels deep"), limits_.depth));
    while (!bytes.empty()) NW_TRY(field(bytes, kind, depth));
    return {};
  }

 private:
  Error bad(const Text& what) const {
    return fail(Errc::bad_input, NW_TR("{0} is not a usable ONNX file: {1}"), where_, what.str());
  }
  Error cut() const { return bad(text(NW_TR("it is damaged or cut short"))); }

  /// Takes a varint from the front; false: it does not end, or is longer than 64 bits.
  static bool varint(std::string_view& bytes, std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  Status field(std::string_view& bytes, Kind kind, int depth) {
    std::uint64_t tag = 0, length = 0;
    if (!varint(bytes, tag) || tag >> 3 == 0 || tag >> 32 != 0) return cut();
    NW_TRY(take(8));
    switch (tag & 7) {
      case 0:
        return varint(bytes, length) ? Status() : cut();
      case 1:
      case 5: {
        const std::size_t size = (tag & 7) == 1 ? 8 : 4;
        if (bytes.size() < size) return cut();
        bytes.remove_prefix(size);
        return {};
      }
      case 2: {
        if (!varint(bytes, length) || length > bytes.size()) return cut();
        const std::string_view inside = bytes.substr(0, length);
        bytes.remove_prefix(length);
        return part(inside, kind_of(kind, static_cast<std::uint32_t>(tag >> 3)), depth);
      }
      default:
        return cut();
    }
  }

  Status part(std::string_view inside, Kind kind, int depth) {
    switch (kind) {
      case Kind::training:
        return bad(text(NW_TR("it holds a training graph, which is not read; export the network for inference")));
      case Kind::data:
        return take_data(inside.size());
      case Kind::packed:
        return take_data(8 * inside.size());
      case Kind::text:
        return take(text_bytes + inside.size());
      case Kind::leaf:
        return take(message_bytes + leaf_factor * inside.size());
      default:
        break;
    }
    NW_TRY(take(message_bytes));
    if (kind == Kind::node && ++nodes_ > limits_.nodes)
      return bad(text(NW_TR("it holds more than {0} operators"), limits_.nodes));
    if (kind == Kind::tensor && ++tensors_ > limits_.tensors)
      return bad(text(NW_TR("it holds more than {0} tensors"), limits_.tensors));
    return message(inside, kind, depth + 1);
  }

  Status take(std::uint64_t bytes) {
    structure_ += bytes;
    if (structure_ <= limits_.structure_bytes) return {};
    return bad(
        text(NW_TR("its description alone would take more than {0} MiB of memory"), limits_.structure_bytes >> 20));
  }
  Status take_data(std::uint64_t bytes) {
    data_ += bytes;
    if (data_ <= limits_.data_bytes) return {};
    return bad(text(NW_TR("its tensors would take more than {0} MiB of memory"), limits_.data_bytes >> 20));
  }

  const Limits& limits_;
  const std::string& where_;
  std::uint64_t structure_ = 0, data_ = 0;
  std::size_t nodes_ = 0, tensors_ = 0;
};

}  // namespace

Status check_wire(std::string_view bytes, const std::string& where, const Limits& limits) {
  return Walk(limits, where).message(bytes, Kind::model, 0);
}

}  // namespace nw::onnx
