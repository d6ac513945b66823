// SPDX-License-Identifier: Apache-2.0
// Errors as values, for all parts of the program: Result<T>, Status, fail(...).
#pragma once
#include <fmt/format.h>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Marks an English template of a user-visible text. The window looks it up in its translation (context "engine");
/// `lupdate -tr-function-alias` collects it. Placeholders are {0}, {1}, … so that a translation can reorder them.
#define NW_TR(english) english

namespace nw {

/// A message for the user: an English template and its arguments. The template is the translation's key.
struct Text {
  std::string source;             // as written in NW_TR(...)
  std::vector<std::string> args;  // already formatted for the user: "16×5×5", "conv2"
  /// The English sentence.
  std::string str() const;
  bool empty() const { return source.empty(); }
  bool operator==(const Text&) const = default;
};

/// text(NW_TR("{0} needs a vector, gets {1}"), name, shape)
template <class... A>
Text text(std::string source, const A&... args) {
  return Text{std::move(source), {fmt::format("{}", args)...}};
}

/// Kinds of errors that callers distinguish. Up to `stopped` each is an exit code of the command line
/// (docs/architecture.md); the others are distinguished inside the program only.
enum class Errc : int {
  other = 1,
  usage = 2,
  bad_input = 3,
  no_device = 4,
  out_of_memory = 5,
  not_finite = 6,
  disk = 7,
  stopped = 8,
  in_use = 9,         // another process holds the lock
  not_recorded = 10,  // the run has no record of this kind: the run is older, or such a run never has one
  no_response = 11,   // no process listens at the socket, or no response came in time
  disconnected = 12,  // the connection is closed, or unusable: the start of the next message is unknown
  unsupported = 13    // an event from a newer version
};
/// The exit code of the command line for an error of this kind: 1 … 8.
constexpr int exit_code(Errc code) {
  return code <= Errc::stopped ? static_cast<int>(code) : static_cast<int>(Errc::other);
}

struct Error {
  Errc code = Errc::other;
  Text what;  // one sentence: what happened, where, what to do
  std::string str() const { return what.str(); }
};

/// A value or an Error. Callers must check it: [[nodiscard]].
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return v_.index() == 0; }
  T& operator*() & {
    assert(*this);
    return std::get<0>(v_);
  }
  const T& operator*() const& {
    assert(*this);
    return std::get<0>(v_);
  }
  T&& operator*() && {
    assert(*this);
    return std::get<0>(std::move(v_));
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  const Error& error() const {
    assert(!*this);
    return std::get<1>(v_);
  }

 private:
  std::variant<T, Error> v_;
};

/// Result without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : e_(std::move(error)) {}
  explicit operator bool() const { return !e_; }
  const Error& error() const {
    assert(e_);
    return *e_;
  }

 private:
  std::optional<Error> e_;
};
using Status = Result<void>;

/// return fail(Errc::bad_input, NW_TR("{0}: not an IDX file"), path);
template <class... A>
Error fail(Errc code, std::string source, const A&... args) {
  return Error{code, text(std::move(source), args...)};
}

/// NW_TRY(status_expression): returns the error to the caller, continues otherwise.
#define NW_TRY(expr)                                                        \
  do {                                                                      \
    if (auto&& nw_status_ = (expr); !nw_status_) return nw_status_.error(); \
  } while (false)
/// NW_ASSIGN(auto x, result_expression): x is the value, or the error is returned to the caller.
#define NW_ASSIGN_2(line, decl, expr)                     \
  auto nw_result_##line = (expr);                         \
  if (!nw_result_##line) return nw_result_##line.error(); \
  decl = *std::move(nw_result_##line)
#define NW_ASSIGN_1(line, decl, expr) NW_ASSIGN_2(line, decl, expr)
#define NW_ASSIGN(decl, expr) NW_ASSIGN_1(__LINE__, decl, expr)

}  // namespace nw
