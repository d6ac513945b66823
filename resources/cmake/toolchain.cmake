# SPDX-License-Identifier: Apache-2.0
# Compiler settings every target shares: warnings, sanitizers, hardening, ccache and mold where they are installed.
find_program(NW_CCACHE ccache)
if(NW_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${NW_CCACHE})
endif()
find_program(NW_MOLD mold)
if(NW_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
# Paths in messages and debug information start at the repository: the same object wherever the clone lies.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

add_library(nw_flags INTERFACE)
target_include_directories(nw_flags INTERFACE ${CMAKE_SOURCE_DIR})
# A switch that forgets an enumerator is an error in every preset.
target_compile_options(nw_flags INTERFACE -Wall -Wextra -Wno-missing-field-initializers -Werror=switch)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps and overflows in its own std::string where there are none (GCC bug 105651).
  target_compile_options(nw_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(NETWRIGHT_WERROR)
  target_compile_options(nw_flags INTERFACE -Werror)
endif()
set(NW_LIBRARY STATIC)
if(NETWRIGHT_SANITIZE)
  # What overflows a number must end the test or the fuzzer, not be printed and forgotten.
  add_compile_options(-fsanitize=${NETWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${NETWRIGHT_SANITIZE} -Wl,--compress-debug-sections=zlib)
  # Sixty programs that each contain the engine with all its checks would take 3 GB.
  set(NW_LIBRARY SHARED)
else()
  # CMake's Release says -O3 -DNDEBUG; asserts cost nothing measurable here and our bugs should be loud.
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  add_compile_definitions($<$<CONFIG:Release>:_FORTIFY_SOURCE=2> _GLIBCXX_ASSERTIONS)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>)
endif()
add_link_options(-Wl,-z,relro,-z,now)
