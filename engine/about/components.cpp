// SPDX-License-Identifier: Apache-2.0
#include "engine/about/components.hpp"

#include <fmt/format.h>

namespace nw {
namespace {

using Words = const char*();
using Number = unsigned();

std::string words(const LoadedFunctions& in, const char* function) {
  Words* const said = in.find<Words>(function);
  return said ? said() : "";
}

/// "0.8.2" of 802 with steps of 100, "3.6.2" of 3006002 with steps of 1000.
std::string number(const LoadedFunctions& in, const char* function, unsigned step) {
  Number* const said = in.find<Number>(function);
  if (!said) return {};
  const unsigned n = said();
  return fmt::format("{}.{}.{}", n / step / step, n / step % step, n % step);
}

std::string of_open_mpi(const LoadedFunctions& in) {
  auto* const said = in.find<int(char*, int*)>("MPI_Get_library_version");
  if (!said) return {};
  std::string text(8192, '\0');  // MPI_MAX_LIBRARY_VERSION_STRING is 256; Open MPI never writes more than its own
  int length = 0;
  if (said(text.data(), &length) != 0) return {};
  const std::size_t begin = text.find(" v") + 2;
  return text.substr(begin, text.find_first_of(", ", begin) - begin);
}

/// "7.88.1" of "libcurl/7.88.1 OpenSSL/3.0.11".
std::string of_curl(const LoadedFunctions& in) {
  const std::string all = words(in, "curl_version");
  const std::size_t begin = all.find('/') + 1;
  return all.substr(begin, all.find(' ', begin) - begin);
}

const Component table[] = {
    {.name = "Qt",
     .licence = "LGPL-3.0-only",
     .use = text(NW_TR("window and controls")),
     .cmake = "Qt6",
     .development = "qt6-base-dev qt6-svg-dev libqt6svg6 qt6-translations-l10n",
     .package = "libqt6core6",
     .libraries = "libQt6",
     .module = "netwright"},
    {.name = "QCustomPlot",
     .licence = "GPL-3.0-or-later",
     .use = text(NW_TR("charts")),
     .cmake = "QCustomPlotQt6",
     .development = "libqcustomplot-dev",
     .package = "libqcustomplot",
     .libraries = "libQCustomPlotQt6.so",
     .module = "netwright"},
    {.name = "OpenGL",
     .licence = "MIT",
     .use = text(NW_TR("what Qt draws with")),
     .development = "libgl-dev",
     .package = "libgl",
     .libraries = "libGL.so libOpenGL.so libGLX.so libEGL.so",
     .module = "netwright",
     .with_system = true},
    {.name = "{fmt}",
     .licence = "MIT",
     .use = text(NW_TR("text formatting")),
     .cmake = "fmt",
     .development = "libfmt-dev",
     .package = "libfmt",
     .libraries = "libfmt.so"},
    {.name = "nlohmann/json",
     .licence = "MIT",
     .use = text(NW_TR("project files and events")),
     .cmake = "nlohmann_json",
     .development = "nlohmann-json3-dev",
     .package = "nlohmann-json3-dev"},
    {.name = "CLI11",
     .licence = "BSD-3-Clause",
     .use = text(NW_TR("command line")),
     .cmake = "CLI11",
     .development = "libcli11-dev",
     .package = "libcli11-dev"},
    {.name = "zlib",
     .licence = "Zlib",
     .use = text(NW_TR("compressed data sets")),
     .cmake = "ZLIB",
     .development = "zlib1g-dev",
     .package = "zlib1g",
     .libraries = "libz.so",
     .loaded = [](const LoadedFunctions& in) { return words(in, "zlibVersion"); }},
    {.name = "xxHash",
     .licence = "BSD-2-Clause",
     .use = text(NW_TR("finding damaged files")),
     .cmake = "XXHASH",
     .development = "libxxhash-dev",
     .package = "libxxhash",
     .libraries = "libxxhash.so",
     .loaded = [](const LoadedFunctions& in) { return number(in, "XXH_versionNumber", 100); }},
    {.name = "Protocol Buffers",
     .licence = "BSD-3-Clause",
     .use = text(NW_TR("networks of other programs (ONNX)")),
     .cmake = "Protobuf",
     .development = "libprotobuf-dev",
     .package = "libprotobuf-lite",
     .libraries = "libprotobuf-lite.so libprotobuf.so"},
    {.name = "ONNX",
     .licence = "Apache-2.0",
     .use = text(NW_TR("the schema of such files")),
     .package = "netwright-cli",
     .own_version = "IR 14"},
    {.name = "SQLite",
     .licence = "blessing",
     .use = text(NW_TR("the list of runs")),
     .cmake = "SQLite3",
     .development = "libsqlite3-dev",
     .package = "libsqlite3",
     .libraries = "libsqlite3.so",
     .loaded = [](const LoadedFunctions& in) { return words(in, "sqlite3_libversion"); }},
    {.name = "libjpeg-turbo",
     .licence = "IJG AND BSD-3-Clause AND Zlib",
     .use = text(NW_TR("JPEG photos, in a separate process")),
     .cmake = "JPEG",
     .development = "libjpeg-dev",
     .package = "libjpeg",
     .libraries = "libjpeg.so",
     .module = "libnw_images.so"},
    {.name = "libpng",
     .licence = "libpng-2.0",
     .use = text(NW_TR("PNG photos, in the same process")),
     .cmake = "PNG",
     .development = "libpng-dev",
     .package = "libpng",
     .libraries = "libpng16.so",
     .module = "libnw_images.so",
     .loaded = [](const LoadedFunctions& in) { return number(in, "png_access_version_number", 100); }},
    {.name = "giflib",
     .licence = "MIT",
     .use = text(NW_TR("GIF photos, in the same process")),
     .cmake = "GIF",
     .development = "libgif-dev",
     .package = "libgif",
     .libraries = "libgif.so",
     .module = "libnw_images.so"},
    {.name = "OpenCV",
     .licence = "Apache-2.0",
     .use = text(NW_TR("BMP, WebP and TIFF photos, in the same process")),
     .cmake = "opencv",
     .development = "libopencv-imgcodecs-dev",
     .package = "libopencv-core",
     .libraries = "libopencv_",
     .module = "libnw_images.so",
     .loaded =
         [](const LoadedFunctions& in) {
           Number* const major = in.find<Number>("_ZN2cv15getVersionMajorEv");
           Number* const minor = in.find<Number>("_ZN2cv15getVersionMinorEv");
           Number* const revision = in.find<Number>("_ZN2cv18getVersionRevisionEv");
           return major && minor && revision ? fmt::format("{}.{}.{}", major(), minor(), revision()) : std::string();
         }},
    {.name = "libarchive",
     .licence = "BSD-2-Clause",
     .use = text(NW_TR("photos inside archives")),
     .cmake = "LibArchive",
     .development = "libarchive-dev",
     .package = "libarchive",
     .libraries = "libarchive.so",
     .module = "libnw_archives.so",
     .loaded = [](const LoadedFunctions& in) { return number(in, "archive_version_number", 1000); }},
    {.name = "libcurl",
     .licence = "curl",
     .use = text(NW_TR("downloads of data sets")),
     .cmake = "CURL",
     .development = "libcurl4-openssl-dev ca-certificates",
     .package = "libcurl",
     .libraries = "libcurl.so",
     .module = "libnw_net.so",
     .loaded = of_curl},
    {.name = "libmicrohttpd",
     .licence = "LGPL-2.1-or-later",
     .use = text(NW_TR("networks over HTTP")),
     .cmake = "MICROHTTPD",
     .development = "libmicrohttpd-dev",
     .package = "libmicrohttpd",
     .libraries = "libmicrohttpd.so",
     .module = "libnw_http.so",
     .loaded = [](const LoadedFunctions& in) { return words(in, "MHD_get_version"); }},
    {.name = "Open MPI",
     .licence = "BSD-3-Clause-Open-MPI",
     .use = text(NW_TR("training by several processes")),
     .cmake = "OPEN_MPI",
     .development = "libopenmpi-dev",
     .package = "libopenmpi",
     .libraries = "libmpi.so libopen-",
     .module = "libnw_mpi.so",
     .loaded = of_open_mpi},
    {.name = "CUDA",
     .licence = "LicenseRef-NVIDIA-CUDA",
     .use = text(NW_TR("kernels of NVIDIA GPUs; the driver is found when the program runs")),
     .package = "cuda-cudart",
     .module = "libnw_cuda.so"},
    {.name = "cuBLAS",
     .licence = "LicenseRef-NVIDIA-CUDA",
     .use = text(NW_TR("matrix products on NVIDIA GPUs, found when the program runs")),
     .package = "libcublas",
     .module = "libnw_cuda.so",
     .with_system = true},
    {.name = "cuDNN",
     .licence = "LicenseRef-NVIDIA-cuDNN",
     .use = text(NW_TR("convolutions on NVIDIA GPUs, found when the program runs")),
     .package = "libcudnn",
     .module = "libnw_cuda.so",
     .with_system = true},
    {.name = "NCCL",
     .licence = "BSD-3-Clause",
     .use = text(NW_TR("sums over several NVIDIA GPUs, found when the program runs")),
     .package = "libnccl",
     .module = "libnw_cuda.so",
     .with_system = true},
    {.name = "Inter",
     .licence = "OFL-1.1",
     .use = text(NW_TR("font with tabular digits, renamed NwSans")),
     .package = "netwright",
     .own_version = "3.19"},
    {.name = "JetBrains Mono",
     .licence = "OFL-1.1",
     .use = text(NW_TR("font of shapes and paths")),
     .development = "fonts-jetbrains-mono",
     .package = "fonts-jetbrains-mono",
     .with_system = true},
    {.name = "Noto Sans CJK",
     .licence = "OFL-1.1",
     .use = text(NW_TR("font of Chinese letters")),
     .development = "fonts-noto-cjk",
     .package = "fonts-noto-cjk",
     .with_system = true},
};

}  // namespace

std::span<const Component> all_components() { return table; }

}  // namespace nw
