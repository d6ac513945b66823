// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue.hpp"

#include <list>

#include "kernels/math/element.hpp"
#include "kernels/optimizer.hpp"

namespace nw {
namespace {

/// The names of a formula's parameters, separated by spaces, in the format of KernelInfo::attrs.
struct ParameterNames {
  char text[64] = {};
  constexpr explicit ParameterNames(const math::ElementInfo& info) {
    int end = 0;
    for (const math::Parameter& p : info.parameters) {
      if (p.name && end > 0) text[end++] = ' ';
      for (const char* c = p.name; c && *c; ++c) text[end++] = *c;
    }
  }
};
template <class Formula>
constexpr ParameterNames parameter_names{Formula::info};

constexpr std::string_view gradient_inputs(const math::ElementInfo& info) {
  return info.gradient_reads == math::Operand::x ? "dy x" : "dy y";
}

/// The two kernels of a row of kernels/math/activation.hpp.
#define NW_ELEMENT_ROWS(name, Formula, ...)                                                            \
  {#name, "x", "y", parameter_names<math::Formula>.text, math::Formula::info.what},                    \
      {#name "_grad", gradient_inputs(math::Formula::info), "dx", parameter_names<math::Formula>.text, \
       math::Formula::info.gradient_what},

constexpr KernelInfo table[] = {
    // ---- convolution and linear. x (N,C,H,W), w (O,C/groups,kh,kw), b (O). rounds: see rounds_operands()
    {"conv2d", "x w b?", "y", "stride padding dilation groups rounds", "y = x * w + b (cross-correlation, as PyTorch)"},
    {"conv2d_grad_input", "dy w", "dx", "stride padding dilation groups rounds", ""},
    {"conv2d_grad_weight", "dy x", "dw db?", "stride padding dilation groups rounds", "dw, db summed over the batch"},
    {"conv_transpose2d", "x w b?", "y", "stride padding dilation groups",
     "y = b + what conv2d_grad_input makes of x; w (C,O/groups,kh,kw). y's size holds the output padding"},
    {"conv_transpose2d_grad_input", "dy w", "dx", "stride padding dilation groups", ""},
    {"conv_transpose2d_grad_weight", "dy x", "dw db?", "stride padding dilation groups", ""},
    {"linear", "x w b?", "y", "rounds",
     "y = x w^T + b; x (N,in), w (out,in). Of images, x (N,in,H,W), each pixel is a vector of channels"},
    {"linear_grad_input", "dy w", "dx", "rounds", ""},
    {"linear_grad_weight", "dy x", "dw db?", "rounds", ""},
    // ---- pooling. argmax: u8, index inside the window (ky*kw+kx), first maximum wins, NaN wins
    {"max_pool2d", "x", "y argmax?", "kernel stride padding", "floor mode; padding is -infinity"},
    {"max_pool2d_grad", "dy argmax", "dx", "kernel stride padding", ""},
    {"avg_pool2d", "x", "y", "kernel stride padding count_include_pad", ""},
    {"avg_pool2d_grad", "dy", "dx", "kernel stride padding count_include_pad", ""},
    {"global_avg_pool2d", "x", "y", "", "(N,C,H,W) -> (N,C,1,1)"},
    {"global_avg_pool2d_grad", "dy", "dx", "", ""},
    {"global_max_pool2d", "x", "y", "", "(N,C,H,W) -> (N,C,1,1); a NaN wins"},
    {"global_max_pool2d_grad", "dy x", "dx", "", "to the first pixel, row by row, that has the maximum"},
    {"adaptive_avg_pool2d", "x", "y", "", "row o: mean of rows [floor(o H / H'), ceil((o + 1) H / H')); columns alike"},
    {"adaptive_avg_pool2d_grad", "dy", "dx", "", ""},
    // ---- batch norm in parts (docs/architecture.md, rule 4). stats f64 (2,C): sums over valid samples and pixels
    {"batch_norm_stats", "x", "stats", "", "stats = {sum x, sum x^2}"},
    {"batch_norm_finalize", "stats running_mean running_var num_batches_tracked", "mean_invstd",
     "momentum eps spatial local",
     "mean_invstd f32 (2,C); count = global_valid * spatial, local: valid * spatial; running_var takes the unbiased "
     "variance; updates the three buffers in place"},
    {"batch_norm_apply", "x mean_invstd weight bias", "y", "", "y = (x - mean) * invstd * weight + bias"},
    {"batch_norm_inference", "x running_mean running_var weight bias", "y", "eps", ""},
    {"batch_norm_inference_grad", "dy running_var weight", "dx", "eps", "dy * weight / sqrt(running_var + eps)"},
    {"batch_norm_grad_stats", "dy x mean_invstd", "dstats", "", "dstats f64 (2,C) = {sum dy, sum dy * xhat}"},
    {"batch_norm_grad_weight", "dstats", "dw db", "", "from this replica's dstats, before they are reduced"},
    {"batch_norm_grad_input", "dy x mean_invstd weight dstats", "dx", "spatial local", ""},
    // ---- norms within a sample; mean_invstd f32 (N,2G): the means of the groups, then 1 / sqrt(biased variance + eps)
    {"layer_norm", "x w? b?", "y mean_invstd?", "eps",
     "one group of all of C,H,W (G = 1); w, b one for each element: (C,H,W) or (features)"},
    {"layer_norm_grad_input", "dy x mean_invstd w?", "dx", "", ""},
    {"layer_norm_grad_weight", "dy x mean_invstd", "dw db?", "", ""},
    {"group_norm", "x w? b?", "y mean_invstd?", "groups eps", "groups of channels that follow one another; w, b (C)"},
    {"group_norm_grad_input", "dy x mean_invstd w?", "dx", "groups", ""},
    {"group_norm_grad_weight", "dy x mean_invstd", "dw db?", "groups", ""},
    {"channel_norm", "x w? b?", "y mean_invstd?", "eps",
     "the channels of each pixel by themselves; mean_invstd f32 (N,2,H,W); w, b (C)"},
    {"channel_norm_grad_input", "dy x mean_invstd w?", "dx", "", ""},
    {"channel_norm_grad_weight", "dy x mean_invstd", "dw db?", "", ""},
    {"local_response_norm", "x", "y", "size alpha beta k",
     "x / (k + alpha / size * s)^beta; s: the sum of x^2 over channels c - size / 2 up to c + (size - 1) / 2"},
    {"local_response_norm_grad", "dy x", "dx", "size alpha beta k", ""},
    // ---- element-wise. y and x have the same shape
    NW_ELEMENT_KERNELS(NW_ELEMENT_ROWS)
    // not rows of activation.hpp: these kernels read weights, random numbers or whole vectors
    {"prelu", "x w", "y", "", "w (1) or (C): the slope where x <= 0"},
    {"prelu_grad_input", "dy x w", "dx", "", ""},
    {"prelu_grad_weight", "dy x", "dw", "", ""},
    {"dropout", "x", "y", "p key share",
     "keeps where philox_uniform(seed, key, epoch, sample, element in (C,H,W) order) >= p, times 1/(1-p); its own "
     "gradient: run on dy with the same key. share: the elements that one random number decides on, 0 (one), 1 (those "
     "of a channel) or 2 (all of a sample)"},
    {"formula", "x*", "y", "program",
     "the program of kernels/math/program.hpp for each element of 1 to 4 inputs shaped as y; its own gradient: another "
     "program of dy and the inputs. Padding samples get 0"},
    {"scale_channels", "x w", "y", "", "y = x times w's number of the channel; its own gradient: run on dy"},
    {"scale_channels_grad_weight", "dy x", "dw", "", ""},
    {"softmax", "x", "y", "", "over dimension 1"},
    {"softmax_grad", "dy y", "dx", "", ""},
    // ---- precision: Kalamkar et al., "A study of bfloat16 for deep learning training", 2019
    {"round_bf16", "x", "y", "",
     "the nearest bfloat16 (8 significant bits), ties to even, kept as f32; y may be x. x: batched or a weight"},
    {"store_half", "x", "y", "",
     "x (f32) as bf16 or f16, whichever y is; only where Device::stored_as says so. A rank-4 weight: to (O,kh,kw,I)"},
    // ---- concatenation and shape
    {"add", "x*", "y", "", "y = sum of all inputs; also sums gradients where a value is used more than once"},
    {"add_spread", "x*", "y", "", "y = sum of all inputs, each shaped as y or (N,C,1,1)"},
    {"multiply", "x*", "y", "",
     "y = product of all inputs, each shaped as y or (N,C,1,1); its own gradient: dy and the other inputs"},
    {"multiply_grad_scale", "x*", "dx", "", "that product, summed over pixels: the gradient of an input (N,C,1,1)"},
    {"concat", "x*", "y", "", "along dimension 1"},
    {"slice", "x", "y", "begin", "channels [begin, begin + y's channels) of dimension 1; gradient of concat"},
    {"slice_grad", "dy", "dx", "begin", "zero in the other channels"},
    {"flatten", "x", "y", "", "(N,C,H,W) -> (N,C*H*W), logical (C,H,W) order"},
    {"flatten_grad", "dy", "dx", "", ""},
    {"reshape", "x", "y", "", "y's sizes for x's elements, which keep their logical (C,H,W) order"},
    {"transpose", "x", "y", "first second", "dimensions first and second, 1 to 3, change places; its own gradient"},
    {"channel_shuffle", "x", "y", "groups",
     "channel i of group g becomes channel i * groups + g; its own gradient with C / groups groups"},
    {"zero_pad2d", "x", "y", "padding", "padding {top,left}; y's size says what is below and on the right"},
    {"zero_pad2d_grad", "dy", "dx", "padding", "cuts the rectangle out that zero_pad2d fills"},
    {"upsample", "x", "y", "mode", "by whole factors; mode: \"nearest\" or \"bilinear\" (align_corners false)"},
    {"upsample_grad", "dy", "dx", "mode", ""},
    // ---- sequences: tokens are pixels, x (N,features,tokens,1)
    {"add_tokens", "x w", "y", "", "y = x + w on the first tokens, of which w (1,T,features) has T"},
    {"add_tokens_grad_weight", "dy", "dw", "", ""},
    {"attention", "x", "y p?", "heads",
     "x: queries, keys and values, the channels of each head adjacent; y = softmax(Q K^T / sqrt(d)) V; p f32 (N, "
     "heads*T*T): the weight of token j in token i at (head, j, i). Vaswani et al., 2017, 3.2.1"},
    {"attention_grad", "dy x p", "dx", "heads", ""},
    // ---- fused: replacements of several steps by the compiler's passes, where a backend offers them. "relu": y =
    // max(y, 0) at the end; a gradient is zero where its input y (an output of relu) is <= 0
    {"conv2d_relu", "x w b?", "y", "stride padding dilation groups rounds", ""},
    {"conv2d_max_pool2d_relu", "x w b?", "y argmax?", "stride padding dilation groups window rounds",
     "then the largest of windows {h,w} side by side (rows and columns that fill no window are left out), then relu"},
    {"conv2d_grad_input_relu", "dy w y", "dx", "stride padding dilation groups rounds", "y: the convolution's input"},
    {"linear_relu", "x w b?", "y", "rounds", ""},
    {"linear_grad_input_relu", "dy w y", "dx", "rounds", "y: the layer's input"},
    {"max_pool2d_relu_grad", "dy argmax y", "dx", "kernel stride padding", "y: the pool's output"},
    {"add_relu", "x*", "y", "", ""},
    {"add_relu_grad", "y x*", "dx", "", "sum of all x, 0 where y <= 0"},
    {"batch_norm_apply_relu", "x mean_invstd weight bias residual?", "y", "", "residual: added before relu"},
    {"batch_norm_inference_relu", "x running_mean running_var weight bias residual?", "y", "eps", ""},
    // ---- losses: sum over the samples divided by loss_divisor(), or by global_valid samples (and by the elements of
    // a sample for bce, mse: PyTorch's reduction=mean). They add to StepMetrics {loss_sum, correct, samples}; dx is
    // absent in a forward-only plan. Padding samples get dx = 0.
    {"cross_entropy", "x labels", "dx?", "label_smoothing class_weights focal_gamma",
     "softmax inside; labels i64 (N), or each class's share f32 (N,K) that add up to 1 (right: the largest share's "
     "class). With class_weights w (K) and focal_gamma g the term of class k is times w[k] (1 - p[k])^g"},
    {"bce_with_logits", "x targets", "dx?", "pos_weight focal_gamma",
     "targets f32 (N,K); right: every (x > 0) == (target > 0.5). pos_weight (K) as torch's BCEWithLogitsLoss; "
     "focal_gamma as torchvision's sigmoid_focal_loss"},
    {"mse", "x targets", "dx?", "", "right: same argmax (K > 1), or |x - target| < 0.5 (K == 1)"},
    // ---- over the flat regions of weights, gradients, optimizer state; no inputs are listed. Skipped when not finite.
    // weight_places, weights_of_all: see kernels/weight_totals.hpp; optimizers that add penalties have them too
    {"grad_norm", "", "", "weight_places weights_of_all", "StepMetrics.grad_norm, .finite (also looks at the loss)"},
    {"clip_grad_norm", "", "", "max_norm weight_places weights_of_all", "as torch.nn.utils.clip_grad_norm_"},
    {"clip_grad_value", "", "", "limit", ""},
    {"average_weights", "", "", "decay",
     "the state `average` moves toward the weights by 1 - decay; in step 0 it takes them over (torch's AveragedModel)"},
    {"weight_norms", "", "norms", "",
     "f64 (2,W): L2 of each of the W weights in the order of the flat region, then of their gradients"},
    // ---- replicas
    {"all_reduce", "x?", "", "",
     "sums x in place over replicas; without x: all weight gradients and the step's metrics"},
    {"reduce_scatter", "", "", "bounds",
     "sums over replicas: of the gradients, those of this replica's part, and the step's metrics. Replica r has the "
     "elements of the flat region from bounds[r] up to bounds[r + 1]"},
    {"all_gather", "", "", "bounds rank",
     "the weights that each replica has updated become those of all. A plan with it keeps only the state of the part "
     "of replica `rank`"},
};
/// Of optimizers: the attributes are their fields; gradient + l2*w + l1*sign(w) where Value::decay.
struct UpdateInfo {
  std::string attrs = "l1 l2 weight_places weights_of_all";
  KernelInfo info;
  explicit UpdateInfo(const Optimizer& o) {
    for (const OptimizerField& f : o.fields) attrs += " " + std::string(f.name);
    info = {o.name, o.norms ? "norms" : "", "", attrs, o.summary};
  }
};

std::vector<KernelInfo> join_kernels() {
  static std::list<UpdateInfo> updates;  // elements must not move: KernelInfo refers to `attrs`
  std::vector<KernelInfo> all(std::begin(table), std::end(table));
  for (const Optimizer& o : all_optimizers()) {
    updates.emplace_back(o);
    all.push_back(updates.back().info);
  }
  return all;
}
}  // namespace

std::span<const KernelInfo> all_kernels() {
  static const std::vector<KernelInfo> all = join_kernels();
  return all;
}
bool takes_shares(const Plan& p, const Step& s) {
  return p.values[static_cast<std::size_t>(s.inputs[1])].dtype == DType::f32;
}
bool rounds_operands(const Step& s) { return int_attr(s.attrs, "rounds", 0) != 0; }
const KernelInfo* find_kernel(std::string_view name) {
  for (const KernelInfo& k : all_kernels())
    if (k.name == name) return &k;
  return nullptr;
}

}  // namespace nw
