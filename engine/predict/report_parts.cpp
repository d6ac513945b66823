// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/report_parts.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/json.hpp"

namespace nw::predicting {
namespace {

// A report is one file in both languages, and the command line writes it without the window's translations.
constexpr std::pair<std::string_view, std::string_view> dictionary[] = {
    {"Evaluation", "评估"},
    {"Accuracy", "准确率"},
    {"All labels correct", "标签全部正确"},
    {"R²", "R²"},
    {"Numbers", "数值"},
    {"Standard deviation", "标准差"},
    {"Mean absolute error", "平均绝对误差"},
    {"Root mean squared error", "均方根误差"},
    {"Loss", "损失"},
    {"Images", "图像"},
    {"Misclassified", "误分类"},
    {"Weights", "权重"},
    {"Split", "划分"},
    {"Data", "数据"},
    {"Run", "运行"},
    {"Version", "版本"},
    {"training", "训练集"},
    {"validation", "验证集"},
    {"test", "测试集"},
    {"Classes", "各类别"},
    {"Class", "类别"},
    {"Precision", "精确率"},
    {"Recall", "召回率"},
    {"F1", "F1"},
    {"ROC AUC", "ROC AUC"},
    {"Average precision", "平均精确率"},
    {"Mean", "平均"},
    {"Mean by images", "按图像加权平均"},
    {"Confusion matrix", "混淆矩阵"},
    {"Rows are true classes, columns are predicted classes.", "行为真实类别，列为预测类别。"},
    {"Curves", "曲线"},
    {"ROC, each class against the rest", "ROC，每类对其余"},
    {"Precision and recall, each class against the rest", "精确率与召回率，每类对其余"},
    {"False-positive rate", "假阳性率"},
    {"True-positive rate", "真阳性率"},
    {"Calibration", "校准"},
    {"Confidence", "置信度"},
    {"Fraction that is correct", "正确的比例"},
    {"Expected calibration error", "期望校准误差"},
    {"Largest calibration error", "最大校准误差"},
    {"Among the most probable", "位于最可能的类别之中"},
    {"Top", "前"},
    {"Misclassified images with the largest loss", "损失最大的误分类图像"},
    {"true", "真实"},
    {"predicted", "预测"},
    {"Settings of the training", "训练设置"},
    {"Setting", "设置"},
    {"Value", "值"},
    {"chance", "随机"},
    {"perfect", "理想"},
    {"One network on two devices", "同一网络在两个设备上"},
    {"Device", "设备"},
    {"Threads", "线程"},
    {"Images per second", "每秒图像数"},
    {"Time of a batch, ms", "每批耗时，毫秒"},
    {"Energy per image, J", "每幅图像的能耗，焦耳"},
    {"Layer", "层"},
    {"Layers", "各层"},
    {"Largest difference", "最大差值"},
    {"Largest value", "最大值"},
    {"Relative", "相对差"},
    {"not finite", "非有限数"},
    {"No layer differs by more than the tolerance", "没有任何层的差异超过容差"},
    {"The first layer that differs by more than the tolerance", "首个差异超过容差的层"},
    {"Images predicted as another class", "预测为不同类别的图像"},
    {"Training", "训练过程"},
    {"Epoch", "轮次"},
    {"Best epoch", "最佳轮次"},
    {"Network", "网络"},
    {"parameters", "个参数"},
    {"Parameters", "参数"},
    {"Layers that are not drawn", "未绘出的层"},
    {"Folder", "文件夹"},
    {"Size", "尺寸"},
    {"Mean of each channel", "各通道均值"},
    {"Standard deviation of each channel", "各通道标准差"},
    {"Hash of the data", "数据哈希"},
    {"Hash of the split", "划分哈希"},
    {"entries", "项"},
    {"Report of a run", "运行报告"},
    {"Report of a study", "研究报告"},
    {"Status", "状态"},
    {"running", "正在训练"},
    {"running", "进行中"},
    {"paused", "已暂停"},
    {"complete", "已完成"},
    {"pruned", "已剪除"},
    {"finished", "已完成"},
    {"stopped", "已停止"},
    {"failed", "失败"},
    {"interrupted", "已中断"},
    {"Begun", "开始于"},
    {"Seconds of training", "训练秒数"},
    {"Best on validation", "验证集最佳"},
    {"On the test set", "测试集"},
    {"Last loss", "最后的损失"},
    {"Epochs", "轮次"},
    {"Hash of the network", "网络哈希"},
    {"Began with the weights of", "起始权重来自"},
    {"step", "步"},
    {"SHA-256 of those weights", "这些权重的 SHA-256"},
    {"Energy of the GPUs, J", "GPU 能耗，焦耳"},
    {"Energy of the processors, J", "处理器能耗，焦耳"},
    {"Training loss", "训练损失"},
    {"Training accuracy", "训练准确率"},
    {"Validation loss", "验证损失"},
    {"Validation accuracy", "验证准确率"},
    {"Learning rate", "学习率"},
    {"Project", "项目"},
    {"Objectives", "目标"},
    {"Sampler", "采样器"},
    {"Pruner", "剪枝器"},
    {"Epochs of a trial", "每个试验的轮次"},
    {"Seed", "随机种子"},
    {"Trials", "试验"},
    {"Trial", "试验"},
    {"Hash of the project", "项目哈希"},
    {"Searched fields", "搜索的字段"},
    {"Field", "字段"},
    {"Range", "范围"},
    {"Search", "搜索"},
    {"Best so far", "目前最佳"},
    {"Best trial", "最佳试验"},
    {"With other seeds", "使用其他种子"}};

constexpr std::string_view style = R"(
:root{color-scheme:light dark;
  --ink:#1b1b22;--muted:#5c5c6b;--line:#d9d9e0;--card:#fff;--ground:#f4f4f7;--heat:11,79,138;
  --s0:#0b4f8a;--s1:#a63d00;--s2:#1b7f4b;--s3:#7a3fb5;--s4:#8a6d00;--s5:#b0215f}
@media(prefers-color-scheme:dark){:root{
  --ink:#ececf1;--muted:#a3a3b2;--line:#3a3a46;--card:#1f1f27;--ground:#16161c;--heat:109,179,242;
  --s0:#6db3f2;--s1:#f0955a;--s2:#5fcf95;--s3:#c39bf0;--s4:#d9bd4a;--s5:#f07fb0}}
body{font:15px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif;
  color:var(--ink);background:var(--ground);margin:0 auto;max-width:70rem;padding:1.5rem}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .6rem}
.muted{color:var(--muted)}
.figures{display:flex;flex-wrap:wrap;gap:2.5rem;margin:1rem 0}
.figures b{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;background:var(--card);font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.25rem .7rem;text-align:right}
th:first-child,td:first-child{text-align:left}
.scroll,.network{overflow-x:auto}
.matrix td,.matrix th{padding:.25rem .45rem}
.drawings,.pictures{display:flex;flex-wrap:wrap;gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem}
.pictures img{width:96px;height:96px;object-fit:contain;image-rendering:pixelated;background:#000;display:block}
.pictures figcaption{font-size:.85rem;max-width:96px;overflow-wrap:anywhere}
svg text{fill:var(--muted);font-size:11px}svg .n{fill:var(--ink)}
.grid{stroke:var(--line)}.c{fill:none;stroke-width:1.8}
.box{fill:var(--card);stroke:var(--line)}.edge{fill:none;stroke:var(--muted)}.tip{fill:var(--muted)}
.legend{font-size:.85rem;max-width:320px}
.legend i{display:inline-block;width:.9rem;height:.2rem;vertical-align:middle;margin-right:.3rem}
.s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}
.s3{stroke:var(--s3)}.s4{stroke:var(--s4)}.s5{stroke:var(--s5)}
i.s0{background:var(--s0)}i.s1{background:var(--s1)}i.s2{background:var(--s2)}
i.s3{background:var(--s3)}i.s4{background:var(--s4)}i.s5{background:var(--s5)}
label{cursor:pointer;margin-right:1rem}
#en:checked~main [lang=zh],#zh:checked~main [lang=en]{display:none}
@media print{.choice,#en,#zh{display:none}body{background:none}}
)";

constexpr double side = 300, left = 56, top = 10, whole_width = 370, whole_height = 360;
double px(double x) { return left + side * x; }
double py(double y) { return top + side * (1 - y); }

/// The value at the fraction `at` of an axis: two decimals from 0 to 1, else three digits.
std::string tick(const AxisRange& r, double at) {
  const double v = r.low + at * (r.high - r.low);
  return r.low == 0 && r.high == 1 ? fmt::format("{:.2f}", v) : fmt::format("{:.3g}", v);
}

std::string axes(std::string_view x_name, std::string_view y_name, AxisRange x = {}, AxisRange y = {}) {
  std::string s;
  for (int k = 0; k <= 4; ++k) {
    const double v = k / 4.0;
    s += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        px(0), py(v), px(1), px(0) - 6, py(v) + 4, tick(y, v), px(v), py(0) + 16, tick(x, v));
  }
  s += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", px(0.5), py(0) + 34,
                   words(x_name, "tspan"));
  return s + fmt::format("<text transform=\"translate(11 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                         py(0.5), words(y_name, "tspan"));
}

std::string line(const DrawnCurve& c, AxisRange x = {}, AxisRange y = {}) {
  const auto within = [](double v, const AxisRange& r) { return (v - r.low) / (r.high - r.low); };
  std::string d;
  for (std::size_t i = 0; i < c.x.size(); ++i)
    d += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", px(within(c.x[i], x)), py(within(c.y[i], y)));
  return fmt::format("<path class=\"c s{}\"{} d=\"{}\"/>", c.colour % 6, c.dashed ? " stroke-dasharray=\"4 4\"" : "",
                     d);
}

std::string framed(std::string_view title, const std::string& inside, const std::string& legend) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><svg width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "role=\"img\">{}</svg><div class=\"legend\">{}</div></figure>\n",
      words(title), whole_width, whole_height, whole_width, whole_height, inside, legend);
}

}  // namespace

std::string escaped(std::string_view text) {
  // The JSON writer replaces invalid UTF-8; parsing its result removes the quotes it adds.
  const std::string clean =
      Json::parse(Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  std::string out;
  for (const char c : clean) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string words(std::string_view english, std::string_view element) {
  for (const auto& [en, zh] : dictionary)
    if (en == english) return fmt::format("<{0} lang=\"en\">{1}</{0}><{0} lang=\"zh\">{2}</{0}>", element, en, zh);
  return escaped(english);
}

std::string page_head(const std::string& title, bool chinese) {
  const std::string_view en = chinese ? "" : " checked", zh = chinese ? " checked" : "";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<input type=\"radio\" name=\"language\" id=\"en\"{}> <label class=\"choice\" for=\"en\">English</label>"
      "<input type=\"radio\" name=\"language\" id=\"zh\"{}> <label class=\"choice\" for=\"zh\" "
      "lang=\"zh-CN\">中文</label>\n<main>\n",
      escaped(title), style, en, zh);
}

std::string drawing(std::string_view title, std::string_view x_name, std::string_view y_name,
                    const std::vector<DrawnCurve>& curves, AxisRange x, AxisRange y) {
  std::string inside = axes(x_name, y_name, x, y), legend;
  for (const DrawnCurve& c : curves) {
    if (c.x.empty()) continue;
    inside += line(c, x, y);
    legend += fmt::format("<span><i class=\"s{}\"></i>{}</span> ", c.colour % 6,
                          c.translated ? words(c.name) : escaped(c.name));
  }
  return framed(title, inside, legend);
}

std::string calibration_drawing(const Calibration& c) {
  double all = 0;
  for (const CalibrationBin& b : c.bins) all += static_cast<double>(b.count);
  std::string inside = axes("Confidence", "Fraction that is correct");
  DrawnCurve right{.colour = 0}, perfect{.colour = 1, .dashed = true, .x = {0, 1}, .y = {0, 1}};
  for (const CalibrationBin& b : c.bins) {
    if (b.count == 0) continue;
    const double share = static_cast<double>(b.count) / all;
    inside += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"rgba(var(--heat),.18)\"/>",
        px(b.from) + 1, py(share), side * (b.to - b.from) - 2, side * share);
    right.x.push_back(b.confidence);
    right.y.push_back(b.accuracy);
  }
  return framed("Calibration", inside + line(perfect) + line(right),
                fmt::format("<span><i class=\"s1\"></i>{}</span> <span><i class=\"s0\"></i>{}</span>", words("perfect"),
                            words("Fraction that is correct")));
}

std::string table_of(const std::vector<std::vector<std::string>>& rows, std::string_view kind) {
  std::string out = fmt::format("<div class=\"scroll\"><table class=\"{}\">\n", kind);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += "<tr>";
    for (const std::string& cell : rows[r])
      out += cell.starts_with("<td") ? cell : fmt::format("<{0}>{1}</{0}>", r == 0 ? "th" : "td", cell);
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace nw::predicting
