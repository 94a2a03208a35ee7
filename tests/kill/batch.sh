#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale batch`, killed at random moments and begun again, until it is done:
# nothing is lost, doubled or torn. The test of the command with more kills.
#
# KILLS (1000): how many

KILLS=${KILLS:-1000} exec "${0%/*}/../system/test_batch.sh"
