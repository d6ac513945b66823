// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/hostile_texts.hpp"

#include <iterator>

namespace nw::ui {

QString hostileText(std::uint32_t n) {
  static const char* const rows[] = {
      "1",
      "0",
      "7",
      "-5",
      "2",
      "0.5",
      "1e99",
      "-1e-99",
      "nan",
      "inf",
      "999999999999999999999",
      "0x10",
      "3*width",
      "width/0",
      "relu",
      "conv",
      "linear 10",
      "conv2d out_channels=-1",
      "no such layer",
      "<b>bold</b>",
      "<img src=x onerror=1>",
      "%1 %n {0}",
      "../../etc",
      "a/b\\c:d*e?",
      "\"'`;|&$()",
      "名字 层",
      "שלום",
      "e\xCC\x81\xCC\x81\xCC\x81",
      "😀👩‍👩‍👧",
      "\xE2\x80\xAEright to left",
      "     ",
      "",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "conv1",
      "input",
      "all",
      "1,2,3",
      "3x3",
      "cpu,cpu",
      "cuda:99",
  };
  return QString::fromUtf8(rows[n % std::size(rows)]);
}

}  // namespace nw::ui
