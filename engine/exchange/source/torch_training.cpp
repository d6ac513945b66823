// SPDX-License-Identifier: Apache-2.0
// The training loop of a PyTorch file, with the project's settings, and its main function.
#include <fmt/format.h>

#include <algorithm>

#include "engine/exchange/source/settings_source.hpp"
#include "engine/exchange/source/source_names.hpp"
#include "engine/exchange/source/torch_training_text.hpp"
#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

struct LossSource {
  std::string_view loss, function, probabilities, right, figure, help;
};
const LossSource losses[] = {
    {"CrossEntropy",
     "return nn.functional.cross_entropy(outputs, targets.long() if targets.dim() == 1 else targets{0})",
     "model(normalize(pixels, mean, deviation)).softmax(1)", "(outputs.argmax(1) == targets).sum().item()", "accuracy",
     "the share of right classes"},
    {"BCE", "return nn.functional.binary_cross_entropy(outputs.float(), targets.reshape(outputs.shape).float())",
     "model(normalize(pixels, mean, deviation))",
     "((outputs > 0.5) == (targets.reshape(outputs.shape) > 0.5)).float().mean(1).sum().item()", "accuracy",
     "the share of right answers"},
    {"BCEWithLogits",
     "return nn.functional.binary_cross_entropy_with_logits(outputs, targets.reshape(outputs.shape).float(){0})",
     "model(normalize(pixels, mean, deviation)).sigmoid()",
     "((outputs > 0) == (targets.reshape(outputs.shape) > 0.5)).float().mean(1).sum().item()", "accuracy",
     "the share of right answers"},
    {"MSE", "return nn.functional.mse_loss(outputs, targets.reshape(outputs.shape).float())",
     "model(normalize(pixels, mean, deviation))",
     "(outputs - targets.reshape(outputs.shape)).abs().mean(1).sum().item()", "mean error",
     "the mean distance from the targets"},
};

const LossSource& loss_source(const FlatNetwork& flat) {
  for (const LossSource& l : losses)
    if (l.loss == flat.loss->name) return l;
  return losses[3];
}

class TrainingWriter {
 public:
  TrainingWriter(const SourceFile& file, PythonLines& out)
      : file_(file), out_(out), s_(file.source.doc.settings()), optimizer_(chosen(s_)) {}

  void write() {
    constants();
    part(with_marks(torch_preprocessing, {{"NETWORK", file_.network.main.name}}));
    part(torch_samples);
    part(with_marks(data_reader(file_.source.doc.data()), {}));
    const auto lines = augmentation_lines(s_, file_.network.main.input[2], file_.network.main.input[3]);
    if (!lines.empty()) part(with_marks(torch_augmented, {{"TRANSFORMS", broken(lines)}}));
    const bool mixes = !mixing_rows(s_).empty();
    if (mixes)
      part(with_marks(torch_mixing, {{"ONE_HOT", classes() ? "nn.functional.one_hot(targets.long(), " +
                                                                 std::to_string(outputs()) + ").float()"
                                                           : "targets.float()"}}));
    loss();
    groups();
    if (!frozen_.empty()) part(torch_freezing);
    if (penalized()) part(with_marks(torch_penalties, {{"L2", optimizer_.decoupled ? "L2" : "0"}}));
    if (!optimizer_.helper.empty()) part(optimizer_.helper);
    schedule();
    train_loop(!lines.empty(), mixes);
    part(with_marks(torch_main_function, {{"NETWORK", file_.network.main.name},
                                          {"DATA_HELP", std::string(data_help(file_.source.doc.data()))},
                                          {"PROBABILITIES", std::string(loss_source(file_.flat).probabilities)}}));
  }

 private:
  static const OptimizerSource& chosen(const TrainSettings& s) {
    const OptimizerSource* o = optimizer_source(s.optimizer.name());
    return o ? *o : optimizer_sources().front();
  }

  void part(std::string_view text) {
    out_.space(2);
    out_.text(0, text);
  }

  static std::string broken(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n            " + line + ",";
    return text + "\n        ";
  }

  bool classes() const { return file_.flat.loss->name == "CrossEntropy"; }
  std::int64_t outputs() const { return file_.flat.layers[static_cast<std::size_t>(file_.flat.output)].shape[1]; }
  bool by_name() const { return !s_.decay_bias_and_norm || !scales_.empty(); }
  bool penalized() const { return s_.l1 > 0 || (s_.l2 > 0 && optimizer_.decoupled); }
  bool odd() const { return file_.source.doc.data().target == "odd"; }

  /// Layers with a learning rate of their own; those below them in the order of names come before them.
  void find_scales() {
    const auto& all = file_.flat.layers;
    for (const FlatLayer& l : all) {
      const bool below = std::any_of(all.begin(), all.end(), [&](const FlatLayer& o) {
        return o.lr_scale != 1 && l.name.starts_with(o.name + ".");
      });
      if (!l.weights.empty() && (l.lr_scale != 1 || below)) scales_.push_back(&l);
    }
    std::stable_sort(scales_.begin(), scales_.end(),
                     [](const FlatLayer* a, const FlatLayer* b) { return a->name.size() > b->name.size(); });
  }

  /// Epochs in which a layer is not trained, and in which no layer before it is.
  void find_frozen() {
    const auto& all = file_.flat.layers;
    std::vector<std::int64_t> untrained(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t own = all[i].frozen ? s_.epochs : std::min(all[i].frozen_epochs, s_.epochs);
      std::int64_t before = s_.epochs;
      for (const int from : all[i].inputs) before = std::min(before, untrained[static_cast<std::size_t>(from)]);
      const bool learns =
          std::any_of(all[i].weights.begin(), all[i].weights.end(), [](const Weight& w) { return !w.buffer; });
      untrained[i] = learns ? std::min(before, own) : before;
      const bool in_tree = static_cast<int>(i) != file_.flat.input && has_object(all[i]);
      if (own > 0 && in_tree)
        frozen_.push_back(fmt::format("({}, {}, {})", python_string(all[i].name), own, std::min(own, before)));
    }
  }

  static bool has_object(const FlatLayer& l) {
    const LayerRecord* r = layer_record(SourceLanguage::pytorch, l.type->name);
    return r && !r->write(l).maker.empty();
  }

  void constants() {
    find_scales();
    find_frozen();
    out_.space(2);
    const auto number = [&](const char* name, double v) { out_.add(0, std::string(name) + " = " + python_number(v)); };
    const auto whole = [&](const char* name, std::int64_t v) {
      out_.add(0, std::string(name) + " = " + python_number(v));
    };
    out_.add(0, "# The project's settings of the training.");
    for (const std::string& line : left_out_of(s_)) out_.add(0, line);
    whole("EPOCHS", s_.epochs);
    whole("BATCH_SIZE", s_.samples_per_update());
    number("LEARNING_RATE", s_.learning_rate);
    number("WARMUP_EPOCHS", s_.warmup_epochs);
    if (s_.schedule == ScheduleKind::step) whole("STEP_EPOCHS", s_.step_epochs), number("STEP_GAMMA", s_.step_gamma);
    for (const auto& [name, value] : schedule_constants(s_)) number(name, value);
    number("L1", s_.l1);
    number("L2", s_.l2);
    if (s_.clip_value > 0) number("CLIP_VALUE", s_.clip_value);
    if (s_.clip_norm > 0) number("CLIP_NORM", s_.clip_norm);
    whole("EARLY_STOPPING_EPOCHS", s_.early_stopping_epochs);
    out_.add(0, "SEED = " + std::to_string(s_.seed % 4294967296U));
    if (by_name()) {
      out_.add(0, "DECAY_BIAS_AND_NORM = " + python_bool(s_.decay_bias_and_norm));
      PythonCode list{"LR_SCALE = [", {}, "]"};
      for (const FlatLayer* l : scales_)
        list.parts.push_back(code("(" + python_string(l->name) + ", " + python_number(l->lr_scale) + ")"));
      out_.code(0, "", list);
    }
    listed("FROZEN = [", frozen_);
    listed("MIXING = [", mixing_rows(s_));
  }

  void listed(const char* open, const std::vector<std::string>& rows) {
    PythonCode list{open, {}, "]"};
    for (const std::string& row : rows) list.parts.push_back(code(row));
    if (!rows.empty()) out_.code(0, "", list);
  }

  /// The argument of the loss's weights, where they are a list: ", weight=outputs.new_tensor([1.0, 2.0])".
  std::string weights() const {
    const std::vector<double> list = listed_weights_of(file_.flat.loss_attrs);
    if (list.empty()) return "";
    std::string numbers;
    for (const double w : list) numbers += (numbers.empty() ? "" : ", ") + python_number(w);
    return std::string(classes() ? ", weight" : ", pos_weight") + "=outputs.new_tensor([" + numbers + "])";
  }

  void loss() {
    out_.space(2);
    out_.add(0, "def loss_of(outputs, targets):");
    std::string text(loss_source(file_.flat).function);
    const double smoothing = classes() ? file_.flat.loss_attrs.real("label_smoothing") : 0;
    const std::string extra = weights() + (smoothing > 0 ? ", label_smoothing=" + python_number(smoothing) : "");
    const std::size_t at = text.find("{0}");
    for (const std::string& line : left_out_of_loss(file_.flat.loss_attrs, at != std::string::npos)) out_.add(1, line);
    if (at != std::string::npos) text.replace(at, 3, extra);
    out_.add(1, text);
  }

  void groups() {
    const bool decay = s_.l2 > 0 && !optimizer_.decoupled;
    // A decoupled decay is the optimizer's argument; of weights that do not decay it is 0.
    const double own = optimizer_.decoupled ? s_.optimizer.value("weight_decay") : 0;
    const std::string by_group = decay     ? ", \"weight_decay\": L2 if decay else 0.0"
                                 : own > 0 ? ", \"weight_decay\": " + python_number(own) + " if decay else 0.0"
                                           : "";
    if (by_name())
      part(with_marks(torch_groups_by_name, {{"GROUP_DECAY", by_group}}));
    else
      part(with_marks(torch_groups_plain, {{"DECAY", decay ? ", \"weight_decay\": L2" : ""}}));
  }

  void schedule() {
    std::string text;
    switch (s_.schedule) {
      case ScheduleKind::constant:
        text = "    return LEARNING_RATE";
        break;
      case ScheduleKind::step:
        text = "    return LEARNING_RATE * STEP_GAMMA ** (step // steps_per_epoch // STEP_EPOCHS)";
        break;
      case ScheduleKind::cosine:
        text =
            "    done = min(1.0, (step - warmup) / max(1, epochs * steps_per_epoch - warmup))\n"
            "    span = LEARNING_RATE - LOWEST_LEARNING_RATE\n"
            "    return LOWEST_LEARNING_RATE + span * (1 + math.cos(math.pi * done)) / 2";
        break;
      case ScheduleKind::polynomial:
        text =
            "    done = min(1.0, (step - warmup) / max(1, epochs * steps_per_epoch - warmup))\n"
            "    return LOWEST_LEARNING_RATE + (LEARNING_RATE - LOWEST_LEARNING_RATE) * (1 - done) ** POWER";
        break;
      case ScheduleKind::one_cycle:
        text =
            "    last = max(1, epochs * steps_per_epoch - warmup) - 1\n"
            "    top = PCT_START * (last + 1) - 1\n"
            "    first, at = LEARNING_RATE / DIV_FACTOR, min(step - warmup, last)\n"
            "    if at <= top:\n"
            "        return LEARNING_RATE + (first - LEARNING_RATE) * (1 + math.cos(math.pi * at / max(top, 1e-9))) / "
            "2\n"
            "    end, done = first / FINAL_DIV_FACTOR, (at - max(0.0, top)) / max(1e-9, last - max(0.0, top))\n"
            "    return end + (LEARNING_RATE - end) * (1 + math.cos(math.pi * done)) / 2";
        break;
      case ScheduleKind::cosine_restarts:
        text =
            "    at, period = step - warmup, RESTART_EPOCHS * steps_per_epoch\n"
            "    while at >= period:\n"
            "        at, period = at - period, period * RESTART_FACTOR\n"
            "    span = LEARNING_RATE - LOWEST_LEARNING_RATE\n"
            "    return LOWEST_LEARNING_RATE + span * (1 + math.cos(math.pi * at / period)) / 2";
        break;
      case ScheduleKind::plateau:
        text = "    return LEARNING_RATE  # the project lowers it where validation stalls";
        break;
    }
    part(with_marks(torch_rate, {{"SCHEDULE", text}}));
  }

  void train_loop(bool changes, bool mixes) {
    const LossSource& l = loss_source(file_.flat);
    const std::string twelve(12, ' ');
    const bool half = s_.precision == DType::f16, bf16 = s_.precision == DType::bf16;
    std::string step = twelve + (half ? "scaler.scale(value).backward()\n" + twelve + "scaler.unscale_(optimizer)\n"
                                      : std::string("value.backward()\n"));
    if (s_.clip_value > 0) step += twelve + "nn.utils.clip_grad_value_(model.parameters(), CLIP_VALUE)\n";
    if (s_.clip_norm > 0) step += twelve + "nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM)\n";
    if (penalized()) step += twelve + "add_penalties(optimizer)\n";
    step += twelve + (half ? "scaler.step(optimizer)\n" + twelve + "scaler.update()" : std::string("optimizer.step()"));
    part(with_marks(
        torch_loop,
        {{"NORMALIZATION",
          file_.source.mean.empty() && file_.source.doc.data().normalize ? "measured(training)" : "MEAN, DEVIATION"},
         {"TRAINING", changes ? "Augmented(training)" : "training"},
         {"OPTIMIZER", filled(optimizer_.torch, s_.optimizer)},
         {"SCALER", half ? "    scaler = torch.amp.GradScaler(torch.device(device).type)\n" : ""},
         {"FREEZE", frozen_.empty() ? "" : "        freeze(model, epoch)\n"},
         {"MIX", std::string(odd() ? twelve + "targets = targets % 2\n" : "") +
                     (mixes ? twelve + "images, targets = mix(images, targets)\n" : "")},
         {"PRECISION", half   ? "torch.float16"
                       : bf16 ? "torch.bfloat16"
                              : "enabled=False"},
         {"STEP", step},
         {"ODD", odd() ? " % 2" : ""},
         {"FIGURE_HELP", std::string(l.help)},
         {"FIGURE", std::string(l.figure)},
         {"RIGHT", std::string(l.right)}}));
  }

  const SourceFile& file_;
  PythonLines& out_;
  const TrainSettings& s_;
  const OptimizerSource& optimizer_;
  std::vector<const FlatLayer*> scales_;
  std::vector<std::string> frozen_;
};

}  // namespace

void add_torch_training(PythonLines& out, const SourceFile& f) { TrainingWriter(f, out).write(); }

std::string torch_loss_name(std::string_view loss) {
  constexpr std::string_view before = "return ";
  for (const LossSource& l : losses)
    if (l.loss == loss) return std::string(l.function.substr(before.size(), l.function.find('(') - before.size()));
  return {};
}

}  // namespace nw::exchange
