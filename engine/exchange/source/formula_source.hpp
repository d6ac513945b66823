// SPDX-License-Identifier: Apache-2.0
// The layer Formula as a Python function.
#pragma once
#include "engine/exchange/source/layer_source.hpp"

namespace nw::exchange {

/// "lambda x, y: x * torch.sigmoid(y)". Of a value that is used several times, the first use gives it a name:
/// (t1 := …).
std::string formula_lambda(const FlatLayer&, SourceLanguage);

/// The class of PyTorch that calls it.
inline constexpr std::string_view torch_formula_class = R"(
class Formula(nn.Module):
    """An element-wise function of one or more values of the same shape."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *values):
        return self.function(*values)
)";

}  // namespace nw::exchange
