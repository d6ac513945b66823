// SPDX-License-Identifier: Apache-2.0
#include "engine/search/project_space.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/json_part.hpp"
#include "engine/search/apply.hpp"

namespace nw::search {
namespace {

constexpr std::string_view range_sign = "\xE2\x80\xA6";  // …
/// Between the ends of a range; the first one that is found counts.
constexpr std::string_view range_signs[] = {range_sign, "...", "..", " to ", "\xE8\x87\xB3", "\xE5\x88\xB0"};  // 至, 到

bool is_called(const Json& item, const std::string& name) {
  return item.is_object() && item.value("name", Json()) == Json(name);
}

Json items_of(const GraphDoc& doc) {
  const Json& part = doc.extra("search");
  const auto list = part.is_object() ? part.find("parameters") : part.end();
  return part.is_object() && list != part.end() && list->is_array() ? *list : Json::array();
}

Edit put_items(Json items) {
  if (items.empty()) return {PutExtra{"search", {}}};
  return {PutExtra{"search", {{"format", 1}, {"parameters", std::move(items)}}}};
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto begin = text.find_first_not_of(blank);
  return begin == text.npos ? std::string() : std::string(text.substr(begin, text.find_last_not_of(blank) + 1 - begin));
}

/// "0.001 … 0.1" as its two ends; nullopt: it is no range.
std::optional<std::pair<std::string, std::string>> ends_of(const std::string& typed) {
  for (const std::string_view sign : range_signs)
    if (const auto at = typed.find(sign); at != typed.npos)
      return std::pair(trimmed(std::string_view(typed).substr(0, at)),
                       trimmed(std::string_view(typed).substr(at + sign.size())));
  return std::nullopt;
}

Result<Json> range_json(const SearchField& f, const std::string& low, const std::string& high, bool log) {
  Json j{{"name", f.name}, {"low", value_from_text(low)}, {"high", value_from_text(high)}};
  if (!j["low"].is_number() || !j["high"].is_number())
    return fail(Errc::bad_input, NW_TR("The ends of a range are numbers, as in 0.001 … 0.1"));
  const bool whole = f.now.is_number_integer();
  j["type"] = whole ? "int" : "real";
  if (log) j["log"] = true;
  const auto step = static_cast<std::int64_t>(f.suggested.step);
  if (whole && !log && step > 1 && j["low"].is_number_integer() && j["low"].get<std::int64_t>() % step == 0)
    j["step"] = step;
  return j;
}

}  // namespace

Space project_space(const GraphDoc& doc) {
  Space space;
  if (doc.extra("search").is_null()) return space;
  auto read = space_from_json(doc.extra("search"), "search");
  if (!read) return space;
  if (check_space(doc, *read)) return *std::move(read);
  for (Parameter& p : read->parameters)
    if (p.parent < 0 && check_space(doc, {{p}})) space.parameters.push_back(std::move(p));
  return space;
}

std::optional<Parameter> project_parameter(const GraphDoc& doc, const std::string& name) {
  if (doc.extra("search").is_null()) return std::nullopt;
  const auto read = space_from_json(doc.extra("search"), "search");
  if (!read) return std::nullopt;
  for (const Parameter& p : read->parameters)
    if (p.name == name) return p;
  return std::nullopt;
}

Edit search_over(const GraphDoc& doc, const Parameter& p) {
  Json items = items_of(doc);
  const Json made = to_json(Space{{p}})["parameters"][0];
  const auto old = std::find_if(items.begin(), items.end(), [&](const Json& i) { return is_called(i, p.name); });
  if (old == items.end())
    items.push_back(made);
  else
    *old = made;
  return put_items(std::move(items));
}

Edit search_no_longer(const GraphDoc& doc, const std::string& name) {
  Json left = Json::array();
  const Json items = items_of(doc);
  for (const Json& item : items)
    if (!is_called(item, name) &&
        !(item.is_object() && item.contains("when") && item["when"].is_object() && item["when"].contains(name)))
      left.push_back(item);
  return left == items ? Edit{} : put_items(std::move(left));
}

Result<Parameter> parameter_from_text(const GraphDoc& doc, const SearchField& f, std::string_view typed, bool log) {
  std::string words = trimmed(typed);
  if (words.ends_with(" log")) {
    log = true;
    words = trimmed(std::string_view(words).substr(0, words.size() - 4));
  }
  Json j{{"name", f.name}, {"type", "choice"}};
  if (const auto ends = ends_of(words)) {
    NW_ASSIGN(j, range_json(f, ends->first, ends->second, log));
  } else {
    const std::vector<std::string> values = listed_values(words);
    if (values.empty()) return fail(Errc::bad_input, NW_TR("Write a range, as 0.001 … 0.1, or a list, as 16, 32, 64"));
    for (const std::string& v : values) list_in(j, "values").push_back(value_from_text(v));
  }
  NW_ASSIGN(Space one, space_from_json({{"parameters", Json::array({j})}}, f.name));
  NW_TRY(check_space(doc, one));
  return std::move(one.parameters.front());
}

std::string text_of(const Parameter& p) {
  if (p.kind != Parameter::Kind::choice)
    return fmt::format("{} {} {}", text_of_value(p.low), range_sign, text_of_value(p.high));
  std::string all;
  for (const Json& v : p.values) all += (all.empty() ? "" : ", ") + text_of_value(v);
  return all;
}

std::string text_of_value(const Json& v) {
  if (v.is_string()) return v.get<std::string>();
  return v.is_number_float() ? fmt::format("{:.6g}", v.get<double>()) : v.dump();
}

Json value_from_text(std::string_view typed) {
  const Json parsed = Json::parse(typed, nullptr, false);
  return parsed.is_discarded() || parsed.is_object() || parsed.is_null() ? Json(std::string(typed)) : parsed;
}

std::vector<std::string> listed_values(std::string_view typed) {
  std::vector<std::string> words{{}};
  int depth = 0;
  for (const char c : typed) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  for (std::string& word : words) word = trimmed(word);
  std::erase(words, std::string());
  return words;
}

}  // namespace nw::search
