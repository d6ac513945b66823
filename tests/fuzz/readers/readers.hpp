// SPDX-License-Identifier: Apache-2.0
// What the fuzzers and the replay of their corpus call: one function for each reader of untrusted bytes, one file for
// each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nw::fuzz {

/// What became of an input. A reader may take it or refuse it; `broken` says which promise about it did not hold.
struct Outcome {
  bool accepted = false;
  std::string broken;
};

using Bytes = std::span<const std::uint8_t>;
struct Reader {
  std::string_view name;  // as the folders of inputs and the program fuzz_<name>
  Outcome (*read)(Bytes);
};

/// A .zip, .tar or .tar.gz file.
Outcome read_archive(Bytes);
/// Records of CIFAR-10.
Outcome read_cifar(Bytes);
/// A list of COCO.
Outcome read_coco(Bytes);
/// One byte that chooses the settings (1: a column "label", 2: three channels, 4: 2×2 pixels, 8: the same as test
/// table), then a table.
Outcome read_csv(Bytes);
/// A line of events.jsonl; what is understood is written the same way again.
Outcome read_event(Bytes);
/// Two bytes, the length of the labels file; that file; the images file, as it is or in gzip.
Outcome read_idx(Bytes);
/// What an image file claims about itself before it is decoded.
Outcome read_image_header(Bytes);
/// Bytes on the helper's socket, as somebody else might send them: framing, JSON, and what requests carry.
Outcome read_message(Bytes);
/// A network as text: what is understood is written so that it is understood the same, and undone exactly.
Outcome read_network(Bytes);
/// One byte (1: the header's checksum is put right first), then a pack of decoded images.
Outcome read_pack(Bytes);
/// One byte that chooses the settings (1: a column "kind", 2: the same as test table), then a table of paths.
Outcome read_path_table(Bytes);
/// The pixels of a GIF or a PNM file.
Outcome read_pixels(Bytes);
/// One byte (1: all checksums are put right first), then a run's watched images.
Outcome read_probes(Bytes);
/// A project: what is accepted comes back the same from its own text, and can be analysed.
Outcome read_project(Bytes);
/// run.json of a folder that may come from anywhere; what is accepted comes back the same.
Outcome read_run(Bytes);
/// A safetensors file's header.
Outcome read_safetensors(Bytes);
/// One byte (1: test may be said), then a table of who goes into which part.
Outcome read_split_table(Bytes);
/// A tar file, unpacked.
Outcome read_tar(Bytes);
/// One list of VOC.
Outcome read_voc(Bytes);

inline constexpr Reader readers[] = {
#ifdef NW_ARCHIVES
    {"archive", read_archive},
#endif
#ifdef NW_GIF
    {"pixels", read_pixels},
#endif
    {"cifar", read_cifar},
    {"coco", read_coco},
    {"csv", read_csv},
    {"event", read_event},
    {"idx", read_idx},
    {"image_header", read_image_header},
    {"message", read_message},
    {"network", read_network},
    {"pack", read_pack},
    {"path_table", read_path_table},
    {"probes", read_probes},
    {"project", read_project},
    {"run", read_run},
    {"safetensors", read_safetensors},
    {"split_table", read_split_table},
    {"tar", read_tar},
    {"voc", read_voc}};

inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace nw::fuzz
