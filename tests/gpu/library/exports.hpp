// SPDX-License-Identifier: Apache-2.0
// Makes a table of functions the exports of a shared library, under the names that programs look for.
#pragma once

namespace nw::cuda {

template <class Table, auto Member, const Table& (*table)()>
struct Forward;
template <class Table, class R, class... A, R (*Table::*Member)(A...), const Table& (*table)()>
struct Forward<Table, Member, table> {
  static R call(A... a) { return (table().*Member)(a...); }
};

}  // namespace nw::cuda

/// The function `member` of what `table` gives, as `symbol`. The resolver runs while the library is being loaded,
/// before a sanitizer's run time may be called, and has a name of its own outside this file, since clang finds no
/// other.
#define NW_EXPORT(Table, table, member, symbol)                                                                       \
  extern "C" {                                                                                                        \
  __attribute__((visibility("hidden"), no_sanitize("address", "undefined", "thread"))) void (*resolve_##symbol())() { \
    return reinterpret_cast<void (*)()>(nw::cuda::Forward<Table, &Table::member, table>::call);                       \
  }                                                                                                                   \
  __attribute__((visibility("default"), ifunc("resolve_" #symbol))) void symbol();                                    \
  }
