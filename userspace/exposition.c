// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "exposition.h"
#include "output.h"
#include "text.h"

/**
 * struct sf_fraction - how a scale is printed
 * @unit: so many are one
 * @step: what one of them is in the last digit that is printed
 * @digits: behind the point
 */
static const struct sf_fraction {
	u64 unit;
	u64 step;
	int digits;
} sf_fractions[] = {
	[SF_SCALE_ONE] = { 1, 0, 0 },
	[SF_SCALE_MILLI] = { 1000, 1, 3 },
	/* 1/1024 has ten digits. */
	[SF_SCALE_CELL] = { 1024, 9765625, 10 },
	[SF_SCALE_MICRO] = { 1000000, 1, 6 },
	[SF_SCALE_NANO] = { 1000000000, 1, 9 },
};

/**
 * sf_exposition_family - begin a family
 * @text: the exposition
 * @family: it; must outlive its samples
 */
void sf_exposition_family(struct sf_exposition *text,
			  const struct sf_family *family)
{
	text->family = family;
	fprintf(text->to, "# HELP %s %s\n# TYPE %s %s\n", family->name,
		family->help, family->name, family->type);
}

static void sf_print_escaped(FILE *to, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", to);
		else if (*value == '\\' || *value == '"')
			fprintf(to, "\\%c", *value);
		else
			putc(*value, to);
	}
}

static json_t *sf_print_labels(FILE *to, const struct sf_pair *labels)
{
	json_t *object = json_object();
	const struct sf_pair *label;

	for (label = labels; label->name; label++) {
		fprintf(to, "%s%s=\"", label == labels ? "{" : ",",
			label->name);
		sf_print_escaped(to, label->value);
		putc('"', to);
		json_object_set_new(object, label->name,
				    sf_json_text(label->value));
	}
	if (labels->name)
		putc('}', to);
	return object;
}

/**
 * sf_exposition_sample - print a sample of the family
 * @text: the exposition
 * @labels: of the sample; the last has no name
 * @number: its value
 * @scale: what that is divided by
 */
void sf_exposition_sample(struct sf_exposition *text,
			  const struct sf_pair *labels, u64 number,
			  enum sf_scale scale)
{
	const struct sf_fraction *fraction = &sf_fractions[scale];
	unsigned long long whole = number / fraction->unit;
	unsigned long long rest = number % fraction->unit * fraction->step;
	const char *name = text->family->name;
	json_t *object;

	fputs(name, text->to);
	object = sf_print_labels(text->to, labels);
	fprintf(text->to, " %llu", whole);
	if (fraction->digits)
		fprintf(text->to, ".%0*llu", fraction->digits, rest);
	putc('\n', text->to);
	json_array_append_new(
		text->samples,
		json_pack("{s:s, s:o, s:o}", "name", name, "labels", object,
			  "value",
			  fraction->digits ?
				  json_real((double)number / fraction->unit) :
				  sf_json_number(number)));
}
