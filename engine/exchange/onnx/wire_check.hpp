// SPDX-License-Identifier: Apache-2.0
// Walks a protobuf message without building it, so that its nodes, tensors and memory are counted before any is taken.
// Private to engine/exchange/onnx.
#pragma once
#include "engine/exchange/onnx/model.hpp"

namespace nw::onnx {

/// Fails (Errc::bad_input) if `bytes` are no well-formed ModelProto or hold more than the limits allow.
Status check_wire(std::string_view bytes, const std::string& where, const Limits&);

}  // namespace nw::onnx
