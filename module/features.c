// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NI_RANDOM, the kernel's own dice. They are thrown before our hook, which would
 * never see the calls they skip; so the feature is off while any domain runs a
 * policy of ours, and goes back to the user's own setting when the last domain
 * returns to stock.
 *
 * The user may change his setting meanwhile, and his last word counts. A write
 * to sched/features comes through our hook, which shows it the user's bit and
 * takes the bit again afterwards. That is how NO_NI_RANDOM is noticed although
 * the bit is off already.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "features.h"
#include "newidle.h"
#include "resolve.h"

#define SF_NO_FEATURE (-1)

/*
 * Guards all below, and orders our changes of the feature against the user's.
 * Outside of the kernel's inode lock and cpus_read_lock().
 */
static DEFINE_MUTEX(sf_features_lock);
static int sf_ni_random = SF_NO_FEATURE;
static bool sf_held;
static bool sf_user_wants;

/* How often others have changed the feature while we held it. */
static u64 sf_feature_drift;

static bool sf_feature_bit(void)
{
	unsigned int *features = sf_variables.sysctl_sched_features;

	return READ_ONCE(*features) & BIT(sf_ni_random);
}

static void sf_feature_set_bit(bool on)
{
	unsigned int *features = sf_variables.sysctl_sched_features;

	if (on)
		WRITE_ONCE(*features, *features | BIT(sf_ni_random));
	else
		WRITE_ONCE(*features, *features & ~BIT(sf_ni_random));
}

/* The bit is what sched/features shows, the key is what the scheduler asks. */
static void sf_feature_set(bool on)
{
	struct static_key *keys = sf_variables.sched_feat_keys;

	sf_feature_set_bit(on);
	if (on)
		static_key_enable(&keys[sf_ni_random]);
	else
		static_key_disable(&keys[sf_ni_random]);
}

/**
 * sf_features_init - find NI_RANDOM by its name
 *
 * A kernel without it has no dice to take, and every newidle call reaches us.
 *
 * Return: 0, or -EOPNOTSUPP if the kernel's tables cannot be what they seem.
 */
int sf_features_init(void)
{
	const char *const *names = sf_variables.sched_feat_names;
	unsigned long count = sf_resolve_size(names) / sizeof(*names);
	unsigned long keys = sf_resolve_size(sf_variables.sched_feat_keys) /
			     sizeof(struct static_key);
	int i;

	count = min(count, keys);
	if (!count) {
		pr_err("not loaded: sched_feat_names or sched_feat_keys has no size\n");
		return -EOPNOTSUPP;
	}
	/*
	 * 32 is what sysctl_sched_features has bits for. The sizes are those up to the next
	 * symbol, with all that lies between, so nothing beyond what is sought is looked at.
	 */
	for (i = 0; i < count && i < 32 && names[i]; i++) {
		if (!strcmp(names[i], "NI_RANDOM")) {
			sf_ni_random = i;
			break;
		}
	}
	return 0;
}

/**
 * sf_features_hold - take NI_RANDOM, or give it back
 * @hold: true while a domain runs a policy of ours
 *
 * Sleeps. A call that runs while the key is switched may be diced twice or not
 * at all.
 */
void sf_features_hold(bool hold)
{
	if (sf_ni_random == SF_NO_FEATURE)
		return;
	mutex_lock(&sf_features_lock);
	if (hold && !sf_held) {
		sf_user_wants = sf_feature_bit();
		sf_feature_set(false);
		sf_newidle_throw_dice(sf_user_wants);
	} else if (!hold && sf_held) {
		sf_newidle_throw_dice(false);
		sf_feature_set(sf_user_wants);
	}
	sf_held = hold;
	mutex_unlock(&sf_features_lock);
}

/* The bit is the user's now: remember it, and take it again. */
static void sf_features_retake(void)
{
	sf_user_wants = sf_feature_bit();
	if (sf_user_wants)
		sf_feature_set(false);
	sf_newidle_throw_dice(sf_user_wants);
}

/**
 * sf_features_recheck - take NI_RANDOM again if somebody has set it
 *
 * For a setter that did not come through the hook: a task that was not patched
 * yet, or a kernel where the hook is absent.
 */
void sf_features_recheck(void)
{
	mutex_lock(&sf_features_lock);
	if (sf_held && sf_feature_bit()) {
		sf_feature_drift++;
		sf_features_retake();
	}
	mutex_unlock(&sf_features_lock);
}

/**
 * sf_features_write_begin - before the user's write to sched/features
 *
 * Only the bit is shown to the write, the key stays off: the kernel switches it
 * on if the write asks for it.
 */
void sf_features_write_begin(void)
{
	mutex_lock(&sf_features_lock);
	if (sf_held)
		sf_feature_set_bit(sf_user_wants);
}

/**
 * sf_features_write_end - after it
 */
void sf_features_write_end(void)
{
	if (sf_held) {
		sf_feature_drift += sf_user_wants != sf_feature_bit();
		sf_features_retake();
	}
	mutex_unlock(&sf_features_lock);
}

/**
 * sf_features_drift - how often others have changed NI_RANDOM while we held it
 */
u64 sf_features_drift(void)
{
	u64 drift;

	mutex_lock(&sf_features_lock);
	drift = sf_feature_drift;
	mutex_unlock(&sf_features_lock);
	return drift;
}

/**
 * sf_features_show - the user's own setting, and whether we hold it off
 * @m: file
 */
void sf_features_show(struct seq_file *m)
{
	const char *word = "absent";

	mutex_lock(&sf_features_lock);
	if (sf_ni_random != SF_NO_FEATURE)
		word = (sf_held ? sf_user_wants : sf_feature_bit()) ? "on" :
								      "off";
	seq_printf(m, "NI_RANDOM=%s held=%d\n", word, sf_held);
	mutex_unlock(&sf_features_lock);
}
