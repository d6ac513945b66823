// SPDX-License-Identifier: Apache-2.0
// The fields that a project's author wants searched: kept in the project's file under "search", in the form of a
// space's file.
#pragma once
#include "engine/design/graph_doc.hpp"
#include "engine/search/fields.hpp"

namespace nw::search {

/// Fields that the project no longer has, or that cannot have the values, are left out; so is a damaged part.
Space project_space(const GraphDoc&);
/// The parameter of that name in the project's part "search"; nullopt: that field is not searched.
std::optional<Parameter> project_parameter(const GraphDoc&, const std::string& name);
/// The edit that adds the parameter, in place of one of its name. The parameter depends on no other one.
Edit search_over(const GraphDoc&, const Parameter&);
/// The edit that takes the parameter out, with those that depend on it; empty: there is none.
Edit search_no_longer(const GraphDoc&, const std::string& name);

/// What a user writes beside a field: "0.001 … 0.1", "0.001 .. 0.1 log", or a list, "16, 32, 64". `log`: a range is
/// drawn by the logarithm. Errc::bad_input: one sentence; check_space() is asked as well.
Result<Parameter> parameter_from_text(const GraphDoc&, const SearchField&, std::string_view typed, bool log);
/// The same way back, without "log".
std::string text_of(const Parameter&);
/// A value in the same way: 0.01, sgd, [3,5].
std::string text_of_value(const Json&);
/// A number, true, false, a list of sizes, or a word.
Json value_from_text(std::string_view);
/// The parts between commas outside of brackets, without spaces around them; empty ones are left out.
std::vector<std::string> listed_values(std::string_view);

}  // namespace nw::search
