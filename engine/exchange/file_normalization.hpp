// SPDX-License-Identifier: Apache-2.0
// The normalization of images that an ONNX file contains or names. Private to engine/exchange.
#pragma once
#include "engine/exchange/graph_reader.hpp"

namespace nw::exchange {

/// Of pixels from 0 to 1, for each channel.
struct FileNormalization {
  std::vector<float> mean, deviation;
};
/// What the operations before the network amount to, or, without any, what the metadata of a file of ours say; nothing:
/// neither, or it is no normalization. A scale below 0.1 is taken for one of pixels from 0 to 255.
std::optional<FileNormalization> file_normalization(const std::vector<Preprocessing>&, const onnx::Metadata&,
                                                    std::int64_t channels);

}  // namespace nw::exchange
