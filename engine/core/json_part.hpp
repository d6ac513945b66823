// SPDX-License-Identifier: Apache-2.0
// Lists and objects inside a JSON object, made where they are missing.
#pragma once
#include <string>
#include <utility>

#include "engine/core/json.hpp"

namespace nw {

/// The value under a key of an object, `otherwise` where there is none. The library's [] puts a null there first, and
/// what makes a list or an object of a null leaves one that cannot be destroyed where there is no memory.
inline Json& part_of(Json& object, const std::string& key, Json otherwise) {
  if (object.is_null()) object = Json::object();
  return *object.emplace(key, std::move(otherwise)).first;
}
inline Json& list_in(Json& object, const std::string& key) { return part_of(object, key, Json::array()); }
inline Json& object_in(Json& object, const std::string& key) { return part_of(object, key, Json::object()); }

}  // namespace nw
