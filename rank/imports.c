/* SPDX-License-Identifier: MIT */
/*
 * imports.c - the files of a tree, and what each imports, counted.
 */
#include "rank/imports.h"

#include <string.h>

#include "base/hash.h"
#include "lang/facts.h"
#include "lang/lang.h"
#include "rank/imports_find.h"

#define NODES_PER_FILE 6
#define MEMBERS_PER_FILE 2
#define DIRS_PER_FILE 2
#define DIR_BITS_PER_FILE 8
#define MORE 1024 /* for what few files have much of */
#define NAME_BYTES_MAX 512

/* By suffix. */
static const struct {
	const char *suffixes; /* blanks between */
	uint8_t how;
} importers[] = {
#define LANG(id, name, fence, suffixes, names, shebangs, imports, importers, \
	     ...)                                                            \
	{ importers, IMPORTS_##imports },
#define NAMED(...)
#include "lang/lang.def"
#undef LANG
#undef NAMED
};

/* Of C and its system: in no tree, if it stands between angle brackets. */
static const char standards[] =
	"assert.h complex.h ctype.h dirent.h dlfcn.h errno.h fcntl.h fenv.h "
	"float.h fnmatch.h getopt.h glob.h grp.h iconv.h inttypes.h iso646.h "
	"langinfo.h libgen.h limits.h locale.h malloc.h math.h memory.h "
	"netdb.h poll.h pthread.h pwd.h regex.h sched.h semaphore.h setjmp.h "
	"signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h "
	"stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h syslog.h "
	"termios.h tgmath.h threads.h time.h uchar.h unistd.h utime.h "
	"wchar.h wctype.h windows.h arpa/inet.h net/if.h netinet/in.h "
	"netinet/tcp.h sys/epoll.h sys/file.h sys/ioctl.h sys/mman.h "
	"sys/param.h sys/resource.h sys/select.h sys/socket.h sys/stat.h "
	"sys/statvfs.h sys/syscall.h sys/sysinfo.h sys/time.h sys/times.h "
	"sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h";

/* The directories that these are in. */
static const char standard_dirs[] = "arpa net netinet sys";

static uint32_t
at_most(uint64_t nr)
{
	return (uint32_t)min_u64(nr, INT32_MAX);
}

/* How many there may be of each. */
static void
size_up(struct imports *imports, uint64_t file_nr)
{
	imports->names.max = at_most(file_nr * NODES_PER_FILE + MORE);
	imports->members.max = at_most(file_nr * MEMBERS_PER_FILE + MORE);
	imports->dir_max = at_most(file_nr * DIRS_PER_FILE + MORE);
	imports->dir_bit_nr = 64;
	while (imports->dir_bit_nr / DIR_BITS_PER_FILE < file_nr)
		imports->dir_bit_nr *= 2;
}

/* Where the next `nr` of `size` bytes lie in the memory. */
static void *
place(uint8_t **memory, uint64_t nr, size_t size)
{
	uint8_t *at = *memory;

	*memory += round_up_u64(nr * size, 8);
	return at;
}

/* Lays everything out from the start of the memory; returns the end of it. */
static uint8_t *
lay_out(struct imports *imports, uint8_t *memory)
{
	uint32_t file_nr = imports->tree.file_nr;
	struct imports_index *names = &imports->names;
	struct imports_index *members = &imports->members;

#define PLACE(nr, of) place(&memory, (nr), sizeof(*(of)))
	imports->known = PLACE(IMPORTS_KNOWN, imports->known);
	imports->configs = PLACE(IMPORTS_CONFIGS, imports->configs);
	imports->aliases = PLACE(IMPORTS_ALIASES, imports->aliases);
	imports->alias_text = PLACE(IMPORTS_ALIAS_TEXT, imports->alias_text);
	imports->dirs = PLACE(imports->dir_max, imports->dirs);
	imports->dir_bits = PLACE(imports->dir_bit_nr / 64, imports->dir_bits);
	imports->dir_of = PLACE(file_nr, imports->dir_of);
	names->nodes = PLACE(names->max, names->nodes);
	names->starts = PLACE(imports_index_starts(names->max), names->starts);
	members->nodes = PLACE(members->max, members->nodes);
	members->starts =
		PLACE(imports_index_starts(members->max), members->starts);
	imports->files = PLACE(file_nr, imports->files);
	imports->groups = PLACE(members->max, imports->groups);
#undef PLACE
	return memory;
}

uint64_t
imports_bytes(uint32_t file_nr)
{
	static uint8_t none[1];
	struct imports imports = { .tree = { .file_nr = file_nr } };

	size_up(&imports, file_nr);
	return (uint64_t)(lay_out(&imports, none) - none);
}

void
imports_init(struct imports *imports, const struct imports_tree *tree,
	     void *memory)
{
	*imports = (struct imports){ .tree = *tree };
	size_up(imports, tree->file_nr);
	lay_out(imports, memory);
	imports_dir_begin(imports);
}

static enum imports_how
how_of(const uint8_t *path, size_t bytes)
{
	const uint8_t *dot = memrchr(path, '.', bytes);
	size_t nr;

	if (dot == NULL)
		return IMPORTS_OTHER;
	nr = (size_t)(path + bytes - dot) - 1;
	for (size_t i = 0; i < ARRAY_LEN(importers); i++)
		if (*importers[i].suffixes != '\0' &&
		    lang_word(importers[i].suffixes, dot + 1, nr, NULL))
			return (enum imports_how)importers[i].how;
	return IMPORTS_OTHER;
}

void
imports_file(struct imports *imports, uint32_t file_idx)
{
	imports->file_idx = file_idx;
	imports->path = imports->tree.path(imports->tree.context, file_idx,
					   &imports->path_bytes);
	imports->dir_bytes =
		imports_dir_bytes(imports->path, imports->path_bytes);
	imports->how = how_of(imports->path, imports->path_bytes);
	imports->dir = imports->dir_of[file_idx];
}

/* ---- adding ------------------------------------------------------------- */

static struct imports_text
name_of(const struct imports *imports)
{
	return (struct imports_text){ imports->path + imports->dir_bytes,
				      imports->path_bytes -
					      imports->dir_bytes };
}

static void
keep(struct imports *imports, enum imports_key key, const uint8_t *text,
     size_t bytes)
{
	imports_keep(imports, imports_hash(key, text, bytes),
		     imports->file_idx);
}

/* Its name, and its name with that of its directory. */
static void
add_ends(struct imports *imports)
{
	size_t dir = imports->dir_bytes;
	size_t from = dir == 0 ? 0 : imports_dir_bytes(imports->path, dir - 1);

	keep(imports, KEY_NAME, imports->path + dir, imports->path_bytes - dir);
	if (dir > 0)
		keep(imports, KEY_END, imports->path + from,
		     imports->path_bytes - from);
}

/*
 * A package of Java lies in directories of its name, below one of a name
 * like "java"; its files say so, too, but not all in their first lines.
 */
static void
add_java_package(struct imports *imports)
{
	static const char *const roots[] = { "java", "kotlin", "scala",
					     "groovy", "src" };
	size_t end = imports->dir_bytes;
	uint8_t name[NAME_BYTES_MAX];
	size_t at = end;

	while (at > 0) {
		size_t from = imports_dir_bytes(imports->path, at - 1);
		struct imports_text part = { imports->path + from,
					     at - 1 - from };

		for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
			if (!imports_text_is(part, roots[i]) || at == end ||
			    end - 1 - at > sizeof(name))
				continue;
			for (size_t c = at; c < end - 1; c++)
				name[c - at] = imports->path[c] == '/'
						       ? '.'
						       : imports->path[c];
			imports_join_group(
				imports,
				imports_hash(KEY_PACKAGE, name, end - 1 - at));
			return;
		}
		at = from;
	}
}

void
imports_add(struct imports *imports)
{
	imports->dir = imports_dir_enter(imports);
	imports->dir_of[imports->file_idx] = imports->dir;
	imports->last_dir = imports->dir;
	imports_keep(imports,
		     imports_hash_path(imports->path, imports->path_bytes),
		     imports->file_idx);
	switch (imports->how) {
	case IMPORTS_JAVA:
		add_java_package(imports);
		add_ends(imports);
		break;
	case IMPORTS_C:
	case IMPORTS_RUBY:
	case IMPORTS_PHP:
	case IMPORTS_DOTTED:
		add_ends(imports);
		break;
	case IMPORTS_GO:
		if (!imports_ends(name_of(imports), "_test.go"))
			imports_join_group(imports,
					   imports_hash(KEY_DIR, imports->path,
							imports->dir_bytes));
		break;
	case IMPORTS_SCRIPT:
	case IMPORTS_PYTHON:
	case IMPORTS_RUST:
	case IMPORTS_CSHARP:
	case IMPORTS_OTHER:
		break;
	}
}

/* tokio-util is tokio_util where it is used. */
static void
add_crate(struct imports *imports, const uint8_t *name, size_t bytes)
{
	uint8_t crate[NAME_BYTES_MAX];

	if (bytes > sizeof(crate))
		return;
	for (size_t i = 0; i < bytes; i++)
		crate[i] = name[i] == '-' ? '_' : name[i];
	keep(imports, KEY_CRATE, crate, bytes);
}

void
imports_add_package(struct imports *imports, const uint8_t *name, size_t bytes)
{
	struct imports_text file = name_of(imports);

	bool is_setting = imports_text_is(file, "package.json") && bytes > 1 &&
			  name[0] == '"';

	if (imports_is_config(file) || (is_setting && name[1] == '#'))
		imports_add_config(imports,
				   (struct imports_text){ name, bytes });
	else if (imports_text_is(file, "go.mod"))
		keep(imports, KEY_MODULE, name, bytes);
	else if (imports_text_is(file, "package.json") && !is_setting)
		keep(imports, KEY_NPM, name, bytes);
	else if (imports_text_is(file, "Cargo.toml") &&
		 memchr(name, '=', bytes) == NULL)
		add_crate(imports, name, bytes);
	else if (imports->how == IMPORTS_CSHARP || imports->how == IMPORTS_JAVA)
		imports_join_group(imports,
				   imports_hash(KEY_PACKAGE, name, bytes));
}

void
imports_add_class(struct imports *imports, const uint8_t *package,
		  size_t package_bytes, const uint8_t *name, size_t bytes)
{
	uint64_t hash;

	if (imports->how != IMPORTS_PHP || package_bytes == 0)
		return;
	hash = imports_hash_small(KEY_CLASS, 0, package, package_bytes);
	hash = imports_hash_small(KEY_CLASS, hash, (const uint8_t *)"\\", 1);
	imports_keep(imports, imports_hash_small(KEY_CLASS, hash, name, bytes),
		     imports->file_idx);
}

/* ---- counting ----------------------------------------------------------- */

/* A path from the file, or from the top. */
static bool
count_path(struct imports *imports, struct imports_text text)
{
	struct imports_path path;
	uint32_t file_idx;

	imports_path_dir(&path, imports->path, imports->path_bytes);
	imports_path_go(&path, text.at, text.bytes);
	file_idx = imports_at(imports, &path);
	if (file_idx == IMPORTS_NONE && text.at[0] != '.') {
		imports_path_dir(&path, NULL, 0);
		imports_path_go(&path, text.at, text.bytes);
		file_idx = imports_at(imports, &path);
	}
	imports_hit(imports, file_idx);
	return file_idx != IMPORTS_NONE;
}

/* Whether a header is one of those: of what lies in other directories that is
 * known at once. */
static bool
is_standard(struct imports_text text)
{
	const uint8_t *slash = memchr(text.at, '/', text.bytes);

	if (slash != NULL &&
	    !lang_word(standard_dirs, text.at, (size_t)(slash - text.at), NULL))
		return false;
	return lang_word(standards, text.at, text.bytes, NULL);
}

/* The name of a path, without its suffix. */
static struct imports_text
stem_of(const uint8_t *path, size_t bytes)
{
	size_t from = imports_dir_bytes(path, bytes);
	const uint8_t *dot = memrchr(path + from, '.', bytes - from);

	return (struct imports_text){ path + from,
				      dot == NULL
					      ? bytes - from
					      : (size_t)(dot - path) - from };
}

/* Whether an include of a source file is of the header that tells of it: a.c
 * includes a.h, wherever that is. */
static bool
is_own_header(const struct imports *imports, struct imports_text text)
{
	struct imports_text own = stem_of(imports->path, imports->path_bytes);
	struct imports_text other = stem_of(text.at, text.bytes);

	return own.bytes == other.bytes &&
	       memcmp(own.at, other.at, own.bytes) == 0 &&
	       lang_is_header(text.at, text.bytes) &&
	       !lang_is_header(imports->path, imports->path_bytes);
}

static void
count_include(struct imports *imports, struct imports_text text, bool angled)
{
	struct imports_path path;
	uint32_t file_idx = IMPORTS_NONE;

	if (!angled) {
		imports_path_dir(&path, imports->path, imports->path_bytes);
		imports_path_go(&path, text.at, text.bytes);
		file_idx = imports_at(imports, &path);
	}
	if (file_idx == IMPORTS_NONE && !is_standard(text)) {
		/* below some directory that the compiler is told of */
		while (imports_begins(text, "../") ||
		       imports_begins(text, "./")) {
			size_t dots = text.at[1] == '.' ? 3 : 2;

			text.at += dots;
			text.bytes -= dots;
		}
		file_idx = imports_ending(imports, text.at, text.bytes);
	}
	imports_hit(imports, file_idx);
	if (file_idx != IMPORTS_NONE && is_own_header(imports, text))
		imports->files[imports->file_idx].header =
			(file_idx + 1) & INT32_MAX;
}

/*
 * Go: the longest path of a module that it begins with; what is behind that
 * is a directory below the module's.
 */
static void
count_go(struct imports *imports, struct imports_text text)
{
	struct imports_path path;
	size_t end = text.bytes;

	imports_path_dir(&path, NULL, 0);
	if (text.at[0] == '.') {
		imports_path_dir(&path, imports->path, imports->path_bytes);
		imports_path_go(&path, text.at, text.bytes);
		end = 0;
	}
	while (end > 0) {
		uint32_t file_idx = imports_nearest(
			imports, imports_hash(KEY_MODULE, text.at, end));

		if (file_idx != IMPORTS_NONE) {
			imports_path_beside(imports, file_idx, &path);
			break;
		}
		end = imports_dir_bytes(text.at, end);
		end -= end > 0; /* the slash */
	}
	if (end == 0 && text.at[0] != '.')
		imports_path_add(&path, "vendor/");
	imports_path_go(&path, text.at + (text.at[0] == '.' ? text.bytes : end),
			text.bytes - (text.at[0] == '.' ? text.bytes : end));
	if (path.is_bad)
		return;
	if (path.bytes > 0 && path.text[path.bytes - 1] != '/')
		imports_path_add(&path, "/");
	imports_hit_group(imports,
			  imports_hash(KEY_DIR, path.text, path.bytes));
}

/* Up to a word like " as". */
static struct imports_text
before_word(struct imports_text text, const char *word)
{
	const uint8_t *at = memmem(text.at, text.bytes, word, strlen(word));

	if (at != NULL)
		text.bytes = (size_t)(at - text.at);
	return imports_trim(text);
}

static struct imports_text
behind(struct imports_text text, const char *word)
{
	size_t bytes = strlen(word);

	if (!imports_begins(text, word))
		return text;
	text.at += bytes;
	text.bytes -= bytes;
	return imports_trim(text);
}

/* The file of a class: directories of its package, its name, an extension. */
static bool
count_class(struct imports *imports, struct imports_text text)
{
	static const char *const ends[] = { ".java", ".kt", ".scala",
					    ".groovy" };
	struct imports_path path;
	size_t bytes;

	imports_path_dir(&path, NULL, 0);
	for (size_t i = 0; i < text.bytes; i++)
		imports_path_add(&path,
				 text.at[i] == '.'
					 ? "/"
					 : (char[]){ (char)text.at[i], '\0' });
	bytes = path.bytes;
	for (size_t i = 0; i < ARRAY_LEN(ends) && !path.is_bad; i++) {
		uint32_t file_idx;

		path.bytes = bytes;
		imports_path_add(&path, ends[i]);
		file_idx = imports_ending(imports, path.text, path.bytes);
		imports_hit(imports, file_idx);
		if (file_idx != IMPORTS_NONE)
			return true;
	}
	return false;
}

static void
count_java(struct imports *imports, struct imports_text text)
{
	text = before_word(behind(text, "static "), " as ");
	if (text.bytes > 2 && (text.at[text.bytes - 1] == '*' ||
			       text.at[text.bytes - 1] == '_')) {
		text.bytes -= 2;
		if (imports_hit_group(
			    imports,
			    imports_hash(KEY_PACKAGE, text.at, text.bytes)))
			return;
	}
	/* a member of a class, or of a class in it */
	for (int tries = 0; tries < 3 && memchr(text.at, '.', text.bytes);
	     tries++) {
		if (count_class(imports, text))
			return;
		while (text.at[text.bytes - 1] != '.')
			text.bytes--;
		text.bytes--;
	}
}

/* Scala: a.b.{C, D => E}: each with what stands before the braces. */
static void
count_braced(struct imports *imports, struct imports_text text)
{
	const uint8_t *brace = memchr(text.at, '{', text.bytes);
	uint8_t name[NAME_BYTES_MAX];
	size_t before = brace == NULL ? 0 : (size_t)(brace - text.at);
	size_t from = before + 1;

	if (brace == NULL) {
		count_java(imports, text);
		return;
	}
	for (size_t i = from; i <= text.bytes; i++) {
		struct imports_text part = { text.at + from, i - from };

		if (i < text.bytes && text.at[i] != ',' && text.at[i] != '}')
			continue;
		from = i + 1;
		part = before_word(before_word(imports_trim(part), " => "),
				   " as ");
		if (part.bytes == 0 || before + part.bytes > sizeof(name))
			continue;
		memcpy(name, text.at, before);
		memcpy(name + before, part.at, part.bytes);
		count_java(imports,
			   (struct imports_text){ name, before + part.bytes });
	}
}

static void
count_csharp(struct imports *imports, struct imports_text text)
{
	const uint8_t *alias = memchr(text.at, '=', text.bytes);
	bool is_of_class;

	if (alias != NULL) {
		text.bytes -= (size_t)(alias + 1 - text.at);
		text.at = alias + 1;
		text = imports_trim(text);
	}
	is_of_class = alias != NULL || behind(text, "static ").at != text.at;
	text = behind(behind(text, "static "), "global::");
	/* of a class, the namespace that it is in */
	while (text.bytes > 0 &&
	       !imports_hit_group(imports, imports_hash(KEY_PACKAGE, text.at,
							text.bytes))) {
		const uint8_t *dot = memrchr(text.at, '.', text.bytes);

		if (dot == NULL || !is_of_class)
			return;
		text.bytes = (size_t)(dot - text.at);
	}
}

/* In one of the directories that are searched, usually. */
static uint32_t
ruby_below(const struct imports *imports, struct imports_path *path,
	   const struct imports_path *name)
{
	static const char *const searched[] = { "lib", "test", "spec" };
	uint32_t file_idx = IMPORTS_NONE;
	size_t bytes = path->bytes;

	for (size_t i = 0; i < ARRAY_LEN(searched) && file_idx == IMPORTS_NONE;
	     i++) {
		imports_path_go(path, (const uint8_t *)searched[i],
				strlen(searched[i]));
		imports_path_go(path, name->text, name->bytes);
		file_idx = imports_at(imports, path);
		path->bytes = bytes;
		path->is_bad = false;
	}
	return file_idx;
}

static void
count_ruby(struct imports *imports, struct imports_text text)
{
	struct imports_path name;
	struct imports_path path;
	bool has_end = text.bytes > 3 && imports_ends(text, ".rb");
	uint32_t file_idx;

	imports_path_dir(&name, NULL, 0);
	imports_path_dir(&path, imports->path, imports->path_bytes);
	imports_path_go(&path, text.at, text.bytes);
	imports_path_add(&path, has_end ? "" : ".rb");
	file_idx = imports_at(imports, &path);
	if (text.at[0] == '.')
		return imports_hit(imports, file_idx);
	imports_path_go(&name, text.at, text.bytes);
	imports_path_add(&name, has_end ? "" : ".rb");
	/* a directory that is searched, beside one of those above */
	imports_path_dir(&path, imports->path, imports->path_bytes);
	while (file_idx == IMPORTS_NONE && !name.is_bad) {
		file_idx = ruby_below(imports, &path, &name);
		if (!imports_path_up(&path))
			break;
	}
	if (file_idx == IMPORTS_NONE && !name.is_bad &&
	    memchr(name.text, '/', name.bytes) != NULL)
		file_idx = imports_ending(imports, name.text, name.bytes);
	if (file_idx == IMPORTS_NONE && !name.is_bad) {
		imports_path_dir(&path, NULL, 0);
		imports_path_add(&path, "lib/");
		imports_path_go(&path, name.text, name.bytes);
		file_idx = imports_ending(imports, path.text, path.bytes);
	}
	imports_hit(imports, file_idx);
}

/* Namespace\Class, which some file defines. */
static void
count_php_class(struct imports *imports, struct imports_text before,
		struct imports_text name)
{
	uint64_t hash;

	name = imports_trim(before_word(imports_trim(name), " as "));
	if (name.bytes > 0 && name.at[0] == '\\') {
		name.at++;
		name.bytes--;
	}
	if (name.bytes == 0)
		return;
	hash = imports_hash_small(KEY_CLASS, 0, before.at, before.bytes);
	imports_hit(imports,
		    imports_nearest(imports,
				    imports_hash_small(KEY_CLASS, hash, name.at,
						       name.bytes)));
}

static void
count_php(struct imports *imports, struct imports_text text)
{
	struct imports_text before = { text.at, 0 };
	const uint8_t *brace;
	size_t from = 0;

	if (memchr(text.at, '\\', text.bytes) == NULL) {
		if (memchr(text.at, '.', text.bytes) != NULL) {
			while (text.bytes > 1 && text.at[0] == '/') {
				text.at++; /* __DIR__ . '/name.php' */
				text.bytes--;
			}
			count_path(imports, text);
		}
		return;
	}
	text = behind(behind(text, "function "), "const ");
	brace = memchr(text.at, '{', text.bytes);
	if (brace != NULL) {
		before = (struct imports_text){ text.at,
						(size_t)(brace - text.at) };
		text.bytes -= before.bytes + 1;
		text.at = brace + 1;
	}
	for (size_t i = 0; i <= text.bytes; i++) {
		if (i < text.bytes && text.at[i] != ',' && text.at[i] != '}')
			continue;
		count_php_class(
			imports, before,
			(struct imports_text){ text.at + from, i - from });
		from = i + 1;
	}
}

/* my-app.util is .../my_app/util.clj, with the suffix of the file in work. */
static void
count_dotted(struct imports *imports, struct imports_text name)
{
	const struct imports_text file = name_of(imports);
	size_t dot = file.bytes;
	uint8_t path[2 * NAME_BYTES_MAX];

	while (dot > 0 && file.at[dot - 1] != '.')
		dot--;
	if (dot == 0 || name.bytes > NAME_BYTES_MAX ||
	    file.bytes - dot >= NAME_BYTES_MAX)
		return;
	for (size_t i = 0; i < name.bytes; i++)
		path[i] = name.at[i] == '.'   ? '/'
			  : name.at[i] == '-' ? '_'
					      : name.at[i];
	memcpy(path + name.bytes, file.at + dot - 1, file.bytes - dot + 1);
	imports_hit(imports, imports_ending(imports, path,
					    name.bytes + file.bytes - dot + 1));
}

void
imports_sort(struct imports *imports)
{
	if (imports->is_sorted)
		return;
	imports_index_sort(&imports->names, &imports->tree);
	imports_index_sort(&imports->members, &imports->tree);
	imports->is_sorted = true;
}

void
imports_count(struct imports *imports, const uint8_t *text, size_t bytes,
	      bool angled)
{
	struct imports_text it =
		imports_trim((struct imports_text){ text, bytes });

	if (it.bytes == 0)
		return;
	imports_sort(imports);
	switch (imports->how) {
	case IMPORTS_C:
		return count_include(imports, it, angled);
	case IMPORTS_SCRIPT:
		return imports_script(imports, it);
	case IMPORTS_PYTHON:
		return imports_python(imports, it);
	case IMPORTS_GO:
		return count_go(imports, it);
	case IMPORTS_RUST:
		return imports_rust(imports, it);
	case IMPORTS_JAVA:
		return count_braced(imports, it);
	case IMPORTS_CSHARP:
		return count_csharp(imports, it);
	case IMPORTS_RUBY:
		return count_ruby(imports, it);
	case IMPORTS_PHP:
		return count_php(imports, it);
	case IMPORTS_DOTTED:
		return count_dotted(imports, it);
	case IMPORTS_OTHER:
		count_path(imports, it);
		return;
	}
}

void
imports_count_module(struct imports *imports, const uint8_t *name, size_t bytes)
{
	if (imports->how != IMPORTS_RUST)
		return;
	imports_sort(imports);
	imports_rust_module(imports, (struct imports_text){ name, bytes });
}

void
imports_end(struct imports *imports)
{
	const struct imports_node *nodes = imports->members.nodes;
	uint32_t first = 0;

	for (uint32_t i = 0; i < imports->members.nr; i++) {
		struct imports_count *file = &imports->files[nodes[i].value];

		if (nodes[i].hash != nodes[first].hash)
			first = i;
		file->importers = (uint32_t)min_u64(
			(uint64_t)file->importers +
				imports->groups[first].importers,
			UINT32_MAX);
	}
	imports->members.nr = 0;
	for (uint32_t i = 0; i < imports->tree.file_nr; i++) {
		struct imports_count *file = &imports->files[i];

		/* but for the file itself, which includes it */
		if (file->header != 0)
			file->importers = (uint32_t)max_u64(
				file->importers,
				imports->files[file->header - 1].importers - 1);
	}
}
