// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "trust.h"

#define SF_SECURE_BOOT \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static const char *const sf_lockdown_names[] = {
	[SF_LOCKDOWN_NONE] = "none",
	[SF_LOCKDOWN_INTEGRITY] = "integrity",
	[SF_LOCKDOWN_CONFIDENTIALITY] = "confidentiality",
};

static void sf_trust_check_lockdown(struct sf_checklist *list)
{
	enum sf_lockdown lockdown = sf_kernel_lockdown();

	if (lockdown == SF_LOCKDOWN_NONE)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "lockdown", NULL,
				 "none");
	else
		sf_checklist_add(
			list, SF_STATUS_WARNING, SF_OK, "lockdown",
			"nothing to do: `schedflip set` takes the module parameter instead",
			"%s: debugfs can't be written",
			sf_lockdown_names[lockdown]);
}

/* Four bytes of attributes, then the value. */
static bool sf_has_secure_boot(void)
{
	size_t size = 0;
	char *bytes;
	bool on;

	if (sf_kernel_read(SF_SECURE_BOOT, &bytes, &size))
		return false;
	on = size == 5 && bytes[4] == 1;
	free(bytes);
	return on;
}

static void sf_trust_check_secure_boot(struct sf_checklist *list)
{
	bool on = sf_has_secure_boot();

	sf_checklist_add(
		list, SF_STATUS_OK, SF_OK, "Secure Boot", NULL, "%s",
		on ? "on: a module's key is enrolled with mokutil --import CERT.der" :
		     "off");
}

static bool sf_needs_signature(void)
{
	char enforce[8];

	sf_kernel_read_word("/sys/module/module/parameters/sig_enforce",
			    enforce, sizeof(enforce));
	return sf_kernel_lockdown() || *enforce == 'Y' || *enforce == '1';
}

static void sf_trust_check_signature(struct sf_checklist *list,
				     const struct sf_image *image)
{
	char remedy[512];

	snprintf(remedy, sizeof(remedy),
		 "sign it: /usr/src/linux-headers-%s/%s; enrol its key: %s",
		 sf_kernel_release(),
		 "scripts/sign-file sha256 KEY.pem CERT.der schedflip.ko",
		 "mokutil --import CERT.der");
	if (!sf_needs_signature())
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "module signature",
				 NULL, "not needed");
	else if (!image)
		sf_checklist_add(list, SF_STATUS_UNKNOWN, SF_OK,
				 "module signature", remedy,
				 "needed, and the module was not read");
	else if (!image->is_signed)
		sf_checklist_add(list, SF_STATUS_MISSING, SF_DENIED,
				 "module signature", remedy,
				 "needed, and the module has none");
	else
		sf_checklist_add(
			list, SF_STATUS_OK, SF_OK, "module signature", NULL,
			"needed, and the module has one (is its key enrolled?)");
}

/**
 * sf_trust_check - does the kernel trust us enough?
 * @list: gets a row a requirement
 * @image: the module, or NULL if it was not read
 */
void sf_trust_check(struct sf_checklist *list, const struct sf_image *image)
{
	sf_trust_check_lockdown(list);
	sf_trust_check_secure_boot(list);
	sf_trust_check_signature(list, image);
}
