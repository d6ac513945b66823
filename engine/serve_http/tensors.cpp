// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/tensors.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "engine/core/is_text.hpp"

namespace nw::serve_http {

bool all_finite(std::span<const float> all) {
  return std::all_of(all.begin(), all.end(), [](float v) { return std::isfinite(v); });
}

namespace {

constexpr JsonLimits limits{
    .depth = 16, .bytes = std::size_t{64} << 20, .string_bytes = 4096, .memory_bytes = std::size_t{256} << 20};

template <class... A>
Error bad(const char* sentence, const A&... args) {
  return fail(Errc::bad_input, sentence, args...);
}

/// Where the JSON ends and the bytes of tensors begin.
Result<std::size_t> json_length(std::string_view body, std::string_view header_length) {
  if (header_length.empty()) return body.size();
  std::size_t length = 0;
  const char* const end = header_length.data() + header_length.size();
  const auto read = std::from_chars(header_length.data(), end, length);
  if (read.ec != std::errc() || read.ptr != end || length > body.size())
    return bad("Inference-Header-Content-Length is not the length of a part of the body of {0} bytes", body.size());
  return length;
}

/// A member of "parameters"; null: it is not there.
const Json* parameter(const Json& of, const char* name) {
  const auto all = of.find("parameters");
  if (all == of.end() || !all->is_object()) return nullptr;
  const auto found = all->find(name);
  return found == all->end() ? nullptr : &*found;
}

bool flag(const Json& of, const char* name) {
  const Json* v = parameter(of, name);
  return v && v->is_boolean() && v->get<bool>();
}

/// (N,C,H,W): N
Result<std::int64_t> images_of(const Json& input, const ImageForm& form) {
  const auto shape = input.find("shape");
  const auto is = [&](std::size_t i, std::int64_t size) {
    return (*shape)[i].is_number_integer() && (*shape)[i].get<std::int64_t>() == size;
  };
  if (shape == input.end() || !shape->is_array() || shape->size() != 4 || !(*shape)[0].is_number_unsigned() ||
      !is(1, form.channels) || !is(2, form.height) || !is(3, form.width))
    return bad("the tensor \"images\" needs the shape [N,{0},{1},{2}]", form.channels, form.height, form.width);
  const auto n = (*shape)[0].get<std::uint64_t>();
  if (n < 1 || n > static_cast<std::uint64_t>(form.max_images))
    return bad("a request has 1 to {0} images", form.max_images);
  return static_cast<std::int64_t>(n);
}

/// Takes the numbers of nested lists in order. False: something else, or more than `room`.
bool flatten(const Json& list, bool bytes, std::span<float> room, std::size_t& at) {
  for (const Json& v : list) {
    if (v.is_array()) {
      if (!flatten(v, bytes, room, at)) return false;
      continue;
    }
    if (!v.is_number() || at >= room.size()) return false;
    const double number = v.get<double>();
    if (bytes && !(v.is_number_integer() && number >= 0 && number <= 255)) return false;
    room[at++] = static_cast<float>(number);
  }
  return true;
}

/// Pixels (C,H,W) of one image to normalized numbers (H,W,C).
template <class Pixel>
void normalize(const Pixel* chw, const ImageForm& form, float* hwc) {
  const std::int64_t plane = form.height * form.width;
  for (std::int64_t c = 0; c < form.channels; ++c) {
    const PixelScale s = form.scales[static_cast<std::size_t>(c)];
    for (std::int64_t i = 0; i < plane; ++i)
      hwc[i * form.channels + c] = (static_cast<float>(chw[c * plane + i]) / 255.0f - s.mean) / s.deviation;
  }
}

/// One tensor "images" and where its numbers lie.
struct Input {
  bool bytes = false;  // UINT8, else FP32
  std::int64_t images = 0;
  const Json* data = nullptr;  // null: binary
};

Result<Input> input_of(const Json& root, const ImageForm& form) {
  const auto inputs = root.find("inputs");
  if (inputs == root.end() || !inputs->is_array() || inputs->size() != 1 || !inputs->front().is_object())
    return bad("\"inputs\" must be a list of one tensor");
  const Json& input = inputs->front();
  if (!is_text(input.value("name", Json()), input_name)) return bad("the input's name is \"images\"");
  Input in;
  const Json datatype = input.value("datatype", Json());
  if (!is_text(datatype, "FP32") && !is_text(datatype, "UINT8"))
    return bad("the input's datatype must be FP32 or UINT8");
  in.bytes = is_text(datatype, "UINT8");
  NW_ASSIGN(in.images, images_of(input, form));
  const auto data = input.find("data");
  if (data != input.end()) in.data = &*data;
  const Json* size = parameter(input, "binary_data_size");
  if ((size != nullptr) == (in.data != nullptr)) return bad("a tensor has either \"data\" or \"binary_data_size\"");
  const auto expected = static_cast<std::uint64_t>(in.images * form.elements()) * (in.bytes ? 1 : sizeof(float));
  if (size && (!size->is_number_unsigned() || size->get<std::uint64_t>() != expected))
    return bad("binary_data_size must be {0} for this shape and datatype", expected);
  return in;
}

Status read_outputs(const Json& root, InferRequest& r) {
  const bool binary = flag(root, "binary_data_output");
  const auto outputs = root.find("outputs");
  if (outputs == root.end()) {
    r.scores = r.answers = {true, binary};
    return {};
  }
  if (!outputs->is_array() || outputs->empty() || outputs->size() > 2)
    return bad("\"outputs\" must be a list of one or two outputs");
  for (const Json& o : *outputs) {
    const Json name = o.is_object() ? o.value("name", Json()) : Json();
    const bool scores = is_text(name, scores_name);
    if (!scores && !is_text(name, answers_name)) return bad("the outputs are \"scores\" and \"probabilities\"");
    InferRequest::Output& output = scores ? r.scores : r.answers;
    output = {true, parameter(o, "binary_data") ? flag(o, "binary_data") : binary};
  }
  return {};
}

Status read_id(const Json& root, InferRequest& r) {
  const auto id = root.find("id");
  if (id == root.end()) return {};
  if (!id->is_string()) return bad("\"id\" must be a string");
  r.id = id->get<std::string>();
  return r.id.size() > 256 ? Status(bad("\"id\" has at most 256 bytes")) : Status();
}

Status read_json_data(const Input& in, const ImageForm& form, InferRequest& r) {
  std::vector<float> all(r.nhwc.size());
  std::size_t at = 0;
  if (!in.data->is_array() || !flatten(*in.data, in.bytes, all, at) || at != all.size())
    return bad("\"data\" must be {0} numbers{1}", all.size(), in.bytes ? " from 0 to 255" : "");
  if (!all_finite(all)) return bad("pixels must be finite numbers");
  for (std::int64_t i = 0; i < in.images; ++i)
    normalize(all.data() + i * form.elements(), form, r.nhwc.data() + i * form.elements());
  return {};
}

Status read_binary_data(std::string_view bytes, const Input& in, const ImageForm& form, InferRequest& r) {
  std::vector<float> image(static_cast<std::size_t>(form.elements()));
  for (std::int64_t i = 0; i < in.images; ++i) {
    float* const to = r.nhwc.data() + i * form.elements();
    if (in.bytes) {
      normalize(reinterpret_cast<const std::uint8_t*>(bytes.data()) + i * form.elements(), form, to);
      continue;
    }
    const std::size_t size = image.size() * sizeof(float);
    std::memcpy(image.data(), bytes.data() + static_cast<std::size_t>(i) * size, size);
    if (!all_finite(image)) return bad("pixels must be finite numbers");
    normalize(image.data(), form, to);
  }
  return {};
}

void append_quoted(std::string& out, std::string_view text) {
  out += Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

void append_values(std::string& out, const ReplyTensor& t) {
  if (t.binary) {
    fmt::format_to(std::back_inserter(out), ",\"parameters\":{{\"binary_data_size\":{}}}}}", t.values.size_bytes());
    return;
  }
  out += ",\"data\":[";
  for (std::size_t i = 0; i < t.values.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", t.values[i]);
  out += "]}";
}

}  // namespace

Result<InferRequest> read_infer_request(std::string_view body, std::string_view header_length, const ImageForm& form) {
  NW_ASSIGN(const std::size_t length, json_length(body, header_length));
  NW_ASSIGN(const Json root, parse_json(body.substr(0, length), "request", limits));
  if (!root.is_object()) return bad("the body must be a JSON object");
  InferRequest r;
  NW_TRY(read_id(root, r));
  NW_TRY(read_outputs(root, r));
  NW_ASSIGN(const Input in, input_of(root, form));
  const std::string_view bytes = body.substr(length);
  const auto elements = static_cast<std::size_t>(in.images * form.elements());
  const std::size_t expected = in.data ? 0 : elements * (in.bytes ? 1 : sizeof(float));
  if (bytes.size() != expected) return bad("{0} bytes follow the JSON, {1} should", bytes.size(), expected);
  r.images = in.images;
  r.nhwc.resize(elements);
  NW_TRY(in.data ? read_json_data(in, form, r) : read_binary_data(bytes, in, form, r));
  return r;
}

InferReply infer_reply(std::string_view model, std::string_view version, std::string_view id,
                       std::span<const ReplyTensor> tensors, std::string_view more) {
  InferReply reply;
  std::string& out = reply.body;
  fmt::format_to(std::back_inserter(out), "{{\"model_name\":\"{}\",\"model_version\":\"{}\"", model, version);
  if (!id.empty()) append_quoted(out += ",\"id\":", id);
  out += ",\"outputs\":[";
  for (const ReplyTensor& t : tensors) {
    fmt::format_to(std::back_inserter(out), "{}{{\"name\":\"{}\",\"datatype\":\"FP32\",\"shape\":[{},{}]",
                   &t == tensors.data() ? "" : ",", t.name, t.rows,
                   static_cast<std::int64_t>(t.values.size()) / t.rows);
    append_values(out, t);
  }
  out.append("]").append(more).append("}");
  const std::size_t header = out.size();
  for (const ReplyTensor& t : tensors)
    if (t.binary) out.append(reinterpret_cast<const char*>(t.values.data()), t.values.size_bytes());
  reply.header_bytes = out.size() == header ? 0 : header;
  return reply;
}

std::string error_json(std::string_view sentence) {
  std::string out = "{\"error\":";
  append_quoted(out, sentence);
  return out + "}";
}

}  // namespace nw::serve_http
