// SPDX-License-Identifier: Apache-2.0
// Options of several sources: one text and one range for all of them.
#pragma once
#include "engine/design/data_source.hpp"

namespace nw::source_options {

using Kind = SourceOption::Kind;

/// The folder of a source that is found by its file names.
inline constexpr SourceOption found_folder{.id = "folder",
                                           .label = NW_TR("Folder"),
                                           .help = NW_TR("Empty: searched in the usual folders of data sets."),
                                           .kind = Kind::folder,
                                           .empty = NW_TR("found automatically"),
                                           .text = &DataChoice::path};
inline constexpr SourceOption test_file{.id = "test_file",
                                        .label = NW_TR("Test file"),
                                        .help = NW_TR("Empty: a part of the training images is held out."),
                                        .kind = Kind::file,
                                        .empty = NW_TR("held out of training"),
                                        .text = &DataChoice::test_path};
inline constexpr SourceOption width{.id = "width",
                                    .label = NW_TR("Width"),
                                    .help = NW_TR("Images are resized to it."),
                                    .kind = Kind::number,
                                    .empty = NW_TR("as found"),
                                    .number = &DataChoice::width,
                                    .hi = 4096,
                                    .unit = NW_TR("px")};
inline constexpr SourceOption height{.id = "height",
                                     .label = NW_TR("Height"),
                                     .help = NW_TR("Images are resized to it."),
                                     .kind = Kind::number,
                                     .empty = NW_TR("as found"),
                                     .number = &DataChoice::height,
                                     .hi = 4096,
                                     .unit = NW_TR("px")};
inline constexpr SourceOption channels{.id = "channels",
                                       .label = NW_TR("Channels"),
                                       .help = NW_TR("1 is grey, 3 is colour."),
                                       .kind = Kind::number,
                                       .empty = NW_TR("as found"),
                                       .number = &DataChoice::channels,
                                       .hi = 3};

inline constexpr SourceOption::Word resize_words[] = {{"bilinear", NW_TR("Bilinear, antialiased (as torchvision)")},
                                                      {"area", NW_TR("Mean of the covered pixels (area)")},
                                                      {"nearest", NW_TR("Nearest pixel")}};
inline constexpr SourceOption resize{.id = "resize",
                                     .label = NW_TR("Resizing"),
                                     .help = NW_TR("How images of another size are resized."),
                                     .kind = Kind::choice,
                                     .text = &DataChoice::resize,
                                     .words = resize_words};

}  // namespace nw::source_options
