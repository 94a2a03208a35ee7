/* SPDX-License-Identifier: MIT */
/*
 * io_relocate.c - the relocations of a library, gone through again.
 *
 *   relocation -> symbol -> name      "open"
 *       |
 *       v
 *   slot in the library's memory      what the loader has found for it
 *
 * Invariants:
 * 1. A slot is written only if it holds what its name stands for, whatever
 *    the machine calls such a relocation.
 * 2. Pages that the loader has sealed (RELRO) are sealed again.
 */
#include "git/io_relocate.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif

struct relocations {
	uintptr_t at;
	size_t bytes;
	size_t step;
};

struct library {
	void *handle;
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *names;
	struct relocations tables[2]; /* of data, of calls */
	uintptr_t sealed_from;
	uintptr_t sealed_to;
};

/* Some C libraries relocate what the dynamic section says, others do not. */
static uintptr_t
address_of(const struct library *library, uintptr_t value)
{
	return value < library->base ? library->base + value : value;
}

static int
read_dynamic(struct library *library, const ElfW(Dyn) * entry)
{
	struct relocations *data = &library->tables[0];
	struct relocations *calls = &library->tables[1];

	data->step = sizeof(ElfW(Rela));
	calls->step = sizeof(ElfW(Rela));
	for (; entry->d_tag != DT_NULL; entry++) {
		uintptr_t value = entry->d_un.d_val;
		uintptr_t at = address_of(library, value);

		switch (entry->d_tag) {
		case DT_SYMTAB:
			library->symbols = (const void *)at;
			break;
		case DT_STRTAB:
			library->names = (const void *)at;
			break;
		case DT_REL:
			data->step = sizeof(ElfW(Rel));
			data->at = at;
			break;
		case DT_RELA:
			data->at = at;
			break;
		case DT_RELSZ:
		case DT_RELASZ:
			data->bytes = value;
			break;
		case DT_JMPREL:
			calls->at = at;
			break;
		case DT_PLTRELSZ:
			calls->bytes = value;
			break;
		case DT_PLTREL:
			if (value == DT_REL)
				calls->step = sizeof(ElfW(Rel));
			break;
		default:
			break;
		}
	}
	return library->symbols == NULL || library->names == NULL ? -ENOEXEC
								  : 0;
}

/* A dl_iterate_phdr(3) callback: what the loader has sealed of the library. */
static int
find_sealed(struct dl_phdr_info *info, size_t size, void *context)
{
	struct library *library = context;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)size;
	if (info->dlpi_addr != library->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t from = library->base + header->p_vaddr;

		if (header->p_type != PT_GNU_RELRO)
			continue;
		library->sealed_from = from & ~(page - 1);
		library->sealed_to = (from + header->p_memsz) & ~(page - 1);
	}
	return 1;
}

static int
put(const struct library *library, uintptr_t slot, import_function *ours)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *around = (void *)(slot & ~(page - 1));
	bool is_sealed =
		slot >= library->sealed_from && slot < library->sealed_to;

	if (is_sealed && mprotect(around, page, PROT_READ | PROT_WRITE) != 0)
		return -errno;
	memcpy((void *)slot, &ours, sizeof(ours));
	if (is_sealed && mprotect(around, page, PROT_READ) != 0)
		return -errno;
	return 0;
}

/* One relocation: 1: its function is ours now; 0: it is none of these. */
static int
replace(const struct library *library, const ElfW(Rel) * relocation,
	const struct import *imports, size_t nr)
{
	const ElfW(Sym) *symbol =
		&library->symbols[SYMBOL_OF(relocation->r_info)];
	const char *name = library->names + symbol->st_name;
	uintptr_t slot = library->base + relocation->r_offset;
	void *theirs;
	int error;

	if (symbol->st_shndx != SHN_UNDEF || *name == '\0')
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(imports[i].name, name) != 0)
			continue;
		theirs = dlsym(RTLD_DEFAULT, name);
		/* of a library that nobody but this one has loaded */
		if (theirs == NULL)
			theirs = dlsym(library->handle, name);
		if (theirs == NULL ||
		    memcmp((const void *)slot, &theirs, sizeof(theirs)) != 0)
			return -ENOEXEC;
		error = put(library, slot, imports[i].ours);
		return error == 0 ? 1 : error;
	}
	return 0;
}

int
import_replace(void *handle, const struct import *imports, size_t nr)
{
	struct library library = { .handle = handle };
	const struct link_map *map;
	int replaced = 0;
	int error;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return -ENOEXEC;
	library.base = map->l_addr;
	error = read_dynamic(&library, map->l_ld);
	if (error == 0 && dl_iterate_phdr(find_sealed, &library) == 0)
		error = -ENOEXEC;
	for (size_t t = 0; t < ARRAY_LEN(library.tables); t++) {
		const struct relocations *table = &library.tables[t];

		for (size_t at = 0; error == 0 && table->at != 0 &&
				    at + table->step <= table->bytes;
		     at += table->step) {
			/* both forms begin alike */
			int result = replace(&library,
					     (const void *)(table->at + at),
					     imports, nr);

			replaced += result > 0;
			error = result < 0 ? result : 0;
		}
	}
	return error == 0 ? replaced : error;
}
