# SPDX-License-Identifier: Apache-2.0
# The Debian packages of `cpack -G DEB`; installer/package.sh builds what they need and runs it.
set(NETWRIGHT_HOMEPAGE "https://github.com/netwright/netwright" CACHE STRING "Address that packages name as the project's")
set(NETWRIGHT_CONTACT "Netwright maintainers <netwright@users.noreply.github.com>" CACHE STRING "Maintainer that packages name")

# nw_package(COMPONENT NAME SECTION SUMMARY DESCRIPTION): one package, with its licence and change log
function(nw_package component name section summary description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES debian/copyright DESTINATION ${doc} COMPONENT ${component})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz DESTINATION ${doc} COMPONENT ${component})
endfunction()

# A package fits the release that it was built on: the revision names it, so that a newer release brings a newer package. The 0 leaves room
# for packages that a distribution makes.
cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
set(NW_REVISION 0upstream1)
if(system_ID STREQUAL "debian")
  string(APPEND NW_REVISION "+deb${system_VERSION_ID}")
endif()
set(version ${PROJECT_VERSION}-${NW_REVISION})

# gzip -n keeps names and times out: two builds give the same bytes.
configure_file(debian/changelog changelog.Debian @ONLY)
execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz
                COMMAND_ERROR_IS_FATAL ANY)

set(about "Netwright is a workbench for image classification: networks are drawn by drag
and drop or written as text, trained on processors and GPUs, watched while they
train, examined with the images that they get wrong, searched, compressed and
exported.")
set(CPACK_COMPONENTS_ALL cli)
nw_package(cli netwright-cli science "train and inspect neural networks (command line)"
  "${about}\n.\nThis package holds the command line, which needs no display.")
if(TARGET netwright)
  list(APPEND CPACK_COMPONENTS_ALL window)
  nw_package(window netwright science "draw a neural network, train it, see why" "${about}\n.\nThis package holds the window.")
endif()
if(TARGET nw_cuda)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
  nw_package(cuda netwright-cuda science "train neural networks on NVIDIA GPUs (Netwright)"
    "${about}\n.\nThis package holds the module that computes on NVIDIA GPUs. It finds the\ndriver, cuBLAS, cuDNN and NCCL at run time; without them netwright-cli says\nwhat is missing.")
endif()
if(TARGET nw_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  nw_package(mpi netwright-mpi science "train one neural network with several processes (Netwright)"
    "${about}\n.\nThis package holds the module by which processes on one or several machines\ntrain one network together, started by mpirun.")
endif()
list(APPEND CPACK_COMPONENTS_ALL doc)
nw_package(doc netwright-doc doc "train and inspect neural networks (documentation)" "${about}\n.\nThis package holds the documents.")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)

set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "netwright-cli (= ${version}), libqt6svg6, qt6-qpa-plugins, fonts-noto-cjk, fonts-jetbrains-mono")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "qt6-translations-l10n, qt6-wayland")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "netwright-doc, netwright-cuda")
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "ca-certificates")
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "netwright-cli (= ${version})")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "netwright-cli (= ${version}), openmpi-bin")

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_NAME netwright)
set(CPACK_PACKAGE_VENDOR Netwright)
set(CPACK_PACKAGE_CONTACT ${NETWRIGHT_CONTACT})
set(CPACK_PACKAGE_HOMEPAGE_URL ${NETWRIGHT_HOMEPAGE})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# With packages of debug symbols CPack strips what it packs, once it has taken the symbols out of it.
if(NOT NETWRIGHT_DEBUG_PACKAGES)
  set(CPACK_STRIP_FILES ON)
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE ${NW_REVISION})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ${NETWRIGHT_DEBUG_PACKAGES})
set(CPACK_OUTPUT_FILE_PREFIX packages)
set(CPACK_THREADS 0)
include(CPack)
