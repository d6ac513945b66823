// SPDX-License-Identifier: Apache-2.0
// The parts of a PyTorch file that are the same for all networks, but for the words between @. Private to
// engine/exchange/source.
#pragma once
#include <string_view>

namespace nw::exchange {

inline constexpr std::string_view torch_samples = R"PY(
class Samples(torch.utils.data.Dataset):
    """Images of bytes (N, C, H, W) and their targets."""

    def __init__(self, images, targets):
        self.images, self.targets = torch.from_numpy(images.copy()), torch.from_numpy(targets.copy())

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.targets[index]
)PY";

inline constexpr std::string_view torch_augmented = R"PY(
class Augmented(torch.utils.data.Dataset):
    """Training images, each changed at random whenever it is read."""

    def __init__(self, samples):
        from torchvision.transforms import v2
        self.samples = samples
        self.change = v2.Compose([@TRANSFORMS@])

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        image, target = self.samples[index]
        return self.change(image), target
)PY";

inline constexpr std::string_view torch_preprocessing = R"PY(
def normalize(pixels, mean=MEAN, deviation=DEVIATION):
    """Pixels from 0 to 255, (N, C, H, W), as the network takes them."""
    mean = torch.tensor(mean, device=pixels.device).reshape(1, -1, 1, 1)
    deviation = torch.tensor(deviation, device=pixels.device).reshape(1, -1, 1, 1)
    return (pixels.float() / 255 - mean) / deviation


def read_image(file):
    """The pixels of an image file, (C, H, W), resized to the network's size."""
    channels, height, width = IMAGE_SHAPE
    if str(file).endswith(".npy"):
        return np.load(file, allow_pickle=False).reshape(IMAGE_SHAPE)
    image = Image.open(file).convert("L" if channels == 1 else "RGB")
    pixels = np.asarray(image.resize((width, height), Image.Resampling.BILINEAR))
    return pixels.reshape(height, width, channels).transpose(2, 0, 1).copy()


def load_model(file=WEIGHTS, device="cpu"):
    """The network with the weights of a safetensors file, for predictions."""
    check_weights(file)
    model = @NETWORK@()
    model.load_state_dict(load_file(file), strict=True)
    return model.to(device).eval()
)PY";

inline constexpr std::string_view torch_mixing = R"PY(
def mix(images, targets):
    """Blends the images of some batches, or puts pieces of one into another, and their targets alike."""
    targets = @ONE_HOT@
    for kind, share, alpha in MIXING:
        if random.random() >= share:
            continue
        own, other = np.random.beta(alpha, alpha), torch.randperm(len(images), device=images.device)
        if kind == "MixUp":
            images = own * images + (1 - own) * images[other]
        else:
            height, width = images.shape[2:]
            y, x = random.randrange(height), random.randrange(width)
            down, across = (int(0.5 * math.sqrt(1 - own) * n) for n in (height, width))
            top, left = max(0, y - down), max(0, x - across)
            bottom, right = min(height, y + down), min(width, x + across)
            images = images.clone()
            images[:, :, top:bottom, left:right] = images[other, :, top:bottom, left:right]
            own = 1 - (bottom - top) * (right - left) / (height * width)
        return images, own * targets + (1 - own) * targets[other]
    return images, targets
)PY";

inline constexpr std::string_view torch_groups_plain = R"PY(
def parameter_groups(model):
    """All weights, with the decay and the factor of the learning rate."""
    return [{"params": list(model.parameters()), "scale": 1.0@DECAY@}]
)PY";

inline constexpr std::string_view torch_groups_by_name = R"PY(
def parameter_groups(model):
    """Weights by what they share: the factor of the learning rate, and whether they decay."""
    groups = {}
    for name, weight in model.named_parameters():
        scale = next((s for layer, s in LR_SCALE if f"{name}.".startswith(f"{layer}.")), 1.0)
        groups.setdefault((scale, decays(model, name)), []).append(weight)
    return [{"params": weights, "scale": scale, "decays": decay@GROUP_DECAY@}
            for (scale, decay), weights in groups.items()]


def decays(model, name):
    """Weights of convolutions, linear layers and attention do; biases and those of norms do not."""
    if DECAY_BIAS_AND_NORM:
        return True
    owner = model
    for part in name.split(".")[:-1]:
        owner = owner._modules[part]
    weighted = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear, nn.MultiheadAttention)
    return isinstance(owner, weighted) and not name.endswith("bias")
)PY";

inline constexpr std::string_view torch_freezing = R"PY(
def freeze(model, epoch):
    """Layers that are not trained in this epoch; those before every trained layer compute as in a prediction."""
    modules, weights = dict(model.named_modules()), dict(model.named_parameters())
    for layer, epochs, epochs_of_prediction in FROZEN:
        parts = list(modules[layer].parameters()) if layer in modules else [weights[layer]]
        for weight in parts:
            weight.requires_grad_(epoch >= epochs)
        if layer in modules and epoch < epochs_of_prediction:
            modules[layer].eval()
)PY";

inline constexpr std::string_view torch_penalties = R"PY(
def add_penalties(optimizer):
    """The gradients of L1 and L2."""
    for group in optimizer.param_groups:
        for weight in group["params"]:
            if weight.grad is not None and group.get("decays", True):
                weight.grad.add_(L1 * weight.detach().sign() + @L2@ * weight.detach())
)PY";

inline constexpr std::string_view torch_rate = R"PY(
def learning_rate(step, steps_per_epoch, epochs=EPOCHS):
    """Of update `step`, counted from 0."""
    warmup = round(WARMUP_EPOCHS * steps_per_epoch)
    if step < warmup:
        return LEARNING_RATE * (step + 1) / warmup
@SCHEDULE@
)PY";

inline constexpr std::string_view torch_loop = R"PY(
def train(model, data, device, epochs=EPOCHS):
    """Trains with the project's settings; returns the mean and deviation of the images."""
    torch.manual_seed(SEED)
    random.seed(SEED)
    training, test = load_data(data)
    mean, deviation = @NORMALIZATION@
    alone = len(training) % BATCH_SIZE == 1  # batch norms need more than one image
    loader = torch.utils.data.DataLoader(@TRAINING@, BATCH_SIZE, shuffle=True, drop_last=alone)
    groups = parameter_groups(model.to(device))
    optimizer = @OPTIMIZER@
@SCALER@    best, since = float("inf"), 0
    for epoch in range(epochs):
        model.train()
@FREEZE@        for batch, (images, targets) in enumerate(loader):
            rate = learning_rate(epoch * len(loader) + batch, len(loader), epochs)
            for group in optimizer.param_groups:
                group["lr"] = rate * group["scale"]
            images, targets = normalize(images.to(device), mean, deviation), targets.to(device)
@MIX@            with torch.autocast(torch.device(device).type, @PRECISION@):
                value = loss_of(model(images), targets)
            optimizer.zero_grad()
@STEP@
        value, figure = evaluate(model, test, device, mean, deviation)
        print(f"epoch {epoch + 1}: test loss {value:.4f}, @FIGURE@ {figure:.4f}", flush=True)
        best, since = (value, 0) if value < best else (best, since + 1)
        if EARLY_STOPPING_EPOCHS and since >= EARLY_STOPPING_EPOCHS:
            break
    return mean, deviation


def measured(samples):
    """Mean and deviation of each channel of pixels from 0 to 1."""
    total, squares, count = 0, 0, 0
    for image, _ in samples:
        pixels = image.double().flatten(1) / 255
        total, squares = total + pixels.sum(1), squares + (pixels ** 2).sum(1)
        count += pixels.shape[1]
    mean = total / count
    deviation = (squares / count - mean ** 2).clamp(min=0).sqrt()
    return mean.tolist(), [d if d > 1e-3 else 1.0 for d in deviation.tolist()]


@torch.no_grad()
def evaluate(model, samples, device, mean, deviation):
    """The mean loss over the samples, and @FIGURE_HELP@."""
    model.eval()
    value, figure, count = 0.0, 0.0, 0
    for images, targets in torch.utils.data.DataLoader(samples, BATCH_SIZE):
        outputs = model(normalize(images.to(device), mean, deviation))
        targets = targets.to(device)@ODD@
        value += loss_of(outputs, targets).item() * len(images)
        figure += @RIGHT@
        count += len(images)
    return value / max(1, count), figure / max(1, count)
)PY";

inline constexpr std::string_view torch_main_function = R"PY(
def predict(model, files, device, mean=MEAN, deviation=DEVIATION):
    """Prints the outputs for image files."""
    for file in files:
        pixels = torch.from_numpy(read_image(file))[None].to(device)
        with torch.no_grad():
            outputs = @PROBABILITIES@
        ranked = sorted(enumerate(outputs.flatten().tolist()), key=lambda row: -row[1])
        names = [CLASSES[k] if k < len(CLASSES) else str(k) for k, _ in ranked]
        print(file, *[f"{name}: {value:.4f}" for name, (_, value) in zip(names[:5], ranked)], sep="\n  ")


def main():
    parser = argparse.ArgumentParser(description="Predicts images with the network, or trains it.")
    parser.add_argument("images", nargs="*", help="image files to predict")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="safetensors file")
    parser.add_argument("--train", metavar="DATA", help="@DATA_HELP@")
    parser.add_argument("--from-scratch", action="store_true", help="train from new weights")
    parser.add_argument("--output", type=Path, default="trained.safetensors", help="weights that --train writes")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    mean, deviation = MEAN, DEVIATION
    if chosen.train and chosen.from_scratch:
        model = @NETWORK@().to(chosen.device)
    else:
        model = load_model(chosen.weights, chosen.device)
        with safe_open(chosen.weights, "pt") as file:
            known = json.loads((file.metadata() or {}).get("normalization", "null"))
        mean, deviation = known or (mean, deviation)
    if chosen.train:
        mean, deviation = train(model, chosen.train, chosen.device, chosen.epochs)
        notes = {"normalization": json.dumps([mean, deviation]), "export": EXPORT}
        save_file(model.state_dict(), chosen.output, metadata=notes)
        print(f"wrote {chosen.output}")
    predict(model.eval(), chosen.images, chosen.device, mean, deviation)


if __name__ == "__main__":
    main()
)PY";

}  // namespace nw::exchange
