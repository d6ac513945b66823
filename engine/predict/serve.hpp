// SPDX-License-Identifier: Apache-2.0
// The window's helper: `netwright-cli serve` answers on a socket pair (file descriptor given as --fd). One message =
// 4-byte little-endian length, JSON of that length, and optionally one memfd (SCM_RIGHTS) with binary payload of
// "bytes" bytes. Requests carry "id" and "do"; answers carry the same "id" and either "ok": true or "error": sentence.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw {

struct Message {
  Json json;
  std::vector<std::uint8_t> payload;  // sent and received through shared memory
};
/// Errc::other when the connection is of no use any more: "closed", the other side is gone; or a length beyond the
/// limits (JSON 16 MiB, payload 1 GiB). Errc::bad_input: this message is none, the next may be one.
Status send_message(int socket, const Message&);
Result<Message> receive_message(int socket);

/// The helper's main loop; returns when the socket closes. What it can do ("do" → answer):
///   open_data   {data: DataChoice, data_dir} → {description, place, classes[], counts{train{}, validation{}, test{}}
///               per class, facts, mean[], deviation[], warnings[], fell_back}
///   samples     {data, data_dir, split, begin, count, size} → {labels[], origins[], height, width}, payload RGBA
///               size×size thumbnails
///   augmented   {data, data_dir, settings, count, size} → payload RGBA thumbnails of augmented training images
///   open_run    {run, checkpoint} → {classes[], channels, height, width, checkpoint, step, data}
///   check       {data, data_dir} → {images, unreadable, total, defects[], files[]} as in
///               engine/data/checks/gate_report.hpp
///   images      {data, data_dir, samples[{test_set, index}], size} → {names[]}, payload RGBA
///   evaluate    {run, checkpoint, split} → Evaluation as JSON arrays, after messages {"id", "progress": 0…1}
///   curves      {run, checkpoint, split, class} → {roc, precision_recall, decisions}: that class against the rest
///   report      {run, checkpoint, split, format} → payload: "html", a page; "csv", the figures of every class
///   neighbours  {run, checkpoint, split, sample, most} → {searched, neighbours[{index, name, label, likeness}]}:
///               training images near it
///   map         {run, checkpoint, split, most, method} → {x[], y[], share[2], sample[], label[]}: "plane", in which
///               features differ most; "tsne", neighbours together (with divergence)
///   suspects    {run, checkpoint, split, most} → {images, suspects[{index, test_set, name, label, predicted,
///               confidence, loss}]}
///   thumbnails  {run, split, samples[], size} → {names[]}, payload RGBA
///   predict     {run, checkpoint, height, width, channels} + payload u8 hwc (resized to the network's input) →
///               {probability[], predicted}
///   predict_file{run, checkpoint, path} → {probability[], predicted}, payload RGBA of what the network saw
///   decode      {path, size} → {height, width}, payload RGBA thumbnail
///   activation  {run, checkpoint, split, sample, node} → {shape[]}, payload f32
///   filters     {run, checkpoint, node} → {shape[]} (O,I,h,w), payload f32: a convolution's weights
///   outputs     {project, names[], sample, run, checkpoint} → {side, layers[{name, shape[], min, mean, max, deviation,
///               zeros}]}, payload grey side×side of a drawing's layers for a training image; without "run" with the
///               first weights
///   explain     {run, checkpoint, split, sample, method, target, layer} → {height, width, target, layer, score},
///               payload f32 (H,W)
/// Errors: {"id", "error": sentence, "code": Errc, "source": template, "args"}. A message that is no JSON object is
/// answered with id -1. cancel {id}: the answer of that request becomes an error "cancelled".
int serve(int socket);

}  // namespace nw
