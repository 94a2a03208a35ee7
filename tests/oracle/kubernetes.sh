#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Jobs of contrib/k8s by the schemas of Kubernetes itself, the oldest version
# that they are for and those that kubernetes-validate (pip) has; without it the
# test is skipped.

command -v kubernetes-validate >/dev/null || exit 77
kubernetes-validate --quiet --strict contrib/k8s/*.yaml &&
	kubernetes-validate --quiet --strict -k 1.29 contrib/k8s/*.yaml
