// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.hpp"

#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct Row {
  QColor Theme::*member;
  QRgb dark, light, contrast;
};

// Text keeps a contrast of at least 4.5 on every surface named here, in the last column of 7.
const Row rows[] = {
    {&Theme::canvas, 0x111215, 0xF1F2F4, 0x000000},     {&Theme::canvasDots, 0x202228, 0xDCDFE5, 0x4A4A4A},
    {&Theme::window, 0x18191D, 0xFCFCFD, 0x000000},     {&Theme::sunken, 0x121316, 0xF3F4F6, 0x000000},
    {&Theme::raised, 0x212328, 0xFFFFFF, 0x0B0B0B},     {&Theme::overlay, 0x282A31, 0xFFFFFF, 0x101010},
    {&Theme::hover, 0x25272D, 0xF1F2F5, 0x262626},      {&Theme::border1, 0x25272C, 0xE9EAEE, 0x6E6E6E},
    {&Theme::border2, 0x32343B, 0xD9DBE1, 0xA8A8A8},    {&Theme::border3, 0x4C505A, 0xAEB3BF, 0xE4E4E4},
    {&Theme::text1, 0xEDEEF1, 0x17191D, 0xFFFFFF},      {&Theme::text2, 0xABB0BA, 0x515763, 0xF0F0F0},
    {&Theme::text3, 0x8E94A0, 0x656B78, 0xD8D8D8},      {&Theme::accent, 0x5B5BD6, 0x5451D6, 0x9FD0FF},
    {&Theme::onAccent, 0xFFFFFF, 0xFFFFFF, 0x000000},   {&Theme::ring, 0x8583F0, 0x6A67E8, 0xFFE14D},
    {&Theme::accentText, 0xB1ADFF, 0x4A46C9, 0xB3DAFF}, {&Theme::accentSoft, 0x26264A, 0xECECFB, 0x0B2A4A},
    {&Theme::ok, 0x4CC38A, 0x18794E, 0x6BE39B},         {&Theme::okSoft, 0x16291F, 0xE7F6EC, 0x06301A},
    {&Theme::warn, 0xF2B134, 0x94620A, 0xFFCF4D},       {&Theme::warnSoft, 0x2E2412, 0xFFF4DB, 0x332600},
    {&Theme::error, 0xFF6E73, 0xC4292E, 0xFF9C9C},      {&Theme::errorSoft, 0x341A1D, 0xFDECEC, 0x3D0A0A},
    {&Theme::chartCard, 0x18191D, 0xFFFFFF, 0x000000},  {&Theme::field, 0x121316, 0xFFFFFF, 0x000000},
    {&Theme::chosen, 0x32343B, 0xF1F2F5, 0x333333},     {&Theme::track, 0x32343B, 0xD9DBE1, 0x333333},
};
constexpr QRgb seriesRows[6][3] = {{0x4AA6F8, 0x004A8C, 0x7CC4FF}, {0xF09A4A, 0x9E3C00, 0xFFB066},
                                   {0x86E6C2, 0x0F855D, 0x86F0C6}, {0xF45BA8, 0xB83CBC, 0xFF8CC8},
                                   {0xF5EA6E, 0x946F06, 0xFFF27A}, {0xC9CFDD, 0x656A77, 0xFFFFFF}};
constexpr QRgb costRows[5][2] = {
    {0x24262B, 0xFFFFFF}, {0x4B3426, 0xFFF0D6}, {0x8C4C1F, 0xFFD08F}, {0xD9782B, 0xF49D45}, {0xFFC46B, 0xCB5A12}};
constexpr QRgb countRows[5][2] = {
    {0x1B1D22, 0xFFFFFF}, {0x1F3450, 0xD9E9F8}, {0x24588C, 0x98C4EA}, {0x3F8FCE, 0x4A90CF}, {0xA5DBFF, 0x0B4A86}};

struct Group {
  const char* name;
  QRgb dark, light;
};
const Group groups[] = {
    {"Input", 0x9AA7BA, 0x5B6B80},          {"Convolution", 0x6FA8FF, 0x2466CF}, {"Pooling", 0x3DC8BE, 0x0C7F79},
    {"Normalization", 0xD58BE2, 0x97409F},  {"Activation", 0xE8B44A, 0x98650F},  {"Linear", 0xF2946A, 0xB9502A},
    {"Regularization", 0xA6C66B, 0x55742A}, {"Shape", 0xC9AE8C, 0x7E6242},       {"Loss", 0xF283AE, 0xB92B66},
    {"Attention", 0xA9B2FA, 0x5A4FC4},
};

enum class Look { dark, light, contrast };

Theme make(Look look) {
  Theme t;
  t.dark = look != Look::light;
  t.highContrast = look == Look::contrast;
  for (const Row& row : rows)
    t.*row.member = QColor(look == Look::dark ? row.dark : look == Look::light ? row.light : row.contrast);
  for (int i = 0; i < 6; ++i) t.series[i] = QColor(seriesRows[i][static_cast<int>(look)]);
  for (int i = 0; i < 5; ++i) t.costRamp[i] = QColor(costRows[i][t.dark ? 0 : 1]);
  for (int i = 0; i < 5; ++i) t.countRamp[i] = QColor(countRows[i][t.dark ? 0 : 1]);
  return t;
}

QColor mixed(const QColor& over, const QColor& colour, double share) {
  const auto mix = [&](int a, int b) { return qRound(a * (1 - share) + b * share); };
  return QColor(mix(over.red(), colour.red()), mix(over.green(), colour.green()), mix(over.blue(), colour.blue()));
}

}  // namespace

Theme lightTheme() { return make(Look::light); }
Theme darkTheme() { return make(Look::dark); }
Theme contrastTheme() { return make(Look::contrast); }

QColor Theme::group(const QString& name) const {
  for (const Group& g : groups)
    if (name == QLatin1String(g.name)) return QColor(dark ? g.dark : g.light);
  return text3;
}

QColor Theme::tile(const QString& name) const {
  return mixed(raised, group(name), highContrast ? 0.06 : dark ? 0.17 : 0.13);
}

QColor Theme::ramp(const QColor (&stops)[5], double v) {
  if (!(v > 0)) return stops[0];
  if (v >= 1) return stops[4];
  const int i = static_cast<int>(v * 4);
  return mixed(stops[i], stops[i + 1], v * 4 - i);
}

QVector<qreal> seriesDash(int index) {
  static const QVector<qreal> dashes[6] = {{},    {5, 2.5}, {7, 2.5, 1.2, 2.5}, {1.4, 2.2}, {9, 2.5, 2, 2.5, 2, 2.5},
                                           {3, 2}};
  return dashes[((index % 6) + 6) % 6];
}

/// Steps of the golden section keep the hues of neighbouring numbers apart.
QColor categoryColour(int index) {
  const Theme& t = theme();
  if (index < 6) return t.series[std::max(index, 0)];
  const double turns = 0.618033988749895 * index;
  return QColor::fromHslF(static_cast<float>(turns - std::floor(turns)), index % 2 == 0 ? 0.62F : 0.42F,
                          t.dark ? 0.64F : 0.42F);
}

}  // namespace nw::ui
