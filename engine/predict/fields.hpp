// SPDX-License-Identifier: Apache-2.0
// The fields of requests to the helper process. A request is a struct whose fields() visits every member once with its
// name and its limits; the same visit serializes the request in the window, parses and checks it in the helper process,
// and documents it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/settings.hpp"

namespace nw::protocol {

enum class Need { required, optional };

struct FieldName {
  const char* name;
  const char* what;  // for docs/protocol.md
  Need need = Need::required;
};

/// A sample by its index in a data set, whatever split it belongs to.
struct StoredSample {
  std::int64_t index = 0;
  bool test_set = false;
};

/// A visitor of a request's members. If a message lacks an optional field, the member keeps its value.
class Fields {
 public:
  virtual ~Fields() = default;
  virtual void text(const FieldName&, std::string&) = 0;
  /// A string that must be one of `words`.
  virtual void choice(const FieldName&, std::string&, const std::vector<std::string>& words) = 0;
  /// An integer between `lo` and `hi`, both included.
  virtual void integer(const FieldName&, std::int64_t&, std::int64_t lo, std::int64_t hi) = 0;
  virtual void texts(const FieldName&, std::vector<std::string>&, std::size_t most) = 0;
  virtual void integers(const FieldName&, std::vector<std::int64_t>&, std::size_t most) = 0;
  virtual void samples(const FieldName&, std::vector<StoredSample>&, std::size_t most) = 0;
  virtual void data(const FieldName&, DataChoice&) = 0;
  virtual void settings(const FieldName&, TrainSettings&) = 0;
  /// A project file's content.
  virtual void project(const FieldName&, Json&) = 0;
};

/// A row of a request's documentation.
struct FieldRow {
  std::string name, type, fallback, what;  // fallback: the default of an optional field; empty: the field is required
};

using Visit = std::function<void(Fields&)>;
Json write_fields(const char* operation, const Visit&);
/// Errc::bad_input: a required field is missing, a value has the wrong type or lies outside its limits, or the message
/// has a field that the request lacks.
Status read_fields(const Json&, const Visit&);
std::vector<FieldRow> list_fields(const Visit&);

/// The message that cancels the request `id`.
Json cancel_message(std::int64_t id);
/// The message of a request, without the "id".
template <class Request>
Json message_of(Request request) {
  return write_fields(Request::name, [&](Fields& f) { request.fields(f); });
}
template <class Request>
Result<Request> request_from(const Json& message) {
  Request request;
  NW_TRY(read_fields(message, [&](Fields& f) { request.fields(f); }));
  return request;
}

}  // namespace nw::protocol
