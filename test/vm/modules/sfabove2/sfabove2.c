// SPDX-License-Identifier: GPL-2.0-or-later
/* Another one of sfabove, to go on top of that. */
#include "../sfabove/sfabove.c"
