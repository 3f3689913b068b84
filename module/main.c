// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedflip: flip the policies of the running kernel's load balancer.
 *
 * A decision travels hooks.c -> newidle.c -> state.c; the arithmetic is in
 * include/schedflip/. Commands come in by debugfs.c or parameters.c and go through
 * command.c and control.c to the same states. What takes them back: lease.c, trip.c
 * and, at once, off.c.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/module.h>
#include <linux/utsname.h>

#include <schedflip/abi.h>
#include <schedflip/compat.h>

#include "attach.h"
#include "control.h"
#include "debugfs.h"
#include "features.h"
#include "file.h"
#include "hooks.h"
#include "lease.h"
#include "newidle.h"
#include "off.h"
#include "parameters.h"
#include "resolve.h"
#include "slowpath.h"
#include "state.h"
#include "trace.h"
#include "tree.h"

static void sf_warn_if_untested(void)
{
	const char *release = init_utsname()->release;

	if (!sf_kernel_is_tested(release))
		pr_warn("kernel %s is outside the tested series; all it needs was found, but nobody has run the tests here\n",
			release);
}

/* Nothing that can fail comes after the hooks are attached. */
static int __init sf_init(void)
{
	int err;

	err = sf_parameters_init();
	if (err)
		return err;
	err = sf_resolve();
	if (err)
		goto exit_parameters;
	err = sf_features_init();
	if (err)
		goto exit_parameters;
	err = sf_newidle_init();
	if (err)
		goto exit_parameters;
	err = sf_hooks_init();
	if (err)
		goto exit_parameters;
	err = sf_attach_check();
	if (err)
		goto exit_parameters;
	err = sf_states_alloc(!sf_kernel_learns);
	if (err)
		goto exit_parameters;
	err = sf_slowpath_init();
	if (err)
		goto free_states;
	err = sf_trace_init();
	if (err)
		goto exit_slowpath;
	sf_lease_init();
	sf_control_open();
	sf_parameters_open();
	err = sf_debugfs_init();
	if (err)
		goto close_parameters;
	err = sf_tree_init();
	if (err)
		goto exit_debugfs;
	sf_off_init();
	sf_warn_if_untested();
	err = sf_attach();
	if (err)
		goto exit_off;
	sf_files_open();
	return 0;

exit_off:
	sf_attach_exit();
	sf_off_exit();
	sf_tree_exit();
exit_debugfs:
	sf_debugfs_exit();
close_parameters:
	sf_parameters_close();
	sf_control_close();
	sf_lease_exit();
	sf_trace_exit();
exit_slowpath:
	sf_slowpath_exit();
free_states:
	sf_states_free();
exit_parameters:
	sf_parameters_exit();
	return err;
}

/*
 * The hooks are gone: livepatch lets the module go only then. But it may not have
 * told us, so what they held is given back here at the latest.
 */
static void __exit sf_exit(void)
{
	sf_attach_exit();
	sf_off_exit();
	sf_tree_exit();
	sf_debugfs_exit();
	sf_parameters_close();
	sf_control_close();
	sf_lease_exit();
	sf_trace_exit();
	sf_slowpath_exit();
	sf_states_free();
	sf_parameters_exit();
}

module_init(sf_init);
module_exit(sf_exit);

MODULE_AUTHOR("The schedflip authors");
MODULE_DESCRIPTION("Flip the load balancer's policies at run time");
MODULE_LICENSE("GPL");
MODULE_VERSION(SF_VERSION);
