#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale batch`, killed at random moments and begun again, until it is done:
# nothing is lost, doubled or torn. The test of the command with more kills.
#
# KILLS (300): how many; of 1,000, TIME_LIMIT has to be high

KILLS=${KILLS:-300} exec "${0%/*}/../system/test_batch.sh"
