// SPDX-License-Identifier: GPL-3.0-or-later
// A small diagram of a network: one bar per layer, as high as its images; dots for networks of vectors only.
#pragma once
#include <QPainter>
#include <QString>
#include <vector>

#include "engine/compile/compile.hpp"

namespace nw::ui {

struct Miniature {
  struct Bar {
    std::string group;
    double height = 0, width = 0;
    int channels = 0;
  };  // height 0…1, width in bars
  struct Arc {
    int from = 0, to = 0;
  };  // a skip connection over bars
  std::vector<Bar> bars;
  std::vector<Arc> arcs;
  bool dots = false;
  std::int64_t parameters = 0, multiply_adds = 0, memory_bytes = 0;
};

/// Any thread.
Miniature miniatureOf(const GraphDoc& doc, const DataFacts& facts);
void paintMiniature(QPainter& p, const QRectF& where, const Miniature& miniature);
/// The data properties of the public data set of that name: "MNIST", "CIFAR-10".
DataFacts usualFacts(const DataChoice& data);

}  // namespace nw::ui
