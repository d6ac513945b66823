# SPDX-License-Identifier: Apache-2.0
"""The words of generated pages: texts of records from the window's catalogue, texts of --help from locale/, headings from here."""
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import po

TOP = Path(__file__).resolve().parents[3]
GUIDE = TOP / "docs/guide"
LANGUAGES = ("en", "zh_CN")
HEADINGS = {
    "Layers": "网络层", "Losses": "损失", "Optimizers": "优化器", "Transforms": "变换", "Commands": "命令",
    "Formula": "公式", "Attributes": "属性", "What it costs": "开销", "In other programs": "在其他程序中",
    "Attribute": "属性", "Meaning": "含义", "Default": "默认值", "Range": "范围", "Option": "选项", "Argument": "参数",
    "Arguments": "参数", "Options": "选项", "Subcommands": "子命令", "Usage": "用法", "Name": "名称", "Command": "命令",
    "There are none.": "没有属性。", "yes": "是", "no": "否", "any number, separated by commas": "任意多个，以逗号分隔",
    "text": "文本", "empty": "空", "REQUIRED": "必需", "none": "无",
    "Group": "分组", "Input": "输入", "Output": "输出", "Learned numbers": "参数量", "Multiply-adds": "乘加次数", "Weights": "权重",
    "With the defaults, behind the input of this example, for one image:": "使用默认值、以下面的输入为例，一张图像的开销：",
    "It depends on its inputs; the window shows it beside the layer.": "取决于输入；窗口在该层旁边显示。",
    "It computes nothing of its own.": "它本身不做任何计算。",
    "A loss has no weights. Its work is small beside that of the layers.": "损失没有权重，与网络层相比计算量很小。",
    "Numbers that it keeps for each weight:": "为每个权重保存的数值个数：",
    "It runs on the processor while images are prepared, and not during validation.": "在处理器上准备图像时进行，验证时不使用。",
    "It mixes pairs of images of a batch, and their targets; validation images are not mixed.": "把批次中的图像及其目标值两两混合；验证图像不混合。",
    "The shapes of one image before and behind the layer.": "一张图像在该层之前和之后的形状。",
    "The network's output and the target t become one number.": "网络的输出与目标值 t 合成一个数。",
    "A weight's gradient g, what is kept for each weight, and the weight w.": "权重的梯度 g、为每个权重保存的数值，以及权重 w。",
    "Above: photos of the example project. Below: what becomes of them.": "上：示例项目的照片。下：变换后的样子。",
    "PyTorch": "PyTorch", "ONNX": "ONNX", "torchvision": "torchvision",
    "defined in the file that is written": "在写出的文件中定义",
    "several operators, or none": "由多个算子表示，或没有",
    "not stored: ONNX files hold networks, not trainings": "不保存：ONNX 文件存放网络，而不是训练",
    "only part of this program's projects": "只存在于 Netwright 的项目中",
    "Choose one of these pages. Each says what the record computes, its attributes, what it costs, and its names elsewhere.":
        "请选择一页。每一页说明它计算什么、有哪些属性、开销多大，以及在其他程序中的名称。",
    "This page is made from what the program prints with --help.": "本页根据程序的 --help 输出生成。",
    "All commands of netwright-cli. Results go to standard output, messages to standard error.":
        "netwright-cli 的全部命令。结果写到标准输出，消息写到标准错误。",
    "Keyboard and gestures": "键盘与手势", "Keys": "按键", "Effect": "作用", "Everywhere": "全局", "On the canvas": "画布上",
    "Print this page for a card on your desk.": "可以打印本页，放在桌上随时查看。",
    "{link}, a page to print, lies beside this one.": "{link}，只有一页，可打印后放在桌上随时查看。",
    "The card of keys and gestures": "键盘与手势卡片",
    "Picture: made by netwright_gallery, which this build does not have": "图片由 netwright_gallery 生成，本次构建中没有",
    "Constant, where its file says so": "以文件为准",
    "and its file": "及其文件",
    "Convolution": "卷积", "Pooling": "池化", "Normalization": "归一化", "Activation": "激活函数", "Linear": "线性", "Attention": "注意力",
    "Regularization": "正则化", "Shape": "形状", "Foreign": "外来算子",
    "Exit codes": "退出码", "Examples": "示例",
    "0 done, 1 other, 2 usage, 3 bad input, 4 no such device, 5 out of memory, 6 not finite, 7 disk, 8 stopped with a checkpoint, 130 and 143 after a signal":
        "0 完成，1 其他错误，2 用法错误，3 输入有误，4 没有这样的设备，5 内存不足，6 非有限值，7 磁盘错误，8 带检查点停止，130 和 143 因信号而结束",
}


class Missing(Exception):
    """Texts without a translation."""


def window_texts():
    """{English: 中文} of the window's catalogue; a text of several contexts has that of its first."""
    found = {}
    for message in ElementTree.parse(TOP / "resources/i18n/netwright_zh_CN.ts").getroot().iter("message"):
        translation = message.find("translation")
        text = (translation.text or "").strip()
        if text and translation.get("type") not in ("unfinished", "vanished", "obsolete"):
            found.setdefault(message.findtext("source"), text)
    return found


class Words:
    """words("Formula"): the text in the page's language. What has no translation is collected in `missing`."""

    def __init__(self, language):
        self.language, self.missing = language, []
        self._help = po.read(GUIDE / "locale/zh_CN/help.po") if language != "en" else {}
        self._window = window_texts() if language != "en" else {}

    def __call__(self, english):
        return self._of(HEADINGS, english)

    def of_record(self, english):
        return self._of(self._window, english)

    def of_help(self, english):
        return self._of(self._help, english)

    def name_of(self, record):
        """The layer's name in the window, where that is another one."""
        return self._window.get(record, record)

    def _of(self, catalogue, english):
        if self.language == "en" or not english:
            return english
        if not catalogue.get(english):
            self.missing.append(english)
        return catalogue.get(english, english)
