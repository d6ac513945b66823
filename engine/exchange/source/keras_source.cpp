// SPDX-License-Identifier: Apache-2.0
// A network in Keras' functional form: a function for each block, and build_model().
#include <fmt/format.h>

#include <algorithm>

#include "engine/exchange/source/settings_source.hpp"
#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

/// Keras forbids "/" in names, and PyTorch as its backend "."; our names have no "-".
std::string keras_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

class FunctionWriter {
 public:
  explicit FunctionWriter(const SourceScope& scope) : scope_(scope) {
    std::set<std::string> reserved = reserved_names(SourceLanguage::keras);
    reserved.insert(scope.parameters.begin(), scope.parameters.end());
    for (const SourceItem& i : scope.items) steps_.push_back({i.inputs, i.outputs, i.name});
    names_ = variables_of(steps_, scope.inputs, scope.outputs, std::move(reserved));
  }

  void block(PythonLines& out) {
    PythonCode head{"def " + scope_.name + "(", {}, "):"};
    for (int i = 0; i < scope_.inputs; ++i) head.parts.push_back(code(variable(i)));
    head.parts.push_back(code("name"));
    for (const std::string& p : scope_.parameters) head.parts.push_back(code(p));
    out.space(2);
    out.code(0, "", head);
    out.add(1, "\"\"\"The block " + python_escaped(scope_.block) + ".\"\"\"");
    body(out, true);
    out.add(1, "return " + listed(scope_.outputs));
  }

  void network(PythonLines& out, const std::string& input) {
    out.space(2);
    out.add(0, "def build_model():");
    out.add(1, "\"\"\"Takes normalized images (N, height, width, channels).\"\"\"");
    const std::string first = variable(0);
    out.add(1, "channels, height, width = IMAGE_SHAPE");
    out.add(1, (first == "inputs" ? "" : first + " = ") +
                   "inputs = keras.Input((height, width, channels), name=" + python_string(keras_name(input)) + ")");
    body(out, false);
    out.add(1, "return keras.Model(inputs, " + listed(scope_.outputs) + ")");
  }

 private:
  std::string variable(int value) const { return names_[static_cast<std::size_t>(value)]; }

  std::string listed(const std::vector<int>& values) const {
    std::string text;
    for (const int v : values) text += (text.empty() ? "" : ", ") + variable(v);
    return text;
  }

  std::string name_text(const std::string& name, bool inner) const {
    return inner ? "f" + python_string("{name}-" + keras_name(name)) : python_string(keras_name(name));
  }

  void body(PythonLines& out, bool inner) {
    for (std::size_t k = 0; k < scope_.items.size();) {
      const std::size_t n = repeats(k);
      if (n > 1)
        loop(out, k, n, inner);
      else
        line(out, k, inner);
      k += n;
    }
  }

  PythonCode call_of_block(const SourceItem& i, const std::string& name) const {
    PythonCode call{i.call.maker + "(", {}, ")"};
    for (const int v : i.inputs) call.parts.push_back(code(variable(v)));
    call.parts.push_back(code(name));
    for (const SourceArgument& a : i.call.arguments) call.parts.push_back(code(a.name + "=" + a.text));
    return call;
  }

  void line(PythonLines& out, std::size_t k, bool inner) {
    const SourceItem& i = scope_.items[k];
    const std::string to = listed(i.outputs) + " = ", name = name_text(i.name, inner);
    if (i.class_of >= 0) return out.code(1, to, call_of_block(i, name));
    PythonCode made = call_code(i.call, "name=" + name);
    std::vector<std::string> in;
    for (const int v : i.inputs) in.push_back(variable(v));
    made.close += applied_text(LayerSource{i.call}.applied(i.call.apply.substr(std::string("{self}").size())), "", in);
    out.code(1, to, made);
  }

  /// Instances of one function in a row, with equal arguments and consecutive numbers as names.
  std::size_t repeats(std::size_t k) const {
    const auto item = [&](std::size_t i) -> const SourceItem& { return scope_.items[i]; };
    const auto loops = [&](std::size_t i) {
      return item(i).class_of >= 0 && item(i).inputs.size() == 1 && item(i).outputs.size() == 1 &&
             variable(item(i).inputs.front()) == "x" && variable(item(i).outputs.front()) == "x";
    };
    std::size_t n = 1;
    if (!loops(k)) return n;
    while (k + n < scope_.items.size() && loops(k + n) && same_call(item(k).call, item(k + n).call) &&
           item(k + n).inputs == item(k + n - 1).outputs && follows(item(k + n - 1).name, item(k + n).name))
      ++n;
    return n;
  }

  static bool same_call(const LayerSource& a, const LayerSource& b) {
    return a.maker == b.maker &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                      [](const SourceArgument& x, const SourceArgument& y) { return x.text == y.text; });
  }

  static bool follows(const std::string& a, const std::string& b) {
    const auto [x, from] = numbered_name(a);
    const auto [y, to] = numbered_name(b);
    return x == y && from >= 0 && to == from + 1;
  }

  void loop(PythonLines& out, std::size_t k, std::size_t n, bool inner) {
    const SourceItem& i = scope_.items[k];
    const auto [prefix, first] = numbered_name(i.name);
    const std::string end = std::to_string(first + static_cast<std::int64_t>(n));
    out.add(1, "for i in range(" + (first == 0 ? end : std::to_string(first) + ", " + end) + "):");
    const std::string name = "f" + python_string((inner ? "{name}-" : "") + keras_name(prefix) + "{i}");
    out.code(2, "x = ", call_of_block(i, name));
  }

  const SourceScope& scope_;
  std::vector<SourceStep> steps_;
  std::vector<std::string> names_;
};

constexpr std::string_view keras_functions = R"PY(
def converted(layer, tensors):
    """PyTorch's weights of a layer in Keras' order and layout."""
    if hasattr(layer, "from_torch"):
        return layer.from_torch(tensors)
    weight, bias = tensors["weight"], tensors.get("bias")
    if isinstance(layer, layers.BatchNormalization):
        return [weight, bias, tensors["running_mean"], tensors["running_var"]]
    if isinstance(layer, layers.Conv2D):
        weight = weight.transpose(2, 3, 1, 0)  # (out, in, height, width)
    elif isinstance(layer, layers.Dense):
        weight = weight.transpose()  # (out, in)
    elif isinstance(layer, layers.PReLU):
        weight = weight.reshape(layer.weights[0].shape)
    elif weight.ndim == 3:  # a norm over channels, rows and columns
        weight, bias = weight.transpose(1, 2, 0), bias.transpose(1, 2, 0)
    return [weight] if bias is None else [weight, bias]


def load_weights(model, file=WEIGHTS):
    """Puts the weights of a safetensors file into the layers of their names; all of both must fit."""
    check_weights(file)
    owners = {layer.name.replace("-", "."): layer for layer in model.layers if layer.weights}
    tensors = {name: {} for name in owners}
    for key, value in load_file(file).items():
        owner, rest = key, ""
        while owner and owner not in owners:
            owner, _, part = owner.rpartition(".")
            rest = f"{part}.{rest}" if rest else part
        if rest == "num_batches_tracked":
            continue
        if not owner and owner not in owners:
            raise ValueError(f"no layer has the weight {key}")
        tensors[owner][rest] = value
    for name, layer in owners.items():
        layer.set_weights(converted(layer, tensors[name]))


def load_model(file=WEIGHTS):
    """The network with the weights of a safetensors file."""
    model = build_model()
    load_weights(model, file)
    return model


def normalize(pixels):
    """Pixels from 0 to 255, (N, H, W, C), as the network takes them."""
    return ((pixels.astype("float32") / 255 - MEAN) / DEVIATION).astype("float32")


def read_image(file):
    """The pixels of an image file, (H, W, C), resized to the network's size."""
    channels, height, width = IMAGE_SHAPE
    if str(file).endswith(".npy"):
        return np.load(file, allow_pickle=False).reshape(height, width, channels)
    image = Image.open(file).convert("L" if channels == 1 else "RGB")
    pixels = np.asarray(image.resize((width, height), Image.Resampling.BILINEAR))
    return pixels.reshape(height, width, channels)
)PY";

constexpr std::string_view keras_training = R"PY(
class Schedule(keras.optimizers.schedules.LearningRateSchedule):
    """The learning rate of each update, counted from 0."""

    def __init__(self, steps_per_epoch):
        self.steps_per_epoch = max(1, steps_per_epoch)

    def __call__(self, step):
        step = ops.cast(step, "float32")
        warmup = round(WARMUP_EPOCHS * self.steps_per_epoch)
@SCHEDULE@
        rising = LEARNING_RATE * (step + 1) / max(1, warmup)
        return ops.where(step < warmup, rising, rate)

    def get_config(self):
        return {"steps_per_epoch": self.steps_per_epoch}


def compile_model(model, steps_per_epoch):
    """Sets the optimizer and the loss of the project."""
    rate = Schedule(steps_per_epoch)
    optimizer = @OPTIMIZER@
    loss = @LOSS@
    model.compile(optimizer=optimizer, loss=loss, metrics=@METRICS@)
    return model


def main():
    parser = argparse.ArgumentParser(description="Predicts images with the network, or trains it.")
    parser.add_argument("images", nargs="*", help="image files to predict")
    parser.add_argument("--weights", default=WEIGHTS, help="safetensors file")
    parser.add_argument("--train", metavar="FILE", help=".npz file with images (N, H, W, C) of bytes, and targets")
    parser.add_argument("--from-scratch", action="store_true", help="train from new weights")
    parser.add_argument("--output", default="trained.weights.h5", help="weights that --train writes, Keras' own")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    chosen = parser.parse_args()
    keras.utils.set_random_seed(SEED)
    model = build_model() if chosen.train and chosen.from_scratch else load_model(chosen.weights)
    if chosen.train:
        arrays = np.load(chosen.train, allow_pickle=False)
        images, targets = normalize(arrays["images"]), arrays["targets"]
        compile_model(model, -(-len(images) * 9 // 10 // BATCH_SIZE))
        model.fit(images, targets, BATCH_SIZE, chosen.epochs, validation_split=0.1, verbose=2)
        model.save_weights(chosen.output)
        print(f"wrote {chosen.output}")
    for file in chosen.images:
        outputs = ops.convert_to_numpy(@PROBABILITIES@)[0]
        ranked = np.argsort(-outputs)[:5]
        names = [CLASSES[k] if k < len(CLASSES) else str(k) for k in ranked]
        print(file, *[f"{name}: {outputs[k]:.4f}" for name, k in zip(names, ranked)], sep="\n  ")


if __name__ == "__main__":
    main()
)PY";

struct KerasLoss {
  std::string_view loss, text, metrics, probabilities;
};
const KerasLoss keras_losses[] = {
    {"CrossEntropy", "keras.losses.SparseCategoricalCrossentropy(from_logits=True)", "[\"accuracy\"]",
     "ops.softmax(model(normalize(read_image(file)[None])))"},
    {"BCE", "keras.losses.BinaryCrossentropy()", "[\"binary_accuracy\"]", "model(normalize(read_image(file)[None]))"},
    {"BCEWithLogits", "keras.losses.BinaryCrossentropy(from_logits=True)",
     "[keras.metrics.BinaryAccuracy(threshold=0.0)]", "ops.sigmoid(model(normalize(read_image(file)[None])))"},
    {"MSE", "keras.losses.MeanSquaredError()", "[\"mean_absolute_error\"]", "model(normalize(read_image(file)[None]))"},
};

const KerasLoss& keras_loss(const SourceFile& f) {
  for (const KerasLoss& l : keras_losses)
    if (l.loss == f.flat.loss->name) return l;
  return keras_losses[3];
}

std::string schedule_lines(const TrainSettings& s) {
  switch (s.schedule) {
    case ScheduleKind::constant:
      return "        rate = LEARNING_RATE";
    case ScheduleKind::step:
      return "        epochs = ops.floor(step / self.steps_per_epoch)\n"
             "        rate = LEARNING_RATE * STEP_GAMMA ** ops.floor(epochs / STEP_EPOCHS)";
    case ScheduleKind::cosine:
      return "        span = max(1, EPOCHS * self.steps_per_epoch - warmup)\n"
             "        done = ops.clip((step - warmup) / span, 0.0, 1.0)\n"
             "        rate = LOWEST_LEARNING_RATE + (LEARNING_RATE - LOWEST_LEARNING_RATE) * (\n"
             "            1 + ops.cos(math.pi * done)) / 2";
    case ScheduleKind::polynomial:
      return "        span = max(1, EPOCHS * self.steps_per_epoch - warmup)\n"
             "        done = ops.clip((step - warmup) / span, 0.0, 1.0)\n"
             "        rate = LOWEST_LEARNING_RATE + (LEARNING_RATE - LOWEST_LEARNING_RATE) * (1 - done) ** POWER";
    case ScheduleKind::one_cycle:
      return "        last = max(1, EPOCHS * self.steps_per_epoch - warmup) - 1\n"
             "        top, first = PCT_START * (last + 1) - 1, LEARNING_RATE / DIV_FACTOR\n"
             "        at, end = ops.minimum(step - warmup, last), first / FINAL_DIV_FACTOR\n"
             "        rise, done = at / max(top, 1e-9), (at - max(0.0, top)) / max(1e-9, last - max(0.0, top))\n"
             "        rate = ops.where(\n"
             "            at <= top, LEARNING_RATE + (first - LEARNING_RATE) * (1 + ops.cos(math.pi * rise)) / 2,\n"
             "            end + (LEARNING_RATE - end) * (1 + ops.cos(math.pi * done)) / 2)";
    case ScheduleKind::cosine_restarts:
      return "        first, k = RESTART_EPOCHS * self.steps_per_epoch, float(RESTART_FACTOR)\n"
             "        at = ops.maximum(0.0, ops.cast(step - warmup, \"float32\"))\n"
             "        n = ops.floor(at / first) if k == 1 else ops.floor(\n"
             "            ops.log(at / first * (k - 1) + 1 + 1e-6) / math.log(k))\n"
             "        begin = n * first if k == 1 else first * (k ** n - 1) / (k - 1)\n"
             "        rate = LOWEST_LEARNING_RATE + (LEARNING_RATE - LOWEST_LEARNING_RATE) * (\n"
             "            1 + ops.cos(math.pi * (at - begin) / (first * k ** n))) / 2";
    case ScheduleKind::plateau:
      return "        rate = LEARNING_RATE  # the project lowers it where validation stalls";
  }
  return "";
}

void add_keras_settings(PythonLines& out, const TrainSettings& s, const Attrs& loss) {
  out.add(
      0, "# The project's settings of the training. Augmentation and weight penalties are in the PyTorch export only.");
  for (const std::string& line : left_out_of(s)) out.add(0, line);
  for (const std::string& line : left_out_of_loss(loss, false)) out.add(0, line);
  out.add(0, "EPOCHS = " + python_number(s.epochs));
  out.add(0, "BATCH_SIZE = " + python_number(s.samples_per_update()));
  out.add(0, "LEARNING_RATE = " + python_number(s.learning_rate));
  out.add(0, "WARMUP_EPOCHS = " + python_number(s.warmup_epochs));
  if (s.schedule == ScheduleKind::step) {
    out.add(0, "STEP_EPOCHS = " + python_number(std::max<std::int64_t>(1, s.step_epochs)));
    out.add(0, "STEP_GAMMA = " + python_number(s.step_gamma));
  }
  for (const auto& [name, value] : schedule_constants(s)) out.add(0, std::string(name) + " = " + python_number(value));
  out.add(0, "SEED = " + std::to_string(s.seed % 4294967296U));
}

/// Keras clips in the optimizer.
std::string keras_optimizer(const TrainSettings& s) {
  const OptimizerSource* o = optimizer_source(s.optimizer.name());
  std::string text =
      o && !o->keras.empty() ? filled(o->keras, s.optimizer) : "keras.optimizers.SGD(rate, momentum=0.9)";
  std::string clips;
  if (s.clip_norm > 0)
    clips = ", global_clipnorm=" + python_number(s.clip_norm);
  else if (s.clip_value > 0)
    clips = ", clipvalue=" + python_number(s.clip_value);
  text.insert(text.size() - 1, clips);
  return text + (o && !o->keras.empty() ? "" : "  # Keras has none of the project's name");
}

}  // namespace

void add_keras_functions(PythonLines& out, const SourceFile& f) {
  for (const SourceScope& s : f.network.classes) FunctionWriter(s).block(out);
  FunctionWriter(f.network.main).network(out, f.flat.layers[static_cast<std::size_t>(f.flat.input)].name);
}

void add_keras_training(PythonLines& out, const SourceFile& f) {
  const TrainSettings& s = f.source.doc.settings();
  out.space(2);
  add_keras_settings(out, s, f.flat.loss_attrs);
  out.space(2);
  out.text(0, keras_functions);
  const KerasLoss& loss = keras_loss(f);
  out.space(2);
  out.text(0, with_marks(keras_training, {{"SCHEDULE", schedule_lines(s)},
                                          {"OPTIMIZER", keras_optimizer(s)},
                                          {"LOSS", std::string(loss.text)},
                                          {"METRICS", std::string(loss.metrics)},
                                          {"PROBABILITIES", std::string(loss.probabilities)}}));
}

}  // namespace nw::exchange
