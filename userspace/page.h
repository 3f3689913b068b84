/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of text, laid out for a terminal, for GitHub or for a mail. What is said is the
 * same on all.
 */
#ifndef SCHEDFLIP_PAGE_H
#define SCHEDFLIP_PAGE_H

#include <stdio.h>

#include "grid.h"

enum sf_layout {
	SF_LAYOUT_TERMINAL,
	SF_LAYOUT_MARKDOWN,
	SF_LAYOUT_MAIL,
};

/**
 * struct sf_page - a page
 * @to: where it goes
 * @layout: of it
 * @color: its heads have colours
 * @last: what was printed last, to know where a blank line belongs
 * @incomplete: something did not fit in memory
 */
struct sf_page {
	FILE *to;
	enum sf_layout layout;
	bool color;
	enum sf_page_part {
		SF_PART_NONE,
		SF_PART_HEADING,
		SF_PART_FACT,
		SF_PART_ITEM,
		SF_PART_TEXT,
		SF_PART_TABLE,
	} last;
	bool incomplete;
};

void sf_page_title(struct sf_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_page_heading(struct sf_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_page_fact(struct sf_page *page, const char *name, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
void sf_page_command(struct sf_page *page, const char *name,
		     const char *command);
void sf_page_say(struct sf_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_page_item(struct sf_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool sf_page_fits(const struct sf_page *page, const struct sf_grid *grid);
void sf_page_table(struct sf_page *page, struct sf_grid *grid);

#endif
