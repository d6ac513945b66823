// SPDX-License-Identifier: Apache-2.0
// Exports the functions of a driver API table from a shared library, under the names that programs look up.
#pragma once
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {

template <class Table, auto Member, const Table& (*table)(), class Name>
struct Forward;
template <class Table, class R, class... A, R (*Table::*Member)(A...), const Table& (*table)(), class Name>
struct Forward<Table, Member, table, Name> {
  static R call(A... a) {
    fake_calling(Name::text);
    return (table().*Member)(a...);
  }
};

}  // namespace nw::cuda

/// Exports the function `member` of the table returned by `table` as `symbol`. The resolver runs while the library is
/// loaded, before a sanitizer's run time may be called. It has external linkage, because clang does not find one with
/// internal linkage.
#define NW_EXPORT(Table, table, member, symbol)                                                                       \
  namespace {                                                                                                         \
  struct NameOf_##symbol {                                                                                            \
    static constexpr const char* text = #member;                                                                      \
  };                                                                                                                  \
  }                                                                                                                   \
  extern "C" {                                                                                                        \
  __attribute__((visibility("hidden"), no_sanitize("address", "undefined", "thread"))) void (*resolve_##symbol())() { \
    return reinterpret_cast<void (*)()>(nw::cuda::Forward<Table, &Table::member, table, NameOf_##symbol>::call);      \
  }                                                                                                                   \
  __attribute__((visibility("default"), ifunc("resolve_" #symbol))) void symbol();                                    \
  }
