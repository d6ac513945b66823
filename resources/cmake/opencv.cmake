# SPDX-License-Identifier: Apache-2.0
# nw_opencv: the three OpenCV libraries that read and write images. Looked for one by one, since OpenCV's own package file asks
# for all of OpenCV, with hundreds of packages that nothing here uses.
find_path(NW_OPENCV_INCLUDE opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4 REQUIRED)
add_library(nw_opencv INTERFACE)
target_include_directories(nw_opencv SYSTEM INTERFACE ${NW_OPENCV_INCLUDE})
foreach(part core imgproc imgcodecs)
  find_library(NW_OPENCV_${part} opencv_${part} REQUIRED)
  target_link_libraries(nw_opencv INTERFACE ${NW_OPENCV_${part}})
endforeach()
nw_version_in(${NW_OPENCV_INCLUDE}/opencv2/core/version.hpp CV_VERSION MAJOR MINOR REVISION)
nw_built_with("OpenCV" "${version}")
