// SPDX-License-Identifier: Apache-2.0
// The functions that the fuzzers and the replay of their corpus call: one function and one file for each reader of
// untrusted bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nw::fuzz {

/// The result for one input. A reader may accept or reject an input; `broken` names the invariant that did not hold.
struct Outcome {
  bool accepted = false;
  std::string broken;
};

using Bytes = std::span<const std::uint8_t>;
struct Reader {
  std::string_view name;  // name of the corpus folder and of the program fuzz_<name>
  Outcome (*read)(Bytes);
};

/// A .zip, .tar or .tar.gz file.
Outcome read_archive(Bytes);
/// Two bytes with the length of the JSON, the JSON of a helper's answer, then its payload of arrays.
Outcome read_arrays(Bytes);
/// A saved block of the palette: its card and its definitions; an accepted one reads back equal after it is saved.
Outcome read_block_card(Bytes);
/// A file of CIFAR-10 records.
Outcome read_cifar(Bytes);
/// An annotation file of COCO.
Outcome read_coco(Bytes);
/// One byte (0: a request to a run, 1: a run's answer), then what its control socket receives.
Outcome read_control(Bytes);
/// One byte of options (1: a column "label", 2: three channels, 4: 2×2 pixels, 8: the same table as test set), then a
/// table.
Outcome read_csv(Bytes);
/// A line of events.jsonl; an accepted event is written back unchanged.
Outcome read_event(Bytes);
/// The expression of a Formula: an accepted one has its program and its derivatives.
Outcome read_expression(Bytes);
/// One byte of options (1: a part was fetched before, 2: 16 bytes are expected), then a response to a download.
Outcome read_http(Bytes);
/// One byte (the pieces' length, less one), then what a script at another computer prints, as frames.
Outcome read_frames(Bytes);
/// Two bytes with the length of the labels file, the labels file, then the images file, plain or gzip-compressed.
Outcome read_idx(Bytes);
/// The pixels of an image file of any format, as a data set reads them.
Outcome read_image(Bytes);
/// The header of an image file, read before decoding.
Outcome read_image_header(Bytes);
Outcome read_infer_request(Bytes);
/// The job.json of a training that was submitted; an accepted one reads back equal.
Outcome read_job(Bytes);
/// Untrusted bytes on the helper's socket: framing, JSON and the fields of requests.
Outcome read_message(Bytes);
/// A network in text form: an accepted text reads back equal after it is written, and undo restores the document.
Outcome read_network(Bytes);
/// An ONNX file as a network: an accepted one has no errors, and every layer its weights.
Outcome read_onnx(Bytes);
/// An ONNX file as a model: an accepted one reads back equal after it is written.
Outcome read_onnx_file(Bytes);
/// One byte (1: correct the header's checksum first), then a pack of decoded images.
Outcome read_pack(Bytes);
/// One byte of options (1: a column "kind", 2: the same table as test set), then a table of paths.
Outcome read_path_table(Bytes);
/// The pixels of a JPEG file.
Outcome read_jpeg(Bytes);
/// The pixels of a GIF or a PNM file.
Outcome read_pixels(Bytes);
/// The text of a project in the chunks of a PNG file.
Outcome read_png_text(Bytes);
/// One byte (1: correct all checksums first), then a file of tracked samples.
Outcome read_probes(Bytes);
/// A project: an accepted one reads back equal from its own text and can be analysed.
Outcome read_project(Bytes);
/// run.json of an untrusted folder; an accepted definition reads back equal.
Outcome read_run(Bytes);
/// One byte (0: manifest, 1: state of a checkpoint, 2: statistics, 3: notes, 4: losses, 5: latest), then that file of a
/// run.
Outcome read_run_file(Bytes);
/// A condition on runs, as a user types it; no run fulfils both it and its negation.
Outcome read_run_query(Bytes);
/// A record of the index of runs.
Outcome read_run_record(Bytes);
/// The header of a safetensors file.
Outcome read_safetensors(Bytes);
/// The space of a study: an accepted one reads back equal, and a point drawn from it is one of its points.
Outcome read_space(Bytes);
/// The journal of a study: an accepted one takes the step that it proposes.
Outcome read_study(Bytes);
/// The journal of a queue: an accepted one takes the starts that it proposes.
Outcome read_queue(Bytes);
/// One byte (1: the value "test" is allowed), then a table that assigns samples to splits.
Outcome read_split_table(Bytes);
/// A tar file; its entries are unpacked.
Outcome read_tar(Bytes);
/// A transform in the words of the command line.
Outcome read_transform(Bytes);
/// An image list of VOC.
Outcome read_voc(Bytes);

inline constexpr Reader readers[] = {
#ifdef NW_ARCHIVES
    {"archive", read_archive},
#endif
#ifdef NW_IMAGES
    {"image", read_image},
#endif
#ifdef NW_JPEG
    {"jpeg", read_jpeg},
#endif
#ifdef NW_GIF
    {"pixels", read_pixels},
#endif
    {"arrays", read_arrays},
    {"block_card", read_block_card},
    {"cifar", read_cifar},
    {"coco", read_coco},
    {"control", read_control},
    {"csv", read_csv},
    {"event", read_event},
    {"frames", read_frames},
    {"job", read_job},
    {"expression", read_expression},
    {"http", read_http},
    {"idx", read_idx},
    {"image_header", read_image_header},
    {"infer_request", read_infer_request},
    {"message", read_message},
    {"network", read_network},
    {"onnx", read_onnx},
    {"onnx_file", read_onnx_file},
    {"pack", read_pack},
    {"path_table", read_path_table},
    {"png_text", read_png_text},
    {"probes", read_probes},
    {"project", read_project},
    {"run", read_run},
    {"run_file", read_run_file},
    {"run_query", read_run_query},
    {"run_record", read_run_record},
    {"safetensors", read_safetensors},
    {"space", read_space},
    {"split_table", read_split_table},
    {"study", read_study},
    {"queue", read_queue},
    {"tar", read_tar},
    {"transform", read_transform},
    {"voc", read_voc}};

inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace nw::fuzz
