// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/page.hpp"

namespace nw::serve_http {

std::string_view page_html() {
  return R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Netwright</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body>
<main>
<h1>Netwright</h1>
<label><span id="network-label"></span> <select id="network"></select></label>
<label id="token-row" hidden><span id="token-label"></span>
<input id="token" type="password" autocomplete="off"></label>
<label id="drop" for="file" tabindex="0"><img id="picture" alt="" hidden><span id="drop-label"></span></label>
<input id="file" type="file" accept="image/*">
<p id="status" role="status"></p>
<table><tbody id="answers"></tbody></table>
</main>
</body>
</html>
)html";
}

std::string_view page_script() {
  return R"js("use strict";
const words = {
  en: {network: "Network", token: "Token", drop: "Drop a picture here, or press to choose one",
       time: (ms) => `Answered in ${ms} ms`, none: "The server does not answer."},
  zh: {network: "网络", token: "令牌", drop: "把图像拖到此处，或点击选择",
       time: (ms) => `${ms} 毫秒内完成`, none: "服务器没有响应。"},
};
const chinese = navigator.language.startsWith("zh");
const text = words[chinese ? "zh" : "en"];
const at = (id) => document.getElementById(id);
document.documentElement.lang = chinese ? "zh" : "en";
at("network-label").textContent = text.network;
at("token-label").textContent = text.token;
at("drop-label").textContent = text.drop;

function headers(more) {
  const token = at("token").value;
  return token ? {...more, Authorization: `Bearer ${token}`} : more;
}

async function ask(path, options) {
  const reply = await fetch(path, {method: "POST", ...options});
  if (reply.status === 401) at("token-row").hidden = false;
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error);
  return answer;
}

async function listNetworks() {
  const models = await ask("v2/repository/index", {headers: headers({})});
  at("network").replaceChildren(...models.map((m) => new Option(m.name)));
}

function row(prediction) {
  const line = document.createElement("tr");
  const name = document.createElement("th");
  const bar = document.createElement("meter");
  const value = document.createElement("td");
  const cell = document.createElement("td");
  name.textContent = prediction.class;
  if (prediction.probability === undefined) {
    value.textContent = prediction.value.toPrecision(4);
  } else {
    bar.value = prediction.probability;
    cell.append(bar);
    value.textContent = `${(100 * prediction.probability).toFixed(2)} %`;
  }
  line.append(name, cell, value);
  return line;
}

async function show(file) {
  const picture = at("picture");
  URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(file);
  picture.hidden = false;
  const begin = performance.now();
  const type = {"Content-Type": file.type || "application/octet-stream"};
  const path = `v2/models/${encodeURIComponent(at("network").value)}/infer`;
  const answer = await ask(path, {headers: headers(type), body: file});
  at("status").textContent = text.time((performance.now() - begin).toFixed(1));
  at("answers").replaceChildren(...answer.predictions.map(row));
}

async function tried(work) {
  at("status").textContent = "";
  try {
    await work();
  } catch (problem) {
    at("answers").replaceChildren();
    at("status").textContent = problem instanceof TypeError ? text.none : problem.message;
  }
}

at("file").addEventListener("change", () => { if (at("file").files[0]) tried(() => show(at("file").files[0])); });
at("token").addEventListener("change", () => tried(listNetworks));
at("drop").addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") at("file").click(); });
for (const name of ["dragenter", "dragover", "drop"])
  document.addEventListener(name, (e) => e.preventDefault());
document.addEventListener("drop", (e) => { if (e.dataTransfer.files[0]) tried(() => show(e.dataTransfer.files[0])); });
tried(listNetworks);
)js";
}

std::string_view page_style() {
  return R"css(:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
label { display: block; margin: .5rem 0; }
label[hidden] { display: none; }
#drop { border: 2px dashed GrayText; border-radius: 8px; padding: 2rem; text-align: center; cursor: pointer; }
#picture { display: block; max-width: 100%; max-height: 16rem; margin: 0 auto 1rem; image-rendering: pixelated; }
#picture[hidden] { display: none; }
#file { position: absolute; opacity: 0; pointer-events: none; }
table { width: 100%; }
th { text-align: left; font-weight: 500; }
meter { width: 100%; }
td:last-child { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
)css";
}

}  // namespace nw::serve_http
