// SPDX-License-Identifier: Apache-2.0
// What cannot be trained although its shapes fit; PyTorch refuses the same. Evaluating such a network is possible.
#include <algorithm>

#include "engine/compile/context.hpp"
#include "engine/design/distillation.hpp"
#include "kernels/optimizer.hpp"

namespace nw::compiling {
namespace {

/// How training batches are divided.
struct Division {
  std::int64_t batch = 1, train = 0, devices = 1;  // train: images of an epoch; 0: unknown
  bool own = false;                                // each device computes statistics of its own images
};

/// The images of the smallest share of a batch of `images` for which statistics are computed.
std::int64_t smallest_share(const Division& d, std::int64_t images) {
  if (!d.own) return images;
  const std::int64_t share = (d.batch + d.devices - 1) / d.devices;
  return images % share == 0 ? std::min(images, share) : images % share;
}

/// The same over the batches of an epoch. A last batch of one image is left out of the training.
std::int64_t fewest_images(const Division& d) {
  const std::int64_t first = d.train > 0 ? std::min(d.batch, d.train) : d.batch, last = d.train % d.batch;
  const std::int64_t fewest = smallest_share(d, first);
  return d.train > d.batch && last > 1 ? std::min(fewest, smallest_share(d, last)) : fewest;
}

Division division_of(const Context& c) {
  const TrainSettings& s = c.doc.settings();
  const auto devices = std::max<std::int64_t>(c.target.world, s.replicas());
  return {std::max<std::int64_t>(1, s.batch), c.target.data.train, devices, devices > 1 && !s.sync_batch_norm};
}

Fix use_settings(Text label, const TrainSettings& s) { return {std::move(label), {PutSettings{s}}}; }

void offer_batches(const Context& c, Problem& p, Division d) {
  TrainSettings s = c.doc.settings();
  if (d.own) {
    s.sync_batch_norm = true;
    p.fixes.push_back(use_settings(text(NW_TR("Share the statistics among the devices")), s));
    s.sync_batch_norm = false;
  }
  constexpr std::int64_t tried = 256;
  for (std::int64_t more = 1; more <= tried; ++more) {
    s.batch = d.batch + more;
    Division larger = d;
    larger.batch = s.batch;
    if (fewest_images(larger) < 2) continue;
    p.fixes.push_back(use_settings(text(NW_TR("Set the batch to {0}"), s.batch), s));
    return;
  }
}

}  // namespace

void check_batch_norms(Context& c) {
  if (!c.target.training || c.gradients) return;
  const Division d = division_of(c);
  if (fewest_images(d) > 1) return;
  for (const int i : c.order) {
    const FlatNode& n = at(c, i);
    if (!n.live || n.type->name != "BatchNorm2d" || n.shape.rank() != 4 || n.shape[2] * n.shape[3] > 1) continue;
    Problem* p = c.report(
        Severity::error, &n,
        d.own ? text(NW_TR("Gets a single value per channel on a device: one pixel of one image has no variance. Make "
                           "the batch larger, or share the statistics among the devices"))
              : text(NW_TR("Gets a single value per channel: one pixel of one image has no variance. Make the batch "
                           "larger, or place the layer before the pooling")));
    if (!p) continue;
    offer_batches(c, *p, d);
    p->fixes.push_back({text(NW_TR("Remove {0}"), n.type->name), remove_nodes(c.doc, n.scope, {n.node}, true)});
  }
}

namespace {
/// The layer, or the block instance of the network that contains it, trains from the start.
Edit unfrozen(const GraphDoc& doc, const FlatNode& n) {
  Edit edit;
  const auto put = [&](const std::string& scope, NodeId id) {
    Node node = doc.graph(scope).nodes.at(id);
    if (!node.frozen && node.frozen_epochs == 0) return;
    node.frozen = false;
    node.frozen_epochs = 0;
    edit.push_back(PutNode{scope, id, std::move(node)});
  };
  put(n.scope, n.node);
  if (n.instance != 0) put("", n.instance);
  return edit;
}
}  // namespace

void check_frozen(Context& c) {
  if (!c.target.training || c.gradients) return;
  const FlatNode* frozen = nullptr;
  for (const int i : c.order) {
    const FlatNode& n = at(c, i);
    if (!n.live || std::all_of(n.weights.begin(), n.weights.end(), [](const Weight& w) { return w.buffer; })) continue;
    if (n.frozen_epochs == 0) return;
    frozen = &n;
  }
  Problem* p = frozen ? c.report(Severity::error, frozen,
                                 text(NW_TR("Every layer with weights is frozen in the first epoch: there is nothing "
                                            "to train. Unfreeze at least this one")))
                      : nullptr;
  if (p) p->fixes.push_back({text(NW_TR("Unfreeze it")), unfrozen(c.doc, *frozen)});
}

namespace {
// The scaled loss of fp16 is judged by every step, the sum over several batches by none of them.
void check_accumulation(Context& c) {
  if (c.doc.settings().accumulate == 1 || c.doc.settings().precision != DType::f16) return;
  Problem* p =
      c.report(Severity::error, nullptr,
               text(NW_TR("fp16 trains one batch for each update. Choose bf16 or fp32, or accumulate 1 batch")));
  if (!p) return;
  TrainSettings s = c.doc.settings();
  s.accumulate = 1;
  p->fixes.push_back(use_settings(text(NW_TR("Set {0} to {1}"), "accumulate", 1), s));
  s = c.doc.settings();
  s.precision = DType::bf16;
  p->fixes.push_back(use_settings(text(NW_TR("Train in bf16")), s));
}

void check_averages(Context& c) {
  if (c.doc.settings().ema_decay == 0 || c.doc.settings().swa_start == 0) return;
  Problem* p = c.report(Severity::error, nullptr,
                        text(NW_TR("The weights are averaged in two ways: choose the moving average, or the mean over "
                                   "epochs")));
  if (!p) return;
  TrainSettings s = c.doc.settings();
  s.ema_decay = 0;
  p->fixes.push_back(use_settings(text(NW_TR("Set {0} to {1}"), "ema_decay", 0), s));
  s = c.doc.settings();
  s.swa_start = 0;
  p->fixes.push_back(use_settings(text(NW_TR("Set {0} to {1}"), "swa_start", 0), s));
}
}  // namespace

void check_distillation(Context& c) {
  const auto teacher = distillation(c.doc);
  if (!teacher) return void(c.report(Severity::error, nullptr, teacher.error().what));
  if (!*teacher || c.loss < 0) return;
  const FlatNode& loss = at(c, c.loss);
  if (loss.type->name == "CrossEntropy") {
    c.distils = true;
    c.temperature = (*teacher)->temperature;
    return;
  }
  Problem* p = c.report(Severity::error, &loss,
                        text(NW_TR("The outputs of a teacher are learned with CrossEntropy, this loss is {0}"),
                             std::string(loss.type->name)));
  if (p) p->fixes.push_back({text(NW_TR("Train without a teacher")), distil({})});
}

void check_optimizer(Context& c) {
  if (!c.target.training) return;
  check_accumulation(c);
  check_averages(c);
  const OptimizerChoice& choice = c.doc.settings().optimizer;
  const Optimizer* o = find_optimizer(choice.name());
  for (const OptimizerField& f : o ? o->fields : std::span<const OptimizerField>()) {
    if (!*f.needs || choice.value(f.name) == 0 || choice.value(f.only) != 0) continue;
    const OptimizerField* other = find_field(*o, f.only);
    Problem* p = c.report(Severity::error, nullptr, text(f.needs));
    if (!p) continue;
    TrainSettings s = c.doc.settings();
    s.optimizer.set(other->name, other->otherwise);
    p->fixes.push_back(use_settings(text(NW_TR("Set {0} to {1}"), other->name, other->otherwise), s));
    s = c.doc.settings();
    s.optimizer.set(f.name, 0);
    p->fixes.push_back(use_settings(text(NW_TR("Switch {0} off"), f.label), s));
  }
}

}  // namespace nw::compiling
