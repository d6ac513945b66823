// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstring>
#include <set>

#include "engine/exchange/onnx/external_data.hpp"
#include "engine/exchange/onnx/model.hpp"
#include "engine/exchange/onnx/wire_check.hpp"
#include "kernels/nested_text.hpp"
#include "onnx.pb.h"

namespace nw::onnx {
namespace {

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class Reader {
 public:
  Reader(const std::string& where, const fs::path* folder, const Limits& limits)
      : where_(where), folder_(folder), limits_(limits) {}

  Result<Model> model(::onnx::ModelProto& from) {
    Model m;
    m.ir_version = from.ir_version();
    m.producer = from.producer_name();
    m.producer_version = from.producer_version();
    for (const auto& set : from.opset_import()) m.opsets[set.domain()] = set.version();
    m.metadata = metadata(from.metadata_props());
    if (!from.has_graph()) return bad(text(NW_TR("it holds no graph")));
    ::onnx::GraphProto& graph = *from.mutable_graph();
    m.name = graph.name();
    if (graph.sparse_initializer_size() > 0) return bad(text(NW_TR("it holds sparse weights, which are not read")));
    for (auto& t : *graph.mutable_initializer()) {
      NW_ASSIGN(Tensor made, tensor(t));
      m.initializers.push_back(std::move(made));
    }
    for (auto& n : *graph.mutable_node()) {
      NW_ASSIGN(Node made, node(n));
      m.nodes.push_back(std::move(made));
    }
    for (const auto& v : graph.input()) m.inputs.push_back(value(v));
    for (const auto& v : graph.output()) m.outputs.push_back(value(v));
    for (const auto& v : graph.value_info()) m.values.push_back(value(v));
    return m;
  }

 private:
  Error bad(const Text& what) const {
    return fail(Errc::bad_input, NW_TR("{0} is not a usable ONNX file: {1}"), where_, nested(what));
  }

  template <class Entries>
  static Metadata metadata(const Entries& entries) {
    Metadata out;
    for (const auto& e : entries) out[e.key()] = e.value();
    return out;
  }

  static ValueInfo value(const ::onnx::ValueInfoProto& from) {
    ValueInfo v{.name = from.name()};
    if (!from.has_type() || !from.type().has_tensor_type()) {
      v.type = Type::undefined;
      return v;
    }
    const auto& type = from.type().tensor_type();
    v.type = static_cast<Type>(type.elem_type());
    if (!type.has_shape()) return v;
    v.dims.emplace();
    for (const auto& dim : type.shape().dim()) {
      v.dims->push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : -1);
      v.symbols.push_back(dim.has_dim_param() ? dim.dim_param() : "");
    }
    return v;
  }

  Result<Node> node(::onnx::NodeProto& from) {
    Node n{.name = from.name(), .op = from.op_type(), .domain = from.domain()};
    if (n.domain == "ai.onnx") n.domain.clear();
    n.inputs.assign(from.input().begin(), from.input().end());
    n.outputs.assign(from.output().begin(), from.output().end());
    n.metadata = metadata(from.metadata_props());
    for (auto& a : *from.mutable_attribute()) {
      NW_ASSIGN(Attribute made, attribute(a));
      n.attributes[a.name()] = std::move(made);
    }
    return n;
  }

  Result<Attribute> attribute(::onnx::AttributeProto& a) {
    switch (a.type()) {
      case ::onnx::AttributeProto::INT:
        return Attribute(std::int64_t{a.i()});
      case ::onnx::AttributeProto::FLOAT:
        return Attribute(a.f());
      case ::onnx::AttributeProto::STRING:
        return Attribute(a.s());
      case ::onnx::AttributeProto::INTS:
        return Attribute(std::vector<std::int64_t>(a.ints().begin(), a.ints().end()));
      case ::onnx::AttributeProto::FLOATS:
        return Attribute(std::vector<float>(a.floats().begin(), a.floats().end()));
      case ::onnx::AttributeProto::STRINGS:
        return Attribute(std::vector<std::string>(a.strings().begin(), a.strings().end()));
      case ::onnx::AttributeProto::TENSOR: {
        NW_ASSIGN(Tensor made, tensor(*a.mutable_t()));
        return Attribute(std::move(made));
      }
      default:
        return Attribute(Subgraph{});
    }
  }

  Result<Tensor> tensor(::onnx::TensorProto& from) {
    Tensor t{.name = from.name(), .type = static_cast<Type>(from.data_type())};
    t.dims.assign(from.dims().begin(), from.dims().end());
    if (t.dims.size() > limits_.rank)
      return bad(text(NW_TR("tensor \"{0}\" has {1} dimensions"), t.name, t.dims.size()));
    if (t.type == Type::text) return t;
    const std::size_t each = size_of(t.type);
    if (each == 0)
      return bad(text(NW_TR("tensor \"{0}\" has elements of {1}, which are not read"), t.name, name_of(t.type)));
    const std::int64_t count = t.elements();
    if (count < 0) return bad(text(NW_TR("tensor \"{0}\" has impossible sizes"), t.name));
    const std::uint64_t needed = static_cast<std::uint64_t>(count) * each;
    data_bytes_ += needed;
    if (data_bytes_ > limits_.data_bytes)
      return bad(text(NW_TR("its tensors would take more than {0} MiB of memory"), limits_.data_bytes >> 20));
    if (from.data_location() == ::onnx::TensorProto::EXTERNAL) {
      NW_ASSIGN(t.bytes, external(from, needed));
    } else if (from.has_raw_data()) {
      t.bytes = std::move(*from.mutable_raw_data());
    } else {
      t.bytes = typed(from, t.type);
    }
    if (t.bytes.size() != needed)
      return bad(text(NW_TR("tensor \"{0}\" holds {1} bytes, its shape needs {2}"), t.name, t.bytes.size(), needed));
    return t;
  }

  /// The elements that lie in one of the lists of numbers.
  static std::string typed(const ::onnx::TensorProto& from, Type type) {
    std::string bytes;
    for (const float v : from.float_data())
      if (type == Type::f32) append(bytes, v);
    for (const double v : from.double_data())
      if (type == Type::f64) append(bytes, v);
    for (const std::int64_t v : from.int64_data())
      if (type == Type::i64) append(bytes, v);
    for (const std::uint64_t v : from.uint64_data())
      if (size_of(type) == 8)
        append(bytes, v);
      else
        append(bytes, static_cast<std::uint32_t>(v));
    for (const std::int32_t v : from.int32_data())
      if (size_of(type) == 4)
        append(bytes, v);
      else if (size_of(type) == 2)
        append(bytes, static_cast<std::int16_t>(v));
      else
        append(bytes, static_cast<std::int8_t>(v));
    return bytes;
  }

  static bool number(const std::string& text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }

  /// The keys of ONNX, and those under which onnxruntime keeps copies of weights for one kind of processor.
  static bool is_known_key(const std::string& key) {
    return key == "location" || key == "offset" || key == "length" || key == "checksum" || key == "basepath" ||
           key.starts_with("prepacked_");
  }

  /// Any other key could change what the bytes mean.
  Status check_keys(const ::onnx::TensorProto& from) const {
    std::set<std::string> seen;
    for (const auto& entry : from.external_data()) {
      if (!is_known_key(entry.key()))
        return bad(text(NW_TR("tensor \"{0}\" lies in another file, and its place there has the unknown key \"{1}\", "
                              "which could change what its bytes mean"),
                        from.name(), entry.key()));
      if (!seen.insert(entry.key()).second)
        return bad(text(NW_TR("tensor \"{0}\" lies in another file, and its place there has the key \"{1}\" twice"),
                        from.name(), entry.key()));
    }
    return {};
  }

  Result<std::string> external(const ::onnx::TensorProto& from, std::uint64_t needed) const {
    NW_TRY(check_keys(from));
    ExternalPart part{.bytes = needed};
    for (const auto& entry : from.external_data()) {
      std::uint64_t value = 0;
      if (entry.key() == "location") part.location = entry.value();
      if (entry.key() != "offset" && entry.key() != "length") continue;
      if (!number(entry.value(), value))
        return bad(text(NW_TR("tensor \"{0}\" has no readable place in its file"), from.name()));
      if (entry.key() == "offset") part.offset = value;
      if (entry.key() == "length" && value != needed)
        return bad(text(NW_TR("tensor \"{0}\" holds {1} bytes, its shape needs {2}"), from.name(), value, needed));
    }
    if (!folder_) return bad(text(NW_TR("its weights lie in another file")));
    return read_external(*folder_, part, where_);
  }

  const std::string& where_;
  const fs::path* folder_;
  const Limits& limits_;
  std::uint64_t data_bytes_ = 0;
};

}  // namespace

Result<Model> parse_model(std::string_view bytes, const std::string& where, const fs::path* folder,
                          const Limits& limits) {
  if (bytes.empty()) return fail(Errc::bad_input, NW_TR("{0} is empty"), where);
  NW_TRY(check_wire(bytes, where, limits));
  ::onnx::ModelProto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return fail(Errc::bad_input, NW_TR("{0} is no ONNX file, or it is damaged"), where);
  return Reader(where, folder, limits).model(proto);
}

Result<Model> read_model(const fs::path& path, const Limits& limits) {
  NW_ASSIGN(const std::string bytes, read_file(path, limits.file_bytes - 1));
  const fs::path folder = path.parent_path();
  return parse_model(bytes, path.filename().string(), &folder, limits);
}

}  // namespace nw::onnx
