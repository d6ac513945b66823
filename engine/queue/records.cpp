// SPDX-License-Identifier: Apache-2.0
// Records of a queue's journal as lines of JSON.
#include <array>

#include "engine/core/json.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/queue/journal.hpp"

namespace nw::queue {
namespace {

constexpr std::size_t most_words = 200, longest_message = 2000;

Json json_of(const Added& a) {
  const Item& i = a.item;
  return {{"type", "item"},     {"item", i.number}, {"command", i.command},        {"arguments", i.arguments},
          {"folder", i.folder}, {"name", i.name},   {"device", to_text(i.device)}, {"priority", i.priority},
          {"run", i.run},       {"time", i.added}};
}
Json json_of(const Moved& m) { return {{"type", "moved"}, {"item", m.item}, {"before", m.before}}; }
Json json_of(const Prioritized& p) { return {{"type", "priority"}, {"item", p.item}, {"priority", p.priority}}; }
Json json_of(const Paused& p) { return {{"type", "paused"}, {"item", p.item}}; }
Json json_of(const Continued& c) { return {{"type", "continued"}, {"item", c.item}}; }
Json json_of(const Removed& r) { return {{"type", "removed"}, {"item", r.item}}; }
Json json_of(const Began& b) {
  return {{"type", "began"}, {"item", b.item}, {"run", b.run}, {"devices", b.uses}, {"time", b.time}};
}
Json json_of(const Ended& e) {
  Json j{{"type", "ended"}, {"item", e.item}, {"how", name_of(e.how)}, {"time", e.time}};
  if (!e.message.empty()) j["message"] = e.message.substr(0, longest_message);
  return j;
}

std::int64_t item_of(JsonReader& r, std::int64_t least = 1) { return r.integer("item", least, most_items); }

std::vector<std::string> words_of(JsonReader& r, std::string_view key) {
  std::vector<std::string> words;
  const Json* list = r.child(key, Json::value_t::array);
  if (!list || list->size() > most_words) {
    r.problem(text(NW_TR("has no list of words where one belongs")));
    return words;
  }
  for (const Json& word : *list) {
    if (!word.is_string()) r.problem(text(NW_TR("has a word that is no text")));
    if (!r.status()) return {};
    words.push_back(word.get<std::string>());
  }
  return words;
}

Result<Record> added_record(JsonReader& r) {
  Item item{.number = item_of(r),
            .command = r.string("command"),
            .arguments = words_of(r, "arguments"),
            .folder = r.string("folder"),
            .name = r.string_or("name", "")};
  item.priority = r.integer_or("priority", 0, -highest_priority, highest_priority);
  item.run = r.string_or("run", "");
  item.added = r.real_or("time", 0);
  const std::string device = r.string("device");
  NW_TRY(r.status());
  NW_ASSIGN(item.device, device_rule(device));
  return Record(Added{std::move(item)});
}

std::optional<Ending> ending_from(std::string_view name) {
  for (const Ending e : {Ending::finished, Ending::stopped, Ending::failed, Ending::interrupted})
    if (name_of(e) == name) return e;
  return std::nullopt;
}

Result<Record> ended_record(JsonReader& r) {
  const auto how = ending_from(r.string("how"));
  if (!how) r.problem(text(NW_TR("ends an item in a way that there is not")));
  Ended ended;
  ended.item = item_of(r);
  ended.how = how.value_or(Ending::failed);
  ended.message = r.string_or("message", "");
  ended.time = r.real_or("time", 0);
  NW_TRY(r.status());
  return Record(std::move(ended));
}

Result<Record> record_of(const std::string& type, JsonReader& r) {
  if (type == "item") return added_record(r);
  if (type == "ended") return ended_record(r);
  if (type == "moved") return Record(Moved{item_of(r), r.integer("before", 0, most_items)});
  if (type == "priority")
    return Record(Prioritized{item_of(r), r.integer("priority", -highest_priority, highest_priority)});
  if (type == "paused") return Record(Paused{item_of(r, 0)});
  if (type == "continued") return Record(Continued{item_of(r, 0)});
  if (type == "removed") return Record(Removed{item_of(r)});
  if (type == "began") return Record(Began{item_of(r), r.string("run"), words_of(r, "devices"), r.real_or("time", 0)});
  return fail(Errc::unsupported, NW_TR("a record of a newer version"));
}

}  // namespace

std::string record_line(const Record& record) {
  Json j = std::visit([](const auto& what) { return json_of(what); }, record);
  j["schema"] = 1;
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::optional<Record>> record_from_line(std::string_view line) {
  constexpr std::string_view where = "record";
  NW_ASSIGN(const Json json, parse_json(line, where, {.bytes = std::size_t{1} << 20}));
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("the line is no object"));
  JsonReader r(json, std::string(where));
  const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31);
  const std::string type = r.string("type");
  NW_TRY(r.status());
  // A training must not be lost without a word; how it was moved may be.
  if (schema > 1 && type == "item") return newer_format(json, "the queue", schema, 1);
  if (schema > 1) return std::optional<Record>();
  const auto record = record_of(type, r);
  if (!record && record.error().code == Errc::unsupported) return std::optional<Record>();
  if (!record) return record.error();
  NW_TRY(r.status());
  return std::optional<Record>(*record);
}

}  // namespace nw::queue
