# SPDX-License-Identifier: Apache-2.0
# The versions of other software that this build found, for About: engine/about compiles the list, which is written when all folders have been
# read.
set(NW_BUILT_WITH ${CMAKE_BINARY_DIR}/built_with/built_with.cpp)

# nw_built_with(NAME VERSION): NAME as in engine/about/components.cpp; nothing where VERSION is empty
function(nw_built_with name version)
  if(NOT "${version}" STREQUAL "")
    set_property(GLOBAL APPEND PROPERTY NW_BUILT_WITH "    {\"${name}\", \"${version}\"},\n")
  endif()
endfunction()

# nw_version_in(FILE PREFIX PARTS… ): sets `version` to the numbers that the header defines as PREFIX_PART, with dots
function(nw_version_in file prefix)
  set(found "")
  foreach(part IN LISTS ARGN)
    file(STRINGS ${file} line REGEX "define ${prefix}_${part}[ \t]+[0-9]+")
    string(REGEX MATCH "[0-9]+" number "${line}")
    list(APPEND found ${number})
  endforeach()
  string(REPLACE ";" "." found "${found}")
  set(version "${found}" PARENT_SCOPE)
endfunction()

function(nw_write_built_with)
  get_property(rows GLOBAL PROPERTY NW_BUILT_WITH)
  string(REPLACE ";" "" rows "${rows}")
  file(CONFIGURE OUTPUT ${NW_BUILT_WITH} @ONLY CONTENT
"// Made by CMake from what it found.
#include <array>
#include <span>
#include <string_view>
#include <utility>
namespace nw {
std::span<const std::pair<std::string_view, std::string_view>> built_with() {
  static constexpr auto list = std::to_array<std::pair<std::string_view, std::string_view>>({
@rows@  });
  return list;
}
}  // namespace nw
")
endfunction()
