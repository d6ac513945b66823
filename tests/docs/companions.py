# SPDX-License-Identifier: Apache-2.0
"""What must go on, or be there, while commands of the guide and of the help run."""
import background
import other_machines

# the commands begin so
COMPANIONS = (("netwright-cli control RUN_DIR", background.while_training), ("netwright-cli infer-server", background.while_serving),
              ("netwright-cli submit lenet5.netwright --to ssh:HOST", other_machines.on_a_host),
              ("netwright-cli train lenet5.netwright --device cuda:0\n", other_machines.on_a_gpu))


def companion_of(body):
    """A function of the commands, of what runs them, of their folder and of their environment; None: they need nothing."""
    return next((companion for words, companion in COMPANIONS if body.startswith(words)), None)
