# SPDX-License-Identifier: Apache-2.0
# The CUDA plug-in libnw_cuda.so, beside the programs. nvcc makes the device's kernels alone: the plug-in links no CUDA library,
# it opens the driver at run time.
set(NETWRIGHT_CUDA AUTO CACHE STRING "Build the CUDA plug-in: ON, OFF, or AUTO (where nvcc is found)")
set(CMAKE_CUDA_ARCHITECTURES "80;90" CACHE STRING "GPU architectures with machine code; PTX of the last one serves newer ones")
if(NETWRIGHT_CUDA STREQUAL "AUTO" OR NETWRIGHT_CUDA)
  find_program(NW_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
endif()
if(NOT NW_NVCC)
  if(NETWRIGHT_CUDA AND NOT NETWRIGHT_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "NETWRIGHT_CUDA is ON but nvcc is not found: install the CUDA toolkit (13.0 or later) or set CUDA_PATH")
  endif()
  return()
endif()

set(targets "")
foreach(arch IN LISTS CMAKE_CUDA_ARCHITECTURES)
  list(APPEND targets -gencode arch=compute_${arch},code=sm_${arch})
endforeach()
list(LENGTH targets machine_code)
list(GET CMAKE_CUDA_ARCHITECTURES -1 newest)
list(APPEND targets -gencode arch=compute_${newest},code=compute_${newest})
if(NETWRIGHT_SANITIZE)   # no GPU is asked there: what takes minutes, the machine code, is that of the release build
  list(SUBLIST targets ${machine_code} -1 targets)
endif()
set(image ${CMAKE_CURRENT_BINARY_DIR}/cuda_kernels.fatbin)
set(NW_CUDA_RESOURCES ${CMAKE_CURRENT_BINARY_DIR}/cuda_resources.txt CACHE INTERNAL "What ptxas says of each kernel")
file(GLOB elements CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/grid.hpp ${CMAKE_CURRENT_SOURCE_DIR}/cuda/elements/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/cuda/blocks/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/math/*.hpp
     ${CMAKE_CURRENT_SOURCE_DIR}/optimizers/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/optimizer*.hpp)
add_custom_command(OUTPUT ${image} ${NW_CUDA_RESOURCES}
  COMMAND ${NW_NVCC} -std=c++20 -O3 -I${CMAKE_SOURCE_DIR} -I${NW_OPTIMIZER_LIST} -fatbin ${targets} -Xptxas -v -o ${image} cuda/kernels.cu 2> ${NW_CUDA_RESOURCES}
          || ${CMAKE_COMMAND} -E cat ${NW_CUDA_RESOURCES} && test -s ${image}
  DEPENDS cuda/kernels.cu ${elements} ${NW_OPTIMIZER_LIST}/kernels/optimizer_list.hpp WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMENT "Building the CUDA kernels" VERBATIM)
add_library(nw_cuda MODULE cuda/plugin.cpp ${image})
set_target_properties(nw_cuda PROPERTIES PREFIX lib)
execute_process(COMMAND ${NW_NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
string(REGEX MATCH "release ([0-9.]+)" said "${said}")
nw_built_with("CUDA" "${CMAKE_MATCH_1}")
set_source_files_properties(cuda/plugin.cpp PROPERTIES OBJECT_DEPENDS ${image} COMPILE_DEFINITIONS NW_CUDA_KERNELS="${image}")
target_link_libraries(nw_cuda PRIVATE nw_cuda_host)
