// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/kernel.h>
#include <linux/mutex.h>

#include "command.h"
#include "refusal.h"

/* Guards the text. Innermost. */
static DEFINE_MUTEX(sf_refusal_lock);
static char sf_last_error[SF_ERROR_MAX];

/**
 * sf_refuse - say why a write was refused
 * @err: to return
 * @fmt: one line without a newline, for last_error
 */
int sf_refuse(int err, const char *fmt, ...)
{
	va_list args;

	mutex_lock(&sf_refusal_lock);
	va_start(args, fmt);
	vscnprintf(sf_last_error, sizeof(sf_last_error), fmt, args);
	va_end(args);
	mutex_unlock(&sf_refusal_lock);
	return err;
}

/**
 * sf_refusal_show - print why the last one was
 * @m: file
 */
void sf_refusal_show(struct seq_file *m)
{
	mutex_lock(&sf_refusal_lock);
	if (sf_last_error[0])
		seq_printf(m, "%s\n", sf_last_error);
	mutex_unlock(&sf_refusal_lock);
}
