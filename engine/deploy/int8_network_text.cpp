// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/int8_network_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/deploy/arena.hpp"
#include "engine/deploy/layers/c_layer.hpp"

namespace nw::deploy {
namespace {

using compress::int8::Extent;
using compress::int8::Network;
using compress::int8::Real;
using compress::int8::Remap;
using compress::int8::Step;
using nw::int8::Depthwise;
using nw::int8::Pair;
using nw::int8::Pool;
using nw::int8::Product;
using nw::int8::Rounding;

constexpr std::int64_t max_bytes = std::int64_t{1} << 30, alignment = 64;

std::string limits(const Rounding& r) { return fmt::format("{}, {}, {}", r.zero, r.least, r.most); }

class StepWriter {
 public:
  explicit StepWriter(const Network& network) : network_(network) {}

  Result<Int8Text> all() {
    if (!network_.real.empty())
      return fail(Errc::bad_input, NW_TR("{0} is computed in fp32, which the C library in 8 bits cannot"),
                  network_.real.front().layer.name);
    place();
    if (made_.arena > max_bytes)
      return fail(Errc::bad_input, NW_TR("The values of one image take {0} bytes, too much for a C library"),
                  made_.arena);
    made_.in = network_.values.front();
    made_.picture = pixel(0);
    made_.outputs = network_.outputs;
    made_.begin = border(0);
    for (const Step& s : network_.steps) add(s);
    if (network_.output >= 0) {
      made_.out = extent(network_.output);
      made_.result = pixel(network_.output);
    }
    return std::move(made_);
  }

 private:
  const Extent& extent(int v) const { return network_.values[static_cast<std::size_t>(v)]; }

  /// A value lives from the step that writes it first to the one that reads it last.
  void place() {
    std::vector<ArenaValue> values;
    for (const Extent& e : network_.values) values.push_back({e.bytes() + nw::int8::slack_bytes, -1, -1});
    values.front().first = 0;
    for (int s = 0; s < static_cast<int>(network_.steps.size()); ++s) {
      const Step& step = network_.steps[static_cast<std::size_t>(s)];
      for (const int v : step.inputs) values[static_cast<std::size_t>(v)].last = s;
      if (step.output < 0) continue;
      ArenaValue& out = values[static_cast<std::size_t>(step.output)];
      if (out.first < 0) out.first = s;
      out.last = std::max(out.last, s);
    }
    if (network_.output >= 0)
      values[static_cast<std::size_t>(network_.output)].last = static_cast<int>(network_.steps.size());
    for (ArenaValue& v : values) v.first = std::max(0, v.first), v.last = std::max(v.first, v.last);
    const Arena arena = plan_arena(values, alignment);
    places_ = arena.places;
    made_.arena = arena.size;
    written_.assign(network_.values.size(), false);
    written_.front() = true;
  }

  /// The first pixel, behind the border.
  std::int64_t pixel(int v) const {
    const Extent& e = extent(v);
    return places_[static_cast<std::size_t>(v)] + e.border * (e.row() + e.channels);
  }
  /// Fills a value with its zero point, where a convolution reads its border.
  std::string border(int v) const {
    const Extent& e = extent(v);
    return e.border == 0 ? std::string()
                         : fmt::format("  memset(a + {}, {}, {});\n", places_[static_cast<std::size_t>(v)], int{e.zero},
                                       e.bytes());
  }
  std::string offsets(const std::vector<std::int64_t>& all) const {
    return fmt::format("    static const int offsets[] = {{{}}};\n", fmt::join(all, ", "));
  }

  struct Places {
    std::int64_t weights, constants;
  };
  Places add_constants(const nw::int8::Constants& c) {
    const Places at{std::ssize(made_.weights), std::ssize(made_.factor)};
    made_.weights.insert(made_.weights.end(), c.weights.begin(), c.weights.end());
    made_.bias.insert(made_.bias.end(), c.bias.begin(), c.bias.end());
    made_.factor.insert(made_.factor.end(), c.factor.begin(), c.factor.end());
    return at;
  }

  void add(const Step& s) {
    if (s.output >= 0 && !written_[static_cast<std::size_t>(s.output)]) {
      made_.statements += border(s.output);
      written_[static_cast<std::size_t>(s.output)] = true;
    }
    made_.statements += "  {\n" + std::visit([&](const auto& what) { return text(s, what); }, s.what) + "  }\n";
  }

  /// What a product and a depthwise convolution have in common.
  std::string product(const Step& s, std::int64_t step_y, std::int64_t step_x, std::int64_t outputs, std::int64_t runs,
                      std::int64_t run, const Rounding& r, const Places& at) const {
    const Extent out = s.output >= 0 ? extent(s.output) : Extent{.height = 1, .width = 1, .channels = outputs};
    return fmt::format("    static const nw_product p = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};\n",
                       out.height, out.width, step_y, step_x, out.row(), out.channels, outputs, runs, run, limits(r),
                       at.weights, at.constants);
  }

  std::string text(const Step& s, const Product& p) {
    const Places at = add_constants(*p.constants);
    const std::string call = s.output >= 0 ? fmt::format("nw_multiply(&p, offsets, a + {}, a + {})", pixel(s.inputs[0]),
                                                         pixel(s.output) + p.first_output)
                                           : fmt::format("nw_score(&p, offsets, a + {}, scores)", pixel(s.inputs[0]));
    return offsets(p.runs) +
           product(s, p.step_y, p.step_x, p.outputs, std::ssize(p.runs), nw::int8::padded_run(p.run), p.rounding, at) +
           "    " + call + ";\n";
  }
  std::string text(const Step& s, const Depthwise& d) {
    const Places at = add_constants(*d.constants);
    return offsets(d.taps) +
           product(s, d.step_y, d.step_x, extent(s.output).channels, std::ssize(d.taps), 1, d.rounding, at) +
           fmt::format("    nw_depthwise(&p, offsets, a + {}, a + {});\n", pixel(s.inputs[0]), pixel(s.output));
  }
  std::string text(const Step& s, const Pool& p) const {
    const Extent &in = extent(s.inputs[0]), &out = extent(s.output);
    return fmt::format(
        "    static const nw_window p = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};\n"
        "    nw_pool_{}(&p, a + {}, a + {});\n",
        in.height, in.width, in.row(), in.channels, out.height, out.width, out.row(), p.kernel_y, p.kernel_x,
        p.stride_y, p.stride_x, p.padding_y, p.padding_x, p.counts_padding ? 1 : 0, p.zero, limits(p.rounding),
        c_float(p.factor), p.mean ? "mean" : "max", pixel(s.inputs[0]), pixel(s.output));
  }
  std::string text(const Step& s, const Pair& p) const {
    const Extent &a = extent(s.inputs[0]), &b = extent(s.inputs[1]), &out = extent(s.output);
    const bool one = b.height * b.width == 1 && out.height * out.width > 1;
    return fmt::format(
        "    static const nw_two p = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};\n"
        "    nw_pair(&p, a + {}, a + {}, a + {});\n",
        out.height, out.width, out.channels, a.row(), b.row(), out.row(), one ? 1 : 0, p.multiplies ? 1 : 0, p.zero_a,
        p.zero_b, limits(p.rounding), c_float(p.factor_a), c_float(p.factor_b), pixel(s.inputs[0]), pixel(s.inputs[1]),
        pixel(s.output));
  }
  std::string text(const Step& s, const Remap& r) const {
    const Extent &in = extent(s.inputs[0]), &out = extent(s.output);
    return fmt::format(
        "    static const uint8_t table[256] = {{{}}};\n"
        "    nw_look_up(table, {}, {}, {}, {}, {}, {}, a + {}, a + {});\n",
        fmt::join(std::vector<int>(r.table.begin(), r.table.end()), ","), in.height, in.width, in.channels, in.row(),
        out.row(), out.channels, pixel(s.inputs[0]), pixel(s.output) + r.first_channel);
  }
  std::string text(const Step&, const Real&) const { return ""; }

  const Network& network_;
  Int8Text made_;
  std::vector<std::int64_t> places_;
  std::vector<bool> written_;  // of the values
};

}  // namespace

Result<Int8Text> int8_text(const Network& network) { return StepWriter(network).all(); }

}  // namespace nw::deploy
