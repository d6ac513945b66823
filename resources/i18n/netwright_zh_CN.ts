<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>Find a layer</source>
        <translation>查找网络层</translation>
    </message>
    <message>
        <source>New empty network</source>
        <translation>新建空网络</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Export the diagram…</source>
        <translation>导出网络图…</translation>
    </message>
    <message>
        <source>Copy the training command line</source>
        <translation>复制训练命令行</translation>
    </message>
    <message>
        <source>Close the project</source>
        <translation>关闭项目</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Add a layer</source>
        <translation>添加网络层</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>设计</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show the whole network</source>
        <translation>显示整个网络</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Training settings</source>
        <translation>训练设置</translation>
    </message>
    <message>
        <source>Reset the layout of panels</source>
        <translation>重置面板布局</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Pause or continue</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>Stop training</source>
        <translation>停止训练</translation>
    </message>
    <message>
        <source>Go to the next problem</source>
        <translation>转到下一个问题</translation>
    </message>
    <message>
        <source>Search all commands</source>
        <translation>搜索所有命令</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>首选项…</translation>
    </message>
    <message>
        <source>Help and keyboard shortcuts</source>
        <translation>帮助与键盘快捷键</translation>
    </message>
    <message>
        <source>About Netwright</source>
        <translation>关于 Netwright</translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation>打开菜单</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete and reconnect</source>
        <translation>删除并重新连接</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>旁路</translation>
    </message>
    <message>
        <source>Freeze weights</source>
        <translation>冻结权重</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>便签</translation>
    </message>
    <message>
        <source>Lay out the network</source>
        <translation>整理网络布局</translation>
    </message>
    <message>
        <source>Lay out the selection</source>
        <translation>整理所选布局</translation>
    </message>
    <message>
        <source>Start a connection</source>
        <translation>开始连接</translation>
    </message>
    <message>
        <source>Select predecessors</source>
        <translation>选择前驱层</translation>
    </message>
    <message>
        <source>Select successors</source>
        <translation>选择后继层</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Show the selection</source>
        <translation>显示所选</translation>
    </message>
    <message>
        <source>Duplicate with inputs</source>
        <translation>连同输入一起复制</translation>
    </message>
    <message>
        <source>Make a block of the selection</source>
        <translation>将所选内容做成模块</translation>
    </message>
    <message>
        <source>Ungroup the block</source>
        <translation>拆开模块</translation>
    </message>
    <message>
        <source>Make the block unique</source>
        <translation>使模块独立</translation>
    </message>
    <message>
        <source>Align left edges</source>
        <translation>左边缘对齐</translation>
    </message>
    <message>
        <source>Align centres, one below the other</source>
        <translation>上下排列，中心对齐</translation>
    </message>
    <message>
        <source>Align right edges</source>
        <translation>右边缘对齐</translation>
    </message>
    <message>
        <source>Align upper edges</source>
        <translation>上边缘对齐</translation>
    </message>
    <message>
        <source>Align centres, side by side</source>
        <translation>左右排列，中心对齐</translation>
    </message>
    <message>
        <source>Align lower edges</source>
        <translation>下边缘对齐</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>水平等距分布</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>垂直等距分布</translation>
    </message>
    <message>
        <source>Straighten the connections</source>
        <translation>拉直连接</translation>
    </message>
    <message>
        <source>Connect the selection</source>
        <translation>连接所选网络层</translation>
    </message>
    <message>
        <source>Detach and reconnect</source>
        <translation>取出并重新连接</translation>
    </message>
    <message>
        <source>Remove all connections</source>
        <translation>移除所有连接</translation>
    </message>
    <message>
        <source>Add a bend point to the connection</source>
        <translation>在连接上放一个折点</translation>
    </message>
    <message>
        <source>Overview map</source>
        <translation>概览图</translation>
    </message>
    <message>
        <source>High-contrast theme</source>
        <translation>高对比度主题</translation>
    </message>
    <message>
        <source>Train your first network</source>
        <translation>训练您的第一个网络</translation>
    </message>
    <message>
        <source>History of edits</source>
        <translation>编辑历史</translation>
    </message>
    <message>
        <source>Outputs of all layers for a sample image</source>
        <translation>显示所有层对示例图像的输出</translation>
    </message>
    <message>
        <source>Outputs of the selection for a sample image</source>
        <translation>显示所选层对示例图像的输出</translation>
    </message>
    <message>
        <source>No heatmap</source>
        <translation>不显示热力图</translation>
    </message>
    <message>
        <source>Heatmap: time of a training step</source>
        <translation>热力图：训练一步的时间</translation>
    </message>
    <message>
        <source>Heatmap: memory of the outputs</source>
        <translation>热力图：输出占用的内存</translation>
    </message>
    <message>
        <source>Heatmap: spread of the outputs</source>
        <translation>热力图：输出的离散程度</translation>
    </message>
    <message>
        <source>Heatmap: fraction of zeros in the outputs</source>
        <translation>热力图：输出中零的比例</translation>
    </message>
    <message>
        <source>Compare with a project or run…</source>
        <translation>与项目或运行比较…</translation>
    </message>
    <message>
        <source>Get data…</source>
        <translation>获取数据…</translation>
    </message>
    <message>
        <source>Browse the images…</source>
        <translation>浏览图像…</translation>
    </message>
    <message>
        <source>Heatmap: size of the gradients</source>
        <translation>热力图：梯度大小</translation>
    </message>
    <message>
        <source>Heatmap: size of the updates</source>
        <translation>热力图：更新大小</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>转到下一个窗格</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Start from weights…</source>
        <translation>从权重开始…</translation>
    </message>
    <message>
        <source>Adapt to my images…</source>
        <translation>用于我的图像…</translation>
    </message>
    <message>
        <source>Adapt to a table…</source>
        <translation>用于表格…</translation>
    </message>
    <message>
        <source>Save the block to my palette…</source>
        <translation>将模块存入我的组件…</translation>
    </message>
    <message>
        <source>Freeze up to here</source>
        <translation>冻结到此层</translation>
    </message>
    <message>
        <source>Search for settings…</source>
        <translation>搜索设置…</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Branch from here…</source>
        <translation>从此处建立分支…</translation>
    </message>
    <message>
        <source>Merge with…</source>
        <translation>合并…</translation>
    </message>
    <message>
        <source>Deploy</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>Export by the chosen card</source>
        <translation>按所选卡片导出</translation>
    </message>
    <message>
        <source>Prove the chosen export again</source>
        <translation>重新证明所选导出</translation>
    </message>
    <message>
        <source>Prove all exports again</source>
        <translation>重新证明全部导出</translation>
    </message>
    <message>
        <source>Start or stop the inference server</source>
        <translation>启动或停止推理服务器</translation>
    </message>
    <message>
        <source>Watch the folder, or stop</source>
        <translation>监视文件夹或停止</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>测量速度</translation>
    </message>
    <message>
        <source>Make the smaller network, or stop</source>
        <translation>生成较小的网络，或停止</translation>
    </message>
    <message>
        <source>Undo the step of compression</source>
        <translation>撤销这一压缩步骤</translation>
    </message>
    <message>
        <source>Go to the undone step of compression</source>
        <translation>重做被撤销的压缩步骤</translation>
    </message>
    <message>
        <source>Keep the smaller network as a run…</source>
        <translation>将较小的网络保留为运行…</translation>
    </message>
    <message>
        <source>Settings of the run</source>
        <translation>运行的设置</translation>
    </message>
    <message>
        <source>User guide for this place</source>
        <translation>当前位置的用户指南</translation>
    </message>
    <message>
        <source>Move to the lane on the left</source>
        <translation>移到左边的泳道</translation>
    </message>
    <message>
        <source>Move to the lane on the right</source>
        <translation>移到右边的泳道</translation>
    </message>
    <message>
        <source>Balance the lanes</source>
        <translation>均衡泳道</translation>
    </message>
    <message>
        <source>Lanes: layers by device</source>
        <translation>泳道：按设备显示网络层</translation>
    </message>
    <message>
        <source>Placement on devices</source>
        <translation>在设备上的放置</translation>
    </message>
    <message>
        <source>Run elsewhere…</source>
        <translation>在别处运行…</translation>
    </message>
    <message>
        <source>Tour: train on your own photos</source>
        <translation>导览：用自己的照片训练</translation>
    </message>
    <message>
        <source>Tour: find a better network</source>
        <translation>导览：找到更好的网络</translation>
    </message>
    <message>
        <source>Tour: deploy a network</source>
        <translation>导览：部署网络</translation>
    </message>
    <message>
        <source>Keyboard and gesture card (PDF)</source>
        <translation>快捷键与手势卡片（PDF）</translation>
    </message>
    <message>
        <source>What is this control?</source>
        <translation>这个控件是什么？</translation>
    </message>
    <message>
        <source>What&apos;s this? Click a control</source>
        <translation>这是什么？点击一个控件</translation>
    </message>
</context>
<context>
    <name>Ago</name>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>%1 分钟前</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>%1 小时前</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>AnswerRows</name>
    <message>
        <source>%1 (true: %2)</source>
        <translation>%1（真实值：%2）</translation>
    </message>
</context>
<context>
    <name>Brand</name>
    <message>
        <source>Draw it, train it, see why</source>
        <translation>画出来，训练它，看懂它</translation>
    </message>
</context>
<context>
    <name>ChartExport</name>
    <message>
        <source>Export chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>The chart was exported to %1.</source>
        <translation>图表已导出到 %1。</translation>
    </message>
</context>
<context>
    <name>ClassTable</name>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>R²</source>
        <translation>R²</translation>
    </message>
    <message>
        <source>Fraction of the variance that is explained: 1 is perfect, 0 is no better than predicting the mean</source>
        <translation>被解释的方差比例：1 为完美，0 表示不优于始终预测均值</translation>
    </message>
    <message>
        <source>MAE</source>
        <translation>MAE</translation>
    </message>
    <message>
        <source>Mean absolute error of the predictions</source>
        <translation>预测的平均绝对误差</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Root mean squared error: large errors count more</source>
        <translation>均方根误差：较大的误差占更大比重</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Mean of the true values</source>
        <translation>真实值的均值</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation of the true values</source>
        <translation>真实值的标准差</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>Fraction of the images predicted as this class that belong to it</source>
        <translation>预测为该类别的图像中真正属于它的比例</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>Fraction of the images of this class that are predicted correctly</source>
        <translation>该类别的图像中被正确预测的比例</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Harmonic mean of precision and recall</source>
        <translation>精确率与召回率的调和平均</translation>
    </message>
    <message>
        <source>ROC AUC</source>
        <translation>ROC AUC</translation>
    </message>
    <message>
        <source>Probability that an image of this class scores higher than an image of another class</source>
        <translation>该类别图像的得分高于其他类别图像的概率</translation>
    </message>
    <message>
        <source>AP</source>
        <translation>AP</translation>
    </message>
    <message>
        <source>Average precision: area under the precision-recall curve</source>
        <translation>平均精确率：精确率-召回率曲线下的面积</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>How many images are of this class</source>
        <translation>该类别的图像数量</translation>
    </message>
    <message>
        <source>Precision and recall of every class</source>
        <translation>各类别的精确率与召回率</translation>
    </message>
</context>
<context>
    <name>CompressState</name>
    <message>
        <source>This run computes in 8 bits: it is not pruned or trained further. Undo the step, or choose the run before it, to go on from there.</source>
        <translation>此运行以 8 位计算，不再剪枝或训练。请撤销此步骤，或选择它之前的运行，再从那里继续。</translation>
    </message>
</context>
<context>
    <name>CompressSteps</name>
    <message>
        <source>%1 %2 %</source>
        <comment>layer, share</comment>
        <translation>%1 %2 %</translation>
    </message>
    <message numerus="yes">
        <source>Prune %n layer(s)</source>
        <translation>
            <numerusform>剪枝 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Prune %1</source>
        <translation>剪枝 %1</translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>Choosing channels</source>
        <translation>正在选择通道</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>正在训练</translation>
    </message>
    <message>
        <source>Calibrating for 8 bits</source>
        <translation>正在为 8 位校准</translation>
    </message>
    <message>
        <source>Evaluating the original</source>
        <translation>正在评估原网络</translation>
    </message>
    <message>
        <source>Evaluating the result</source>
        <translation>正在评估结果</translation>
    </message>
    <message>
        <source>Measuring latency</source>
        <translation>正在测量延迟</translation>
    </message>
    <message>
        <source>Computing from exported files</source>
        <translation>正在用导出的文件计算</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>Measuring sensitivities</source>
        <translation>正在测量敏感度</translation>
    </message>
    <message>
        <source>Trying the speed</source>
        <translation>正在试测速度</translation>
    </message>
    <message>
        <source>Not faster on this processor (%1) with batches of %2: %3</source>
        <translation>在此处理器（%1）上，批量为 %2 时并不更快：%3</translation>
    </message>
</context>
<context>
    <name>DeployPage</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Serve</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Compress</source>
        <translation>压缩</translation>
    </message>
</context>
<context>
    <name>DeviceChart</name>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>planned %1</source>
        <translation>计划 %1</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1: %2/s in, %3/s out</source>
        <translation>%1：输入 %2/s，输出 %3/s</translation>
    </message>
    <message>
        <source>This run: %1 of the GPU</source>
        <translation>本次运行：GPU 的 %1</translation>
    </message>
    <message>
        <source>This run: %1 of memory</source>
        <translation>本次运行：显存 %1</translation>
    </message>
    <message>
        <source>Clock: %1 MHz</source>
        <translation>时钟：%1 MHz</translation>
    </message>
    <message>
        <source>Memory clock: %1 MHz</source>
        <translation>显存时钟：%1 MHz</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>%1 秒前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Training started</source>
        <translation>训练开始</translation>
    </message>
    <message>
        <source>validation %1, loss %2</source>
        <translation>验证 %1，损失 %2</translation>
    </message>
    <message>
        <source>training %1, loss %2</source>
        <translation>训练 %1，损失 %2</translation>
    </message>
    <message>
        <source>Epoch %1 finished</source>
        <translation>第 %1 轮完成</translation>
    </message>
    <message>
        <source>Best so far: %1</source>
        <translation>目前最佳：%1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Checkpoint saved as best</source>
        <translation>已保存检查点（最佳）</translation>
    </message>
    <message>
        <source>Checkpoint saved</source>
        <translation>已保存检查点</translation>
    </message>
    <message>
        <source>Training resumed</source>
        <translation>训练已恢复</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>从第 %1 步</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Continued</source>
        <translation>已继续</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>训练失败</translation>
    </message>
    <message>
        <source>Training stopped</source>
        <translation>训练已停止</translation>
    </message>
    <message>
        <source>Training finished</source>
        <translation>训练完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Healthy</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s), %2 a step</source>
        <translation>
            <numerusform>%1 张图像，每步 %2 张</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待中</translation>
    </message>
</context>
<context>
    <name>EvidenceChart</name>
    <message>
        <source>epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
</context>
<context>
    <name>Exclusion</name>
    <message numerus="yes">
        <source>Exclude %n image(s)</source>
        <translation>
            <numerusform>排除 %n 张图像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Include %n image(s) again</source>
        <translation>
            <numerusform>恢复使用 %n 张图像</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportItem</name>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>Max |Δ|</source>
        <translation>最大 |Δ|</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>There is no C compiler on this computer</source>
        <translation>此计算机上没有 C 编译器</translation>
    </message>
    <message>
        <source>Not found on this computer: %1</source>
        <translation>此计算机上未找到 %1</translation>
    </message>
    <message>
        <source>Nothing on this computer runs it</source>
        <translation>此计算机上没有能运行它的程序</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>未导出</translation>
    </message>
    <message>
        <source>Being proved</source>
        <translation>正在证明</translation>
    </message>
    <message>
        <source>Being checked</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>✓ Proved</source>
        <translation>✓ 已证明</translation>
    </message>
    <message>
        <source>Written, not run</source>
        <translation>已写入，未运行</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>✕ Failed</source>
        <translation>✕ 失败</translation>
    </message>
    <message>
        <source>✕ Changed</source>
        <translation>✕ 已被改动</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>since its proof: %1</source>
        <translation>证明之后改动：%1</translation>
    </message>
    <message>
        <source>of step %1, %2</source>
        <translation>第 %1 步，%2</translation>
    </message>
    <message>
        <source>Top-1 agrees</source>
        <translation>Top-1 一致</translation>
    </message>
    <message>
        <source>One image</source>
        <translation>单张图像</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Read again bit by bit</source>
        <translation>已重新逐位读回</translation>
    </message>
    <message>
        <source>Written; it was not started</source>
        <translation>已写入；未启动</translation>
    </message>
    <message>
        <source>Run by %1</source>
        <translation>运行它的程序：%1</translation>
    </message>
    <message>
        <source>Weights read</source>
        <translation>读取权重</translation>
    </message>
    <message>
        <source>Real images computed by the run&apos;s own network</source>
        <translation>用本次运行的网络计算真实图像</translation>
    </message>
    <message>
        <source>Written for the trial</source>
        <translation>为检验而写入</translation>
    </message>
    <message>
        <source>Read and run in fresh processes</source>
        <translation>在新进程中读取并运行</translation>
    </message>
    <message>
        <source>Put in its place</source>
        <translation>放到目标位置</translation>
    </message>
    <message>
        <source>Every file&apos;s SHA-256 stamped</source>
        <translation>写入每个文件的 SHA-256</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>training</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>位于%1</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source>labels differ: %1</source>
        <translation>标签不一致：%1</translation>
    </message>
    <message>
        <source>Blank image</source>
        <translation>空白图像</translation>
    </message>
    <message>
        <source>Class %1 has few images</source>
        <translation>类别 %1 的图像很少</translation>
    </message>
    <message>
        <source>Channel %1 is the same everywhere</source>
        <translation>通道 %1 处处相同</translation>
    </message>
    <message>
        <source>Grey images stored in three channels; one channel is enough</source>
        <translation>灰度图像存为三个通道；一个通道即可</translation>
    </message>
    <message>
        <source>Unreadable, skipped</source>
        <translation>无法读取，已跳过</translation>
    </message>
    <message>
        <source>Different size, resized</source>
        <translation>尺寸不同，已缩放</translation>
    </message>
    <message>
        <source>%1, predicted as %2</source>
        <translation>%1，预测为 %2</translation>
    </message>
    <message>
        <source>confidence %1, loss %2, %3</source>
        <translation>置信度 %1，损失 %2，%3</translation>
    </message>
    <message numerus="yes">
        <source>%1 duplicate(s) of one image</source>
        <translation>
            <numerusform>同一图像重复 %1 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 near-duplicate image(s), similarity %2</source>
        <translation>
            <numerusform>%1 张近似重复图像，相似度 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FrameTitle</name>
    <message>
        <source>Hidden layers</source>
        <translation>隐藏层</translation>
    </message>
    <message>
        <source>Classifier</source>
        <translation>分类器</translation>
    </message>
    <message>
        <source>Odd or even</source>
        <translation>奇数还是偶数</translation>
    </message>
    <message>
        <source>Feature extractor</source>
        <translation>特征提取</translation>
    </message>
    <message>
        <source>Stem</source>
        <translation>主干入口</translation>
    </message>
    <message>
        <source>Residual stages</source>
        <translation>残差阶段</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Inverted residuals</source>
        <translation>倒残差</translation>
    </message>
</context>
<context>
    <name>GuardedApplication</name>
    <message>
        <source>there is not enough memory</source>
        <translation>内存不足</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>Open a network</source>
        <translation>打开一个网络</translation>
    </message>
    <message>
        <source>Click this template. LeNet-5 classifies handwritten digits; it is ready to train, which takes a minute or two.</source>
        <translation>点击这个模板。LeNet-5 用于识别手写数字；它已可直接训练，只需一两分钟。</translation>
    </message>
    <message>
        <source>Choose a layer</source>
        <translation>选择一层</translation>
    </message>
    <message>
        <source>Every node is a layer; images enter at the top. Click this convolution, or go there with the arrow keys.</source>
        <translation>每个节点是一个网络层，图像从上方进入。点击这个卷积层，或用方向键移到那里。</translation>
    </message>
    <message>
        <source>Change a setting</source>
        <translation>修改一项设置</translation>
    </message>
    <message>
        <source>Type another number of filters, such as 12, and press Enter. The shapes along the connections follow; Ctrl+Z undoes it.</source>
        <translation>输入另一个卷积核数，例如 12，然后按回车。连接上的形状会随之改变；Ctrl+Z 可撤销。</translation>
    </message>
    <message>
        <source>Train it</source>
        <translation>训练它</translation>
    </message>
    <message>
        <source>Press Train. Training runs in a separate process, so the window stays responsive.</source>
        <translation>按“训练”。训练在单独的进程中进行，窗口仍可使用。</translation>
    </message>
    <message>
        <source>Watch it learn</source>
        <translation>看它学习</translation>
    </message>
    <message>
        <source>The loss falls and the accuracy rises. Press Stop at any time: the trained weights are kept. Or wait until training has finished.</source>
        <translation>损失下降，准确率上升。可随时按“停止”，训练好的权重会保留；也可以等待训练完成。</translation>
    </message>
    <message>
        <source>See its predictions</source>
        <translation>查看它的预测</translation>
    </message>
    <message>
        <source>Click Predict, or press Ctrl+3, to see the test images with the network&apos;s predictions.</source>
        <translation>点击“预测”或按 Ctrl+3，查看测试图像以及网络的预测。</translation>
    </message>
    <message>
        <source>Try it yourself</source>
        <translation>亲自试试</translation>
    </message>
    <message>
        <source>Draw a digit on this pad and watch the class probabilities change. Without a mouse: choose a cell of the confusion matrix with the arrow keys and Enter.</source>
        <translation>在画板上写一个数字，观察各类别的概率如何变化。不用鼠标时：用方向键和回车选择混淆矩阵的一个单元格。</translation>
    </message>
    <message>
        <source>You have trained a network</source>
        <translation>您已训练了一个网络</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>带我过去</translation>
    </message>
    <message>
        <source>Skip this step</source>
        <translation>跳过这一步</translation>
    </message>
    <message>
        <source>Next: change the network and compare both runs on the Runs page, open another template, or draw your own network. F1 opens the user guide.</source>
        <translation>接下来：修改网络并在“运行”页比较两者，换一个模板，或自己绘制。按 F1 打开用户指南。</translation>
    </message>
    <message>
        <source>Go to Runs</source>
        <translation>转到“运行”</translation>
    </message>
    <message>
        <source>A study trains the network many times with other settings and keeps what is best. Click Runs, or press Ctrl+4.</source>
        <translation>研究会用不同设置多次训练网络，并保留最好的结果。点击“运行”，或按 Ctrl+4。</translation>
    </message>
    <message>
        <source>Open the studies</source>
        <translation>打开研究</translation>
    </message>
    <message>
        <source>Click Studies. All studies on this computer are listed here.</source>
        <translation>点击“研究”。这里列出这台计算机上的全部研究。</translation>
    </message>
    <message>
        <source>Begin a search</source>
        <translation>开始搜索</translation>
    </message>
    <message>
        <source>Press Search for settings. A list of all settings opens; those that usually matter are ticked already, with a range for each.</source>
        <translation>点击“搜索设置…”。打开的列表中有全部设置，通常重要的几项已经勾选并给出范围。</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>启动搜索</translation>
    </message>
    <message>
        <source>Choose how many trials and epochs you can wait for, and press Start the search. Trials that are clearly worse end early.</source>
        <translation>选择您愿意等待的试验次数和轮次，然后点击“开始搜索”。明显较差的试验会提前结束。</translation>
    </message>
    <message>
        <source>Watch the trials</source>
        <translation>观察试验</translation>
    </message>
    <message>
        <source>Each row is a trial with its settings and its result. The best one comes first. Wait until the study has ended, or press Stop: what was found is kept.</source>
        <translation>每一行是一次试验及其设置和结果，最好的排在最前。等研究结束，或点击“停止”：已有结果会保留。</translation>
    </message>
    <message>
        <source>Take the best network</source>
        <translation>采用最好的网络</translation>
    </message>
    <message>
        <source>Choose the first row and press Open network. It becomes a project of its own with the settings that were found.</source>
        <translation>选中第一行，点击“打开网络”。它会成为一个使用所找到设置的独立项目。</translation>
    </message>
    <message>
        <source>You have found better settings</source>
        <translation>您已找到更好的设置</translation>
    </message>
    <message>
        <source>Next: train this network for more epochs, and repeat the best trial with other seeds to see whether it is better by more than chance. F1 opens the user guide.</source>
        <translation>接下来：用更多轮次训练这个网络，并换随机种子重复最好的试验，看看它的优势是否超出偶然。按 F1 打开用户指南。</translation>
    </message>
    <message>
        <source>Go to Deploy</source>
        <translation>转到“部署”</translation>
    </message>
    <message>
        <source>A trained network leaves here for other programs. Click Deploy, or press Ctrl+5.</source>
        <translation>训练好的网络从这里交给其他程序使用。点击“部署”，或按 Ctrl+5。</translation>
    </message>
    <message>
        <source>Choose the weights</source>
        <translation>选择权重</translation>
    </message>
    <message>
        <source>The best weights of your newest run are chosen here; the menu lists all others. Where there is no run yet, train one first: the tour waits.</source>
        <translation>这里已选中最新运行的最佳权重，菜单中列出其他权重。如果还没有运行，请先训练一次，导览会等待。</translation>
    </message>
    <message>
        <source>Export it</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Press Export on the card ONNX and choose a file. Most programs that run networks read this format.</source>
        <translation>在 ONNX 卡片上点击“导出”并选择文件。大多数运行网络的程序都能读取这种格式。</translation>
    </message>
    <message>
        <source>Read the proof</source>
        <translation>查看证明</translation>
    </message>
    <message>
        <source>The file was read again and computed test images; the panel says by how much their outputs differ from those of Netwright. Press Prove again to see it done once more.</source>
        <translation>文件已被重新读取并计算了测试图像；面板说明其输出与 Netwright 的输出相差多少。点击“重新证明”可再做一次。</translation>
    </message>
    <message>
        <source>Open the server</source>
        <translation>打开服务器</translation>
    </message>
    <message>
        <source>A network can also answer over HTTP. Click Serve.</source>
        <translation>网络也可以通过 HTTP 提供预测。点击“服务”。</translation>
    </message>
    <message>
        <source>Serve it</source>
        <translation>提供服务</translation>
    </message>
    <message>
        <source>Press Start server. Its address appears beside; open it in a browser and drop an image there. Only this computer reaches it.</source>
        <translation>点击“启动服务器”。旁边会显示地址，在浏览器中打开并拖入一张图像。只有这台计算机可以访问。</translation>
    </message>
    <message>
        <source>Your network has left</source>
        <translation>您的网络已经部署</translation>
    </message>
    <message>
        <source>Next: make it smaller on the tab Compress, or compare classes and speed of all exports on the tab Test. Stop the server when you are done. F1 opens the user guide.</source>
        <translation>接下来：在“压缩”标签页缩小网络，或在“测试”标签页比较预测和速度。完成后请停止服务器。按 F1 打开用户指南。</translation>
    </message>
    <message>
        <source>Choose your photos</source>
        <translation>选择您的照片</translation>
    </message>
    <message>
        <source>Press this button and choose a folder that holds one folder of photos for each class. You can also drag the folder into the window. The photos are not changed.</source>
        <translation>点击此按钮，选择一个文件夹，其中每个类别各有一个照片子文件夹。也可以把文件夹拖进窗口。照片不会被改动。</translation>
    </message>
    <message>
        <source>Accept the proposal</source>
        <translation>接受推荐方案</translation>
    </message>
    <message>
        <source>Netwright counts the photos and proposes an image size and a network. Press Create project; nothing is trained yet.</source>
        <translation>Netwright 会统计照片，并推荐图像尺寸和网络。点击“创建项目”，此时还没有开始训练。</translation>
    </message>
    <message>
        <source>Open the data</source>
        <translation>打开数据</translation>
    </message>
    <message>
        <source>Choose Data in the View menu, or its tab at the right. It shows the classes, the number of photos, and which of them are kept for validation and test.</source>
        <translation>在“视图”菜单中选择“数据”，或打开右侧的标签页。这里显示类别、照片数量以及留作验证和测试的部分。</translation>
    </message>
    <message>
        <source>Check the photos</source>
        <translation>检查照片</translation>
    </message>
    <message>
        <source>Press Check the data. Photos that lie twice in the folders, blank ones and damaged files are listed; each can be left out.</source>
        <translation>点击“检查数据”。重复的照片、空白照片和损坏的文件会列出，每张都可以排除。</translation>
    </message>
    <message>
        <source>Look at the mistakes</source>
        <translation>查看错误</translation>
    </message>
    <message>
        <source>Rows are the true classes, columns the answers. Click a cell to see only its photos: those beside the diagonal are mistakes, often of the labels.</source>
        <translation>行是真实类别，列是网络的预测。点击一格只看其中的照片：对角线以外的都是错误，往往是标签错了。</translation>
    </message>
    <message>
        <source>Your photos have a network</source>
        <translation>您的照片有了自己的网络</translation>
    </message>
    <message>
        <source>Next: correct wrong labels with Label issues on the Predict page, add photos of classes that are mixed up, or start from a trained network. F1 opens the user guide.</source>
        <translation>接下来：用预测页的“可疑标签”改正标签，为容易混淆的类别增加照片，或从训练好的网络开始。按 F1 打开用户指南。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Add a layer by typing its name</source>
        <translation>输入名称添加网络层</translation>
    </message>
    <message>
        <source>Move the view; the middle button does the same</source>
        <translation>移动视图；鼠标中键亦可</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>在指针处缩放</translation>
    </message>
    <message>
        <source>Go from layer to layer along the connections</source>
        <translation>沿连接在网络层之间移动</translation>
    </message>
    <message>
        <source>Cancel the current drag</source>
        <translation>取消当前拖动</translation>
    </message>
    <message>
        <source>1. Open a template</source>
        <translation>1. 选一个模板</translation>
    </message>
    <message>
        <source>Open LeNet-5 on the Welcome page. Its data set is handwritten digits: MNIST if it is found, otherwise synthetic digits.</source>
        <translation>在欢迎页打开 LeNet-5。它的数据集是手写数字：如果找到 MNIST 就使用 MNIST，否则使用合成数字。</translation>
    </message>
    <message>
        <source>2. Read the network</source>
        <translation>2. 读懂网络</translation>
    </message>
    <message>
        <source>Each node is a layer. The text beside a connection is the shape of its tensor. Select a node to see and change its settings on the right.</source>
        <translation>每个节点是一个网络层。连接旁的文字是其张量的形状。选中节点即可在右侧查看和修改设置。</translation>
    </message>
    <message>
        <source>3. Break something</source>
        <translation>3. 制造一个错误</translation>
    </message>
    <message>
        <source>Delete the Flatten layer and connect the pooling layer to the first Linear layer. The node turns red, states what the layer needs, and offers a quick fix. Every edit can be undone.</source>
        <translation>删除 Flatten 层，把池化层接到第一个 Linear 层。节点会变红，说明该层需要什么，并提供快速修复。每次编辑都可以撤销。</translation>
    </message>
    <message>
        <source>4. Train</source>
        <translation>4. 训练</translation>
    </message>
    <message>
        <source>Press Train or F5. The charts are updated during training. Training is a separate process: you can continue editing, or close the window.</source>
        <translation>按“训练”或 F5。图表会在训练期间更新。训练在独立的进程中进行：可以继续编辑，也可以关闭窗口。</translation>
    </message>
    <message>
        <source>5. See why</source>
        <translation>5. 看懂原因</translation>
    </message>
    <message>
        <source>Predict shows the test images with the network&apos;s predictions. Click a cell of the confusion matrix to see only those images, or draw a digit yourself.</source>
        <translation>“预测”显示测试图像和网络的判断。点混淆矩阵的单元格只看那些图像，或自己画一个数字。</translation>
    </message>
    <message>
        <source>6. Compare</source>
        <translation>6. 比较</translation>
    </message>
    <message>
        <source>Change a setting, train again, and compare both curves in one chart on the Runs page. Every run is a plain folder that the command line reads as well.</source>
        <translation>改一个设置，再训练一次，在“运行”页叠放两条曲线。每次运行都是普通文件夹，命令行也能读取。</translation>
    </message>
    <message>
        <source>Detach a layer; its neighbors are connected to each other. Shaking the layer does the same</source>
        <translation>把网络层从连接中取出，连接自动接合；晃动它也一样</translation>
    </message>
    <message>
        <source>Add a bend point to a connection; on a port: remove its connections</source>
        <translation>在连接上放一个折点；在端口上：移除其连接</translation>
    </message>
    <message>
        <source>From an output: move all its connections to another output</source>
        <translation>从输出端：把其所有连接移到另一个输出</translation>
    </message>
    <message>
        <source>Cut the connections that the stroke crosses; Y held with the left button does the same</source>
        <translation>切断划过的连接；按住 Y 用左键划也一样</translation>
    </message>
</context>
<context>
    <name>HelperClient</name>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>The helper process, which decodes images and predicts, has stopped</source>
        <translation>负责解码图像和预测的辅助进程已停止</translation>
    </message>
    <message>
        <source>It restarts with the next request.</source>
        <translation>它将在下一次请求时重新启动。</translation>
    </message>
</context>
<context>
    <name>KeyCard</name>
    <message>
        <source>Netwright: everywhere</source>
        <translation>Netwright：所有页面</translation>
    </message>
    <message>
        <source>On the canvas</source>
        <translation>画布上</translation>
    </message>
    <message>
        <source>Gestures on the canvas</source>
        <translation>画布上的手势</translation>
    </message>
    <message>
        <source>Netwright: keys and gestures</source>
        <translation>Netwright：快捷键与手势</translation>
    </message>
</context>
<context>
    <name>LayerBoard</name>
    <message>
        <source>Layer</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>L2 norm of the gradients of all weights of the layer, as used by the update.</source>
        <translation>该层全部权重梯度的 L2 范数，即更新时所用的值。</translation>
    </message>
    <message>
        <source>Mean magnitude</source>
        <translation>平均幅值</translation>
    </message>
    <message>
        <source>Mean of the gradients&apos; absolute values.</source>
        <translation>梯度绝对值的平均。</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>The greatest absolute value of its gradients.</source>
        <translation>梯度绝对值的最大值。</translation>
    </message>
    <message>
        <source>Weight norm</source>
        <translation>权重范数</translation>
    </message>
    <message>
        <source>L2 norm of all its weights.</source>
        <translation>该层全部权重的 L2 范数。</translation>
    </message>
    <message>
        <source>Update ratio</source>
        <translation>更新比</translation>
    </message>
    <message>
        <source>Norm of one update divided by the norm of the weights; about 0.001 is usual.</source>
        <translation>一次更新的范数与权重范数之比；通常约为 0.001。</translation>
    </message>
    <message>
        <source>Dead units</source>
        <translation>死亡单元</translation>
    </message>
    <message>
        <source>Units of a ReLU that are zero for every recorded image.</source>
        <translation>对每张记录的图像输出均为零的 ReLU 单元。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>Fraction of the layer&apos;s outputs that are exactly zero.</source>
        <translation>该层输出中恰好为零的比例。</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>LayerName</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Conv2d</source>
        <translation>二维卷积</translation>
    </message>
    <message>
        <source>AvgPool2d</source>
        <translation>平均池化</translation>
    </message>
    <message>
        <source>GlobalAvgPool2d</source>
        <translation>全局平均池化</translation>
    </message>
    <message>
        <source>MaxPool2d</source>
        <translation>最大池化</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>全连接</translation>
    </message>
    <message>
        <source>BatchNorm2d</source>
        <translation>批归一化</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>随机失活</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>Concat</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>Flatten</source>
        <translation>展平</translation>
    </message>
    <message>
        <source>CrossEntropy</source>
        <translation>交叉熵</translation>
    </message>
    <message>
        <source>BCE</source>
        <translation>二元交叉熵</translation>
    </message>
    <message>
        <source>BCEWithLogits</source>
        <translation>二元交叉熵（logits）</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>LayerNorm</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>GroupNorm</source>
        <translation>组归一化</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>相乘</translation>
    </message>
    <message>
        <source>AdaptiveAvgPool2d</source>
        <translation>自适应平均池化</translation>
    </message>
    <message>
        <source>ZeroPad2d</source>
        <translation>补零</translation>
    </message>
    <message>
        <source>ConvTranspose2d</source>
        <translation>转置卷积</translation>
    </message>
    <message>
        <source>Upsample</source>
        <translation>上采样</translation>
    </message>
    <message>
        <source>GlobalMaxPool2d</source>
        <translation>全局最大池化</translation>
    </message>
    <message>
        <source>LocalResponseNorm</source>
        <translation>局部响应归一化</translation>
    </message>
    <message>
        <source>ChannelShuffle</source>
        <translation>通道重排</translation>
    </message>
    <message>
        <source>Dropout2d</source>
        <translation>通道随机失活</translation>
    </message>
    <message>
        <source>StochasticDepth</source>
        <translation>随机深度</translation>
    </message>
    <message>
        <source>LayerScale</source>
        <translation>层缩放</translation>
    </message>
    <message>
        <source>InstanceNorm2d</source>
        <translation>实例归一化</translation>
    </message>
    <message>
        <source>LayerNorm2d</source>
        <translation>通道层归一化</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Reshape</source>
        <translation>变形</translation>
    </message>
    <message>
        <source>Transpose</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>ChannelLinear</source>
        <translation>逐像素线性</translation>
    </message>
    <message>
        <source>PatchEmbedding</source>
        <translation>图块嵌入</translation>
    </message>
    <message>
        <source>ClassToken</source>
        <translation>类别标记</translation>
    </message>
    <message>
        <source>PositionalEmbedding</source>
        <translation>位置嵌入</translation>
    </message>
    <message>
        <source>MultiheadAttention</source>
        <translation>多头注意力</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
</context>
<context>
    <name>Measure</name>
    <message>
        <source>All labels correct</source>
        <translation>标签全部正确</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Best validation accuracy</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>Best training accuracy</source>
        <translation>最佳训练准确率</translation>
    </message>
    <message>
        <source>%1, best in validation</source>
        <translation>%1（验证最佳）</translation>
    </message>
    <message>
        <source>%1, best in training</source>
        <translation>%1（训练最佳）</translation>
    </message>
    <message>
        <source>Test accuracy %1</source>
        <translation>测试准确率 %1</translation>
    </message>
    <message>
        <source>Test: %1 %2</source>
        <translation>测试：%1 %2</translation>
    </message>
</context>
<context>
    <name>MetricCharts</name>
    <message>
        <source>AUC %1</source>
        <translation>AUC %1</translation>
    </message>
    <message>
        <source>average %1</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>ECE %1</source>
        <translation>ECE %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>ROC</source>
        <translation>ROC</translation>
    </message>
    <message>
        <source>False positives, %</source>
        <translation>假阳性，%</translation>
    </message>
    <message>
        <source>chance</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>true positives</source>
        <translation>真阳性</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>精确率与召回率</translation>
    </message>
    <message>
        <source>Recall, %</source>
        <translation>召回率，%</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Confidence, %</source>
        <translation>置信度，%</translation>
    </message>
    <message>
        <source>perfect</source>
        <translation>理想</translation>
    </message>
    <message>
        <source>fraction of images</source>
        <translation>图像比例</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Threshold, %</source>
        <translation>阈值，%</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
</context>
<context>
    <name>NetworkExport</name>
    <message>
        <source>Network for other programs (ONNX)…</source>
        <translation>供其他程序使用的网络（ONNX）…</translation>
    </message>
    <message>
        <source>ONNX networks (*.onnx)</source>
        <translation>ONNX 网络 (*.onnx)</translation>
    </message>
    <message>
        <source>Network for TensorRT (ONNX, fp16)…</source>
        <translation>用于 TensorRT 的网络（ONNX，fp16）…</translation>
    </message>
    <message>
        <source>Source code for PyTorch…</source>
        <translation>PyTorch 源代码…</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python 文件 (*.py)</translation>
    </message>
    <message>
        <source>Source code for Keras…</source>
        <translation>Keras 源代码…</translation>
    </message>
    <message>
        <source>Weights by PyTorch&apos;s names (safetensors)…</source>
        <translation>按 PyTorch 命名的权重（safetensors）…</translation>
    </message>
    <message>
        <source>Weights (*.safetensors)</source>
        <translation>权重 (*.safetensors)</translation>
    </message>
    <message numerus="yes">
        <source>%n weight(s), read again bit by bit.</source>
        <translation>
            <numerusform>%n 个权重，已逐位重新读取。</numerusform>
        </translation>
    </message>
    <message>
        <source>The file was not run: Python&apos;s %1 was not found.</source>
        <translation>该文件未运行：未找到 Python 的 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of %n image(s).</source>
        <translation>
            <numerusform>%1 的计算结果相同：输出最多相差 %2，%n 幅图像中有 %3 幅的类别相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>No Python with onnxruntime, OpenCV or onnx was found to run the file too.</source>
        <translation>没有找到装有 onnxruntime、OpenCV 或 onnx 的 Python 来运行该文件。</translation>
    </message>
    <message>
        <source>The run&apos;s data was not found, so noise was used for images.</source>
        <translation>没有找到该次训练的数据，因此用噪声代替图像。</translation>
    </message>
    <message>
        <source>Network for TensorRT (ONNX, int8)…</source>
        <translation>用于 TensorRT 的网络（ONNX，int8）…</translation>
    </message>
    <message numerus="yes">
        <source>In int8, as %1 compute it, outputs differ from fp32 by at most %2, and the class is the same for %3 of %n image(s).</source>
        <translation>
            <numerusform>以 int8 运行时（由 %1 计算），输出与 fp32 至多相差 %2，%n 张图像中有 %3 张的类别相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Inference server (a folder)…</source>
        <translation>推理服务器（文件夹）…</translation>
    </message>
    <message>
        <source>New folders (*)</source>
        <translation>新文件夹 (*)</translation>
    </message>
    <message>
        <source>The folder holds the server, this network, a container recipe and YAML for Kubernetes.</source>
        <translation>该文件夹包含服务器、此网络、容器构建文件和 Kubernetes 的 YAML。</translation>
    </message>
    <message>
        <source>C library…</source>
        <translation>C 语言库…</translation>
    </message>
    <message>
        <source>Bundle of everything…</source>
        <translation>完整部署包…</translation>
    </message>
    <message>
        <source>The library was not run: there is no C compiler.</source>
        <translation>没有 C 编译器，因此没有运行该库。</translation>
    </message>
    <message>
        <source>One file with the weights; takes pixels</source>
        <translation>单个文件，含权重；输入为像素</translation>
    </message>
    <message>
        <source>TensorRT, fp16</source>
        <translation>TensorRT，fp16</translation>
    </message>
    <message>
        <source>ONNX with half precision</source>
        <translation>半精度 ONNX</translation>
    </message>
    <message>
        <source>TensorRT, int8</source>
        <translation>TensorRT，int8</translation>
    </message>
    <message>
        <source>ONNX with calibrated int8</source>
        <translation>经校准的 int8 ONNX</translation>
    </message>
    <message>
        <source>Weights under PyTorch&apos;s names</source>
        <translation>以 PyTorch 名称保存的权重</translation>
    </message>
    <message>
        <source>PyTorch source</source>
        <translation>PyTorch 源代码</translation>
    </message>
    <message>
        <source>Classes of nn.Module with a training loop</source>
        <translation>nn.Module 类及训练循环</translation>
    </message>
    <message>
        <source>Keras source</source>
        <translation>Keras 源代码</translation>
    </message>
    <message>
        <source>Keras 3 that loads our weights</source>
        <translation>加载本权重的 Keras 3 代码</translation>
    </message>
    <message>
        <source>C library</source>
        <translation>C 库</translation>
    </message>
    <message>
        <source>C99, no memory allocated, only libm</source>
        <translation>C99，不分配内存，只需 libm</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>部署包</translation>
    </message>
    <message>
        <source>All of it, with examples and PROOF.json</source>
        <translation>全部内容，含示例和 PROOF.json</translation>
    </message>
    <message>
        <source>Inference server</source>
        <translation>推理服务器</translation>
    </message>
    <message>
        <source>Program, container recipe and Kubernetes YAML</source>
        <translation>程序、容器配方和 Kubernetes YAML</translation>
    </message>
    <message>
        <source>Save the network for other programs</source>
        <translation>保存供其他程序使用的网络</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Resume</source>
        <translation>恢复训练</translation>
    </message>
    <message>
        <source>See predictions</source>
        <translation>查看预测</translation>
    </message>
    <message>
        <source>Continue on the CPU</source>
        <translation>在 CPU 上继续</translation>
    </message>
    <message>
        <source>Show the active run</source>
        <translation>显示正在进行的训练</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Adapt to my images…</source>
        <translation>用于我的图像…</translation>
    </message>
    <message>
        <source>Go back with a lower learning rate</source>
        <translation>以较低的学习率返回</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>立即重试</translation>
    </message>
</context>
<context>
    <name>Notification</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>Feature maps</source>
        <translation>特征图</translation>
    </message>
    <message>
        <source>All feature maps of this layer for this image, each scaled from its minimum to its maximum</source>
        <translation>此层对该图像的全部特征图，各自按最小值到最大值缩放</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>滤波器</translation>
    </message>
    <message>
        <source>The weights of this convolution, grey is 0: in colour for three channels, else a row for each filter</source>
        <translation>此卷积的权重，灰色为 0：三通道时为彩色，否则每行一个滤波器</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Bright: large output of this layer, averaged over its channels</source>
        <translation>亮处：该层输出较大（按通道取平均）</translation>
    </message>
    <message>
        <source>Grad-CAM</source>
        <translation>Grad-CAM</translation>
    </message>
    <message>
        <source>Bright: where this layer&apos;s maps raise the class&apos;s score</source>
        <translation>亮处：该层特征图在此提高了该类别的得分</translation>
    </message>
    <message>
        <source>Grad-CAM++</source>
        <translation>Grad-CAM++</translation>
    </message>
    <message>
        <source>Like Grad-CAM, but also finds several objects of a class</source>
        <translation>与 Grad-CAM 类似，但还能找出同一类别的多个对象</translation>
    </message>
    <message>
        <source>Saliency</source>
        <translation>显著性</translation>
    </message>
    <message>
        <source>Bright: pixels where a small change affects the score most</source>
        <translation>亮处：略微改变就最能影响得分的像素</translation>
    </message>
    <message>
        <source>Integrated gradients</source>
        <translation>积分梯度</translation>
    </message>
    <message>
        <source>Bright: contribution of each pixel to the score, integrated from a black image</source>
        <translation>亮处：从全黑图像积分到该图像时各像素对得分的贡献</translation>
    </message>
    <message>
        <source>Occlusion</source>
        <translation>遮挡</translation>
    </message>
    <message>
        <source>Bright: covering this region lowers the score</source>
        <translation>亮处：遮住此处会降低得分</translation>
    </message>
</context>
<context>
    <name>Playground</name>
    <message>
        <source>Rotation</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Occlusion</source>
        <translation>遮挡</translation>
    </message>
</context>
<context>
    <name>Predict</name>
    <message>
        <source>no label</source>
        <translation>无标签</translation>
    </message>
    <message>
        <source>other labels</source>
        <translation>其他标签</translation>
    </message>
    <message>
        <source>different other labels</source>
        <translation>不同的其他标签</translation>
    </message>
    <message>
        <source>even</source>
        <translation>偶数</translation>
    </message>
    <message>
        <source>odd</source>
        <translation>奇数</translation>
    </message>
</context>
<context>
    <name>PredictHeader</name>
    <message>
        <source>training set</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>validation set</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>test set</source>
        <translation>测试集</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>张/秒</translation>
    </message>
    <message>
        <source>Last save</source>
        <translation>上次保存</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>ago</source>
        <translation>前</translation>
    </message>
    <message>
        <source>Epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>The last checkpoint is intact: training can be resumed from it.</source>
        <translation>最后的检查点完好：可从该检查点恢复训练。</translation>
    </message>
    <message>
        <source>Training finished</source>
        <translation>训练完成</translation>
    </message>
    <message>
        <source>Finished after %1.</source>
        <translation>用时 %1 完成。</translation>
    </message>
    <message>
        <source>Training was stopped</source>
        <translation>训练已被停止</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>训练失败</translation>
    </message>
    <message>
        <source>The training process ended without reporting a reason.</source>
        <translation>训练进程已结束，且未报告原因。</translation>
    </message>
    <message>
        <source>Training was interrupted</source>
        <translation>训练已中断</translation>
    </message>
    <message>
        <source>Training is paused</source>
        <translation>训练已暂停</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>ReportExport</name>
    <message>
        <source>HTML, both languages (*.html)</source>
        <translation>HTML，两种语言 (*.html)</translation>
    </message>
    <message>
        <source>PDF in English (*.pdf)</source>
        <translation>英文 PDF (*.pdf)</translation>
    </message>
    <message>
        <source>PDF in Chinese (*.pdf)</source>
        <translation>中文 PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>The report was saved to %1.</source>
        <translation>报告已保存到 %1。</translation>
    </message>
</context>
<context>
    <name>RunChanges</name>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
</context>
<context>
    <name>RunChart</name>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Training accuracy</source>
        <translation>训练准确率</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
</context>
<context>
    <name>RunCheckpoints</name>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>最新</translation>
    </message>
</context>
<context>
    <name>RunDelegate</name>
    <message>
        <source>at %1</source>
        <translation>始于 %1</translation>
    </message>
</context>
<context>
    <name>RunDetails</name>
    <message>
        <source>%1, test</source>
        <translation>%1（测试）</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>See predictions</source>
        <translation>查看预测</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复训练</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>%1 kJ, %2 J per 1,000 images</source>
        <translation>%1 kJ，每 1,000 张图像 %2 J</translation>
    </message>
    <message>
        <source>Energy of the GPUs</source>
        <translation>GPU 能耗</translation>
    </message>
    <message>
        <source>Energy of the processors</source>
        <translation>处理器能耗</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最终损失</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Open on canvas</source>
        <translation>在画布上打开</translation>
    </message>
    <message>
        <source>Train further…</source>
        <translation>继续训练…</translation>
    </message>
    <message>
        <source>Adapt to my images…</source>
        <translation>用于我的图像…</translation>
    </message>
    <message>
        <source>Adapt to a table…</source>
        <translation>用于表格…</translation>
    </message>
    <message>
        <source>Branch from here…</source>
        <translation>从此处建立分支…</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
</context>
<context>
    <name>RunGroups</name>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1, %2 parameters (%3)</source>
        <translation>%1，%2 个参数（%3）</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Study, with its trials</source>
        <translation>研究（含试验）</translation>
    </message>
    <message>
        <source>In no study</source>
        <translation>不属于任何研究</translation>
    </message>
</context>
<context>
    <name>RunModel</name>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
    <message>
        <source>Epoch %1 / %2</source>
        <translation>第 %1 / %2 轮</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Best accuracy</source>
        <translation>最佳准确率</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最终损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Training accuracy</source>
        <translation>训练准确率</translation>
    </message>
    <message>
        <source>Best validation loss</source>
        <translation>最佳验证损失</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Last accuracy</source>
        <translation>最后的准确率</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>RunProcess</name>
    <message>
        <source>killed by a user, or by the system because memory ran out</source>
        <translation>被用户终止，或因内存不足被系统终止</translation>
    </message>
    <message>
        <source>terminated on request</source>
        <translation>应请求终止</translation>
    </message>
    <message>
        <source>interrupted from the keyboard</source>
        <translation>被键盘中断</translation>
    </message>
    <message>
        <source>segmentation fault</source>
        <translation>段错误</translation>
    </message>
    <message>
        <source>bus error: a mapped file was truncated, or memory failed</source>
        <translation>总线错误：映射的文件被截断，或内存故障</translation>
    </message>
    <message>
        <source>aborted after an internal error</source>
        <translation>内部错误后中止</translation>
    </message>
    <message>
        <source>arithmetic error</source>
        <translation>算术错误</translation>
    </message>
    <message>
        <source>an instruction this processor does not have</source>
        <translation>此处理器不支持的指令</translation>
    </message>
    <message>
        <source>its terminal was closed</source>
        <translation>它的终端被关闭</translation>
    </message>
    <message>
        <source>its limit of processor time was reached</source>
        <translation>达到处理器时间上限</translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
</context>
<context>
    <name>SaveBlockDialog</name>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Transposed convolution</source>
        <translation>转置卷积</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Regularization</source>
        <translation>正则化</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>Concatenation</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>相乘</translation>
    </message>
    <message>
        <source>Enlarging</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Bolt</source>
        <translation>闪电</translation>
    </message>
    <message>
        <source>Flag</source>
        <translation>旗帜</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>滤波器</translation>
    </message>
</context>
<context>
    <name>SearchDialog</name>
    <message>
        <source>Highest validation accuracy</source>
        <translation>验证准确率最高</translation>
    </message>
    <message>
        <source>Lowest validation loss</source>
        <translation>验证损失最低</translation>
    </message>
    <message>
        <source>Nothing else</source>
        <translation>无其他目标</translation>
    </message>
    <message>
        <source>Fewest multiply-adds</source>
        <translation>乘加运算最少</translation>
    </message>
    <message>
        <source>Fewest parameters</source>
        <translation>参数最少</translation>
    </message>
    <message>
        <source>Shortest training</source>
        <translation>训练时间最短</translation>
    </message>
    <message>
        <source>Least energy</source>
        <translation>能耗最低</translation>
    </message>
</context>
<context>
    <name>ServerMetrics</name>
    <message>
        <source>%1, version %2</source>
        <translation>%1，版本 %2</translation>
    </message>
</context>
<context>
    <name>SettingChanges</name>
    <message>
        <source>Freezing of %1</source>
        <translation>冻结 %1</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>数据增强</translation>
    </message>
    <message>
        <source>as scheduled</source>
        <translation>按计划</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>已冻结</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>参与训练</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 frozen</source>
        <translation>已冻结 %1</translation>
    </message>
    <message>
        <source>%1 trained</source>
        <translation>%1 恢复训练</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>%1 is reserved for the canvas and text fields. Choose another key.</source>
        <translation>%1 保留给画布和输入框使用。请选择其他按键。</translation>
    </message>
    <message>
        <source>%1 alone types a letter in every field. Hold Ctrl or Alt with it.</source>
        <translation>单独按 %1 会在输入框中输入字符，请与 Ctrl 或 Alt 同按。</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Draw a neural network, train it, see why.</source>
        <translation>画出神经网络，训练它，看懂它。</translation>
    </message>
    <message>
        <source>Start without a project and with default settings.</source>
        <translation>以默认设置启动，不打开项目。</translation>
    </message>
    <message>
        <source>Start with this template, such as lenet5.</source>
        <translation>从此模板开始，例如 lenet5。</translation>
    </message>
    <message>
        <source>A project or the folder of a run.</source>
        <translation>项目文件或运行文件夹。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>Study</name>
    <message>
        <source>Trial %1 · %2</source>
        <translation>试验 %1 · %2</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>highest accuracy</source>
        <translation>准确率最高</translation>
    </message>
    <message>
        <source>lowest accuracy</source>
        <translation>准确率最低</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>highest loss</source>
        <translation>损失最高</translation>
    </message>
    <message>
        <source>lowest loss</source>
        <translation>损失最低</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>most parameters</source>
        <translation>参数最多</translation>
    </message>
    <message>
        <source>fewest parameters</source>
        <translation>参数最少</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>most multiply-adds</source>
        <translation>乘加运算最多</translation>
    </message>
    <message>
        <source>fewest multiply-adds</source>
        <translation>乘加运算最少</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>longest training</source>
        <translation>训练时间最长</translation>
    </message>
    <message>
        <source>shortest training</source>
        <translation>训练时间最短</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>most energy</source>
        <translation>能耗最高</translation>
    </message>
    <message>
        <source>least energy</source>
        <translation>能耗最低</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>第 %1 / %2 轮</translation>
    </message>
    <message>
        <source>Stopped at epoch %1</source>
        <translation>已停止于第 %1 轮</translation>
    </message>
    <message>
        <source>Paused at epoch %1</source>
        <translation>暂停于第 %1 轮</translation>
    </message>
    <message>
        <source>Pruned at epoch %1</source>
        <translation>剪枝于第 %1 轮</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Objective: %1</source>
        <translation>目标：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>TableTargetsDialog</name>
    <message>
        <source>One class for each image</source>
        <translation>每个图像一个类别</translation>
    </message>
    <message>
        <source>An output for each class; the loss is CrossEntropy.</source>
        <translation>每个类别一个输出；损失为 CrossEntropy。</translation>
    </message>
    <message>
        <source>One of two classes</source>
        <translation>两个类别之一</translation>
    </message>
    <message>
        <source>One output for both classes; the loss is BCEWithLogits.</source>
        <translation>两个类别共用一个输出；损失为 BCEWithLogits。</translation>
    </message>
    <message>
        <source>Any number of labels</source>
        <translation>任意数量的标签</translation>
    </message>
    <message>
        <source>An output for each label; the loss is BCEWithLogits. Columns hold 1 or 0, or one column a list such as cat|dog.</source>
        <translation>每个标签一个输出；损失为 BCEWithLogits。各列的值为 1 或 0，或者一列中写出列表，例如 cat|dog。</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>An output for each column; the loss is MSE. The images are not transformed at random.</source>
        <translation>每列一个输出；损失为 MSE。图像不做随机变换。</translation>
    </message>
</context>
<context>
    <name>TrackedSamplePanel</name>
    <message>
        <source>Not predicted correctly so far</source>
        <translation>至今未被正确预测</translation>
    </message>
    <message>
        <source>Learned at step %1</source>
        <translation>在第 %1 步学会</translation>
    </message>
    <message>
        <source>First learned at step %1, forgotten at step %2</source>
        <translation>在第 %1 步首次学会，在第 %2 步遗忘</translation>
    </message>
    <message>
        <source>First learned at step %1, forgotten %2 times, last at step %3</source>
        <translation>在第 %1 步首次学会，遗忘 %2 次，最近一次在第 %3 步</translation>
    </message>
</context>
<context>
    <name>TrainCharts</name>
    <message>
        <source>LR %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>LR ÷ %1</source>
        <translation>学习率 ÷ %1</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>最佳 %1</translation>
    </message>
    <message>
        <source>%1 now</source>
        <translation>当前 %1</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>train, raw</source>
        <translation>训练（原始）</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>张/秒</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>WeightMatchTexts</name>
    <message>
        <source>is taken</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>has another shape: begins anew</source>
        <translation>形状不同：重新初始化</translation>
    </message>
    <message>
        <source>is not in the file: begins anew</source>
        <translation>文件中没有：重新初始化</translation>
    </message>
    <message>
        <source>is not in the network: not used</source>
        <translation>网络中没有：不使用</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>In the network</source>
        <translation>网络中</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>What happens to it</source>
        <translation>处理方式</translation>
    </message>
    <message>
        <source>Start from these weights</source>
        <translation>从这些权重开始</translation>
    </message>
    <message>
        <source>Weights of %1</source>
        <translation>%1 的权重</translation>
    </message>
    <message>
        <source>Weights of the network and of the file</source>
        <translation>网络的权重与文件的权重</translation>
    </message>
    <message>
        <source>Which weights are listed</source>
        <translation>列出哪些权重</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Taken</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Begin anew</source>
        <translation>重新初始化</translation>
    </message>
    <message>
        <source>Only in the file</source>
        <translation>仅在文件中</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No weight of this file fits the network: no name and shape agree.</source>
        <translation>此文件中没有适合该网络的权重：没有名称和形状都一致的。</translation>
    </message>
    <message>
        <source>%1 of the network&apos;s %2 weights are taken.</source>
        <translation>网络的 %2 个权重中采用 %1 个。</translation>
    </message>
    <message>
        <source>%1 begin anew.</source>
        <translation>%1 个重新初始化。</translation>
    </message>
    <message>
        <source>%1 of the file are not used.</source>
        <translation>文件中有 %1 个不使用。</translation>
    </message>
</context>
<context>
    <name>WhatsThis</name>
    <message>
        <source>Trains the network on the chosen data with the settings at the right, in a process of its own.</source>
        <translation>用所选数据和右侧的设置训练网络，训练在单独的进程中进行。</translation>
    </message>
    <message>
        <source>Lets the training wait after the present step; press it again to go on.</source>
        <translation>让训练在当前步之后暂停；再按一次继续。</translation>
    </message>
    <message>
        <source>Ends the training after the present step and keeps a checkpoint to resume from.</source>
        <translation>在当前步之后结束训练，并保留可以继续的检查点。</translation>
    </message>
    <message>
        <source>Opens the menu with all commands for files, edits, the network, the view and training.</source>
        <translation>打开主菜单，其中有文件、编辑、网络、视图和训练的全部命令。</translation>
    </message>
    <message>
        <source>Finds commands, layers, settings, templates, projects and runs by their names.</source>
        <translation>按名称查找命令、层、设置、模板、项目和运行。</translation>
    </message>
    <message>
        <source>Switches among designing, training, predicting, comparing runs and deploying.</source>
        <translation>在设计、训练、预测、运行比较和部署之间切换。</translation>
    </message>
    <message>
        <source>Takes the last edit of the project back.</source>
        <translation>撤销对项目的最近一次修改。</translation>
    </message>
    <message>
        <source>Repeats or takes back an edit of the project.</source>
        <translation>重做或撤销对项目的一次修改。</translation>
    </message>
    <message>
        <source>Names the data that the network is trained on, and opens them or another data set.</source>
        <translation>显示用于训练网络的数据，可打开这些数据或另选数据集。</translation>
    </message>
    <message>
        <source>Chooses the processors and GPUs that train, and shows how busy each is.</source>
        <translation>选择用于训练的处理器和 GPU，并显示各自的负载。</translation>
    </message>
    <message>
        <source>Shows the state of the open page; a click leads to what it names.</source>
        <translation>显示当前页面的状态；点击可转到所指的内容。</translation>
    </message>
    <message>
        <source>Closes this message; what it tells stays as it is.</source>
        <translation>关闭这条消息，所述内容保持不变。</translation>
    </message>
    <message>
        <source>Does what the message offers.</source>
        <translation>执行消息所提供的操作。</translation>
    </message>
    <message>
        <source>Goes to the next step of the tour, or ends it.</source>
        <translation>转到导览的下一步，或结束导览。</translation>
    </message>
    <message>
        <source>Finds a command by a part of its name; Return carries it out.</source>
        <translation>按名称的一部分查找命令，按回车执行。</translation>
    </message>
    <message>
        <source>Makes a project from a folder that holds one folder of images for each class.</source>
        <translation>用一个文件夹创建项目，其中每个类别各有一个图像子文件夹。</translation>
    </message>
    <message>
        <source>Writes an example project with its data into your folder and opens it.</source>
        <translation>把示例项目及其数据写入您的文件夹并打开。</translation>
    </message>
    <message>
        <source>Begins a project with an empty canvas.</source>
        <translation>在空白画布上开始一个项目。</translation>
    </message>
    <message>
        <source>Opens a project, a network in an ONNX file, a run or data.</source>
        <translation>打开项目、ONNX 文件中的网络、运行或数据。</translation>
    </message>
    <message>
        <source>Leads in seven steps from a template to a drawn digit that the network reads.</source>
        <translation>分七步引导您从模板到让网络识别您画的数字。</translation>
    </message>
    <message>
        <source>Shows all trained runs of this computer.</source>
        <translation>显示这台计算机上训练过的全部运行。</translation>
    </message>
    <message>
        <source>Opens theme, language, folders and keys.</source>
        <translation>打开主题、语言、文件夹和快捷键的设置。</translation>
    </message>
    <message>
        <source>Opens a short tour in words and the list of all keys.</source>
        <translation>打开简短的文字导览和全部按键的列表。</translation>
    </message>
    <message>
        <source>Opens a new project with this network and its data; nothing is trained yet.</source>
        <translation>用这个网络及其数据打开新项目，此时还没有开始训练。</translation>
    </message>
    <message>
        <source>Opens this project again, or takes it off the list; its file stays.</source>
        <translation>再次打开这个项目，或把它移出列表，文件保留。</translation>
    </message>
    <message>
        <source>Opens or discards changes that were not saved when the program ended.</source>
        <translation>打开或放弃程序结束时尚未保存的修改。</translation>
    </message>
    <message>
        <source>Takes a folder of images, or another file that Netwright opens.</source>
        <translation>接收图像文件夹或 Netwright 能打开的其他文件。</translation>
    </message>
    <message>
        <source>Shows the processors, memory and GPUs that Netwright can use here.</source>
        <translation>显示 Netwright 在这台计算机上可用的处理器、内存和 GPU。</translation>
    </message>
    <message>
        <source>Shows only the templates whose name or purpose has these words.</source>
        <translation>只显示名称或用途中含有这些词的模板。</translation>
    </message>
    <message>
        <source>Tells what training on a GPU needs, and what of it is missing here.</source>
        <translation>说明在 GPU 上训练需要什么，以及此处缺少什么。</translation>
    </message>
    <message>
        <source>Shows only the layers, blocks or nodes whose name has these letters.</source>
        <translation>只显示名称中含有这些字母的层、模块或节点。</translation>
    </message>
    <message>
        <source>Lists all layers; drag one onto the canvas, or press Return to add it.</source>
        <translation>列出所有层；把一层拖到画布上，或按回车添加。</translation>
    </message>
    <message>
        <source>Lists the layers of the open network; a click selects one on the canvas.</source>
        <translation>列出当前网络的各层；点击即可在画布上选中。</translation>
    </message>
    <message>
        <source>Switches among all layers, saved blocks and the outline of the network.</source>
        <translation>在所有层、已保存的模块和网络大纲之间切换。</translation>
    </message>
    <message>
        <source>Switches among the chosen layer, the data and the training settings.</source>
        <translation>在所选的层、数据和训练设置之间切换。</translation>
    </message>
    <message>
        <source>Switches among problems, messages, the history of edits and the network as text.</source>
        <translation>在问题、消息、编辑历史和网络文本之间切换。</translation>
    </message>
    <message>
        <source>Hides this panel; the menu View shows it again.</source>
        <translation>隐藏此面板；可从“视图”菜单重新显示。</translation>
    </message>
    <message>
        <source>Switches among the pages of this panel.</source>
        <translation>切换此面板的各页。</translation>
    </message>
    <message>
        <source>The drawing of the network: drag layers, connect their ports, double-click to rename.</source>
        <translation>网络图：可拖动层、连接端口，双击可重命名。</translation>
    </message>
    <message>
        <source>Shows the whole network; drag the frame to move the view.</source>
        <translation>显示整个网络；拖动方框可移动视图。</translation>
    </message>
    <message>
        <source>Goes back from the inside of a block to the network around it.</source>
        <translation>从模块内部返回到外层网络。</translation>
    </message>
    <message>
        <source>Names the layer; weights in files carry this name.</source>
        <translation>层的名称，文件中的权重也使用这个名称。</translation>
    </message>
    <message>
        <source>Opens further commands for the chosen layer.</source>
        <translation>打开所选层的更多命令。</translation>
    </message>
    <message>
        <source>Off: training leaves the weights of this layer as they are.</source>
        <translation>关闭后，训练不再改变这一层的权重。</translation>
    </message>
    <message>
        <source>On: the layer is left out, and its input goes to the next layer.</source>
        <translation>打开后跳过这一层，其输入直接传给下一层。</translation>
    </message>
    <message>
        <source>Opens the network inside the block.</source>
        <translation>打开模块内部的网络。</translation>
    </message>
    <message>
        <source>Gives the chosen block a definition of its own, so that others stay as they are.</source>
        <translation>让所选模块有自己的定义，其他模块保持不变。</translation>
    </message>
    <message>
        <source>A setting of the chosen layer; the shapes along the connections follow at once.</source>
        <translation>所选层的一项设置，连接上的形状会立即随之更新。</translation>
    </message>
    <message>
        <source>Lists what hinders training; a click goes to the layer, a button mends it.</source>
        <translation>列出妨碍训练的问题；点击可转到该层，按钮可修复。</translation>
    </message>
    <message>
        <source>Keeps the messages of this session in their order.</source>
        <translation>按顺序保留本次会话的消息。</translation>
    </message>
    <message>
        <source>Lists all edits; a click goes back to that state.</source>
        <translation>列出所有修改；点击可回到当时的状态。</translation>
    </message>
    <message>
        <source>The network as text; what you type changes the drawing.</source>
        <translation>网络的文本形式，在此输入会改变网络图。</translation>
    </message>
    <message>
        <source>Tells memory, time and size of the network for the chosen data and devices.</source>
        <translation>显示网络在所选数据和设备下的内存、时间和大小。</translation>
    </message>
    <message>
        <source>Lets a study try several values of this setting.</source>
        <translation>让研究尝试这项设置的多个取值。</translation>
    </message>
    <message>
        <source>Downloads public data sets and compares their checksums.</source>
        <translation>下载公开数据集并核对校验和。</translation>
    </message>
    <message>
        <source>Shows other samples of the data.</source>
        <translation>显示数据的其他样本。</translation>
    </message>
    <message>
        <source>Opens all images of the data as a grid that can be filtered and sorted.</source>
        <translation>以可筛选和排序的网格打开数据的全部图像。</translation>
    </message>
    <message>
        <source>Chooses the data, how they are split and how the images are prepared.</source>
        <translation>选择数据、划分方式以及图像的预处理。</translation>
    </message>
    <message>
        <source>Shows samples as the network gets them; a click opens all images.</source>
        <translation>按网络接收的样子显示样本；点击可打开全部图像。</translation>
    </message>
    <message>
        <source>Counts the images of each class; a click shows them.</source>
        <translation>统计每个类别的图像数；点击可查看。</translation>
    </message>
    <message>
        <source>Looks for images that lie twice, blank ones, damaged files and small classes.</source>
        <translation>查找重复的图像、空白图像、损坏的文件和样本过少的类别。</translation>
    </message>
    <message>
        <source>Takes all exclusions of this project back.</source>
        <translation>取消此项目中的全部排除。</translation>
    </message>
    <message>
        <source>Lists what the check has found; each image can be left out of the project.</source>
        <translation>列出检查发现的问题；每张图像都可以从项目中排除。</translation>
    </message>
    <message>
        <source>Names a file or a folder; the button at its end opens a dialog to choose it.</source>
        <translation>填写文件或文件夹；末端的按钮可打开选择对话框。</translation>
    </message>
    <message>
        <source>A setting of the training; it holds from the next run on.</source>
        <translation>一项训练设置，从下一次运行起生效。</translation>
    </message>
    <message>
        <source>Lists the optimizer&apos;s learning rate over the epochs, stage after stage.</source>
        <translation>按阶段列出各轮次的学习率。</translation>
    </message>
    <message>
        <source>Adds a random change of the training images.</source>
        <translation>添加一种训练图像的随机变换。</translation>
    </message>
    <message>
        <source>A random change of the training images and how strong it is.</source>
        <translation>训练图像的一种随机变换及其强度。</translation>
    </message>
    <message>
        <source>Shows training images with their random changes; a click draws others.</source>
        <translation>显示经过随机变换的训练图像；点击可另取一组。</translation>
    </message>
    <message>
        <source>Shows the learning rate over the whole run.</source>
        <translation>显示整个运行过程中的学习率。</translation>
    </message>
    <message>
        <source>Chooses the devices on which the network is trained.</source>
        <translation>选择训练网络所用的设备。</translation>
    </message>
    <message>
        <source>Chooses a run or a file whose weights the training begins with.</source>
        <translation>选择运行或文件，训练从其权重开始。</translation>
    </message>
    <message>
        <source>Chooses a trained network whose answers this one learns as well.</source>
        <translation>选择一个训练好的网络，本网络同时学习它的输出。</translation>
    </message>
    <message>
        <source>A setting of the project; its meaning is beside it when the pointer rests there.</source>
        <translation>项目的一项设置；把指针停在上面可看到说明。</translation>
    </message>
    <message>
        <source>Shows or hides the settings of this group.</source>
        <translation>显示或隐藏这一组设置。</translation>
    </message>
    <message>
        <source>A preference of the window; it holds at once and for all projects.</source>
        <translation>窗口的一项偏好设置，立即生效并适用于所有项目。</translation>
    </message>
    <message>
        <source>Shows only the commands with these words or keys.</source>
        <translation>只显示含有这些词或按键的命令。</translation>
    </message>
    <message>
        <source>Press the keys that the chosen command shall have.</source>
        <translation>按下所选命令要使用的按键。</translation>
    </message>
    <message>
        <source>Gives these keys to the chosen command and takes them from others.</source>
        <translation>把这些按键分配给所选命令，并从其他命令收回。</translation>
    </message>
    <message>
        <source>Takes all keys from the chosen command.</source>
        <translation>取消所选命令的全部按键。</translation>
    </message>
    <message>
        <source>Gives the chosen command its usual keys back.</source>
        <translation>恢复所选命令的默认按键。</translation>
    </message>
    <message>
        <source>Gives all commands their usual keys back.</source>
        <translation>恢复所有命令的默认按键。</translation>
    </message>
    <message>
        <source>Lists all commands with their keys; choose one to change them.</source>
        <translation>列出所有命令及其按键；选中一个即可更改。</translation>
    </message>
    <message>
        <source>Switches between the tour and the list of keys.</source>
        <translation>在导览和按键列表之间切换。</translation>
    </message>
    <message>
        <source>Switches between the components of this program and the text of a licence.</source>
        <translation>在程序的组成部分和许可证文本之间切换。</translation>
    </message>
    <message>
        <source>Switches among all runs, the studies that searched for settings, and the queue.</source>
        <translation>在全部运行、搜索设置的研究和队列之间切换。</translation>
    </message>
    <message>
        <source>Shows only the runs with these words, or that fulfil a condition.</source>
        <translation>只显示含有这些词或满足条件的运行。</translation>
    </message>
    <message>
        <source>Shows only the runs in this state.</source>
        <translation>只显示处于此状态的运行。</translation>
    </message>
    <message>
        <source>Switches between the curves of the chosen runs and the tree of branches.</source>
        <translation>在所选运行的曲线和分支树之间切换。</translation>
    </message>
    <message>
        <source>Sorts the runs by the quantity of the chart, the best one first.</source>
        <translation>按图表的指标排序，最好的在前。</translation>
    </message>
    <message>
        <source>Chooses the columns of the table, and adds computed ones.</source>
        <translation>选择表格的列，还可添加计算列。</translation>
    </message>
    <message>
        <source>Puts runs with the same value of a setting under one header.</source>
        <translation>把某项设置相同的运行归在一个标题下。</translation>
    </message>
    <message>
        <source>Puts branches below the run that they began with.</source>
        <translation>把分支放在其起始运行的下方。</translation>
    </message>
    <message>
        <source>Saves filter, columns and order under a name, and shows saved ones.</source>
        <translation>以名称保存筛选、列和顺序，并显示已保存的视图。</translation>
    </message>
    <message>
        <source>Lists the runs of this computer; several can be selected and compared.</source>
        <translation>列出这台计算机上的运行；可选择多个进行比较。</translation>
    </message>
    <message>
        <source>Compares the selected runs in one chart.</source>
        <translation>在一张图中比较所选的运行。</translation>
    </message>
    <message>
        <source>Gives the run a name of your own; its folder keeps its name.</source>
        <translation>为运行取名，其文件夹名称不变。</translation>
    </message>
    <message>
        <source>Words by which runs are found and grouped, separated by commas.</source>
        <translation>用于查找和分组运行的词，用逗号分隔。</translation>
    </message>
    <message>
        <source>Keeps what you want to remember about this run.</source>
        <translation>记录关于此运行的备注。</translation>
    </message>
    <message>
        <source>Does something with the chosen run: open, predict, resume, branch, report or delete it.</source>
        <translation>对所选运行进行操作：打开、预测、继续、分支、报告或删除。</translation>
    </message>
    <message>
        <source>Goes back to the list of all studies.</source>
        <translation>返回全部研究的列表。</translation>
    </message>
    <message>
        <source>Opens a study in another folder.</source>
        <translation>打开其他文件夹中的研究。</translation>
    </message>
    <message>
        <source>Begins a study that trains the open project with many settings.</source>
        <translation>开始一项研究，用多种设置训练当前项目。</translation>
    </message>
    <message>
        <source>Saves the study with its charts as a page or a PDF.</source>
        <translation>把研究及其图表保存为网页或 PDF。</translation>
    </message>
    <message>
        <source>Lists the studies of this computer.</source>
        <translation>列出这台计算机上的研究。</translation>
    </message>
    <message>
        <source>Lists the studies of this computer; a double click opens one.</source>
        <translation>列出这台计算机上的研究；双击打开。</translation>
    </message>
    <message>
        <source>Stops, pauses or continues the study; what was found is kept.</source>
        <translation>停止、暂停或继续研究，已有结果会保留。</translation>
    </message>
    <message>
        <source>Shows the trials of the study: which settings they had and what came out.</source>
        <translation>显示研究的各次试验：设置及其结果。</translation>
    </message>
    <message>
        <source>Lists the trials of the study; the best one comes first.</source>
        <translation>列出研究的试验，最好的在前。</translation>
    </message>
    <message>
        <source>Opens the chosen trial as a run or as a project, or repeats it with other seeds.</source>
        <translation>把所选试验作为运行或项目打开，或换随机种子重复。</translation>
    </message>
    <message>
        <source>Trains waiting projects one after the other as devices become free.</source>
        <translation>设备空闲时依次训练等待中的项目。</translation>
    </message>
    <message>
        <source>Lists the trainings that wait, run or have ended; drag to change their order.</source>
        <translation>列出等待、进行中和已结束的训练；拖动可改变顺序。</translation>
    </message>
    <message>
        <source>Shows only the settings with these letters.</source>
        <translation>只显示含有这些字母的设置。</translation>
    </message>
    <message>
        <source>Starts the trials in a process of their own.</source>
        <translation>在单独的进程中开始试验。</translation>
    </message>
    <message>
        <source>Closes the dialog; nothing is started.</source>
        <translation>关闭对话框，不会开始任何试验。</translation>
    </message>
    <message>
        <source>Tick the settings that vary, and give each a range or a list.</source>
        <translation>勾选要变化的设置，并给出范围或列表。</translation>
    </message>
    <message>
        <source>Chooses how many trials there are and how they are drawn and ended early.</source>
        <translation>选择试验的次数、取值方式和提前结束的方式。</translation>
    </message>
    <message>
        <source>Switches among exporting, compressing, serving and testing the network.</source>
        <translation>在导出、压缩、提供服务和测试网络之间切换。</translation>
    </message>
    <message>
        <source>Chooses the run and the checkpoint that leave.</source>
        <translation>选择要部署的运行和检查点。</translation>
    </message>
    <message>
        <source>Shows by how much the file&apos;s outputs differ from those of the run.</source>
        <translation>显示文件的输出与运行的输出相差多少。</translation>
    </message>
    <message>
        <source>Opens the folder of the exported file.</source>
        <translation>打开导出文件所在的文件夹。</translation>
    </message>
    <message>
        <source>Writes the network in this format and proves that the file computes the same.</source>
        <translation>以此格式写出网络，并证明文件的计算结果相同。</translation>
    </message>
    <message>
        <source>Reads all exported files again and compares their outputs with those of the run.</source>
        <translation>重新读取所有导出的文件，并与运行的输出比较。</translation>
    </message>
    <message>
        <source>Reads the file again in a fresh process and compares its outputs.</source>
        <translation>在新进程中重新读取文件并比较输出。</translation>
    </message>
    <message>
        <source>Copies the proof, to be sent with the file.</source>
        <translation>复制证明文本，可随文件一起发送。</translation>
    </message>
    <message>
        <source>The comparison of the exported file with the run, sample by sample.</source>
        <translation>导出文件与运行逐样本的比较。</translation>
    </message>
    <message>
        <source>Samples whose outputs travel with the bundle, so that it can be tested anywhere.</source>
        <translation>随部署包附带输出的样本，可在任何地方检验。</translation>
    </message>
    <message>
        <source>Sets each slider to the largest share that alone costs at most 0.2 points.</source>
        <translation>把每个滑块设为单独最多损失 0.2 个百分点的最大比例。</translation>
    </message>
    <message>
        <source>Measures what the removal of channels of each layer costs.</source>
        <translation>测量移除各层通道的代价。</translation>
    </message>
    <message>
        <source>Quantizes weights and outputs to whole numbers of 8 bits.</source>
        <translation>把权重和输出量化为 8 位整数。</translation>
    </message>
    <message>
        <source>Chooses what is removed from the network, and how long it is trained afterwards.</source>
        <translation>选择从网络中移除什么，以及之后训练多久。</translation>
    </message>
    <message>
        <source>The share of this layer&apos;s channels that is removed.</source>
        <translation>这一层要移除的通道比例。</translation>
    </message>
    <message>
        <source>The steps of compression so far; go back, forward, or keep one as a run.</source>
        <translation>目前的压缩步骤；可后退、前进，或保留为运行。</translation>
    </message>
    <message>
        <source>Makes the network smaller step by step and shows what that costs.</source>
        <translation>逐步缩小网络，并显示其代价。</translation>
    </message>
    <message>
        <source>Images whose predicted class the smaller network changed.</source>
        <translation>缩小后的网络改变了预测类别的图像。</translation>
    </message>
    <message>
        <source>Accuracy over cost of all steps; a click chooses one.</source>
        <translation>所有步骤的准确率与代价；点击可选择。</translation>
    </message>
    <message>
        <source>Size, time and accuracy before and after.</source>
        <translation>压缩前后的大小、时间和准确率。</translation>
    </message>
    <message>
        <source>Changed predictions of each class; a click shows their images.</source>
        <translation>各类别改变的预测；点击可查看图像。</translation>
    </message>
    <message>
        <source>Starts a server that answers with predictions over HTTP, and shows its load.</source>
        <translation>启动通过 HTTP 提供预测的服务器，并显示其负载。</translation>
    </message>
    <message>
        <source>Predicts the images of a folder as they arrive, and measures the speed.</source>
        <translation>预测文件夹中新到的图像，并测量速度。</translation>
    </message>
    <message>
        <source>Shows the images of the data; filter by class, sort, exclude with X.</source>
        <translation>显示数据的图像；可按类别筛选、排序，用 X 排除。</translation>
    </message>
    <message>
        <source>Shows the network beside its curves again.</source>
        <translation>在曲线旁重新显示网络。</translation>
    </message>
    <message>
        <source>Switches between the curves of the run and the statistics of its layers.</source>
        <translation>在运行的曲线和各层统计之间切换。</translation>
    </message>
    <message>
        <source>Switches among the events of the run, tracked images and settings that can be changed while it trains.</source>
        <translation>在运行事件、跟踪的样本和训练中可改的设置之间切换。</translation>
    </message>
    <message>
        <source>Chooses which figure colours the layers.</source>
        <translation>选择用哪项数值为各层着色。</translation>
    </message>
    <message>
        <source>Shows a part of the run that is open.</source>
        <translation>显示当前运行的一个部分。</translation>
    </message>
    <message>
        <source>A curve of the run; the wheel zooms, a double click shows all, the button has options.</source>
        <translation>运行的一条曲线；滚轮缩放，双击显示全部，按钮中有选项。</translation>
    </message>
    <message>
        <source>The distribution of values in the chosen layer over the steps.</source>
        <translation>所选层的数值随步数的分布。</translation>
    </message>
    <message>
        <source>Load, memory and energy of the machine over the run.</source>
        <translation>运行期间机器的负载、内存和能耗。</translation>
    </message>
    <message>
        <source>Smooths the curve; the faint one behind it is as it was measured.</source>
        <translation>平滑曲线，后面较淡的曲线是实测值。</translation>
    </message>
    <message>
        <source>Lists what happened in the run: warnings, checkpoints, changes of settings.</source>
        <translation>列出运行中发生的事：警告、检查点和设置的更改。</translation>
    </message>
    <message>
        <source>Follows the same validation images over the training: when each was learned or forgotten.</source>
        <translation>在训练中跟踪同一批验证图像：何时学会，何时遗忘。</translation>
    </message>
    <message>
        <source>Chooses the step of the training whose answers are shown.</source>
        <translation>选择显示训练到哪一步时的预测。</translation>
    </message>
    <message>
        <source>Gives the settings their values at the start of the run back.</source>
        <translation>把设置恢复为运行开始时的值。</translation>
    </message>
    <message>
        <source>Copies the command that trains this run again with all of its changes.</source>
        <translation>复制一条命令，可连同全部更改重新训练此运行。</translation>
    </message>
    <message>
        <source>Takes back what was changed here and not applied.</source>
        <translation>取消此处尚未应用的更改。</translation>
    </message>
    <message>
        <source>Gives the changed settings to the run, which uses them from its next step on.</source>
        <translation>把更改的设置交给运行，从下一步起生效。</translation>
    </message>
    <message>
        <source>A setting that may be changed while the run trains; each change is recorded.</source>
        <translation>训练中可以更改的设置，每次更改都会记录。</translation>
    </message>
    <message>
        <source>Lists the changes of settings in this run.</source>
        <translation>列出此运行中的设置更改。</translation>
    </message>
    <message>
        <source>Lists the layers of the run&apos;s network with their figures; choose one for its statistics.</source>
        <translation>列出运行网络的各层及其数值；选中一层可看统计。</translation>
    </message>
    <message>
        <source>Shows outputs, gradients, weights and updates of every layer.</source>
        <translation>显示每一层的输出、梯度、权重和更新。</translation>
    </message>
    <message>
        <source>Shows where the time of a training step goes, and what would shorten it.</source>
        <translation>显示训练一步的时间花在哪里，以及如何缩短。</translation>
    </message>
    <message>
        <source>Tells whether the training is healthy; a click shows the findings.</source>
        <translation>显示训练是否正常；点击可看诊断结果。</translation>
    </message>
    <message>
        <source>Shows the runs that began with checkpoints of this one; compare or begin another.</source>
        <translation>显示从此运行的检查点开始的运行；可比较或另开分支。</translation>
    </message>
    <message>
        <source>Shows how far the training is and how long it still takes.</source>
        <translation>显示训练进度和剩余时间。</translation>
    </message>
    <message>
        <source>Offers what can be done about this message.</source>
        <translation>提供针对这条消息的操作。</translation>
    </message>
    <message>
        <source>Goes to where this page gets its contents from.</source>
        <translation>转到此页内容的来源。</translation>
    </message>
    <message>
        <source>Counts or fractions of how often each class was predicted as each other one.</source>
        <translation>每个类别被预测成其他类别的次数或比例。</translation>
    </message>
    <message>
        <source>Chooses which images are shown, and in which order.</source>
        <translation>选择显示哪些图像以及排列顺序。</translation>
    </message>
    <message>
        <source>Chooses the run and the checkpoint whose answers are shown.</source>
        <translation>选择显示哪个运行、哪个检查点的预测。</translation>
    </message>
    <message>
        <source>Chooses the images that are predicted: test, validation or training images.</source>
        <translation>选择要预测的图像：测试、验证或训练图像。</translation>
    </message>
    <message>
        <source>Saves a report, a table or the network itself.</source>
        <translation>保存报告、表格或网络本身。</translation>
    </message>
    <message>
        <source>Switches among images, metrics, label issues, the map and the layers.</source>
        <translation>在图像、指标、可疑标签、分布图和层之间切换。</translation>
    </message>
    <message>
        <source>Rows are the true classes, columns the predicted ones; a click shows the images of a cell.</source>
        <translation>行是真实类别，列是预测类别；点击一格可查看其中的图像。</translation>
    </message>
    <message>
        <source>Lists the pairs of classes that are mixed up most; a click shows their images.</source>
        <translation>列出最容易混淆的类别对；点击可查看图像。</translation>
    </message>
    <message>
        <source>Shows the images with their predictions; arrow keys move, Return opens.</source>
        <translation>显示图像及其预测；方向键移动，回车打开。</translation>
    </message>
    <message>
        <source>Shows the image before this one in the chosen order.</source>
        <translation>按所选顺序显示上一张图像。</translation>
    </message>
    <message>
        <source>Shows the next image in the chosen order.</source>
        <translation>按所选顺序显示下一张图像。</translation>
    </message>
    <message>
        <source>Explains the prediction for the chosen image.</source>
        <translation>解释对所选图像的预测。</translation>
    </message>
    <message>
        <source>Shows which parts of the image speak for the chosen class.</source>
        <translation>显示图像的哪些部分支持所选类别。</translation>
    </message>
    <message>
        <source>Shows the training images that look most alike to the network.</source>
        <translation>显示在网络看来最相似的训练图像。</translation>
    </message>
    <message>
        <source>Probabilities of the classes; a click explains that class.</source>
        <translation>各类别的概率；点击可解释该类别。</translation>
    </message>
    <message>
        <source>Draw here with the mouse; the network answers at once.</source>
        <translation>在此用鼠标绘制，网络会立即给出预测。</translation>
    </message>
    <message>
        <source>Predicts an image of your own: drop it, paste it or choose a file.</source>
        <translation>预测您自己的图像：拖入、粘贴或选择文件。</translation>
    </message>
    <message>
        <source>Takes the last stroke of the drawing back.</source>
        <translation>撤销绘图的最后一笔。</translation>
    </message>
    <message>
        <source>Begins with an empty pad.</source>
        <translation>清空画板重新开始。</translation>
    </message>
    <message>
        <source>Makes the strokes of the drawing wider or narrower.</source>
        <translation>调整绘图笔画的粗细。</translation>
    </message>
    <message>
        <source>Tries the network with an image of your own.</source>
        <translation>用您自己的图像试用网络。</translation>
    </message>
    <message>
        <source>Begins with the image as it was.</source>
        <translation>恢复为原来的图像。</translation>
    </message>
    <message>
        <source>Changes an image step by step and compares the answers of two networks.</source>
        <translation>逐步改变图像，并比较两个网络的预测。</translation>
    </message>
    <message>
        <source>Lists images whose label the network contradicts; each can be left out.</source>
        <translation>列出网络不认同其标签的图像；每张都可以排除。</translation>
    </message>
    <message>
        <source>An image counts as a class when its probability is at least this.</source>
        <translation>概率不低于此值时，图像才算作该类别。</translation>
    </message>
    <message>
        <source>Precision, recall, calibration and curves of each class.</source>
        <translation>各类别的精确率、召回率、校准和曲线。</translation>
    </message>
    <message>
        <source>Shows all images as points: those that the network sees as alike lie together.</source>
        <translation>把所有图像显示为点：网络认为相似的会靠在一起。</translation>
    </message>
    <message>
        <source>Shows what the filters of a layer answer to the chosen image.</source>
        <translation>显示某一层的滤波器对所选图像的响应。</translation>
    </message>
    <message>
        <source>Shows or hides the points of a class.</source>
        <translation>显示或隐藏某个类别的点。</translation>
    </message>
    <message>
        <source>Measures how fast this computer trains some templates, in about a minute.</source>
        <translation>用约一分钟测量本机训练几个模板的速度。</translation>
    </message>
    <message>
        <source>Compares the training speed of this computer with that of known processors.</source>
        <translation>把本机的训练速度与已知处理器的速度作比较。</translation>
    </message>
    <message>
        <source>Shows the time and the arithmetic of each kernel in one step of the training.</source>
        <translation>显示训练一步中每个算子内核的用时和运算速度。</translation>
    </message>
    <message>
        <source>Lists what differs between the two sides; Return shows the layer on the canvas.</source>
        <translation>列出两边的不同之处；按回车在画布上显示该层。</translation>
    </message>
    <message>
        <source>Chooses the machine or the cluster system that trains.</source>
        <translation>选择进行训练的机器或集群系统。</translation>
    </message>
    <message>
        <source>Names the job; its folder and its run carry this name.</source>
        <translation>任务的名称；其文件夹和运行都用此名称。</translation>
    </message>
    <message>
        <source>Names the machine that is reached with ssh.</source>
        <translation>用 ssh 连接的机器的名称。</translation>
    </message>
    <message>
        <source>The data set of this computer; files that are missing there are copied.</source>
        <translation>本机上的数据集；那边缺少的文件会复制过去。</translation>
    </message>
    <message>
        <source>The folder of the data set on the machine that trains.</source>
        <translation>训练所用机器上数据集的文件夹。</translation>
    </message>
    <message>
        <source>Options of the command train that are added to the project&apos;s settings.</source>
        <translation>在项目设置之外附加的 train 命令选项。</translation>
    </message>
    <message>
        <source>The folder on that machine in which jobs and runs are kept.</source>
        <translation>那台机器上存放任务和运行的文件夹。</translation>
    </message>
    <message>
        <source>Where netwright-cli lies on that machine.</source>
        <translation>netwright-cli 在那台机器上的位置。</translation>
    </message>
    <message>
        <source>A configuration file of ssh in place of your own.</source>
        <translation>代替您自己配置的 ssh 配置文件。</translation>
    </message>
    <message>
        <source>Where the job&apos;s folder can be read on this computer, so that nothing is copied back.</source>
        <translation>任务的文件夹在本机的挂载位置，这样就不必复制回来。</translation>
    </message>
    <message>
        <source>How many GPUs each rank asks for.</source>
        <translation>每个进程申请的 GPU 数量。</translation>
    </message>
    <message>
        <source>How many processors each rank asks for.</source>
        <translation>每个进程申请的处理器数量。</translation>
    </message>
    <message>
        <source>How much memory each rank asks for, in MiB.</source>
        <translation>每个进程申请的内存，单位 MiB。</translation>
    </message>
    <message>
        <source>The size of /dev/shm in the container, in MiB.</source>
        <translation>容器中 /dev/shm 的大小，单位 MiB。</translation>
    </message>
    <message>
        <source>After this many minutes the training ends with a checkpoint.</source>
        <translation>经过这么多分钟后，训练保存检查点并结束。</translation>
    </message>
    <message>
        <source>How many processes train the network together, started by mpirun.</source>
        <translation>由 mpirun 启动、一起训练网络的进程数。</translation>
    </message>
    <message>
        <source>Labels that a node must have, as LABEL=VALUE with commas between them.</source>
        <translation>节点必须具有的标签，写作 标签=值，以逗号分隔。</translation>
    </message>
    <message>
        <source>The volume claim with the data sets; runs are kept there, too.</source>
        <translation>存放数据集的卷声明；运行也保存在其中。</translation>
    </message>
    <message>
        <source>The partition of the cluster that takes the job.</source>
        <translation>接收任务的集群分区。</translation>
    </message>
    <message>
        <source>The container image that holds netwright-cli.</source>
        <translation>包含 netwright-cli 的容器镜像。</translation>
    </message>
    <message>
        <source>The namespace of the cluster that the job belongs to.</source>
        <translation>任务所属的集群命名空间。</translation>
    </message>
    <message>
        <source>Copies the shown file as text.</source>
        <translation>将显示的文件复制为文本。</translation>
    </message>
    <message>
        <source>Shows the file that would be written for this job.</source>
        <translation>显示将为此任务写出的文件。</translation>
    </message>
    <message>
        <source>Saves the shown file, to be submitted by hand.</source>
        <translation>保存显示的文件，以便手动提交。</translation>
    </message>
    <message>
        <source>Switches among the files that would be written.</source>
        <translation>在将要写出的文件之间切换。</translation>
    </message>
    <message>
        <source>Lists the checks before the submission and what each has found.</source>
        <translation>列出提交前的检查以及各项的结果。</translation>
    </message>
    <message>
        <source>Checks the machine and the data there; copies and starts nothing.</source>
        <translation>检查那台机器及其数据；不复制也不启动任何内容。</translation>
    </message>
    <message>
        <source>Copies what is missing, submits the job and shows it in the list of jobs.</source>
        <translation>复制缺少的内容，提交任务，并显示在任务列表中。</translation>
    </message>
    <message>
        <source>Ends the copy or the check at once; nothing is submitted.</source>
        <translation>立即结束复制或检查；不提交任务。</translation>
    </message>
    <message>
        <source>Closes this dialog; its contents stay.</source>
        <translation>关闭此对话框，其中的内容保留。</translation>
    </message>
    <message>
        <source>The other project, whose changes are taken into the open one.</source>
        <translation>另一个项目，其更改将并入打开的项目。</translation>
    </message>
    <message>
        <source>Opens a dialog to choose the other project.</source>
        <translation>打开对话框选择另一个项目。</translation>
    </message>
    <message>
        <source>The project as it was before both changed; it tells who changed what.</source>
        <translation>两边更改之前的项目；由此得知各自改了什么。</translation>
    </message>
    <message>
        <source>Opens a dialog to choose the common ancestor.</source>
        <translation>打开对话框选择共同的祖先。</translation>
    </message>
    <message>
        <source>Takes the other project&apos;s changes as one edit, which can be undone; conflicts are listed as problems.</source>
        <translation>将另一个项目的更改作为一次可撤销的编辑并入；冲突列为问题。</translation>
    </message>
    <message>
        <source>Closes the dialog; nothing is changed.</source>
        <translation>关闭对话框，不作任何更改。</translation>
    </message>
    <message>
        <source>Lists each weight of the network and of the file, with both shapes and what becomes of it.</source>
        <translation>列出网络和文件中的每个权重、两者的形状以及处理结果。</translation>
    </message>
    <message>
        <source>Shows all weights, or only those that are taken, that begin anew or that are left over.</source>
        <translation>显示全部权重，或只显示采用的、重新开始的或剩余的权重。</translation>
    </message>
    <message>
        <source>Lets the training begin with the weights that fit; the others begin anew.</source>
        <translation>训练从匹配的权重开始；其余的重新开始。</translation>
    </message>
    <message>
        <source>Looks for validation images that are also training images, in a process of its own.</source>
        <translation>在单独的进程中查找同时也是训练图像的验证图像。</translation>
    </message>
    <message>
        <source>Shows the statistics of the layers, where the cause can be seen.</source>
        <translation>显示各层的统计，从中可以看到原因。</translation>
    </message>
    <message>
        <source>Shows the network, where the cause can be mended.</source>
        <translation>显示网络，可在那里解决问题。</translation>
    </message>
    <message>
        <source>Begins a branch of this run with the recommended value of a setting.</source>
        <translation>以建议的设置值开始此运行的一个分支。</translation>
    </message>
    <message>
        <source>Chooses the checkpoint that the branch begins with.</source>
        <translation>选择分支开始时所用的检查点。</translation>
    </message>
    <message>
        <source>Takes the network of the run or that of the open project.</source>
        <translation>采用运行的网络或打开的项目的网络。</translation>
    </message>
    <message>
        <source>Takes the data of the run or those of the open project.</source>
        <translation>采用运行的数据或打开的项目的数据。</translation>
    </message>
    <message>
        <source>Chooses the devices that train the branch; on others than those of the run its numbers are not bit-exact.</source>
        <translation>选择训练分支的设备；若与运行所用的不同，数值不会逐位相同。</translation>
    </message>
    <message>
        <source>Tick the layers whose weights the branch leaves as they are.</source>
        <translation>勾选分支中权重保持不变的层。</translation>
    </message>
    <message>
        <source>Lists the weights that are carried over and those that begin anew.</source>
        <translation>列出沿用的权重和重新开始的权重。</translation>
    </message>
    <message>
        <source>Starts the branch as a new run; this run stays as it is.</source>
        <translation>将分支作为新的运行开始；原运行保持不变。</translation>
    </message>
    <message>
        <source>Switches among the training, the validation and the test images.</source>
        <translation>在训练、验证和测试图像之间切换。</translation>
    </message>
    <message>
        <source>Shows only the images of one class.</source>
        <translation>只显示一个类别的图像。</translation>
    </message>
    <message>
        <source>Sorts the images, by brightness or by the loss of a trained network for example.</source>
        <translation>对图像排序，例如按亮度或按已训练网络的损失。</translation>
    </message>
    <message>
        <source>Leaves the chosen images out of the project, or takes them in again; their files stay.</source>
        <translation>将所选图像排除在项目之外，或重新纳入；文件保持不变。</translation>
    </message>
    <message>
        <source>Opens the file of the chosen image in the desktop&apos;s program.</source>
        <translation>用桌面程序打开所选图像的文件。</translation>
    </message>
    <message>
        <source>Lists the data sets that can be downloaded, with size, licence and state.</source>
        <translation>列出可下载的数据集及其大小、许可证和状态。</translation>
    </message>
    <message>
        <source>Downloads the chosen data set and compares checksums, or stops; it goes on later where it stopped.</source>
        <translation>下载所选数据集并比较校验和，或停止；之后从停止处继续。</translation>
    </message>
    <message>
        <source>Makes the chosen data set the data of the open project.</source>
        <translation>将所选数据集用作打开的项目的数据。</translation>
    </message>
    <message>
        <source>Closes this dialog; a download goes on.</source>
        <translation>关闭此对话框；下载继续进行。</translation>
    </message>
    <message>
        <source>The size to which all photos are resized; smaller is quicker, larger shows more.</source>
        <translation>所有照片缩放到的尺寸；越小越快，越大细节越多。</translation>
    </message>
    <message>
        <source>Chooses the network that learns the photos; the line below says which one is proposed and why.</source>
        <translation>选择学习照片的网络；下面一行说明建议哪一个及其原因。</translation>
    </message>
    <message>
        <source>Uses this folder nearby, which holds one folder for each class.</source>
        <translation>改用附近的这个文件夹，其中每个类别一个文件夹。</translation>
    </message>
    <message>
        <source>Makes a project with this network and the photos; nothing is trained yet.</source>
        <translation>用此网络和照片创建项目；尚未开始训练。</translation>
    </message>
    <message>
        <source>Keeps the network of the open project and trains it on the photos.</source>
        <translation>保留打开的项目的网络，并用照片训练。</translation>
    </message>
    <message>
        <source>Says what the table&apos;s columns are: a class, several labels or numbers.</source>
        <translation>说明表格的列是什么：类别、多个标签还是数值。</translation>
    </message>
    <message>
        <source>Tick the columns that the network learns to predict.</source>
        <translation>勾选网络要学习预测的列。</translation>
    </message>
    <message>
        <source>Fits the end of the network to the chosen columns, as a project of its own.</source>
        <translation>使网络的末端适应所选的列，成为单独的项目。</translation>
    </message>
    <message>
        <source>Time of a batch and images per second, measured for each device and batch size.</source>
        <translation>对每个设备和批大小测得的每批时间和每秒图像数。</translation>
    </message>
    <message>
        <source>Compares two devices: the outputs of each layer, loss, speed and energy.</source>
        <translation>比较两个设备：各层的输出、损失、速度和能耗。</translation>
    </message>
    <message>
        <source>Measures once more; close other programs for steady numbers.</source>
        <translation>重新测量；关闭其他程序可使数值更稳定。</translation>
    </message>
    <message>
        <source>Copies the table, to be pasted into a spreadsheet.</source>
        <translation>复制表格，以便粘贴到电子表格中。</translation>
    </message>
    <message>
        <source>The device with which the other one is compared.</source>
        <translation>与另一个设备相比较的设备。</translation>
    </message>
    <message>
        <source>The device that is compared with the first.</source>
        <translation>与第一个设备相比较的设备。</translation>
    </message>
    <message>
        <source>Speed, energy, loss and accuracy of both devices.</source>
        <translation>两个设备的速度、能耗、损失和准确率。</translation>
    </message>
    <message>
        <source>How far the outputs of each layer differ; the first that differs too much is marked.</source>
        <translation>各层输出的差异；第一个差异过大的层会标出。</translation>
    </message>
    <message>
        <source>Computes on both devices once more and compares the layers.</source>
        <translation>在两个设备上重新计算并比较各层。</translation>
    </message>
    <message>
        <source>Names the block in your palette; a block of this name is replaced.</source>
        <translation>块在您的层面板中的名称；同名的块会被替换。</translation>
    </message>
    <message>
        <source>Says what the block is for; the text is shown when the mouse rests on it.</source>
        <translation>说明块的用途；鼠标停留其上时显示此文字。</translation>
    </message>
    <message>
        <source>Keeps the block on this computer; all projects find it in the palette.</source>
        <translation>将块保存在本机；所有项目都能在层面板中找到它。</translation>
    </message>
    <message>
        <source>Puts this block in the place of the saved one of the same name.</source>
        <translation>用此块替换已保存的同名块。</translation>
    </message>
    <message>
        <source>Chooses the picture of the block in the palette.</source>
        <translation>选择块在层面板中的图标。</translation>
    </message>
    <message>
        <source>Names the new column of the table of runs.</source>
        <translation>运行表格中新列的名称。</translation>
    </message>
    <message>
        <source>An expression of the fields and settings of runs, as the note below lists them.</source>
        <translation>由运行的字段和设置组成的表达式，下面的说明列出了它们。</translation>
    </message>
    <message>
        <source>Adds the column to the table of runs; it is kept for the next start.</source>
        <translation>将该列加入运行表格；下次启动时保留。</translation>
    </message>
    <message>
        <source>How many epochs are trained beyond those that the run has.</source>
        <translation>在运行已有轮数之外再训练的轮数。</translation>
    </message>
    <message>
        <source>Goes on from the run&apos;s last checkpoint, with its own settings and data.</source>
        <translation>从运行的最后一个检查点继续，使用其自身的设置和数据。</translation>
    </message>
    <message>
        <source>Looks for the driver and the libraries once more, after one was installed.</source>
        <translation>在安装了驱动或库之后重新查找一遍。</translation>
    </message>
    <message>
        <source>Gives each device the whole network; each computes a part of every batch.</source>
        <translation>每个设备都有整个网络，各自计算每个批次的一部分。</translation>
    </message>
    <message>
        <source>Gives each device some of the layers; the batch passes through one after another.</source>
        <translation>每个设备只有一部分网络层，批次依次通过它们。</translation>
    </message>
    <message>
        <source>Divides the network among some devices and the batch among several such groups.</source>
        <translation>网络拆分到几个设备上，批次再分给几组这样的设备。</translation>
    </message>
    <message>
        <source>Places all layers anew, so that the slowest device has as little to do as possible.</source>
        <translation>重新放置所有网络层，让最慢的设备要做的尽可能少。</translation>
    </message>
    <message>
        <source>Moves the layer that the text above names to the other device.</source>
        <translation>把上面所说的网络层移到另一个设备。</translation>
    </message>
    <message>
        <source>Sets how the devices share the training; the estimate below follows at once.</source>
        <translation>设置各设备如何分担训练，下面的估计随即更新。</translation>
    </message>
    <message>
        <source>Shows the layers of each device; drag a card or press Alt+Left and Alt+Right to move it.</source>
        <translation>显示每个设备上的网络层；拖动卡片，或按 Alt+左、Alt+右 移动它。</translation>
    </message>
    <message>
        <source>Tells the time, the memory and the waiting of this device in a step.</source>
        <translation>说明该设备在一步中的时间、内存和等待。</translation>
    </message>
    <message>
        <source>Shows when each device computes which micro-batch of a step, and when it waits.</source>
        <translation>显示一步中每个设备何时计算哪个微批次、何时等待。</translation>
    </message>
    <message>
        <source>Predicts how fast more devices, or other ones, would train this network.</source>
        <translation>预测用更多或其他设备训练这个网络会有多快。</translation>
    </message>
    <message>
        <source>The best value over the time of the study, and below it which trials were trained.</source>
        <translation>搜索过程中的最佳值，下面是当时训练的试验。</translation>
    </message>
    <message>
        <source>Two objectives against each other; no trial is better in both than one on the line.</source>
        <translation>两个目标互相对照；没有试验在两方面都优于线上的试验。</translation>
    </message>
    <message>
        <source>One line for each trial; drag along an axis to select the trials with these values.</source>
        <translation>每个试验一条线；沿坐标轴拖动可选中取这些值的试验。</translation>
    </message>
    <message>
        <source>How much each setting matters for the result; a click on one shows its values.</source>
        <translation>每个设置对结果有多重要；点击其中一个显示它的取值。</translation>
    </message>
    <message>
        <source>How many trials have reached each rung, and how many were trained further.</source>
        <translation>有多少试验到达了每个阶段，又有多少继续训练。</translation>
    </message>
    <message>
        <source>Shows the run of the chosen job on the Train page.</source>
        <translation>在“训练”页显示所选作业的运行。</translation>
    </message>
    <message>
        <source>Lets the training of the chosen job wait after the present step.</source>
        <translation>让所选作业的训练在当前步之后暂停。</translation>
    </message>
    <message>
        <source>Lets the training of the chosen job go on after a pause.</source>
        <translation>让所选作业暂停的训练继续进行。</translation>
    </message>
    <message>
        <source>Lists the trainings that were submitted to other computers.</source>
        <translation>列出提交到其他计算机的训练。</translation>
    </message>
    <message>
        <source>Lists the devices of the run: the parts of their steps, and which one the others wait for.</source>
        <translation>列出运行所用的设备：它们每步的组成，以及其他设备在等哪一个。</translation>
    </message>
</context>
<context>
    <name>WhySlow</name>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Augment</source>
        <translation>增强</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
</context>
<context>
    <name>canvas</name>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 个网络层</numerusform>
        </translation>
    </message>
    <message>
        <source>params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>%1 %2, %3 of %4</source>
        <translation>%1 %2，第 %3 / %4 个</translation>
    </message>
    <message>
        <source>, output %1</source>
        <translation>，输出 %1</translation>
    </message>
    <message>
        <source>, bypassed</source>
        <translation>，已旁路</translation>
    </message>
    <message>
        <source>, frozen</source>
        <translation>，已冻结</translation>
    </message>
    <message>
        <source>, error: %1</source>
        <translation>，错误：%1</translation>
    </message>
    <message>
        <source>, warning: %1</source>
        <translation>，警告：%1</translation>
    </message>
    <message>
        <source>stride %1</source>
        <translation>步幅 %1</translation>
    </message>
    <message>
        <source>pad %1</source>
        <translation>填充 %1</translation>
    </message>
    <message>
        <source>dilation %1</source>
        <translation>膨胀 %1</translation>
    </message>
    <message>
        <source>groups %1</source>
        <translation>分组 %1</translation>
    </message>
    <message>
        <source>momentum %1</source>
        <translation>动量 %1</translation>
    </message>
    <message>
        <source>no %1</source>
        <translation>无%1</translation>
    </message>
    <message>
        <source>from the chosen data set</source>
        <translation>取自所选数据集</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>彩色</translation>
    </message>
    <message>
        <source>1 output</source>
        <translation>1 个输出</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>unknown layer</source>
        <translation>未知网络层</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Add frame</source>
        <translation>添加框</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>调整大小</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Lay out</source>
        <translation>整理布局</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete and reconnect</source>
        <translation>删除并重新连接</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>旁路</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Freeze weights</source>
        <translation>冻结权重</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>便签</translation>
    </message>
    <message>
        <source>Add a layer…</source>
        <translation>添加网络层…</translation>
    </message>
    <message>
        <source>The connection would form a cycle</source>
        <translation>该连接会形成环</translation>
    </message>
    <message>
        <source>Insert layer</source>
        <translation>插入网络层</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>添加便签</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>fits, gives %1</source>
        <translation>合适，输出 %1</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Spread evenly</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>Straighten</source>
        <translation>拉直</translation>
    </message>
    <message>
        <source>%1 was added to your blocks; every project can use it</source>
        <translation>%1 已加入您的模块，在每个项目中可用</translation>
    </message>
    <message>
        <source>Make a block</source>
        <translation>做成模块</translation>
    </message>
    <message>
        <source>Ungroup the block</source>
        <translation>拆开模块</translation>
    </message>
    <message>
        <source>Make the block unique</source>
        <translation>使模块独立</translation>
    </message>
    <message>
        <source>Add to the network</source>
        <translation>加入网络</translation>
    </message>
    <message>
        <source>Open the definition</source>
        <translation>打开定义</translation>
    </message>
    <message>
        <source>Delete the definition</source>
        <translation>删除定义</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Remove from my blocks</source>
        <translation>从我的模块中移除</translation>
    </message>
    <message>
        <source>Duplicate with inputs</source>
        <translation>连同输入一起复制</translation>
    </message>
    <message>
        <source>Connect the selection</source>
        <translation>连接所选网络层</translation>
    </message>
    <message>
        <source>Detach and reconnect</source>
        <translation>取出并重新连接</translation>
    </message>
    <message>
        <source>Remove all connections</source>
        <translation>移除所有连接</translation>
    </message>
    <message>
        <source>Move connections</source>
        <translation>移动连接</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>取出</translation>
    </message>
    <message>
        <source>Add bend point</source>
        <translation>添加折点</translation>
    </message>
    <message>
        <source>Cut connections</source>
        <translation>切断连接</translation>
    </message>
    <message>
        <source>Opens the block</source>
        <translation>打开模块</translation>
    </message>
    <message>
        <source>Opens the settings of the layer</source>
        <translation>打开该层的设置</translation>
    </message>
    <message>
        <source>Starts a connection here, or ends it</source>
        <translation>从这里开始或结束一条连接</translation>
    </message>
    <message>
        <source>Output %2 of %1</source>
        <translation>%1 的输出 %2</translation>
    </message>
    <message>
        <source>Output of %1</source>
        <translation>%1 的输出</translation>
    </message>
    <message>
        <source>Input %2 of %1</source>
        <translation>%1 的输入 %2</translation>
    </message>
    <message>
        <source>Input of %1</source>
        <translation>%1 的输入</translation>
    </message>
    <message>
        <source>, not connected</source>
        <translation>，未连接</translation>
    </message>
    <message>
        <source>, to %1</source>
        <translation>，连接到 %1</translation>
    </message>
    <message>
        <source>, from %1</source>
        <translation>，来自 %1</translation>
    </message>
    <message>
        <source>Connection from %1 to input %3 of %2</source>
        <translation>从 %1 到 %2 的输入 %3 的连接</translation>
    </message>
    <message>
        <source>Connection from %1 to %2</source>
        <translation>从 %1 到 %2 的连接</translation>
    </message>
    <message>
        <source>Output for a sample image</source>
        <translation>对示例图像的输出</translation>
    </message>
    <message>
        <source>Rename frame</source>
        <translation>重命名框</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>编辑便签</translation>
    </message>
    <message numerus="yes">
        <source>%1 filter(s)</source>
        <translation>
            <numerusform>%1 个卷积核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 unit(s)</source>
        <translation>
            <numerusform>%1 个单元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 channel(s)</source>
        <translation>
            <numerusform>%1 通道</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 类</numerusform>
        </translation>
    </message>
    <message>
        <source>trains from epoch %1</source>
        <translation>从第 %1 轮开始训练</translation>
    </message>
    <message>
        <source>Save to my palette…</source>
        <translation>存入我的组件…</translation>
    </message>
    <message>
        <source>, not computed</source>
        <translation>，不参与计算</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>版本 %1</translation>
    </message>
    <message>
        <source>Freeze up to here</source>
        <translation>冻结到此层</translation>
    </message>
</context>
<context>
    <name>design</name>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>Regularization</source>
        <translation>正则化</translation>
    </message>
    <message>
        <source>Shape and merge</source>
        <translation>形状与合并</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
</context>
<context>
    <name>engine</name>
    <message>
        <source>{0} has no filters; choose a convolution</source>
        <translation>{0} 没有滤波器；请选择卷积层</translation>
    </message>
    <message>
        <source>{0}: has no numeric targets; choose class or labels as the target</source>
        <translation>{0}：没有可学习的数值；请学习类别或标签</translation>
    </message>
    <message>
        <source>Two moons</source>
        <translation>双月</translation>
    </message>
    <message>
        <source>A small perceptron that separates points of two half circles.</source>
        <translation>一个小型感知机，用于区分两个半圆上的点。</translation>
    </message>
    <message>
        <source>Which shapes?</source>
        <translation>有哪些形状？</translation>
    </message>
    <message>
        <source>Any number of labels in an image: circle, square, triangle.</source>
        <translation>一张图像可有任意多个标签：圆形、正方形、三角形。</translation>
    </message>
    <message>
        <source>Where is the shape?</source>
        <translation>形状在哪里？</translation>
    </message>
    <message>
        <source>The same network predicts numbers: the position and size of a shape.</source>
        <translation>同一网络学习数值：形状的位置与大小。</translation>
    </message>
    <message>
        <source>Use {0}</source>
        <translation>改用 {0}</translation>
    </message>
    <message>
        <source>{0} needs one class per image, but the data set is multi-label</source>
        <translation>{0} 要求每张图像只有一个类别，而数据集是多标签的</translation>
    </message>
    <message>
        <source>{0} needs classes as targets, the data set has numbers</source>
        <translation>{0} 学习类别，而数据集要学习的是数值</translation>
    </message>
    <message>
        <source>The data set has {0} labels, the network outputs {1} scores</source>
        <translation>数据集有 {0} 个标签，网络输出 {1} 个得分</translation>
    </message>
    <message>
        <source>The data set has {0} numbers for each image, the network outputs {1}</source>
        <translation>数据集每张图像有 {0} 个数值，网络输出 {1} 个</translation>
    </message>
    <message>
        <source>{0}: {1} images have several categories, the first is {2} ({3}, {4}); choose labels as the target, or keep one category for each image</source>
        <translation>{0}：{1} 张图像有多个类别，第一张是 {2}（{3}、{4}）；请选择学习标签，或让每张图像只保留一个类别</translation>
    </message>
    <message>
        <source>{0}, line {1}: the first line must name the columns, so that target columns can be chosen</source>
        <translation>{0} 第 {1} 行：必须写明各列的名称，才能知道要学习哪些列</translation>
    </message>
    <message>
        <source>{0}, line {1}: every column is a target, so none is left for pixels</source>
        <translation>{0} 第 {1} 行：所有列都要学习，没有一列是像素</translation>
    </message>
    <message>
        <source>{0}: no image has a label</source>
        <translation>{0}：没有任何图像带有标签</translation>
    </message>
    <message>
        <source>{0}: has a class for each image and no other target; choose class as the target</source>
        <translation>{0}：每张图像只有一个类别，没有其他可学习的内容；请学习类别</translation>
    </message>
    <message>
        <source>{0}: its labels are fractional numbers, not classes; choose numbers as the target</source>
        <translation>{0}：其标签是带小数的数值而不是类别；请选择学习数值</translation>
    </message>
    <message>
        <source>{0}, line {1}: &quot;{2}&quot; is the column of paths; choose another target column</source>
        <translation>{0} 第 {1} 行：“{2}”是路径列；请选择要学习的列</translation>
    </message>
    <message>
        <source>{0}, line {1}: {2} target columns are named; 1 to {3} are possible</source>
        <translation>{0} 第 {1} 行：要学习的列有 {2} 个；可以是 1 到 {3} 个</translation>
    </message>
    <message>
        <source>{0}, line {1}: its target columns have other names than those of the training table</source>
        <translation>{0} 第 {1} 行：要学习的列与训练表中的名称不同</translation>
    </message>
    <message>
        <source>{0}, line {1}: a label is longer than {2} bytes</source>
        <translation>{0} 第 {1} 行：有标签超过 {2} 字节</translation>
    </message>
    <message>
        <source>{0}, line {1}: cell {2} is &quot;{3}&quot;; a label&apos;s column holds 1 (it has it) or 0</source>
        <translation>{0} 第 {1} 行：第 {2} 格是“{3}”；标签列只能是 1（有此标签）或 0</translation>
    </message>
    <message>
        <source>{0}, line {1}: cell {2} is &quot;{3}&quot;, which is not a number</source>
        <translation>{0} 第 {1} 行：第 {2} 格是“{3}”，不是可以学习的数值</translation>
    </message>
    <message>
        <source>Blends each image of some batches with another, and their targets; a small alpha blends little.</source>
        <translation>把部分批次中的每张图像与另一张混合，目标也随之混合；alpha 越小，混合越少。</translation>
    </message>
    <message>
        <source>Puts a piece of another image into each image of some batches, and mixes their targets by area.</source>
        <translation>在部分批次的每张图像中放入另一张图像的一块，并按面积混合目标。</translation>
    </message>
    <message>
        <source>{0}: {1} images have more than one class, the first is {2}; choose labels as the target, or the list of one class, such as {3}, to train for that class only</source>
        <translation>{0}：有 {1} 次图像被多个类别标记，第一张是 {2}；请选择学习标签，或选择某一类别的列表（例如 {3}），以学习是否属于该类别</translation>
    </message>
    <message>
        <source>has target &quot;{0}&quot;; known are class, odd, coarse, labels and values</source>
        <translation>的 target 为“{0}”；已知的有 class、odd、coarse、labels 和 values</translation>
    </message>
    <message>
        <source>has synthetic_set &quot;{0}&quot;; known are digits, shapes and two_moons</source>
        <translation>的 synthetic_set 为“{0}”；已知的有 digits、shapes 和 two_moons</translation>
    </message>
    <message>
        <source>The predictions of these images need too much memory; choose a smaller split</source>
        <translation>这些图像的预测需要过多内存；请选择更小的划分</translation>
    </message>
    <message>
        <source>The data set of this run has changed: it has {0} targets for each image, the network outputs {1}; restore the data set or train again</source>
        <translation>此训练运行的数据集已改变：每张图像有 {0} 个目标值，而网络输出 {1} 个；请恢复数据集或重新训练</translation>
    </message>
    <message>
        <source>There are no predictions for these images yet: choose this split on the Predict page, then sort again</source>
        <translation>这些图像尚无预测：请在“预测”页选择该划分，然后重新排序</translation>
    </message>
    <message>
        <source>Synthetic digits</source>
        <translation>合成数字</translation>
    </message>
    <message>
        <source>{0} has no tracked samples</source>
        <translation>{0} 没有跟踪样本</translation>
    </message>
    <message>
        <source>{0} is damaged; the tracked samples cannot be shown</source>
        <translation>{0} 已损坏；无法显示跟踪样本</translation>
    </message>
    <message>
        <source>{0} images are too many for this map; at most {1}</source>
        <translation>{0} 张图像对此图来说过多；最多 {1} 张</translation>
    </message>
    <message>
        <source>Flips some images vertically.</source>
        <translation>将部分图像上下翻转。</translation>
    </message>
    <message>
        <source>Rotates images by up to this many degrees in either direction.</source>
        <translation>将图像向任一方向旋转，角度不超过此值。</translation>
    </message>
    <message>
        <source>Rotates, shifts, scales and shears images.</source>
        <translation>旋转、平移、缩放并错切图像。</translation>
    </message>
    <message>
        <source>Changes brightness, contrast, saturation and hue.</source>
        <translation>改变亮度、对比度、饱和度和色调。</translation>
    </message>
    <message>
        <source>Converts some images to grayscale.</source>
        <translation>将部分图像转换为灰度图。</translation>
    </message>
    <message>
        <source>Blurs images with a Gaussian of up to sigma pixels.</source>
        <translation>用高斯核模糊图像，标准差最多 sigma 个像素。</translation>
    </message>
    <message>
        <source>Adds noise to every pixel; sigma 1 is from black to white.</source>
        <translation>给每个像素加噪声；sigma 为 1 相当于从黑到白。</translation>
    </message>
    <message>
        <source>Paints a black rectangle over some images.</source>
        <translation>在部分图像上涂一个黑色矩形。</translation>
    </message>
    <message>
        <source>Applies a few operations drawn from fourteen, all at one strength (Cubuk et al., 2020).</source>
        <translation>从十四种操作中随机抽取几种，以同一强度施加（Cubuk 等，2020）。</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Degrees</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Shear</source>
        <translation>错切</translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation>亮度</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>饱和度</translation>
    </message>
    <message>
        <source>Hue</source>
        <translation>色调</translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>半径</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>Sigma</translation>
    </message>
    <message>
        <source>Largest area</source>
        <translation>最大面积</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>{0}.transforms lists more than {1}</source>
        <translation>{0}.transforms 列出了超过 {1} 项</translation>
    </message>
    <message>
        <source>{0} has no &quot;{1}&quot;; it has {2}</source>
        <translation>{0} 没有“{1}”；它有 {2}</translation>
    </message>
    <message>
        <source>{0}: {1} must be a number from {2} to {3}, not &quot;{4}&quot;</source>
        <translation>{0}：{1} 必须是 {2} 到 {3} 之间的数，而不是“{4}”</translation>
    </message>
    <message>
        <source>There is no transform &quot;{0}&quot;; use one of {1}</source>
        <translation>没有变换“{0}”；请使用以下之一：{1}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a device; use cpu, cpu:0, cpu:1, … or cuda:0, …</source>
        <translation>“{0}”不是设备；请用 cpu、cpu:0、cpu:1… 或 cuda:0…</translation>
    </message>
    <message>
        <source>no GPU of this computer can train; train on cpu</source>
        <translation>本机没有可用于训练的 GPU；请用 cpu 训练</translation>
    </message>
    <message>
        <source>cuda:{0} is not in this machine; its GPUs are cuda:0 to cuda:{1}</source>
        <translation>本机没有 cuda:{0}；本机的 GPU 是 cuda:0 到 cuda:{1}</translation>
    </message>
    <message>
        <source>GPUs and processors cannot share a run; name devices of one kind</source>
        <translation>GPU 和处理器不能用于同一次训练；请只指定一类设备</translation>
    </message>
    <message>
        <source>{0} offers no backend; build it again from the sources of this program</source>
        <translation>{0} 没有提供后端；请用本程序的源代码重新构建它</translation>
    </message>
    <message>
        <source>{0} has version {1} of the backend interface and this program needs version {2}; build both from the same sources</source>
        <translation>{0} 使用后端接口版本 {1}，本程序使用版本 {2}；请用同一份源代码构建两者</translation>
    </message>
    <message>
        <source>{0} provides the backend &quot;{1}&quot;, but &quot;{2}&quot; is needed; replace the library with the right one</source>
        <translation>{0} 提供的后端是“{1}”，而需要的是“{2}”；请换成正确的库</translation>
    </message>
    <message>
        <source>the plug-in for {0} is not installed: {1} is missing; build the program on a machine with NVIDIA&apos;s nvcc, or train on cpu</source>
        <translation>{0} 的插件没有安装：缺少 {1}；请在装有 NVIDIA nvcc 的机器上构建本程序，或用 cpu 训练</translation>
    </message>
    <message>
        <source>{0} cannot be loaded ({1}); build it again, or train on cpu</source>
        <translation>无法加载 {0}（{1}）；请重新构建它，或用 cpu 训练</translation>
    </message>
    <message>
        <source>{0} is not a plug-in of this program: it has no netwright_backend; replace the library with the right one</source>
        <translation>{0} 不是本程序的插件：其中没有 netwright_backend；请换成正确的库</translation>
    </message>
    <message>
        <source>only netwright-cli can use {0} devices; this program loads no plug-ins</source>
        <translation>只有 netwright-cli 能使用 {0} 设备；本程序不加载插件</translation>
    </message>
    <message>
        <source>netwright-cli does not report a device {0}</source>
        <translation>netwright-cli 没有报告设备 {0}</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not respond; install the driver of your GPU (580 or later), or train on cpu</source>
        <translation>这里没有 NVIDIA 驱动回应；请安装显卡的驱动（580 或更新），或用 cpu 训练</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no GPU; check that the card is seated and that this user may open /dev/nvidia0, or train on cpu</source>
        <translation>NVIDIA 驱动找不到 GPU；请检查显卡是否插好、当前用户能否打开 /dev/nvidia0，或用 cpu 训练</translation>
    </message>
    <message>
        <source>the NVIDIA driver supports CUDA {0}.{1} and 13.0 is needed; install driver 580 or later, or train on cpu</source>
        <translation>这里的 NVIDIA 驱动支持 CUDA {0}.{1}，而需要 13.0；请安装驱动 580 或更新的版本，或用 cpu 训练</translation>
    </message>
    <message>
        <source>the GPU here is too old: compute capability 8.0 (Ampere) is needed; train on cpu</source>
        <translation>这里的 GPU 太旧：需要计算能力 8.0（Ampere）；请用 cpu 训练</translation>
    </message>
    <message>
        <source>the NVIDIA driver (libcuda.so.1) was not found; install the driver of your GPU, or train on cpu</source>
        <translation>找不到 NVIDIA 驱动（libcuda.so.1）；请安装 GPU 的驱动，或用 cpu 训练</translation>
    </message>
    <message>
        <source>the NVIDIA driver here is too old: it has no {0}; install a newer one (580 or later), or train on cpu</source>
        <translation>这里的 NVIDIA 驱动太旧：没有 {0}；请安装更新的驱动（580 或更新），或用 cpu 训练</translation>
    </message>
    <message>
        <source>{0} is out of memory ({1}); make the batch smaller, or train on cpu</source>
        <translation>{0} 内存不足（{1}）；请减小批次，或在 cpu 上训练</translation>
    </message>
    <message>
        <source>{0} reported a memory error that it cannot correct ({1}, {2}); resume from the last checkpoint on another device</source>
        <translation>{0} 报告了无法纠正的内存错误（{1}，{2}）；请在另一设备上从最后的检查点恢复训练</translation>
    </message>
    <message>
        <source>{0} is no longer accessible ({1}, {2}); resume from the last checkpoint, or with --device cpu</source>
        <translation>{0} 已无法访问（{1}，{2}）；请从最后的检查点恢复训练，或使用 --device cpu</translation>
    </message>
    <message>
        <source>This run now uses other kernels than at its start (&quot;{0}&quot;, then &quot;{1}&quot;): its numbers may differ in their last digits.</source>
        <translation>计算此次训练的内核与开始时不同（“{0}”，当时为“{1}”）：数值的末几位可能不同。</translation>
    </message>
    <message>
        <source>{0} does not respond ({1}): it made no progress for {2} s; resume from the last checkpoint, or with --device cpu</source>
        <translation>{0} 无响应（{1}）：{2} 秒内没有进展；请从最后的检查点恢复，或使用 --device cpu</translation>
    </message>
    <message>
        <source>{0} stopped working ({1}, {2}); resume from the last checkpoint, or with --device cpu</source>
        <translation>{0} 停止工作（{1}，{2}）；请从最后的检查点恢复训练，或使用 --device cpu</translation>
    </message>
    <message>
        <source>{0}: {1} has no {2}</source>
        <translation>{0}：{1} 没有 {2}</translation>
    </message>
    <message>
        <source>{0} is not available on this machine</source>
        <translation>本机没有 {0}</translation>
    </message>
    <message>
        <source>no device was named; use cpu</source>
        <translation>没有指定设备；请用 cpu</translation>
    </message>
    <message>
        <source>{0} devices are too many; choose at most 64</source>
        <translation>{0} 个设备过多；请最多选择 64 个</translation>
    </message>
    <message>
        <source>device {0} is named twice</source>
        <translation>设备 {0} 被指定了两次</translation>
    </message>
    <message>
        <source>&quot;cpu&quot; is the whole machine and cannot be combined; use cpu:0,cpu:1</source>
        <translation>“cpu”代表整台机器，不能组合；请用 cpu:0,cpu:1</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}：{1}</translation>
    </message>
    <message>
        <source>There is no loss layer, so the network cannot be trained</source>
        <translation>没有损失层，网络无法训练</translation>
    </message>
    <message>
        <source>Add CrossEntropy</source>
        <translation>添加 CrossEntropy</translation>
    </message>
    <message>
        <source>Its output is connected back to its input: the network has a cycle</source>
        <translation>它的输出连回了自己的输入：网络中有环</translation>
    </message>
    <message>
        <source>Remove this connection</source>
        <translation>移除此连接</translation>
    </message>
    <message>
        <source>There is a loss already; a network has one</source>
        <translation>已有损失层；一个网络只有一个</translation>
    </message>
    <message>
        <source>There is an Input already; a network has one</source>
        <translation>已有 Input；一个网络只有一个</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>The network is empty: add an Input, layers and a loss</source>
        <translation>网络是空的：请添加 Input、网络层和损失</translation>
    </message>
    <message>
        <source>There is no Input layer, so the network receives no images</source>
        <translation>没有 Input 层，网络接收不到图像</translation>
    </message>
    <message>
        <source>Add Input</source>
        <translation>添加 Input</translation>
    </message>
    <message>
        <source>Nothing is connected to it</source>
        <translation>没有任何连接</translation>
    </message>
    <message>
        <source>Its input is not connected</source>
        <translation>它的输入没有连接</translation>
    </message>
    <message>
        <source>Too many input connections: it accepts {0}; remove the others</source>
        <translation>输入连接过多：它只接受 {0} 个；请移除其余连接</translation>
    </message>
    <message>
        <source>Not connected. Training leaves it out.</source>
        <translation>未连接，训练时会略过。</translation>
    </message>
    <message>
        <source>Not connected. Training leaves these {0} layers out.</source>
        <translation>未连接，训练时会略过这 {0} 个网络层。</translation>
    </message>
    <message>
        <source>There is no layer &quot;{0}&quot;; did you mean {1}?</source>
        <translation>没有网络层“{0}”；是否想用 {1}？</translation>
    </message>
    <message>
        <source>The block &quot;{0}&quot; is not in this project</source>
        <translation>此项目中没有模块“{0}”</translation>
    </message>
    <message>
        <source>Blocks are nested more than {0} levels deep</source>
        <translation>模块嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>{0} has no setting &quot;{1}&quot;; it is ignored</source>
        <translation>{0} 没有设置项“{1}”；已忽略</translation>
    </message>
    <message>
        <source>Use the default</source>
        <translation>使用默认值</translation>
    </message>
    <message>
        <source>{0} must be true or false</source>
        <translation>{0} 必须是 true 或 false</translation>
    </message>
    <message>
        <source>{0} must be one of {1}</source>
        <translation>{0} 必须是 {1} 之一</translation>
    </message>
    <message>
        <source>{0} must be between {1} and {2}</source>
        <translation>{0} 必须在 {1} 到 {2} 之间</translation>
    </message>
    <message>
        <source>The block &quot;{0}&quot; contains itself</source>
        <translation>模块“{0}”包含了自己</translation>
    </message>
    <message>
        <source>The network has more than {0} layers once its blocks are repeated</source>
        <translation>展开重复模块后，网络超过 {0} 个网络层</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a formula over the block&apos;s parameters</source>
        <translation>“{0}”不是模块参数的公式</translation>
    </message>
    <message>
        <source>The block has no parameter &quot;{0}&quot;</source>
        <translation>模块没有参数“{0}”</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; divides by zero</source>
        <translation>“{0}”除以零</translation>
    </message>
    <message>
        <source>Set padding to {0}×{1}</source>
        <translation>把填充设为 {0}×{1}</translation>
    </message>
    <message>
        <source>Set window to {0}×{1}</source>
        <translation>把窗口设为 {0}×{1}</translation>
    </message>
    <message>
        <source>Insert a 1×1 projection to {0}</source>
        <translation>插入输出为 {0} 的 1×1 投影</translation>
    </message>
    <message>
        <source>Insert Flatten</source>
        <translation>插入 Flatten</translation>
    </message>
    <message>
        <source>Insert GlobalAvgPool2d</source>
        <translation>插入 GlobalAvgPool2d</translation>
    </message>
    <message>
        <source>Use one group</source>
        <translation>使用一个分组</translation>
    </message>
    <message>
        <source>Use BCEWithLogits</source>
        <translation>改用 BCEWithLogits</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除 {0}</translation>
    </message>
    <message>
        <source>Its output {0} is too large for any memory</source>
        <translation>它的输出 {0} 大得任何内存都放不下</translation>
    </message>
    <message>
        <source>Its weights {0} are too large for any memory</source>
        <translation>它的权重 {0} 大得任何内存都放不下</translation>
    </message>
    <message>
        <source>Expects images of {0}, the data set has {1}</source>
        <translation>期望图像为 {0}，数据集为 {1}</translation>
    </message>
    <message>
        <source>Set Input to {0}</source>
        <translation>把 Input 设为 {0}</translation>
    </message>
    <message>
        <source>{0} scores for {1} classes: the surplus scores never match a true class</source>
        <translation>{1} 个类别却有 {0} 个得分：多余的得分不对应任何真实类别</translation>
    </message>
    <message>
        <source>The data set has {0} classes, the network outputs {1} scores</source>
        <translation>数据集有 {0} 个类别，网络输出 {1} 个得分</translation>
    </message>
    <message>
        <source>Set {0} to {1} outputs</source>
        <translation>把 {0} 设为 {1} 个输出</translation>
    </message>
    <message>
        <source>No validation split: accuracy would be measured on training images only</source>
        <translation>没有验证集：准确率只能在训练图像上测量</translation>
    </message>
    <message>
        <source>Hold out 10 %</source>
        <translation>留出 10 %</translation>
    </message>
    <message>
        <source>The batch of {0} is larger than the training set of {1}</source>
        <translation>批大小 {0} 大于训练集的 {1}</translation>
    </message>
    <message>
        <source>CrossEntropy includes a softmax: another Softmax before it slows learning down</source>
        <translation>CrossEntropy 内含 softmax：前面再加一个会减慢学习</translation>
    </message>
    <message>
        <source>Remove Softmax</source>
        <translation>移除 Softmax</translation>
    </message>
    <message>
        <source>BCEWithLogits contains a sigmoid, but a Sigmoid layer precedes it</source>
        <translation>BCEWithLogits 内含 sigmoid，但其前面还有一个 Sigmoid 层</translation>
    </message>
    <message>
        <source>Use BCE</source>
        <translation>改用 BCE</translation>
    </message>
    <message>
        <source>Remove Sigmoid</source>
        <translation>移除 Sigmoid</translation>
    </message>
    <message>
        <source>BCE needs probabilities: add a Sigmoid before it</source>
        <translation>BCE 需要概率：请在其前面添加 Sigmoid</translation>
    </message>
    <message>
        <source>Insert Sigmoid</source>
        <translation>插入 Sigmoid</translation>
    </message>
    <message>
        <source>{0} cannot be opened: {1}</source>
        <translation>无法打开 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is not a file</source>
        <translation>{0} 不是文件</translation>
    </message>
    <message>
        <source>{0} is larger than {1} bytes</source>
        <translation>{0} 大于 {1} 字节</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}</source>
        <translation>无法读取 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}</source>
        <translation>无法写入 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} cannot be written: not enough space for {1} bytes ({2}); free some space and try again. The old file is unchanged</source>
        <translation>无法写入 {0}：空间不足，需要 {1} 字节（{2}）；请释放空间后重试。旧文件保持不变</translation>
    </message>
    <message>
        <source>{0} cannot be replaced: {1}</source>
        <translation>无法替换 {0}：{1}</translation>
    </message>
    <message>
        <source>the folder {0} cannot be created: {1}</source>
        <translation>无法创建文件夹 {0}：{1}</translation>
    </message>
    <message>
        <source>the key &quot;{0}&quot; occurs twice</source>
        <translation>键“{0}”出现了两次</translation>
    </message>
    <message>
        <source>this is not valid JSON, near &quot;{0}&quot;</source>
        <translation>这不是有效的 JSON，在“{0}”附近</translation>
    </message>
    <message>
        <source>a text is longer than {0} bytes</source>
        <translation>文本超过 {0} 字节</translation>
    </message>
    <message>
        <source>nested deeper than {0} levels</source>
        <translation>嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>{0} holds {1} bytes; at most {2} are read</source>
        <translation>{0} 有 {1} 字节；最多读取 {2} 字节</translation>
    </message>
    <message>
        <source>{0} must be an object</source>
        <translation>{0} 必须是对象</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0} {1}</translation>
    </message>
    <message>
        <source>{0}.{1} is missing</source>
        <translation>缺少 {0}.{1}</translation>
    </message>
    <message>
        <source>{0}.{1} {2}</source>
        <translation>{0}.{1} {2}</translation>
    </message>
    <message>
        <source>must be a whole number from {0} to {1}</source>
        <translation>必须是 {0} 到 {1} 的整数</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>必须是数字</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>must be a string</source>
        <translation>必须是字符串</translation>
    </message>
    <message>
        <source>must be a list</source>
        <translation>必须是列表</translation>
    </message>
    <message>
        <source>must be of type {0}</source>
        <translation>必须是 {0} 类型</translation>
    </message>
    <message>
        <source>{0} cannot be repaired: {1}</source>
        <translation>无法修复 {0}：{1}</translation>
    </message>
    <message>
        <source>{0}: a line holds a line break</source>
        <translation>{0}：一行之中含有换行</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1} ({2} bytes needed)</source>
        <translation>无法写入 {0}：{1}（需要 {2} 字节）</translation>
    </message>
    <message>
        <source>{0} cannot be written and its last line is incomplete: {1} ({2} bytes needed)</source>
        <translation>无法写入 {0}，其最后一行不完整：{1}（需要 {2} 字节）</translation>
    </message>
    <message>
        <source>{0} cannot be locked: {1}</source>
        <translation>无法锁定 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is locked by another process</source>
        <translation>{0} 被另一个进程占用</translation>
    </message>
    <message>
        <source>{0}: there is not enough memory for an image of this size</source>
        <translation>{0}：内存不足，无法生成这么大的图像</translation>
    </message>
    <message>
        <source>{0}: not a PNG image</source>
        <translation>{0}：不是 PNG 图像</translation>
    </message>
    <message>
        <source>{0}: this image contains no project; open a PNG that Netwright exported</source>
        <translation>{0}：此图像中没有项目；请打开由 Netwright 导出的 PNG</translation>
    </message>
    <message>
        <source>{0}: data_batch_1.bin to data_batch_5.bin are missing; choose the folder that contains them</source>
        <translation>{0}：缺少 data_batch_1.bin 至 data_batch_5.bin；请选择包含这些文件的文件夹</translation>
    </message>
    <message>
        <source>{0}: has no rows</source>
        <translation>{0}：没有数据行</translation>
    </message>
    <message>
        <source>{0}: rows have {1} pixels, {2}×{3}×{4} needs {5}</source>
        <translation>{0}：每行 {1} 个像素，{2}×{3}×{4} 需要 {5} 个</translation>
    </message>
    <message>
        <source>{0} has {1} columns, {2} has {3}</source>
        <translation>{0} 有 {1} 列，{2} 有 {3} 列</translation>
    </message>
    <message>
        <source>{0}: {1} different labels; is the target column right?</source>
        <translation>{0}：有 {1} 种标签；目标列对吗？</translation>
    </message>
    <message>
        <source>{0}: not enough memory to decompress it; close other programs and try again</source>
        <translation>{0}：内存不足，无法解压；请关闭其他程序后重试</translation>
    </message>
    <message>
        <source>{0}: the compressed data is cut short or damaged; download it again</source>
        <translation>{0}：压缩数据被截断或损坏；请重新下载</translation>
    </message>
    <message>
        <source>{0}: not an IDX file of bytes (it should begin with 0 0 8)</source>
        <translation>{0}：不是字节型 IDX 文件（应以 0 0 8 开头）</translation>
    </message>
    <message>
        <source>{0}: has {1} dimensions, {2} are needed; are images and labels swapped?</source>
        <translation>{0}：有 {1} 维，需要 {2} 维；图像和标签是否弄反了？</translation>
    </message>
    <message>
        <source>{0}: ends inside its header; download it again</source>
        <translation>{0}：文件在文件头中途结束；请重新下载</translation>
    </message>
    <message>
        <source>{0}: its header states an impossible size; download it again</source>
        <translation>{0}：文件头中的大小无效；请重新下载</translation>
    </message>
    <message>
        <source>{0}: its header states {1} bytes of data, but {2} follow; download it again</source>
        <translation>{0}：文件头标明有 {1} 字节数据，实际有 {2} 字节；请重新下载</translation>
    </message>
    <message>
        <source>{0}: has no {1}-images-idx3-ubyte (or .gz)</source>
        <translation>{0}：没有 {1}-images-idx3-ubyte（或 .gz）</translation>
    </message>
    <message>
        <source>{0}: has no {1}-labels-idx1-ubyte (or .gz)</source>
        <translation>{0}：没有 {1}-labels-idx1-ubyte（或 .gz）</translation>
    </message>
    <message>
        <source>{0} has {1} images, {2} has {3} labels; choose files of the same set</source>
        <translation>{0} 有 {1} 张图像，{2} 有 {3} 个标签；请选择同一数据集的文件</translation>
    </message>
    <message>
        <source>{0}: holds no images</source>
        <translation>{0}：没有图像</translation>
    </message>
    <message>
        <source>{0}: training and test images differ in size</source>
        <translation>{0}：训练图像与测试图像大小不同</translation>
    </message>
    <message>
        <source>Left out: {0}</source>
        <translation>已略过：{0}</translation>
    </message>
    <message>
        <source>{0}: the decoded images need more than {1} GB; choose a smaller image size</source>
        <translation>{0}：解码后的图像需要超过 {1} GB；请选较小的图像尺寸</translation>
    </message>
    <message>
        <source>Class {0} has no images in {1}; put some there or remove the folder</source>
        <translation>类别 {0} 在 {1} 中没有图像；请放入图像或删除该文件夹</translation>
    </message>
    <message>
        <source>{0} more images could not be read and are left out</source>
        <translation>另有 {0} 张图像无法读取，已略过</translation>
    </message>
    <message>
        <source>{0}: no image could be read; PNG, JPEG, GIF, BMP, WebP, TIFF, PGM and PPM are understood</source>
        <translation>{0}：没有可读取的图像；支持 PNG、JPEG、GIF、BMP、WebP、TIFF、PGM 和 PPM</translation>
    </message>
    <message>
        <source>{0}: has no class folders; put the images of each class into a folder named after it</source>
        <translation>{0}：没有类别文件夹；请把每个类别的图像放进以其命名的文件夹</translation>
    </message>
    <message>
        <source>No image folder is chosen</source>
        <translation>没有选择图像文件夹</translation>
    </message>
    <message>
        <source>No CSV file is chosen</source>
        <translation>没有选择 CSV 文件</translation>
    </message>
    <message>
        <source>A split of {0} is not possible; it is a share from 0 to below 1</source>
        <translation>无法按 {0} 划分；应为 0 到小于 1 的比例</translation>
    </message>
    <message>
        <source>The split leaves no training images; lower the validation or test fraction</source>
        <translation>划分后没有训练图像；请降低验证或测试比例</translation>
    </message>
    <message>
        <source>There are no layers in the clipboard</source>
        <translation>剪贴板中没有网络层</translation>
    </message>
    <message>
        <source>This connection is not there</source>
        <translation>没有此连接</translation>
    </message>
    <message>
        <source>This connection exists already</source>
        <translation>此连接已存在</translation>
    </message>
    <message>
        <source>One end of the connection is not there</source>
        <translation>连接的一端不存在</translation>
    </message>
    <message>
        <source>{0} cannot be connected to itself</source>
        <translation>{0} 不能连接到自己</translation>
    </message>
    <message>
        <source>{0} has no such output</source>
        <translation>{0} 没有这个输出</translation>
    </message>
    <message>
        <source>{0} has no such input</source>
        <translation>{0} 没有这个输入</translation>
    </message>
    <message>
        <source>That input of {0} is connected already</source>
        <translation>{0} 的这个输入已有连接</translation>
    </message>
    <message>
        <source>A layer needs a number</source>
        <translation>网络层需要编号</translation>
    </message>
    <message>
        <source>This layer is not there</source>
        <translation>没有此网络层</translation>
    </message>
    <message>
        <source>{0} still has connections</source>
        <translation>{0} 仍有连接</translation>
    </message>
    <message>
        <source>The name {0} is taken</source>
        <translation>名称 {0} 已被使用</translation>
    </message>
    <message>
        <source>A frame or note needs a number and a place</source>
        <translation>框或便签需要编号和位置</translation>
    </message>
    <message>
        <source>This frame or note is not there</source>
        <translation>没有此框或便签</translation>
    </message>
    <message>
        <source>The block {0} is not there</source>
        <translation>没有模块 {0}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no name for a block</source>
        <translation>“{0}”不能作为模块名</translation>
    </message>
    <message>
        <source>A training setting is not a number</source>
        <translation>某个训练设置不是数字</translation>
    </message>
    <message>
        <source>A share of the data is not a number</source>
        <translation>某个数据比例不是数字</translation>
    </message>
    <message>
        <source>The block {0} would contain itself</source>
        <translation>模块 {0} 会包含自己</translation>
    </message>
    <message>
        <source>{0} must be a number, a text, true, false or a list of whole numbers</source>
        <translation>{0} 必须是数字、文本、true、false 或整数列表</translation>
    </message>
    <message>
        <source>{0} has more than {1} entries</source>
        <translation>{0} 超过 {1} 项</translation>
    </message>
    <message>
        <source>{0} must be a list of four whole numbers: from, output, to, input</source>
        <translation>{0} 必须是四个整数的列表：起点、输出、终点、输入</translation>
    </message>
    <message>
        <source>{0}.{1} has more than {2} entries</source>
        <translation>{0}.{1} 超过 {2} 项</translation>
    </message>
    <message>
        <source>{0}: the number {1} is taken</source>
        <translation>{0}：编号 {1} 已被使用</translation>
    </message>
    <message>
        <source>needs a unique name</source>
        <translation>需要自己的名称</translation>
    </message>
    <message>
        <source>{0}: &quot;{1}&quot; is no name for a block</source>
        <translation>{0}：“{1}”不能作为模块名</translation>
    </message>
    <message>
        <source>{0}: the block {1} contains itself</source>
        <translation>{0}：模块 {1} 包含了自己</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no name: use letters, digits, _ and ., beginning with a letter</source>
        <translation>“{0}”不是有效名称：请用字母、数字、_ 和 .，并以字母开头</translation>
    </message>
    <message>
        <source>{0} has no position</source>
        <translation>{0} 没有位置</translation>
    </message>
    <message>
        <source>{0}: the value of {1} is not a number</source>
        <translation>{0}：{1} 的值不是数字</translation>
    </message>
    <message>
        <source>{0} has no number</source>
        <translation>{0} 没有编号</translation>
    </message>
    <message>
        <source>the name {0} is taken</source>
        <translation>名称 {0} 已被使用</translation>
    </message>
    <message>
        <source>the connection from {0} to {1} has no ends</source>
        <translation>从 {0} 到 {1} 的连接没有端点</translation>
    </message>
    <message>
        <source>the connection from {0} to {1} has a port out of range</source>
        <translation>从 {0} 到 {1} 的连接端口超出范围</translation>
    </message>
    <message>
        <source>two connections lead to one input of {0}</source>
        <translation>两条连接通向 {0} 的同一输入</translation>
    </message>
    <message>
        <source>{0} is no Netwright project: it has no &quot;format&quot;</source>
        <translation>{0} 不是 Netwright 项目：没有“format”</translation>
    </message>
    <message>
        <source>{0} was written by a newer Netwright (format {1}, this one reads {2}); it was left as it is</source>
        <translation>{0} 由更新的 Netwright 写成（格式 {1}，本程序读取 {2}）；文件保持原样</translation>
    </message>
    <message>
        <source>has {0} outside of {1} to {2}</source>
        <translation>{0} 超出 {1} 到 {2}</translation>
    </message>
    <message>
        <source>has {0} &quot;{1}&quot;, which this version does not support</source>
        <translation>{0} 为“{1}”，此版本不认识</translation>
    </message>
    <message>
        <source>has a {0} that is no whole number from 0</source>
        <translation>{0} 不是从 0 起的整数</translation>
    </message>
    <message>
        <source>{0}.devices must be a list of at most 64 names</source>
        <translation>{0}.devices 必须是最多 64 个名称的列表</translation>
    </message>
    <message>
        <source>{0}.devices is empty</source>
        <translation>{0}.devices 为空</translation>
    </message>
    <message>
        <source>Multilayer perceptron</source>
        <translation>多层感知机</translation>
    </message>
    <message>
        <source>Three linear layers: the smallest network that learns digits.</source>
        <translation>三个线性层：能学会数字的最小网络。</translation>
    </message>
    <message>
        <source>Odd or even</source>
        <translation>奇数还是偶数</translation>
    </message>
    <message>
        <source>A perceptron with one output: is the digit odd?</source>
        <translation>一个输出的感知机：数字是奇数吗？</translation>
    </message>
    <message>
        <source>LeNet-5</source>
        <translation>LeNet-5</translation>
    </message>
    <message>
        <source>Two convolutions and three linear layers; reads handwritten digits.</source>
        <translation>两个卷积层和三个线性层；识别手写数字。</translation>
    </message>
    <message>
        <source>VGG-13 for CIFAR-10</source>
        <translation>用于 CIFAR-10 的 VGG-13</translation>
    </message>
    <message>
        <source>Ten convolutions in five stages, with batch normalization.</source>
        <translation>五个阶段共十个卷积层，带批归一化。</translation>
    </message>
    <message>
        <source>ResNet-18 for CIFAR-10</source>
        <translation>用于 CIFAR-10 的 ResNet-18</translation>
    </message>
    <message>
        <source>Residual blocks in four stages, drawn once and repeated.</source>
        <translation>四个阶段的残差模块，画一次、重复使用。</translation>
    </message>
    <message>
        <source>{0}: not an image of a kind that is read (PNG, JPEG, GIF, BMP, WebP, TIFF, PBM, PGM, PPM)</source>
        <translation>{0}：不是可读取的图像类型（PNG、JPEG、GIF、BMP、WebP、TIFF、PBM、PGM、PPM）</translation>
    </message>
    <message>
        <source>{0}: {1}×{2} pixels are more than the 64 million that are read; make it smaller</source>
        <translation>{0}：{1}×{2} 像素超过可读取的 6400 万；请缩小</translation>
    </message>
    <message>
        <source>{0}: this {1} file is cut short; copy or download it again</source>
        <translation>{0}：此 {1} 文件被截断；请重新复制或下载</translation>
    </message>
    <message>
        <source>{0}: damaged, it cannot be decoded</source>
        <translation>{0}：已损坏，无法解码</translation>
    </message>
    <message>
        <source>{0}: no memory to decode it</source>
        <translation>{0}：内存不足，无法解码</translation>
    </message>
    <message>
        <source>{0} is shorter than it was when it was opened</source>
        <translation>{0} 比打开时变短了</translation>
    </message>
    <message>
        <source>{0}: tensor &quot;{1}&quot; holds {2} bytes, {3} are needed</source>
        <translation>{0}：张量“{1}”有 {2} 字节，需要 {3} 字节</translation>
    </message>
    <message>
        <source>{0} is not a valid safetensors file: {1}</source>
        <translation>{0} 不是有效的 safetensors 文件：{1}</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has no shape</source>
        <translation>张量“{0}”没有形状</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has a size that is not a whole number</source>
        <translation>张量“{0}”的大小不是整数</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; needs dtype, shape and data_offsets, and nothing else</source>
        <translation>张量“{0}”只应有 dtype、shape 和 data_offsets</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has an unknown dtype</source>
        <translation>张量“{0}”的 dtype 未知</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has no data_offsets</source>
        <translation>张量“{0}”没有 data_offsets</translation>
    </message>
    <message>
        <source>the shape of tensor &quot;{0}&quot; is too large</source>
        <translation>张量“{0}”的形状过大</translation>
    </message>
    <message>
        <source>the range of tensor &quot;{0}&quot; is not the {1} bytes of its shape</source>
        <translation>张量“{0}”所占范围与其形状的 {1} 字节不符</translation>
    </message>
    <message>
        <source>__metadata__ is not an object</source>
        <translation>__metadata__ 不是对象</translation>
    </message>
    <message>
        <source>__metadata__ &quot;{0}&quot; is not text</source>
        <translation>__metadata__“{0}”不是文本</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; ends after the end of the file</source>
        <translation>张量“{0}”超出文件末尾</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; overlaps the one before it</source>
        <translation>张量“{0}”与前一个重叠</translation>
    </message>
    <message>
        <source>there are bytes before tensor &quot;{0}&quot; that belong to no tensor</source>
        <translation>张量“{0}”之前有不属于任何张量的字节</translation>
    </message>
    <message>
        <source>{0} bytes after the last tensor belong to nothing</source>
        <translation>最后一个张量之后有 {0} 个无主字节</translation>
    </message>
    <message>
        <source>it is shorter than its 8 bytes of header length</source>
        <translation>它短于 8 字节的头长度</translation>
    </message>
    <message>
        <source>its header claims {0} bytes; at most 100 MB are allowed</source>
        <translation>文件头声称 {0} 字节；最多允许 100 MB</translation>
    </message>
    <message>
        <source>its header claims {0} bytes, more than the file holds</source>
        <translation>文件头声称 {0} 字节，超过文件大小</translation>
    </message>
    <message>
        <source>its header does not start with &quot;{&quot;</source>
        <translation>文件头不以“{”开头</translation>
    </message>
    <message>
        <source>its header does not end with &quot;}&quot;</source>
        <translation>文件头不以“}”结尾</translation>
    </message>
    <message>
        <source>it holds more than a million tensors</source>
        <translation>它包含超过一百万个张量</translation>
    </message>
    <message>
        <source>Needs equal shapes, gets {0} and {1}</source>
        <translation>需要相同的形状，得到 {0} 和 {1}</translation>
    </message>
    <message>
        <source>Adds its inputs, for example at the end of a skip connection.</source>
        <translation>把各输入相加：跳跃连接的汇合点。</translation>
    </message>
    <message>
        <source>Needs an image, gets a vector of {0}</source>
        <translation>需要图像，得到长度 {0} 的向量</translation>
    </message>
    <message>
        <source>The padding {0}×{1} is more than half of the window {2}×{3}</source>
        <translation>填充 {0}×{1} 超过窗口 {2}×{3} 的一半</translation>
    </message>
    <message>
        <source>The window {0}×{1} is larger than the padded image {2}×{3}</source>
        <translation>窗口 {0}×{1} 大于填充后的图像 {2}×{3}</translation>
    </message>
    <message>
        <source>Averages each window.</source>
        <translation>取每个窗口的平均值。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Height and width of the window.</source>
        <translation>窗口的高和宽。</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>How far the window moves each time.</source>
        <translation>窗口每次移动的距离。</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Zeros added on every side.</source>
        <translation>四周补零的数量。</translation>
    </message>
    <message>
        <source>Count padding</source>
        <translation>计入填充</translation>
    </message>
    <message>
        <source>Whether the zeros of the padding count in the mean.</source>
        <translation>平均时是否计入填充的零。</translation>
    </message>
    <message>
        <source>Brings each channel to mean 0 and variance 1, then scales it.</source>
        <translation>把每个通道变为均值 0、方差 1，再缩放。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Added to the variance, so that nothing is divided by zero.</source>
        <translation>加到方差上，避免除以零。</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Share of the newest batch in the running mean and variance.</source>
        <translation>最新批次在滑动均值和方差中的占比。</translation>
    </message>
    <message>
        <source>Needs a vector, gets {0}</source>
        <translation>需要向量，得到 {0}</translation>
    </message>
    <message>
        <source>For yes or no, after a Sigmoid.</source>
        <translation>用于是非判断，接在 Sigmoid 之后。</translation>
    </message>
    <message>
        <source>For yes or no; the sigmoid is inside.</source>
        <translation>用于是非判断；内含 sigmoid。</translation>
    </message>
    <message>
        <source>Where values enter a block.</source>
        <translation>数值进入模块之处。</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Position among the block&apos;s ports.</source>
        <translation>在模块端口中的位置。</translation>
    </message>
    <message>
        <source>Where values leave a block.</source>
        <translation>数值离开模块之处。</translation>
    </message>
    <message>
        <source>Needs images of one size, gets {0} and {1}</source>
        <translation>需要相同大小的图像，得到 {0} 和 {1}</translation>
    </message>
    <message>
        <source>Joins the channels of its inputs.</source>
        <translation>拼接各输入的通道。</translation>
    </message>
    <message>
        <source>{0} groups do not divide {1} input and {2} output channels</source>
        <translation>{0} 个分组不能整除 {1} 个输入通道和 {2} 个输出通道</translation>
    </message>
    <message>
        <source>The kernel {0}×{1} is larger than the padded image {2}×{3}</source>
        <translation>卷积核 {0}×{1} 大于填充后的图像 {2}×{3}</translation>
    </message>
    <message>
        <source>Slides small filters over an image.</source>
        <translation>让小卷积核在图像上滑动。</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>卷积核数</translation>
    </message>
    <message>
        <source>How many filters, that is channels of the output.</source>
        <translation>卷积核的数量，即输出的通道数。</translation>
    </message>
    <message>
        <source>Kernel size</source>
        <translation>卷积核大小</translation>
    </message>
    <message>
        <source>Height and width of each filter.</source>
        <translation>每个卷积核的高和宽。</translation>
    </message>
    <message>
        <source>How far the filter moves each time.</source>
        <translation>卷积核每次移动的距离。</translation>
    </message>
    <message>
        <source>Zeros added on every side of the image.</source>
        <translation>图像四周补零的数量。</translation>
    </message>
    <message>
        <source>Dilation</source>
        <translation>膨胀</translation>
    </message>
    <message>
        <source>Distance between the input pixels of a filter.</source>
        <translation>卷积核采样点之间的距离。</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Channels are split into so many independent parts; as many as channels = depthwise.</source>
        <translation>把通道分成这么多个独立部分；等于通道数时为深度卷积。</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Adds one learned number to each channel.</source>
        <translation>为每个通道加上一个可学习的数。</translation>
    </message>
    <message>
        <source>Needs one score per class, gets {0}</source>
        <translation>需要每类一个分数，得到 {0}</translation>
    </message>
    <message>
        <source>Needs at least two classes, gets one score</source>
        <translation>至少需要两个类别，得到一个分数</translation>
    </message>
    <message>
        <source>For one of several classes; softmax is inside.</source>
        <translation>用于多类选一；内含 softmax。</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Fraction of the target probability that is spread over all classes.</source>
        <translation>分摊到所有类别的确定度比例。</translation>
    </message>
    <message>
        <source>Leaves out random values while training.</source>
        <translation>训练时随机丢弃一些数值。</translation>
    </message>
    <message>
        <source>Share left out</source>
        <translation>丢弃比例</translation>
    </message>
    <message>
        <source>Probability that a value is set to zero.</source>
        <translation>数值被置零的概率。</translation>
    </message>
    <message>
        <source>Turns an image into a vector.</source>
        <translation>把图像展平为向量。</translation>
    </message>
    <message>
        <source>A smooth ReLU weighted by the normal distribution.</source>
        <translation>按正态分布加权的平滑 ReLU。</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>none: exact; tanh: a close and cheaper formula.</source>
        <translation>none：精确；tanh：相近而更省的公式。</translation>
    </message>
    <message>
        <source>Reduces each channel to its mean.</source>
        <translation>把每个通道缩为它的平均值。</translation>
    </message>
    <message>
        <source>Where the images of the data set enter.</source>
        <translation>数据集的图像从这里进入。</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>1 for grey, 3 for colour.</source>
        <translation>灰度为 1，彩色为 3。</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Height of the images.</source>
        <translation>图像的高。</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽</translation>
    </message>
    <message>
        <source>Width of the images.</source>
        <translation>图像的宽。</translation>
    </message>
    <message>
        <source>Like ReLU, but negative values keep a small slope.</source>
        <translation>类似 ReLU，但负值保留小斜率。</translation>
    </message>
    <message>
        <source>Negative slope</source>
        <translation>负斜率</translation>
    </message>
    <message>
        <source>What negative values are multiplied by.</source>
        <translation>负值所乘的系数。</translation>
    </message>
    <message>
        <source>Connects every input with every output.</source>
        <translation>把每个输入与每个输出相连。</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出数</translation>
    </message>
    <message>
        <source>How many numbers come out.</source>
        <translation>输出多少个数。</translation>
    </message>
    <message>
        <source>Adds one learned number to each output.</source>
        <translation>为每个输出加上一个可学习的数。</translation>
    </message>
    <message>
        <source>Keeps the largest value of each window.</source>
        <translation>保留每个窗口的最大值。</translation>
    </message>
    <message>
        <source>Border added on every side; its values are never the maximum.</source>
        <translation>四周加的边；永远不会成为最大值。</translation>
    </message>
    <message>
        <source>Squared distance from the target.</source>
        <translation>与目标之差的平方。</translation>
    </message>
    <message>
        <source>Keeps positive values, sets the rest to zero.</source>
        <translation>保留正值，其余置零。</translation>
    </message>
    <message>
        <source>Squeezes every value into 0 to 1.</source>
        <translation>把每个值压到 0 到 1。</translation>
    </message>
    <message>
        <source>A smooth ReLU: x times its sigmoid (also called Swish).</source>
        <translation>平滑的 ReLU：x 乘以它的 sigmoid（又名 Swish）。</translation>
    </message>
    <message>
        <source>Turns scores into shares that add up to 1.</source>
        <translation>把分数变成总和为 1 的比例。</translation>
    </message>
    <message>
        <source>Squeezes every value into -1 to 1.</source>
        <translation>把每个值压到 -1 到 1。</translation>
    </message>
    <message>
        <source>The network of {0} has no input or no output</source>
        <translation>{0} 的网络没有输入或没有输出</translation>
    </message>
    <message>
        <source>{0}: checkpoint {1} has no fitting {2}; it belongs to another network</source>
        <translation>{0}：检查点 {1} 没有匹配的 {2}；它属于另一个网络</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>A message&apos;s payload is too large</source>
        <translation>消息的数据过大</translation>
    </message>
    <message>
        <source>A message&apos;s payload cannot be read</source>
        <translation>无法读取消息的数据</translation>
    </message>
    <message>
        <source>A message is too large to send</source>
        <translation>消息过大，无法发送</translation>
    </message>
    <message>
        <source>No memory for a message</source>
        <translation>内存不足，无法建立消息</translation>
    </message>
    <message>
        <source>A message claims {0} bytes</source>
        <translation>消息声称有 {0} 字节</translation>
    </message>
    <message>
        <source>The request has no &quot;{0}&quot;</source>
        <translation>请求缺少“{0}”</translation>
    </message>
    <message>
        <source>There is no image {0}</source>
        <translation>没有图像 {0}</translation>
    </message>
    <message>
        <source>The network reads {0} channels, the image has {1}</source>
        <translation>网络读取 {0} 个通道，图像有 {1} 个</translation>
    </message>
    <message>
        <source>{0} bytes are not an image of {1}×{2}×{3}</source>
        <translation>{0} 字节不是 {1}×{2}×{3} 的图像</translation>
    </message>
    <message>
        <source>A request is a JSON object</source>
        <translation>请求应为 JSON 对象</translation>
    </message>
    <message>
        <source>The helper process has no operation &quot;{0}&quot;</source>
        <translation>辅助进程没有操作“{0}”</translation>
    </message>
    <message>
        <source>{0} bytes are not {1} images of {2}×{3}×{4}</source>
        <translation>{0} 字节不是 {1} 张 {2}×{3}×{4} 的图像</translation>
    </message>
    <message>
        <source>There is no split &quot;{0}&quot;: train, validation or test</source>
        <translation>没有划分“{0}”：应为 train、validation 或 test</translation>
    </message>
    <message>
        <source>The split &quot;{0}&quot; has no images</source>
        <translation>划分“{0}”没有图像</translation>
    </message>
    <message>
        <source>The network has no layer &quot;{0}&quot;</source>
        <translation>网络没有层“{0}”</translation>
    </message>
    <message>
        <source>The image has the wrong size</source>
        <translation>图像大小不对</translation>
    </message>
    <message>
        <source>The data of this run has changed: its images are {0}×{1}×{2} now</source>
        <translation>此运行的数据已变：图像现在是 {0}×{1}×{2}</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>{0} is not a manifest</source>
        <translation>{0} 不是清单文件</translation>
    </message>
    <message>
        <source>{0} does not list {1}</source>
        <translation>{0} 没有列出 {1}</translation>
    </message>
    <message>
        <source>{0} holds no complete checkpoint; train again in a new folder</source>
        <translation>{0} 中没有完整的检查点；请在新文件夹中重新训练</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not the name of a checkpoint</source>
        <translation>“{0}”不是检查点名称</translation>
    </message>
    <message>
        <source>{0} holds {1} bytes, its manifest says {2}: the checkpoint is damaged</source>
        <translation>{0} 有 {1} 字节，清单写的是 {2}：检查点已损坏</translation>
    </message>
    <message>
        <source>{0}: &quot;{1}&quot; holds numbers that are not finite; the checkpoint cannot be used</source>
        <translation>{0}：“{1}”中含有非有限数；此检查点无法使用</translation>
    </message>
    <message>
        <source>{0} names step {1}, which differs from its folder&apos;s: the checkpoint is damaged</source>
        <translation>{0} 写的是第 {1} 步，与所在文件夹不符：检查点已损坏</translation>
    </message>
    <message>
        <source>{0} does not name its training data: the run never started, or its run.json is damaged</source>
        <translation>{0} 未说明其训练数据：训练从未开始，或 run.json 已损坏</translation>
    </message>
    <message>
        <source>{0} is not what was written: the checkpoint is damaged</source>
        <translation>{0} 与写入时不同：检查点已损坏</translation>
    </message>
    <message>
        <source>{0} is a symbolic link or inside one; a run folder may contain regular files only</source>
        <translation>{0} 是链接或位于链接之后；运行文件夹只含普通文件</translation>
    </message>
    <message>
        <source>{0} is not a path inside a run folder</source>
        <translation>{0} 不是运行文件夹内的路径</translation>
    </message>
    <message>
        <source>{0} is not a plain file</source>
        <translation>{0} 不是普通文件</translation>
    </message>
    <message>
        <source>{0} is too long for a socket; set XDG_RUNTIME_DIR to a shorter folder</source>
        <translation>{0} 作为套接字路径过长；请把 XDG_RUNTIME_DIR 设为较短的文件夹</translation>
    </message>
    <message>
        <source>{0} is not running: its control socket does not answer</source>
        <translation>{0} 没有在运行：控制套接字无人应答</translation>
    </message>
    <message>
        <source>a command is one line</source>
        <translation>命令应为一行</translation>
    </message>
    <message>
        <source>{0} did not answer within {1} s</source>
        <translation>{0} 在 {1} 秒内没有应答</translation>
    </message>
    <message>
        <source>the control socket {0} cannot be created: {1}</source>
        <translation>无法建立控制套接字 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is not a list of numbers</source>
        <translation>{0} 不是数字列表</translation>
    </message>
    <message>
        <source>{0} is not a list of names</source>
        <translation>{0} 不是名称列表</translation>
    </message>
    <message>
        <source>{0} is not a hash</source>
        <translation>{0} 不是哈希值</translation>
    </message>
    <message>
        <source>{0} is not a run&apos;s definition</source>
        <translation>{0} 不是运行的定义</translation>
    </message>
    <message>
        <source>{0} holds no project</source>
        <translation>{0} 中没有项目</translation>
    </message>
    <message>
        <source>{0} has {1} means and {2} deviations</source>
        <translation>{0} 有 {1} 个均值和 {2} 个标准差</translation>
    </message>
    <message>
        <source>{0} has a deviation that is not above zero</source>
        <translation>{0} 有不大于零的标准差</translation>
    </message>
    <message>
        <source>{0} cannot be created: {1}</source>
        <translation>无法建立 {0}：{1}</translation>
    </message>
    <message>
        <source>no free name for a run was found in {0}</source>
        <translation>在 {0} 中找不到可用的运行名称</translation>
    </message>
    <message>
        <source>{0} is not the state of a run</source>
        <translation>{0} 不是运行的状态</translation>
    </message>
    <message>
        <source>{0} is missing</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>a line of events.jsonl is not an object</source>
        <translation>events.jsonl 中有一行不是对象</translation>
    </message>
    <message>
        <source>an event of a newer version is left out</source>
        <translation>略过一个较新版本的事件</translation>
    </message>
    <message>
        <source>an event of the unknown type &quot;{0}&quot; is left out</source>
        <translation>略过未知类型“{0}”的事件</translation>
    </message>
    <message>
        <source>{0}: &quot;{1}&quot; is not an initialization of weights</source>
        <translation>{0}：“{1}”不是权重的初始化方式</translation>
    </message>
    <message>
        <source>{0} is not a loss history</source>
        <translation>{0} 不是损失记录</translation>
    </message>
    <message>
        <source>a batch of {0} cannot be divided among {1} devices; make it larger</source>
        <translation>批大小 {0} 无法由 {1} 个设备分担；请加大</translation>
    </message>
    <message>
        <source>{0} holds no &quot;{1}&quot;: it belongs to another network</source>
        <translation>{0} 中没有“{1}”：它属于另一个网络</translation>
    </message>
    <message>
        <source>{0}: &quot;{1}&quot; does not have the shape {2}: it belongs to another network</source>
        <translation>{0}：“{1}”的形状不是 {2}：它属于另一个网络</translation>
    </message>
    <message>
        <source>training was stopped</source>
        <translation>训练已被停止</translation>
    </message>
    <message>
        <source>step {0}: the loss is not a finite number; a lower learning rate or gradient clipping may help</source>
        <translation>第 {0} 步：损失不是有限数；降低学习率或裁剪梯度可能有帮助</translation>
    </message>
    <message>
        <source>the learning rate must be a number above 0, or &quot;scheduled&quot;</source>
        <translation>学习率必须是大于 0 的数，或“scheduled”</translation>
    </message>
    <message>
        <source>No data set was found: training on built-in synthetic digits. --data DIR or NETWRIGHT_DATA names a folder with real ones.</source>
        <translation>没有找到数据集：用内置合成数字训练。可用 --data DIR 或 NETWRIGHT_DATA 指定真实数据的文件夹。</translation>
    </message>
    <message>
        <source>{0} leaves no images to train on</source>
        <translation>{0} 没有留下可训练的图像</translation>
    </message>
    <message>
        <source>The data is not what this run was started with: {0}</source>
        <translation>数据与此运行启动时不同：{0}</translation>
    </message>
    <message>
        <source>{0}: its images have {1} channels, the run was started with {2}</source>
        <translation>{0}：图像有 {1} 个通道，运行启动时为 {2} 个</translation>
    </message>
    <message>
        <source>{0} is not a plain file; this folder is not used</source>
        <translation>{0} 不是普通文件；不使用此文件夹</translation>
    </message>
    <message>
        <source>{0} is not a folder; this run is not used</source>
        <translation>{0} 不是文件夹；不使用此运行</translation>
    </message>
    <message>
        <source>{0} is being trained by another process; it cannot be trained twice at once</source>
        <translation>{0} 正由另一个进程训练；不能同时训练两次</translation>
    </message>
    <message>
        <source>{0} holds a run already; resume it, or choose another folder</source>
        <translation>{0} 中已有运行；请恢复它，或选择其他文件夹</translation>
    </message>
    <message>
        <source>the run was training on {0} images, the data now holds {1}: it cannot be resumed</source>
        <translation>此运行曾用 {0} 张图像训练，现在数据有 {1} 张：无法继续</translation>
    </message>
    <message>
        <source>{0} computes in fp32 or bf16; fp16 needs loss scaling, on a GPU</source>
        <translation>{0} 以 fp32 或 bf16 计算；fp16 需要在 GPU 上缩放损失</translation>
    </message>
    <message>
        <source>{0} computes in fp32 or bf16; tf32 is a format of CUDA devices</source>
        <translation>{0} 以 fp32 或 bf16 计算；tf32 是 CUDA 设备的格式</translation>
    </message>
    <message>
        <source>cuDNN rejected this device description (status {0})</source>
        <translation>cuDNN 不接受此设备描述（状态 {0}）</translation>
    </message>
    <message>
        <source>cuDNN rejected this graph (status {0})</source>
        <translation>cuDNN 不接受此计算图（状态 {0}）</translation>
    </message>
    <message>
        <source>cuDNN has no implementation of this graph on this device</source>
        <translation>cuDNN 在此设备上没有此计算图的实现</translation>
    </message>
    <message>
        <source>cuBLASLt (libcublasLt.so.13) was not found: linear layers use slower kernels; it is part of the CUDA toolkit (package libcublas-13-0)</source>
        <translation>这里没有 cuBLASLt（libcublasLt.so.13）：线性层使用自带的内核，速度较慢；它随 CUDA 工具包提供（软件包 libcublas-13-0）</translation>
    </message>
    <message>
        <source>cuBLASLt here is too old, it has no {0}: linear layers use our own kernels, which are slower; install CUDA 13.0 or later</source>
        <translation>这里的 cuBLASLt 太旧，没有 {0}：线性层使用自带的内核，速度较慢；请安装 CUDA 13.0 或更新的版本</translation>
    </message>
    <message>
        <source>cuDNN 9 (libcudnn.so.9) was not found: convolutions use our own kernels, which are much slower; install NVIDIA&apos;s package cudnn9-cuda-13</source>
        <translation>这里没有 cuDNN 9（libcudnn.so.9）：卷积使用自带的内核，速度慢得多；请安装 NVIDIA 的软件包 cudnn9-cuda-13</translation>
    </message>
    <message>
        <source>cuDNN here is too old, it has no {0}: convolutions use our own kernels, which are much slower; install cuDNN 9.11 or later</source>
        <translation>这里的 cuDNN 太旧，没有 {0}：卷积使用自带的内核，速度慢得多；请安装 cuDNN 9.11 或更新的版本</translation>
    </message>
    <message>
        <source>cuBLASLt has no such product (status {0})</source>
        <translation>cuBLASLt 没有这样的乘法（状态 {0}）</translation>
    </message>
    <message>
        <source>{0} has no {1}</source>
        <translation>{0} 没有 {1}</translation>
    </message>
    <message>
        <source>{0} rounds operands by steps of their own</source>
        <translation>{0} 用单独的步骤舍入操作数</translation>
    </message>
    <message>
        <source>there is not enough memory for this network: it needs {0} MiB</source>
        <translation>内存不足以容纳此网络：需要 {0} MiB</translation>
    </message>
    <message>
        <source>{0}: this device has no kernel {1}</source>
        <translation>{0}：此设备没有内核 {1}</translation>
    </message>
    <message>
        <source>another device of this run is lost or was stopped; the step was abandoned</source>
        <translation>此运行的另一个设备已消失或被停止；放弃了这一步</translation>
    </message>
    <message>
        <source>NCCL (libnccl.so.2) was not found: several GPUs exchange gradients through the computer&apos;s memory, which is slower; install libnccl2</source>
        <translation>这里没有 NCCL（libnccl.so.2）：多个 GPU 通过计算机内存交换梯度，速度较慢；请安装 libnccl2</translation>
    </message>
    <message>
        <source>the NCCL here is too old, it has no {0}: several GPUs exchange gradients through the computer&apos;s memory, which is slower; install a newer libnccl2</source>
        <translation>这里的 NCCL 太旧，没有 {0}：多个 GPU 通过计算机内存交换梯度，速度较慢；请安装更新的 libnccl2</translation>
    </message>
    <message>
        <source>{0}: the exchange of gradients failed ({1}, NCCL: {2}); resume from the last checkpoint, or with --device cpu</source>
        <translation>{0}：梯度交换失败（{1}，NCCL：{2}）；请从最后的检查点恢复，或用 --device cpu 继续</translation>
    </message>
    <message>
        <source>{0} is out of memory: a batch of {1} needs {2} MiB and {3} MiB are free; a batch of {4} would fit, or train on cpu</source>
        <translation>{0} 内存不足：批大小 {1} 需要 {2} MiB，可用 {3} MiB；批大小 {4} 可以容纳，或在 cpu 上训练</translation>
    </message>
    <message>
        <source>{0} is out of memory: {1} MiB are needed and {2} MiB are free; close what else uses it, or train on cpu</source>
        <translation>{0} 内存不足：需要 {1} MiB，可用 {2} MiB；请关闭其他使用它的程序，或在 cpu 上训练</translation>
    </message>
    <message>
        <source>The helper&apos;s answer is inconsistent. The helper may be of another version.</source>
        <translation>辅助进程的回答前后不符，其程序可能是另一个版本。</translation>
    </message>
    <message>
        <source>The run does not record the size of its network&apos;s input.</source>
        <translation>此运行没有说明网络读取怎样的图像。</translation>
    </message>
    <message>
        <source>None of the {0} files could be read as an image.</source>
        <translation>{0} 个文件都无法作为图像读取。</translation>
    </message>
    <message>
        <source>The helper sent {0} bytes instead of {1} for {2} images.</source>
        <translation>辅助进程为 {2} 张图像发来 {0} 字节，应为 {1} 字节。</translation>
    </message>
    <message>
        <source>The helper process could not be started: {0}</source>
        <translation>无法启动辅助进程：{0}</translation>
    </message>
    <message>
        <source>{0} could not be started: {1}</source>
        <translation>无法启动 {0}：{1}</translation>
    </message>
    <message>
        <source>{0}: no project inside</source>
        <translation>{0}：其中没有项目</translation>
    </message>
    <message>
        <source>{0} is open in another window; save it under another name</source>
        <translation>{0} 已在另一个窗口打开；请另存为其他名称</translation>
    </message>
    <message>
        <source>{0} is open in {1}; choose another name</source>
        <translation>{0} 已在{1}中打开；请选择其他名称</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>移除它</translation>
    </message>
    <message>
        <source>Remove them</source>
        <translation>移除它们</translation>
    </message>
    <message>
        <source>The name {0} is reserved for the data set&apos;s values</source>
        <translation>名称 {0} 已用于数据集提供的内容</translation>
    </message>
    <message>
        <source>The name {0} stands for two layers once blocks are expanded</source>
        <translation>展开模块后，名称 {0} 对应两个网络层</translation>
    </message>
    <message>
        <source>Rename it</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Its shape is not known, because nothing reaches it</source>
        <translation>形状未知，因为没有数据到达它</translation>
    </message>
    <message>
        <source>This is a bug of Netwright: no kernel {0} accepts these operands</source>
        <translation>这是 Netwright 的缺陷：没有名为 {0} 且接受所给输入的内核</translation>
    </message>
    <message>
        <source>{0} has connections that {1} cannot accept</source>
        <translation>{0} 的连接在 {1} 中没有位置</translation>
    </message>
    <message>
        <source>{0}: is empty; copy or download it again</source>
        <translation>{0}：文件为空；请重新复制或下载</translation>
    </message>
    <message>
        <source>IDX needs a file of images and a file of labels; choose both</source>
        <translation>IDX 需要一个图像文件和一个标签文件；请两个都选择</translation>
    </message>
    <message>
        <source>{0}: its file of labels is not chosen</source>
        <translation>{0}：尚未选择它的标签文件</translation>
    </message>
    <message>
        <source>This kind of data source is not known</source>
        <translation>不认识这种数据来源</translation>
    </message>
    <message>
        <source>{0} is missing: its 10 000 images are left out</source>
        <translation>缺少 {0}：不使用其中的 10 000 张图像</translation>
    </message>
    <message>
        <source>{0} is missing: test images are held out of the training images</source>
        <translation>缺少 {0}：测试图像从训练图像中留出</translation>
    </message>
    <message>
        <source>{0}: unpacks to more than the {1} bytes it should hold; it is not a data set</source>
        <translation>{0}：解压后超过应有的 {1} 字节；它不是数据集</translation>
    </message>
    <message>
        <source>{0}: its header says {1} bytes follow, more than it can hold; download it again</source>
        <translation>{0}：文件头称后面有 {1} 字节，超过它能容纳的大小；请重新下载</translation>
    </message>
    <message>
        <source>{0}, line {1}: has one column; a label and pixels are needed</source>
        <translation>{0} 第 {1} 行：只有一列；需要标签和像素</translation>
    </message>
    <message>
        <source>{0}, line {1}: names no column &quot;{2}&quot;; choose one of the columns in this line</source>
        <translation>{0} 第 {1} 行：没有名为“{2}”的列；请选择该行中的一列</translation>
    </message>
    <message>
        <source>{0}, line {1}: has {2} cells, the first line has {3}</source>
        <translation>{0} 第 {1} 行：有 {2} 个单元格，第一行有 {3} 个</translation>
    </message>
    <message>
        <source>{0}, line {1}: cell {2} is &quot;{3}&quot;, a pixel is a number from 0 to 255</source>
        <translation>{0} 第 {1} 行：第 {2} 个单元格是“{3}”，像素应为 0 到 255 的数</translation>
    </message>
    <message>
        <source>{0}: its pixels go from 0 to 1; Netwright reads 0 to 255, multiply them by 255</source>
        <translation>{0}：像素取值为 0 到 1；Netwright 读取 0 到 255，请乘以 255</translation>
    </message>
    <message>
        <source>{0}: rows have {1} pixels, which {2} channels do not share evenly</source>
        <translation>{0}：每行有 {1} 个像素，不能由 {2} 个通道均分</translation>
    </message>
    <message>
        <source>{0}, line {1}: longer than 16 MiB; is this a table with one image a line?</source>
        <translation>{0} 第 {1} 行：超过 16 MiB；这是每行一张图像的表格吗？</translation>
    </message>
    <message>
        <source>{0}, line {1}: holds a zero byte; this is not a text file</source>
        <translation>{0} 第 {1} 行：含有零字节；这不是文本文件</translation>
    </message>
    <message>
        <source>{0}, line {1}: there is text after the closing quote of cell {2}</source>
        <translation>{0} 第 {1} 行：第 {2} 个单元格的右引号后还有内容</translation>
    </message>
    <message>
        <source>{0}, line {1}: a quote is not closed</source>
        <translation>{0} 第 {1} 行：引号没有闭合</translation>
    </message>
    <message>
        <source>{0}: {1} images have another size than the first; they are resized to {2}×{3}</source>
        <translation>{0}：{1} 张图像与第一张大小不同；已缩放为 {2}×{3}</translation>
    </message>
    <message>
        <source>Class {0} has no readable image in {1}</source>
        <translation>类别 {0} 在 {1} 中没有可读取的图像</translation>
    </message>
    <message>
        <source>{0} is no class of the training images; its images are left out</source>
        <translation>{0} 不是训练图像的类别；不使用其中的图像</translation>
    </message>
    <message>
        <source>The helper process is busy; try again later</source>
        <translation>辅助进程繁忙；请稍后重试</translation>
    </message>
    <message>
        <source>There is not enough memory for this</source>
        <translation>内存不足，无法完成</translation>
    </message>
    <message>
        <source>The helper process failed: {0}</source>
        <translation>辅助进程失败：{0}</translation>
    </message>
    <message>
        <source>Set groups to {0}</source>
        <translation>将组数设为 {0}</translation>
    </message>
    <message>
        <source>Set output padding to {0}×{1}</source>
        <translation>将输出填充设为 {0}×{1}</translation>
    </message>
    <message>
        <source>Small ConvNet for CIFAR-10</source>
        <translation>用于 CIFAR-10 的小型卷积网络</translation>
    </message>
    <message>
        <source>Four convolutions for colour photos; minutes on a laptop.</source>
        <translation>四个卷积层识别彩色照片；笔记本电脑上只需几分钟。</translation>
    </message>
    <message>
        <source>Small MobileNet for CIFAR-10</source>
        <translation>用于 CIFAR-10 的小型 MobileNet</translation>
    </message>
    <message>
        <source>Depthwise convolutions and channel gates: few operations.</source>
        <translation>深度卷积与通道门控：运算量很小。</translation>
    </message>
    <message>
        <source>ResNet-34 for CIFAR-10</source>
        <translation>用于 CIFAR-10 的 ResNet-34</translation>
    </message>
    <message>
        <source>Twice as deep as ResNet-18, from the same two blocks.</source>
        <translation>深度约为 ResNet-18 的两倍，由同样两种块组成。</translation>
    </message>
    <message>
        <source>ResNet-18</source>
        <translation>ResNet-18</translation>
    </message>
    <message>
        <source>For a folder of your photos, 224 pixels wide and high.</source>
        <translation>用于自选的照片文件夹，宽高均为 224 像素。</translation>
    </message>
    <message>
        <source>ResNet-50</source>
        <translation>ResNet-50</translation>
    </message>
    <message>
        <source>Bottleneck blocks, 50 layers deep, for photos of 224 pixels.</source>
        <translation>瓶颈块，深 50 层，用于 224 像素的照片。</translation>
    </message>
    <message>
        <source>VGG-13</source>
        <translation>VGG-13</translation>
    </message>
    <message>
        <source>Ten convolutions with batch normalization and large linear layers, for photos of 224 pixels.</source>
        <translation>十个带批归一化的卷积层和大型全连接层，用于 224 像素的照片。</translation>
    </message>
    <message>
        <source>Averages so that the output has a chosen size.</source>
        <translation>取平均值，使输出达到选定的尺寸。</translation>
    </message>
    <message>
        <source>Output size</source>
        <translation>输出尺寸</translation>
    </message>
    <message>
        <source>Height and width of the output.</source>
        <translation>输出的高和宽。</translation>
    </message>
    <message>
        <source>The output padding {0}×{1} must be smaller than the stride or the dilation</source>
        <translation>输出填充 {0}×{1} 必须小于步幅或膨胀</translation>
    </message>
    <message>
        <source>The padding {0}×{1} leaves nothing of the output</source>
        <translation>填充 {0}×{1} 使输出一无所剩</translation>
    </message>
    <message>
        <source>Transposed convolution: enlarges an image with learned filters.</source>
        <translation>反方向的卷积：用学到的滤波器放大图像。</translation>
    </message>
    <message>
        <source>Distance between neighbouring input pixels in the output.</source>
        <translation>输入像素在输出中的间隔。</translation>
    </message>
    <message>
        <source>Pixels cut off on every side of the output.</source>
        <translation>输出每一边裁去的像素数。</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>输出填充</translation>
    </message>
    <message>
        <source>Pixels added below and on the right of the output.</source>
        <translation>在输出下方和右侧添加的像素数。</translation>
    </message>
    <message>
        <source>Distance between the output pixels of a filter.</source>
        <translation>滤波器写入的各点之间的距离。</translation>
    </message>
    <message>
        <source>Like ReLU, but negative values approach a lower limit smoothly.</source>
        <translation>类似 ReLU，但负值平滑地趋向一个下限。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Magnitude of the lower limit of negative values.</source>
        <translation>负值所趋向的下限的深度。</translation>
    </message>
    <message>
        <source>Needs channels that {0} groups divide, gets {1}</source>
        <translation>通道数须能被 {0} 组整除，实际为 {1}</translation>
    </message>
    <message>
        <source>Brings groups of channels of each image to mean 0 and variance 1, whatever the batch.</source>
        <translation>将每张图像的各组通道调整为均值 0、方差 1，与批次无关。</translation>
    </message>
    <message>
        <source>Number of groups of channels.</source>
        <translation>通道分成多少组。</translation>
    </message>
    <message>
        <source>Learned scale</source>
        <translation>可学习的缩放</translation>
    </message>
    <message>
        <source>Learns a factor and an offset for each channel.</source>
        <translation>为每个通道学习一个系数和一个偏移。</translation>
    </message>
    <message>
        <source>Piecewise approximation of SiLU: cheaper, for small networks.</source>
        <translation>用折线近似门控的 SiLU：更省运算，适合小型网络。</translation>
    </message>
    <message>
        <source>Normalizes each image to mean 0 and variance 1, independently of the batch.</source>
        <translation>单独将每张图像调整为均值 0、方差 1，与批次无关。</translation>
    </message>
    <message>
        <source>Learns a factor and an offset for each element.</source>
        <translation>为每个元素学习一个系数和一个偏移。</translation>
    </message>
    <message>
        <source>Needs equal shapes, or one number for each channel, gets {0} and {1}</source>
        <translation>需要相同的形状，或每个通道一个数，实际为 {0} 和 {1}</translation>
    </message>
    <message>
        <source>Multiplies its inputs: a gate, or a scale for each channel.</source>
        <translation>将各输入相乘：门控，或每个通道的缩放。</translation>
    </message>
    <message>
        <source>Like ReLU, but the slope of negative values is learned.</source>
        <translation>类似 ReLU，但负值的斜率由学习得到。</translation>
    </message>
    <message>
        <source>Slopes</source>
        <translation>斜率数</translation>
    </message>
    <message>
        <source>1: one slope for all; channels: one for each channel.</source>
        <translation>1：全部共用一个斜率；channels：每个通道一个。</translation>
    </message>
    <message>
        <source>Enlarges an image by integer factors.</source>
        <translation>按整数倍放大图像。</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Factor by which height and width grow.</source>
        <translation>输出的高和宽是输入的多少倍。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>nearest: repeats pixels; bilinear: blends neighbours.</source>
        <translation>nearest：重复像素；bilinear：混合相邻像素。</translation>
    </message>
    <message>
        <source>Pads an image with zeros, each side separately.</source>
        <translation>在图像四周补零，各边可分别设定。</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Columns of zeros on the left.</source>
        <translation>左侧补零的列数。</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Columns of zeros on the right.</source>
        <translation>右侧补零的列数。</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>上</translation>
    </message>
    <message>
        <source>Rows of zeros above.</source>
        <translation>上方补零的行数。</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>下</translation>
    </message>
    <message>
        <source>Rows of zeros below.</source>
        <translation>下方补零的行数。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no name for a parameter: use letters, digits and _</source>
        <translation>“{0}”不能作为参数名：请使用字母、数字和 _</translation>
    </message>
    <message>
        <source>Only a setting that is a single integer can become a parameter</source>
        <translation>只有单个整数的设置才能成为参数</translation>
    </message>
    <message>
        <source>The instances differ in {0}; make them equal first</source>
        <translation>各实例的 {0} 不同；请先使其相同</translation>
    </message>
    <message>
        <source>There is no block in this text</source>
        <translation>这段文本中没有模块</translation>
    </message>
    <message>
        <source>Select the layers to group into a block</source>
        <translation>请选择要做成模块的网络层</translation>
    </message>
    <message>
        <source>{0} cannot be part of a block: inputs, losses and ends of blocks stay outside</source>
        <translation>{0} 不能放进模块：输入、损失和模块的端口留在外面</translation>
    </message>
    <message>
        <source>A path leaves these layers through {0} and returns: select it too</source>
        <translation>信号经 {0} 离开这些网络层后又返回：请一并选择它</translation>
    </message>
    <message>
        <source>This is no block</source>
        <translation>这不是模块</translation>
    </message>
    <message>
        <source>{0} is bypassed: enable it before you ungroup it</source>
        <translation>{0} 已被旁路：拆开之前请先启用它</translation>
    </message>
    <message>
        <source>{0} is repeated by a formula: replace the formula by a number first</source>
        <translation>{0} 的重复次数是公式：请先改成数字</translation>
    </message>
    <message>
        <source>{0} expands to {1} layers, too many to draw individually</source>
        <translation>{0} 代表 {1} 个网络层，太多，无法逐个绘制</translation>
    </message>
    <message>
        <source>The connection would form a cycle</source>
        <translation>信号会回到自己的起点</translation>
    </message>
    <message>
        <source>Select two layers or more to connect them</source>
        <translation>请选择两个或更多网络层进行连接</translation>
    </message>
    <message>
        <source>None of these layers has a free input for the one above it</source>
        <translation>这些网络层都没有空闲的输入可接上一层</translation>
    </message>
    <message>
        <source>Passes its input on unchanged; collapsed, it is a bend point of a connection.</source>
        <translation>原样传递输入；折叠后是连接上的一个折点。</translation>
    </message>
    <message>
        <source>{0} cannot be removed: {1}</source>
        <translation>无法移除 {0}：{1}</translation>
    </message>
    <message>
        <source>A line begins with a name and a colon: conv1: Conv2d</source>
        <translation>每行以名称和冒号开头：conv1: Conv2d</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is neither a setting (name=value) nor a flag (bypassed, frozen)</source>
        <translation>“{0}”既不是设置（名称=值），也不是标记（bypassed、frozen）</translation>
    </message>
    <message>
        <source>{0} is set twice, or is no setting</source>
        <translation>{0} 重复设置，或不是设置</translation>
    </message>
    <message>
        <source>{0} has no value</source>
        <translation>{0} 没有值</translation>
    </message>
    <message>
        <source>The quotation mark is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>After &lt;- come the names of layers, with commas between</source>
        <translation>&lt;- 之后是网络层的名称，以逗号分隔</translation>
    </message>
    <message>
        <source>There is no layer called {0}</source>
        <translation>没有名为 {0} 的网络层</translation>
    </message>
    <message>
        <source>The text is too long</source>
        <translation>文本太长</translation>
    </message>
    <message>
        <source>There is no explanation &quot;{0}&quot;: grad-cam, grad-cam++, saliency, integrated-gradients or occlusion</source>
        <translation>没有名为“{0}”的解释方法：可用 grad-cam、grad-cam++、saliency、integrated-gradients 或 occlusion</translation>
    </message>
    <message>
        <source>{0} has no feature maps that the scores depend on</source>
        <translation>{0} 没有影响得分的特征图</translation>
    </message>
    <message>
        <source>{0} has no feature maps: ask for saliency, integrated-gradients or occlusion</source>
        <translation>{0} 没有特征图：请改用 saliency、integrated-gradients 或 occlusion</translation>
    </message>
    <message>
        <source>Integrated gradients take 1 to 4096 steps, not {0}</source>
        <translation>积分梯度需要 1 到 4096 步，而不是 {0}</translation>
    </message>
    <message>
        <source>A patch of {0} pixels does not fit an image of {1}×{2}</source>
        <translation>{0} 像素的遮挡块放不进 {1}×{2} 的图像</translation>
    </message>
    <message>
        <source>There is no class {0}; the network has {1}</source>
        <translation>没有类别 {0}；网络只有 {1} 个</translation>
    </message>
    <message>
        <source>{0}: cannot be read</source>
        <translation>{0}：无法读取</translation>
    </message>
    <message>
        <source>{0}: is damaged or of another version</source>
        <translation>{0}：已损坏或属于其他版本</translation>
    </message>
    <message>
        <source>{0}: its pixels are not in memory</source>
        <translation>{0}：其像素不在内存中</translation>
    </message>
    <message>
        <source>{0}: was made from other files</source>
        <translation>{0}：由其他文件生成</translation>
    </message>
    <message>
        <source>{0} does not hold the names of {1} classes; they are called by their numbers</source>
        <translation>{0} 中没有 {1} 个类别的名称；以编号命名</translation>
    </message>
    <message>
        <source>{0}: {1} bytes are no whole number of {2} records of {3}; it is cut short or of another format</source>
        <translation>{0}：{1} 字节不是 {2} 记录（每条 {3} 字节）的整数倍；文件被截断或格式不同</translation>
    </message>
    <message>
        <source>{0}: image {1} has class {2}, {3} ends at {4}; the file is damaged or of another format</source>
        <translation>{0}：图像 {1} 的类别是 {2}，{3} 最大为 {4}；文件已损坏或格式不同</translation>
    </message>
    <message>
        <source>{0}: only CIFAR-100 has coarse labels; choose its folder, or learn the class</source>
        <translation>{0}：只有 CIFAR-100 有粗类别；请选择它的文件夹，或改为学习类别</translation>
    </message>
    <message>
        <source>{0}: the folder cannot be read: {1}</source>
        <translation>{0}：无法读取该文件夹：{1}</translation>
    </message>
    <message>
        <source>{0}: is a folder that is named like an image</source>
        <translation>{0}：是一个名称像图像的文件夹</translation>
    </message>
    <message>
        <source>{0}: is a link to a file that is not there</source>
        <translation>{0}：是指向不存在文件的链接</translation>
    </message>
    <message>
        <source>{0}: is not a regular file</source>
        <translation>{0}：不是文件，而是管道、设备或无法查看的对象</translation>
    </message>
    <message>
        <source>No list of images is chosen</source>
        <translation>没有选择图像列表</translation>
    </message>
    <message>
        <source>{0}: category {1} occurs twice</source>
        <translation>{0}：类别 {1} 出现两次</translation>
    </message>
    <message>
        <source>{0}: has {1} categories</source>
        <translation>{0}：有 {1} 个类别</translation>
    </message>
    <message>
        <source>{0}: image {1} has no file name</source>
        <translation>{0}：图像 {1} 没有文件名</translation>
    </message>
    <message>
        <source>{0}: image {1} occurs twice</source>
        <translation>{0}：图像 {1} 出现两次</translation>
    </message>
    <message>
        <source>{0}: annotation {1} is about image {2}, which is not listed</source>
        <translation>{0}：标注 {1} 所指的图像 {2} 不在列表中</translation>
    </message>
    <message>
        <source>{0}: annotation {1} is about category {2}, which is not listed</source>
        <translation>{0}：标注 {1} 所指的类别 {2} 不在列表中</translation>
    </message>
    <message>
        <source>{0}: is no list of COCO; &quot;images&quot;, &quot;annotations&quot; and &quot;categories&quot; are needed</source>
        <translation>{0}：不是 COCO 列表；需要“images”、“annotations”和“categories”</translation>
    </message>
    <message>
        <source>{0}: {1} images have no category and are left out</source>
        <translation>{0}：{1} 张图像没有类别，已略去</translation>
    </message>
    <message>
        <source>{0}: no image has a category</source>
        <translation>{0}：没有图像带有类别</translation>
    </message>
    <message>
        <source>{0}: entry {1} occurs twice; the first one is used</source>
        <translation>{0}：条目 {1} 出现两次；以第一个为准</translation>
    </message>
    <message>
        <source>{0}: changed while it was being read; try again</source>
        <translation>{0}：已与开始读取时不同</translation>
    </message>
    <message>
        <source>{0}: {1} grey images of 16 bits hold values above 255; these become white, as PIL and torchvision make them; save them in 8 bits</source>
        <translation>{0}：{1} 张 16 位灰度图像含有大于 255 的值；它们会变成白色（与 PIL 和 torchvision 相同）；请另存为 8 位</translation>
    </message>
    <message>
        <source>{0}: no image could be read, {1} were tried; the first: {2}</source>
        <translation>{0}：没有可读取的图像，已尝试 {1} 张；第一张：{2}</translation>
    </message>
    <message>
        <source>{0} and {1} have different categories</source>
        <translation>{0} 与 {1} 的类别不同</translation>
    </message>
    <message>
        <source>{0}, line {1}: has one column; a path and a label are needed</source>
        <translation>{0} 第 {1} 行：只有一列；需要路径和标签</translation>
    </message>
    <message>
        <source>{0}, line {1}: &quot;{2}&quot; is the column of paths; choose the column of classes</source>
        <translation>{0} 第 {1} 行：“{2}”是路径列；请选择类别列</translation>
    </message>
    <message>
        <source>{0}, line {1}: no column is called label, class or target; choose the class column</source>
        <translation>{0} 第 {1} 行：没有名为 label、class 或 target 的列；请选择类别列</translation>
    </message>
    <message>
        <source>{0}, line {1}: more than {2} images; split the table</source>
        <translation>{0} 第 {1} 行：超过 {2} 张图像；请拆分表格</translation>
    </message>
    <message>
        <source>{0}, line {1}: has no path of an image in column {2}</source>
        <translation>{0} 第 {1} 行：第 {2} 列没有图像路径</translation>
    </message>
    <message>
        <source>{0}, line {1}: has no class in column {2}</source>
        <translation>{0} 第 {1} 行：第 {2} 列没有类别</translation>
    </message>
    <message>
        <source>{0}, line {1}: no column is called path, file or image</source>
        <translation>{0} 第 {1} 行：没有名为 path、file 或 image 的列</translation>
    </message>
    <message>
        <source>{0}: {1} images of the part {2} have no class and are left out</source>
        <translation>{0}：{2} 部分中有 {1} 张图像没有类别，已略去</translation>
    </message>
    <message>
        <source>{0}: has no lists of classes (ImageSets/Main/cat_train.txt and such)</source>
        <translation>{0}：没有类别列表（如 ImageSets/Main/cat_train.txt）</translation>
    </message>
    <message>
        <source>{0}, line {1}: is no line of VOC&apos;s lists; an image&apos;s name and 1, 0 or -1 are needed</source>
        <translation>{0} 第 {1} 行：不是 VOC 列表的行；需要图像名称和 1、0 或 -1</translation>
    </message>
    <message>
        <source>{0}, line {1}: the image&apos;s name is a path or too long</source>
        <translation>{0} 第 {1} 行：图像名称是路径或过长</translation>
    </message>
    <message>
        <source>{0}, line {1}: more than {2} images; split the list</source>
        <translation>{0} 第 {1} 行：超过 {2} 张图像；请拆分列表</translation>
    </message>
    <message>
        <source>{0}: lists no image</source>
        <translation>{0}：没有列出图像</translation>
    </message>
    <message>
        <source>{0}: a VOC folder contains its own test lists; leave the test file empty</source>
        <translation>{0}：VOC 文件夹自带测试列表；请将测试文件留空</translation>
    </message>
    <message>
        <source>{0}: has more than {1} entries, from {2} on; split it</source>
        <translation>{0}：超过 {1} 个条目（自 {2} 起）；请拆分</translation>
    </message>
    <message>
        <source>{0}: entry {1} has a name that leads out of the archive, or none</source>
        <translation>{0}：条目 {1} 的名称指向压缩包之外，或没有名称</translation>
    </message>
    <message>
        <source>{0}: entry {1} is a link</source>
        <translation>{0}：条目 {1} 是链接</translation>
    </message>
    <message>
        <source>{0}: entry {1} is a device or a pipe</source>
        <translation>{0}：条目 {1} 是设备或管道</translation>
    </message>
    <message>
        <source>{0}: entry {1} is encrypted; unpack the archive with its password first</source>
        <translation>{0}：条目 {1} 已加密；请先用密码解压</translation>
    </message>
    <message>
        <source>{0}: entry {1} unpacks to more than {2} bytes</source>
        <translation>{0}：条目 {1} 解压后超过 {2} 字节</translation>
    </message>
    <message>
        <source>{0}: entry {1} is damaged, its checksum or its size is wrong</source>
        <translation>{0}：条目 {1} 已损坏，校验和或大小不对</translation>
    </message>
    <message>
        <source>{0}: unpacks to more than {1} times its size, at entry {2}; this is no archive of photos</source>
        <translation>{0}：解压后超过自身大小的 {1} 倍（在条目 {2} 处）；这不是照片压缩包</translation>
    </message>
    <message>
        <source>{0}: this zip archive is empty or cut short, no list of its entries is found; copy or download it again</source>
        <translation>{0}：此 zip 压缩包为空或被截断，找不到条目列表；请重新复制或下载</translation>
    </message>
    <message>
        <source>{0}: no .zip, .tar or .tar.gz archive, or damaged at its start; copy or download it again</source>
        <translation>{0}：不是 .zip、.tar 或 .tar.gz 压缩包，或开头已损坏；请重新复制或下载</translation>
    </message>
    <message>
        <source>{0}: is cut short or damaged at or behind entry {1}; copy or download it again</source>
        <translation>{0}：在条目 {1} 处或之后被截断或损坏；请重新复制或下载</translation>
    </message>
    <message>
        <source>{0}.excluded has more than {1} names</source>
        <translation>{0}.excluded 的名称超过 {1} 个</translation>
    </message>
    <message>
        <source>{0}.excluded must be a list of names of samples</source>
        <translation>{0}.excluded 必须是样本名称的列表</translation>
    </message>
    <message>
        <source>There are too many images and classes to keep every probability; choose a smaller part of the data</source>
        <translation>图像与类别过多，无法保留每个概率；请选择较小的数据划分</translation>
    </message>
    <message>
        <source>The network has no layer with weights</source>
        <translation>网络中没有带权重的层</translation>
    </message>
    <message>
        <source>The features of these images need too much memory; choose fewer images</source>
        <translation>这些图像的特征需要过多内存；请减少图像数量</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a device with its threads; cpu@2 is the processor with two</source>
        <translation>“{0}”不是带线程数的设备；cpu@2 表示使用两个线程的处理器</translation>
    </message>
    <message>
        <source>A batch of {0} images is not possible; from 1 to {1}</source>
        <translation>无法使用 {0} 幅图像的批次；范围为 1 到 {1}</translation>
    </message>
    <message>
        <source>70 000 handwritten digits, 28×28×1, 10 classes</source>
        <translation>70 000 个手写数字，28×28×1，10 类</translation>
    </message>
    <message>
        <source>70 000 pictures of clothes, 28×28×1, 10 classes</source>
        <translation>70 000 张服装图片，28×28×1，10 类</translation>
    </message>
    <message>
        <source>70 000 cursive Japanese letters, 28×28×1, 10 classes</source>
        <translation>70 000 个日文草书字母，28×28×1，10 类</translation>
    </message>
    <message>
        <source>60 000 photos, 32×32×3, 10 classes</source>
        <translation>60 000 张照片，32×32×3，10 类</translation>
    </message>
    <message>
        <source>60 000 photos, 32×32×3, 100 classes</source>
        <translation>60 000 张照片，32×32×3，100 类</translation>
    </message>
    <message>
        <source>27 000 satellite pictures, 64×64×3, 10 classes</source>
        <translation>27 000 张卫星图片，64×64×3，10 类</translation>
    </message>
    <message>
        <source>3 670 photos of many sizes, 5 classes</source>
        <translation>3 670 张大小不一的照片，5 类</translation>
    </message>
    <message>
        <source>13 394 photos of many sizes, 10 classes</source>
        <translation>13 394 张大小不一的照片，10 类</translation>
    </message>
    <message>
        <source>none stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>CC BY 2.0, photographers named in the archive</source>
        <translation>CC BY 2.0，摄影者列于压缩包内</translation>
    </message>
    <message>
        <source>photos: their owners&apos;, as ImageNet&apos;s</source>
        <translation>照片归各自所有者，同 ImageNet</translation>
    </message>
    <message>
        <source>{0} cannot be read</source>
        <translation>无法读取 {0}</translation>
    </message>
    <message>
        <source>Stopped while {0} was being checked</source>
        <translation>检查 {0} 时已停止</translation>
    </message>
    <message>
        <source>Nothing can be downloaded: {0} is missing or of another version; build with libcurl (NETWRIGHT_NET)</source>
        <translation>无法下载：缺少 {0} 或其版本不符；请用 libcurl 构建（NETWRIGHT_NET）</translation>
    </message>
    <message>
        <source>{0} sent no data after byte {1} of {2}</source>
        <translation>{0} 没有 {2} 第 {1} 字节之后的内容</translation>
    </message>
    <message>
        <source>{0} responded with HTTP status {1}</source>
        <translation>{0} 返回状态 {1}</translation>
    </message>
    <message>
        <source>{0} sent another range of bytes than requested</source>
        <translation>{0} 发送的不是所请求的字节</translation>
    </message>
    <message>
        <source>{0} has a file of {1} bytes where {2} were expected</source>
        <translation>{0} 的文件有 {1} 字节，应为 {2} 字节</translation>
    </message>
    <message>
        <source>{0} more bytes are needed in {1}, {2} are free</source>
        <translation>{1} 中还需要 {0} 字节，可用 {2} 字节</translation>
    </message>
    <message>
        <source>{0} sends more than the {1} bytes that were expected</source>
        <translation>{0} 发送的内容超过预期的 {1} 字节</translation>
    </message>
    <message>
        <source>Stopped; the downloaded part of {0} is kept and the next download continues from it</source>
        <translation>已停止；{0} 已下载的部分会保留，下次从那里继续</translation>
    </message>
    <message>
        <source>{0} cannot be reached. Without a network: download {1} on another computer, copy it into {2} and start again here; its checksum is then verified</source>
        <translation>无法连接到 {0}。没有网络时：在另一台计算机上下载 {1}，放入 {2}，再在此重新开始；届时会进行校验</translation>
    </message>
    <message>
        <source>{0} cannot be reached</source>
        <translation>无法连接 {0}</translation>
    </message>
    <message>
        <source>{0} cannot be reached: {1}</source>
        <translation>无法连接 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} sent {1} of {2} bytes of {3}</source>
        <translation>{0} 只发送了 {3} 的 {2} 字节中的 {1} 字节</translation>
    </message>
    <message>
        <source>{0} redirects too many times</source>
        <translation>{0} 无休止地从一个地址转到另一个地址</translation>
    </message>
    <message>
        <source>The connection to {0} was cut: {1}</source>
        <translation>与 {0} 的连接中断：{1}</translation>
    </message>
    <message>
        <source>{0} sent an invalid response: {1}</source>
        <translation>{0} 没有给出正确的应答：{1}</translation>
    </message>
    <message>
        <source>{0} is not the published file (SHA-256 {1}); move it away and start again</source>
        <translation>{0} 不是已发布的文件（SHA-256 {1}）；请移走它后重新开始</translation>
    </message>
    <message>
        <source>{0} is another file than the one that was fetched first (SHA-256 {1} then, {2} now); it was not kept</source>
        <translation>{0} 与首次下载的文件不同（当时 SHA-256 {1}，现在 {2}）；未保留</translation>
    </message>
    <message>
        <source>{0} is not the published file (MD5 {1} instead of {2}); it was not kept</source>
        <translation>{0} 不是已发布的文件（MD5 为 {1}，应为 {2}）；未保留</translation>
    </message>
    <message>
        <source>{0} is not the published file (SHA-256 {1} instead of {2}); it was not kept</source>
        <translation>{0} 不是已发布的文件（SHA-256 为 {1}，应为 {2}）；未保留</translation>
    </message>
    <message>
        <source>{0} is unverified: no SHA-256 was published; the file&apos;s own was recorded ({1})</source>
        <translation>{0} 未经验证：没有公布 SHA-256；已记录其自身的值（{1}）</translation>
    </message>
    <message>
        <source>{0} is unverified: only an MD5 was published, which agrees; its SHA-256 was written down ({1})</source>
        <translation>{0} 未经验证：只公布了 MD5，且一致；已记录其 SHA-256（{1}）</translation>
    </message>
    <message>
        <source>{0}: {1} is not in it</source>
        <translation>{0}：其中没有 {1}</translation>
    </message>
    <message>
        <source>{0} is being downloaded by another program already</source>
        <translation>另一个程序正在下载 {0}</translation>
    </message>
    <message>
        <source>{0}: its table of contents is damaged at byte {1}</source>
        <translation>{0}：目录在第 {1} 字节处损坏</translation>
    </message>
    <message>
        <source>{0}: it ends in the middle of a file</source>
        <translation>{0}：在一个文件中间结束</translation>
    </message>
    <message>
        <source>Input-bound: loading images takes {0} of a step, mostly their transforms</source>
        <translation>受输入限制：图像占一步的 {0}，其中大部分用于变换</translation>
    </message>
    <message>
        <source>Input-bound: loading images takes {0} of a step, mostly reading and decoding</source>
        <translation>受输入限制：图像占一步的 {0}，其中大部分用于读取</translation>
    </message>
    <message>
        <source>Input-bound: loading images takes {0} of a step, mostly copying</source>
        <translation>受输入限制：图像占一步的 {0}，其中大部分用于复制</translation>
    </message>
    <message>
        <source>Remove transforms from the list, or use cheaper ones</source>
        <translation>从列表中去掉一些变换，或改用更省时的变换</translation>
    </message>
    <message>
        <source>Put the data on a faster disk, or let it be decoded once and kept</source>
        <translation>把数据放到更快的磁盘上，或只解码一次并保存</translation>
    </message>
    <message>
        <source>Make the images smaller</source>
        <translation>缩小图像</translation>
    </message>
    <message>
        <source>Give the run more threads if processors are idle</source>
        <translation>如有空闲处理器，给运行更多线程</translation>
    </message>
    <message>
        <source>Processor-bound: for {0} of a step, threads waited while other programs used the processors</source>
        <translation>受处理器限制：一步中有 {0} 的时间线程已就绪，但处理器被其他程序占用</translation>
    </message>
    <message>
        <source>Close other programs, or give this run fewer threads</source>
        <translation>关闭其他程序，或给此运行更少线程</translation>
    </message>
    <message>
        <source>Reduce-bound: exchanging gradients takes {0} of a step</source>
        <translation>受归约限制：交换梯度占一步的 {0}</translation>
    </message>
    <message>
        <source>A larger batch, so that devices exchange less often for the same images</source>
        <translation>增大批量，使设备对同样的图像交换得更少</translation>
    </message>
    <message>
        <source>Train on fewer devices</source>
        <translation>用更少的设备训练</translation>
    </message>
    <message>
        <source>Compute-bound: the network takes {0} of a step; images cost {1}</source>
        <translation>受计算限制：网络占一步的 {0}；图像占 {1}</translation>
    </message>
    <message>
        <source>Precision bf16, a GPU, or a smaller network</source>
        <translation>使用 bf16 精度、GPU 或更小的网络</translation>
    </message>
    <message>
        <source>A larger batch</source>
        <translation>更大的批量</translation>
    </message>
    <message>
        <source>Fewer transforms</source>
        <translation>更少的变换</translation>
    </message>
    <message>
        <source>{0}: it needs a heading with the columns path and split</source>
        <translation>{0}：需要含 path 和 split 两列的表头</translation>
    </message>
    <message>
        <source>{0}, line {1}: it has {2} cells</source>
        <translation>{0}，第 {1} 行：有 {2} 个单元格</translation>
    </message>
    <message>
        <source>{0}, line {1}: &quot;{2}&quot; is none of train, validation, test and none</source>
        <translation>{0}，第 {1} 行：&quot;{2}&quot; 不是 train、validation、test 或 none</translation>
    </message>
    <message>
        <source>{0}, line {1}: the data set has a test set; only train, validation and none can be chosen</source>
        <translation>{0}，第 {1} 行：数据自带测试图像；只能选择 train、validation 和 none</translation>
    </message>
    <message>
        <source>{0}, line {1}: &quot;{2}&quot; was already assigned to another split</source>
        <translation>{0}，第 {1} 行：&quot;{2}&quot; 之前放在了别处</translation>
    </message>
    <message>
        <source>{0} does not assign {1} to a split</source>
        <translation>{0} 没有说明 {1} 去哪里</translation>
    </message>
    <message>
        <source>has group_by &quot;{0}&quot;; known are folder and name</source>
        <translation>group_by 为 &quot;{0}&quot;；已知的有 folder 和 name</translation>
    </message>
    <message>
        <source>The data is not split as when this run was started: images it trained on may be among those that measure it</source>
        <translation>数据的划分与此运行开始时不同：训练用过的图像可能在评估图像之中</translation>
    </message>
    <message>
        <source>a histogram has {0} bins</source>
        <translation>直方图应有 {0} 个区间</translation>
    </message>
    <message>
        <source>a histogram counts from 0 up</source>
        <translation>直方图的计数不能小于 0</translation>
    </message>
    <message>
        <source>the minimum is greater than the maximum</source>
        <translation>最小值大于最大值</translation>
    </message>
    <message>
        <source>a layer is not an object</source>
        <translation>某一层不是对象</translation>
    </message>
    <message>
        <source>{0}: {1} lines are damaged and were left out</source>
        <translation>{0}：有 {1} 行已损坏，已略去</translation>
    </message>
    <message>
        <source>The layer statistics could not be recorded: {0}</source>
        <translation>无法记录层统计：{0}</translation>
    </message>
    <message>
        <source>There is no synthetic set {0}</source>
        <translation>没有合成数据集 {0}</translation>
    </message>
    <message>
        <source>There is no optimizer {0}</source>
        <translation>没有优化器 {0}</translation>
    </message>
    <message>
        <source>Sigmoid approximated by three line segments: cheaper, for small networks.</source>
        <translation>由三段直线组成的 sigmoid：计算更省，适合小型网络。</translation>
    </message>
    <message>
        <source>A smooth ReLU: x times the hyperbolic tangent of its softplus.</source>
        <translation>平滑的 ReLU：x 乘以其 softplus 的双曲正切。</translation>
    </message>
    <message>
        <source>ReLU with an upper limit of 6, for small and quantised networks.</source>
        <translation>上限为 6 的 ReLU，用于小型网络和量化网络。</translation>
    </message>
    <message>
        <source>ELU with fixed constants that keep the values of deep networks normalized.</source>
        <translation>常数固定的 ELU，使深层网络的数值保持归一化。</translation>
    </message>
    <message>
        <source>A smooth ReLU whose values are always positive.</source>
        <translation>平滑的 ReLU，输出值始终为正。</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>How sharply the curve bends at 0: the larger, the closer to ReLU.</source>
        <translation>曲线在 0 处弯曲的陡峭程度：越大越接近 ReLU。</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Where beta times x is larger than this, the output is x.</source>
        <translation>当 beta 乘以 x 大于该值时，输出等于 x。</translation>
    </message>
    <message>
        <source>The network has no output {0}</source>
        <translation>网络没有编号为 {0} 的输出</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of the request is not text</source>
        <translation>请求中的“{0}”不是文本</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of the request is &quot;{1}&quot;; possible are {2}</source>
        <translation>请求中的“{0}”为“{1}”，可用的值有：{2}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of the request is not an integer from {1} to {2}</source>
        <translation>请求中的“{0}”不是 {1} 到 {2} 之间的整数</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of the request is not a project</source>
        <translation>请求中的“{0}”不是项目</translation>
    </message>
    <message>
        <source>The request has a field &quot;{0}&quot;, which this operation does not have</source>
        <translation>请求中有此操作不认识的字段“{0}”</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of the request is not a list of at most {1} valid entries</source>
        <translation>请求中的“{0}”不是最多含 {1} 个有效条目的列表</translation>
    </message>
    <message>
        <source>{0} thumbnails of {1}×{1} pixels are too large for one answer</source>
        <translation>{0} 张 {1}×{1} 像素的缩略图超出了一次答复的大小</translation>
    </message>
    <message>
        <source>The answer is too large to send: choose fewer images or classes</source>
        <translation>答复过大，无法发送：请减少图像或类别的数量</translation>
    </message>
    <message>
        <source>Fraction of the previous step that is added to the next one.</source>
        <translation>保留上一步的比例。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay rate of the mean gradient.</source>
        <translation>梯度均值的衰减率。</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay rate of the second running mean.</source>
        <translation>第二个滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Added to the divisor, so that it is never zero.</source>
        <translation>避免除以零。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Shrinks the weights at each step.</source>
        <translation>每步缩小权重。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Rate decay</source>
        <translation>学习率衰减</translation>
    </message>
    <message>
        <source>The learning rate is divided by 1 + steps × this.</source>
        <translation>学习率除以 1 + 步数 × 此值。</translation>
    </message>
    <message>
        <source>Gradients divided by the root of the sum of all their squares.</source>
        <translation>梯度除以其历次平方和的平方根。</translation>
    </message>
    <message>
        <source>Steps scaled by the running mean of squared gradients.</source>
        <translation>按梯度平方的滑动平均缩放步长。</translation>
    </message>
    <message>
        <source>Adam with weight decay apart from the gradient.</source>
        <translation>权重衰减与梯度分离的 Adam。</translation>
    </message>
    <message>
        <source>Trust coefficient</source>
        <translation>信任系数</translation>
    </message>
    <message>
        <source>Length of a step, as a share of the weights&apos; own norm.</source>
        <translation>步长占权重自身范数的比例。</translation>
    </message>
    <message>
        <source>SGD with a learning rate for each weight tensor, for large batches.</source>
        <translation>每个权重张量有各自学习率的 SGD，适合大批量。</translation>
    </message>
    <message>
        <source>Steps of one size along the sign of the momentum.</source>
        <translation>沿动量符号方向、大小固定的步长。</translation>
    </message>
    <message>
        <source>Momentum decay</source>
        <translation>动量衰减</translation>
    </message>
    <message>
        <source>How fast the momentum rises from half of beta 1 to beta 1.</source>
        <translation>动量从 beta 1 的一半升到 beta 1 的快慢。</translation>
    </message>
    <message>
        <source>Adam with Nesterov momentum.</source>
        <translation>带 Nesterov 动量的 Adam。</translation>
    </message>
    <message>
        <source>Decay rate of the running mean of squared gradients.</source>
        <translation>梯度平方滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>中心化</translation>
    </message>
    <message>
        <source>Divides by the estimated standard deviation of the gradient instead of its root mean square.</source>
        <translation>除以梯度标准差的估计值，而不是均方根。</translation>
    </message>
    <message>
        <source>Gradients divided by their running root mean square.</source>
        <translation>梯度除以其滑动均方根。</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Looks ahead along the momentum.</source>
        <translation>沿动量方向预看一步。</translation>
    </message>
    <message>
        <source>Gradient descent with momentum.</source>
        <translation>带动量的梯度下降。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Empty: searched in the usual folders of data sets.</source>
        <translation>留空：在数据集的常用位置查找。</translation>
    </message>
    <message>
        <source>found automatically</source>
        <translation>自动查找</translation>
    </message>
    <message>
        <source>Test file</source>
        <translation>测试文件</translation>
    </message>
    <message>
        <source>Empty: a part of the training images is held out.</source>
        <translation>留空：从训练图像中留出一部分。</translation>
    </message>
    <message>
        <source>held out of training</source>
        <translation>从训练集留出</translation>
    </message>
    <message>
        <source>Images are resized to it.</source>
        <translation>图像会缩放到此大小。</translation>
    </message>
    <message>
        <source>as found</source>
        <translation>按原样</translation>
    </message>
    <message>
        <source>px</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>1 is grey, 3 is colour.</source>
        <translation>1 为灰度，3 为彩色。</translation>
    </message>
    <message>
        <source>CIFAR</source>
        <translation>CIFAR</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>COCO&apos;s JSON: images, annotations, categories.</source>
        <translation>COCO 的 JSON：图像、标注、类别。</translation>
    </message>
    <message>
        <source>choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>COCO list</source>
        <translation>COCO 列表</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>A line per image: its class, and its pixels or its path.</source>
        <translation>每张图像一行：类别，以及像素或路径。</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Name of the target column; for labels and numbers, several names separated by commas.</source>
        <translation>要学习的列的名称；标签和数值可写多个，用逗号分隔。</translation>
    </message>
    <message>
        <source>label, class or target</source>
        <translation>label、class 或 target</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 表格</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>IDX file with the training images, .gz or not.</source>
        <translation>训练图像的 IDX 文件，可为 .gz。</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>IDX file with their classes.</source>
        <translation>对应类别的 IDX 文件。</translation>
    </message>
    <message>
        <source>Test images</source>
        <translation>测试图像</translation>
    </message>
    <message>
        <source>Test labels</source>
        <translation>测试标签</translation>
    </message>
    <message>
        <source>IDX file with the classes of the test images.</source>
        <translation>测试图像类别的 IDX 文件。</translation>
    </message>
    <message>
        <source>IDX files</source>
        <translation>IDX 文件</translation>
    </message>
    <message>
        <source>One folder of images for each class. The EXIF orientation of photos is ignored, as in torchvision.</source>
        <translation>每个类别一个图像文件夹。照片不按 EXIF 旋转，与 torchvision 相同。</translation>
    </message>
    <message>
        <source>choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Or archive</source>
        <translation>或压缩包</translation>
    </message>
    <message>
        <source>The same in a .zip, .tar or .tar.gz file; it is read in place, nothing is unpacked.</source>
        <translation>同样的内容放在 .zip、.tar 或 .tar.gz 文件中；就地读取，不解压。</translation>
    </message>
    <message>
        <source>Test folder</source>
        <translation>测试文件夹</translation>
    </message>
    <message>
        <source>Image folder or archive</source>
        <translation>图像文件夹或压缩包</translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>Synthetic shapes</source>
        <translation>合成形状</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>What is drawn</source>
        <translation>绘制内容</translation>
    </message>
    <message>
        <source>Digits of 28×28; circles, squares and triangles in colour of 32×32, also to learn labels or place and size; or points of two moons, two numbers each, for a perceptron.</source>
        <translation>28×28 的数字；32×32 的彩色圆形、正方形和三角形，也可用于学习标签或位置与大小；或双月形的点，每点两个数值，适合感知机。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Images drawn for training and validation.</source>
        <translation>为训练和验证绘制的图像。</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Images drawn for the test.</source>
        <translation>为测试绘制的图像。</translation>
    </message>
    <message>
        <source>Synthetic</source>
        <translation>合成数据</translation>
    </message>
    <message>
        <source>The folder with ImageSets and JPEGImages, or one class&apos; list, such as cat_train.txt: that class or not.</source>
        <translation>含有 ImageSets 和 JPEGImages 的文件夹，或一个类别的列表（如 cat_train.txt）：是否属于该类别。</translation>
    </message>
    <message>
        <source>VOC lists</source>
        <translation>VOC 列表</translation>
    </message>
    <message>
        <source>Connect to {0}</source>
        <translation>连接到 {0}</translation>
    </message>
    <message>
        <source>Resize images to {0}</source>
        <translation>将图像缩放为 {0}</translation>
    </message>
    <message>
        <source>{0}: there is no image in its {1} folders</source>
        <translation>{0}：其中的 {1} 个文件夹里没有图像</translation>
    </message>
    <message>
        <source>Hold test images out of the training images</source>
        <translation>从训练图像中留出测试图像</translation>
    </message>
    <message>
        <source>Split at random instead of by the table</source>
        <translation>不用表格，改为随机划分</translation>
    </message>
    <message>
        <source>Use the first column</source>
        <translation>使用第一列</translation>
    </message>
    <message>
        <source>Learn the class</source>
        <translation>学习类别</translation>
    </message>
    <message>
        <source>Search {0} in the usual folders</source>
        <translation>在常用文件夹中查找 {0}</translation>
    </message>
    <message>
        <source>Use synthetic digits</source>
        <translation>使用合成数字</translation>
    </message>
    <message>
        <source>Small ConvNet</source>
        <translation>小型卷积网络</translation>
    </message>
    <message>
        <source>Read as &quot;{0}&quot;</source>
        <translation>按“{0}”读取</translation>
    </message>
    <message>
        <source>The validation loss is {1} after epoch {0}; guessing would give {2}. Lower the learning rate.</source>
        <translation>第 {0} 轮后验证损失为 {1}，而随机猜测的损失为 {2}。请降低学习率。</translation>
    </message>
    <message>
        <source>The accuracy is {1} % after epoch {0}, no better than always answering the most common class ({2} %). Try another learning rate, and check the labels.</source>
        <translation>第 {0} 轮后准确率为 {1} %，并不比总是回答最常见的类别（{2} %）更好。请换一个学习率，并检查标签。</translation>
    </message>
    <message>
        <source>Over-fitting: since epoch {0} the validation loss has risen from {1} to {2} while the training loss fell. More images, augmentation, weight decay or early stopping help.</source>
        <translation>过拟合：自第 {0} 轮起验证损失由 {1} 升至 {2}，而训练损失仍在下降。增加图像、数据增强、权重衰减或提前停止会有帮助。</translation>
    </message>
    <message>
        <source>{0}: {1} needs a number, not &quot;{2}&quot;</source>
        <translation>{0}：{1} 需要数字，而不是“{2}”</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>NVIDIA 驱动</translation>
    </message>
    <message>
        <source>Install the driver of your GPU, version 580 or later: on Debian and Ubuntu the package nvidia-driver, or from nvidia.com/drivers.</source>
        <translation>请安装 GPU 的驱动（580 或更高版本）：Debian 和 Ubuntu 上是软件包 nvidia-driver，或从 nvidia.com/drivers 下载。</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Check that the card is seated and that this user may open /dev/nvidia0; in a container, start it with the GPUs (docker run --gpus all).</source>
        <translation>请检查显卡是否插好、此用户能否打开 /dev/nvidia0；在容器中，请带上 GPU 启动（docker run --gpus all）。</translation>
    </message>
    <message>
        <source>Netwright&apos;s plug-in for GPUs</source>
        <translation>Netwright 的 GPU 插件</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s CUDA toolkit 13.0 (nvcc) and build Netwright again.</source>
        <translation>请安装 NVIDIA 的 CUDA 工具包 13.0（nvcc），然后重新构建 Netwright。</translation>
    </message>
    <message>
        <source>CUDA libraries</source>
        <translation>CUDA 库</translation>
    </message>
    <message>
        <source>Install the package libcublas-13-0 of the CUDA toolkit; without it linear layers are slower.</source>
        <translation>请安装 CUDA 工具包中的软件包 libcublas-13-0；没有它，线性层会较慢。</translation>
    </message>
    <message>
        <source>cuDNN</source>
        <translation>cuDNN</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s package cudnn9-cuda-13; without it convolutions are much slower.</source>
        <translation>请安装 NVIDIA 的软件包 cudnn9-cuda-13；没有它，卷积会慢得多。</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>Only several GPUs need it: install the package libnccl2; without it they exchange gradients more slowly.</source>
        <translation>只有使用多个 GPU 时才需要：请安装软件包 libnccl2；没有它，交换梯度会较慢。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of a run&apos;s notes may have {1} bytes; these are {2}</source>
        <translation>运行备注中的“{0}”最多 {1} 字节；这里有 {2}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of a run&apos;s notes must be UTF-8 text</source>
        <translation>运行备注中的“{0}”必须是 UTF-8 文本</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; of a run&apos;s notes may not hold control characters</source>
        <translation>运行备注中的“{0}”不能含有控制字符</translation>
    </message>
    <message>
        <source>{0}: tags is not a list of at most {1} words</source>
        <translation>{0}：tags 不是最多 {1} 个词的列表</translation>
    </message>
    <message>
        <source>{0} does not hold notes of a run</source>
        <translation>{0} 不含运行的备注</translation>
    </message>
    <message>
        <source>{0} has a member {1}, which notes of a run do not have</source>
        <translation>{0} 有成员 {1}，运行的备注没有这个成员</translation>
    </message>
    <message>
        <source>a run may have {0} tags</source>
        <translation>一个运行最多有 {0} 个标签</translation>
    </message>
    <message>
        <source>the tag &quot;{0}&quot; is empty, given twice or holds a comma</source>
        <translation>标签“{0}”为空、重复或含有逗号</translation>
    </message>
    <message>
        <source>a run trains 1 to {0} epochs</source>
        <translation>一个运行训练 1 到 {0} 轮</translation>
    </message>
    <message>
        <source>{0} has trained {1} epochs; --epochs is the new total and must be larger</source>
        <translation>{0} 已训练 {1} 轮；--epochs 是新的总轮数，必须更大</translation>
    </message>
    <message>
        <source>{0} has finished; there is nothing left to train. --epochs N trains it further</source>
        <translation>{0} 已完成，没有剩余的训练。--epochs N 可继续训练</translation>
    </message>
    <message>
        <source>{0} images have another size than the first and are resized to {1}×{2}; choose the size of all</source>
        <translation>{0} 幅图像的尺寸与第一幅不同，现缩放为 {1}×{2}；请选择所有图像的尺寸</translation>
    </message>
    <message>
        <source>The layers have more than {0} inputs once the blocks are repeated; connect fewer inputs, or repeat a block less often</source>
        <translation>模块重复展开后，各层的输入超过 {0} 个；请减少连接的输入，或减少模块的重复次数</translation>
    </message>
    <message>
        <source>Share the statistics among the devices</source>
        <translation>在各设备间共享统计量</translation>
    </message>
    <message>
        <source>Set the batch to {0}</source>
        <translation>将批大小设为 {0}</translation>
    </message>
    <message>
        <source>Gets a single value per channel on a device: one pixel of one image has no variance. Make the batch larger, or share the statistics among the devices</source>
        <translation>在某个设备上每个通道只得到一个数值：一幅图像的一个像素没有方差。请增大批大小，或在各设备间共享统计量</translation>
    </message>
    <message>
        <source>Gets a single value per channel: one pixel of one image has no variance. Make the batch larger, or place the layer before the pooling</source>
        <translation>每个通道只得到一个数值：一幅图像的一个像素没有方差。请增大批大小，或把该层放在池化之前</translation>
    </message>
    <message>
        <source>Set {0} to {1}</source>
        <translation>将 {0} 设为 {1}</translation>
    </message>
    <message>
        <source>Switch {0} off</source>
        <translation>关闭 {0}</translation>
    </message>
    <message>
        <source>more than {0} MiB of memory are needed to read it</source>
        <translation>读取它需要超过 {0} MiB 内存</translation>
    </message>
    <message>
        <source>{0}: its text is damaged</source>
        <translation>{0}：其文本已损坏</translation>
    </message>
    <message>
        <source>{0}: its text is damaged or larger than {1} bytes</source>
        <translation>{0}：其文本已损坏或大于 {1} 字节</translation>
    </message>
    <message>
        <source>{0} is a link to {1}, which is not there</source>
        <translation>{0} 是指向 {1} 的链接，而后者不存在</translation>
    </message>
    <message>
        <source>{0} is not there</source>
        <translation>{0} 不存在</translation>
    </message>
    <message>
        <source>{0} is not a file: it is a folder</source>
        <translation>{0} 不是文件：它是文件夹</translation>
    </message>
    <message>
        <source>{0} is not a file: it is a pipe</source>
        <translation>{0} 不是文件：它是管道</translation>
    </message>
    <message>
        <source>{0} is not a file: it is a socket</source>
        <translation>{0} 不是文件：它是套接字</translation>
    </message>
    <message>
        <source>{0} is not a file: it is a device</source>
        <translation>{0} 不是文件：它是设备</translation>
    </message>
    <message>
        <source>{0} is not a folder: it is a file</source>
        <translation>{0} 不是文件夹：它是文件</translation>
    </message>
    <message>
        <source>{0} is not a folder</source>
        <translation>{0} 不是文件夹</translation>
    </message>
    <message>
        <source>{0}: its names need more than {1} MiB of memory; unpack it into a folder</source>
        <translation>{0}：其中的名称需要超过 {1} MiB 内存；请将其解压到文件夹</translation>
    </message>
    <message>
        <source>Bilinear, antialiased (as torchvision)</source>
        <translation>双线性，抗锯齿（与 torchvision 相同）</translation>
    </message>
    <message>
        <source>Mean of the covered pixels (area)</source>
        <translation>所覆盖像素的平均值（area）</translation>
    </message>
    <message>
        <source>Nearest pixel</source>
        <translation>最近的像素</translation>
    </message>
    <message>
        <source>Resizing</source>
        <translation>缩放方式</translation>
    </message>
    <message>
        <source>How images of another size are resized.</source>
        <translation>其他尺寸的图像如何缩放。</translation>
    </message>
    <message>
        <source>its layers have {0} inputs; at most {1} are read</source>
        <translation>其各层共有 {0} 个输入；最多读取 {1} 个</translation>
    </message>
    <message>
        <source>has resize &quot;{0}&quot;; known are bilinear, area and nearest</source>
        <translation>resize 为“{0}”；已知的有 bilinear、area 和 nearest</translation>
    </message>
    <message>
        <source>Multiplies at most {0} inputs, has {1}</source>
        <translation>最多相乘 {0} 个输入，现有 {1} 个</translation>
    </message>
    <message>
        <source>no more threads can be started: there are {0}, and the limit of {1} MiB of memory (ulimit -v) has no room for another; use fewer threads, or raise the limit</source>
        <translation>无法再启动线程：现有 {0} 个，而 {1} MiB 的内存上限（ulimit -v）已容不下新线程；请减少线程数，或提高上限</translation>
    </message>
    <message>
        <source>no more threads can be started: this process has {0}, and the limit is {1} ({2}); use fewer threads, or raise the limit</source>
        <translation>无法再启动线程：本进程已有 {0} 个，上限为 {1}（{2}）；请减少线程数，或提高上限</translation>
    </message>
    <message>
        <source>no more threads can be started: this process has {0}; use fewer threads</source>
        <translation>无法再启动线程：本进程已有 {0} 个；请减少线程数</translation>
    </message>
    <message>
        <source>The network computes numbers that are not finite: its training diverged. Choose an earlier checkpoint, or train again with a lower learning rate.</source>
        <translation>网络算出了非有限数值：训练已发散。请选择更早的检查点，或降低学习率后重新训练。</translation>
    </message>
    <message>
        <source>{0} names {1} classes, its network has {2} outputs; its run.json is damaged</source>
        <translation>{0} 列出 {1} 个类别，而其网络有 {2} 个输出；其 run.json 已损坏</translation>
    </message>
    <message>
        <source>The network computes numbers that are not finite for {0} of {1} images: its training diverged. Choose an earlier checkpoint, or train again with a lower learning rate or gradient clipping.</source>
        <translation>网络对 {1} 幅图像中的 {0} 幅算出了非有限数值：训练已发散。请选择更早的检查点，或降低学习率、使用梯度裁剪后重新训练。</translation>
    </message>
    <message>
        <source>The loss is too large to be computed: the training diverged. Choose an earlier checkpoint, or train again with a lower learning rate.</source>
        <translation>损失过大，无法计算：训练已发散。请选择更早的检查点，或降低学习率后重新训练。</translation>
    </message>
    <message>
        <source>{0} does not answer: its process {1} is stopped; continue it with kill -CONT {1}</source>
        <translation>{0} 没有应答：其进程 {1} 已被挂起；请用 kill -CONT {1} 使其继续</translation>
    </message>
    <message>
        <source>{0} belongs to another user; nothing was sent</source>
        <translation>{0} 属于其他用户；未发送任何内容</translation>
    </message>
    <message>
        <source>{0} is not the folder of a run: it holds no run.json; netwright-cli runs list shows the runs</source>
        <translation>{0} 不是训练运行的文件夹：其中没有 run.json；netwright-cli runs list 可列出各次运行</translation>
    </message>
    <message>
        <source>{0} holds {1} bytes of weights, the network has {2}: it belongs to another network</source>
        <translation>{0} 含有 {1} 字节的权重，而该网络为 {2} 字节：它属于另一个网络</translation>
    </message>
    <message>
        <source>the loss on the test set is not a finite number: the training has diverged; a lower learning rate or gradient clipping may help</source>
        <translation>测试集上的损失不是有限数值：训练已发散；降低学习率或使用梯度裁剪可能有帮助</translation>
    </message>
    <message>
        <source>The validation loss after epoch {0} is not a finite number: the training has diverged. Lower the learning rate or clip gradients.</source>
        <translation>第 {0} 轮后的验证损失不是有限数值：训练已发散。请降低学习率或裁剪梯度。</translation>
    </message>
    <message>
        <source>Nesterov needs a momentum above 0</source>
        <translation>Nesterov 需要大于 0 的动量</translation>
    </message>
    <message>
        <source>the recovery copy cannot be written</source>
        <translation>无法写入恢复副本</translation>
    </message>
    <message>
        <source>Stopped before training began</source>
        <translation>训练开始前已停止</translation>
    </message>
    <message>
        <source>{0} is not a folder: it is a pipe</source>
        <translation>{0} 不是文件夹：它是管道</translation>
    </message>
    <message>
        <source>{0} is not a folder: it is a socket</source>
        <translation>{0} 不是文件夹：它是套接字</translation>
    </message>
    <message>
        <source>{0} is not a folder: it is a device</source>
        <translation>{0} 不是文件夹：它是设备</translation>
    </message>
    <message>
        <source>{0} is a folder that cannot be read: {1}</source>
        <translation>{0} 是无法读取的文件夹：{1}</translation>
    </message>
    <message>
        <source>{0}; netwright-cli runs list shows the runs</source>
        <translation>{0}；netwright-cli runs list 可列出各次训练运行</translation>
    </message>
    <message>
        <source>There is not enough memory to analyse this network; make it smaller or close other programs</source>
        <translation>内存不足，无法分析此网络；请缩小网络或关闭其他程序</translation>
    </message>
    <message>
        <source>The network has no input or no loss</source>
        <translation>网络没有输入层或损失层</translation>
    </message>
    <message>
        <source>start_from of the project is not an object</source>
        <translation>项目的 start_from 不是对象</translation>
    </message>
    <message>
        <source>it names no file of weights</source>
        <translation>它没有指明权重文件</translation>
    </message>
    <message>
        <source>SqueezeNet 1.1</source>
        <translation>SqueezeNet 1.1</translation>
    </message>
    <message>
        <source>Fire modules: photos with a million weights, without linear layers.</source>
        <translation>Fire 模块：以一百万个权重识别照片，没有线性层。</translation>
    </message>
    <message>
        <source>MobileNetV2</source>
        <translation>MobileNetV2</translation>
    </message>
    <message>
        <source>Inverted residual blocks with depthwise convolutions, for photos of 224 pixels.</source>
        <translation>带深度卷积的倒残差模块，用于 224 像素的照片。</translation>
    </message>
    <message>
        <source>DenseNet-121</source>
        <translation>DenseNet-121</translation>
    </message>
    <message>
        <source>Each layer sees the channels of all layers before it, for photos of 224 pixels.</source>
        <translation>每一层都能看到之前所有层的通道，用于 224 像素的照片。</translation>
    </message>
    <message>
        <source>EfficientNet-B0</source>
        <translation>EfficientNet-B0</translation>
    </message>
    <message>
        <source>Inverted residuals with squeeze-and-excitation: accurate with few operations.</source>
        <translation>带压缩激励的倒残差模块：运算少而准确。</translation>
    </message>
    <message>
        <source>ConvNeXt-T</source>
        <translation>ConvNeXt-T</translation>
    </message>
    <message>
        <source>Large depthwise convolutions and layer norms, for photos of 224 pixels.</source>
        <translation>大核深度卷积与层归一化，用于 224 像素的照片。</translation>
    </message>
    <message>
        <source>Vision transformer, tiny</source>
        <translation>微型视觉 Transformer</translation>
    </message>
    <message>
        <source>Attention between patches of 16 pixels; needs many photos.</source>
        <translation>16 像素图块之间的注意力；需要大量照片。</translation>
    </message>
    <message>
        <source>{0} cannot be started: {1}</source>
        <translation>无法启动 {0}：{1}</translation>
    </message>
    <message>
        <source>{0}: {1} cannot be written as ONNX</source>
        <translation>{0}：{1} 无法写成 ONNX</translation>
    </message>
    <message>
        <source>There are no fitting values for {0}</source>
        <translation>没有与 {0} 相符的数值</translation>
    </message>
    <message>
        <source>its result is too large</source>
        <translation>其结果过大</translation>
    </message>
    <message>
        <source>its indices are outside</source>
        <translation>其索引超出范围</translation>
    </message>
    <message>
        <source>it has no input</source>
        <translation>它没有输入</translation>
    </message>
    <message>
        <source>it holds no tensor</source>
        <translation>它不含张量</translation>
    </message>
    <message>
        <source>its sizes are computed</source>
        <translation>其尺寸由计算得出</translation>
    </message>
    <message>
        <source>its sizes are impossible</source>
        <translation>其尺寸不可能成立</translation>
    </message>
    <message>
        <source>its axes are computed</source>
        <translation>其轴由计算得出</translation>
    </message>
    <message>
        <source>its axes are impossible</source>
        <translation>其轴不可能成立</translation>
    </message>
    <message>
        <source>its sizes are computed or impossible</source>
        <translation>其尺寸由计算得出或不可能成立</translation>
    </message>
    <message>
        <source>its parts do not fit</source>
        <translation>其各部分不相符</translation>
    </message>
    <message>
        <source>its indices are computed</source>
        <translation>其索引由计算得出</translation>
    </message>
    <message>
        <source>its range is computed</source>
        <translation>其范围由计算得出</translation>
    </message>
    <message>
        <source>its range is impossible</source>
        <translation>其范围不可能成立</translation>
    </message>
    <message>
        <source>its numbers are too large</source>
        <translation>其数值过大</translation>
    </message>
    <message>
        <source>its type is not computed with</source>
        <translation>不支持用其类型计算</translation>
    </message>
    <message>
        <source>it has other than two inputs</source>
        <translation>它的输入不是两个</translation>
    </message>
    <message>
        <source>its inputs do not fit</source>
        <translation>其输入不相符</translation>
    </message>
    <message>
        <source>it computes with the number of images</source>
        <translation>它用图像数量进行计算</translation>
    </message>
    <message>
        <source>it divides by zero</source>
        <translation>它除以零</translation>
    </message>
    <message>
        <source>it has fewer than three inputs</source>
        <translation>它的输入少于三个</translation>
    </message>
    <message>
        <source>it is not computed in advance</source>
        <translation>它不会被预先计算</translation>
    </message>
    <message>
        <source>it does not name its version of the ONNX operators</source>
        <translation>它没有注明所用 ONNX 算子的版本</translation>
    </message>
    <message>
        <source>it uses version {0} of the ONNX operators; 1 to {1} are read. Export it with opset_version={1} or lower</source>
        <translation>它使用 ONNX 算子的第 {0} 版；可读取 1 至 {1}。请用 opset_version={1} 或更低版本导出</translation>
    </message>
    <message>
        <source>it holds no operators</source>
        <translation>它不含算子</translation>
    </message>
    <message>
        <source>it has several inputs, &quot;{0}&quot; and &quot;{1}&quot;; a network here has one</source>
        <translation>它有多个输入：“{0}”和“{1}”；这里的网络只有一个输入</translation>
    </message>
    <message>
        <source>its input &quot;{0}&quot; holds elements of {1}; images are numbers of float</source>
        <translation>其输入“{0}”的元素类型为 {1}；图像应为 float 数值</translation>
    </message>
    <message>
        <source>its input &quot;{0}&quot; is neither a batch of images nor of vectors</source>
        <translation>其输入“{0}”既不是一批图像，也不是一批向量</translation>
    </message>
    <message>
        <source>its images have {0}×{1} pixels; --size cannot change that</source>
        <translation>其图像为 {0}×{1} 像素；--size 不能改变它</translation>
    </message>
    <message>
        <source>{0} leaves the size of its images open; give it, for example --size 224x224</source>
        <translation>{0} 未限定图像尺寸；请给出尺寸，例如 --size 224x224</translation>
    </message>
    <message>
        <source>its images of {0}×{1}×{2}: {3}</source>
        <translation>其 {0}×{1}×{2} 的图像：{3}</translation>
    </message>
    <message>
        <source>the operator {0} reads &quot;{1}&quot;, which nothing before it makes</source>
        <translation>算子 {0} 读取“{1}”，但之前没有任何算子产生它</translation>
    </message>
    <message>
        <source>two operators make &quot;{0}&quot;</source>
        <translation>有两个算子产生“{0}”</translation>
    </message>
    <message>
        <source>its constants take more than 1 GiB once computed</source>
        <translation>其常量计算后超过 1 GiB</translation>
    </message>
    <message>
        <source>it belongs to {0}, not to ONNX, and has no published meaning</source>
        <translation>它属于 {0} 而不属于 ONNX，没有公开的含义</translation>
    </message>
    <message>
        <source>no layer does that</source>
        <translation>没有层能完成该运算</translation>
    </message>
    <message>
        <source>its input is a constant</source>
        <translation>其输入是常量</translation>
    </message>
    <message>
        <source>it converts the network&apos;s values to {0}</source>
        <translation>它把网络的数值转换为 {0}</translation>
    </message>
    <message>
        <source>it is not at the network&apos;s end</source>
        <translation>它不在网络末端</translation>
    </message>
    <message>
        <source>version {0} of this operator is not read</source>
        <translation>不读取该算子的第 {0} 版</translation>
    </message>
    <message>
        <source>{0} holds {1} operators that no layer here is made of, of {2}: {3}</source>
        <translation>{0} 的 {2} 个算子中有 {1} 个没有对应的层：{3}</translation>
    </message>
    <message>
        <source>it has no output</source>
        <translation>它没有输出</translation>
    </message>
    <message>
        <source>its output &quot;{0}&quot; does not depend on its input</source>
        <translation>其输出“{0}”与输入无关</translation>
    </message>
    <message>
        <source>its output &quot;{0}&quot; is an image whose channels come last</source>
        <translation>其输出“{0}”是通道在最后的图像</translation>
    </message>
    <message>
        <source>Of its {0} outputs the first, &quot;{1}&quot;, is used.</source>
        <translation>它有 {0} 个输出，使用第一个“{1}”。</translation>
    </message>
    <message>
        <source>its {0} is missing</source>
        <translation>缺少 {0}</translation>
    </message>
    <message>
        <source>its {0} holds {1} numbers, {2} are needed</source>
        <translation>其 {0} 含有 {1} 个数值，需要 {2} 个</translation>
    </message>
    <message>
        <source>its {0} are no numbers</source>
        <translation>其 {0} 不是数值</translation>
    </message>
    <message>
        <source>there is no layer {0}</source>
        <translation>没有名为 {0} 的层</translation>
    </message>
    <message>
        <source>it has {0} inputs</source>
        <translation>它有 {0} 个输入</translation>
    </message>
    <message>
        <source>There are no values for {0}</source>
        <translation>没有 {0} 的数值</translation>
    </message>
    <message>
        <source>{0} batch norms were folded into the convolutions before them; for exact fine-tuning, take the safetensors file of the same network or export it with them</source>
        <translation>{0} 个批归一化已并入其前面的卷积；如需精确微调，请使用同一网络的 safetensors 文件，或在导出时保留批归一化</translation>
    </message>
    <message>
        <source>The {0} at its end is left out: the loss contains it</source>
        <translation>略去末端的 {0}：损失函数已包含它</translation>
    </message>
    <message>
        <source>The file changes its images by {0} operations before the network; in training the normalization of the data takes their place</source>
        <translation>该文件在网络之前用 {0} 个运算处理图像；训练时由数据的归一化代替</translation>
    </message>
    <message>
        <source>The project inside the file does not describe its graph; the network was rebuilt from the graph</source>
        <translation>文件内的项目与其计算图不一致；网络已根据计算图重建</translation>
    </message>
    <message>
        <source>{0} ends in an image of {1}; a network here ends in a vector</source>
        <translation>{0} 的输出是 {1} 的图像；这里的网络须以向量结束</translation>
    </message>
    <message>
        <source>{0} names &quot;{1}&quot; as the file of its weights, which is not a plain file below its own folder; nothing outside it is opened</source>
        <translation>{0} 把“{1}”指定为权重文件，但它不是其文件夹内的普通文件；文件夹以外的内容不会被打开</translation>
    </message>
    <message>
        <source>{0} keeps its weights in &quot;{1}&quot;, which cannot be opened ({2}); put that file beside it</source>
        <translation>{0} 的权重在“{1}”中，但无法打开（{2}）；请把该文件放在它旁边</translation>
    </message>
    <message>
        <source>{0} needs the bytes {1} to {2} of &quot;{3}&quot;, which holds only {4}</source>
        <translation>{0} 需要“{3}”的第 {1} 至 {2} 字节，但该文件只有 {4} 字节</translation>
    </message>
    <message>
        <source>it holds no graph</source>
        <translation>它不含计算图</translation>
    </message>
    <message>
        <source>it holds sparse weights, which are not read</source>
        <translation>它含有稀疏权重，不支持读取</translation>
    </message>
    <message>
        <source>{0} is not a usable ONNX file: {1}</source>
        <translation>{0} 不是可用的 ONNX 文件：{1}</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has {1} dimensions</source>
        <translation>张量“{0}”有 {1} 个维度</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has elements of {1}, which are not read</source>
        <translation>张量“{0}”的元素类型为 {1}，不支持读取</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has impossible sizes</source>
        <translation>张量“{0}”的尺寸不可能成立</translation>
    </message>
    <message>
        <source>its tensors would take more than {0} MiB of memory</source>
        <translation>其张量将占用超过 {0} MiB 的内存</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; holds {1} bytes, its shape needs {2}</source>
        <translation>张量“{0}”含有 {1} 字节，其形状需要 {2} 字节</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; lies in another file, and its place there has the unknown key &quot;{1}&quot;, which could change what its bytes mean</source>
        <translation>张量“{0}”位于另一个文件中，其位置信息含有未知的键“{1}”，这可能改变其字节的含义</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; lies in another file, and its place there has the key &quot;{1}&quot; twice</source>
        <translation>张量“{0}”位于另一个文件中，其位置信息中键“{1}”出现了两次</translation>
    </message>
    <message>
        <source>tensor &quot;{0}&quot; has no readable place in its file</source>
        <translation>张量“{0}”在文件中的位置无法读取</translation>
    </message>
    <message>
        <source>its weights lie in another file</source>
        <translation>其权重在另一个文件中</translation>
    </message>
    <message>
        <source>{0} is empty</source>
        <translation>{0} 是空的</translation>
    </message>
    <message>
        <source>{0} is no ONNX file, or it is damaged</source>
        <translation>{0} 不是 ONNX 文件，或已损坏</translation>
    </message>
    <message>
        <source>its parts are nested more than {0} levels deep</source>
        <translation>其嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>it is damaged or cut short</source>
        <translation>它已损坏或被截断</translation>
    </message>
    <message>
        <source>it holds a training graph, which is not read; export the network for inference</source>
        <translation>它含有训练图，不支持读取；请导出用于推理的网络</translation>
    </message>
    <message>
        <source>it holds more than {0} operators</source>
        <translation>它含有超过 {0} 个算子</translation>
    </message>
    <message>
        <source>it holds more than {0} tensors</source>
        <translation>它含有超过 {0} 个张量</translation>
    </message>
    <message>
        <source>its description alone would take more than {0} MiB of memory</source>
        <translation>仅其描述就将占用超过 {0} MiB 的内存</translation>
    </message>
    <message>
        <source>The weights take {0} MiB; one ONNX file holds at most 2 GiB. Export safetensors instead</source>
        <translation>权重占用 {0} MiB；一个 ONNX 文件最多 2 GiB。请改为导出 safetensors</translation>
    </message>
    <message>
        <source>it computes with two values of the network</source>
        <translation>它用网络的两个值进行计算</translation>
    </message>
    <message>
        <source>it divides a constant by a value</source>
        <translation>它用常量除以一个值</translation>
    </message>
    <message>
        <source>its constant is not one number for each channel</source>
        <translation>其常量不是每个通道一个数值</translation>
    </message>
    <message>
        <source>a vector times constants is no layer here</source>
        <translation>向量乘以常量没有对应的层</translation>
    </message>
    <message>
        <source>its weights are computed</source>
        <translation>其权重由计算得出</translation>
    </message>
    <message>
        <source>it works on {0} dimensions, not on images</source>
        <translation>它处理 {0} 维数据，而不是图像</translation>
    </message>
    <message>
        <source>its input is not an image whose channels come first</source>
        <translation>其输入不是通道在前的图像</translation>
    </message>
    <message>
        <source>its bias is computed</source>
        <translation>其偏置由计算得出</translation>
    </message>
    <message>
        <source>its padding follows from a wanted output size</source>
        <translation>其填充由所需的输出尺寸决定</translation>
    </message>
    <message>
        <source>its padding differs between the sides</source>
        <translation>其各边的填充不同</translation>
    </message>
    <message>
        <source>SELU has fixed constants, here are {0} and {1}</source>
        <translation>SELU 的常数是固定的，这里却是 {0} 和 {1}</translation>
    </message>
    <message>
        <source>it is not the end of a Softplus</source>
        <translation>它不是 Softplus 的末尾</translation>
    </message>
    <message>
        <source>its limits are computed</source>
        <translation>其界限由计算得出</translation>
    </message>
    <message>
        <source>a HardSigmoid of slope {0} is no layer here; 1/6 is (Hardsigmoid)</source>
        <translation>斜率为 {0} 的 HardSigmoid 没有对应的层；1/6 有（Hardsigmoid）</translation>
    </message>
    <message>
        <source>it is no product of a value and its {0}</source>
        <translation>它不是一个值与其 {0} 的乘积</translation>
    </message>
    <message>
        <source>it is no Mish</source>
        <translation>它不是 Mish</translation>
    </message>
    <message>
        <source>its input is not an image or a vector</source>
        <translation>其输入不是图像或向量</translation>
    </message>
    <message>
        <source>it is not over the channels</source>
        <translation>它不是在通道上进行的</translation>
    </message>
    <message>
        <source>its slopes are computed</source>
        <translation>其斜率由计算得出</translation>
    </message>
    <message>
        <source>its slopes are neither one nor one for each channel</source>
        <translation>其斜率既不是一个，也不是每个通道一个</translation>
    </message>
    <message>
        <source>its share is computed</source>
        <translation>其比例由计算得出</translation>
    </message>
    <message>
        <source>its input is not a vector</source>
        <translation>其输入不是向量</translation>
    </message>
    <message>
        <source>its weights take {0} numbers, it gets {1}</source>
        <translation>其权重接受 {0} 个数值，实际得到 {1} 个</translation>
    </message>
    <message>
        <source>it transposes its input</source>
        <translation>它转置其输入</translation>
    </message>
    <message>
        <source>its weights are no matrix</source>
        <translation>其权重不是矩阵</translation>
    </message>
    <message>
        <source>its bias differs between images</source>
        <translation>其偏置因图像而异</translation>
    </message>
    <message>
        <source>it multiplies two computed values</source>
        <translation>它把两个计算值相乘</translation>
    </message>
    <message>
        <source>it adds two computed values</source>
        <translation>它把两个计算值相加</translation>
    </message>
    <message>
        <source>it is no bias of a linear layer</source>
        <translation>它不是线性层的偏置</translation>
    </message>
    <message>
        <source>it normalizes otherwise than in inference over the channels</source>
        <translation>它的归一化方式不是推理时按通道进行的方式</translation>
    </message>
    <message>
        <source>its input is not an image</source>
        <translation>其输入不是图像</translation>
    </message>
    <message>
        <source>its statistics are computed</source>
        <translation>其统计量由计算得出</translation>
    </message>
    <message>
        <source>its input is not an image or a vector whose channels come first</source>
        <translation>其输入不是通道在前的图像或向量</translation>
    </message>
    <message>
        <source>it normalizes over a part of the values; LayerNorm is over all of an image</source>
        <translation>它只对一部分数值归一化；LayerNorm 对整幅图像归一化</translation>
    </message>
    <message>
        <source>its weights are computed, or not one for each value</source>
        <translation>其权重由计算得出，或不是每个值一个</translation>
    </message>
    <message>
        <source>it normalizes over other values than groups of channels</source>
        <translation>它归一化的不是通道组</translation>
    </message>
    <message>
        <source>it scales whole groups</source>
        <translation>它缩放整个组</translation>
    </message>
    <message>
        <source>it leaves out pixels (dilations)</source>
        <translation>它跳过像素（dilations）</translation>
    </message>
    <message>
        <source>it also returns where the largest values are</source>
        <translation>它还返回最大值的位置</translation>
    </message>
    <message>
        <source>it is not over height and width</source>
        <translation>它不是在高度和宽度上进行的</translation>
    </message>
    <message>
        <source>it is no product with constant weights</source>
        <translation>它不是与常量权重的乘积</translation>
    </message>
    <message>
        <source>a product of images with a matrix is no layer here</source>
        <translation>图像与矩阵的乘积没有对应的层</translation>
    </message>
    <message>
        <source>it mixes the images of a batch</source>
        <translation>它混合了一个批次中的图像</translation>
    </message>
    <message>
        <source>it rearranges an image whose channels come last</source>
        <translation>它重排通道在最后的图像</translation>
    </message>
    <message>
        <source>it rearranges a flattened image</source>
        <translation>它重排已展平的图像</translation>
    </message>
    <message>
        <source>its sizes are computed from values</source>
        <translation>其尺寸由数值计算得出</translation>
    </message>
    <message>
        <source>it changes the batch size</source>
        <translation>它改变批次大小</translation>
    </message>
    <message>
        <source>it removes a size that is not 1</source>
        <translation>它去掉的尺寸不是 1</translation>
    </message>
    <message>
        <source>it exchanges other axes than those of channels and pixels</source>
        <translation>它交换的不是通道与像素的轴</translation>
    </message>
    <message>
        <source>it joins values of different order, or constants</source>
        <translation>它连接次序不同的值或常量</translation>
    </message>
    <message>
        <source>it joins something else than channels</source>
        <translation>它连接的不是通道</translation>
    </message>
    <message>
        <source>it adds values of different order, or constants</source>
        <translation>它相加的是次序不同的值或常量</translation>
    </message>
    <message>
        <source>it multiplies values of different order, or constants</source>
        <translation>它相乘的是次序不同的值或常量</translation>
    </message>
    <message>
        <source>its scale is computed</source>
        <translation>其缩放比例由计算得出</translation>
    </message>
    <message>
        <source>it resizes by {0}; Upsample has whole factors</source>
        <translation>它按 {0} 缩放；Upsample 只有整数倍</translation>
    </message>
    <message>
        <source>it interpolates by &quot;{0}&quot; with &quot;{1}&quot;</source>
        <translation>它以“{1}”方式按“{0}”插值</translation>
    </message>
    <message>
        <source>it pads with something else than zeros</source>
        <translation>它填充的不是零</translation>
    </message>
    <message>
        <source>it pads something else than height and width</source>
        <translation>它填充的不是高度和宽度</translation>
    </message>
    <message>
        <source>it does not work on images of two dimensions</source>
        <translation>它处理的不是二维图像</translation>
    </message>
    <message>
        <source>it has an impossible window</source>
        <translation>其窗口不可能成立</translation>
    </message>
    <message>
        <source>it has an impossible padding</source>
        <translation>其填充不可能成立</translation>
    </message>
    <message>
        <source>its window is larger than the image</source>
        <translation>其窗口大于图像</translation>
    </message>
    <message>
        <source>{0} holds no samples: it needs &quot;inputs&quot; (N,C,H,W) and &quot;scores&quot; (N,outputs)</source>
        <translation>{0} 不含样本：需要“inputs”（N,C,H,W）和“scores”（N,outputs）</translation>
    </message>
    <message>
        <source>{0}: the samples are not the images of this network</source>
        <translation>{0}：样本不是该网络的图像</translation>
    </message>
    <message>
        <source>{0}: it has {1} outputs, {2} are expected</source>
        <translation>{0}：它有 {1} 个输出，应为 {2} 个</translation>
    </message>
    <message>
        <source>it cannot be read again: {0}</source>
        <translation>无法重新读取：{0}</translation>
    </message>
    <message>
        <source>{0} does not run it: {1}</source>
        <translation>{0} 无法运行它：{1}</translation>
    </message>
    <message>
        <source>{0} computes other numbers from it: they differ by up to {1}</source>
        <translation>{0} 由它算出的数值不同：最多相差 {1}</translation>
    </message>
    <message>
        <source>There is no folder for temporary files</source>
        <translation>没有用于临时文件的文件夹</translation>
    </message>
    <message>
        <source>The network has no output</source>
        <translation>网络没有输出</translation>
    </message>
    <message>
        <source>Needs an image, gets {0}; a Linear layer takes vectors</source>
        <translation>需要图像，得到 {0}；向量请用 Linear 层</translation>
    </message>
    <message>
        <source>Connects the channels of each pixel or token with every output.</source>
        <translation>将每个像素或标记的各通道与每个输出相连。</translation>
    </message>
    <message>
        <source>How many channels come out.</source>
        <translation>输出的通道数。</translation>
    </message>
    <message>
        <source>Mixes the channels of groups, so that grouped convolutions exchange information.</source>
        <translation>打乱各组的通道，使分组卷积之间交换信息。</translation>
    </message>
    <message>
        <source>Needs tokens, gets {0}</source>
        <translation>需要标记序列，得到 {0}</translation>
    </message>
    <message>
        <source>Puts one learned token before the others, from which the class is read at the end.</source>
        <translation>在其他标记之前放置一个学习得到的标记，最后由它读出类别。</translation>
    </message>
    <message>
        <source>Leaves out random channels while training.</source>
        <translation>训练时随机舍去一些通道。</translation>
    </message>
    <message>
        <source>Probability that a channel is set to zero.</source>
        <translation>一个通道被置零的概率。</translation>
    </message>
    <message>
        <source>Needs an image, gets {0}</source>
        <translation>需要图像，得到 {0}</translation>
    </message>
    <message>
        <source>Takes the largest value of each channel; any image size fits.</source>
        <translation>取每个通道的最大值；适用于任意图像尺寸。</translation>
    </message>
    <message>
        <source>Limits every value to a range; also known as Clip.</source>
        <translation>将每个数值限制在一个范围内；也称为 Clip。</translation>
    </message>
    <message>
        <source>Lowest value</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Smaller values become this one.</source>
        <translation>更小的数值取此值。</translation>
    </message>
    <message>
        <source>Highest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Larger values become this one.</source>
        <translation>更大的数值取此值。</translation>
    </message>
    <message>
        <source>Needs more than one pixel for each channel, gets {0}</source>
        <translation>每个通道需要多于一个像素，得到 {0}</translation>
    </message>
    <message>
        <source>Brings each channel of each image to mean 0 and variance 1.</source>
        <translation>将每幅图像的每个通道调整为均值 0、方差 1。</translation>
    </message>
    <message>
        <source>Normalizes the channels of each pixel or token, as in ConvNeXt and transformers.</source>
        <translation>对每个像素或标记的通道做归一化，如 ConvNeXt 和 Transformer 所用。</translation>
    </message>
    <message>
        <source>Multiplies each channel by a learned number that begins small.</source>
        <translation>将每个通道乘以一个从小值开始学习的数。</translation>
    </message>
    <message>
        <source>Initial value</source>
        <translation>初始值</translation>
    </message>
    <message>
        <source>The number that every channel begins with.</source>
        <translation>每个通道的初始数值。</translation>
    </message>
    <message>
        <source>Divides each value by the strength of neighbouring channels, as in AlexNet.</source>
        <translation>将每个数值除以相邻通道的强度，如 AlexNet 所用。</translation>
    </message>
    <message>
        <source>Number of neighbouring channels that count.</source>
        <translation>参与计算的相邻通道数。</translation>
    </message>
    <message>
        <source>Factor of the mean square of the channels.</source>
        <translation>各通道均方值的系数。</translation>
    </message>
    <message>
        <source>Exponent of the divisor.</source>
        <translation>除数的指数。</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Added to the mean square, so that nothing is divided by zero.</source>
        <translation>加到均方值上，以免除以零。</translation>
    </message>
    <message>
        <source>Needs tokens with features that {0} heads divide, gets {1}</source>
        <translation>标记的特征数须能被 {0} 个头整除，得到 {1}</translation>
    </message>
    <message>
        <source>Lets each token take in what it needs of all the others.</source>
        <translation>让每个标记从其他所有标记中获取所需的信息。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Into how many parts the features are split, each with weights of its own.</source>
        <translation>将特征分成多少份，每份有各自的权重。</translation>
    </message>
    <message>
        <source>Needs an image whose height and width {0} divides, gets {1}</source>
        <translation>图像的高和宽须能被 {0} 整除，得到 {1}</translation>
    </message>
    <message>
        <source>Cuts an image into patches, each of which becomes a token of a sequence.</source>
        <translation>将图像切成图块，每个图块成为序列中的一个标记。</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特征数</translation>
    </message>
    <message>
        <source>How many features each token has.</source>
        <translation>每个标记的特征数。</translation>
    </message>
    <message>
        <source>Patch size</source>
        <translation>图块尺寸</translation>
    </message>
    <message>
        <source>Height and width of a patch.</source>
        <translation>图块的高和宽。</translation>
    </message>
    <message>
        <source>Adds one learned number to each feature.</source>
        <translation>为每个特征加上一个学习得到的数。</translation>
    </message>
    <message>
        <source>Adds learned numbers to each token, so that places can be told apart.</source>
        <translation>为每个标记加上学习得到的数，以便区分位置。</translation>
    </message>
    <message>
        <source>Needs sizes for {0} elements, of which one may be -1; gets {1}</source>
        <translation>需要能容纳 {0} 个元素的尺寸，其中一个可为 -1；得到 {1}</translation>
    </message>
    <message>
        <source>Its size in the result; -1: what the others leave.</source>
        <translation>结果中的该尺寸；-1 表示由其余尺寸决定。</translation>
    </message>
    <message>
        <source>Gives the same elements other sizes, for example a vector those of an image.</source>
        <translation>以其他尺寸排列相同的元素，例如把向量变成图像。</translation>
    </message>
    <message>
        <source>Needs a range within 0 to {0}, not {1} to {2}; gets {3}</source>
        <translation>范围须在 0 到 {0} 之内，而不是 {1} 到 {2}；得到 {3}</translation>
    </message>
    <message>
        <source>Takes a range of channels, rows or columns; several of them split an image.</source>
        <translation>取出一段通道、行或列；用几个即可拆分图像。</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>What the range counts.</source>
        <translation>范围所指的对象。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>The first one that is taken; counted from 0.</source>
        <translation>取出的第一个；从 0 开始计数。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>The first one that is not taken any more; -1: all up to the last.</source>
        <translation>不再取出的第一个；-1 表示一直取到最后。</translation>
    </message>
    <message>
        <source>Needs a layer up to {0}, is layer {1}; gets {2}</source>
        <translation>层序号最大为 {0}，当前为 {1}；得到 {2}</translation>
    </message>
    <message>
        <source>Leaves a residual branch out for random images while training.</source>
        <translation>训练时对随机的图像跳过残差分支。</translation>
    </message>
    <message>
        <source>Probability that an image skips the branch, in the last layer.</source>
        <translation>在最后一层中，一幅图像跳过该分支的概率。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Place of this layer: the share left out rises from layer to layer.</source>
        <translation>此层的序号：舍去的比例逐层升高。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Place of the last layer, which leaves out the whole share.</source>
        <translation>最后一层的序号，该层舍去全部比例。</translation>
    </message>
    <message>
        <source>Exchanges two dimensions of an image, for example rows and columns.</source>
        <translation>交换图像的两个维度，例如行和列。</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>1: channels, 2: rows, 3: columns.</source>
        <translation>1：通道，2：行，3：列。</translation>
    </message>
    <message>
        <source>With dimension</source>
        <translation>与之交换的维度</translation>
    </message>
    <message>
        <source>The dimension that changes places with it.</source>
        <translation>与其交换位置的维度。</translation>
    </message>
    <message>
        <source>{0} is not the file of weights that the project was made with; --weights {0} uses it all the same</source>
        <translation>{0} 不是制作该项目时的权重文件；--weights {0} 仍可使用它</translation>
    </message>
    <message>
        <source>{0} holds no weights of this network: no name and shape agree</source>
        <translation>{0} 不含该网络的权重：没有名称和形状相符的张量</translation>
    </message>
    <message>
        <source>{0} weights were taken from {1}; {2} begin anew, the first of them {3}</source>
        <translation>已从 {1} 取用 {0} 个权重；{2} 个重新初始化，其中第一个是 {3}</translation>
    </message>
    <message>
        <source>Noise of {0}×{1}×{2} cannot be made</source>
        <translation>无法生成 {0}×{1}×{2} 的噪声</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>it is in training mode</source>
        <translation>它处于训练模式</translation>
    </message>
    <message>
        <source>it is no adaptive pooling</source>
        <translation>它不是自适应池化</translation>
    </message>
    <message>
        <source>its limits are not 0 and 6</source>
        <translation>其上下限不是 0 和 6</translation>
    </message>
    <message>
        <source>a Clip to {0} … {1} is no layer here: the range must hold 0</source>
        <translation>限制到 {0} … {1} 的 Clip 在此没有对应的网络层：范围必须包含 0</translation>
    </message>
    <message>
        <source>its input is not an image of several pixels</source>
        <translation>其输入不是含多个像素的图像</translation>
    </message>
    <message>
        <source>its window has an even number of channels</source>
        <translation>其窗口的通道数为偶数</translation>
    </message>
    <message>
        <source>{0} was not found; put its files into {1}, or choose the folder that holds them (--data)</source>
        <translation>找不到 {0}；请把它的文件放进 {1}，或选择存放它们的文件夹（命令行用 --data）</translation>
    </message>
    <message>
        <source>The data holds {0} images; a batch of {1} cannot be proved</source>
        <translation>数据只有 {0} 幅图像，无法验证大小为 {1} 的批次</translation>
    </message>
    <message>
        <source>{0} was not written, because the proof failed: {1}</source>
        <translation>未写入 {0}，因为验证失败：{1}</translation>
    </message>
    <message>
        <source>{0}: {1} was not written as it is</source>
        <translation>{0}：{1} 写入后与原值不同</translation>
    </message>
    <message>
        <source>it supports {0}, and {1} is needed</source>
        <translation>它支持 {0}，而需要 {1}</translation>
    </message>
    <message>
        <source>it has no {0}: it is too old, or another library</source>
        <translation>其中没有 {0}：版本太旧，或是别的库</translation>
    </message>
    <message>
        <source>{0}: this user may not open it</source>
        <translation>{0}：当前用户无权打开</translation>
    </message>
    <message>
        <source>netwright-cli gives no reason</source>
        <translation>netwright-cli 没有给出原因</translation>
    </message>
    <message>
        <source>it is not a regular file of this user or of root, or others may write it</source>
        <translation>它不是当前用户或 root 的普通文件，或者其他用户可以写入它</translation>
    </message>
    <message>
        <source>The network ends in no Linear or Conv2d layer that new classes could replace</source>
        <translation>网络末尾没有可以换成新类别的 Linear 或 Conv2d 层</translation>
    </message>
    <message>
        <source>The last layer, {0}, lies in a block that is used several times; ungroup the block first</source>
        <translation>最后一层 {0} 位于被多次使用的模块中；请先解组该模块</translation>
    </message>
    <message>
        <source>Before the last layer the network has no layer or block &quot;{0}&quot;</source>
        <translation>最后一层之前没有名为“{0}”的层或模块</translation>
    </message>
    <message>
        <source>Every layer with weights is frozen in the first epoch: there is nothing to train. Unfreeze at least this one</source>
        <translation>所有带权重的层在第一轮都被冻结：没有可训练的内容。请至少解冻这一层</translation>
    </message>
    <message>
        <source>Unfreeze it</source>
        <translation>解冻它</translation>
    </message>
    <message>
        <source>{0}: the factor of the learning rate must be above 0 and at most {1}</source>
        <translation>{0}：学习率系数必须大于 0 且不超过 {1}</translation>
    </message>
    <message>
        <source>{0}: a layer may be frozen for 0 to {1} epochs</source>
        <translation>{0}：一层可以冻结 0 到 {1} 轮</translation>
    </message>
    <message>
        <source>{0}.{1} must be a list of at most {2} numbers above {3}</source>
        <translation>{0}.{1} 必须是最多 {2} 个大于 {3} 的数的列表</translation>
    </message>
    <message>
        <source>{0}.mean and deviation must list the same channels</source>
        <translation>{0}.mean 和 deviation 必须列出相同的通道</translation>
    </message>
    <message>
        <source>{0}.fresh must be a list of names of layers</source>
        <translation>{0}.fresh 必须是层名称的列表</translation>
    </message>
    <message>
        <source>{0}: {1} needs a number</source>
        <translation>{0}：{1} 需要一个数</translation>
    </message>
    <message>
        <source>Frozen epochs</source>
        <translation>冻结轮数</translation>
    </message>
    <message>
        <source>The weights are not updated in so many epochs at the start of a run.</source>
        <translation>在运行开始的这么多轮内不更新权重。</translation>
    </message>
    <message>
        <source>Rate factor</source>
        <translation>学习率系数</translation>
    </message>
    <message>
        <source>Multiplies the learning rate of the run for this layer.</source>
        <translation>对这一层，运行的学习率乘以该系数。</translation>
    </message>
    <message>
        <source>Layers inside blocks are trained from now on.</source>
        <translation>从现在起也训练模块中的层。</translation>
    </message>
    <message>
        <source>{0} of the network and {1} more are trained from now on.</source>
        <translation>从现在起也训练网络中的 {0} 以及另外 {1} 个层。</translation>
    </message>
    <message>
        <source>{0} is a file of Keras, which may run code when it is opened; convert it to ONNX with Keras (the command line prints the script)</source>
        <translation>{0} 是 Keras 的文件，打开它时可能会运行代码；请用 Keras 将其转换为 ONNX（命令行会打印脚本）</translation>
    </message>
    <message>
        <source>{0} is a file of PyTorch, which may run code when it is opened; convert it to safetensors with PyTorch (the command line prints the script)</source>
        <translation>{0} 是 PyTorch 的文件，打开它时可能会运行代码；请用 PyTorch 将其转换为 safetensors（命令行会打印脚本）</translation>
    </message>
    <message>
        <source>A binary target is one of two classes; the data have {0}</source>
        <translation>二分类目标值是两个类别之一；数据有 {0} 个</translation>
    </message>
    <message>
        <source>{0} must be a text of at most {1} bytes</source>
        <translation>{0} 必须是不超过 {1} 字节的文本</translation>
    </message>
    <message>
        <source>{0} must be at most 3 whole numbers between {1} and {2}</source>
        <translation>{0} 必须是最多 3 个 {1} 到 {2} 之间的整数</translation>
    </message>
    <message>
        <source>Replace with Identity</source>
        <translation>替换为 Identity</translation>
    </message>
    <message>
        <source>{0} is no table with a line of column names and a line for each image</source>
        <translation>{0} 不是表格：需要一行列名，且每个图像一行</translation>
    </message>
    <message>
        <source>The operator {0} is not computed here</source>
        <translation>算子 {0} 在此不参与计算</translation>
    </message>
    <message>
        <source>The operator {0} is not computed here: {1}</source>
        <translation>算子 {0} 在此不参与计算：{1}</translation>
    </message>
    <message>
        <source>the operator {0}: {1}</source>
        <translation>算子 {0}：{1}</translation>
    </message>
    <message>
        <source>it reads an output of another operator that is not computed here</source>
        <translation>它读取另一个算子的输出，该输出在此不参与计算</translation>
    </message>
    <message>
        <source>{0} operators stand on the canvas as opaque nodes, because no layer is made of them: {1}. Remove or replace them before training</source>
        <translation>{0} 个算子没有对应的网络层，以不透明节点显示在画布上：{1}。训练前请移除或替换它们</translation>
    </message>
    <message>
        <source>its bias holds {0} numbers, {1} are needed</source>
        <translation>其偏置有 {0} 个数，需要 {1} 个</translation>
    </message>
    <message>
        <source>{0} of {1} weights of the network are taken from {2}; the others begin anew</source>
        <translation>网络的 {1} 个权重中有 {0} 个取自 {2}；其余重新初始化</translation>
    </message>
    <message>
        <source>{0} begins with no trained weights; name them with --weights</source>
        <translation>{0} 不从训练好的权重开始；请用 --weights 指定</translation>
    </message>
    <message>
        <source>An operator of an ONNX file that no layer is made of. The network can be edited, but not be trained or exported, until it is removed or replaced.</source>
        <translation>ONNX 文件中没有对应网络层的算子。在移除或替换它之前，网络可以编辑，但不能训练或导出。</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name of the operator in the file.</source>
        <translation>文件中算子的名称。</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Whose operator it is; empty: ONNX&apos;s own.</source>
        <translation>算子所属的域；为空：ONNX 自带的算子。</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Version of the domain&apos;s operators that the file uses.</source>
        <translation>文件所用的该域算子的版本。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why no layer is made of it.</source>
        <translation>为何没有对应的网络层。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入数</translation>
    </message>
    <message>
        <source>Inputs that the operator has in the file, its weights included.</source>
        <translation>算子在文件中的输入数，包括其权重。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Which of the operator&apos;s outputs it is, counted from 0.</source>
        <translation>它是算子的第几个输出，从 0 开始计数。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Sizes of the output in the file; empty: the file does not give them.</source>
        <translation>文件中输出的大小；为空：文件未给出。</translation>
    </message>
    <message>
        <source>it normalizes over other values than the channels</source>
        <translation>它归一化的不是通道上的值</translation>
    </message>
    <message>
        <source>it takes other values than a range of channels, rows or columns</source>
        <translation>它取的不是一段连续的通道、行或列</translation>
    </message>
    <message>
        <source>its input is not a view of an image</source>
        <translation>它的输入不是图像的视图</translation>
    </message>
    <message>
        <source>it exchanges other axes than groups of channels</source>
        <translation>它交换的不是通道分组的轴</translation>
    </message>
    <message>
        <source>only onnxruntime and onnx.reference check files in {0}; NETWRIGHT_PYTHON names a Python that has one</source>
        <translation>只有 onnxruntime 和 onnx.reference 能检验 {0} 文件；NETWRIGHT_PYTHON 指定装有其一的 Python</translation>
    </message>
    <message>
        <source>{0}: PyTorch&apos;s modules keep their mode under the name training; rename it</source>
        <translation>{0}：PyTorch 的模块用名称 training 保存其模式；请重命名</translation>
    </message>
    <message>
        <source>{0} is the name of a part of {1}; rename one of the two</source>
        <translation>{0} 是 {1} 的一部分的名称；请重命名其中之一</translation>
    </message>
    <message>
        <source>The network has {0} layers; at most {1} are written as source code</source>
        <translation>网络有 {0} 层；最多可将 {1} 层写成源代码</translation>
    </message>
    <message>
        <source>{0}: {1} cannot be written as {2}</source>
        <translation>{0}：{1} 无法写成 {2}</translation>
    </message>
    <message>
        <source>{0} holds {1}; fp16 ends at {2}</source>
        <translation>{0} 含有 {1}；fp16 的上限为 {2}</translation>
    </message>
    <message>
        <source>TensorRT reads versions {0} to {1} of ONNX&apos;s operators, not {2}</source>
        <translation>TensorRT 读取 ONNX 算子的版本 {0} 至 {1}，不读取 {2}</translation>
    </message>
    <message>
        <source>TensorRT&apos;s list of operators has no {0} ({1})</source>
        <translation>TensorRT 的算子列表中没有 {0}（{1}）</translation>
    </message>
    <message>
        <source>the condition has a quotation mark at character {0} that is not closed</source>
        <translation>条件中第 {0} 个字符处的引号没有闭合</translation>
    </message>
    <message>
        <source>the condition has an unknown sign at character {0}</source>
        <translation>条件中第 {0} 个字符是未知的符号</translation>
    </message>
    <message>
        <source>the condition ends where a field, a word or a value should follow</source>
        <translation>条件在应有字段、词或值的地方结束了</translation>
    </message>
    <message>
        <source>the condition has &quot;{0}&quot; at character {1}, where it has no meaning</source>
        <translation>条件中第 {1} 个字符处的“{0}”在此没有意义</translation>
    </message>
    <message>
        <source>the condition is nested more than {0} deep</source>
        <translation>条件的嵌套超过 {0} 层</translation>
    </message>
    <message>
        <source>the condition has {0} bytes; at most {1} are read</source>
        <translation>条件有 {0} 字节；最多读取 {1} 字节</translation>
    </message>
    <message>
        <source>no run has a field or a setting &quot;{0}&quot;; the fields are {1}</source>
        <translation>没有任何运行有字段或设置“{0}”；字段有：{1}</translation>
    </message>
    <message>
        <source>{0} could not be removed: {1}</source>
        <translation>无法删除 {0}：{1}</translation>
    </message>
    <message>
        <source>fp16 trains one batch for each update. Choose bf16 or fp32, or accumulate 1 batch</source>
        <translation>fp16 每次更新只训练一个批次。请选择 bf16 或 fp32，或将累积批次数设为 1</translation>
    </message>
    <message>
        <source>Train in bf16</source>
        <translation>用 bf16 训练</translation>
    </message>
    <message>
        <source>its input is neither an image nor a vector</source>
        <translation>其输入既不是图像也不是向量</translation>
    </message>
    <message>
        <source>the sizes of its parts are computed, or do not add up to {0}</source>
        <translation>其各部分的大小由计算得出，或相加不等于 {0}</translation>
    </message>
    <message>
        <source>the expression or its derivative takes {0} operations; at most {1} are possible</source>
        <translation>表达式或其导数需要 {0} 次运算；最多允许 {1} 次</translation>
    </message>
    <message>
        <source>the expression or its derivative has too many intermediate results</source>
        <translation>表达式或其导数的中间结果太多</translation>
    </message>
    <message>
        <source>column {0}: a number, a name or &quot;(&quot; is expected here</source>
        <translation>第 {0} 列：此处应为数字、名称或“(”</translation>
    </message>
    <message>
        <source>column {0}: &quot;{1}&quot; is not expected here</source>
        <translation>第 {0} 列：此处不应出现“{1}”</translation>
    </message>
    <message>
        <source>the expression has more than {0} operations</source>
        <translation>表达式超过 {0} 次运算</translation>
    </message>
    <message>
        <source>column {0}: &quot;)&quot; is missing</source>
        <translation>第 {0} 列：缺少“)”</translation>
    </message>
    <message>
        <source>column {0}: it is nested more than {1} levels deep</source>
        <translation>第 {0} 列：嵌套超过 {1} 层</translation>
    </message>
    <message>
        <source>column {0}: this is not a number up to 1e30</source>
        <translation>第 {0} 列：不是不超过 1e30 的数字</translation>
    </message>
    <message>
        <source>column {0}: &quot;(&quot; is missing after {1}</source>
        <translation>第 {0} 列：{1} 后缺少“(”</translation>
    </message>
    <message>
        <source>column {0}: &quot;{1}&quot; is no name here: x, y and z are inputs, a, b and c the layer&apos;s numbers, pi is a constant</source>
        <translation>第 {0} 列：此处没有名称“{1}”：x、y、z 是输入，a、b、c 是该层的数值，pi 是常数</translation>
    </message>
    <message>
        <source>column {0}: there is no function &quot;{1}&quot;; there are {2}</source>
        <translation>第 {0} 列：没有函数“{1}”；可用的有 {2}</translation>
    </message>
    <message>
        <source>column {0}: {1} takes {2} values, here are {3}</source>
        <translation>第 {0} 列：{1} 需要 {2} 个值，此处有 {3} 个</translation>
    </message>
    <message>
        <source>the expression has more than {0} bytes</source>
        <translation>表达式超过 {0} 字节</translation>
    </message>
    <message>
        <source>the expression is empty; for example x * sigmoid(a * x)</source>
        <translation>表达式为空；例如 x * sigmoid(a * x)</translation>
    </message>
    <message>
        <source>the expression does not read its input x</source>
        <translation>表达式没有读取输入 x</translation>
    </message>
    <message>
        <source>The expression cannot be read: {0}</source>
        <translation>无法读取表达式：{0}</translation>
    </message>
    <message>
        <source>Takes at most {0} inputs, x, y and z, has {1}</source>
        <translation>最多接受 {0} 个输入（x、y、z），现有 {1} 个</translation>
    </message>
    <message>
        <source>The expression reads {0} inputs, {1} are connected</source>
        <translation>表达式读取 {0} 个输入，已连接 {1} 个</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Of x, and of y and z if more inputs are connected, and of the numbers a, b and c. There are + - * / ^, comparisons such as x &gt; 0 (1 or 0), pi, and the functions {0}.</source>
        <translation>由 x（连接了更多输入时还有 y 和 z）与数值 a、b、c 组成。可用 + - * / ^、比较（如 x &gt; 0，结果为 1 或 0）、pi，以及函数 {0}。</translation>
    </message>
    <message>
        <source>Number {0}</source>
        <translation>数值 {0}</translation>
    </message>
    <message>
        <source>The value of {0} in the expression.</source>
        <translation>表达式中 {0} 的值。</translation>
    </message>
    <message>
        <source>An element-wise function that you write; its derivative is found by itself.</source>
        <translation>由您书写的逐元素函数；其导数自动求得。</translation>
    </message>
    <message>
        <source>the project has no field &quot;{0}&quot; to search</source>
        <translation>项目没有可搜索的字段“{0}”</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; cannot be {1}</source>
        <translation>“{0}”不能是 {1}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no field that a search can change</source>
        <translation>“{0}”不是搜索可以更改的字段</translation>
    </message>
    <message>
        <source>{0}, line {1}: {2}</source>
        <translation>{0} 第 {1} 行：{2}</translation>
    </message>
    <message>
        <source>{0} holds no study</source>
        <translation>{0} 中没有研究</translation>
    </message>
    <message>
        <source>the study in {0} is being run by another process</source>
        <translation>{0} 中的研究正由另一个进程运行</translation>
    </message>
    <message>
        <source>fraction of correct validation samples, or R² of numeric targets: the best epoch&apos;s</source>
        <translation>验证样本的正确比例，数值目标则为 R²：取最佳轮次</translation>
    </message>
    <message>
        <source>validation loss: the best epoch&apos;s</source>
        <translation>验证损失：取最佳轮次</translation>
    </message>
    <message>
        <source>number of weights that are learned</source>
        <translation>可学习权重的数量</translation>
    </message>
    <message>
        <source>multiply-adds of one sample&apos;s prediction</source>
        <translation>预测一个样本的乘加次数</translation>
    </message>
    <message>
        <source>time of the training</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>energy of the training in joules, where it can be measured</source>
        <translation>训练能耗（焦耳），仅在可测量时</translation>
    </message>
    <message>
        <source>Successive halving: trials pause at rungs, and the best ones are trained further</source>
        <translation>连续减半：试验在各阶段暂停，最好的试验继续训练</translation>
    </message>
    <message>
        <source>Gives up trials that are worse than the median of the complete ones</source>
        <translation>放弃比已完成试验的中位数更差的试验</translation>
    </message>
    <message>
        <source>Every trial trains all its epochs</source>
        <translation>每个试验都训练全部轮次</translation>
    </message>
    <message>
        <source>{0} has no objectives, no space or no seed</source>
        <translation>{0} 缺少目标、搜索空间或种子</translation>
    </message>
    <message>
        <source>{0} has an objective that is no word</source>
        <translation>{0} 中有一个目标不是文字</translation>
    </message>
    <message>
        <source>has no parameters</source>
        <translation>没有参数</translation>
    </message>
    <message>
        <source>has values that are no numbers</source>
        <translation>含有不是数字的值</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no objective; there are {1}</source>
        <translation>“{0}”不是目标；可用的有 {1}</translation>
    </message>
    <message>
        <source>an objective is maximized or minimized: &quot;{0}:max&quot; or &quot;{0}:min&quot;</source>
        <translation>目标要么最大化要么最小化：“{0}:max”或“{0}:min”</translation>
    </message>
    <message>
        <source>the line is no object</source>
        <translation>该行不是对象</translation>
    </message>
    <message>
        <source>a record of a newer version</source>
        <translation>较新版本的记录</translation>
    </message>
    <message>
        <source>a grid needs steps: {0} has none, so it has infinitely many values</source>
        <translation>网格需要步长：{0} 没有步长，因此有无穷多个值</translation>
    </message>
    <message>
        <source>the grid of this space has more than 10^9 points</source>
        <translation>该搜索空间的网格超过 10^9 个点</translation>
    </message>
    <message>
        <source>Every point of a grid once</source>
        <translation>网格的每个点各一次</translation>
    </message>
    <message>
        <source>NSGA-II: recombines the best trials</source>
        <translation>NSGA-II：重新组合最好的试验</translation>
    </message>
    <message>
        <source>Points drawn at random</source>
        <translation>随机抽取的点</translation>
    </message>
    <message>
        <source>Tree-structured Parzen estimator: points like the best trials</source>
        <translation>树结构 Parzen 估计器：与最好的试验相似的点</translation>
    </message>
    <message>
        <source>{0} is not an object</source>
        <translation>{0} 不是对象</translation>
    </message>
    <message>
        <source>{0} has no value of {1}</source>
        <translation>{0} 没有 {1} 的值</translation>
    </message>
    <message>
        <source>{0}: {1} cannot be {2} in this space</source>
        <translation>{0}：在该搜索空间中，{1} 不能是 {2}</translation>
    </message>
    <message>
        <source>{0} has values of parameters that do not exist</source>
        <translation>{0} 含有不存在的参数的值</translation>
    </message>
    <message>
        <source>has an unknown member &quot;{0}&quot;</source>
        <translation>含有未知成员“{0}”</translation>
    </message>
    <message>
        <source>is a choice and has no values</source>
        <translation>是选项，但没有值</translation>
    </message>
    <message>
        <source>must have 1 to {0} values</source>
        <translation>必须有 1 到 {0} 个值</translation>
    </message>
    <message>
        <source>has a value that is no number, word, true, false or list of sizes</source>
        <translation>有一个值不是数字、文字、true、false 或尺寸列表</translation>
    </message>
    <message>
        <source>has the value {0} twice</source>
        <translation>值 {0} 出现了两次</translation>
    </message>
    <message>
        <source>has a limit beyond ±{0}</source>
        <translation>界限超出 ±{0}</translation>
    </message>
    <message>
        <source>has a low value of {0}, above the high one of {1}</source>
        <translation>下限 {0} 高于上限 {1}</translation>
    </message>
    <message>
        <source>is logarithmic, so its low value must be above 0</source>
        <translation>是对数刻度，因此下限必须大于 0</translation>
    </message>
    <message>
        <source>has a step of {0}, which does not fit its range</source>
        <translation>步长 {0} 与其范围不符</translation>
    </message>
    <message>
        <source>is a whole number, so its limits and its step must be</source>
        <translation>是整数，因此其界限和步长也必须是整数</translation>
    </message>
    <message>
        <source>is logarithmic, so its low value must be above half its step</source>
        <translation>是对数刻度，因此下限必须大于步长的一半</translation>
    </message>
    <message>
        <source>must have one member in &quot;when&quot;: an earlier choice and a list of its values</source>
        <translation>“when”中必须恰有一个成员：前面的一个选项及其值的列表</translation>
    </message>
    <message>
        <source>depends on &quot;{0}&quot;, which is no earlier choice</source>
        <translation>依赖于“{0}”，但它不是前面的选项</translation>
    </message>
    <message>
        <source>must have a list of values in &quot;when&quot;</source>
        <translation>“when”中必须有值的列表</translation>
    </message>
    <message>
        <source>depends on {0} being {1}, which is none of its values</source>
        <translation>依赖于 {0} 为 {1}，但这不是它的值</translation>
    </message>
    <message>
        <source>must set 1 to {0} fields</source>
        <translation>必须设置 1 到 {0} 个字段</translation>
    </message>
    <message>
        <source>must name each field that it sets</source>
        <translation>必须写出所设置的每个字段</translation>
    </message>
    <message>
        <source>has no name of 1 to {0} bytes</source>
        <translation>没有 1 到 {0} 字节的名称</translation>
    </message>
    <message>
        <source>has the name &quot;{0}&quot; of another parameter</source>
        <translation>与另一个参数同名：“{0}”</translation>
    </message>
    <message>
        <source>has the type &quot;{0}&quot;; there are real, int and choice</source>
        <translation>类型为“{0}”；可用的有 real、int 和 choice</translation>
    </message>
    <message>
        <source>{0} is not a search space</source>
        <translation>{0} 不是搜索空间</translation>
    </message>
    <message>
        <source>{0} must have a list &quot;parameters&quot; of 1 to {1}</source>
        <translation>{0} 必须有列表“parameters”，含 1 到 {1} 项</translation>
    </message>
    <message>
        <source>a record about trial {0} contradicts earlier ones</source>
        <translation>关于试验 {0} 的一条记录与先前的记录矛盾</translation>
    </message>
    <message>
        <source>the first record does not begin a study</source>
        <translation>第一条记录没有开始一项研究</translation>
    </message>
    <message>
        <source>a second record begins a study</source>
        <translation>第二条记录又开始了一项研究</translation>
    </message>
    <message>
        <source>this version has no sampler &quot;{0}&quot; or no pruner &quot;{1}&quot;</source>
        <translation>此版本没有采样器“{0}”或没有剪枝器“{1}”</translation>
    </message>
    <message>
        <source>the record that begins the study is incomplete</source>
        <translation>开始研究的记录不完整</translation>
    </message>
    <message>
        <source>a study makes 1 to {0} trials</source>
        <translation>一项研究进行 1 到 {0} 个试验</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no checkpoint: give a step, epochN, latest or best</source>
        <translation>“{0}”不是检查点：请给出步数、epochN、latest 或 best</translation>
    </message>
    <message>
        <source>{0} has not trained epoch {1}</source>
        <translation>{0} 尚未训练到第 {1} 轮</translation>
    </message>
    <message>
        <source>{0} holds no complete checkpoint</source>
        <translation>{0} 中没有完整的检查点</translation>
    </message>
    <message>
        <source>{0} has no checkpoint of step {1}; it has those of {2}</source>
        <translation>{0} 没有第 {1} 步的检查点；现有的检查点在第 {2} 步</translation>
    </message>
    <message>
        <source>lists more than {0} run-time settings</source>
        <translation>列出了超过 {0} 个运行时设置</translation>
    </message>
    <message>
        <source>has a {0} that is no number</source>
        <translation>的 {0} 不是数字</translation>
    </message>
    <message>
        <source>the network has no layer &quot;{0}&quot;</source>
        <translation>网络中没有名为“{0}”的层</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no setting that can be changed while this run trains</source>
        <translation>“{0}”不是本次训练进行时可以更改的设置</translation>
    </message>
    <message>
        <source>the average of the weights cannot be switched off while a run trains</source>
        <translation>训练进行时不能关闭权重平均</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not of the form NAME=VALUE</source>
        <translation>“{0}”不符合“名称=值”的格式</translation>
    </message>
    <message>
        <source>there is no training setting &quot;{0}&quot;</source>
        <translation>没有名为“{0}”的训练设置</translation>
    </message>
    <message>
        <source>The network can learn: it knew a batch of {0} by heart after {1} updates.</source>
        <translation>网络能够学习：经过 {1} 次更新，它记住了一个含 {0} 个样本的批次。</translation>
    </message>
    <message>
        <source>The learning rate is too low to learn a batch of {0}: with {1} it was known after {2} updates.</source>
        <translation>学习率过低，学不会一个含 {0} 个样本的批次：改用 {1} 后，经过 {2} 次更新即可记住。</translation>
    </message>
    <message>
        <source>The learning rate is too high to learn a batch of {0}: with {1} it was known after {2} updates.</source>
        <translation>学习率过高，学不会一个含 {0} 个样本的批次：改用 {1} 后，经过 {2} 次更新即可记住。</translation>
    </message>
    <message>
        <source>The network cannot learn: no gradient reaches its weights. Look for dead units or a layer that cuts the gradient off.</source>
        <translation>网络无法学习：没有梯度到达它的权重。请检查死亡单元，或截断梯度的层。</translation>
    </message>
    <message>
        <source>The loss is not a finite number at any learning rate that was tried: check the scale of the inputs, and normalization.</source>
        <translation>所试的各个学习率下损失都不是有限值：请检查输入的尺度和归一化。</translation>
    </message>
    <message>
        <source>The network did not learn a batch of {0} by heart in {1} updates: it may be too small, regularized too much, or its labels may contradict each other.</source>
        <translation>网络经过 {1} 次更新仍未记住一个含 {0} 个样本的批次：它可能太小、正则化过强，或标签相互矛盾。</translation>
    </message>
    <message>
        <source>the lowest learning rate must be above 0 and below the highest, with 10 steps or more</source>
        <translation>最低学习率必须大于 0 且小于最高学习率，步数不少于 10</translation>
    </message>
    <message>
        <source>{0} is a branch of {1} from step {2}: replay {1}, then branch it there</source>
        <translation>{0} 是 {1} 在第 {2} 步的分支：请先重放 {1}，再从该步建立分支</translation>
    </message>
    <message>
        <source>{0} was trained further than it was started for: it cannot be replayed</source>
        <translation>{0} 的训练超过了最初设定的轮数：无法重放</translation>
    </message>
    <message>
        <source>a run understands pause, continue, stop, stop-now, checkpoint, status and set NAME VALUE</source>
        <translation>训练运行接受的命令有 pause、continue、stop、stop-now、checkpoint、status 和 set NAME VALUE</translation>
    </message>
    <message>
        <source>the value of a run-time setting must be a number</source>
        <translation>运行时设置的值必须是数字</translation>
    </message>
    <message>
        <source>the run does not train yet; its settings can be changed once it does</source>
        <translation>训练尚未开始；开始后才能更改设置</translation>
    </message>
    <message>
        <source>This run continues on other devices than it was started on: its numbers will not be exactly those of an uninterrupted run.</source>
        <translation>本次训练在与开始时不同的设备上继续：其数值不会与未中断的训练完全一致。</translation>
    </message>
    <message>
        <source>The learning rate follows a schedule that now ends with epoch {0} instead of {1}: it continues at {2}.</source>
        <translation>学习率调度现在于第 {0} 轮结束，而不是第 {1} 轮：学习率从 {2} 继续。</translation>
    </message>
    <message>
        <source>{0} tensors were taken over from the parent; {1} begin anew, the first of them {2}</source>
        <translation>已从父运行接收 {0} 个张量；另有 {1} 个重新初始化，其中第一个是 {2}</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no devices; there are cpu, cuda:1, lists such as cuda:0,cuda:1, any (one that is free), and any:2 (two GPUs that are free)</source>
        <translation>“{0}”不是设备名；可以写 cpu、cuda:1、cuda:0,cuda:1 这样的列表、any（任一空闲设备）或 any:2（两块空闲 GPU）</translation>
    </message>
    <message>
        <source>the queue in {0} has been written by another process for 10 s; try again</source>
        <translation>{0} 中的队列已被另一进程占用 10 秒；请重试</translation>
    </message>
    <message>
        <source>the queue has no item {0}</source>
        <translation>队列中没有第 {0} 项</translation>
    </message>
    <message>
        <source>a record about item {0} contradicts earlier ones</source>
        <translation>关于第 {0} 项的一条记录与之前的记录矛盾</translation>
    </message>
    <message>
        <source>a queue holds at most {0} items</source>
        <translation>一个队列最多容纳 {0} 项</translation>
    </message>
    <message>
        <source>item {0} is {1}: it cannot be paused</source>
        <translation>第 {0} 项处于 {1} 状态，不能暂停</translation>
    </message>
    <message>
        <source>item {0} has finished; netwright-cli resume --epochs N trains its run further</source>
        <translation>第 {0} 项已完成；用 netwright-cli resume --epochs N 可以继续训练它的运行</translation>
    </message>
    <message>
        <source>it needs {0} GPUs, and this computer has {1} that can train</source>
        <translation>它需要 {0} 块 GPU，而本机可用于训练的有 {1} 块</translation>
    </message>
    <message>
        <source>it needs {0}, which cannot train here; netwright-cli devices says why</source>
        <translation>它需要 {0}，而该设备在本机不能训练；netwright-cli devices 会说明原因</translation>
    </message>
    <message>
        <source>has no list of words where one belongs</source>
        <translation>缺少应有的词列表</translation>
    </message>
    <message>
        <source>has a word that is no text</source>
        <translation>含有一个不是文本的词</translation>
    </message>
    <message>
        <source>ends an item in a way that there is not</source>
        <translation>以不存在的方式结束了一项</translation>
    </message>
    <message>
        <source>The weights are averaged in two ways: choose the moving average, or the mean over epochs</source>
        <translation>权重以两种方式取平均：请选择滑动平均，或按轮次取均值</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no weight: balanced, or numbers between {1} and {2} such as 1, 2.5</source>
        <translation>“{0}”不是权重：请写 balanced，或写 {1} 到 {2} 之间的数，例如 1, 2.5</translation>
    </message>
    <message>
        <source>Has {0} weights for {1} scores</source>
        <translation>有 {0} 个权重，而得分有 {1} 个</translation>
    </message>
    <message>
        <source>Weight of yes</source>
        <translation>正例权重</translation>
    </message>
    <message>
        <source>Weight of targets that are 1: balanced, or a number for each score. Balanced: as much as all others together.</source>
        <translation>目标值为 1 时的权重：均衡（balanced），或每个得分一个数。均衡：与其余所有样本合计相当。</translation>
    </message>
    <message>
        <source>Class weights</source>
        <translation>类别权重</translation>
    </message>
    <message>
        <source>Weight of each class in the loss: balanced, or a list of numbers. Balanced: rare classes count more.</source>
        <translation>各类别在损失中的权重：均衡（balanced），或一列数。均衡：稀少的类别权重更大。</translation>
    </message>
    <message>
        <source>Focal gamma</source>
        <translation>Focal 指数 γ</translation>
    </message>
    <message>
        <source>Exponent of the focal loss: above 0, samples that are predicted well count less. Usual: 2.</source>
        <translation>Focal 损失的指数：大于 0 时，预测得好的样本权重较小。常用值：2。</translation>
    </message>
    <message>
        <source>{0} is between {1} and {2}</source>
        <translation>{0} 须在 {1} 与 {2} 之间</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>has no seed</source>
        <translation>没有种子</translation>
    </message>
    <message>
        <source>{0}: from and to are numbers, or there is a list</source>
        <translation>{0}：起点和终点应为数字，或者填写列表</translation>
    </message>
    <message>
        <source>Tick at least one field</source>
        <translation>请至少勾选一个字段</translation>
    </message>
    <message>
        <source>The data has no training images</source>
        <translation>数据中没有训练图像</translation>
    </message>
    <message>
        <source>The training images are {0}×{1}×{2}, the network takes {3}×{4}×{5}</source>
        <translation>训练图像为 {0}×{1}×{2}，而网络接收 {3}×{4}×{5}</translation>
    </message>
    <message>
        <source>There are no images for the calibration</source>
        <translation>没有可用于校准的图像</translation>
    </message>
    <message>
        <source>The images are not of the network&apos;s size</source>
        <translation>图像的尺寸与网络不符</translation>
    </message>
    <message>
        <source>The calibration was stopped</source>
        <translation>校准已停止</translation>
    </message>
    <message>
        <source>{0} of the {1} units of {2} are zero for all {3} measured images: they no longer learn.</source>
        <translation>{2} 的 {1} 个单元中有 {0} 个对全部 {3} 张测量图像都输出零：它们不再学习。</translation>
    </message>
    <message>
        <source>Lower the learning rate, use LeakyReLU in place of ReLU, or normalize before it.</source>
        <translation>降低学习率，用 LeakyReLU 代替 ReLU，或在其前加归一化。</translation>
    </message>
    <message>
        <source>Dead units</source>
        <translation>死亡单元</translation>
    </message>
    <message>
        <source>The signals explode from layer to layer: the loss of the first step is {0}.</source>
        <translation>信号逐层爆炸：第一步的损失就是 {0}。</translation>
    </message>
    <message>
        <source>The gradients explode: their norm is {0} in the middle of the steps, {1} at most.</source>
        <translation>梯度爆炸：其范数的中位数为 {0}，最大为 {1}。</translation>
    </message>
    <message>
        <source>Clip the norm of the gradients at 1, and normalize between the layers.</source>
        <translation>将梯度范数裁剪到 1，并在各层之间加归一化。</translation>
    </message>
    <message>
        <source>Exploding gradients</source>
        <translation>梯度爆炸</translation>
    </message>
    <message>
        <source>{0} of the {1} validation images ({2} %) are training images too, pixel by pixel: the validation accuracy is too good.</source>
        <translation>{1} 张验证图像中有 {0} 张（{2}%）与训练图像逐像素相同：验证准确率虚高。</translation>
    </message>
    <message>
        <source>Exclude the duplicates: netwright-cli data check lists them.</source>
        <translation>排除重复图像：netwright-cli data check 会列出它们。</translation>
    </message>
    <message>
        <source>Validation images in the training</source>
        <translation>训练集中含有验证图像</translation>
    </message>
    <message>
        <source>Go back to the last checkpoint with a tenth of the learning rate.</source>
        <translation>回到最后的检查点，并将学习率降为十分之一。</translation>
    </message>
    <message>
        <source>A step was not finite in layer {0}.</source>
        <translation>有一步在层 {0} 中出现非有限数。</translation>
    </message>
    <message>
        <source>Check the data: the images hold numbers that are not finite.</source>
        <translation>请检查数据：图像中含有非有限数。</translation>
    </message>
    <message>
        <source>Numbers that are not finite</source>
        <translation>非有限数</translation>
    </message>
    <message>
        <source>Stop early, augment the images, or regularize: more images help most.</source>
        <translation>提前停止、增强图像或加正则化；增加图像最有效。</translation>
    </message>
    <message>
        <source>Over-fitting</source>
        <translation>过拟合</translation>
    </message>
    <message>
        <source>The learning rate {0} is too high: the loss rose to {1}, where guessing gives {2}.</source>
        <translation>学习率 {0} 过高：损失升至 {1}，而随机猜测为 {2}。</translation>
    </message>
    <message>
        <source>The learning rate {0} is too high: the loss stays at {1}, where guessing gives {2}.</source>
        <translation>学习率 {0} 过高：损失停在 {1}，而随机猜测为 {2}。</translation>
    </message>
    <message>
        <source>The learning rate {0} is too high: one step changed the weights by {1} % of their size.</source>
        <translation>学习率 {0} 过高：一步就使权重改变了其大小的 {1}%。</translation>
    </message>
    <message>
        <source>Divide the learning rate by ten; the learning-rate finder suggests one.</source>
        <translation>将学习率除以十；学习率查找器可给出建议值。</translation>
    </message>
    <message>
        <source>Learning rate too high</source>
        <translation>学习率过高</translation>
    </message>
    <message>
        <source>The learning rate {0} is too low: a step changes the weights by {1} of their size, and the loss went from {2} to {3} in {4} epochs.</source>
        <translation>学习率 {0} 过低：一步只使权重改变其大小的 {1}，{4} 轮中损失由 {2} 变为 {3}。</translation>
    </message>
    <message>
        <source>Multiply the learning rate by ten; the learning-rate finder suggests one.</source>
        <translation>将学习率乘以十；学习率查找器可给出建议值。</translation>
    </message>
    <message>
        <source>Learning rate too low</source>
        <translation>学习率过低</translation>
    </message>
    <message>
        <source>After {0} epochs the best accuracy is {1} %, no better than always answering the same class ({2} %).</source>
        <translation>{0} 轮后最高准确率为 {1}%，不比总是回答同一类别（{2}%）更好。</translation>
    </message>
    <message>
        <source>Check that the labels belong to the images, and whether the network can learn one batch by heart (netwright-cli memorise).</source>
        <translation>请检查标签与图像是否对应，以及网络能否记住一个批次（netwright-cli memorise）。</translation>
    </message>
    <message>
        <source>The loss does not fall</source>
        <translation>损失不下降</translation>
    </message>
    <message>
        <source>The augmentation is too strong: {0} % of unseen images are answered correctly, but an epoch later only {1} % of the augmented training images.</source>
        <translation>数据增强过强：未见过的图像答对 {0}%，而一轮之后增强的训练图像只答对 {1}%。</translation>
    </message>
    <message>
        <source>Augment every second image only, or choose weaker transforms.</source>
        <translation>只增强一半的图像，或选择较弱的变换。</translation>
    </message>
    <message>
        <source>Augmentation too strong</source>
        <translation>数据增强过强</translation>
    </message>
    <message>
        <source>The gradients vanish on their way back: those of the first layers, from {0} on, are {1} of the greatest.</source>
        <translation>梯度在反向传播中消失：从 {0} 开始的前几层的梯度只有最大梯度的 {1}。</translation>
    </message>
    <message>
        <source>Use ReLU in place of Sigmoid or Tanh, normalize between the layers, or add shortcuts.</source>
        <translation>用 ReLU 代替 Sigmoid 或 Tanh，在各层之间加归一化，或添加捷径连接。</translation>
    </message>
    <message>
        <source>Vanishing gradients</source>
        <translation>梯度消失</translation>
    </message>
    <message>
        <source>int8 is calibrated on training images, which were not found: {0}</source>
        <translation>int8 要用训练图像校准，但没有找到这些图像：{0}</translation>
    </message>
    <message>
        <source>{0}: the calibration has no range of it</source>
        <translation>{0}：校准中没有它的取值范围</translation>
    </message>
    <message>
        <source>{0}: its values on the calibration&apos;s images are not finite</source>
        <translation>{0}：它在校准图像上的值不是有限数</translation>
    </message>
    <message>
        <source>{0} cannot be quantized by its output channels</source>
        <translation>{0} 无法按输出通道量化</translation>
    </message>
    <message>
        <source>{0} holds numbers that are not finite</source>
        <translation>{0} 含有非有限数</translation>
    </message>
    <message>
        <source>int8 is for convolutions and linear layers; the network has none</source>
        <translation>int8 用于卷积层和线性层；该网络没有这样的层</translation>
    </message>
    <message>
        <source>step {0}: the update of the step before made {1} not finite. Go back to the last checkpoint with a lower learning rate</source>
        <translation>第 {0} 步：上一步的更新使 {1} 成为非有限数。请以较低的学习率回到最后的检查点</translation>
    </message>
    <message>
        <source>step {0}, forward pass: the images hold numbers that are not finite; the weights are unchanged. Check the data</source>
        <translation>第 {0} 步，前向传播：图像中含有非有限数；权重未改变。请检查数据</translation>
    </message>
    <message>
        <source>step {0}, forward pass: {1} gave an output, {2}, that is not finite; the weights are unchanged. A lower learning rate or gradient clipping may help</source>
        <translation>第 {0} 步，前向传播：{1} 的输出 {2} 不是有限数；权重未改变。降低学习率或裁剪梯度可能有帮助</translation>
    </message>
    <message>
        <source>step {0}, backward pass: {1} gave a gradient, that of {2}, that is not finite; the weights are unchanged. A lower learning rate or gradient clipping may help</source>
        <translation>第 {0} 步，反向传播：{1} 给出的 {2} 的梯度不是有限数；权重未改变。降低学习率或裁剪梯度可能有帮助</translation>
    </message>
    <message>
        <source>step {0}, update: the new value of {1} would not be finite; the weights are unchanged. A lower learning rate or gradient clipping may help</source>
        <translation>第 {0} 步，更新：{1} 的新值将不是有限数；权重未改变。降低学习率或裁剪梯度可能有帮助</translation>
    </message>
    <message>
        <source>a folder whose name has more than one line cannot be started at login</source>
        <translation>名称多于一行的文件夹不能在登录时启动</translation>
    </message>
    <message>
        <source>The imported file gave no sizes of its output, so that it cannot leave again</source>
        <translation>导入的文件没有给出其输出的尺寸，因此无法再导出</translation>
    </message>
    <message>
        <source>The accuracy is {0} % on training images and {1} % on validation images, whose loss went from {2} in epoch {4} to {3}.</source>
        <translation>训练图像的准确率为 {0}%，验证图像为 {1}%，后者的损失由第 {4} 轮的 {2} 变为 {3}。</translation>
    </message>
    <message>
        <source>{0}: the operator {1} was not kept when the file was imported, and cannot leave</source>
        <translation>{0}：导入文件时没有保留算子 {1}，因此无法导出</translation>
    </message>
    <message>
        <source>{0}: its operator is of version {1} of ONNX&apos;s, the other layers need {2}</source>
        <translation>{0}：其算子属于 ONNX 算子版本 {1}，其他层需要版本 {2}</translation>
    </message>
    <message>
        <source>{0}: what the file of weights keeps of its operator is damaged: {1}</source>
        <translation>{0}：权重文件中保存的该算子已损坏：{1}</translation>
    </message>
    <message>
        <source>{0}: what the file of weights keeps of its operator is no operator</source>
        <translation>{0}：权重文件中保存的不是一个算子</translation>
    </message>
    <message>
        <source>{0}: the operator has {1} inputs that are values, here {2} are connected</source>
        <translation>{0}：该算子有 {1} 个非常量输入，这里连接了 {2} 个</translation>
    </message>
    <message>
        <source>{0}: its constant &quot;{1}&quot; is missing</source>
        <translation>{0}：缺少其常量“{1}”</translation>
    </message>
    <message>
        <source>{0} keeps operators of more than 2 GiB</source>
        <translation>{0} 中保存的算子超过 2 GiB</translation>
    </message>
    <message>
        <source>Batch norms are not folded beside opaque nodes</source>
        <translation>网络含有不透明节点时不能折叠批归一化</translation>
    </message>
    <message>
        <source>no process works on the study in {0}</source>
        <translation>没有进程在进行 {0} 中的研究</translation>
    </message>
    <message>
        <source>the process of the study in {0} cannot be asked: {1}</source>
        <translation>无法联系 {0} 中研究的进程：{1}</translation>
    </message>
    <message>
        <source>{0}: {1} is {2} on our side and {3} on theirs; it was {4}</source>
        <translation>{0}：{1} 在我们这边是 {2}，在对方那边是 {3}；原来是 {4}</translation>
    </message>
    <message>
        <source>{0} was removed on our side and changed on theirs</source>
        <translation>{0} 在我们这边被删除，在对方那边被修改</translation>
    </message>
    <message>
        <source>{0} was changed on our side and removed on theirs</source>
        <translation>{0} 在我们这边被修改，在对方那边被删除</translation>
    </message>
    <message>
        <source>{0}: input {1} comes from {2} on our side and from {3} on theirs; it came from {4}</source>
        <translation>{0}：输入 {1} 在我们这边来自 {2}，在对方那边来自 {3}；原来来自 {4}</translation>
    </message>
    <message>
        <source>their layer {0} is called {1} here: ours has another {0}</source>
        <translation>对方的层 {0} 在这里叫作 {1}：我们这边另有一个 {0}</translation>
    </message>
    <message>
        <source>{0}: their new input is input {1} here, since ours has a new one too</source>
        <translation>{0}：对方新增的输入在这里是输入 {1}，因为我们这边也新增了一个</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no address of this computer; 127.0.0.1 and ::1 are, 0.0.0.0 is all</source>
        <translation>“{0}”不是本机的地址；127.0.0.1 和 ::1 是，0.0.0.0 表示全部地址</translation>
    </message>
    <message>
        <source>{0} port {1} cannot be listened on: {2}</source>
        <translation>无法监听 {0} 的端口 {1}：{2}</translation>
    </message>
    <message>
        <source>The server cannot be started; are threads or open files at their limit?</source>
        <translation>无法启动服务器；线程数或打开的文件数是否已达上限？</translation>
    </message>
    <message>
        <source>Nothing can be served: {0} is missing or of another version; build with libmicrohttpd (NETWRIGHT_HTTP)</source>
        <translation>无法提供推理服务：{0} 缺失或版本不符；请用 libmicrohttpd 构建（NETWRIGHT_HTTP）</translation>
    </message>
    <message>
        <source>Two runs would be served as &quot;{0}&quot;; rename one of their folders</source>
        <translation>两次运行会以同一名称“{0}”提供服务；请重命名其中一个文件夹</translation>
    </message>
    <message>
        <source>{0}: a token is one line of at least 16 letters, digits and signs; openssl rand -hex 32 makes one</source>
        <translation>{0}：令牌是一行至少 16 个字母、数字和符号；openssl rand -hex 32 可生成一个</translation>
    </message>
    <message>
        <source>{0} exists already; name a new folder</source>
        <translation>{0} 已存在；请指定一个新文件夹</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>Keep ours</source>
        <translation>保留我方的</translation>
    </message>
    <message>
        <source>There is no weight {0}</source>
        <translation>没有权重 {0}</translation>
    </message>
    <message>
        <source>The weight {0} has other sizes than the network</source>
        <translation>权重 {0} 的大小与网络不符</translation>
    </message>
    <message>
        <source>There is no layer {0}</source>
        <translation>没有名为 {0} 的层</translation>
    </message>
    <message>
        <source>At least {0} multiply-adds stay when every layer keeps its least channels, and {1} are asked for; remove a smaller share</source>
        <translation>即使每层只保留最少的通道，也至少剩下 {0} 次乘加，而要求的是 {1} 次；请移除较小的比例</translation>
    </message>
    <message>
        <source>{0} exists already; --force replaces it</source>
        <translation>{0} 已存在；用 --force 替换</translation>
    </message>
    <message>
        <source>{0} is no bundle, or holds other files: it is not replaced</source>
        <translation>{0} 不是部署包，或含有其他文件：不予替换</translation>
    </message>
    <message>
        <source>A bundle is proved by a C compiler, and there is none (cc, gcc, clang); CC names one</source>
        <translation>部署包要用 C 编译器验证，但这里没有（cc、gcc、clang）；可用 CC 指定</translation>
    </message>
    <message>
        <source>The network is too large for a C library: {0} weights, {1} floats of memory</source>
        <translation>网络太大，无法写成 C 语言库：{0} 个权重，需要 {1} 个浮点数的内存</translation>
    </message>
    <message>
        <source>Some weights are not finite numbers</source>
        <translation>有些权重不是有限数</translation>
    </message>
    <message>
        <source>{0}: a {1} layer cannot be written in C</source>
        <translation>{0}：{1} 层无法写成 C 代码</translation>
    </message>
    <message>
        <source>{0} is no plain file; a bundle holds nothing else</source>
        <translation>{0} 不是普通文件；部署包里只能有普通文件</translation>
    </message>
    <message>
        <source>A bundle has fewer files</source>
        <translation>部署包不会有这么多文件</translation>
    </message>
    <message>
        <source>{0} is no bundle: it has no {1}</source>
        <translation>{0} 不是部署包：缺少 {1}</translation>
    </message>
    <message>
        <source>{0} names no files with their SHA-256</source>
        <translation>{0} 没有列出文件及其 SHA-256</translation>
    </message>
    <message>
        <source>it was changed: its SHA-256 is {0}</source>
        <translation>已被改动：它的 SHA-256 是 {0}</translation>
    </message>
    <message>
        <source>it computes other numbers for the golden samples, by up to {0}</source>
        <translation>对标准样本算出的数不同，最多相差 {0}</translation>
    </message>
    <message>
        <source>it does not belong to the bundle</source>
        <translation>不属于该部署包</translation>
    </message>
    <message>
        <source>it is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>A project has no part &quot;{0}&quot;</source>
        <translation>项目没有“{0}”这个部分</translation>
    </message>
    <message>
        <source>merge: {0} is {1} on our side and {2} on theirs; it was {3}</source>
        <translation>合并：{0} 我方为 {1}，对方为 {2}；原来是 {3}</translation>
    </message>
    <message>
        <source>merge: removed on our side and changed on theirs</source>
        <translation>合并：我方已移除，对方作了更改</translation>
    </message>
    <message>
        <source>merge: changed on our side and removed on theirs</source>
        <translation>合并：我方作了更改，对方已移除</translation>
    </message>
    <message>
        <source>merge: input {0} comes from {1} on our side and from {2} on theirs; it came from {3}</source>
        <translation>合并：输入 {0} 我方来自 {1}，对方来自 {2}；原来来自 {3}</translation>
    </message>
    <message>
        <source>Their side does not fit into the network as it is now; change it by hand</source>
        <translation>对方的内容与现在的网络不相容；请手动更改</translation>
    </message>
    <message>
        <source>The project does not have this conflict any more</source>
        <translation>项目中已没有这个冲突</translation>
    </message>
    <message>
        <source>the expression cannot be read at character {0}</source>
        <translation>表达式在第 {0} 个字符处无法读取</translation>
    </message>
    <message>
        <source>the expression is longer than {0} bytes</source>
        <translation>表达式超过 {0} 字节</translation>
    </message>
    <message>
        <source>The ends of a range are numbers, as in 0.001 … 0.1</source>
        <translation>范围的两端必须是数字，例如 0.001 … 0.1</translation>
    </message>
    <message>
        <source>Write a range, as 0.001 … 0.1, or a list, as 16, 32, 64</source>
        <translation>请写一个范围，例如 0.001 … 0.1，或一个列表，例如 16, 32, 64</translation>
    </message>
    <message>
        <source>the run&apos;s folder {0} is gone or another one has taken its place</source>
        <translation>运行文件夹 {0} 已不存在，或已被另一个文件夹取代</translation>
    </message>
    <message>
        <source>{0}. Training is paused until this is mended. It tries again by itself; the last checkpoint is kept.</source>
        <translation>{0}。训练已暂停，直到问题解决；程序会自动重试，最后的检查点会保留。</translation>
    </message>
    <message>
        <source>the data of this run, {0}, is not there</source>
        <translation>此运行的数据 {0} 不存在</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>The data have neither a validation part nor a test part</source>
        <translation>数据既没有验证集，也没有测试集</translation>
    </message>
    <message>
        <source>The loss of the network is not a finite number</source>
        <translation>网络的损失不是有限数值</translation>
    </message>
    <message>
        <source>The measurement was stopped</source>
        <translation>测量已停止</translation>
    </message>
    <message>
        <source>The channels of {0} all stay: they are the network&apos;s answer, it makes none of its own, or a layer behind it needs all of them</source>
        <translation>{0} 的通道必须全部保留：它们是网络的输出，或者该层自身不产生通道，或者后面的层需要全部通道</translation>
    </message>
    <message>
        <source>{0} and {1} share their channels: name one of them</source>
        <translation>{0} 与 {1} 共用通道：只需指定其中一个</translation>
    </message>
    <message>
        <source>Train without a teacher</source>
        <translation>不使用教师网络训练</translation>
    </message>
    <message>
        <source>distillation of the project is not an object</source>
        <translation>项目的 distillation 不是对象</translation>
    </message>
    <message>
        <source>it names no run</source>
        <translation>其中没有指明运行</translation>
    </message>
    <message>
        <source>the temperature must be between {0} and {1}, the weight above 0 and at most 1</source>
        <translation>温度必须在 {0} 与 {1} 之间，权重必须大于 0 且不超过 1</translation>
    </message>
    <message>
        <source>{0} has no fitting {1}; it belongs to another network</source>
        <translation>{0} 中没有匹配的 {1}；它属于另一个网络</translation>
    </message>
    <message>
        <source>The teacher&apos;s weights in {0} are not those that this training was started with</source>
        <translation>{0} 中的教师权重已不是本次训练开始时的权重</translation>
    </message>
    <message>
        <source>The teacher takes images of {0}×{1}×{2}, the data has {3}×{4}×{5}</source>
        <translation>教师网络的输入图像为 {0}×{1}×{2}，数据为 {3}×{4}×{5}</translation>
    </message>
    <message>
        <source>The teacher has {0} classes, the data has {1}</source>
        <translation>教师网络有 {0} 个类别，数据有 {1} 个</translation>
    </message>
    <message>
        <source>{0} exists already and is not empty</source>
        <translation>{0} 已存在且不为空</translation>
    </message>
    <message>
        <source>{0}: an 8-bit network ends with one number for each class</source>
        <translation>{0}：8 位网络必须以每个类别一个数结束</translation>
    </message>
    <message>
        <source>{0}: {1} is no scale of whole numbers</source>
        <translation>{0}：{1} 不是整数的缩放系数</translation>
    </message>
    <message>
        <source>{0}: a scale of its weights is not a positive number</source>
        <translation>{0}：其权重的某个缩放系数不是正数</translation>
    </message>
    <message>
        <source>{0}: its sums could exceed 32 bits</source>
        <translation>{0}：其累加和可能超出 32 位</translation>
    </message>
    <message>
        <source>{0}: flattened images cannot be joined in 8 bits</source>
        <translation>{0}：展平的图像不能以 8 位拼接</translation>
    </message>
    <message>
        <source>{0}: a table cannot be made of it</source>
        <translation>{0}：无法为它生成查找表</translation>
    </message>
    <message>
        <source>{0}: a {1} layer cannot be computed in 8 bits</source>
        <translation>{0}：{1} 层不能用 8 位计算</translation>
    </message>
    <message>
        <source>The values of one image take {0} bytes in each thread</source>
        <translation>一张图像的数值在每个线程中占用 {0} 字节</translation>
    </message>
    <message>
        <source>{0}: {1} is of the type {2}, which no 8-bit network has</source>
        <translation>{0}：{1} 的类型是 {2}，8 位网络没有这种类型</translation>
    </message>
    <message>
        <source>The 8-bit network has no fitting {0}</source>
        <translation>8 位网络中没有合适的 {0}</translation>
    </message>
    <message>
        <source>{0} keeps its weights in &quot;{1}&quot;, a file with other names elsewhere (hard links), which could be any file of yours; if it belongs there, put a copy in its place</source>
        <translation>{0} 的权重保存在“{1}”中，而该文件在别处还有其他名称（硬链接），可能是您的任何一个文件；如果它确实属于此处，请用一份副本替换它</translation>
    </message>
    <message>
        <source>Only predictions of classes can be compared one by one</source>
        <translation>只有类别预测才能逐一比较</translation>
    </message>
    <message>
        <source>The evaluations are not of the same images</source>
        <translation>这些评估不是针对相同的图像</translation>
    </message>
    <message>
        <source>{0} is in 8 bits, which only the processor computes</source>
        <translation>{0} 是 8 位的，只有处理器能计算</translation>
    </message>
    <message>
        <source>{0}: the 8-bit network is of another project</source>
        <translation>{0}：该 8 位网络属于另一个项目</translation>
    </message>
    <message>
        <source>Photos cannot be read: {0} is missing or of another version; build with NETWRIGHT_IMAGES=ON</source>
        <translation>无法读取照片：缺少 {0} 或其版本不符；请以 NETWRIGHT_IMAGES=ON 构建</translation>
    </message>
    <message>
        <source>{0}: this program was built without {1}; save it as PNG or JPEG</source>
        <translation>{0}：本程序构建时未包含 {1}；请另存为 PNG 或 JPEG</translation>
    </message>
    <message>
        <source>Archives cannot be read: {0} is missing or of another version; unpack the archive into a folder</source>
        <translation>无法读取压缩包：缺少 {0} 或其版本不符；请先把压缩包解压到文件夹</translation>
    </message>
    <message>
        <source>what the other computer sends is not understood</source>
        <translation>无法理解另一台计算机发来的内容</translation>
    </message>
    <message>
        <source>the copy was cut: {0}</source>
        <translation>复制中断：{0}</translation>
    </message>
    <message>
        <source>stopped following; the training goes on</source>
        <translation>已停止跟踪；训练继续进行</translation>
    </message>
    <message>
        <source>the connection to {0} was cut: {1}</source>
        <translation>与 {0} 的连接中断：{1}</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: {2}</source>
        <translation>{0} 不能是 {1}：{2}</translation>
    </message>
    <message>
        <source>train_options must be texts</source>
        <translation>train_options 必须是文本</translation>
    </message>
    <message>
        <source>{0} does not take --{1}</source>
        <translation>{0} 不接受 --{1}</translation>
    </message>
    <message>
        <source>this key is unknown</source>
        <translation>未知的键</translation>
    </message>
    <message>
        <source>this value has the wrong type</source>
        <translation>该值的类型不正确</translation>
    </message>
    <message>
        <source>{0} is none of the values</source>
        <translation>{0} 不是允许的值</translation>
    </message>
    <message>
        <source>must be at least {0}</source>
        <translation>至少为 {0}</translation>
    </message>
    <message>
        <source>is required</source>
        <translation>必须提供</translation>
    </message>
    <message>
        <source>needs a container</source>
        <translation>需要一个容器</translation>
    </message>
    <message>
        <source>a volume has a name and one source</source>
        <translation>卷须有名称和一个来源</translation>
    </message>
    <message>
        <source>mounts a volume that is not there</source>
        <translation>挂载了不存在的卷</translation>
    </message>
    <message>
        <source>{0} is no name of a host: a letter first, then small letters, digits and -, at most 63 in all</source>
        <translation>{0} 不是主机名：以字母开头，由小写字母、数字和 - 组成，最多 63 个字符</translation>
    </message>
    <message>
        <source>must be {0}</source>
        <translation>必须是 {0}</translation>
    </message>
    <message>
        <source>is no name of a host</source>
        <translation>不是主机名</translation>
    </message>
    <message>
        <source>on {0}: {1}</source>
        <translation>在 {0} 上：{1}</translation>
    </message>
    <message>
        <source>no pipe: {0}</source>
        <translation>无法创建管道：{0}</translation>
    </message>
    <message>
        <source>{0} is not installed</source>
        <translation>未安装 {0}</translation>
    </message>
    <message>
        <source>{0} has not answered in time</source>
        <translation>{0} 未及时响应</translation>
    </message>
    <message>
        <source>{0} printed more than {1} bytes</source>
        <translation>{0} 输出超过 {1} 字节</translation>
    </message>
    <message>
        <source>{0} is not installed on {1}</source>
        <translation>{1} 上未安装 {0}</translation>
    </message>
    <message>
        <source>{0} cannot be run on {1}: {2}; --program names it where it is</source>
        <translation>{0} 无法在 {1} 上运行：{2}；用 --program 指明其位置</translation>
    </message>
    <message>
        <source>on {0} is {1}, here is {2}; install the same version there</source>
        <translation>{0} 上是 {1}，本机是 {2}；请在那里安装相同的版本</translation>
    </message>
    <message>
        <source>{0} is not there on {1}</source>
        <translation>{1} 上没有 {0}</translation>
    </message>
    <message>
        <source>on {0} are {1} MiB free; {2} MiB are needed for the data, and 512 MiB for the run</source>
        <translation>{0} 上有 {1} MiB 可用；数据需要 {2} MiB，运行需要 512 MiB</translation>
    </message>
    <message>
        <source>data: {0} of {1} files are missing on {2}, {3} MiB</source>
        <translation>数据：{2} 上缺少 {1} 个文件中的 {0} 个，共 {3} MiB</translation>
    </message>
    <message>
        <source>{0} cannot be written on {1}</source>
        <translation>无法在 {1} 上写入 {0}</translation>
    </message>
    <message>
        <source>{0} gave the job no number</source>
        <translation>{0} 没有给出作业编号</translation>
    </message>
    <message>
        <source>{0} is no job; netwright-cli jobs list names them</source>
        <translation>{0} 不是作业；netwright-cli jobs list 可列出作业</translation>
    </message>
    <message>
        <source>{0} is no word of a command</source>
        <translation>{0} 不是命令中的词</translation>
    </message>
    <message>
        <source>{0} needs --{1}</source>
        <translation>{0} 需要 --{1}</translation>
    </message>
    <message>
        <source>A Kubernetes cluster, by kubectl: a Job, or an MPIJob for several ranks</source>
        <translation>Kubernetes 集群，通过 kubectl：Job；多个进程时为 MPIJob</translation>
    </message>
    <message>
        <source>A Slurm cluster, by sbatch here or on a login node</source>
        <translation>Slurm 集群，通过本机或登录节点上的 sbatch</translation>
    </message>
    <message>
        <source>Another computer, by way of ssh</source>
        <translation>另一台计算机，通过 ssh</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>a number was expected, not {0}</source>
        <translation>应为数字，而不是 {0}</translation>
    </message>
    <message>
        <source>{0} holds more than {1} files; an archive of them is copied faster</source>
        <translation>{0} 中的文件超过 {1} 个；打包后复制更快</translation>
    </message>
    <message>
        <source>{0} holds no files</source>
        <translation>{0} 中没有文件</translation>
    </message>
    <message>
        <source>the copy was stopped; the same command goes on with it</source>
        <translation>复制已停止；再次执行同一命令可继续</translation>
    </message>
    <message>
        <source>mpirun started this program, but {0} cannot be loaded; build it on a machine with Open MPI (Debian: libopenmpi-dev), or start the program without mpirun</source>
        <translation>本程序由 mpirun 启动，但无法加载 {0}；请在装有 Open MPI 的计算机上编译它（Debian：libopenmpi-dev），或不用 mpirun 启动本程序</translation>
    </message>
    <message>
        <source>{0} is of another version of this program; build both from the same sources</source>
        <translation>{0} 属于本程序的另一个版本；请用同一份源代码编译两者</translation>
    </message>
    <message>
        <source>only netwright-cli can be started by mpirun; this program loads no plug-ins</source>
        <translation>只有 netwright-cli 可以由 mpirun 启动；本程序不加载插件</translation>
    </message>
    <message>
        <source>no layer is on stage {0}; the run has the stages 0 to {1}, one a device</source>
        <translation>阶段 {0} 上没有层；本次训练有阶段 0 到 {1}，每个设备一个</translation>
    </message>
    <message>
        <source>{0} is on stage {1}; the run has the stages 0 to {2}, one a device</source>
        <translation>{0} 位于阶段 {1}；本次训练有阶段 0 到 {2}，每个设备一个</translation>
    </message>
    <message>
        <source>{0} is on stage {1} and reads {2}, which is on stage {3}: stages follow the network&apos;s direction</source>
        <translation>{0} 位于阶段 {1}，却读取位于阶段 {3} 的 {2}：各阶段须沿网络的方向排列</translation>
    </message>
    <message>
        <source>a network of {0} layers cannot be divided among {1} devices</source>
        <translation>{0} 层的网络无法分配到 {1} 个设备上</translation>
    </message>
    <message>
        <source>This is a bug of Netwright: {0} cannot be divided into stages</source>
        <translation>这是 Netwright 的缺陷：{0} 无法划分为阶段</translation>
    </message>
    <message>
        <source>The outputs of a teacher are learned with CrossEntropy, this loss is {0}</source>
        <translation>学习教师网络的输出需要 CrossEntropy，当前损失为 {0}</translation>
    </message>
    <message>
        <source>The training was stopped</source>
        <translation>训练已停止</translation>
    </message>
    <message>
        <source>The loss is not a finite number in step {0}; a lower learning rate may help</source>
        <translation>第 {0} 步的损失不是有限数；降低学习率可能有帮助</translation>
    </message>
    <message>
        <source>There is no layer {0} with a matrix or filters of weights</source>
        <translation>没有名为 {0} 且含有权重矩阵或滤波器的层</translation>
    </message>
    <message>
        <source>{0} cannot be compressed</source>
        <translation>无法压缩 {0}</translation>
    </message>
    <message>
        <source>{0} is not the bundle that was written. {1}: {2}</source>
        <translation>{0} 已不是当初写入的部署包。{1}：{2}</translation>
    </message>
    <message>
        <source>{0} is no list of names</source>
        <translation>{0} 不是名称列表</translation>
    </message>
    <message>
        <source>{0} is computed in fp32, which the C library in 8 bits cannot</source>
        <translation>{0} 以 fp32 计算，而 8 位的 C 库无法这样做</translation>
    </message>
    <message>
        <source>The values of one image take {0} bytes, too much for a C library</source>
        <translation>一张图像的值占用 {0} 字节，对 C 库来说过大</translation>
    </message>
    <message>
        <source>{0}: the stages of a pipeline are 0 to {1}</source>
        <translation>{0}：流水线的阶段为 0 到 {1}</translation>
    </message>
    <message>
        <source>{0} holds weights of 8 bits; take the run that it was made of, {1} (export has --precision int8, and --c alone for this run)</source>
        <translation>{0} 含有 8 位权重；请使用它所源自的运行 {1}（export 有 --precision int8；对此运行可单独使用 --c）</translation>
    </message>
    <message>
        <source>the processes that mpirun started cannot send each other messages: {0}</source>
        <translation>mpirun 启动的进程之间无法传递消息：{0}</translation>
    </message>
    <message>
        <source>rank {0} on {1} has ended at step {2}, in {3}, with exit code {4}</source>
        <translation>{1} 上的进程 {0} 已在第 {2} 步（{3}）结束，退出码为 {4}</translation>
    </message>
    <message>
        <source>rank {0} on {1} does not answer for {2} s; it was last at step {3}, in {4}. All ranks end; resume the run on those that remain</source>
        <translation>{1} 上的进程 {0} 已有 {2} 秒没有响应；它最后位于第 {3} 步（{4}）。所有进程都将结束；请用剩下的进程继续训练</translation>
    </message>
    <message>
        <source>{0} is a run in 8 bits, which cannot be a teacher; take the run that it was made of, {1}</source>
        <translation>{0} 是 8 位运行，不能作为教师网络；请使用它所源自的运行 {1}</translation>
    </message>
    <message>
        <source>each process that mpirun starts has one device; start more processes instead</source>
        <translation>mpirun 启动的每个进程使用一个设备；请改为启动更多进程</translation>
    </message>
    <message>
        <source>a batch of {0} cannot be divided into {1} micro-batches; make it larger</source>
        <translation>大小为 {0} 的批次无法分成 {1} 个微批次；请增大批次</translation>
    </message>
    <message>
        <source>--profile measures the layers of one device; the run of a pipeline records times of its stages</source>
        <translation>--profile 测量单个设备上的各层；流水线的训练会记录其各阶段的时间</translation>
    </message>
    <message>
        <source>there is not enough memory; resume the run once there is some again</source>
        <translation>内存不足；请在有可用内存后继续训练</translation>
    </message>
    <message>
        <source>{0} changes while it is copied</source>
        <translation>{0} 在复制过程中发生变化</translation>
    </message>
    <message>
        <source>{0} must not be negative</source>
        <translation>{0} 不能为负数</translation>
    </message>
    <message>
        <source>{0} is not known</source>
        <translation>{0} 未知</translation>
    </message>
    <message>
        <source>rank {0} on {1} is gone without a word: its process was killed or has crashed; it was last at step {2}, in {3}. All ranks end; resume the run on those that remain</source>
        <translation>{1} 上的进程编号 {0} 已消失，没有任何消息：其进程被终止或已崩溃；它最后处于第 {2} 步，正在 {3}。所有进程都将结束；请在其余进程上恢复训练</translation>
    </message>
    <message>
        <source>the replicas no longer have the same weights: those of rank {0} ({1}) differ from the others&apos;, first in {2}. The run ends; its last checkpoint is of an epoch in which they were the same</source>
        <translation>各副本的权重不再相同：进程编号 {0}（{1}）的权重与其他副本不同，首个不同处在 {2}。训练已结束；最近的检查点来自各副本仍相同的轮次</translation>
    </message>
    <message>
        <source>rank {0} ({1} on {2}) is slower than the others, which wait for it: for {3} s its own work took {4} % longer than theirs</source>
        <translation>进程编号 {0}（{2} 上的 {1}）比其他设备慢，其他设备在等待它：{3} 秒内它自身的计算比其他设备多用 {4} % 的时间</translation>
    </message>
    <message>
        <source>The optimizer&apos;s state is divided among {0} devices: this one keeps {1} of {2} KiB.</source>
        <translation>优化器的状态分给 {0} 个设备：本设备保存 {2} KiB 中的 {1} KiB。</translation>
    </message>
    <message>
        <source>window and controls</source>
        <translation>窗口和控件</translation>
    </message>
    <message>
        <source>charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>what Qt draws with</source>
        <translation>Qt 绘图所用</translation>
    </message>
    <message>
        <source>text formatting</source>
        <translation>文本格式化</translation>
    </message>
    <message>
        <source>project files and events</source>
        <translation>项目文件和事件</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>compressed data sets</source>
        <translation>压缩的数据集</translation>
    </message>
    <message>
        <source>finding damaged files</source>
        <translation>发现损坏的文件</translation>
    </message>
    <message>
        <source>networks of other programs (ONNX)</source>
        <translation>其他程序的网络（ONNX）</translation>
    </message>
    <message>
        <source>the schema of such files</source>
        <translation>这类文件的格式定义</translation>
    </message>
    <message>
        <source>the list of runs</source>
        <translation>运行列表</translation>
    </message>
    <message>
        <source>JPEG photos, in a separate process</source>
        <translation>JPEG 照片，在单独的进程中</translation>
    </message>
    <message>
        <source>PNG photos, in the same process</source>
        <translation>PNG 照片，在同一进程中</translation>
    </message>
    <message>
        <source>GIF photos, in the same process</source>
        <translation>GIF 照片，在同一进程中</translation>
    </message>
    <message>
        <source>BMP, WebP and TIFF photos, in the same process</source>
        <translation>BMP、WebP 和 TIFF 照片，在同一进程中</translation>
    </message>
    <message>
        <source>photos inside archives</source>
        <translation>压缩包中的照片</translation>
    </message>
    <message>
        <source>downloads of data sets</source>
        <translation>下载数据集</translation>
    </message>
    <message>
        <source>networks over HTTP</source>
        <translation>通过 HTTP 使用网络</translation>
    </message>
    <message>
        <source>training by several processes</source>
        <translation>多进程训练</translation>
    </message>
    <message>
        <source>font with tabular digits, renamed NwSans</source>
        <translation>数字等宽的字体，改名为 NwSans</translation>
    </message>
    <message>
        <source>font of shapes and paths</source>
        <translation>用于形状和路径的字体</translation>
    </message>
    <message>
        <source>font of Chinese letters</source>
        <translation>中文字体</translation>
    </message>
    <message>
        <source>{0} was written by a newer Netwright (format {1}, this one reads {2}): it needs version {3}, and this is {4}; it was left as it is</source>
        <translation>{0} 由更新版本的 Netwright 写成（格式 {1}，此版本可读 {2}）：需要版本 {3}，当前为 {4}；文件保持原样</translation>
    </message>
    <message>
        <source>Handwritten digits</source>
        <translation>手写数字</translation>
    </message>
    <message>
        <source>LeNet-5 on a few synthetic digits: press Train, then draw a digit on the Predict page.</source>
        <translation>用少量合成数字训练 LeNet-5：点击“训练”，然后在预测页画一个数字。</translation>
    </message>
    <message>
        <source>Own photos</source>
        <translation>自己的照片</translation>
    </message>
    <message>
        <source>A folder of small pictures in three classes and a network for it: replace the pictures by your own.</source>
        <translation>一个含三类小图片的文件夹和适合它的网络：把图片换成您自己的。</translation>
    </message>
    <message>
        <source>A residual network</source>
        <translation>残差网络</translation>
    </message>
    <message>
        <source>Two blocks whose input is added to their output: bypass one and compare the runs.</source>
        <translation>两个把输入加到输出上的模块：跳过其中一个，比较两次运行。</translation>
    </message>
    <message>
        <source>From one task to another</source>
        <translation>从一个任务到另一个任务</translation>
    </message>
    <message>
        <source>Train it, then choose Adapt to my images with the folder other-photos beside the project.</source>
        <translation>先训练，再选择“用于我的图像…”，使用项目旁的文件夹 other-photos。</translation>
    </message>
    <message>
        <source>A search for settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Three settings of LeNet-5 are marked for a search: choose Search for settings on the Runs page.</source>
        <translation>LeNet-5 的三项设置已标记为搜索对象：在运行页选择“搜索设置…”。</translation>
    </message>
    <message>
        <source>limited by computing from {0} devices on</source>
        <translation>从 {0} 个设备起受计算限制</translation>
    </message>
    <message>
        <source>limited by the devices&apos; memory bandwidth from {0} devices on</source>
        <translation>从 {0} 个设备起受设备内存带宽限制</translation>
    </message>
    <message>
        <source>limited by the starts of kernels from {0} devices on: a device has too few samples</source>
        <translation>从 {0} 个设备起受内核启动限制：每个设备的样本太少</translation>
    </message>
    <message>
        <source>limited by the link from {0} devices on</source>
        <translation>从 {0} 个设备起受连接限制</translation>
    </message>
    <message>
        <source>limited by stages that wait for each other from {0} devices on</source>
        <translation>从 {0} 个设备起受阶段间相互等待限制</translation>
    </message>
    <message>
        <source>limited by computing, not by the link</source>
        <translation>受计算限制，不受连接限制</translation>
    </message>
    <message>
        <source>limited by the devices&apos; memory bandwidth, not by the link</source>
        <translation>受设备内存带宽限制，不受连接限制</translation>
    </message>
    <message>
        <source>limited by the starts of kernels: a larger batch costs little</source>
        <translation>受内核启动限制：更大的批次几乎不增加时间</translation>
    </message>
    <message>
        <source>&quot;{0}&quot;: the number of devices is between 1 and {1}</source>
        <translation>“{0}”：设备数量应在 1 到 {1} 之间</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no device; write a number and a device, such as 8xH100. Devices: {1}</source>
        <translation>“{0}”不是设备；请写数量和设备，例如 8xH100。设备：{1}</translation>
    </message>
    <message>
        <source>{0} devices do not share a memory; choose another link</source>
        <translation>{0} 设备不共享内存；请选择其他连接</translation>
    </message>
    <message>
        <source>{0} has no NVLink; choose another link</source>
        <translation>{0} 没有 NVLink；请选择其他连接</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no link. Links: {1}</source>
        <translation>“{0}”不是连接。连接：{1}</translation>
    </message>
    <message>
        <source>{0} does not compute in {1}</source>
        <translation>{0} 不能以 {1} 计算</translation>
    </message>
    <message>
        <source>{0} is planned with, not here</source>
        <translation>{0} 只用于规划，不在此计算机中</translation>
    </message>
    <message>
        <source>another process follows this job already</source>
        <translation>另一个进程已在跟随这个作业</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: at most 32 labels</source>
        <translation>{0} 不能是 {1}：最多 32 个标签</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: a label&apos;s key is letters, digits, - _ . and one /</source>
        <translation>{0} 不能是 {1}：标签的键由字母、数字、- _ . 和一个 / 组成</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: a label&apos;s value is letters, digits, - _ .</source>
        <translation>{0} 不能是 {1}：标签的值由字母、数字、- _ . 组成</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: letters, digits, - _ . and commas</source>
        <translation>{0} 不能是 {1}：只能有字母、数字、- _ . 和逗号</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: the name of a volume claim</source>
        <translation>{0} 不能是 {1}：应是卷声明的名称</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: letters, digits and -</source>
        <translation>{0} 不能是 {1}：只能有字母、数字和 -</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: the name of a container image</source>
        <translation>{0} 不能是 {1}：应是容器镜像的名称</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: at most 256</source>
        <translation>{0} 不能是 {1}：最多 256 个</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: text of one line</source>
        <translation>{0} 不能是 {1}：应是一行文字</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: a job has its own folder and data; files of this computer are not there</source>
        <translation>{0} 不能是 {1}：作业有自己的文件夹和数据，那里没有本机的文件</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>CPUs</source>
        <translation>CPU 数</translation>
    </message>
    <message>
        <source>Memory (MiB)</source>
        <translation>内存（MiB）</translation>
    </message>
    <message>
        <source>Shared memory (MiB)</source>
        <translation>共享内存（MiB）</translation>
    </message>
    <message>
        <source>Time limit (min)</source>
        <translation>时间限制（分钟）</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>进程数（rank）</translation>
    </message>
    <message>
        <source>Node selector</source>
        <translation>节点选择器</translation>
    </message>
    <message>
        <source>Data volume</source>
        <translation>数据卷</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>命名空间</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: small letters, digits and -, a letter first</source>
        <translation>{0} 不能是 {1}：小写字母、数字和 -，以字母开头</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: one of {2}</source>
        <translation>{0} 不能是 {1}：应是 {2} 之一</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: USER@HOST, or a name of ssh&apos;s configuration</source>
        <translation>{0} 不能是 {1}：应是 USER@HOST，或 ssh 配置中的名称</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: it takes no host</source>
        <translation>{0} 不能是 {1}：它不需要主机</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: a path of one line</source>
        <translation>{0} 不能是 {1}：应是一行的路径</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: the number or name that the system gave</source>
        <translation>{0} 不能是 {1}：应是系统给出的编号或名称</translation>
    </message>
    <message>
        <source>the operator replaces it by that of the replicas</source>
        <translation>operator 会用副本的设置替换它</translation>
    </message>
    <message>
        <source>a training runs in {0} already</source>
        <translation>{0} 中已有训练在运行</translation>
    </message>
    <message>
        <source>this job has not ended; netwright-cli jobs cancel ends it</source>
        <translation>这个作业尚未结束；netwright-cli jobs cancel 可结束它</translation>
    </message>
    <message>
        <source>{0} must be below /data/, where the volume is mounted: {1}</source>
        <translation>{0} 必须位于挂载卷的 /data/ 之下：{1}</translation>
    </message>
    <message>
        <source>Precision automatic: fp32, which {0} computes fastest.</source>
        <translation>自动精度：fp32，{0} 用它计算最快。</translation>
    </message>
    <message>
        <source>Precision automatic: {0}, which {1} computes faster than fp32 and stores in half of the memory.</source>
        <translation>自动精度：{0}，{1} 用它计算比 fp32 快，占用内存也只有一半。</translation>
    </message>
    <message>
        <source>Precision automatic: {0} in {1} of {2} products, those that {3} computes faster so, and fp32 in the others.</source>
        <translation>自动精度：{2} 个乘积中有 {1} 个用 {0}，因为 {3} 这样计算更快；其余用 fp32。</translation>
    </message>
    <message>
        <source>{0} devices cannot be divided into groups of {1} stages</source>
        <translation>{0} 个设备无法分成每组 {1} 级</translation>
    </message>
    <message>
        <source>the optimizer&apos;s state is divided among devices that each compute the whole network: --stages is of --parallel model, whose stages keep the state of their own weights</source>
        <translation>优化器状态分在各自计算整个网络的设备上：--stages 属于 --parallel model，其各级保存自己权重的状态</translation>
    </message>
    <message>
        <source>The window names no version of the protocol</source>
        <translation>窗口没有说明协议的版本</translation>
    </message>
    <message>
        <source>The window speaks version {0} of the protocol, and its helper process (netwright-cli {1}) version {2}: save your work, close the window and start it again</source>
        <translation>窗口使用协议的第 {0} 版，而它的辅助进程（netwright-cli {1}）使用第 {2} 版：请保存工作，关闭窗口后重新启动</translation>
    </message>
    <message>
        <source>this run was started by Netwright {0}, which speaks version {1} of the control protocol, and the program that asks speaks version {2}: ask with netwright-cli {0}, or end the run with kill -TERM {3}, which saves a checkpoint</source>
        <translation>这次训练由 Netwright {0} 启动，它使用控制协议的第 {1} 版，而发出请求的程序使用第 {2} 版：请用 netwright-cli {0} 发出请求，或用 kill -TERM {3} 结束训练，它会先保存检查点</translation>
    </message>
    <message>
        <source>{0} answers by version {1} of the control protocol, and this is Netwright {2}, which speaks version {3}: ask with the netwright-cli that started the run</source>
        <translation>{0} 用控制协议的第 {1} 版应答，而这是 Netwright {2}，它使用第 {3} 版：请用启动这次训练的 netwright-cli 发出请求</translation>
    </message>
    <message>
        <source>kernels of NVIDIA GPUs; the driver is found when the program runs</source>
        <translation>NVIDIA GPU 的计算核；驱动在程序运行时查找</translation>
    </message>
    <message>
        <source>matrix products on NVIDIA GPUs, found when the program runs</source>
        <translation>NVIDIA GPU 上的矩阵乘法，在程序运行时查找</translation>
    </message>
    <message>
        <source>convolutions on NVIDIA GPUs, found when the program runs</source>
        <translation>NVIDIA GPU 上的卷积，在程序运行时查找</translation>
    </message>
    <message>
        <source>sums over several NVIDIA GPUs, found when the program runs</source>
        <translation>多个 NVIDIA GPU 之间的求和，在程序运行时查找</translation>
    </message>
    <message>
        <source>the stages of a pipeline run on devices of one kind: GPUs (--device cuda:0,cuda:1) or processors (--device cpu:0,cpu:1)</source>
        <translation>流水线的各阶段须在同一类设备上运行：GPU（--device cuda:0,cuda:1）或处理器（--device cpu:0,cpu:1）</translation>
    </message>
    <message>
        <source>the mean of weights (swa_start) is not taken where each stage has its own weights; train the stages on processors of one process</source>
        <translation>各阶段各自保存权重时不支持权重均值（swa_start）；请在一个进程的多个处理器设备上训练各阶段</translation>
    </message>
    <message>
        <source>the stages of a pipeline do not share a loss scale: choose bf16 or fp32 instead of fp16</source>
        <translation>流水线的各阶段没有共同的损失缩放：请选择 bf16 或 fp32，不要用 fp16</translation>
    </message>
    <message>
        <source>{0} cannot be {1}: each of several ranks has one GPU</source>
        <translation>{0} 不能为 {1}：多个进程中每个进程只用一个 GPU</translation>
    </message>
</context>
<context>
    <name>nw::ui</name>
    <message>
        <source>The class; whether its number is odd (for networks with one output); CIFAR-100&apos;s 20 superclasses; or, for lists, tables and shapes, any number of labels for each image (BCEWithLogits), or numbers (MSE).</source>
        <translation>类别本身；仅判断其编号是否为奇数（用于单输出网络）；CIFAR-100 的 20 个大类；或者（用于列表、表格和形状）每张图像任意多个标签（BCEWithLogits）或数值（MSE）。</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Where images and classes come from.</source>
        <translation>图像和类别的来源。</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习目标</translation>
    </message>
    <message>
        <source>The class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Odd or even</source>
        <translation>奇数还是偶数</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>px</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>images</source>
        <translation>张</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Fraction of the training images held out for validation.</source>
        <translation>留出用于验证的训练图像比例。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Same classes</source>
        <translation>类别均衡</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Determines the split.</source>
        <translation>决定数据划分。</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Normalize</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Update rule of the weights.</source>
        <translation>权重的更新规则。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Size of a step along the gradient.</source>
        <translation>沿梯度一步的大小。</translation>
    </message>
    <message>
        <source>Learning rate schedule</source>
        <translation>学习率计划</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>How the learning rate changes during training.</source>
        <translation>训练过程中学习率如何变化。</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Epochs between two steps.</source>
        <translation>两次变化之间的轮数。</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Factor at each step.</source>
        <translation>每次变化的系数。</translation>
    </message>
    <message>
        <source>Ends at</source>
        <translation>终值</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Epochs in which the learning rate rises from 0.</source>
        <translation>学习率从 0 上升的轮数。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Passes over the training images.</source>
        <translation>遍历训练图像的次数。</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Images per step, over all devices.</source>
        <translation>每步的图像数，所有设备合计。</translation>
    </message>
    <message>
        <source>Initial weights, order and augmentation follow from it.</source>
        <translation>初始权重、顺序和数据增强都由它决定。</translation>
    </message>
    <message>
        <source>Early stopping</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Regularization</source>
        <translation>正则化</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>Penalty on squared weights, added to the gradient.</source>
        <translation>对权重平方的惩罚，加到梯度上。</translation>
    </message>
    <message>
        <source>L1</source>
        <translation>L1</translation>
    </message>
    <message>
        <source>Penalty on absolute weights, added to the gradient.</source>
        <translation>对权重绝对值的惩罚，加到梯度上。</translation>
    </message>
    <message>
        <source>Shared batch norm</source>
        <translation>共享批归一化</translation>
    </message>
    <message>
        <source>Several devices: batch norm uses the statistics of the whole batch. Off: each device uses those of its own images, which is faster.</source>
        <translation>多设备时，批归一化取整个批次的均值。关闭时：每个设备只取自己图像的均值，速度更快。</translation>
    </message>
    <message>
        <source>Also biases</source>
        <translation>包括偏置</translation>
    </message>
    <message>
        <source>Off: biases and batch-norm weights are left out of the penalties.</source>
        <translation>关闭时：偏置和批归一化权重不受惩罚。</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>裁剪范数</translation>
    </message>
    <message>
        <source>Gradients longer than this are shortened.</source>
        <translation>超过此长度的梯度会被缩短。</translation>
    </message>
    <message>
        <source>Clip value</source>
        <translation>裁剪数值</translation>
    </message>
    <message>
        <source>Each gradient is kept within plus and minus this.</source>
        <translation>每个梯度限制在正负此值之内。</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>数据增强</translation>
    </message>
    <message>
        <source>Random crop</source>
        <translation>随机裁剪</translation>
    </message>
    <message>
        <source>Shifts training images by a few pixels.</source>
        <translation>把训练图像平移几个像素。</translation>
    </message>
    <message>
        <source>Crop padding</source>
        <translation>裁剪填充</translation>
    </message>
    <message>
        <source>How far images may shift.</source>
        <translation>图像最多平移的距离。</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Mirrors half of the training images left to right. Not for digits.</source>
        <translation>把一半训练图像左右翻转。不适合数字。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>fp16 needs a GPU and a scaled loss. Choose fp32 or bf16.</source>
        <translation>fp16 需要 GPU 和缩放的损失。请选择 fp32 或 bf16。</translation>
    </message>
    <message>
        <source>tf32</source>
        <translation>tf32</translation>
    </message>
    <message>
        <source>tf32 is a format of GPUs. Choose fp32 or bf16.</source>
        <translation>tf32 是 GPU 的格式。请选择 fp32 或 bf16。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>CPU threads. Automatic leaves one for the window when there are more than two.</source>
        <translation>CPU 线程数。自动：多于两个时为窗口留一个。</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>One is saved at the end in any case.</source>
        <translation>结束时总会保存一个。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Number of newest checkpoints kept in addition to the best.</source>
        <translation>除最佳外，保留最新的几个。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Coarse classes of CIFAR-100</source>
        <translation>CIFAR-100 的粗类别</translation>
    </message>
    <message>
        <source>Keep together</source>
        <translation>保持在一起</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Images of one folder</source>
        <translation>同一文件夹的图像</translation>
    </message>
    <message>
        <source>Names up to _ or -</source>
        <translation>_ 或 - 之前的名称</translation>
    </message>
    <message>
        <source>By a table</source>
        <translation>按表格</translation>
    </message>
    <message>
        <source>A table with the columns path and split (train, validation, test or none) that assigns each image to a split.</source>
        <translation>含 path 和 split（train、validation、test 或 none）两列的表格，说明每张图像去哪里。</translation>
    </message>
    <message>
        <source>drawn by the seed</source>
        <translation>由种子抽取</translation>
    </message>
    <message>
        <source>Labels (multi-label)</source>
        <translation>标签（多标签）</translation>
    </message>
    <message>
        <source>Images of one folder, or whose file names are the same up to the first _ or -, all go into the same split: of one patient, one film, one day.</source>
        <translation>同一文件夹的图像，或文件名在第一个 _ 或 - 之前相同的图像，都进入同一划分：例如同一患者、同一影片、同一天。</translation>
    </message>
    <message>
        <source>Fraction of the images held out for the test.</source>
        <translation>留出用于测试的图像比例。</translation>
    </message>
    <message>
        <source>Every class has the same proportion in every split.</source>
        <translation>每个类别在各划分中的比例相同。</translation>
    </message>
    <message>
        <source>Per channel: minus the mean, divided by the standard deviation, both of the training set.</source>
        <translation>按通道：减去训练集的均值，再除以训练集的标准差。</translation>
    </message>
    <message>
        <source>Rises for</source>
        <translation>上升占比</translation>
    </message>
    <message>
        <source>Fraction of the run in which the rate rises.</source>
        <translation>学习率上升阶段占整个训练的比例。</translation>
    </message>
    <message>
        <source>Starts at 1/</source>
        <translation>起点除数</translation>
    </message>
    <message>
        <source>The rate begins at the learning rate over this.</source>
        <translation>学习率从“学习率除以此数”开始。</translation>
    </message>
    <message>
        <source>Ends at 1/</source>
        <translation>终点除数</translation>
    </message>
    <message>
        <source>The first rate over this ends the run.</source>
        <translation>训练结束时的学习率为起点学习率除以此数。</translation>
    </message>
    <message>
        <source>First period</source>
        <translation>首个周期</translation>
    </message>
    <message>
        <source>Epochs before the first restart.</source>
        <translation>第一次重启之前的轮次数。</translation>
    </message>
    <message>
        <source>Longer by</source>
        <translation>周期倍数</translation>
    </message>
    <message>
        <source>Each period is so many times as long.</source>
        <translation>每个周期的长度是前一个周期的多少倍。</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Epochs without improvement before a step.</source>
        <translation>降低学习率之前允许没有改善的轮次数。</translation>
    </message>
    <message>
        <source>Least gain</source>
        <translation>最小改善</translation>
    </message>
    <message>
        <source>A smaller relative change of the monitored figure is no improvement.</source>
        <translation>监控指标的相对变化小于此值不算改善。</translation>
    </message>
    <message>
        <source>One cycle</source>
        <translation>单周期</translation>
    </message>
    <message>
        <source>Polynomial</source>
        <translation>多项式</translation>
    </message>
    <message>
        <source>Cosine with restarts</source>
        <translation>带重启的余弦</translation>
    </message>
    <message>
        <source>Plateau</source>
        <translation>停滞时降低</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>幂次</translation>
    </message>
    <message>
        <source>1: a straight line. More: steeper at first.</source>
        <translation>1：直线。更大：开始时下降更快。</translation>
    </message>
    <message>
        <source>The lowest learning rate of the schedule.</source>
        <translation>调度中的最低学习率。</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>Batches whose gradients are summed for one update, as of one large batch.</source>
        <translation>将这么多个批次的梯度相加后更新一次，等同于一个大批次。</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>个批次</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>个批次</translation>
    </message>
    <message>
        <source>Stops when the monitored figure has not improved for so long.</source>
        <translation>监控指标在这么多轮内没有改善时停止。</translation>
    </message>
    <message>
        <source>Least change</source>
        <translation>最小变化</translation>
    </message>
    <message>
        <source>Early stopping: a smaller change is no improvement. Accuracies are from 0 to 1.</source>
        <translation>早停：变化小于此值不算改善。准确率的范围是 0 到 1。</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监控指标</translation>
    </message>
    <message>
        <source>The figure that decides which epoch is the best, and when to stop.</source>
        <translation>决定哪一轮最佳以及何时停止的指标。</translation>
    </message>
    <message>
        <source>Validation accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Training accuracy</source>
        <translation>训练准确率</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>EMA of weights</source>
        <translation>权重 EMA</translation>
    </message>
    <message>
        <source>Decay of a moving average of the weights, which is evaluated and saved. Usual: 0.999.</source>
        <translation>权重滑动平均的衰减系数；评估和保存的都是平均权重。常用 0.999。</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>增强比例</translation>
    </message>
    <message>
        <source>Fraction of the training images that the transforms below change.</source>
        <translation>被下方变换改变的训练图像所占的比例。</translation>
    </message>
    <message>
        <source>SWA weights</source>
        <translation>权重 SWA</translation>
    </message>
    <message>
        <source>The first epoch whose weights are averaged (SWA). The mean is evaluated and saved.</source>
        <translation>从这一轮起对权重取均值（SWA）。评估和保存的是该均值。</translation>
    </message>
    <message>
        <source>Its rate</source>
        <translation>其学习率</translation>
    </message>
    <message>
        <source>Learning rate after that epoch. 0: the schedule goes on.</source>
        <translation>该轮之后的学习率。0：继续按调度变化。</translation>
    </message>
    <message>
        <source>as scheduled</source>
        <translation>按调度</translation>
    </message>
    <message>
        <source>Reached in</source>
        <translation>过渡时长</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>立即</translation>
    </message>
    <message>
        <source>Epochs in which the learning rate changes to it.</source>
        <translation>学习率过渡到该值所用的轮数。</translation>
    </message>
    <message>
        <source>In equal parts</source>
        <translation>均匀过渡</translation>
    </message>
    <message>
        <source>Each of these epochs changes the rate by the same amount. Off: along a cosine.</source>
        <translation>在这些轮次中，每轮改变学习率的量相同。关闭时沿余弦曲线过渡。</translation>
    </message>
    <message>
        <source>Number format of the operands of products. Automatic takes for each product the fastest format of the device that keeps the accuracy: bf16 or fp32; the run says which. bf16 keeps about three digits and accumulates in fp32.</source>
        <translation>乘积中操作数的数值格式。“自动”为每个乘积选用设备上最快且不损失准确率的格式：bf16 或 fp32，运行记录会说明选择。bf16 约保留三位有效数字，并以 fp32 累加。</translation>
    </message>
</context>
<context>
    <name>nw::ui::AboutDialog</name>
    <message>
        <source>About Netwright</source>
        <translation>关于 Netwright</translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation>版本 %1</translation>
    </message>
    <message>
        <source>The window is free software under the GNU General Public License, version 3 or later. The engine, the kernels and the command line are free software under the Apache License 2.0. There is no warranty.</source>
        <translation>窗口程序是自由软件，采用 GNU 通用公共许可证第 3 版或更新版本。引擎、内核和命令行是自由软件，采用 Apache 许可证 2.0。不提供任何担保。</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>所用软件</translation>
    </message>
    <message>
        <source>Font licence</source>
        <translation>字体许可证</translation>
    </message>
    <message>
        <source>%1 (here %2)</source>
        <comment>versions</comment>
        <translation>%1（此处为 %2）</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Licence of %1: %2</source>
        <translation>%1 的许可证：%2</translation>
    </message>
    <message>
        <source>Shows the text of this licence.</source>
        <translation>显示此许可证的文本。</translation>
    </message>
    <message>
        <source>Licence of %1</source>
        <translation>%1 的许可证</translation>
    </message>
    <message>
        <source>with the system</source>
        <translation>随系统提供</translation>
    </message>
    <message>
        <source>not in this build</source>
        <translation>此构建中没有</translation>
    </message>
    <message>
        <source>bundled library of the system</source>
        <translation>随附的系统库</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>nw::ui::AddList</name>
    <message>
        <source>Add a layer</source>
        <translation>添加网络层</translation>
    </message>
    <message>
        <source>Layers that fit</source>
        <translation>合适的网络层</translation>
    </message>
    <message>
        <source>Enter adds, Esc closes</source>
        <translation>Enter 添加，Esc 关闭</translation>
    </message>
    <message>
        <source>Only layers that fit %1, with the result</source>
        <translation>仅列出适合 %1 的网络层及其结果</translation>
    </message>
</context>
<context>
    <name>nw::ui::AnnouncedCommand</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>nw::ui::AugmentPreview</name>
    <message>
        <source>Augmented training images</source>
        <translation>增强后的训练图像</translation>
    </message>
</context>
<context>
    <name>nw::ui::Banner</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
</context>
<context>
    <name>nw::ui::BestChart</name>
    <message>
        <source>Best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>并行</translation>
    </message>
</context>
<context>
    <name>nw::ui::BestLegend</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>at a rung</source>
        <translation>在某一阶段</translation>
    </message>
</context>
<context>
    <name>nw::ui::BranchCard</name>
    <message>
        <source>Branch from here…</source>
        <translation>从此处建立分支…</translation>
    </message>
    <message>
        <source>full state</source>
        <translation>完整状态</translation>
    </message>
    <message>
        <source>Choose a checkpoint: a new run can begin with it.</source>
        <translation>请选择一个检查点：新的运行可以从它开始。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Show the curves of these runs</source>
        <translation>显示这些运行的曲线</translation>
    </message>
</context>
<context>
    <name>nw::ui::BranchDialog</name>
    <message>
        <source>Branch from %1</source>
        <translation>从 %1 建立分支</translation>
    </message>
    <message>
        <source>Start the branch</source>
        <translation>开始分支</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Of the run</source>
        <translation>该运行的</translation>
    </message>
    <message>
        <source>Of the open project</source>
        <translation>打开的项目的</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Those of the run</source>
        <translation>与该运行相同</translation>
    </message>
    <message>
        <source>Weights of the branch</source>
        <translation>分支的权重</translation>
    </message>
    <message>
        <source>Frozen layers</source>
        <translation>冻结的层</translation>
    </message>
    <message>
        <source>What the branch begins with</source>
        <translation>分支从什么开始</translation>
    </message>
    <message>
        <source>This run has no checkpoint to begin with.</source>
        <translation>该运行没有可用于开始的检查点。</translation>
    </message>
    <message>
        <source>A run is training in this window. Stop it, or wait until it finishes.</source>
        <translation>此窗口中有运行正在训练。请停止它，或等到它结束。</translation>
    </message>
    <message>
        <source>It trains on other devices than the run: its numbers will not be bit-exact.</source>
        <translation>它在与该运行不同的设备上训练：其数值不会逐位相同。</translation>
    </message>
    <message>
        <source>It begins with the full state: weights, optimizer, random numbers and the place in the data.</source>
        <translation>它从完整状态开始：权重、优化器、随机数以及数据中的位置。</translation>
    </message>
    <message>
        <source>Without a change it repeats the rest of the run bit by bit.</source>
        <translation>不作更改时，它会逐位重复该运行余下的部分。</translation>
    </message>
    <message>
        <source>carried over</source>
        <translation>沿用</translation>
    </message>
    <message>
        <source>begins anew: the run has no weight of this name</source>
        <translation>重新开始：该运行没有此名称的权重</translation>
    </message>
    <message>
        <source>begins anew: %1 in the run</source>
        <translation>重新开始：该运行中为 %1</translation>
    </message>
    <message numerus="yes">
        <source>All %n weight(s) are carried over.</source>
        <translation>
            <numerusform>全部 %n 个权重都沿用。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n weight(s) are carried over, the others begin anew.</source>
        <translation>
            <numerusform>%n 个权重中有 %1 个沿用，其余重新开始。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::BranchFields</name>
    <message>
        <source>Frozen layers</source>
        <translation>冻结的层</translation>
    </message>
</context>
<context>
    <name>nw::ui::BranchTree</name>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>%1; %2 over its parent</source>
        <translation>%1；比其父运行 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::Breadcrumbs</name>
    <message>
        <source>Back to %1</source>
        <translation>返回 %1</translation>
    </message>
    <message>
        <source>Changes here apply to every instance</source>
        <translation>在此所作的修改会作用于每个实例</translation>
    </message>
</context>
<context>
    <name>nw::ui::Canvas</name>
    <message>
        <source>An empty network</source>
        <translation>空网络</translation>
    </message>
    <message>
        <source>Drag a layer here, or press Tab</source>
        <translation>把网络层拖到这里，或按 Tab 键</translation>
    </message>
</context>
<context>
    <name>nw::ui::ChangeList</name>
    <message>
        <source>epoch %1</source>
        <translation>第 %1 轮</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 · validation loss %2 since</source>
        <translation>%1 · 此后验证损失 %2</translation>
    </message>
    <message>
        <source>Changes of settings in this run</source>
        <translation>此运行中的设置更改</translation>
    </message>
    <message>
        <source>change %1: %2, %3</source>
        <translation>更改 %1：%2，%3</translation>
    </message>
</context>
<context>
    <name>nw::ui::ChannelRow</name>
    <message numerus="yes">
        <source>All %n channel(s) stay: others need them</source>
        <translation>
            <numerusform>全部 %n 个通道都保留：其他层需要它们</numerusform>
        </translation>
    </message>
    <message>
        <source>Share of the channels of %1 to remove, per cent</source>
        <translation>%1 要移除的通道比例（百分比）</translation>
    </message>
    <message>
        <source>Share of the channels of %1 to remove</source>
        <translation>%1 要移除的通道比例</translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s)</source>
        <translation>
            <numerusform>%n 个通道</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 → %2 channels</source>
        <translation>%1 → %2 个通道</translation>
    </message>
    <message>
        <source>Keeps %1 of %2 channels</source>
        <translation>保留 %2 个通道中的 %1 个</translation>
    </message>
</context>
<context>
    <name>nw::ui::CheckPanel</name>
    <message>
        <source>Check the data</source>
        <translation>检查数据</translation>
    </message>
    <message>
        <source>Include all again</source>
        <translation>全部恢复使用</translation>
    </message>
    <message>
        <source>Progress of the data check</source>
        <translation>数据检查进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s) checked</source>
        <translation>
            <numerusform>已检查 %1 张图像</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, nothing found.</source>
        <translation>%1，未发现问题。</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n finding(s).</source>
        <translation>
            <numerusform>%1，%n 项发现。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s) are excluded from training, validation and test.</source>
        <translation>
            <numerusform>已从训练、验证和测试中排除 %1 张图像。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassBars</name>
    <message>
        <source>Class probabilities</source>
        <translation>各类别概率</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>correct</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>true</source>
        <translation>真实</translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassCounts</name>
    <message>
        <source>Images per class</source>
        <translation>每类图像数</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassFlips</name>
    <message>
        <source>Changed predictions by class</source>
        <translation>按类别统计的预测变化</translation>
    </message>
    <message>
        <source>%1: %2 now wrong, %3 now right</source>
        <translation>%1：%2 个变错，%3 个变对</translation>
    </message>
    <message>
        <source>now wrong</source>
        <translation>变错</translation>
    </message>
    <message>
        <source>now right</source>
        <translation>变对</translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassLegend</name>
    <message>
        <source>Colours of the classes</source>
        <translation>各类别的颜色</translation>
    </message>
    <message numerus="yes">
        <source>%n more class(es)</source>
        <translation>
            <numerusform>还有 %n 个类别</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassTableModel</name>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean by images</source>
        <translation>按图像平均</translation>
    </message>
</context>
<context>
    <name>nw::ui::CoachMark</name>
    <message>
        <source>Guide</source>
        <translation>向导</translation>
    </message>
    <message>
        <source>End the guide</source>
        <translation>结束向导</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
</context>
<context>
    <name>nw::ui::ColumnChoice</name>
    <message>
        <source>Usual columns</source>
        <translation>默认列</translation>
    </message>
    <message>
        <source>Line in the chart</source>
        <translation>图中的线</translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation>取消固定“%1”</translation>
    </message>
    <message>
        <source>Pin %1</source>
        <translation>固定“%1”</translation>
    </message>
    <message>
        <source>Pinned columns</source>
        <translation>固定的列</translation>
    </message>
</context>
<context>
    <name>nw::ui::CommandPalette</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command, layer, setting, template, run or project</source>
        <translation>命令、层、设置、模板、运行或项目</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>没有与“%1”匹配的内容</translation>
    </message>
</context>
<context>
    <name>nw::ui::CommandProcess</name>
    <message>
        <source>The program that was started for this has ended unexpectedly. Try again with a smaller file or network.</source>
        <translation>为此启动的程序意外结束。请用较小的文件或网络重试。</translation>
    </message>
    <message>
        <source>%1 could not be started. Install Netwright again.</source>
        <translation>无法启动 %1。请重新安装 Netwright。</translation>
    </message>
    <message>
        <source>%1 ended without a result and without a reason (exit code %2). Try again; if that does not help, install Netwright again.</source>
        <translation>%1 已结束，但没有给出结果，也没有说明原因（退出代码 %2）。请重试；如果仍然如此，请重新安装 Netwright。</translation>
    </message>
</context>
<context>
    <name>nw::ui::CompareDialog</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>There is no difference.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>Layers: %1 added, %2 removed, %3 changed</source>
        <translation>层：新增 %1，移除 %2，更改 %3</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Training settings</source>
        <translation>训练设置</translation>
    </message>
    <message>
        <source>(default)</source>
        <translation>（默认）</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Projects and runs (*.netwright run.json)</source>
        <translation>项目和运行 (*.netwright run.json)</translation>
    </message>
</context>
<context>
    <name>nw::ui::CompressTab</name>
    <message>
        <source>Before and after</source>
        <translation>前后对比</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>测量结果</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Stopped; nothing was kept of the step</source>
        <translation>已停止；此步骤没有留下任何内容</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>此运行</translation>
    </message>
    <message>
        <source>The original</source>
        <translation>原网络</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Drag a slider: size and multiply-adds are predicted at once, the rest is measured</source>
        <translation>拖动滑块：大小和乘加运算立即预测，其余为实测</translation>
    </message>
    <message>
        <source>The run is not there any more.</source>
        <translation>该运行已不存在。</translation>
    </message>
    <message>
        <source>Keep as run</source>
        <translation>保留为运行</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>运行的名称</translation>
    </message>
    <message>
        <source>Kept as %1.</source>
        <translation>已保留为 %1。</translation>
    </message>
    <message>
        <source>test, %</source>
        <translation>测试集，%</translation>
    </message>
</context>
<context>
    <name>nw::ui::ComputedDialog</name>
    <message>
        <source>Add the column</source>
        <translation>添加此列</translation>
    </message>
    <message>
        <source>A computed column</source>
        <translation>计算列</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Fields and settings of runs, + − * / ^, min, max, abs, sqrt, log10, and best, last, first, mean of an epoch&apos;s quantity: last(validation_loss).</source>
        <translation>可用运行的字段和设置、+ − * / ^、min、max、abs、sqrt、log10，以及某个轮次指标的 best、last、first、mean：last(validation_loss)。</translation>
    </message>
</context>
<context>
    <name>nw::ui::ComputerCard</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>nw::ui::ComputerPage</name>
    <message>
        <source>Training speed by processor and network</source>
        <translation>各处理器和网络的训练速度</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Kernels of a training step</source>
        <translation>训练一步中的算子内核</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>算子内核</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Time, µs</source>
        <translation>时间（µs）</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>Of the peak</source>
        <translation>占峰值</translation>
    </message>
    <message>
        <source>Kernels of a step of %1</source>
        <translation>%1 训练一步中的算子内核</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Instruction sets</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>One thread</source>
        <translation>单线程</translation>
    </message>
    <message>
        <source>Training on two threads, images per second</source>
        <translation>双线程训练，每秒图像数</translation>
    </message>
    <message>
        <source>Progress of the benchmark</source>
        <translation>基准测试进度</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>The benchmark takes about a minute.</source>
        <translation>基准测试约需一分钟。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>%1, %2 of memory</source>
        <translation>%1，内存 %2</translation>
    </message>
    <message>
        <source>%1 (in use)</source>
        <translation>%1（使用中）</translation>
    </message>
    <message>
        <source>%1 (not in this processor)</source>
        <translation>%1（本处理器没有）</translation>
    </message>
    <message>
        <source>%1 GFLOP/s in fp32, %2 GB/s of memory</source>
        <translation>fp32 %1 GFLOP/s，内存 %2 GB/s</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 位</translation>
    </message>
    <message>
        <source>Measuring, %1 left</source>
        <translation>正在测量，还剩 %1</translation>
    </message>
    <message>
        <source>A training runs beside it: the figures are lower than they could be.</source>
        <translation>同时有训练在运行：数值会偏低。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Other programs that run at the same time make the figures lower.</source>
        <translation>同时运行的其他程序会使数值偏低。</translation>
    </message>
</context>
<context>
    <name>nw::ui::ConfusionList</name>
    <message>
        <source>Most confused classes</source>
        <translation>最易混淆的类别</translation>
    </message>
</context>
<context>
    <name>nw::ui::ConfusionMatrix</name>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>true</source>
        <translation>真实</translation>
    </message>
    <message>
        <source>True class %1, predicted as %2: %3, %4 of this class</source>
        <translation>真实类别 %1，预测为 %2：%3，占该类别的 %4</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>correct %</source>
        <translation>正确率 %</translation>
    </message>
</context>
<context>
    <name>nw::ui::ConfusionRow</name>
    <message>
        <source>%1 predicted as %2: %3</source>
        <translation>%1 预测为 %2：%3</translation>
    </message>
</context>
<context>
    <name>nw::ui::CostTable</name>
    <message>
        <source>Accuracy, test</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>File of weights</source>
        <translation>权重文件</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>Latency, batch 1</source>
        <translation>延迟，批量 1</translation>
    </message>
    <message>
        <source>Latency, batch 8</source>
        <translation>延迟，批量 8</translation>
    </message>
    <message>
        <source>Latency, batch 64</source>
        <translation>延迟，批量 64</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原网络</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>此运行</translation>
    </message>
    <message>
        <source>Plan, predicted</source>
        <translation>方案（预测）</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>once trained</source>
        <translation>训练后测量</translation>
    </message>
    <message>
        <source>%1, tried</source>
        <translation>%1（试测）</translation>
    </message>
</context>
<context>
    <name>nw::ui::CourseChart</name>
    <message>
        <source>Course of the trial</source>
        <translation>试验过程</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>nw::ui::DataChip</name>
    <message>
        <source>Synthetic digits</source>
        <translation>合成数字</translation>
    </message>
    <message>
        <source>No data chosen</source>
        <translation>未选择数据</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Data: %1, %2</source>
        <translation>数据：%1，%2</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>Folder, CSV, IDX or split…</source>
        <translation>文件夹、CSV、IDX 或划分…</translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s) · %2×%3×%4</source>
        <translation>
            <numerusform>%1 张图像 · %2×%3×%4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::DataFetch</name>
    <message>
        <source>The download ended without reporting a reason. Try again.</source>
        <translation>下载已结束，但未报告原因。请重试。</translation>
    </message>
</context>
<context>
    <name>nw::ui::DataPanel</name>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Opening the data</source>
        <translation>正在打开数据</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>More images</source>
        <translation>更多图像</translation>
    </message>
    <message>
        <source>The data cannot be read</source>
        <translation>无法读取数据</translation>
    </message>
    <message>
        <source>The data set was not found; synthetic digits are used instead. Choose its folder below.</source>
        <translation>未找到数据集，改用合成数字。请在下方选择其文件夹。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置%1</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>%1 more; netwright-cli data verify lists all of them</source>
        <translation>另有 %1 个；netwright-cli data verify 可列出全部</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Get data…</source>
        <translation>获取数据…</translation>
    </message>
    <message>
        <source>Download public data sets and verify their checksums</source>
        <translation>下载公共数据集并校验</translation>
    </message>
    <message>
        <source>Browse all images</source>
        <translation>浏览所有图像</translation>
    </message>
    <message>
        <source>Mean %1
Standard deviation %2</source>
        <translation>均值 %1
标准差 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::DeployPage</name>
    <message>
        <source>Nothing to deploy yet</source>
        <translation>还没有可部署的内容</translation>
    </message>
    <message>
        <source>A trained run leaves here as a file for other programs, with the proof that it computes the same.</source>
        <translation>训练好的运行从这里导出为其他程序的文件，并附上计算结果一致的证明。</translation>
    </message>
    <message>
        <source>Go to Train</source>
        <translation>去训练</translation>
    </message>
    <message>
        <source>Export and its proofs</source>
        <translation>导出及其证明</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>nw::ui::DesignPage</name>
    <message>
        <source>Palette</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Search layers</source>
        <translation>搜索网络层</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>Drag onto the canvas, or press Tab</source>
        <translation>拖到画布上，或按 Tab 键</translation>
    </message>
    <message>
        <source>Find a layer</source>
        <translation>查找网络层</translation>
    </message>
    <message>
        <source>Search blocks</source>
        <translation>搜索模块</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>打开时的状态</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>放置</translation>
    </message>
    <message>
        <source>More devices</source>
        <translation>更多设备</translation>
    </message>
</context>
<context>
    <name>nw::ui::DesignStatus</name>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 GFLOP / image</source>
        <translation>%1 GFLOP / 图像</translation>
    </message>
    <message>
        <source>%1 MFLOP / image</source>
        <translation>%1 MFLOP / 图像</translation>
    </message>
    <message>
        <source>%1 for training</source>
        <translation>训练需 %1</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>内存足够</translation>
    </message>
    <message>
        <source>Barely fits</source>
        <translation>内存勉强够</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大批大小</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>每轮</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>上次运行</translation>
    </message>
    <message>
        <source>%1 multiply-adds to predict one image; training takes about three times as many</source>
        <translation>预测一张图像需 %1 次乘加；训练约为其三倍</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2，共 %3</translation>
    </message>
    <message>
        <source>The largest batch that fits into the memory of the chosen devices during training</source>
        <translation>训练时所选设备的内存可容纳的最大批大小</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>测量中…</translation>
    </message>
    <message>
        <source>%1 an epoch</source>
        <translation>每轮 %1</translation>
    </message>
    <message numerus="yes">
        <source>Estimated from a short training run on this computer: %1 image(s) per second</source>
        <translation>
            <numerusform>根据本机上的短时训练估计：每秒 %1 张图像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measured by the last run of this network: %1 image(s) a second, %2 of memory
%3</source>
        <translation>
            <numerusform>此网络上次运行的实测值：每秒 %1 张图像，内存 %2
%3</numerusform>
        </translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Trains this network for a second, to measure the time of an epoch</source>
        <translation>训练此网络一秒钟，以测量一轮的时间</translation>
    </message>
    <message numerus="yes">
        <source>Computed from the network&apos;s multiply-adds and the speed of this computer with a small network: %1 image(s) per second. Measure trains this network for a second.</source>
        <translation>
            <numerusform>根据网络的乘加次数和本机运行一个小网络的速度计算：每秒 %1 幅图像。“测量”会训练此网络一秒钟。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 for training, %2 available</source>
        <translation>训练需 %1，可用 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::DeviceChart</name>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>%1, %2 s ago</source>
        <translation>%1，%2 秒前</translation>
    </message>
    <message>
        <source>utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Utilisation (%)</source>
        <translation>利用率（%）</translation>
    </message>
    <message>
        <source>Memory (bytes)</source>
        <translation>内存（字节）</translation>
    </message>
</context>
<context>
    <name>nw::ui::DeviceChips</name>
    <message>
        <source>Choose devices</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>The whole CPU as one device</source>
        <translation>整个 CPU 作为一个设备</translation>
    </message>
    <message>
        <source>Choose threads</source>
        <translation>选择线程数</translation>
    </message>
    <message numerus="yes">
        <source>The CPU as %n device(s)</source>
        <translation>
            <numerusform>CPU 分为 %n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>Threads chosen automatically</source>
        <translation>自动选择线程数</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>No GPU can train here. Click to see what is missing.</source>
        <translation>这里没有可用于训练的 GPU。点击查看缺少什么。</translation>
    </message>
    <message>
        <source>%1: cannot train; shows what is missing</source>
        <translation>%1：无法训练；显示缺少什么</translation>
    </message>
    <message>
        <source>%1 busy, %2 of %3 in use</source>
        <translation>忙碌 %1，已使用 %2 / %3</translation>
    </message>
    <message>
        <source>Right-click to see the libraries that it uses</source>
        <translation>右键单击可查看它使用的库</translation>
    </message>
    <message>
        <source>%1 can train here. These are the parts that it uses:</source>
        <translation>%1 可以在这里训练。它使用以下组件：</translation>
    </message>
</context>
<context>
    <name>nw::ui::DeviceComparisonDialog</name>
    <message>
        <source>First device</source>
        <translation>第一个设备</translation>
    </message>
    <message>
        <source>Second device</source>
        <translation>第二个设备</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>Median, ms</source>
        <translation>中位数，毫秒</translation>
    </message>
    <message>
        <source>J per image</source>
        <translation>每幅图像焦耳</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>The devices side by side</source>
        <translation>两个设备并排</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>最大差异</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Relative difference</source>
        <translation>相对差异</translation>
    </message>
    <message>
        <source>Differences by layer, in the order of computation</source>
        <translation>各层的差异，按计算顺序</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>重新对比</translation>
    </message>
    <message>
        <source>Device comparison</source>
        <translation>设备对比</translation>
    </message>
    <message>
        <source>Of a GPU by its own counter, including other programs; processors are added where their counter can be read</source>
        <translation>GPU 按其自身的计数器计量，包括其他程序的能耗；处理器的计数器可读取时一并计入</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>The comparison ended without a result.</source>
        <translation>对比结束，但没有结果。</translation>
    </message>
    <message>
        <source>This device has no energy counter that can be read</source>
        <translation>此设备没有可读取的能耗计数器</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限数</translation>
    </message>
    <message>
        <source>%1 of %2 images are predicted as another class.</source>
        <translation>%2 幅图像中有 %1 幅被预测为另一类别。</translation>
    </message>
    <message>
        <source>No layer differs by more than %1.</source>
        <translation>没有任何层的差异超过 %1。</translation>
    </message>
    <message>
        <source>The first layer that differs by more than %1 is %2.</source>
        <translation>第一个差异超过 %1 的层是 %2。</translation>
    </message>
</context>
<context>
    <name>nw::ui::DeviceList</name>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>CPU as two devices</source>
        <translation>CPU 作为两个设备</translation>
    </message>
    <message>
        <source>cpu:0 and cpu:1: the cores are divided between two devices that train together, as two GPUs would</source>
        <translation>cpu:0 和 cpu:1：核心分给两个设备，像两块 GPU 那样共同训练</translation>
    </message>
</context>
<context>
    <name>nw::ui::DevicePanel</name>
    <message>
        <source>Found: %1</source>
        <translation>已找到：%1</translation>
    </message>
    <message>
        <source>%1 was not found.</source>
        <translation>未找到 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be used (%2).</source>
        <translation>%1 无法使用（%2）。</translation>
    </message>
    <message>
        <source>Training on a GPU</source>
        <translation>在 GPU 上训练</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the list as text</source>
        <translation>将列表复制为文本</translation>
    </message>
    <message>
        <source>Searching for a GPU and for what training on it needs…</source>
        <translation>正在查找 GPU 以及在其上训练所需的组件…</translation>
    </message>
    <message>
        <source>netwright-cli did not report; install Netwright again.</source>
        <translation>netwright-cli 没有响应；请重新安装 Netwright。</translation>
    </message>
    <message>
        <source>This computer trains on its CPU. To train on an NVIDIA GPU (compute capability 8.0, Ampere, or later), these parts are needed:</source>
        <translation>本机使用 CPU 训练。要在 NVIDIA GPU（计算能力 8.0 即 Ampere 或更高）上训练，需要以下组件：</translation>
    </message>
</context>
<context>
    <name>nw::ui::DevicePlan</name>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>每轮</translation>
    </message>
    <message>
        <source>Energy of an epoch</source>
        <translation>每轮能耗</translation>
    </message>
    <message>
        <source>Threads of this computer</source>
        <translation>此计算机的线程</translation>
    </message>
    <message>
        <source>Parts of the batch</source>
        <translation>批次的各部分</translation>
    </message>
    <message>
        <source>Stages of the network</source>
        <translation>网络的各阶段</translation>
    </message>
    <message>
        <source>Parts of the batch, optimizer divided</source>
        <translation>批次的各部分，优化器状态分片</translation>
    </message>
    <message>
        <source>The whole batch on each</source>
        <translation>每个设备使用整个批次</translation>
    </message>
    <message>
        <source>Each device gets as many images as the project&apos;s batch has; otherwise the batch is divided among them</source>
        <translation>每个设备得到与项目批次相同数量的图像；否则批次分给各设备</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Divided</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Quantity of the curve</source>
        <translation>曲线的量</translation>
    </message>
    <message>
        <source>Predictions by number of devices</source>
        <translation>按设备数量的预测</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>常用</translation>
    </message>
    <message>
        <source>Predicted: %1.</source>
        <translation>预测：%1。</translation>
    </message>
    <message>
        <source>No prediction: %1</source>
        <translation>没有预测：%1</translation>
    </message>
    <message>
        <source>%1, too much</source>
        <translation>%1，过多</translation>
    </message>
    <message>
        <source>The device has less memory than a training needs</source>
        <translation>设备的内存少于训练所需</translation>
    </message>
</context>
<context>
    <name>nw::ui::DoctorPanel</name>
    <message>
        <source>Training doctor</source>
        <translation>训练医生</translation>
    </message>
    <message>
        <source>Compare the images</source>
        <translation>比较图像</translation>
    </message>
    <message>
        <source>Looks for validation images that are also training images</source>
        <translation>查找同时也是训练图像的验证图像</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The run is being examined.</source>
        <translation>正在检查该运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s), examined after every epoch.</source>
        <translation>
            <numerusform>%n 项发现，每轮之后检查。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing found: %n check(s) are clean.</source>
        <translation>
            <numerusform>没有发现问题：%n 项检查均正常。</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing the images…</source>
        <translation>正在比较图像…</translation>
    </message>
    <message>
        <source>Compare the images again</source>
        <translation>再次比较图像</translation>
    </message>
    <message>
        <source>Branch with %1 = %2…</source>
        <translation>以 %1 = %2 建立分支…</translation>
    </message>
    <message>
        <source>Show the layers</source>
        <translation>显示各层</translation>
    </message>
    <message>
        <source>Go to Design</source>
        <translation>转到“设计”</translation>
    </message>
</context>
<context>
    <name>nw::ui::DoctorWatch</name>
    <message>
        <source>The images could not be compared: the run&apos;s data are not here.</source>
        <translation>无法比较图像：该运行的数据不在这里。</translation>
    </message>
</context>
<context>
    <name>nw::ui::DrawingPad</name>
    <message>
        <source>Drawing pad</source>
        <translation>绘图板</translation>
    </message>
    <message>
        <source>Draw with the mouse. Delete clears the pad, Ctrl+Z undoes the last stroke.</source>
        <translation>用鼠标绘制。Delete 清空，Ctrl+Z 撤销上一笔。</translation>
    </message>
    <message>
        <source>Draw here</source>
        <translation>在这里画</translation>
    </message>
</context>
<context>
    <name>nw::ui::DropZone</name>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Resized to %1×%2 as in training</source>
        <translation>图像会按训练时的方式缩放到 %1×%2</translation>
    </message>
    <message>
        <source>Drop or paste an image</source>
        <translation>拖入或粘贴图像</translation>
    </message>
</context>
<context>
    <name>nw::ui::EmptyCard</name>
    <message>
        <source>Empty network</source>
        <translation>空网络</translation>
    </message>
    <message>
        <source>Build your own from the first layer</source>
        <translation>从第一层开始自行搭建</translation>
    </message>
</context>
<context>
    <name>nw::ui::EmptyState</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
</context>
<context>
    <name>nw::ui::EventList</name>
    <message>
        <source>Events of the run</source>
        <translation>运行事件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Events: %1</source>
        <translation>事件：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n 项发现</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::EvidenceChart</name>
    <message>
        <source>Evidence: %1</source>
        <translation>依据：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::Explorer</name>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>File order</source>
        <translation>文件顺序</translation>
    </message>
    <message>
        <source>By class</source>
        <translation>按类别</translation>
    </message>
    <message>
        <source>Scattered</source>
        <translation>打散</translation>
    </message>
    <message>
        <source>By file name</source>
        <translation>按文件名</translation>
    </message>
    <message>
        <source>Darkest first</source>
        <translation>从暗到亮</translation>
    </message>
    <message>
        <source>Brightest first</source>
        <translation>从亮到暗</translation>
    </message>
    <message>
        <source>Least contrast first</source>
        <translation>对比度从低到高</translation>
    </message>
    <message>
        <source>Most contrast first</source>
        <translation>对比度从高到低</translation>
    </message>
    <message>
        <source>Largest loss first</source>
        <translation>损失从大到小</translation>
    </message>
    <message>
        <source>Least confident first</source>
        <translation>置信度从低到高</translation>
    </message>
    <message>
        <source>The chosen image</source>
        <translation>所选图像</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>All classes</source>
        <translation>所有类别</translation>
    </message>
    <message>
        <source>The helper process sent a response that cannot be read. Try again.</source>
        <translation>无法读取辅助进程的响应。请重试。</translation>
    </message>
    <message>
        <source>Balanced: the largest class has %1 times as many images as the smallest.</source>
        <translation>均衡：最大类别的图像数是最小类别的 %1 倍。</translation>
    </message>
    <message>
        <source>The largest class has %1 times as many images as the smallest.</source>
        <translation>最大类别的图像数是最小类别的 %1 倍。</translation>
    </message>
    <message>
        <source>Reading the classes</source>
        <translation>正在读取类别</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>恢复使用</translation>
    </message>
    <message>
        <source>Exclude %1</source>
        <translation>排除 %1 张</translation>
    </message>
    <message>
        <source>Choose an image to see it large.</source>
        <translation>选择一张图像以放大查看。</translation>
    </message>
    <message>
        <source>Mean %1
Standard deviation %2</source>
        <translation>均值 %1
标准差 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s)</source>
        <translation>
            <numerusform>%1 张图像</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 image(s)</source>
        <translation>
            <numerusform>%1 / %2 张图像</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ExplorerGrid</name>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Image %1 of %2, %3</source>
        <translation>第 %1 张图像，共 %2 张，%3</translation>
    </message>
</context>
<context>
    <name>nw::ui::ExplorerOrders</name>
    <message>
        <source>The helper process sent a response that cannot be read. Try again.</source>
        <translation>无法读取辅助进程的响应。请重试。</translation>
    </message>
    <message>
        <source>Reading the predictions</source>
        <translation>正在读取预测</translation>
    </message>
    <message>
        <source>Reading the names</source>
        <translation>正在读取文件名</translation>
    </message>
    <message numerus="yes">
        <source>Measuring %1 of %2 image(s)</source>
        <translation>
            <numerusform>正在测量图像 %1/%2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ExportCard</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Export again</source>
        <translation>重新导出</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>No file yet</source>
        <translation>尚无文件</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Proof ›</source>
        <translation>证明 ›</translation>
    </message>
</context>
<context>
    <name>nw::ui::ExportJobs</name>
    <message>
        <source>model.onnx computes the golden samples within %1.</source>
        <translation>model.onnx 计算标准样本的误差不超过 %1。</translation>
    </message>
    <message>
        <source>A fresh process computes the run&apos;s outputs from it within %1.</source>
        <translation>新进程用它算出的输出与本次运行相差不超过 %1。</translation>
    </message>
    <message>
        <source>A fresh process computes other outputs from it: they differ by %1.</source>
        <translation>新进程用它算出的输出不同：相差 %1。</translation>
    </message>
</context>
<context>
    <name>nw::ui::ExportTab</name>
    <message>
        <source>Prove all again</source>
        <translation>全部重新证明</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message>
        <source>Every file is as it was proved.</source>
        <translation>所有文件都与证明时相同。</translation>
    </message>
    <message>
        <source>%1 exists already; choose another name.</source>
        <translation>%1 已存在；请选择其他名称。</translation>
    </message>
    <message>
        <source>%1 of %2 proved</source>
        <translation>已证明 %1 / %2</translation>
    </message>
    <message>
        <source>No export is called proved before it was run</source>
        <translation>未经运行的导出不会标为已证明</translation>
    </message>
</context>
<context>
    <name>nw::ui::FieldEditor</name>
    <message>
        <source>Number or $parameter</source>
        <translation>数字或 $参数</translation>
    </message>
    <message>
        <source>Keep height and width equal</source>
        <translation>保持高与宽相等</translation>
    </message>
    <message>
        <source>%1, height</source>
        <translation>%1，高</translation>
    </message>
    <message>
        <source>%1, width</source>
        <translation>%1，宽</translation>
    </message>
</context>
<context>
    <name>nw::ui::FieldSearch</name>
    <message>
        <source>Search over %1</source>
        <translation>搜索 %1</translation>
    </message>
    <message>
        <source>Search over this field…</source>
        <translation>搜索此字段…</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Values of %1 to search</source>
        <translation>%1 的搜索取值</translation>
    </message>
    <message>
        <source>A range, as 0.001 … 0.1, or a list, as 16, 32, 64</source>
        <translation>一个范围，例如 0.001 … 0.1，或一个列表，例如 16, 32, 64</translation>
    </message>
    <message>
        <source>Draw %1 by its logarithm</source>
        <translation>按对数抽取 %1</translation>
    </message>
    <message>
        <source>Draws by the logarithm: as often from 0.001 to 0.01 as from 0.01 to 0.1</source>
        <translation>按对数抽取：0.001 到 0.01 与 0.01 到 0.1 的机会相同</translation>
    </message>
    <message>
        <source>Do not search over %1</source>
        <translation>不再搜索 %1</translation>
    </message>
    <message>
        <source>A search cannot vary %1 as it is now.</source>
        <translation>%1 目前的值不能用于搜索。</translation>
    </message>
</context>
<context>
    <name>nw::ui::FindingList</name>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Exclude all</source>
        <translation>全部排除</translation>
    </message>
    <message>
        <source>Findings of the data check</source>
        <translation>数据检查发现的问题</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>恢复使用</translation>
    </message>
</context>
<context>
    <name>nw::ui::FindingModel</name>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
</context>
<context>
    <name>nw::ui::FlipModel</name>
    <message>
        <source>now wrong</source>
        <translation>变错</translation>
    </message>
    <message>
        <source>now right</source>
        <translation>变对</translation>
    </message>
    <message>
        <source>still wrong</source>
        <translation>仍错</translation>
    </message>
    <message>
        <source>Image %1: %2, before %3 (%4), now %5 (%6), %7; margin %8</source>
        <translation>图像 %1：%2，之前 %3（%4），现在 %5（%6），%7；差距 %8</translation>
    </message>
</context>
<context>
    <name>nw::ui::FlipWall</name>
    <message>
        <source>That is more than chance.</source>
        <translation>这不只是偶然。</translation>
    </message>
    <message>
        <source>Chance alone may do that.</source>
        <translation>偶然也可能造成这种差异。</translation>
    </message>
    <message>
        <source>Accuracy is the same.</source>
        <translation>准确率相同。</translation>
    </message>
    <message>
        <source>All %1 are the same when computed from exported files.</source>
        <translation>用导出的文件计算，全部 %1 个都相同。</translation>
    </message>
    <message>
        <source>Computed from exported files, only %1 of %2 are the same.</source>
        <translation>用导出的文件计算，%2 个中只有 %1 个相同。</translation>
    </message>
    <message>
        <source>Not computed from a file: runs in 8 bits are exported from the run before.</source>
        <translation>未用文件计算：8 位运行须从之前的运行导出。</translation>
    </message>
    <message>
        <source>Changed predictions</source>
        <translation>预测变化</translation>
    </message>
    <message>
        <source>Images with another predicted class</source>
        <translation>预测类别改变的图像</translation>
    </message>
    <message>
        <source>Which changes</source>
        <translation>显示哪些变化</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Largest margin first</source>
        <translation>差距最大的在前</translation>
    </message>
    <message>
        <source>Smallest margin first</source>
        <translation>差距最小的在前</translation>
    </message>
    <message>
        <source>Margin: the original&apos;s probability of its own answer, less that of the answer that it is now</source>
        <translation>差距：原网络对自己答案的概率减去对现在答案的概率</translation>
    </message>
    <message>
        <source>By class</source>
        <translation>按类别</translation>
    </message>
    <message>
        <source>Here are the test images whose answer a smaller network changes, once one is made.</source>
        <translation>生成较小的网络后，这里显示预测改变的测试图像。</translation>
    </message>
    <message>
        <source>No test image gets another class.</source>
        <translation>没有测试图像的类别改变。</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>Now wrong %1</source>
        <translation>变错 %1</translation>
    </message>
    <message>
        <source>Now right %1</source>
        <translation>变对 %1</translation>
    </message>
    <message>
        <source>Still wrong %1</source>
        <translation>仍错 %1</translation>
    </message>
    <message>
        <source>Class %1</source>
        <translation>类别 %1</translation>
    </message>
    <message>
        <source>McNemar&apos;s test: %1. %2 answers became wrong, %3 became right, of %4 images.</source>
        <translation>McNemar 检验：%1。%4 张图像中 %2 个预测变错，%3 个变对。</translation>
    </message>
</context>
<context>
    <name>nw::ui::FolderDrop</name>
    <message>
        <source>Choose a folder of images</source>
        <translation>选择图像文件夹</translation>
    </message>
    <message>
        <source>Drop a folder of images here</source>
        <translation>把图像文件夹拖到这里</translation>
    </message>
    <message>
        <source>One subfolder per class. Netwright splits the data and suggests a network.</source>
        <translation>每个类别一个子文件夹。Netwright 会划分数据并建议网络。</translation>
    </message>
    <message>
        <source>Also: project, run folder, CSV or IDX files. Nothing leaves this computer.</source>
        <translation>也可以是项目、运行文件夹、CSV 或 IDX 文件。一切都留在本机。</translation>
    </message>
</context>
<context>
    <name>nw::ui::FolderWatch</name>
    <message>
        <source>The run does not record the size of its images.</source>
        <translation>该运行未记录其图像尺寸。</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无结果</translation>
    </message>
</context>
<context>
    <name>nw::ui::FrontChart</name>
    <message>
        <source>Pareto front</source>
        <translation>帕累托前沿</translation>
    </message>
</context>
<context>
    <name>nw::ui::FrozenLayers</name>
    <message>
        <source>Frozen layers</source>
        <translation>冻结的层</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>直到 %1</translation>
    </message>
    <message>
        <source>chosen layers</source>
        <translation>选定的层</translation>
    </message>
    <message>
        <source>%1 of %2 parameters stand still</source>
        <translation>%2 个参数中有 %1 个不更新</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>待应用：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::GetDataDialog</name>
    <message>
        <source>Get data</source>
        <translation>获取数据</translation>
    </message>
    <message>
        <source>Public data sets</source>
        <translation>公共数据集</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Use this data</source>
        <translation>使用此数据</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>正在连接 %1</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>正在校验 %1</translation>
    </message>
    <message>
        <source>Unpacking %1</source>
        <translation>正在解压 %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1，来自 %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 per second</source>
        <translation>每秒 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>已下载</translation>
    </message>
    <message>
        <source>partly downloaded</source>
        <translation>部分已下载</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>未下载</translation>
    </message>
    <message>
        <source>Each file is verified against the SHA-256 checksum published by %1.</source>
        <translation>每个文件都用 %1 公布的 SHA-256 校验和校验。</translation>
    </message>
    <message>
        <source>Licence: %1 (%2)
%3
Folder: %4</source>
        <translation>许可：%1（%2）
%3
文件夹：%4</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Download size</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>No SHA-256 was published, only an MD5 (%1); the first download&apos;s checksum is recorded and later downloads are compared with it.</source>
        <translation>未公布 SHA-256，仅有 MD5（%1）；首次下载的校验和会被记录，并与以后的下载比较。</translation>
    </message>
</context>
<context>
    <name>nw::ui::GoldenStrip</name>
    <message>
        <source>Golden samples</source>
        <translation>标准样本</translation>
    </message>
    <message>
        <source>class %1, %2</source>
        <translation>类别 %1，%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::GraphView</name>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
</context>
<context>
    <name>nw::ui::GridModel</name>
    <message>
        <source>Image %1, true class %2, predicted as %3</source>
        <translation>图像 %1，真实类别 %2，预测为 %3</translation>
    </message>
    <message>
        <source>All images</source>
        <translation>全部图像</translation>
    </message>
    <message>
        <source>%1, predicted correctly</source>
        <translation>%1，预测正确</translation>
    </message>
    <message>
        <source>%1 predicted as %2</source>
        <translation>%1 预测为 %2</translation>
    </message>
    <message>
        <source>Misclassified</source>
        <translation>误分类</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>低置信度</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 misclassified</source>
        <translation>%2 中 %1 个误分类</translation>
    </message>
    <message>
        <source>%1 with a confidence under 60 %</source>
        <translation>%1 张置信度低于 60 %</translation>
    </message>
    <message>
        <source>%1 predicted correctly, least confident first</source>
        <translation>%1 预测正确，置信度最低者在前</translation>
    </message>
    <message>
        <source>correct, least confident first</source>
        <translation>正确，置信度最低者在前</translation>
    </message>
    <message>
        <source>Barely correct</source>
        <translation>勉强正确</translation>
    </message>
    <message>
        <source>Image %1, predicted as %2, %3</source>
        <translation>图像 %1，预测为 %2，%3</translation>
    </message>
    <message>
        <source>Image %1, true class %2, predicted as %3, %4</source>
        <translation>图像 %1，真实类别 %2，预测为 %3，%4</translation>
    </message>
</context>
<context>
    <name>nw::ui::GridView</name>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
</context>
<context>
    <name>nw::ui::GuideKey</name>
    <message>
        <source>The user guide is not installed. The package netwright-doc holds it.</source>
        <translation>用户指南尚未安装，它在软件包 netwright-doc 中。</translation>
    </message>
</context>
<context>
    <name>nw::ui::HealthPill</name>
    <message>
        <source>What the training doctor found</source>
        <translation>训练医生的发现</translation>
    </message>
    <message>
        <source>Health of the run: %1</source>
        <translation>运行的健康状况：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::Heatmap</name>
    <message>
        <source>No heatmap</source>
        <translation>不显示热力图</translation>
    </message>
    <message>
        <source>Time of a training step</source>
        <translation>训练一步的时间</translation>
    </message>
    <message>
        <source>Memory of the outputs</source>
        <translation>输出占用的内存</translation>
    </message>
    <message>
        <source>Spread of the outputs</source>
        <translation>输出的离散程度</translation>
    </message>
    <message>
        <source>Fraction of zeros in the outputs</source>
        <translation>输出中零的比例</translation>
    </message>
    <message>
        <source>No run of this network has recorded layer times. Train the network with netwright-cli train --profile.</source>
        <translation>此网络的训练运行都没有记录各层时间。请用 netwright-cli train --profile 训练此网络。</translation>
    </message>
    <message>
        <source>The network has problems. Solve them first.</source>
        <translation>网络有问题，请先解决。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>计算中…</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>未训练</translation>
    </message>
    <message>
        <source>last run&apos;s weights</source>
        <translation>上次运行的权重</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 微秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Size of the gradients</source>
        <translation>梯度大小</translation>
    </message>
    <message>
        <source>Size of the updates</source>
        <translation>更新大小</translation>
    </message>
    <message>
        <source>No run of this network has layer statistics yet. Train the network: layer statistics are recorded at the end of each epoch.</source>
        <translation>此网络的训练运行尚无层统计。请训练此网络：层统计在每个轮次结束时记录。</translation>
    </message>
    <message>
        <source>last run, step %1</source>
        <translation>最近一次运行，第 %1 步</translation>
    </message>
</context>
<context>
    <name>nw::ui::HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Five-minute tour</source>
        <translation>五分钟导览</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>On the canvas</source>
        <translation>画布上</translation>
    </message>
</context>
<context>
    <name>nw::ui::HistogramChart</name>
    <message>
        <source>Options of chart %1</source>
        <translation>图表“%1”的选项</translation>
    </message>
    <message>
        <source>Step %1: from %2 to %3, mean %4, standard deviation %5, norm %6</source>
        <translation>第 %1 步：从 %2 到 %3，均值 %4，标准差 %5，范数 %6</translation>
    </message>
    <message>
        <source>No numbers yet</source>
        <translation>还没有数值</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>导出为 %1…</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Epoch %1, step %2</source>
        <translation>第 %1 轮，第 %2 步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>nw::ui::ImportanceView</name>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>Known once two trials have finished.</source>
        <translation>完成两个试验后可知。</translation>
    </message>
    <message>
        <source>Of the best tenth, by PED-ANOVA. Line: 90 % interval.</source>
        <translation>对最好的十分之一，PED-ANOVA。横线：90 % 区间。</translation>
    </message>
</context>
<context>
    <name>nw::ui::InferenceServer</name>
    <message>
        <source>%1 could not be started. Install Netwright again.</source>
        <translation>无法启动 %1。请重新安装 Netwright。</translation>
    </message>
    <message>
        <source>The server has ended unexpectedly; its last lines are below.</source>
        <translation>服务器意外结束；最后的日志行见下方。</translation>
    </message>
</context>
<context>
    <name>nw::ui::Inspector</name>
    <message>
        <source>Settings of the layer</source>
        <translation>网络层的设置</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>重置全部设置</translation>
    </message>
    <message>
        <source>Reset settings</source>
        <translation>重置设置</translation>
    </message>
    <message>
        <source>How many times the block is repeated in sequence.</source>
        <translation>模块连续重复的次数。</translation>
    </message>
    <message>
        <source>A parameter of the block.</source>
        <translation>模块的一个参数。</translation>
    </message>
    <message>
        <source>Open the definition</source>
        <translation>打开定义</translation>
    </message>
    <message>
        <source>Reset to default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Off: the layer is frozen and its weights are not updated.</source>
        <translation>关闭时该层被冻结，权重不再更新。</translation>
    </message>
    <message>
        <source>Unfreeze</source>
        <translation>解冻</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>No layer selected</source>
        <translation>未选中网络层</translation>
    </message>
    <message>
        <source>Select a layer to see and change its settings</source>
        <translation>选中一个网络层即可查看和修改其设置</translation>
    </message>
    <message>
        <source>Parameters of %1</source>
        <translation>%1 的参数</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>Used in settings as $%1</source>
        <translation>在设置中写作 $%1</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 个网络层</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>The selected layers have different values</source>
        <translation>所选网络层的值不同</translation>
    </message>
    <message>
        <source>Activations, batch %1</source>
        <translation>激活值，批大小 %1</translation>
    </message>
    <message>
        <source>Share of the computation</source>
        <translation>计算量占比</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Update weights</source>
        <translation>更新权重</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>旁路</translation>
    </message>
    <message>
        <source>The input is passed on unchanged.</source>
        <translation>信号原样通过。</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>Name of the block</source>
        <translation>模块名称</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message numerus="yes">
        <source>Used in %n place(s); all change with it.</source>
        <translation>
            <numerusform>用于 %n 处；全部随之改变。</numerusform>
        </translation>
    </message>
    <message>
        <source>Make unique</source>
        <translation>使其独立</translation>
    </message>
    <message>
        <source>The selected block gets its own definition</source>
        <translation>所选模块将拥有独立的定义</translation>
    </message>
    <message>
        <source>Make it a parameter of the block</source>
        <translation>设为模块的参数</translation>
    </message>
    <message>
        <source>Add parameter</source>
        <translation>添加参数</translation>
    </message>
    <message>
        <source>New parameter</source>
        <translation>新参数</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove parameter</source>
        <translation>移除参数</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>The name %1 is free now.</source>
        <translation>名称 %1 现在可用。</translation>
    </message>
</context>
<context>
    <name>nw::ui::JobList</name>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>第 %1 轮，共 %2 轮</translation>
    </message>
    <message>
        <source>, best %1 %</source>
        <translation>，最佳 %1 %</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Gone without an end</source>
        <translation>未正常结束就消失</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed (code %1)</source>
        <translation>失败（代码 %1）</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>nw::ui::JobsPanel</name>
    <message>
        <source>Nothing was submitted from here</source>
        <translation>还没有从这里提交过作业</translation>
    </message>
    <message>
        <source>Networks can train on another computer by ssh, on a Slurm or a Kubernetes cluster, also while this window is closed.</source>
        <translation>网络可以经 ssh 在另一台计算机上训练，也可以在 Slurm 或 Kubernetes 集群上训练，关闭此窗口后仍会继续。</translation>
    </message>
    <message>
        <source>Run elsewhere…</source>
        <translation>在别处运行…</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Finishes the step and keeps a checkpoint</source>
        <translation>完成当前步并保留检查点</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>取回</translation>
    </message>
    <message>
        <source>Copies the run with its checkpoints to this computer</source>
        <translation>把运行连同检查点复制到本机</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ends the job, also one that still waits; one that trains saves a checkpoint</source>
        <translation>结束作业，包括仍在等待的作业；正在训练的会先保存检查点</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>It goes on from its last checkpoint, where it trained</source>
        <translation>在原来训练的地方从最后一个检查点继续</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Removes what is here of a job that has ended; its folder there stays</source>
        <translation>删除已结束的作业在本机的内容；那里的文件夹保留</translation>
    </message>
    <message numerus="yes">
        <source>%n not ended</source>
        <translation>
            <numerusform>%n 个未结束</numerusform>
        </translation>
    </message>
    <message>
        <source>The job is being cancelled.</source>
        <translation>正在取消作业。</translation>
    </message>
    <message>
        <source>The run is being fetched.</source>
        <translation>正在取回运行。</translation>
    </message>
    <message>
        <source>The run of %1 is here with its checkpoints.</source>
        <translation>%1 的运行及其检查点已取回到本机。</translation>
    </message>
    <message>
        <source>Open on Predict</source>
        <translation>在“预测”中打开</translation>
    </message>
    <message>
        <source>Forget the job</source>
        <translation>忘记作业</translation>
    </message>
    <message>
        <source>Everything here of the job %1 is removed, with its run and what was fetched of it.</source>
        <translation>作业 %1 在本机的所有内容都会删除，包括它的运行和已取回的文件。</translation>
    </message>
</context>
<context>
    <name>nw::ui::KeyField</name>
    <message>
        <source>Press the new keys here</source>
        <translation>在此按下新的按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新按键</translation>
    </message>
</context>
<context>
    <name>nw::ui::LabelIssuesView</name>
    <message>
        <source>The chosen image</source>
        <translation>所选图像</translation>
    </message>
    <message>
        <source>Predictions of these weights</source>
        <translation>这些权重的预测</translation>
    </message>
    <message>
        <source>Label issues</source>
        <translation>可疑标签</translation>
    </message>
    <message>
        <source>Training images that these weights misclassify, the largest loss first. Early weights find more issues than weights that have memorized every image.</source>
        <translation>这些权重误分类的训练图像，损失最大者在前。早期权重比已记住所有图像的权重能发现更多问题。</translation>
    </message>
    <message>
        <source>Progress of the search for label issues</source>
        <translation>可疑标签搜索进度</translation>
    </message>
    <message>
        <source>No training image is misclassified.</source>
        <translation>没有误分类的训练图像。</translation>
    </message>
    <message>
        <source>The open project uses a different data set from this run</source>
        <translation>打开的项目与此运行使用的数据集不同</translation>
    </message>
    <message>
        <source>These weights predict no better than always answering the most common class. What they misclassify says nothing about labels: train further first.</source>
        <translation>这些权重的预测并不比总是回答最常见的类别更好。它们分错的图像并不能说明标签有问题：请先继续训练。</translation>
    </message>
</context>
<context>
    <name>nw::ui::LaneBoard</name>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>%1 %2, on %3, %4</source>
        <translation>%1 %2，在 %3 上，%4</translation>
    </message>
    <message>
        <source>%1 %2: %3 of a micro-batch, forward and backward</source>
        <translation>%1 %2：一个微批次的前向和反向共 %3</translation>
    </message>
    <message>
        <source>Step %1 › %2</source>
        <translation>一步 %1 › %2</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>一步</translation>
    </message>
</context>
<context>
    <name>nw::ui::LaneHeader</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1，共 %2</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s): %1</source>
        <translation>
            <numerusform>%n 个网络层：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>泳道 %1</translation>
    </message>
    <message>
        <source>%1 a micro-batch, %2 a step</source>
        <translation>每个微批次 %1，每步 %2</translation>
    </message>
    <message>
        <source>Weights and optimizer %1, gradients %2, activations %3, workspace %4</source>
        <translation>权重和优化器 %1，梯度 %2，激活 %3，工作区 %4</translation>
    </message>
</context>
<context>
    <name>nw::ui::LaneView</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>weights, optimizer</source>
        <translation>权重、优化器</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerBoard</name>
    <message numerus="yes">
        <source>The run&apos;s statistics.jsonl is damaged: %n line(s) cannot be read and are missing below.</source>
        <translation>
            <numerusform>此次训练的 statistics.jsonl 已损坏：有 %n 行无法读取，下方不含这些数据。</numerusform>
        </translation>
    </message>
    <message>
        <source>No layer statistics yet</source>
        <translation>还没有层统计</translation>
    </message>
    <message>
        <source>Weights, gradients and outputs of each layer are recorded at intervals and at the end of each epoch.</source>
        <translation>每层的权重、梯度和输出会按间隔并在每个轮次结束时记录。</translation>
    </message>
    <message>
        <source>Layer statistics</source>
        <translation>层统计</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Update ratio</source>
        <translation>更新比</translation>
    </message>
    <message>
        <source>relative to the weight norm</source>
        <translation>相对于权重范数</translation>
    </message>
    <message>
        <source>update ratio</source>
        <translation>更新比</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Gradient distribution</source>
        <translation>梯度分布</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean magnitude</source>
        <translation>平均幅值</translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerColumn</name>
    <message>
        <source>Layers of the network</source>
        <translation>网络的各层</translation>
    </message>
    <message numerus="yes">
        <source>%1 %2: %3 parameter(s), output %4</source>
        <translation>
            <numerusform>%1 %2：%3 个参数，输出 %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerPicture</name>
    <message>
        <source>From %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerStrip</name>
    <message>
        <source>Frozen layers, one by one</source>
        <translation>冻结的层，逐层</translation>
    </message>
    <message>
        <source>%1: frozen</source>
        <translation>%1：已冻结</translation>
    </message>
    <message>
        <source>%1: trained</source>
        <translation>%1：参与训练</translation>
    </message>
    <message>
        <source>%1, waits</source>
        <translation>%1，待应用</translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerView</name>
    <message>
        <source>Layer</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation>归因</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>For</source>
        <translation>针对</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Opacity of the colours over the image</source>
        <translation>图像上所叠加颜色的不透明度</translation>
    </message>
    <message>
        <source>predicted class</source>
        <translation>预测类别</translation>
    </message>
    <message>
        <source>%1 (true class)</source>
        <translation>%1（真实类别）</translation>
    </message>
    <message>
        <source>No layer of this network has filters.</source>
        <translation>此网络的所有层都没有滤波器。</translation>
    </message>
    <message>
        <source>%1 has no filters. Those of %2 are shown.</source>
        <translation>%1 没有滤波器，现显示 %2 的滤波器。</translation>
    </message>
</context>
<context>
    <name>nw::ui::MainWindow</name>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复训练</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>撤销：%1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>重做：%1</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>There is no run to branch from yet.</source>
        <translation>还没有可建立分支的运行。</translation>
    </message>
    <message>
        <source>The card could not be opened as a PDF.</source>
        <translation>无法以 PDF 打开卡片。</translation>
    </message>
    <message>
        <source>Open a project first: it is what trains elsewhere.</source>
        <translation>请先打开一个项目：在别处训练的就是它。</translation>
    </message>
    <message>
        <source>%1 was submitted. It goes on when this window closes; Runs, Elsewhere lists it.</source>
        <translation>%1 已提交。关闭此窗口后它仍会继续；可在“运行”的“别处”中找到它。</translation>
    </message>
    <message>
        <source>A run is training</source>
        <translation>有一个训练正在运行</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>nw::ui::MapCanvas</name>
    <message>
        <source>Map of the images</source>
        <translation>图像分布图</translation>
    </message>
    <message>
        <source>Image %1, %2</source>
        <translation>图像 %1，%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::MapView</name>
    <message>
        <source>PCA</source>
        <translation>主成分分析</translation>
    </message>
    <message>
        <source>Neighbors (t-SNE)</source>
        <translation>邻近（t-SNE）</translation>
    </message>
    <message>
        <source>Kind of map</source>
        <translation>图的种类</translation>
    </message>
    <message>
        <source>By features</source>
        <translation>按特征</translation>
    </message>
    <message>
        <source>Progress of the map</source>
        <translation>分布图的进度</translation>
    </message>
    <message>
        <source>The map shows the splits of the run&apos;s data set, not your own images.</source>
        <translation>该图显示训练运行数据集的各划分，不显示您自己的图像。</translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s); the two components explain %2 of the variance</source>
        <translation>
            <numerusform>%1 张图像；两个主成分解释了 %2 的方差</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s); nearby points are similar, distances between clusters mean little</source>
        <translation>
            <numerusform>%1 张图像；邻近的点相似，簇之间的距离意义不大</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MergeDialog</name>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Merge with another project</source>
        <translation>与另一个项目合并</translation>
    </message>
    <message>
        <source>Takes what the other project changed since both began with the same one. Where both changed the same thing differently, your side stands and each such place is listed.</source>
        <translation>采用另一个项目自共同起点以来所作的更改。双方对同一处作了不同更改时，保留您的一方，并逐处列出。</translation>
    </message>
    <message>
        <source>Other project</source>
        <translation>另一个项目</translation>
    </message>
    <message>
        <source>Whose changes are taken</source>
        <translation>采用其更改</translation>
    </message>
    <message>
        <source>Common ancestor</source>
        <translation>共同祖先</translation>
    </message>
    <message>
        <source>The project as it was before either changed</source>
        <translation>双方更改之前的项目</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Netwright projects (*.netwright *.png)</source>
        <translation>Netwright 项目 (*.netwright *.png)</translation>
    </message>
    <message>
        <source>The other project changed nothing that is not here.</source>
        <translation>另一个项目没有这里所没有的更改。</translation>
    </message>
    <message numerus="yes">
        <source>Merged. %n place(s) were changed differently: your side stands until you decide.</source>
        <translation>
            <numerusform>已合并。有 %n 处双方更改不同：在您决定之前保留您的一方。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Merged.</source>
        <translation>已合并。</translation>
    </message>
    <message>
        <source>Merged: %1</source>
        <translation>已合并：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::MessageLog</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>nw::ui::MetricChart</name>
    <message>
        <source>Options of chart %1</source>
        <translation>图表 %1 的选项</translation>
    </message>
    <message>
        <source>Logarithmic axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>Whole range</source>
        <translation>完整范围</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Export as %1…</source>
        <translation>导出为 %1…</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴取对数</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) above the axis</source>
        <translation>
            <numerusform>有 %n 个值超出坐标轴</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MetricsView</name>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>True</source>
        <translation>真实值</translation>
    </message>
    <message>
        <source>equal to the true value</source>
        <translation>与真实值相等</translation>
    </message>
    <message>
        <source>one point per image</source>
        <translation>每点一张图像</translation>
    </message>
    <message>
        <source>Per target</source>
        <translation>各目标值</translation>
    </message>
    <message>
        <source>Per label</source>
        <translation>各标签</translation>
    </message>
    <message>
        <source>R² %1</source>
        <translation>R² %1</translation>
    </message>
    <message>
        <source>Per class</source>
        <translation>各类别</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>An image counts as this class when its probability is at least this</source>
        <translation>概率不低于此值的图像视为该类别</translation>
    </message>
    <message>
        <source>There are too many images and classes to store every probability. Choose a smaller split.</source>
        <translation>图像与类别过多，无法保存每个概率。请选择较小的划分。</translation>
    </message>
    <message>
        <source>These metrics are computed for the splits of the run&apos;s data set, not for your own images.</source>
        <translation>这些指标针对训练运行数据集的各划分计算，不针对您自己的图像。</translation>
    </message>
    <message>
        <source>top %1: %2</source>
        <translation>前 %1：%2</translation>
    </message>
    <message>
        <source>True class among the most probable: %1</source>
        <translation>真实类别位于最可能的类别之中：%1</translation>
    </message>
    <message>
        <source>%1 against the rest</source>
        <translation>%1 对其余</translation>
    </message>
    <message>
        <source>Measure speed</source>
        <translation>测量速度</translation>
    </message>
    <message>
        <source>Latency and images per second on every device for batches of 1, 8 and 64</source>
        <translation>各设备上每次 1、8、64 幅图像时的预测耗时与每秒图像数</translation>
    </message>
    <message>
        <source>At a threshold of %1 %: precision %2, recall %3, %4, %5</source>
        <translation>阈值为 %1 % 时：精确率 %2，召回率 %3，%4，%5</translation>
    </message>
    <message numerus="yes">
        <source>%1 false positive(s)</source>
        <translation>
            <numerusform>%1 个假阳性</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 false negative(s)</source>
        <translation>
            <numerusform>%1 个假阴性</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MiniMap</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
</context>
<context>
    <name>nw::ui::NeighborStrip</name>
    <message>
        <source>Similar training images</source>
        <translation>相似的训练图像</translation>
    </message>
    <message>
        <source>Searching the training images</source>
        <translation>正在搜索训练图像</translation>
    </message>
    <message>
        <source>%1
similarity %2</source>
        <translation>%1
相似度 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::NetworkExport</name>
    <message>
        <source>%1 exists already; choose another name.</source>
        <translation>%1 已存在；请选择其他名称。</translation>
    </message>
    <message>
        <source>Writing %1 and running it in other programs…</source>
        <translation>正在写入 %1 并在其他程序中运行它…</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message>
        <source>Exporting was stopped; nothing was written.</source>
        <translation>导出已停止；没有写入任何文件。</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
</context>
<context>
    <name>nw::ui::NetworkSummary</name>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Multiply-adds, one image</source>
        <translation>乘加运算，每张图像</translation>
    </message>
    <message>
        <source>Memory, batch %1</source>
        <translation>内存，批大小 %1</translation>
    </message>
    <message>
        <source>Training images</source>
        <translation>训练图像</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Parameters by layer</source>
        <translation>各层参数量</translation>
    </message>
    <message>
        <source>Computation by layer</source>
        <translation>各层计算量</translation>
    </message>
</context>
<context>
    <name>nw::ui::NumberSpin</name>
    <message>
        <source>%1 is not a number.</source>
        <translation>%1 不是数。</translation>
    </message>
    <message>
        <source>%1 is not a whole number.</source>
        <translation>%1 不是整数。</translation>
    </message>
    <message>
        <source>%1 is out of range.</source>
        <translation>%1 超出范围。</translation>
    </message>
    <message>
        <source>Enter a whole number of at least %1.</source>
        <translation>请输入不小于 %1 的整数。</translation>
    </message>
    <message>
        <source>Enter a number of at least %1.</source>
        <translation>请输入不小于 %1 的数。</translation>
    </message>
    <message>
        <source>Enter a whole number from %1 to %2.</source>
        <translation>请输入 %1 到 %2 之间的整数。</translation>
    </message>
    <message>
        <source>Enter a number from %1 to %2.</source>
        <translation>请输入 %1 到 %2 之间的数。</translation>
    </message>
</context>
<context>
    <name>nw::ui::OnnxImport</name>
    <message>
        <source>Save the imported network as a project</source>
        <translation>将导入的网络保存为项目</translation>
    </message>
    <message>
        <source>Netwright projects (*.netwright)</source>
        <translation>Netwright 项目 (*.netwright)</translation>
    </message>
    <message>
        <source>Importing was stopped; nothing was written.</source>
        <translation>导入已停止；没有写入任何文件。</translation>
    </message>
    <message>
        <source>Importing %1…</source>
        <translation>正在导入 %1…</translation>
    </message>
    <message numerus="yes">
        <source>%1 was imported: %n layer(s). Training begins with its weights, which are in %2.</source>
        <translation>
            <numerusform>已导入 %1：%n 个网络层。训练将从其权重开始，权重保存在 %2 中。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::OutlineTree</name>
    <message>
        <source>Outline of the network</source>
        <translation>网络大纲</translation>
    </message>
</context>
<context>
    <name>nw::ui::OwnImagePanel</name>
    <message>
        <source>Undo the last stroke</source>
        <translation>撤销上一笔</translation>
    </message>
    <message>
        <source>Clear the drawing</source>
        <translation>清空绘图</translation>
    </message>
    <message>
        <source>Brush width</source>
        <translation>笔刷宽度</translation>
    </message>
    <message>
        <source>Try your own image</source>
        <translation>试用自己的图像</translation>
    </message>
    <message>
        <source>Draw a digit</source>
        <translation>画一个数字</translation>
    </message>
    <message>
        <source>Draw an image</source>
        <translation>画一张图</translation>
    </message>
    <message>
        <source>From the clipboard</source>
        <translation>来自剪贴板</translation>
    </message>
    <message>
        <source>Choose an image</source>
        <translation>选择图像</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.gif *.bmp *.webp *.tif *.tiff *.pbm *.pgm *.ppm *.pnm);;All files (*)</source>
        <translation>图像 (*.png *.jpg *.jpeg *.gif *.bmp *.webp *.tif *.tiff *.pbm *.pgm *.ppm *.pnm);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>nw::ui::PaletteEntries</name>
    <message>
        <source>%1 on the canvas</source>
        <translation>画布上的 %1</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Training setting</source>
        <translation>训练设置</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Recent project</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1 in the block %2</source>
        <translation>模块 %2 中的 %1</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>模块</translation>
    </message>
</context>
<context>
    <name>nw::ui::PaletteTree</name>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>My blocks</source>
        <translation>我的模块</translation>
    </message>
</context>
<context>
    <name>nw::ui::ParallelView</name>
    <message>
        <source>Settings of each trial</source>
        <translation>各试验的设置</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n trial(s)</source>
        <translation>
            <numerusform>%n 个试验中的 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, not every line is drawn</source>
        <translation>%1，未画出全部线条</translation>
    </message>
</context>
<context>
    <name>nw::ui::ParetoChart</name>
    <message>
        <source>Accuracy over cost</source>
        <translation>准确率与代价</translation>
    </message>
    <message>
        <source>%1: %2, accuracy %3 (%4 to %5)</source>
        <translation>%1：%2，准确率 %3（%4 至 %5）</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>The plan, predicted: %1</source>
        <translation>方案，预测：%1</translation>
    </message>
    <message>
        <source>plan, predicted: %1</source>
        <translation>方案，预测：%1</translation>
    </message>
    <message>
        <source>95 % interval of the original</source>
        <translation>原网络的 95 % 区间</translation>
    </message>
</context>
<context>
    <name>nw::ui::PathField</name>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>nw::ui::PhotoDialog</name>
    <message>
        <source>Train on your photos</source>
        <translation>用自己的照片训练</translation>
    </message>
    <message>
        <source>Counting the photos…</source>
        <translation>正在统计照片…</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>图像尺寸</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Create project</source>
        <translation>创建项目</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n 张照片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in %2, most about %3 pixels.</source>
        <translation>%2，共 %1，多为 %3 像素。</translation>
    </message>
    <message>
        <source>%1 in %2.</source>
        <translation>%2，共 %1。</translation>
    </message>
    <message>
        <source>The network sees the photos at %1; the files stay as they are.</source>
        <translation>网络看到的照片为 %1；文件保持不变。</translation>
    </message>
    <message>
        <source>Recommended for this folder and this computer.</source>
        <translation>这是针对该文件夹和这台电脑的推荐。</translation>
    </message>
    <message>
        <source>Recommended: %1 at %2.</source>
        <translation>推荐：%1，%2。</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, about %2 on this computer</source>
        <translation>%1，在这台电脑上约需 %2</translation>
    </message>
    <message>
        <source>%1; measuring the speed…</source>
        <translation>%1；正在测速…</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>当前项目</translation>
    </message>
    <message>
        <source>Use in this project</source>
        <translation>用于当前项目</translation>
    </message>
    <message>
        <source>Keep the network of %1 and train it on the photos</source>
        <translation>保留“%1”的网络，用这些照片训练它</translation>
    </message>
    <message>
        <source>%1 expects images of %2: used in this project, the photos are resized to that.</source>
        <translation>“%1”需要 %2 的图像：用于当前项目时，照片会缩放为该尺寸。</translation>
    </message>
    <message>
        <source>%1 has no single input: used in this project, the photos keep the size of the first.</source>
        <translation>“%1”没有唯一的输入：用于当前项目时，照片采用第一张的尺寸。</translation>
    </message>
    <message>
        <source>%1; the speed could not be measured: %2</source>
        <translation>%1；无法测量速度：%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::Placement</name>
    <message>
        <source>Shares computed from multiply-adds; times are not known yet</source>
        <translation>占比由乘加次数算出，时间尚未可知</translation>
    </message>
    <message>
        <source>Times computed from multiply-adds and the measured speed of this computer</source>
        <translation>时间由乘加次数和本机实测速度算出</translation>
    </message>
    <message>
        <source>Times of the last profiled run</source>
        <translation>时间取自最近一次带性能剖析的运行</translation>
    </message>
    <message>
        <source>Times from a short training run on this computer</source>
        <translation>时间取自本机上的一次短训练</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>No layer would be left on %1</source>
        <translation>%1 上将没有任何网络层</translation>
    </message>
    <message>
        <source>Move to %1</source>
        <translation>移到 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) moved to %1</source>
        <translation>
            <numerusform>%n 个网络层已移到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The network has fewer layers with a cost than lanes</source>
        <translation>有计算量的网络层比泳道少</translation>
    </message>
    <message>
        <source>Balance the lanes</source>
        <translation>均衡泳道</translation>
    </message>
    <message>
        <source>The lanes are balanced</source>
        <translation>泳道已均衡</translation>
    </message>
    <message>
        <source>Split into stages</source>
        <translation>拆分为阶段</translation>
    </message>
    <message>
        <source>Same copy on every device</source>
        <translation>每个设备一份副本</translation>
    </message>
    <message>
        <source>Choose devices</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>Stages with copies</source>
        <translation>多份流水线</translation>
    </message>
    <message>
        <source>Divide the optimizer&apos;s state</source>
        <translation>分摊优化器状态</translation>
    </message>
</context>
<context>
    <name>nw::ui::PlacementPanel</name>
    <message>
        <source>Same copy on every device</source>
        <translation>每个设备一份副本</translation>
    </message>
    <message>
        <source>Data parallel, split the batch</source>
        <translation>数据并行，拆分批次</translation>
    </message>
    <message>
        <source>Split into stages</source>
        <translation>拆分为阶段</translation>
    </message>
    <message>
        <source>Pipeline parallel, split the network</source>
        <translation>流水线并行，拆分网络</translation>
    </message>
    <message>
        <source>Balance automatically</source>
        <translation>自动均衡</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Images per step, over all devices.</source>
        <translation>每步的图像数，所有设备合计。</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>The parts of a batch that pass through the stages one after another. Batch norm takes its statistics of each part.</source>
        <translation>批次分成若干部分，依次通过各阶段。批归一化按每个部分统计。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>1F1B: each backward pass as soon as possible, so that fewer activations are kept. GPipe: all forward passes first.</source>
        <translation>1F1B：尽早进行每次反向，因此保留的激活较少。GPipe：先完成所有前向。</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Idle share (bubble)</source>
        <translation>空闲占比（流水线空泡）</translation>
    </message>
    <message>
        <source>Moved between devices</source>
        <translation>设备间传输</translation>
    </message>
    <message>
        <source>Against 1 device</source>
        <translation>与单设备相比</translation>
    </message>
    <message>
        <source>Of the same kind: with the cores of one lane</source>
        <translation>同类设备：核心数与一条泳道相同</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>%1 images/s</source>
        <translation>%1 张图像/秒</translation>
    </message>
    <message>
        <source>%1 / step</source>
        <translation>%1 / 步</translation>
    </message>
    <message>
        <source>%1 sets the pace</source>
        <translation>%1 决定速度</translation>
    </message>
    <message>
        <source>The other devices wait for it. No single move makes a step shorter.</source>
        <translation>其他设备都在等它。移动任何一层都不能缩短一步。</translation>
    </message>
    <message>
        <source>The other devices wait for it. Moving %1 to %2 saves %3 of every step.</source>
        <translation>其他设备都在等它。把 %1 移到 %2，每步可省 %3。</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Stages with copies</source>
        <translation>多份流水线</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>Each stage has a device; the processor&apos;s cores are divided among so many devices.</source>
        <translation>每个阶段占一个设备；处理器的核心平均分给这些设备。</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>Each copy of the stages has devices of its own and computes a part of the batch; their gradients are summed.</source>
        <translation>每份流水线有自己的设备，计算批次的一部分；各份的梯度相加。</translation>
    </message>
    <message>
        <source>Summed between copies</source>
        <translation>各份之间求和</translation>
    </message>
    <message>
        <source>Divide the optimizer&apos;s state</source>
        <translation>分摊优化器状态</translation>
    </message>
    <message>
        <source>Each device keeps and updates a part of it (ZeRO, stage 1), with the same result. It saves memory and sends the weights in its place.</source>
        <translation>每个设备只保存并更新其中一部分（ZeRO 第 1 阶段），结果相同。这样节省内存，但要改为传送权重。</translation>
    </message>
    <message>
        <source>Each device needs %1 less.</source>
        <translation>每个设备少用 %1。</translation>
    </message>
    <message>
        <source>Each device would need %1 less.</source>
        <translation>每个设备将少用 %1。</translation>
    </message>
</context>
<context>
    <name>nw::ui::PlanPanel</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>curve: accuracy if only this layer is pruned, before training</source>
        <translation>曲线：只剪枝此层、训练之前的准确率</translation>
    </message>
    <message>
        <source>loses ≤ 0.2 points</source>
        <translation>损失 ≤ 0.2 个百分点</translation>
    </message>
    <message>
        <source>Compute in 8 bits</source>
        <translation>以 8 位计算</translation>
    </message>
    <message>
        <source>Channels to remove</source>
        <translation>要移除的通道</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师网络</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Suggest</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Sets each slider to the largest share that alone costs at most 0.2 points</source>
        <translation>将每个滑块设为单独损失不超过 0.2 个百分点的最大比例</translation>
    </message>
    <message>
        <source>Measure sensitivities</source>
        <translation>测量敏感度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Make and train it</source>
        <translation>生成并训练</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Epochs after it</source>
        <translation>之后的轮数</translation>
    </message>
    <message>
        <source>Fisher: by their loss</source>
        <translation>Fisher：按损失</translation>
    </message>
    <message>
        <source>L1: by their weights</source>
        <translation>L1：按权重</translation>
    </message>
    <message>
        <source>Fisher: those whose removal costs the least loss for the multiply-adds that it saves. L1: those of the smallest weights.</source>
        <translation>Fisher：移除后每节省一次乘加所增加的损失最小的通道。L1：权重最小的通道。</translation>
    </message>
    <message>
        <source>8 bits</source>
        <translation>8 位</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
</context>
<context>
    <name>nw::ui::Playground</name>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Input of the network</source>
        <translation>网络的输入</translation>
    </message>
    <message>
        <source>Undo the last stroke</source>
        <translation>撤销上一笔</translation>
    </message>
    <message>
        <source>Clear the drawing</source>
        <translation>清除绘图</translation>
    </message>
    <message>
        <source>Chosen image</source>
        <translation>所选图像</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>nw::ui::PredictHeader</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Misclassified</source>
        <translation>误分类</translation>
    </message>
    <message>
        <source>Confidence under 60 %</source>
        <translation>置信度低于 60 %</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Progress of the evaluation</source>
        <translation>评估进度</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>own images</source>
        <translation>自己的图像</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 s on CPU</source>
        <translation>CPU 上 %1 秒</translation>
    </message>
    <message>
        <source>Predicting</source>
        <translation>正在预测</translation>
    </message>
    <message>
        <source>Loading the weights</source>
        <translation>正在加载权重</translation>
    </message>
    <message>
        <source>Predicting, %1</source>
        <translation>正在预测，%1</translation>
    </message>
    <message>
        <source>Folder of images…</source>
        <translation>图像文件夹…</translation>
    </message>
    <message>
        <source>Image files…</source>
        <translation>图像文件…</translation>
    </message>
    <message>
        <source>Folder of images</source>
        <translation>图像文件夹</translation>
    </message>
    <message>
        <source>Image files</source>
        <translation>图像文件</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Label issues</source>
        <translation>可疑标签</translation>
    </message>
    <message>
        <source>Report with curves and images (HTML)…</source>
        <translation>含曲线与图像的报告（HTML）…</translation>
    </message>
    <message>
        <source>Metrics per class (CSV)…</source>
        <translation>各类别的指标（CSV）…</translation>
    </message>
    <message>
        <source>All predictions (CSV)…</source>
        <translation>全部预测（CSV）…</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>实验场</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>分布图</translation>
    </message>
    <message>
        <source>These predictions are of a run of %1. The open project is %2.</source>
        <translation>这些预测来自“%1”的训练运行；当前打开的项目是“%2”。</translation>
    </message>
    <message>
        <source>Images (%1)</source>
        <translation>图像 (%1)</translation>
    </message>
    <message>
        <source>With the label smoothing of the training, %1. Cross-entropy without it: %2</source>
        <translation>使用训练时的标签平滑 %1。不使用时的交叉熵：%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::PredictPage</name>
    <message>
        <source>Predicted in another range %1</source>
        <translation>预测落入其他区间 %1</translation>
    </message>
    <message>
        <source>No predictions yet</source>
        <translation>还没有预测</translation>
    </message>
    <message>
        <source>After training, this page shows correct and misclassified images.</source>
        <translation>训练后，此页面显示预测正确和误分类的图像。</translation>
    </message>
    <message>
        <source>Go to Train</source>
        <translation>去训练</translation>
    </message>
    <message>
        <source>No predictions from these weights</source>
        <translation>这些权重没有预测结果</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Misclassified only</source>
        <translation>仅误分类</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>低置信度</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Most confident first</source>
        <translation>置信度高者在前</translation>
    </message>
    <message>
        <source>Least confident first</source>
        <translation>置信度低者在前</translation>
    </message>
    <message>
        <source>Largest loss first</source>
        <translation>损失大者在前</translation>
    </message>
    <message>
        <source>File order</source>
        <translation>文件顺序</translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>The true classes of these images are unknown. Put the images into folders named after their classes to see the confusion matrix.</source>
        <translation>这些图像的真实类别未知。把图像放入以类别命名的文件夹，即可看到混淆矩阵。</translation>
    </message>
    <message>
        <source>Most confused classes</source>
        <translation>最易混淆的类别</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>Misclassified only %1</source>
        <translation>仅误分类 %1</translation>
    </message>
    <message>
        <source>true %1, predicted as %2  ×</source>
        <translation>真实 %1，预测为 %2  ×</translation>
    </message>
    <message>
        <source>Filter: true class %1, predicted as %2. Clear it</source>
        <translation>筛选：真实类别 %1，预测为 %2。清除</translation>
    </message>
    <message>
        <source>There are no images in that folder. Choose another folder.</source>
        <translation>该文件夹中没有图像。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Export predictions</source>
        <translation>导出预测</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Same preprocessing as in training</source>
        <translation>预处理与训练相同</translation>
    </message>
    <message>
        <source>The open project uses a different data set from this run</source>
        <translation>打开的项目与此运行使用的数据集不同</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message>
        <source>Arrow keys move, X excludes, Ctrl+C copies the image, Ctrl+V predicts the image on the clipboard</source>
        <translation>方向键移动，X 排除，Ctrl+C 复制图像，Ctrl+V 预测剪贴板中的图像</translation>
    </message>
    <message>
        <source>Fraction</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>The network computes numbers that are not finite for %1 of %2 images: its training diverged. Choose an earlier checkpoint, or train again with a lower learning rate.</source>
        <translation>网络对 %2 幅图像中的 %1 幅算出了非有限数值：训练已发散。请选择更早的检查点，或降低学习率后重新训练。</translation>
    </message>
</context>
<context>
    <name>nw::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>All available</source>
        <translation>全部可用</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Panels and nodes move without animation.</source>
        <translation>面板和节点移动时不用动画。</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>For new projects; each project stores its own number.</source>
        <translation>用于新项目；每个项目保留自己的数值。</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Choose the folder with data sets</source>
        <translation>选择数据集所在文件夹</translation>
    </message>
    <message>
        <source>Netwright looks for MNIST and CIFAR-10 here.</source>
        <translation>Netwright 在此查找 MNIST 和 CIFAR-10。</translation>
    </message>
    <message>
        <source>Runs folder</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Choose the folder for runs</source>
        <translation>选择存放运行的文件夹</translation>
    </message>
    <message>
        <source>Folder for the results of trainings.</source>
        <translation>训练结果存放之处。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Open the last project</source>
        <translation>打开上次的项目</translation>
    </message>
    <message>
        <source>At startup, with the page and the part of the canvas last shown.</source>
        <translation>启动时恢复上次显示的页面和画布区域。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>nw::ui::ProblemList</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>No problems. The network can be trained.</source>
        <translation>没有问题，可以开始训练。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
</context>
<context>
    <name>nw::ui::ProjectFiles</name>
    <message>
        <source>Save the changes to %1?</source>
        <translation>保存对 %1 的更改吗？</translation>
    </message>
    <message>
        <source>Training runs in a separate process, with the network as it was when training started.</source>
        <translation>训练在独立进程中运行，使用训练启动时的网络。</translation>
    </message>
    <message>
        <source>Without saving, the changes are lost.</source>
        <translation>若不保存，更改将丢失。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Do not save</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>There is no template %1. Choose one of these: %2</source>
        <translation>没有模板 %1。请从以下模板中选择：%2</translation>
    </message>
    <message>
        <source>PNG with the project inside (*.png)</source>
        <translation>带有项目的图片 (*.png)</translation>
    </message>
    <message>
        <source>Drawing for the web and for papers (*.svg)</source>
        <translation>用于网页和论文的矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF page (*.pdf)</source>
        <translation>与图同大的页面 (*.pdf)</translation>
    </message>
    <message>
        <source>Export the drawing</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>The drawing was saved to %1</source>
        <translation>图已保存到 %1</translation>
    </message>
    <message>
        <source>%1 does not exist any more</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <source>Choose data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>The project now trains on %1</source>
        <translation>项目现在用 %1 训练</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Netwright projects (*.netwright)</source>
        <translation>Netwright 项目 (*.netwright)</translation>
    </message>
    <message>
        <source>No project was opened yet</source>
        <translation>还没有打开过项目</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>%1 is neither a project nor a data set. Netwright opens .netwright files, PNG diagrams that it exported, run folders, folders and archives of images, CSV and IDX files, and COCO and VOC annotations.</source>
        <translation>%1 既不是项目也不是数据集。Netwright 可打开 .netwright 文件、由它导出的 PNG 网络图、运行文件夹、图像文件夹和压缩包、CSV 和 IDX 文件，以及 COCO 和 VOC 标注。</translation>
    </message>
    <message>
        <source>The network and the settings of run %1 are a new project.</source>
        <translation>运行 %1 的网络和设置已作为新项目打开。</translation>
    </message>
    <message>
        <source>Open a folder with images, data or a run</source>
        <translation>打开含有图像、数据或训练运行的文件夹</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>Open a project, an ONNX network, a drawing or data</source>
        <translation>打开项目、ONNX 网络、图示或数据</translation>
    </message>
    <message>
        <source>What Netwright opens (*.netwright *.onnx *.png *.csv *.tsv *.json *.zip *.tar *.tgz *.gz *.txt *-ubyte *idx3*);;Netwright projects (*.netwright);;ONNX networks (*.onnx);;PNG drawings with a project (*.png);;All files (*)</source>
        <translation>Netwright 能打开的文件 (*.netwright *.onnx *.png *.csv *.tsv *.json *.zip *.tar *.tgz *.gz *.txt *-ubyte *idx3*);;Netwright 项目 (*.netwright);;ONNX 网络 (*.onnx);;含项目的 PNG 图示 (*.png);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Copy the script</source>
        <translation>复制脚本</translation>
    </message>
    <message>
        <source>This project begins with no trained weights. Train it first, then adapt its run; or choose a file of weights.</source>
        <translation>此项目不从训练好的权重开始。请先训练它，然后将其运行用于您的图像；或选择一个权重文件。</translation>
    </message>
    <message>
        <source>Start from weights…</source>
        <translation>从权重开始…</translation>
    </message>
    <message>
        <source>Save the project first: what is adapted is its file.</source>
        <translation>请先保存项目：使用的是它的文件。</translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>显示问题</translation>
    </message>
    <message>
        <source>Adapt to my images…</source>
        <translation>用于我的图像…</translation>
    </message>
    <message>
        <source>Adapt to a table…</source>
        <translation>用于表格…</translation>
    </message>
    <message>
        <source>TikZ picture for LaTeX (*.tex)</source>
        <translation>LaTeX 的 TikZ 图 (*.tex)</translation>
    </message>
</context>
<context>
    <name>nw::ui::ProofPanel</name>
    <message>
        <source>Readers</source>
        <translation>读取程序</translation>
    </message>
    <message>
        <source>Golden samples</source>
        <translation>标准样本</translation>
    </message>
    <message>
        <source>Prove again</source>
        <translation>重新证明</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Proof of %1</source>
        <translation>%1 的证明</translation>
    </message>
    <message>
        <source>Export it, and this page shows who read the file back and what was computed.</source>
        <translation>导出后，此处显示哪些程序读回了文件以及计算结果。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Max |Δ|</source>
        <translation>最大 |Δ|</translation>
    </message>
    <message>
        <source>Top-1</source>
        <translation>Top-1</translation>
    </message>
    <message>
        <source>One image</source>
        <translation>单张图像</translation>
    </message>
    <message>
        <source>Changed since the proof: %1. Export again, or compare it with what you know of it.</source>
        <translation>证明之后改动：%1。请重新导出，或与您所知的内容比较。</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>证明</translation>
    </message>
</context>
<context>
    <name>nw::ui::QueueList</name>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>第 %1 / %2 轮</translation>
    </message>
    <message>
        <source>, best %1 %</source>
        <translation>，最佳 %1 %</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>项</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>nw::ui::QueuePanel</name>
    <message>
        <source>Nothing waits</source>
        <translation>没有等待的训练</translation>
    </message>
    <message>
        <source>A queue trains one network after another on devices as they become free, also while this window is closed.</source>
        <translation>队列会在设备空闲时逐个训练网络，窗口关闭时也继续。</translation>
    </message>
    <message>
        <source>Add this network</source>
        <translation>加入此网络</translation>
    </message>
    <message>
        <source>Train the open network, as it is now, once its turn comes</source>
        <translation>轮到时，按当前的样子训练打开的网络</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Takes it out of the queue; one that runs stops with a checkpoint. Its run is kept.</source>
        <translation>从队列中移除；正在运行的会保存检查点后停止，其运行会保留。</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Starts nothing more; what runs goes on</source>
        <translation>不再启动新的训练；正在运行的继续</translation>
    </message>
    <message>
        <source>Go on after a restart of the computer</source>
        <translation>电脑重启后继续</translation>
    </message>
    <message>
        <source>At the next login, the queue goes on with what was interrupted</source>
        <translation>下次登录时，队列会继续被中断的训练</translation>
    </message>
    <message>
        <source>The queue cannot be shown</source>
        <translation>无法显示队列</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>启动队列</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 个运行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <source>the queue is paused</source>
        <translation>队列已暂停</translation>
    </message>
    <message>
        <source>Open a project first: the queue trains it.</source>
        <translation>请先打开一个项目：队列会训练它。</translation>
    </message>
    <message>
        <source>The network has problems. Solve them before training.</source>
        <translation>网络有问题，请先解决再训练。</translation>
    </message>
    <message>
        <source>Added to the queue.</source>
        <translation>已加入队列。</translation>
    </message>
</context>
<context>
    <name>nw::ui::RankPanel</name>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Communicating</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>busy %1</source>
        <translation>占用 %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>the others wait for it, %1</source>
        <translation>其他设备在等它，%1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>慢 %1</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices of the run</source>
        <translation>运行的设备</translation>
    </message>
    <message>
        <source>Efficiency beside one device: %1</source>
        <translation>相对单设备的效率：%1</translation>
    </message>
    <message>
        <source>Step: %1</source>
        <translation>步：%1</translation>
    </message>
    <message>
        <source>Energy of an epoch: %1</source>
        <translation>每轮能耗：%1</translation>
    </message>
    <message>
        <source>What each device does appears here about once a second; what the stages of a pipeline do, after each epoch.</source>
        <translation>各设备的工作情况大约每秒在此更新一次；流水线各阶段的工作情况在每轮之后更新。</translation>
    </message>
    <message>
        <source>The other devices wait for %1: %2.</source>
        <translation>其他设备在等待 %1：%2。</translation>
    </message>
    <message>
        <source>Idle share (bubble): %1 predicted</source>
        <translation>空闲占比（流水线空泡）：预计 %1</translation>
    </message>
    <message>
        <source>Idle share (bubble): %1</source>
        <translation>空闲占比（流水线空泡）：%1</translation>
    </message>
    <message>
        <source>Idle share (bubble): %1, predicted %2</source>
        <translation>空闲占比（流水线空泡）：%1，预计 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::RateChart</name>
    <message>
        <source>largest %1</source>
        <translation>最大 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::RecentRow</name>
    <message>
        <source>Project %1</source>
        <translation>项目 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>no runs yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>does not exist any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>● training now</source>
        <translation>● 正在训练</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Remove from this list</source>
        <translation>从列表中移除</translation>
    </message>
</context>
<context>
    <name>nw::ui::RecipeTimer</name>
    <message>
        <source>the trial ended without a step</source>
        <translation>试运行一步也没有完成</translation>
    </message>
</context>
<context>
    <name>nw::ui::RecoveredRow</name>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete the recovered changes of %1</source>
        <translation>删除 %1 的恢复内容</translation>
    </message>
</context>
<context>
    <name>nw::ui::Recovery</name>
    <message>
        <source>Your changes are not protected against a crash: the copy in %1 cannot be written (%2). Save the project now.</source>
        <translation>您的更改在程序崩溃时不受保护：无法写入 %1 中的副本（%2）。请立即保存项目。</translation>
    </message>
</context>
<context>
    <name>nw::ui::RefusalNote</name>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunAdaptation</name>
    <message>
        <source>The images that the network is to learn, a folder for each class</source>
        <translation>网络要学习的图像，每个类别一个文件夹</translation>
    </message>
    <message>
        <source>Adapting %1 to the images in %2…</source>
        <translation>正在使 %1 适应 %2 中的图像…</translation>
    </message>
    <message>
        <source>Adapting was stopped; nothing was written.</source>
        <translation>适应已停止；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>The table with the images that the network is to learn</source>
        <translation>网络要学习的图像的表格</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv)</source>
        <translation>表格 (*.csv *.tsv)</translation>
    </message>
    <message>
        <source>The network has a new last layer, %1; training begins with the weights that it had. First the last layer learns alone, then the others more slowly: see their cards.</source>
        <translation>网络有了新的最后一层 %1；训练从原有权重开始。首先只有最后一层学习，然后其余各层以较小的学习率学习：见各层的卡片。</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunChart</name>
    <message>
        <source>What the chart shows</source>
        <translation>图表显示的内容</translation>
    </message>
    <message>
        <source>The quantity that the chart compares</source>
        <translation>图表比较的量</translation>
    </message>
    <message>
        <source>%1 or R²</source>
        <translation>%1或 R²</translation>
    </message>
    <message>
        <source>Validation R²</source>
        <translation>验证 R²</translation>
    </message>
    <message>
        <source>Training R²</source>
        <translation>训练 R²</translation>
    </message>
    <message>
        <source>What the curves are drawn over</source>
        <translation>曲线的横轴</translation>
    </message>
    <message>
        <source>Energy is that of the GPUs, from their measured power.</source>
        <translation>能耗是 GPU 的能耗，由其实测功率得出。</translation>
    </message>
    <message>
        <source>over</source>
        <translation>按</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunController</name>
    <message>
        <source>A run is already training. Stop it first, or wait until it finishes.</source>
        <translation>已有训练正在进行。请先停止它，或等待其完成。</translation>
    </message>
    <message>
        <source>This run was started outside this window and is still training. Its progress is shown here.</source>
        <translation>此运行已在别处启动并训练中，这里实时显示。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>The training process rejected the request: %1</source>
        <translation>训练进程拒绝了请求：%1</translation>
    </message>
    <message>
        <source>Training did not start: %1</source>
        <translation>训练没有启动：%1</translation>
    </message>
    <message>
        <source>The training process ended without reporting a reason.</source>
        <translation>训练进程已结束，且未报告原因。</translation>
    </message>
    <message>
        <source>The training process was stopped immediately, as requested.</source>
        <translation>训练进程已按请求立即停止。</translation>
    </message>
    <message>
        <source>The training process was ended by %1.</source>
        <translation>训练进程结束，原因：%1。</translation>
    </message>
    <message>
        <source>The training process ended with code %1: %2</source>
        <translation>训练进程以代码 %1 结束：%2</translation>
    </message>
    <message>
        <source>The training process ended with code %1.</source>
        <translation>训练进程以代码 %1 结束。</translation>
    </message>
    <message>
        <source>The last checkpoint is intact: training can be resumed from it.</source>
        <translation>最后的检查点完好：可从该检查点恢复训练。</translation>
    </message>
    <message>
        <source>No checkpoint had been saved yet.</source>
        <translation>它还没有保存过检查点。</translation>
    </message>
    <message numerus="yes">
        <source>The network has %n problem(s). Solve them before training.</source>
        <translation>
            <numerusform>网络有 %n 个问题，请先解决再训练。</numerusform>
        </translation>
    </message>
    <message>
        <source>The data are being opened. Training starts as soon as they are.</source>
        <translation>正在打开数据，打开后立即开始训练。</translation>
    </message>
    <message>
        <source>Do not start</source>
        <translation>不开始</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>训练失败</translation>
    </message>
    <message>
        <source>Training finished</source>
        <translation>训练完成</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunDetails</name>
    <message>
        <source>No run chosen</source>
        <translation>未选择运行</translation>
    </message>
    <message>
        <source>Choose a row to see its settings.</source>
        <translation>选择一行以查看其设置。</translation>
    </message>
    <message>
        <source>Stop the run first</source>
        <translation>请先停止该运行</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>运行的名称</translation>
    </message>
    <message>
        <source>Rename the run; its folder keeps its name</source>
        <translation>重命名运行；其文件夹名称不变</translation>
    </message>
    <message>
        <source>Tags, separated by commas</source>
        <translation>标签，用逗号分隔</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) chosen</source>
        <translation>
            <numerusform>已选择 %n 个运行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunFilter</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n of them pinned above</source>
        <translation>
            <numerusform>，其中 %n 次固定在上方</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: best %2, mean %3</source>
        <translation>%1：最佳 %2，平均 %3</translation>
    </message>
    <message>
        <source>Group %1, %2. %3</source>
        <translation>分组 %1，%2。%3</translation>
    </message>
    <message>
        <source>Expanded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>Collapsed</source>
        <translation>已折叠</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunModel</name>
    <message>
        <source>Show the curve of %1</source>
        <translation>显示 %1 的曲线</translation>
    </message>
    <message>
        <source>Paused: %1</source>
        <translation>已暂停：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunSettingsPanel</name>
    <message>
        <source>Settings of the run</source>
        <translation>运行的设置</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
    <message>
        <source>None yet. Each change is marked on the charts and repeated when the run is replayed.</source>
        <translation>尚无更改。每次更改都会标在曲线图上，重放此运行时也会照样执行。</translation>
    </message>
    <message>
        <source>Set back</source>
        <translation>改回原值</translation>
    </message>
    <message>
        <source>Copy recipe</source>
        <translation>复制配方</translation>
    </message>
    <message>
        <source>The command that trains this run again with all of its changes</source>
        <translation>按全部更改重新训练此运行的命令</translation>
    </message>
    <message>
        <source>Changes in this run</source>
        <translation>此运行中的更改</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) wait(s). The run takes them at its next step.</source>
        <translation>
            <numerusform>%n 项更改待应用，从下一步起生效。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 back to %2</source>
        <translation>%1 改回 %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::RungBars</name>
    <message>
        <source>Rungs</source>
        <translation>阶段</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>+ %1 running</source>
        <translation>+ %1 个进行中</translation>
    </message>
    <message>
        <source>trained to the end</source>
        <translation>训练到底</translation>
    </message>
    <message>
        <source>%1 promoted</source>
        <translation>%1 个已晋级</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Pruned</source>
        <translation>已剪枝</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>nw::ui::RunsPage</name>
    <message>
        <source>%1 is training. Stop it before moving it to the trash.</source>
        <translation>%1 正在训练。移到回收站前请先停止。</translation>
    </message>
    <message>
        <source>%1 was moved to the trash.</source>
        <translation>%1 已移到回收站。</translation>
    </message>
    <message>
        <source>%1 could not be moved to the trash</source>
        <translation>无法把 %1 移到回收站</translation>
    </message>
    <message>
        <source>This disk may have no trash. Deleting permanently cannot be undone.</source>
        <translation>此磁盘可能没有回收站。永久删除无法撤销。</translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>Every run is stored here as a plain folder with its curves, settings and weights.</source>
        <translation>每次训练运行都保存为普通文件夹，其中有曲线、设置和权重。</translation>
    </message>
    <message>
        <source>Go to Train</source>
        <translation>去训练</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>搜索运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation>导出 CSV</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs are plain folders in %1</source>
        <translation>运行是 %1 中的普通文件夹</translation>
    </message>
    <message>
        <source>%1 training now</source>
        <translation>%1 个正在训练</translation>
    </message>
    <message>
        <source>Compare with the open project</source>
        <translation>与当前项目比较</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>%1 could not be moved back to %2. It is still at %3.</source>
        <translation>无法将 %1 移回 %2。它仍在 %3。</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were moved to the trash.</source>
        <translation>
            <numerusform>%n 个运行已移到回收站。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) could not be moved to the trash</source>
        <translation>
            <numerusform>%n 个运行无法移到回收站</numerusform>
        </translation>
    </message>
    <message>
        <source>Not deleted: %1</source>
        <translation>未删除：%1</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>最佳优先</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Choose the columns of the table</source>
        <translation>选择表格的列</translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <translation>按“%1”排序</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 run(s), %3 in the chart</source>
        <translation>
            <numerusform>%2 次运行中的 %1 次，图中 %3 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Words, or a condition such as best_accuracy &gt; 98% and optimizer = adam</source>
        <translation>词语，或条件，例如 best_accuracy &gt; 98% and optimizer = adam</translation>
    </message>
    <message>
        <source>Studies</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Curves or branches</source>
        <translation>曲线或分支</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>Branches stand below the run they began with</source>
        <translation>分支列在它们所始于的运行下方</translation>
    </message>
    <message>
        <source>Branches of %1</source>
        <translation>%1 的分支</translation>
    </message>
    <message>
        <source>best accuracy, over epochs</source>
        <translation>最佳准确率，按轮次</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Saved filters, columns, orders and curves</source>
        <translation>已保存的筛选、列、排序和曲线</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>保存此视图…</translation>
    </message>
    <message>
        <source>Remove a view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>保存此视图</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>There are %1 saved views. Remove one first.</source>
        <translation>已有 %1 个保存的视图。请先删除一个。</translation>
    </message>
    <message>
        <source>There are %1 computed columns. Remove one first.</source>
        <translation>已有 %1 个计算列。请先删除一个。</translation>
    </message>
    <message>
        <source>Add a computed column…</source>
        <translation>添加计算列…</translation>
    </message>
    <message>
        <source>Remove a computed column</source>
        <translation>删除计算列</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Runs of the same value under a header, with the best and the mean of the chart&apos;s quantity</source>
        <translation>把值相同的运行归到一个标题下，并显示图中指标的最佳值和平均值</translation>
    </message>
    <message>
        <source>Groups: %1</source>
        <translation>分组：%1</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Another column</source>
        <translation>其他列</translation>
    </message>
    <message>
        <source>A setting that differs</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>Collapse all groups</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Expand all groups</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>At most %1 runs are pinned. Unpin one first.</source>
        <translation>最多固定 %1 次运行。请先取消固定一次。</translation>
    </message>
    <message>
        <source>Pinned columns of the runs</source>
        <translation>运行表的固定列</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin above all others</source>
        <translation>固定在最上方</translation>
    </message>
    <message>
        <source>Group by this column</source>
        <translation>按此列分组</translation>
    </message>
    <message>
        <source>Pinned runs</source>
        <translation>固定的运行</translation>
    </message>
    <message>
        <source>Runs, studies, the queue or jobs elsewhere</source>
        <translation>运行、研究、队列或别处的作业</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>别处</translation>
    </message>
</context>
<context>
    <name>nw::ui::SamplePanel</name>
    <message>
        <source>Previous image</source>
        <translation>上一张图像</translation>
    </message>
    <message>
        <source>Next image</source>
        <translation>下一张图像</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>No image chosen</source>
        <translation>未选择图像</translation>
    </message>
    <message>
        <source>Image %1</source>
        <translation>图像 %1</translation>
    </message>
    <message>
        <source>own image</source>
        <translation>自己的图像</translation>
    </message>
    <message>
        <source>Choose an image on the left, or a cell of the matrix.</source>
        <translation>在左侧选择图像，或选择矩阵的单元格。</translation>
    </message>
    <message>
        <source>Input, loss %1</source>
        <translation>输入，损失 %1</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>恢复使用</translation>
    </message>
    <message>
        <source>Exclude this image from training and evaluation from the next run on (X)</source>
        <translation>从下一次运行起，训练与评估都不使用此图像 (X)</translation>
    </message>
    <message>
        <source>Similar training images</source>
        <translation>相似的训练图像</translation>
    </message>
</context>
<context>
    <name>nw::ui::SamplePreview</name>
    <message>
        <source>Samples of the data</source>
        <translation>数据样本</translation>
    </message>
    <message>
        <source>This split has no images.</source>
        <translation>此划分中没有图像。</translation>
    </message>
</context>
<context>
    <name>nw::ui::SaveBlockDialog</name>
    <message>
        <source>Save to my palette</source>
        <translation>存入我的组件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>What the block is for, shown when the mouse rests on it in the palette</source>
        <translation>模块的用途，鼠标停在组件列表中的该模块上时显示</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Icon</source>
        <translation>图标</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Letters, digits, _ and . are permitted, beginning with a letter.</source>
        <translation>可用字母、数字、_ 和 .，以字母开头。</translation>
    </message>
</context>
<context>
    <name>nw::ui::SchedulePreview</name>
    <message>
        <source>Learning rate over the run</source>
        <translation>整个运行的学习率</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>epoch 0</source>
        <translation>第 0 轮</translation>
    </message>
    <message>
        <source>epoch %1, ends at %2</source>
        <translation>第 %1 轮，终值 %2</translation>
    </message>
    <message>
        <source>%1: not trained</source>
        <translation>%1：不训练</translation>
    </message>
    <message>
        <source>%1: ×%2</source>
        <translation>%1：×%2</translation>
    </message>
    <message>
        <source>%1: ×%2 from epoch %3</source>
        <translation>%1：×%2，从第 %3 轮起</translation>
    </message>
</context>
<context>
    <name>nw::ui::SearchDialog</name>
    <message>
        <source>Search for settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Find a field</source>
        <translation>查找字段</translation>
    </message>
    <message>
        <source>Fields to search</source>
        <translation>要搜索的字段</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>or a list</source>
        <translation>或列表</translation>
    </message>
    <message>
        <source>Start the search</source>
        <translation>开始搜索</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Tick the fields that may vary, and give each a range or a list. Every trial is a run with other values.</source>
        <translation>勾选可以变化的字段，并为每个字段给出范围或列表。每个试验都是一次取其他值的运行。</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>and</source>
        <translation>以及</translation>
    </message>
    <message>
        <source>Sampler</source>
        <translation>采样器</translation>
    </message>
    <message>
        <source>Pruner</source>
        <translation>剪枝器</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Epochs of a whole trial</source>
        <translation>完整试验的轮数</translation>
    </message>
    <message>
        <source>Trials at the same time</source>
        <translation>同时进行的试验</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Only a study with one objective is pruned.</source>
        <translation>只有单目标研究才会剪枝。</translation>
    </message>
    <message>
        <source>Reading the fields of the project…</source>
        <translation>正在读取项目的字段…</translation>
    </message>
    <message numerus="yes">
        <source>%1 field(s), %2 trials of up to %3 epochs each</source>
        <translation>
            <numerusform>%1 个字段，%2 个试验，每个最多 %3 轮</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::SensitivitySlider</name>
    <message>
        <source>Sensitivity not measured</source>
        <translation>敏感度未测量</translation>
    </message>
    <message>
        <source>Up to %1 % removed costs at most %2 points</source>
        <translation>移除至多 %1 % 时损失不超过 %2 个百分点</translation>
    </message>
    <message>
        <source>sensitivity not measured</source>
        <translation>敏感度未测量</translation>
    </message>
</context>
<context>
    <name>nw::ui::ServeTab</name>
    <message>
        <source>Runs to serve</source>
        <translation>要提供服务的运行</translation>
    </message>
    <message>
        <source>Best, also a newer one</source>
        <translation>最佳，也包括更新的</translation>
    </message>
    <message>
        <source>Latest, also a newer one</source>
        <translation>最新，也包括更新的</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>No token: only this computer</source>
        <translation>无令牌：仅限此计算机</translation>
    </message>
    <message>
        <source>Goes on after the window</source>
        <translation>窗口关闭后继续运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>File with a token</source>
        <translation>令牌文件</translation>
    </message>
    <message>
        <source>Open test page</source>
        <translation>打开测试页</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Take a free port and start</source>
        <translation>改用空闲端口并启动</translation>
    </message>
    <message>
        <source>Requests/s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Requests a second in the last minute</source>
        <translation>最近一分钟每秒请求数</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Log of the server</source>
        <translation>服务器日志</translation>
    </message>
    <message>
        <source>▸ Running</source>
        <translation>▸ 运行中</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>✕ Ended</source>
        <translation>✕ 已结束</translation>
    </message>
    <message>
        <source>This computer only</source>
        <translation>仅限此计算机</translation>
    </message>
    <message>
        <source>Start server</source>
        <translation>启动服务器</translation>
    </message>
    <message>
        <source>Stop server</source>
        <translation>停止服务器</translation>
    </message>
    <message>
        <source>Stop the program that uses port %1, or take another port.</source>
        <translation>请停止占用端口 %1 的程序，或改用其他端口。</translation>
    </message>
    <message>
        <source>Serves %1</source>
        <translation>正在提供：%1</translation>
    </message>
    <message>
        <source>a minute ago</source>
        <translation>一分钟前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>No server runs</source>
        <translation>没有服务器在运行</translation>
    </message>
    <message>
        <source>Server at %1</source>
        <translation>服务器地址 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::ServerBench</name>
    <message>
        <source>The server does not answer the measurement.</source>
        <translation>服务器未响应测量。</translation>
    </message>
</context>
<context>
    <name>nw::ui::Session</name>
    <message>
        <source>%1 is open in %2. It can be changed here and saved under another name.</source>
        <translation>%1 已在%2中打开。可以在这里修改并另存为其他名称。</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>another window (process %1)</source>
        <translation>另一个窗口（进程 %1）</translation>
    </message>
    <message>
        <source>another window (process %1 on %2)</source>
        <translation>另一个窗口（%2 上的进程 %1）</translation>
    </message>
</context>
<context>
    <name>nw::ui::SettingField</name>
    <message>
        <source>%1, slider</source>
        <translation>%1，滑块</translation>
    </message>
    <message>
        <source>Follow the schedule</source>
        <translation>改回按计划</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>waits: %1 → %2</source>
        <translation>待应用：%1 → %2</translation>
    </message>
    <message>
        <source>, %1 → %2 images an update, from the next epoch on</source>
        <translation>，每次更新 %1 → %2 张图像，从下一轮起</translation>
    </message>
    <message>
        <source>applied, holds from the next epoch on</source>
        <translation>已应用，从下一轮起生效</translation>
    </message>
    <message>
        <source>applied, holds from the next step on</source>
        <translation>已应用，从下一步起生效</translation>
    </message>
    <message>
        <source>as scheduled</source>
        <translation>按计划</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>原为 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::SettingsPanel</name>
    <message>
        <source>Choose devices</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The function that training minimizes: the loss layer on the canvas.</source>
        <translation>训练要减小的量；即画布上的损失层。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>There is no loss layer on the canvas yet. Add one.</source>
        <translation>画布上还没有损失层。请添加一个。</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置%1</translation>
    </message>
    <message>
        <source>Change the loss</source>
        <translation>更换损失</translation>
    </message>
    <message>
        <source>Mixed images are shown as a clear mixture. Training also draws weaker ones.</source>
        <translation>混合图像以明显的混合程度显示；训练时也会抽到较弱的混合。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
</context>
<context>
    <name>nw::ui::SettingsWatch</name>
    <message>
        <source>Your settings cannot be used: %1. Netwright starts with default settings and leaves the file as it is.</source>
        <translation>无法使用您的设置：%1。Netwright 以默认设置启动，该文件保持不变。</translation>
    </message>
    <message>
        <source>Your settings cannot be saved: %1 cannot be read or written. They hold until Netwright is closed. Free some space on its disk, or check its permissions.</source>
        <translation>无法保存您的设置：%1 无法读取或写入。这些设置在 Netwright 关闭之前有效。请释放其所在磁盘的空间，或检查其权限。</translation>
    </message>
</context>
<context>
    <name>nw::ui::ShortcutsPage</name>
    <message>
        <source>Search commands or keys</source>
        <translation>搜索命令或按键</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>命令及其按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>不设按键</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部恢复</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1，已更改</translation>
    </message>
    <message>
        <source>%1 is assigned to “%2”. Assigning it here removes it there.</source>
        <translation>%1 属于“%2”。在此指定后，那里将不再使用它。</translation>
    </message>
    <message>
        <source>Included with Netwright: %1</source>
        <translation>默认按键：%1</translation>
    </message>
    <message>
        <source>no keys</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>nw::ui::SmoothingButton</name>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Smoothing of chart %1</source>
        <translation>图表“%1”的平滑</translation>
    </message>
    <message>
        <source>Smoothing: %1</source>
        <translation>平滑：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::SpeedDialog</name>
    <message>
        <source>Speed of predictions</source>
        <translation>预测速度</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>每次图像数</translation>
    </message>
    <message>
        <source>Median, ms</source>
        <translation>中位数，毫秒</translation>
    </message>
    <message>
        <source>99th percentile, ms</source>
        <translation>第 99 百分位，毫秒</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>Speed by device and batch size</source>
        <translation>按设备与每次图像数的速度</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Compare layer by layer…</source>
        <translation>逐层对比…</translation>
    </message>
    <message>
        <source>Compares two devices: the outputs of each layer, loss, speed and energy</source>
        <translation>对比两个设备：每层的输出、损失、速度和能耗</translation>
    </message>
    <message>
        <source>Only one device can compute here</source>
        <translation>这里只有一个设备可以计算</translation>
    </message>
</context>
<context>
    <name>nw::ui::SplitBar</name>
    <message>
        <source>Time of a training step</source>
        <translation>训练步的时间构成</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 微秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>nw::ui::SplitButton</name>
    <message numerus="yes">
        <source>%n problem(s) to solve first</source>
        <translation>
            <numerusform>先要解决 %n 个问题</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::StageList</name>
    <message>
        <source>All layers train from the first epoch. &quot;Freeze up to here&quot; in a layer&apos;s menu on the canvas freezes it and all before it.</source>
        <translation>所有层从第一轮开始训练。画布上层菜单中的“冻结到此层”会冻结该层及其之前的所有层。</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>From epoch</source>
        <translation>起始轮次</translation>
    </message>
    <message>
        <source>The epoch in which the weights begin to be trained; 1 is the first, 0 never.</source>
        <translation>权重开始训练的轮次；1 为第一轮，0 为从不训练。</translation>
    </message>
    <message>
        <source>Rate factor</source>
        <translation>学习率系数</translation>
    </message>
    <message>
        <source>Multiplies the learning rate of the run for these layers.</source>
        <translation>对这些层，与运行的学习率相乘。</translation>
    </message>
    <message>
        <source>Set the first epoch</source>
        <translation>设置起始轮次</translation>
    </message>
    <message>
        <source>Set the rate factor</source>
        <translation>设置学习率系数</translation>
    </message>
</context>
<context>
    <name>nw::ui::StatusBar</name>
    <message>
        <source>● Training</source>
        <translation>● 训练进行中</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Changed since last saved</source>
        <translation>上次保存后有更改</translation>
    </message>
    <message>
        <source>Saved at %1</source>
        <translation>已于 %1 保存</translation>
    </message>
    <message>
        <source>● Training is paused</source>
        <translation>● 训练已暂停</translation>
    </message>
</context>
<context>
    <name>nw::ui::StepLanes</name>
    <message>
        <source>Forward</source>
        <translation>前向传播</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>Exchanging</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Gradients under way</source>
        <translation>传输中的梯度</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 of the exchange while it computed</source>
        <translation>%1 的交换在其计算期间进行</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>Timeline of one step, by device</source>
        <translation>一步的时间线，按设备</translation>
    </message>
    <message>
        <source>%1 of the exchange while devices computed, at the end of epoch %2</source>
        <translation>第 %2 轮结束时，%1 的交换在设备计算期间进行</translation>
    </message>
</context>
<context>
    <name>nw::ui::StepList</name>
    <message>
        <source>Commands there</source>
        <translation>那里的命令</translation>
    </message>
    <message>
        <source>The same version of netwright-cli there</source>
        <translation>那里有相同版本的 netwright-cli</translation>
    </message>
    <message>
        <source>Data there and free disk</source>
        <translation>那里的数据和可用磁盘空间</translation>
    </message>
    <message>
        <source>Copy of the data</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>not done yet</source>
        <translation>尚未进行</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1，共 %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>还需 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::StepStrip</name>
    <message>
        <source>Original</source>
        <translation>原网络</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Undo this step: back to the run before</source>
        <translation>撤销此步骤：回到之前的运行</translation>
    </message>
    <message>
        <source>Go to the step that was undone</source>
        <translation>重做被撤销的步骤</translation>
    </message>
    <message>
        <source>Keep as run</source>
        <translation>保留为运行</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Names the run and removes its tag &quot;draft&quot;</source>
        <translation>为运行命名，并去掉标签“draft”</translation>
    </message>
    <message>
        <source>This run is kept already</source>
        <translation>此运行已保留</translation>
    </message>
</context>
<context>
    <name>nw::ui::StepTimeline</name>
    <message numerus="yes">
        <source>%n micro-batch(es) in %1 order</source>
        <translation>
            <numerusform>%n 个微批次，按 %1 顺序</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 idle %2</source>
        <translation>%1 空闲 %2</translation>
    </message>
    <message>
        <source>One step: %1</source>
        <translation>一步：%1</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
</context>
<context>
    <name>nw::ui::StudiesPanel</name>
    <message>
        <source>No studies yet</source>
        <translation>还没有研究</translation>
    </message>
    <message>
        <source>A study tries many settings of the open project and finds the best ones.</source>
        <translation>研究会尝试当前项目的多种设置，找出其中最好的。</translation>
    </message>
    <message>
        <source>Search for settings…</source>
        <translation>搜索设置…</translation>
    </message>
    <message>
        <source>All studies</source>
        <translation>全部研究</translation>
    </message>
    <message>
        <source>Open a study…</source>
        <translation>打开研究…</translation>
    </message>
    <message>
        <source>This study cannot be shown</source>
        <translation>无法显示此研究</translation>
    </message>
    <message>
        <source>Open a study</source>
        <translation>打开研究</translation>
    </message>
    <message>
        <source>Open a project first: a search tries its settings.</source>
        <translation>请先打开项目：研究会尝试它的设置。</translation>
    </message>
    <message>
        <source>The network has problems. Solve them before searching.</source>
        <translation>网络存在问题，请先解决再搜索。</translation>
    </message>
    <message>
        <source>Continue the study</source>
        <translation>继续研究</translation>
    </message>
    <message>
        <source>Number of trials in all</source>
        <translation>试验总数</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyList</name>
    <message>
        <source>Studies</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Sampler</source>
        <translation>采样器</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyStarter</name>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>The search ended: %1</source>
        <translation>研究已结束：%1</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>代码 %1</translation>
    </message>
    <message>
        <source>The search stops: its trials save checkpoints. Continue goes on with them.</source>
        <translation>研究正在停止：各试验保存检查点。点“继续”可接着进行。</translation>
    </message>
    <message>
        <source>The search has finished.</source>
        <translation>研究已完成。</translation>
    </message>
    <message>
        <source>The search ended before it was done.</source>
        <translation>研究在完成前就结束了。</translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyStrip</name>
    <message numerus="yes">
        <source>%n finished</source>
        <translation>
            <numerusform>%n 个已完成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n 个已暂停</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 个进行中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pruned</source>
        <translation>
            <numerusform>%n 个已剪枝</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on with this study, with more trials if you like</source>
        <translation>继续此研究，也可以增加试验</translation>
    </message>
    <message>
        <source>The study&apos;s folder lacks the project or the space. Continue it with the command that it was begun with.</source>
        <translation>研究的文件夹中缺少项目或搜索空间。请用开始时的命令继续。</translation>
    </message>
    <message>
        <source>Study %1, %2, trial %3 of %4</source>
        <translation>研究 %1，%2，试验 %3 / %4</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>not running</source>
        <translation>未在进行</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>Trial %1 of %2</source>
        <translation>试验 %1 / %2</translation>
    </message>
    <message>
        <source>trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The trials go on where they wait</source>
        <translation>各试验从等待处继续</translation>
    </message>
    <message>
        <source>The trials wait where they are, in memory</source>
        <translation>各试验在内存中原地等待</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyView</name>
    <message>
        <source>Best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>Rungs</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Settings of each trial</source>
        <translation>各试验的设置</translation>
    </message>
    <message>
        <source>drag along an axis to select</source>
        <translation>沿坐标轴拖动可选择</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Contour</source>
        <translation>等高线</translation>
    </message>
    <message>
        <source>Kind of picture</source>
        <translation>图的种类</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>帕累托前沿</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 个试验</numerusform>
        </translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>the best 1 of %1 is promoted</source>
        <translation>每 %1 个中最好的 1 个晋级</translation>
    </message>
    <message>
        <source>%1 of %2 started</source>
        <translation>已开始 %1 / %2</translation>
    </message>
    <message>
        <source>the best: %1</source>
        <translation>最佳：%1</translation>
    </message>
</context>
<context>
    <name>nw::ui::SubmitDialog</name>
    <message>
        <source>Run %1 elsewhere</source>
        <translation>在别处运行 %1</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Checks the place and the data there; copies and starts nothing</source>
        <translation>检查目标位置和那里的数据；不复制也不启动</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Progress of the copy</source>
        <translation>复制进度</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>There is a job of this name already.</source>
        <translation>已有同名的作业。</translation>
    </message>
    <message>
        <source>Stopped. What was copied stays there; Submit goes on with it.</source>
        <translation>已停止。已复制的内容保留在那里；再次提交会接着复制。</translation>
    </message>
</context>
<context>
    <name>nw::ui::SubmitForm</name>
    <message>
        <source>Where</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Name of the job</source>
        <translation>作业名称</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>me@host, or a name of ssh&apos;s configuration</source>
        <translation>me@host，或 ssh 配置中的名称</translation>
    </message>
    <message>
        <source>Data to copy</source>
        <translation>要复制的数据</translation>
    </message>
    <message>
        <source>Data set of this computer; what is missing there is copied</source>
        <translation>本机的数据集；那里缺少的部分会被复制</translation>
    </message>
    <message>
        <source>Data there</source>
        <translation>那里的数据</translation>
    </message>
    <message>
        <source>Data set where the training runs</source>
        <translation>训练所在之处的数据集</translation>
    </message>
    <message>
        <source>Training options</source>
        <translation>训练选项</translation>
    </message>
    <message>
        <source>Beside the project&apos;s settings, such as --epochs 3</source>
        <translation>项目设置之外的选项，例如 --epochs 3</translation>
    </message>
    <message>
        <source>Folder there</source>
        <translation>那里的文件夹</translation>
    </message>
    <message>
        <source>Program there</source>
        <translation>那里的程序</translation>
    </message>
    <message>
        <source>Configuration of ssh</source>
        <translation>ssh 配置文件</translation>
    </message>
    <message>
        <source>your own</source>
        <translation>您自己的配置</translation>
    </message>
    <message>
        <source>Mounted here</source>
        <translation>本机挂载点</translation>
    </message>
    <message>
        <source>Where the job&apos;s folder there is mounted on this computer; empty: nowhere</source>
        <translation>那里的作业文件夹在本机的挂载位置；留空表示未挂载</translation>
    </message>
    <message>
        <source>as the system has it</source>
        <translation>由系统决定</translation>
    </message>
</context>
<context>
    <name>nw::ui::TabbedPanel</name>
    <message>
        <source>Hide this panel</source>
        <translation>隐藏此面板</translation>
    </message>
</context>
<context>
    <name>nw::ui::TableTargetsDialog</name>
    <message>
        <source>Adapt</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>What the network is to learn from %1</source>
        <translation>网络要从 %1 学习什么</translation>
    </message>
    <message>
        <source>What the table gives for each image</source>
        <translation>表格为每个图像给出什么</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The table gives for each image</source>
        <translation>表格为每个图像给出</translation>
    </message>
    <message>
        <source>in the columns</source>
        <translation>所在的列</translation>
    </message>
    <message>
        <source>%1 (such as %2)</source>
        <translation>%1（例如 %2）</translation>
    </message>
    <message>
        <source>Choose a column.</source>
        <translation>请选择一列。</translation>
    </message>
</context>
<context>
    <name>nw::ui::TeacherField</name>
    <message>
        <source>Teacher</source>
        <translation>教师网络</translation>
    </message>
    <message>
        <source>A trained run whose answers the network learns, on the same augmented images.</source>
        <translation>已训练的运行；本网络在同样增强的图像上学习它的输出。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Both networks&apos; scores are divided by it: the higher, the softer the answers.</source>
        <translation>两个网络的得分都除以温度：温度越高，输出越平缓。</translation>
    </message>
    <message>
        <source>Weight of the teacher</source>
        <translation>教师权重</translation>
    </message>
    <message>
        <source>Share of the teacher&apos;s answers in the target; the labels have the rest.</source>
        <translation>教师输出在目标中所占的比例，其余为标签。</translation>
    </message>
    <message>
        <source>Set the temperature</source>
        <translation>设置温度</translation>
    </message>
    <message>
        <source>Set the weight of the teacher</source>
        <translation>设置教师权重</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Teacher: %1</source>
        <translation>教师网络：%1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Train without a teacher</source>
        <translation>不使用教师网络训练</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <source>Choose a trained run</source>
        <translation>选择已训练的运行</translation>
    </message>
    <message>
        <source>Choose a teacher</source>
        <translation>选择教师网络</translation>
    </message>
</context>
<context>
    <name>nw::ui::TemplateCard</name>
    <message>
        <source>Template %1: %2</source>
        <translation>模板 %1：%2</translation>
    </message>
    <message>
        <source>Open and train</source>
        <translation>打开并训练</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加运算</translation>
    </message>
    <message>
        <source>Needs your photos</source>
        <translation>需要自备照片</translation>
    </message>
</context>
<context>
    <name>nw::ui::TestTab</name>
    <message>
        <source>Watched folder</source>
        <translation>监视的文件夹</translation>
    </message>
    <message>
        <source>Folder with pictures</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>Predicted pictures, newest first</source>
        <translation>已预测的图片，最新在前</translation>
    </message>
    <message>
        <source>Latency, in milliseconds</source>
        <translation>延迟（毫秒）</translation>
    </message>
    <message>
        <source>Histogram of latencies</source>
        <translation>延迟直方图</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Images a second</source>
        <translation>每秒图像数</translation>
    </message>
    <message>
        <source>What</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Batch 1</source>
        <translation>批量 1</translation>
    </message>
    <message>
        <source>Batch 8</source>
        <translation>批量 8</translation>
    </message>
    <message>
        <source>Batch 64</source>
        <translation>批量 64</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>没有这个文件夹。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Stop watching</source>
        <translation>停止监视</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>Waits for pictures</source>
        <translation>等待图片</translation>
    </message>
    <message>
        <source>Pictures that arrive in the folder are predicted at once.</source>
        <translation>到达文件夹的图片会立即被预测。</translation>
    </message>
    <message>
        <source>%1 predicted · p50 %2 · p99 %3 · %4 waiting · %5 not readable</source>
        <translation>已预测 %1 · p50 %2 · p99 %3 · 等待 %4 · 无法读取 %5</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>CPU, 1 thread</source>
        <translation>CPU，1 个线程</translation>
    </message>
    <message>
        <source>Watches %1</source>
        <translation>正在监视 %1</translation>
    </message>
    <message>
        <source>No folder is watched</source>
        <translation>未监视文件夹</translation>
    </message>
    <message>
        <source>Images a second of each measured run, of the running server, and of C libraries and bundles as their proofs timed them.</source>
        <translation>每个已测运行、正在运行的服务器的每秒图像数，以及 C 库和部署包在证明时测得的值。</translation>
    </message>
    <message>
        <source>Server: %1</source>
        <translation>服务器：%1</translation>
    </message>
    <message>
        <source>HTTP, 1 client</source>
        <translation>HTTP，1 个客户端</translation>
    </message>
</context>
<context>
    <name>nw::ui::TextPane</name>
    <message>
        <source>The network as text</source>
        <translation>文本形式的网络</translation>
    </message>
    <message>
        <source>Edit as text</source>
        <translation>以文本编辑</translation>
    </message>
    <message>
        <source>One layer per line; its input is the line above or the layers after &lt;-</source>
        <translation>每行一个网络层，输入来自上一行或 &lt;- 之后的层</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>The network has changed</source>
        <translation>网络已被修改</translation>
    </message>
    <message>
        <source>Take the network&apos;s text</source>
        <translation>采用网络的文本</translation>
    </message>
    <message>
        <source>Ctrl+Z brings back what was typed</source>
        <translation>按 Ctrl+Z 可恢复已输入的内容</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的文本</translation>
    </message>
    <message>
        <source>The network becomes what this text describes</source>
        <translation>网络将变为此文本所描述的样子</translation>
    </message>
</context>
<context>
    <name>nw::ui::TintLegend</name>
    <message>
        <source>This run has no layer statistics yet</source>
        <translation>此训练运行尚无层统计</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>update ratio</source>
        <translation>更新比</translation>
    </message>
</context>
<context>
    <name>nw::ui::ToolStrip</name>
    <message>
        <source>Select and move</source>
        <translation>选择和移动</translation>
    </message>
    <message>
        <source>Add a layer</source>
        <translation>添加网络层</translation>
    </message>
    <message>
        <source>Draw a frame</source>
        <translation>画分组框</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写便签</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>缩放到 100 %</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Lay out</source>
        <translation>自动排列</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Show: names only</source>
        <translation>显示：仅名称</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>显示：%1</translation>
    </message>
    <message>
        <source>Shapes on connections</source>
        <translation>连接上的形状</translation>
    </message>
    <message>
        <source>Parameters on cards</source>
        <translation>卡片上的参数量</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>热度</translation>
    </message>
    <message>
        <source>Outputs for a sample image</source>
        <translation>对示例图像的输出</translation>
    </message>
</context>
<context>
    <name>nw::ui::TopBar</name>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Search or command</source>
        <translation>搜索或命令</translation>
    </message>
    <message>
        <source>There are changes that are not saved yet</source>
        <translation>有尚未保存的更改</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Heatmap</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Open an example</source>
        <translation>打开示例</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrackedSampleFeed</name>
    <message>
        <source>The tracked samples are predicted for the first time when training starts.</source>
        <translation>训练开始时首次预测跟踪样本。</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrackedSampleGrid</name>
    <message>
        <source>Tracked samples</source>
        <translation>跟踪样本</translation>
    </message>
    <message>
        <source>Image %1: %2</source>
        <translation>图像 %1：%2</translation>
    </message>
    <message>
        <source>predicted as %1, %2</source>
        <translation>预测为 %1，%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrackedSamplePanel</name>
    <message>
        <source>Tracked samples</source>
        <translation>跟踪样本</translation>
    </message>
    <message>
        <source>%1 of %2 correct at step %3</source>
        <translation>第 %3 步：%2 个中 %1 个正确</translation>
    </message>
    <message>
        <source>%1, predicted as %2: %3</source>
        <translation>%1，预测为 %2：%3</translation>
    </message>
    <message>
        <source>%1, the true class: %2</source>
        <translation>%1，真实类别：%2</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrackedSampleTimeline</name>
    <message>
        <source>Training steps</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrainButtons</name>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>等待中…</translation>
    </message>
    <message>
        <source>Training starts as soon as the data are open</source>
        <translation>数据打开后立即开始训练</translation>
    </message>
    <message>
        <source>Do not start</source>
        <translation>不开始</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrainFurtherDialog</name>
    <message>
        <source>Train %1 further</source>
        <translation>继续训练 %1</translation>
    </message>
    <message>
        <source>Further epochs</source>
        <translation>增加的轮数</translation>
    </message>
    <message>
        <source>Train further</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The run has trained %1 epochs. It goes on from its last checkpoint until epoch %2, with its own settings and data.</source>
        <translation>该运行已训练 %1 轮。它将从最后一个检查点继续训练到第 %2 轮，设置和数据不变。</translation>
    </message>
    <message>
        <source>The learning rate goes on at %1.</source>
        <translation>学习率从 %1 继续。</translation>
    </message>
    <message>
        <source>The schedule of the learning rate now ends with epoch %1 instead of %2, so the rate goes on at %3.</source>
        <translation>学习率调度现在于第 %1 轮结束，而不是第 %2 轮，因此学习率从 %3 继续。</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrainPage</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Tracked samples</source>
        <translation>跟踪样本</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>Press Train: loss, accuracy and the load of this computer appear here as they are measured.</source>
        <translation>按“训练”：损失、准确率和本机负载会随测量显示在这里。</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Another run is training</source>
        <translation>另一个运行正在训练</translation>
    </message>
    <message>
        <source>Safe to close: training runs in a separate process</source>
        <translation>可以放心关闭：训练在独立进程中运行</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>计划内存</translation>
    </message>
    <message>
        <source>Training images</source>
        <translation>训练图像</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Layer statistics</source>
        <translation>层统计</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>What is shown of the run</source>
        <translation>显示运行的哪些内容</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>网络层</translation>
    </message>
    <message>
        <source>Show the network</source>
        <translation>显示网络</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message numerus="yes">
        <source>%n kept</source>
        <translation>
            <numerusform>保留 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Branch from %1…</source>
        <translation>从%1建立分支…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings can be changed while this window trains the run.</source>
        <translation>此窗口训练该运行时才能更改设置。</translation>
    </message>
    <message>
        <source>Copied: the command that trains this run again with all of its changes</source>
        <translation>已复制：按全部更改重新训练此运行的命令</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Events, tracked samples, settings or devices of the run</source>
        <translation>运行的事件、跟踪样本、设置或设备</translation>
    </message>
</context>
<context>
    <name>nw::ui::TransformList</name>
    <message>
        <source>Add a transform</source>
        <translation>添加变换</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>上移 %1</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>下移 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrialPanel</name>
    <message>
        <source>Chosen trial</source>
        <translation>所选试验</translation>
    </message>
    <message>
        <source>Differs from the best</source>
        <translation>与最佳的差别</translation>
    </message>
    <message>
        <source>Train the best again with 5 seeds</source>
        <translation>用 5 个种子重新训练最佳试验</translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Open network</source>
        <translation>打开网络</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>No trial is chosen</source>
        <translation>未选择试验</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>在前沿上</translation>
    </message>
    <message>
        <source>Trial %1, %2</source>
        <translation>试验 %1，%2</translation>
    </message>
    <message>
        <source>Time: %1</source>
        <translation>时间：%1</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Differs from trial %1</source>
        <translation>与试验 %1 的差别</translation>
    </message>
    <message>
        <source>Gives the spread of trial %1: how much of its value is chance.</source>
        <translation>给出试验 %1 的波动：其结果有多少出于偶然。</translation>
    </message>
    <message numerus="yes">
        <source>Trial %1 with %n other seed(s): %2 ± %3, from %4 to %5.</source>
        <translation>
            <numerusform>试验 %1 用另外 %n 个种子：%2 ± %3，从 %4 到 %5。</numerusform>
        </translation>
    </message>
    <message>
        <source>The study is running.</source>
        <translation>研究正在进行。</translation>
    </message>
    <message>
        <source>The study&apos;s folder lacks the project or the space.</source>
        <translation>研究的文件夹中缺少项目或搜索空间。</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrialTable</name>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
</context>
<context>
    <name>nw::ui::TrialTableModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>过程</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Rungs</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>nw::ui::WeightStart</name>
    <message>
        <source>The weights that training begins with</source>
        <translation>训练开始时所用的权重</translation>
    </message>
    <message>
        <source>Weights (*.safetensors);;All files (*)</source>
        <translation>权重 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The network was changed meanwhile. Choose the weights again.</source>
        <translation>网络在此期间已更改。请重新选择权重。</translation>
    </message>
    <message>
        <source>Start from weights</source>
        <translation>从权重开始</translation>
    </message>
    <message numerus="yes">
        <source>Training begins with %n weight(s) of %1.</source>
        <translation>
            <numerusform>训练从 %1 的 %n 个权重开始。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::WeightsField</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>balanced</source>
        <translation>均衡</translation>
    </message>
</context>
<context>
    <name>nw::ui::WeightsList</name>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1, %2, epoch %3</source>
        <translation>%1，%2，第 %3 轮</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <translation>%1   %2</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Step %1, epoch %2</source>
        <translation>第 %1 步，第 %2 轮</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>nw::ui::WelcomePage</name>
    <message>
        <source>Use a folder of images</source>
        <translation>使用图像文件夹</translation>
    </message>
    <message>
        <source>Choose a folder with one subfolder per class</source>
        <translation>选择文件夹，每个类别一个子文件夹</translation>
    </message>
    <message>
        <source>Start from a template</source>
        <translation>从模板开始</translation>
    </message>
    <message>
        <source>Search templates</source>
        <translation>搜索模板</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Projects you open or save are listed here.</source>
        <translation>打开或保存过的项目会列在这里。</translation>
    </message>
    <message>
        <source>Unsaved work from the last session</source>
        <translation>上次会话中未保存的内容</translation>
    </message>
    <message>
        <source>Each template comes with a matching data set: press Train to start. Photo templates need a folder of your own images.</source>
        <translation>每个模板都已配好匹配的数据集：点击“训练”即可开始。照片模板需要您自己的图像文件夹。</translation>
    </message>
    <message>
        <source>Open an example</source>
        <translation>打开示例</translation>
    </message>
</context>
<context>
    <name>nw::ui::WhatsThis</name>
    <message>
        <source>More in the user guide</source>
        <translation>用户指南中的更多说明</translation>
    </message>
    <message>
        <source>There is nothing to explain here. Click a control first, or press F1 for the user guide.</source>
        <translation>这里没有可解释的内容。请先点击一个控件，或按 F1 打开用户指南。</translation>
    </message>
    <message>
        <source>The user guide is not installed. The package netwright-doc holds it.</source>
        <translation>用户指南尚未安装，软件包 netwright-doc 中含有它。</translation>
    </message>
</context>
<context>
    <name>nw::ui::WhySlow</name>
    <message>
        <source>one step, mean of the last measured steps</source>
        <translation>单步，最近所测各步的平均值</translation>
    </message>
    <message>
        <source>up to +%1</source>
        <translation>最多 +%1</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间花在哪里</translation>
    </message>
</context>
<context>
    <name>nw::ui::WindowHost</name>
    <message>
        <source>Unsaved work of an earlier session cannot be offered: %1. The file stays where it is; start Netwright again once it can be read.</source>
        <translation>无法提供早先会话中未保存的工作：%1。该文件保留在原处；待其可以读取时，请重新启动 Netwright。</translation>
    </message>
    <message>
        <source>Netwright failed to start %1 times in a row. It now starts without a project and with default settings; your projects and settings are unchanged.</source>
        <translation>Netwright 已连续 %1 次启动失败。现在以默认设置启动且不打开项目；您的项目和设置未改动。</translation>
    </message>
    <message>
        <source>Safe mode: Netwright starts without a project and with default settings; your projects and settings are unchanged.</source>
        <translation>安全模式：Netwright 以默认设置启动且不打开项目；您的项目和设置未改动。</translation>
    </message>
    <message>
        <source>Open the requested project</source>
        <translation>打开所请求的项目</translation>
    </message>
    <message>
        <source>A project has unsaved changes from the last session</source>
        <translation>上次会话有一个项目未保存</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>A run is training</source>
        <translation>有一个训练正在运行</translation>
    </message>
    <message>
        <source>New here? Seven steps lead to your first trained network.</source>
        <translation>初次使用？七个步骤带您训练出第一个网络。</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>带我看看</translation>
    </message>
    <message>
        <source>An internal error occurred (%1). Your work has been saved for recovery. Save the project and restart Netwright.</source>
        <translation>发生内部错误（%1）。您的工作已保存，可以恢复。请保存项目并重新启动 Netwright。</translation>
    </message>
    <message>
        <source>An internal error occurred (%1). Save the project and restart Netwright.</source>
        <translation>发生内部错误（%1）。请保存项目并重新启动 Netwright。</translation>
    </message>
</context>
<context>
    <name>nw::ui::WrittenView</name>
    <message>
        <source>What would be written</source>
        <translation>将写入的内容</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
</TS>
