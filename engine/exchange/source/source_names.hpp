// SPDX-License-Identifier: Apache-2.0
// The names that the PyTorch writer gives to losses and optimizers.
#pragma once
#include <string>
#include <string_view>

namespace nw::exchange {

/// "nn.functional.cross_entropy"; "": the writer knows no such loss.
std::string torch_loss_name(std::string_view loss);
/// "torch.optim.SGD", or the class that the written file defines: "Lion"; "": there is no such optimizer.
std::string torch_optimizer_name(std::string_view optimizer);

}  // namespace nw::exchange
