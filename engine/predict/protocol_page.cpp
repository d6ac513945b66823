// SPDX-License-Identifier: Apache-2.0
// Generates docs/protocol.md from the table of operations.
#include <fmt/format.h>

#include "engine/predict/operations.hpp"

namespace nw {
namespace {

constexpr const char* introduction = R"(# The helper's protocol

<!-- Written from the table of operations (engine/predict/operations.hpp) by `protocol_page()`; predict_test checks it.
After a change of the table: NETWRIGHT_WRITE_PROTOCOL=1 build/release/bin/predict_test --gtest_filter=Protocol.* -->

The window asks `netwright-cli serve --fd N` over a socket pair (`engine/predict/serve.hpp`). A message is a length
(4 bytes, little-endian), that many bytes of JSON (at most 16 MiB) and optionally a memfd (`SCM_RIGHTS`) with a binary
payload (at most 1 GiB). Numbers in payloads are in this machine's byte order.

A request is `{"id": integer, "do": operation, …}` with the fields below. A missing field, a field of another type or
outside its limits, and a field that the operation does not have are refused. Each request gets exactly one answer with
the same `id`: `{"ok": true, …}` with the fields below, or
`{"error": sentence, "code": Errc, "source": template, "args": [texts]}`. An answer that is too large to send, or an
operation that fails, is answered with an error.

Where the tables below say that a field is an array, it is not in the JSON but in the payload; `arrays` of the answer
says where: `{name: {"type": "i32", "i64", "f32" or "f64", "count": integer, "at": bytes from the start}}`.

A message that is no request is answered with the id -1. Before its answer a long operation sends
`{"id", "progress": 0 to 1}`.

`{"do": "cancel", "id": integer}` gives up on the request of that id, which is answered with `Errc::stopped`; the
cancellation itself gets no answer.

The window opens with `{"do": "protocol", "id": 0, "protocol": 1}`, the version of this page. A helper process that
speaks it answers `{"ok": true, "protocol": 1, "version": Netwright's}`. Another one refuses the opening and every later
request with a sentence that names both versions. Version 0 is that of programs before this number: its window sends no
opening and is served as one of version 1; its helper process refuses the opening as an unknown operation and goes on,
with the same operations.
)";

void append_request(std::string& page, const predicting::Operation& o) {
  page += "\nRequest:\n\n| Field | Type | Default | Meaning |\n|---|---|---|---|\n";
  for (const protocol::FieldRow& f : o.request)
    page +=
        fmt::format("| `{}` | {} | {} | {} |\n", f.name, f.type, f.fallback.empty() ? "required" : f.fallback, f.what);
}

void append_answer(std::string& page, const predicting::Operation& o) {
  if (!o.answer.empty()) page += "\nAnswer:\n\n| Field | Meaning |\n|---|---|\n";
  for (const predicting::AnswerField& f : o.answer)
    page += fmt::format("| `{}`{}{} | {} |\n", f.name,
                        f.array == ArrayType::none ? "" : fmt::format(", {} array", name_of(f.array)),
                        f.presence == predicting::Presence::always ? "" : ", not always", f.what);
  if (*o.payload != '\0') page += fmt::format("\nPayload: {}.\n", o.payload);
}

}  // namespace

std::string protocol_page() {
  std::string page = introduction;
  for (const predicting::Operation& o : predicting::Operations::table()) {
    page += fmt::format("\n## {}\n\n{}\n", o.name, o.what);
    append_request(page, o);
    append_answer(page, o);
  }
  return page;
}

}  // namespace nw
