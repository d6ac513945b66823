// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/readers/onnx_limits.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_onnx_file(Bytes bytes) {
  const auto model = onnx::parse_model(as_text(bytes), "input", nullptr, small_limits());
  if (!model) return {};
  for (const onnx::Tensor& t : model->initializers)
    if (t.type != onnx::Type::text && t.bytes.size() != static_cast<std::size_t>(t.elements()) * size_of(t.type))
      return {true, "a tensor holds other bytes than its sizes need"};
  const std::string again = onnx::model_bytes(*model);
  const auto same = onnx::parse_model(again, "again", nullptr, small_limits());
  if (!same) return {true, "a model that was read is not read again: " + same.error().str()};
  if (onnx::model_bytes(*same) != again) return {true, "a model changes when it is read again"};
  return {true, {}};
}
