// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <numeric>

#include "app/cli/cli.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/predict/predictor.hpp"

namespace nw::cli {
namespace {

struct PredictOptions {
  std::string run, checkpoint = "best";
  std::vector<std::string> images;
  bool json = false;
};

constexpr std::uint64_t image_limit = std::uint64_t{256} << 20;

std::string class_name(const RunDefinition& d, std::size_t c) {
  return c < d.classes.size() ? d.classes[c] : std::to_string(c);
}

Result<Prediction> predict_file(Predictor& predictor, const ImageDecoder& decoder, const std::string& file) {
  const RunDefinition& d = predictor.definition();
  NW_ASSIGN(const std::string bytes, read_file(file, image_limit));
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const Resampling how = resampling_named(d.doc.data().resize).value_or(Resampling::antialiased);
  NW_ASSIGN(const auto image, decoder.decode({data, bytes.size()}, file, d.channels, d.height, d.width, how));
  NW_ASSIGN(auto all, predictor.predict(image.hwc, 1));
  return std::move(all.front());
}

void show_values(const PredictOptions& o, const RunDefinition& d, const std::string& file,
                 const std::vector<float>& values) {
  if (o.json)
    return print(Json{{"file", file}, {"values", values}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string line = file + ":";
  for (std::size_t k = 0; k < values.size(); ++k)
    line += fmt::format("{} {} {:.4g}", k == 0 ? "" : ",", class_name(d, k), values[k]);
  print(line);
}

void show(const PredictOptions& o, const RunDefinition& d, const std::string& file, const Prediction& p) {
  if (target_kind(d.doc.data()) == TargetKind::values) return show_values(o, d, file, p.probability);
  if (o.json) {
    print(Json{{"file", file},
               {"predicted", p.predicted},
               {"class", class_name(d, static_cast<std::size_t>(p.predicted))},
               {"confidence", p.confidence},
               {"probability", p.probability}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
    return;
  }
  std::vector<std::size_t> order(p.probability.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p.probability[a] > p.probability[b]; });
  std::string line = fmt::format("{}: {} ({})", file, class_name(d, static_cast<std::size_t>(p.predicted)),
                                 percent(static_cast<double>(p.confidence)));
  for (std::size_t i = 1; i < std::min<std::size_t>(order.size(), 3); ++i)
    line += fmt::format(", {} ({})", class_name(d, order[i]), percent(static_cast<double>(p.probability[order[i]])));
  print(line);
}

int predict(const PredictOptions& o) {
  const auto decoder = image_decoder();
  if (!decoder) return report(decoder.error());
  if (!*decoder) return report(fail(Errc::other, NW_TR("the module that reads images is not installed")));
  auto predictor = Predictor::open(o.run, o.checkpoint);
  if (!predictor) return report(predictor.error());
  int code = 0;
  for (const std::string& file : o.images) {
    const auto p = predict_file(**predictor, **decoder, file);
    if (p && p->finite)
      show(o, (*predictor)->definition(), file, *p);
    else
      code =
          report(p ? fail(Errc::not_finite,
                          NW_TR("{0}: the network computes numbers that are not finite: its training diverged"), file)
                   : p.error());
  }
  return code;
}

}  // namespace

void add_predict(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("predict", "Say what images show");
  auto o = std::make_shared<PredictOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("IMAGE", o->images, "PNG, JPEG, BMP, WebP or TIFF files; they are resized to the network's input")
      ->required();
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or a checkpoint's name");
  command->add_flag("--json", o->json, "Print JSON lines with all probabilities");
  command->footer("Example: netwright-cli predict RUN_DIR digit.png photo.jpg");
  command->callback([=, &chosen] { chosen = [o] { return predict(*o); }; });
}

}  // namespace nw::cli
