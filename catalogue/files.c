/* SPDX-License-Identifier: MIT */
/*
 * files.c - what files were converted from.
 */
#include "catalogue/files.h"

const char *
charset_text(enum charset charset, bool is_repaired)
{
	static const char *const texts[CHARSET_NR][2] = {
		[CHARSET_UTF8] = { NULL, "invalid UTF-8" },
		[CHARSET_UTF16_LE] = { "UTF-16LE", "invalid UTF-16LE" },
		[CHARSET_UTF16_BE] = { "UTF-16BE", "invalid UTF-16BE" },
		[CHARSET_UNMARKED_LE] = { "unmarked UTF-16LE",
					  "invalid unmarked UTF-16LE" },
		[CHARSET_UNMARKED_BE] = { "unmarked UTF-16BE",
					  "invalid unmarked UTF-16BE" },
		/* of which each byte is a character */
		[CHARSET_WESTERN] = { "windows-1252", NULL },
		[CHARSET_GB18030] = { "GB18030", "invalid GB18030" },
		[CHARSET_SHIFT_JIS] = { "Shift_JIS", "invalid Shift_JIS" },
		[CHARSET_EUC_KR] = { "EUC-KR", "invalid EUC-KR" },
		[CHARSET_CYRILLIC] = { "windows-1251", "invalid windows-1251" },
		[CHARSET_WITH_BASE64] = { "text with base64",
					  "text with base64" },
		[CHARSET_LARGE_DATA] = { "more data", "more data" },
		[CHARSET_NOTEBOOK] = { "a notebook", "a notebook" },
		[CHARSET_WITH_SECRETS] = { "text with secrets",
					   "text with secrets" },
	};

	return charset < CHARSET_NR ? texts[charset][is_repaired] : NULL;
}

const char *
charset_name(const struct file_record *file)
{
	enum charset charset = file->has_secrets ? CHARSET_WITH_SECRETS
						 : (enum charset)file->charset;

	return charset_text(charset, (file->flags & MARK_REPAIRED) != 0);
}
