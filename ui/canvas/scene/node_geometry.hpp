// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of everything on the canvas, in logical pixels at 100 %. A node's position is the centre of its box; the error
// strip hangs below, and the cards it would cover are shown further down as long as it is there.
#pragma once
#include <QtGlobal>

namespace nw::ui::card {

inline constexpr qreal width = 260, height = 60, compactHeight = 36, gap = 48;
inline constexpr qreal tile = 36, tileX = 11, tileRadius = 8, compactTile = 22, compactTileX = 8, compactTileRadius = 6;
inline constexpr qreal badge = 12.4, badgeRing = 2;
inline constexpr qreal stripPadding = 10, stripLine = 17, stripButton = 26, stripGap = 24;
inline constexpr qreal dotWidth = 24, dotHeight = 28, dotRadius = 6, dotReach = 7;
inline constexpr qreal port = 8, portGrown = 11, portReach = 12;
inline constexpr qreal connectionRadius = 12, imageConnection = 2.5, vectorConnection = 1.6, connectionReach = 7;
inline constexpr qreal labelHeight = 19, labelGap = 8;
inline constexpr qreal framePadding = 14, frameHeader = 32, handle = 14;
inline constexpr qreal grid = 20, snap = 10;
// tiniest: for networks that would not fit otherwise
inline constexpr qreal smallestZoom = 0.1, largestZoom = 4, tiniestZoom = 0.01;
inline constexpr qreal noShadowBelow = 0.6, barsBelow = 0.4, blocksBelow = 0.2;

}  // namespace nw::ui::card
