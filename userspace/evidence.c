// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "output.h"

/**
 * sf_evidence_free - free what is held
 * @evidence: is empty then
 */
void sf_evidence_free(struct sf_evidence *evidence)
{
	free(evidence->policy);
	json_decref(evidence->layout);
	free(evidence->hooks);
	free(evidence->features);
	memset(evidence, 0, sizeof(*evidence));
}

/* Its index among the layouts; a new one comes last, where it is looked for first. */
static json_t *sf_layout_index(json_t *layout, json_t *layouts)
{
	size_t i = json_array_size(layouts);

	if (!layout)
		return json_null();
	while (i--)
		if (json_equal(json_array_get(layouts, i), layout))
			return json_integer(i);
	if (json_array_append(layouts, layout))
		return NULL;
	return json_integer(json_array_size(layouts) - 1);
}

/**
 * sf_evidence_json - as the file of an experiment has it
 * @evidence: it
 * @layouts: an array; gets the layout, if it has none that is equal
 *
 * Return: an object, to be freed; NULL if it does not fit in memory.
 */
json_t *sf_evidence_json(const struct sf_evidence *evidence, json_t *layouts)
{
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "policy", sf_json_maybe_text(evidence->policy));
	sf_output_set(&out, "layout",
		      sf_layout_index(evidence->layout, layouts));
	sf_output_set(&out, "hooks", sf_json_maybe_text(evidence->hooks));
	sf_output_set(&out, "features", sf_json_maybe_text(evidence->features));
	if (!out.incomplete)
		return out.root;
	json_decref(out.root);
	return NULL;
}

/* Return: one of the layouts, or NULL if it is not known, or not there. */
static json_t *sf_parse_layout(struct sf_reader *reader, const json_t *object,
			       const json_t *layouts)
{
	const json_t *value = json_object_get(object, "layout");
	json_int_t index = json_integer_value(value);

	if (json_is_null(value))
		return NULL;
	if (json_is_integer(value) && index >= 0 &&
	    (u64)index < json_array_size(layouts))
		return json_incref(json_array_get(layouts, index));
	sf_reader_refuse(reader, "layout", value,
			 "not null or the index of one of %zu layouts",
			 json_array_size(layouts));
	return NULL;
}

/**
 * sf_evidence_parse - understand what anybody may have written
 * @reader: at the object
 * @object: it, or NULL
 * @layouts: an array of strings, or NULL
 * @evidence: empty; set as far as nothing is wrong
 */
void sf_evidence_parse(struct sf_reader *reader, const json_t *object,
		       const json_t *layouts, struct sf_evidence *evidence)
{
	evidence->policy = sf_read_text(reader, object, "policy");
	evidence->layout = sf_parse_layout(reader, object, layouts);
	evidence->hooks = sf_read_text(reader, object, "hooks");
	evidence->features = sf_read_text(reader, object, "features");
}
