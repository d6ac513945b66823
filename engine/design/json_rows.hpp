// SPDX-License-Identifier: Apache-2.0
// JSON of plain structs: one table of members serves writing, reading and the range check. Private to engine/design.
#pragma once
#include <array>

#include "engine/core/enum_names.hpp"
#include "engine/core/json.hpp"
#include "engine/core/path_text.hpp"

namespace nw::json_rows {

template <class S>
struct Whole {
  const char* name;
  std::int64_t S::*member;
  std::int64_t lo, hi;
};
template <class S>
struct Real {
  const char* name;
  double S::*member;
  double lo, hi;
};
template <class S>
struct Flag {
  const char* name;
  bool S::*member;
};
template <class S>
struct Word {
  const char* name;
  std::string S::*member;
};

template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Whole<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Real<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Flag<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Word<S>, N>& table) {
  for (const auto& row : table) j[row.name] = path_to_text(s.*row.member);
}

template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Whole<S>, N>& table) {
  for (const auto& row : table) s.*row.member = r.integer_or(row.name, s.*row.member, row.lo, row.hi);
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Real<S>, N>& table) {
  for (const auto& row : table) {
    s.*row.member = r.real_or(row.name, s.*row.member);
    if (!(s.*row.member >= row.lo && s.*row.member <= row.hi))
      r.problem(text(NW_TR("has {0} outside of {1} to {2}"), row.name, row.lo, row.hi));
  }
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Flag<S>, N>& table) {
  for (const auto& row : table) s.*row.member = r.boolean_or(row.name, s.*row.member);
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Word<S>, N>& table) {
  for (const auto& row : table) s.*row.member = text_to_path(r.string_or(row.name, path_to_text(s.*row.member)));
}

template <class E>
E word(JsonReader& r, const char* key, E otherwise) {
  const std::string name = r.string_or(key, std::string(name_of(otherwise)));
  if (const auto known = named<E>(name)) return *known;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), key, name.substr(0, 80)));
  return otherwise;
}

/// A seed uses all 64 bits, so it is not read as a signed integer.
inline std::uint64_t seed(JsonReader& r, const char* key, std::uint64_t otherwise) {
  if (!r.has(key)) return otherwise;
  const Json& v = r.json()[key];
  if (v.is_number_unsigned()) return v.get<std::uint64_t>();
  r.problem(text(NW_TR("has a {0} that is no whole number from 0"), key));
  return otherwise;
}

}  // namespace nw::json_rows
