# SPDX-License-Identifier: MIT
"""A placeholder."""


def fill(module):
    module.x = 1
