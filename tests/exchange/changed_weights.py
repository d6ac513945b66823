# SPDX-License-Identifier: Apache-2.0
"""Weights as after a training. Those that a training begins with prove little: the gates and norms of a deep network let so little of
an image through that its outputs are nearly the biases of its last layer, whatever the layers before it compute (efficientnet_b0:
2e-7 between two images)."""
import importlib.util

SPREAD = 5e-4  # between images, of the largest output: 50 times what a reader may be off (squeezenet1_1, which averages noise: 7.5e-4)


def changed_weights(call, project, work, name):
    """(a safetensors file with the project's weights, changed at random, or None; what went wrong). None is 0 or 1 any more; where
    PyTorch is installed, batch norms have the statistics of images that pass through. `call` runs netwright-cli."""
    import numpy as np
    from safetensors.numpy import load_file, save_file
    plain, changed = work / f"{name}-plain.safetensors", work / f"{name}-weights.safetensors"
    done = call("export", project, "--safetensors", plain, "--force")
    if done.returncode:
        return None, done.stderr.strip()
    r, tensors = np.random.default_rng(1), load_file(plain)
    for key, t in tensors.items():
        if t.dtype == np.float32:
            # Larger biases would drown what a network without norms computes of an image (squeezenet1_1: 2e-4).
            most = 0.01 if key.endswith(".bias") else 0.1
            change = r.uniform(-most, most, t.shape).astype(np.float32)
            tensors[key] = t + (0.5 + 4 * change if key.endswith("running_var") else change)
    save_file(tensors, changed)
    if any(key.endswith("running_var") for key in tensors) and importlib.util.find_spec("torch"):
        return measured(call, project, work, name, changed)
    return changed, ""


def measured(call, project, work, name, weights):
    """The same weights with the statistics of eight images of noise, by the network as a file of PyTorch."""
    import torch
    from safetensors.torch import save_file
    folder = work / f"{name}-measured"
    folder.mkdir(exist_ok=True)
    done = call("export", project, "--pytorch", folder / "network.py", "--weights", weights, "--force", "--images", 1)
    if done.returncode:
        return None, done.stderr.strip()
    spec = importlib.util.spec_from_file_location(f"measured_{name}".replace("-", "_"), folder / "network.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = module.load_model().eval()
    for m in model.modules():
        if isinstance(m, torch.nn.BatchNorm2d):
            m.momentum = 1.0
            m.train()
    with torch.no_grad():
        model(torch.randn(8, *module.IMAGE_SHAPE, generator=torch.Generator().manual_seed(1)))
    save_file({key: t.contiguous() for key, t in model.state_dict().items()}, weights)
    return weights, ""


def depends_on_images(samples):
    """What is wrong with a proof by these samples; "": its outputs differ from image to image."""
    import numpy as np
    from safetensors.numpy import load_file
    scores = load_file(samples)["scores"]
    spread, largest = np.ptp(scores, axis=0).max(), max(np.abs(scores).max(), 1e-6)
    return "" if spread >= SPREAD * largest else f"its outputs differ by {spread / largest:.1e} between images: the proof is weak"
