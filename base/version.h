/* SPDX-License-Identifier: MIT */
/*
 * version.h - which bale this is.
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define BALE_VERSION "0.1.0"

#endif
