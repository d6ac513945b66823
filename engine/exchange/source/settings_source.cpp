// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source/settings_source.hpp"
#include "engine/exchange/source/source_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/design/settings.hpp"
#include "engine/design/target_weights.hpp"
#include "engine/exchange/source/python_text.hpp"
#include "kernels/optimizer.hpp"

namespace nw::exchange {
namespace {

constexpr std::string_view lion = R"(
class Lion(torch.optim.Optimizer):
    """Chen et al., "Symbolic discovery of optimization algorithms", algorithm 2."""

    def __init__(self, params, lr, betas, weight_decay):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in [p for p in group["params"] if p.grad is not None]:
                mean = self.state[p].setdefault("mean", torch.zeros_like(p))
                direction = torch.sign(beta1 * mean + (1 - beta1) * p.grad)
                p.mul_(1 - group["lr"] * group["weight_decay"]).sub_(group["lr"] * direction)
                mean.mul_(beta2).add_(p.grad, alpha=1 - beta2)
)";

constexpr std::string_view lars = R"(
class LARS(torch.optim.Optimizer):
    """You et al., "Large batch training of convolutional networks", algorithm 1."""

    def __init__(self, params, lr, momentum, weight_decay, trust):
        defaults = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay, "trust": trust}
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            decay = group["weight_decay"]
            for p in [p for p in group["params"] if p.grad is not None]:
                weight, gradient = p.norm(), p.grad.norm()
                rate = group["lr"]
                if weight > 0 and gradient > 0:
                    rate = rate * group["trust"] * weight / (gradient + decay * weight)
                velocity = self.state[p].setdefault("velocity", torch.zeros_like(p))
                velocity.mul_(group["momentum"]).add_(rate * (p.grad + decay * p))
                p.sub_(velocity)
)";

const OptimizerSource optimizers[] = {
    {"sgd", "torch.optim.SGD(groups, lr=LEARNING_RATE, momentum={momentum}, nesterov={nesterov})",
     "keras.optimizers.SGD(rate, momentum={momentum}, nesterov={nesterov})", false, ""},
    {"adam", "torch.optim.Adam(groups, lr=LEARNING_RATE, betas=({beta1}, {beta2}), eps={epsilon})",
     "keras.optimizers.Adam(rate, beta_1={beta1}, beta_2={beta2}, epsilon={epsilon})", false, ""},
    {"adamw",
     "torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=({beta1}, {beta2}), eps={epsilon}, "
     "weight_decay={weight_decay})",
     "keras.optimizers.AdamW(rate, beta_1={beta1}, beta_2={beta2}, epsilon={epsilon}, weight_decay={weight_decay})",
     true, ""},
    {"nadam",
     "torch.optim.NAdam(groups, lr=LEARNING_RATE, betas=({beta1}, {beta2}), eps={epsilon}, "
     "momentum_decay={momentum_decay})",
     "keras.optimizers.Nadam(rate, beta_1={beta1}, beta_2={beta2}, epsilon={epsilon})", false, ""},
    {"adagrad", "torch.optim.Adagrad(groups, lr=LEARNING_RATE, lr_decay={learning_rate_decay}, eps={epsilon})",
     "keras.optimizers.Adagrad(rate, initial_accumulator_value=0.0, epsilon={epsilon})", false, ""},
    {"rmsprop",
     "torch.optim.RMSprop(groups, lr=LEARNING_RATE, alpha={alpha}, eps={epsilon}, momentum={momentum}, "
     "centered={centered})",
     "keras.optimizers.RMSprop(rate, rho={alpha}, epsilon={epsilon}, momentum={momentum}, centered={centered})", false,
     ""},
    {"lion", "Lion(groups, lr=LEARNING_RATE, betas=({beta1}, {beta2}), weight_decay={weight_decay})",
     "keras.optimizers.Lion(rate, beta_1={beta1}, beta_2={beta2}, weight_decay={weight_decay})", true, lion},
    {"lars",
     "LARS(groups, lr=LEARNING_RATE, momentum={momentum}, weight_decay={weight_decay}, trust={trust_coefficient})", "",
     true, lars},
};

const TransformSource transforms[] = {
    {"RandomVerticalFlip", "v2.RandomVerticalFlip({p})"},
    {"RandomRotation", "v2.RandomRotation({degrees})"},
    {"RandomAffine",
     "v2.RandomAffine({degrees}, translate=({translate}, {translate}), scale=(1 - {scale}, 1 + {scale}), "
     "shear={shear})"},
    {"ColorJitter", "v2.ColorJitter({brightness}, {contrast}, {saturation}, {hue})"},
    {"RandomGrayscale", "v2.RandomGrayscale({p})"},
    {"GaussianBlur", "v2.GaussianBlur(2 * {radius} + 1, sigma=(min(0.1, {sigma}), {sigma}))"},
    {"GaussianNoise", "lambda x: (x + 255 * {sigma} * torch.randn(x.shape)).round().clamp(0, 255).to(torch.uint8)"},
    {"RandomErasing", "v2.RandomErasing({p}, scale=(min(0.02, {scale}), {scale}))"},
    {"RandAugment", "v2.RandAugment({num_ops}, {magnitude})"},
    {"MixUp", ""},
    {"CutMix", ""},
};

void put(std::string& text, std::string_view field, const std::string& value) {
  const std::string mark = "{" + std::string(field) + "}";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
}

std::string filled_transform(const TransformSource& s, const TransformType& type, const Transform& t) {
  std::string text(s.torch);
  for (std::size_t i = 0; i < type.fields.size() && i < t.values.size(); ++i)
    put(text, type.fields[i].name,
        type.fields[i].whole ? python_number(static_cast<std::int64_t>(t.values[i])) : python_number(t.values[i]));
  return text;
}

const TransformSource* transform_source(std::string_view name) {
  const auto it = std::find_if(std::begin(transforms), std::end(transforms),
                               [&](const TransformSource& t) { return t.name == name; });
  return it == std::end(transforms) ? nullptr : it;
}

// ---- data: each defines load_data(path)
constexpr std::string_view idx_reader = R"PY(
def read_idx(folder, name):
    """An array of an IDX file, compressed or not."""
    plain, packed = Path(folder, name), Path(folder, name + ".gz")
    raw = gzip.decompress(packed.read_bytes()) if packed.exists() else plain.read_bytes()
    sizes = np.frombuffer(raw, ">i4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(sizes)


def load_data(path):
    """The training and the test set of a folder with MNIST's four files."""

    def part(name):
        images = read_idx(path, f"{name}-images-idx3-ubyte")[:, None]
        return Samples(images.copy(), read_idx(path, f"{name}-labels-idx1-ubyte"))

    return part("train"), part("t10k")
)PY";
constexpr std::string_view cifar_reader = R"PY(
def load_data(path):
    """The training and the test set of a folder with the binary version of CIFAR-10 or CIFAR-100."""

    def part(pattern):
        files = sorted(Path(path).glob(pattern))
        labels = 2 if (Path(path) / "train.bin").exists() else 1
        rows = np.concatenate([np.fromfile(f, np.uint8).reshape(-1, labels + 3072) for f in files])
        return Samples(rows[:, labels:].reshape(-1, 3, 32, 32), rows[:, labels - 1])

    if (Path(path) / "train.bin").exists():
        return part("train.bin"), part("test.bin")
    return part("data_batch_*.bin"), part("test_batch.bin")
)PY";
constexpr std::string_view folder_reader = R"PY(
class Photos(torch.utils.data.Dataset):
    """The photos of a folder with one folder for each class, resized to the network's size."""

    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        file, label = self.files[index]
        return torch.from_numpy(read_image(file)), label


def load_data(path):
    """The training and the test set: `train` and `test` below the folder, or a tenth is held out."""

    def photos(folder):
        classes = sorted(d for d in Path(folder).iterdir() if d.is_dir())
        return [(f, k) for k, d in enumerate(classes) for f in sorted(d.rglob("*")) if f.is_file()]

    path = Path(path)
    if (path / "train").is_dir() and (path / "test").is_dir():
        return Photos(photos(path / "train")), Photos(photos(path / "test"))
    files = photos(path)
    random.Random(SEED).shuffle(files)
    held_out = len(files) // 10
    return Photos(files[held_out:]), Photos(files[:held_out])
)PY";
constexpr std::string_view array_reader = R"PY(
def load_data(path):
    """The training and the test set of an .npz file: images (N, H, W, C) of bytes, and targets."""
    arrays = np.load(path)
    images, targets = np.moveaxis(arrays["images"], 3, 1), arrays["targets"]
    held_out = len(images) // 10
    order = np.random.default_rng(SEED).permutation(len(images))
    train, test = order[held_out:], order[:held_out]
    return Samples(images[train], targets[train]), Samples(images[test], targets[test])
)PY";

struct DataSourceCode {
  std::string_view kind, text, help;
};
const DataSourceCode data_sources[] = {
    {"mnist", idx_reader, "folder with MNIST's four IDX files"},
    {"idx", idx_reader, "folder with four IDX files, named as MNIST's"},
    {"cifar", cifar_reader, "folder with CIFAR's binary files"},
    {"image_folder", folder_reader, "folder with one folder of photos for each class"},
};
constexpr DataSourceCode any_data{"", array_reader, ".npz file with images (N, H, W, C) of bytes, and targets"};

const DataSourceCode& data_code(const DataChoice& c) {
  for (const DataSourceCode& s : data_sources)
    if (s.kind == c.kind.name() && target_kind(c) == TargetKind::classes) return s;
  return any_data;
}

}  // namespace

std::span<const OptimizerSource> optimizer_sources() { return optimizers; }
const OptimizerSource* optimizer_source(std::string_view name) {
  const auto it = std::find_if(std::begin(optimizers), std::end(optimizers),
                               [&](const OptimizerSource& o) { return o.name == name; });
  return it == std::end(optimizers) ? nullptr : it;
}

std::string filled(std::string_view pattern, const OptimizerChoice& choice) {
  std::string text(pattern);
  const Optimizer* o = find_optimizer(choice.name());
  for (const OptimizerField& f : o ? o->fields : std::span<const OptimizerField>{})
    put(text, f.name,
        f.kind == OptimizerField::Kind::boolean ? python_bool(choice.value(f.name) != 0)
                                                : python_number(choice.value(f.name)));
  return text;
}

std::span<const TransformSource> transform_sources() { return transforms; }

std::vector<std::string> augmentation_lines(const TrainSettings& s, std::int64_t height, std::int64_t width) {
  std::vector<std::string> lines;
  if (s.random_crop) lines.push_back(fmt::format("v2.RandomCrop(({}, {}), padding={})", height, width, s.crop_padding));
  if (s.horizontal_flip) lines.push_back("v2.RandomHorizontalFlip()");
  for (const Transform& t : s.transforms) {
    const TransformSource* source = transform_source(t.type);
    const TransformType* type = find_transform(t.type);
    if (source && type && !source->torch.empty()) lines.push_back(filled_transform(*source, *type, t));
  }
  return lines;
}

std::vector<std::string> mixing_rows(const TrainSettings& s) {
  std::vector<std::string> rows;
  for (const Transform& t : s.transforms)
    if (const TransformType* type = find_transform(t.type); type && !type->apply && t.values.size() == 2)
      rows.push_back(
          fmt::format("(\"{}\", {}, {})", type->name, python_number(t.values[0]), python_number(t.values[1])));
  return rows;
}

std::string_view data_reader(const DataChoice& c) { return data_code(c).text; }
std::string_view data_help(const DataChoice& c) { return data_code(c).help; }

std::vector<std::pair<const char*, double>> schedule_constants(const TrainSettings& s) {
  const std::pair<const char*, double> lowest{"LOWEST_LEARNING_RATE", s.min_learning_rate};
  switch (s.schedule) {
    case ScheduleKind::constant:
    case ScheduleKind::plateau:
    case ScheduleKind::step:
      return {};
    case ScheduleKind::cosine:
      return {lowest};
    case ScheduleKind::one_cycle:
      return {{"PCT_START", s.pct_start}, {"DIV_FACTOR", s.div_factor}, {"FINAL_DIV_FACTOR", s.final_div_factor}};
    case ScheduleKind::polynomial:
      return {lowest, {"POWER", s.polynomial_power}};
    case ScheduleKind::cosine_restarts:
      return {lowest,
              {"RESTART_EPOCHS", static_cast<double>(s.restart_epochs)},
              {"RESTART_FACTOR", static_cast<double>(s.restart_factor)}};
  }
  return {};
}

std::vector<std::string> left_out_of(const TrainSettings& s) {
  std::vector<std::string> all;
  if (s.ema_decay > 0) all.push_back("# The project uses a moving average of the weights; this program the weights.");
  if (s.swa_start > 0)
    all.push_back("# The project uses the mean of the weights of its last epochs; this program the last weights.");
  if (s.augment_strength < 1) all.push_back("# The project augments a part of the images only; this program all.");
  return all;
}

namespace {

std::string written_weights(const Attrs& loss) {
  for (const char* name : {"class_weights", "pos_weight"})
    if (loss.values().contains(name)) return loss.choice(name);
  return "";
}

}  // namespace

std::vector<double> listed_weights_of(const Attrs& loss) {
  auto list = listed_weights(written_weights(loss));
  return list ? std::move(*list) : std::vector<double>{};
}

std::vector<std::string> left_out_of_loss(const Attrs& loss, bool takes_lists) {
  std::vector<std::string> all;
  if (!written_weights(loss).empty() && (!takes_lists || listed_weights_of(loss).empty()))
    all.emplace_back("# The project gives the classes weights in the loss; this program weighs them alike.");
  if (loss.values().contains("focal_gamma") && loss.real("focal_gamma") > 0)
    all.emplace_back("# The project trains with the focal loss; this program without its focus.");
  return all;
}

std::string torch_optimizer_name(std::string_view optimizer) {
  const OptimizerSource* found = optimizer_source(optimizer);
  return found ? std::string(found->torch.substr(0, found->torch.find('('))) : std::string();
}

}  // namespace nw::exchange
