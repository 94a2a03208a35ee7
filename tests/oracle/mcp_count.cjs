// SPDX-License-Identifier: MIT
/*
 * Tokens of files in o200k_base by tiktoken, a number a line.
 *
 * mcp_count.cjs MODULES FILE...
 */
"use strict";

const fs = require("fs");
const path = require("path");

const [, , modules, ...files] = process.argv;
const { get_encoding } = require(path.resolve(modules, "node_modules/tiktoken"));
const encoding = get_encoding("o200k_base");

for (const file of files)
	console.log(encoding.encode_ordinary(fs.readFileSync(file, "utf8")).length);
