// SPDX-License-Identifier: Apache-2.0
// Safetensors files that contradict themselves, each with what its refusal must say.
#pragma once
#include <unistd.h>

#include <limits>

#include "engine/io/safetensors.hpp"

namespace nw {

struct IoFolder {
  fs::path path;
  IoFolder() {
    std::string name = (fs::temp_directory_path() / "netwright-io-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~IoFolder() { fs::remove_all(path); }
};

/// A file with this header and this number of data bytes; the header length is correct unless given.
inline std::string file_of(const std::string& header, std::size_t data_bytes, std::int64_t length = -1) {
  const auto n = static_cast<std::uint64_t>(length < 0 ? static_cast<std::int64_t>(header.size()) : length);
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(n >> (8 * i) & 0xFF);
  return out + header + std::string(data_bytes, '\1');
}
inline std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
inline std::string one(const std::string& body) { return "{\"a\":" + body + "}"; }

struct Hostile {
  std::string name, bytes, expected;
};

inline std::vector<Hostile> malformed_files() {
  const std::string good = tensor("F32", "[2]", "[0,8]");
  std::vector<Hostile> files = {
      {"empty", "", "shorter than its 8 bytes"},
      {"seven bytes", "1234567", "shorter than its 8 bytes"},
      {"length only", file_of("", 0), "does not start with"},
      {"header claims more than the file", file_of(one(good), 8, 1000), "more than the file holds"},
      {"header claims 100 MB and one", file_of(one(good), 8, 100'000'001), "at most 100 MB"},
      {"header claims 2^63", file_of(one(good), 8, std::numeric_limits<std::int64_t>::max()), "at most 100 MB"},
      {"header is a list", file_of("[1]", 0), "does not start with"},
      {"header starts with a blank", file_of(" " + one(good), 8), "does not start with"},
      {"header is cut", file_of("{\"a\":{\"dtype\":\"F32\"", 0), "does not end with"},
      {"header ends in a newline", file_of(one(good) + "\n", 8), "does not end with"},
      {"two objects", file_of(one(good) + "{}", 8), "not valid JSON"},
      {"not JSON", file_of("{nonsense}", 0), "not valid JSON"},
      {"not UTF-8", file_of("{\"\xC0\xAF\":" + good + "}", 8), "not valid JSON"},
      {"lone surrogate", file_of("{\"\\ud800\":" + good + "}", 8), "not valid JSON"},
      {"duplicate tensor", file_of("{\"a\":" + good + ",\"a\":" + good + "}", 8), "twice"},
      {"duplicate dtype",
       file_of("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8), "twice"},
      {"duplicate metadata", file_of("{\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}}", 0), "twice"},
      {"deep", file_of("{\"a\":{\"shape\":[[[[2]]]],\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8), "nested deeper"},
      {"very deep", file_of("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}", 8),
       "nested deeper"},
      {"tensor is a number", file_of("{\"a\":1}", 0), "needs dtype, shape and data_offsets"},
      {"no shape", file_of("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8],\"x\":1}}", 8), "has no shape"},
      {"no dtype", file_of("{\"a\":{\"x\":\"F32\",\"data_offsets\":[0,8],\"shape\":[2]}}", 8), "unknown dtype"},
      {"no offsets", file_of("{\"a\":{\"dtype\":\"F32\",\"x\":[0,8],\"shape\":[2]}}", 8), "no data_offsets"},
      {"a key too many",
       file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"code\":\"import os\"}}", 8),
       "and nothing else"},
      {"unknown dtype", file_of(one(tensor("F99", "[2]", "[0,8]")), 8), "unknown dtype"},
      {"lower-case dtype", file_of(one(tensor("f32", "[2]", "[0,8]")), 8), "unknown dtype"},
      {"dtype is a number", file_of("{\"a\":{\"dtype\":32,\"shape\":[2],\"data_offsets\":[0,8]}}", 8), "unknown dtype"},
      {"shape is text", file_of(one(tensor("F32", "\"2\"", "[0,8]")), 8), "has no shape"},
      {"negative size", file_of(one(tensor("F32", "[-2]", "[0,8]")), 8), "not a whole number"},
      {"size -0", file_of(one(tensor("F32", "[2,-0]", "[0,0]")), 0), "not a whole number"},
      {"fractional size", file_of(one(tensor("F32", "[2.0]", "[0,8]")), 8), "not a whole number"},
      {"size in text", file_of(one(tensor("F32", "[\"2\"]", "[0,8]")), 8), "not a whole number"},
      {"size null", file_of(one(tensor("F32", "[null]", "[0,8]")), 8), "not a whole number"},
      {"size true", file_of(one(tensor("F32", "[true]", "[0,8]")), 8), "not a whole number"},
      {"size 2^64", file_of(one(tensor("F32", "[18446744073709551616]", "[0,8]")), 8), "not a whole number"},
      {"size 2^63", file_of(one(tensor("F32", "[9223372036854775808]", "[0,8]")), 8), "not a whole number"},
      {"product overflows", file_of(one(tensor("F32", "[4294967296,4294967296]", "[0,8]")), 8), "too large"},
      {"product overflows to eight", file_of(one(tensor("F32", "[2,4611686018427387905]", "[0,8]")), 8), "too large"},
      {"bytes overflow", file_of(one(tensor("F64", "[2305843009213693952]", "[0,0]")), 0), "too large"},
      {"rank 65",
       file_of(one(tensor(
                   "F32",
                   "[" + std::string("1,") +
                       [] {
                         std::string s;
                         for (int i = 0; i < 63; ++i) s += "1,";
                         return s;
                       }() +
                       "2]",
                   "[0,8]")),
               8),
       "has no shape"},
      {"one offset", file_of(one(tensor("F32", "[2]", "[0]")), 8), "no data_offsets"},
      {"three offsets", file_of(one(tensor("F32", "[2]", "[0,8,8]")), 8), "no data_offsets"},
      {"negative offset", file_of(one(tensor("F32", "[2]", "[-8,0]")), 8), "no data_offsets"},
      {"fractional offset", file_of(one(tensor("F32", "[2]", "[0,8.0]")), 8), "no data_offsets"},
      {"offsets backwards", file_of(one(tensor("F32", "[2]", "[8,0]")), 8), "bytes of its shape"},
      {"offsets too short", file_of(one(tensor("F32", "[2]", "[0,4]")), 8), "bytes of its shape"},
      {"offsets too long", file_of(one(tensor("F32", "[2]", "[0,12]")), 12), "bytes of its shape"},
      {"past the end", file_of(one(good), 4), "after the end of the file"},
      {"no data at all", file_of(one(good), 0), "after the end of the file"},
      {"bytes behind", file_of(one(good), 9), "belong to nothing"},
      {"a whole archive behind", file_of(one(good), 8) + "PK\3\4", "belong to nothing"},
      {"hole at the start", file_of(one(tensor("F32", "[2]", "[4,12]")), 12), "belong to no tensor"},
      {"hole in the middle", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[1]", "[12,16]") + "}", 16),
       "belong to no tensor"},
      {"overlap", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[2]", "[4,12]") + "}", 12), "overlaps"},
      {"same bytes twice", file_of("{\"a\":" + good + ",\"b\":" + good + "}", 8), "overlaps"},
      {"empty tensor inside another", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[0]", "[4,4]") + "}", 8),
       "overlaps"},
      {"empty tensor behind the end", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[0]", "[16,16]") + "}", 8),
       "after the end"},
      {"metadata is a list", file_of("{\"__metadata__\":[]}", 0), "not an object"},
      {"metadata holds a number", file_of("{\"__metadata__\":{\"step\":1}}", 0), "is not text"},
      {"metadata holds an object", file_of("{\"__metadata__\":{\"x\":{}}}", 0), "is not text"},
      {"nothing but data", file_of("{}", 8), "belong to nothing"},
      {"a pickle", std::string("\x80\x02}q\0.", 6) + std::string(100, 'x'), "at most 100 MB"},
      {"a zip", "PK\3\4" + std::string(100, 'x'), "at most 100 MB"},
  };
  return files;
}

}  // namespace nw
