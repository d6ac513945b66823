// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/onnx/model.hpp"
#include "onnx.pb.h"

namespace nw::onnx {
namespace {

template <class Entries>
void put_metadata(const Metadata& metadata, Entries* entries) {
  for (const auto& [key, value] : metadata) {
    auto* entry = entries->Add();
    entry->set_key(key);
    entry->set_value(value);
  }
}

void put(const Tensor& t, ::onnx::TensorProto& to) {
  to.set_name(t.name);
  to.set_data_type(static_cast<int>(t.type));
  for (const std::int64_t size : t.dims) to.add_dims(size);
  to.set_raw_data(t.bytes);
}

struct PutAttribute {
  ::onnx::AttributeProto& to;
  void operator()(std::int64_t v) const {
    to.set_type(::onnx::AttributeProto::INT);
    to.set_i(v);
  }
  void operator()(float v) const {
    to.set_type(::onnx::AttributeProto::FLOAT);
    to.set_f(v);
  }
  void operator()(const std::string& v) const {
    to.set_type(::onnx::AttributeProto::STRING);
    to.set_s(v);
  }
  void operator()(const std::vector<std::int64_t>& v) const {
    to.set_type(::onnx::AttributeProto::INTS);
    for (const std::int64_t i : v) to.add_ints(i);
  }
  void operator()(const std::vector<float>& v) const {
    to.set_type(::onnx::AttributeProto::FLOATS);
    for (const float f : v) to.add_floats(f);
  }
  void operator()(const std::vector<std::string>& v) const {
    to.set_type(::onnx::AttributeProto::STRINGS);
    for (const std::string& s : v) to.add_strings(s);
  }
  void operator()(const Tensor& t) const {
    to.set_type(::onnx::AttributeProto::TENSOR);
    put(t, *to.mutable_t());
  }
  void operator()(const Subgraph&) const {}
};

void put(const Node& n, ::onnx::NodeProto& to) {
  to.set_name(n.name);
  to.set_op_type(n.op);
  if (!n.domain.empty()) to.set_domain(n.domain);
  for (const std::string& input : n.inputs) to.add_input(input);
  for (const std::string& output : n.outputs) to.add_output(output);
  for (const auto& [name, value] : n.attributes) {
    ::onnx::AttributeProto* attribute = to.add_attribute();
    attribute->set_name(name);
    std::visit(PutAttribute{*attribute}, value);
  }
  put_metadata(n.metadata, to.mutable_metadata_props());
}

void put(const ValueInfo& v, ::onnx::ValueInfoProto& to) {
  to.set_name(v.name);
  auto* type = to.mutable_type()->mutable_tensor_type();
  type->set_elem_type(static_cast<int>(v.type));
  if (!v.dims) return;
  auto* shape = type->mutable_shape();
  for (std::size_t i = 0; i < v.dims->size(); ++i) {
    auto* dim = shape->add_dim();
    if ((*v.dims)[i] >= 0)
      dim->set_dim_value((*v.dims)[i]);
    else
      dim->set_dim_param(i < v.symbols.size() ? v.symbols[i] : "N");
  }
}

void put(const Model& m, ::onnx::ModelProto& to) {
  to.set_ir_version(m.ir_version);
  to.set_producer_name(m.producer);
  to.set_producer_version(m.producer_version);
  for (const auto& [domain, version] : m.opsets) {
    auto* set = to.add_opset_import();
    set->set_domain(domain);
    set->set_version(version);
  }
  ::onnx::GraphProto& graph = *to.mutable_graph();
  graph.set_name(m.name);
  for (const Node& n : m.nodes) put(n, *graph.add_node());
  for (const Tensor& t : m.initializers) put(t, *graph.add_initializer());
  for (const ValueInfo& v : m.inputs) put(v, *graph.add_input());
  for (const ValueInfo& v : m.outputs) put(v, *graph.add_output());
  for (const ValueInfo& v : m.values) put(v, *graph.add_value_info());
  put_metadata(m.metadata, to.mutable_metadata_props());
}

}  // namespace

std::string model_bytes(const Model& m) {
  ::onnx::ModelProto proto;
  put(m, proto);
  return proto.SerializeAsString();
}

Result<std::uint64_t> write_model(const Model& m, const fs::path& path) {
  std::uint64_t data = 0;
  for (const Tensor& t : m.initializers) data += t.bytes.size();
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - (std::uint64_t{16} << 20);
  if (data > most)
    return fail(Errc::bad_input,
                NW_TR("The weights take {0} MiB; one ONNX file holds at most 2 GiB. Export safetensors instead"),
                data >> 20);
  const std::string bytes = model_bytes(m);
  NW_TRY(save_file(path, bytes));
  return bytes.size();
}

}  // namespace nw::onnx
