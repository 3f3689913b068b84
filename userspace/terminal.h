/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal, by ncurses; nobody else calls it. */
#ifndef SCHEDFLIP_TERMINAL_H
#define SCHEDFLIP_TERMINAL_H

#include <stdbool.h>

#include "canvas.h"

/* No key is there. */
#define SF_NO_KEY -1

int sf_terminal_begin(bool color);
void sf_terminal_size(size_t *rows, size_t *columns);
void sf_terminal_draw(const struct sf_canvas *canvas);
int sf_terminal_key(void);
void sf_terminal_end(void);

#endif
