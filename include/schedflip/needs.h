/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What schedflip needs of a kernel. The module resolves these lists at load;
 * `schedflip check` tells beforehand whether it will succeed.
 */
#ifndef SCHEDFLIP_NEEDS_H
#define SCHEDFLIP_NEEDS_H

/*
 * HOOK(id, group, symbol, older symbol or NULL, required, prototype)
 *
 * The prototype is what sf_btf_prototype() prints for the running kernel's own
 * BTF. A hook that is not required may be absent where the compiler inlined the
 * function; one that is there must have this prototype, or the load is refused.
 */
#define SF_HOOKS(HOOK)                                                   \
	HOOK(BALANCE, NEWIDLE, "sched_balance_rq", "load_balance", true, \
	     "int(int this_cpu, struct rq *this_rq, "                    \
	     "struct sched_domain *sd, enum cpu_idle_type idle, "        \
	     "int *continue_balancing)")                                 \
	HOOK(NEWIDLE, NEWIDLE, "sched_balance_newidle", NULL, false,     \
	     "int(struct rq *this_rq, struct rq_flags *rf)")             \
	HOOK(SELECT, SELECT, "select_task_rq_fair", NULL, true,          \
	     "int(struct task_struct *p, int prev_cpu, int wake_flags)") \
	HOOK(GROUP, SELECT, "sched_balance_find_dst_group",              \
	     "find_idlest_group", true,                                  \
	     "struct sched_group *(struct sched_domain *sd, "            \
	     "struct task_struct *p, int this_cpu)")                     \
	HOOK(FEATURES, FEATURES, "sched_feat_write", NULL, false,        \
	     "ssize_t(struct file *filp, char *ubuf, "                   \
	     "size_t cnt, loff_t *ppos)")

/* FUNCTION(name): functions the kernel does not export */
#define SF_FUNCTIONS(FUNCTION)          \
	FUNCTION(ftrace_location)       \
	FUNCTION(bpf_get_btf_vmlinux)   \
	FUNCTION(btf_find_by_name_kind) \
	FUNCTION(btf_name_by_offset)    \
	FUNCTION(sched_clock)           \
	FUNCTION(idle_cpu)              \
	FUNCTION(kallsyms_lookup_size_offset)

/* OPTIONAL(name): functions that return 0 where the kernel has none */
#define SF_OPTIONAL_FUNCTIONS(OPTIONAL) OPTIONAL(tick_nohz_tick_stopped_cpu)

/* VARIABLE(name): variables the kernel does not export */
#define SF_VARIABLES(VARIABLE)          \
	VARIABLE(runqueues)             \
	VARIABLE(sched_domains_mutex)   \
	VARIABLE(klp_mutex)             \
	VARIABLE(klp_patches)           \
	VARIABLE(ftrace_disabled)       \
	VARIABLE(sched_feat_names)      \
	VARIABLE(sched_feat_keys)       \
	VARIABLE(sysctl_sched_features) \
	VARIABLE(sysctl_sched_migration_cost)

/* OPTIONAL(name): variables that are NULL where the kernel has none */
#define SF_OPTIONAL_VARIABLES(OPTIONAL) OPTIONAL(__sched_core_enabled)

/*
 * PRIVATE(struct, member, bytes): laid out in headers we do not have
 * PUBLIC(struct, member, bytes): the module was compiled with an offset, which
 *	must be the running kernel's
 * OPTIONAL(struct, member, bytes): used where it exists
 */
#define SF_MEMBERS(PRIVATE, PUBLIC, OPTIONAL)           \
	PRIVATE(rq, sd, 8)                              \
	PRIVATE(rq, cfs, 0)                             \
	PRIVATE(rq, nr_running, 4)                      \
	PRIVATE(rq, next_balance, 8)                    \
	OPTIONAL(rq, idle_state, 8)                     \
	OPTIONAL(rq, rq_sched_info, 0)                  \
	OPTIONAL(sched_info, pcount, 8)                 \
	OPTIONAL(sched_info, run_delay, 8)              \
	OPTIONAL(cfs_rq, idle_h_nr_running, 4)          \
	OPTIONAL(cfs_rq, h_nr_idle, 4)                  \
	PRIVATE(sched_group, group_weight, 4)           \
	PRIVATE(sched_group, cpumask, 0)                \
	PUBLIC(task_struct, cpus_ptr, 8)                \
	PUBLIC(task_struct, nr_cpus_allowed, 4)         \
	PUBLIC(task_struct, migration_disabled, 2)      \
	PUBLIC(sched_domain, parent, 8)                 \
	PUBLIC(sched_domain, level, 4)                  \
	PUBLIC(sched_domain, span_weight, 4)            \
	PUBLIC(sched_domain, min_interval, 8)           \
	PUBLIC(sched_domain, busy_factor, 4)            \
	PUBLIC(sched_domain, last_balance, 8)           \
	PUBLIC(sched_domain, balance_interval, 4)       \
	PUBLIC(sched_domain, max_newidle_lb_cost, 8)    \
	PUBLIC(sched_domain, last_decay_max_lb_cost, 8) \
	OPTIONAL(sched_domain, name, 8)                 \
	OPTIONAL(sched_domain, newidle_call, 4)         \
	OPTIONAL(sched_domain, newidle_success, 4)      \
	OPTIONAL(sched_domain, newidle_stamp, 8)        \
	OPTIONAL(sched_domain, newidle_ratio, 4)

#endif
