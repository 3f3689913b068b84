// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers in print: digits by their noise, and probabilities.
 */
#include "utility.h"

#include "figure.h"

static void test_decimals(void **unused)
{
	static const struct {
		double value;
		double noise;
		const char *text;
	} rows[] = {
		{ 10.123456, 0.1414, "10.12" },
		{ 10.123456, 0.0996, "10.123" },
		{ 1234.5678, 99.4, "1235" },
		{ 1234.5678, 1e6, "1235" },
		{ 1234.5678, 9.96, "1234.6" },
		{ -0.00123456, 0.000012, "-0.001235" },
		{ 123456789, 0, "123456789" },
		{ 1.5, 0, "1.50000" },
		{ 0, 0, "0" },
		{ 1.5e-12, 1e-13, "1.5e-12" },
		{ 1000, 1e-13, "1000.00" },
		{ 1.5, 1e-11, "1.5" },
		{ 1.25e20, 1e3, "1.25e+20" },
		{ NAN, 1, "-" },
		{ INFINITY, 1, "-" },
		{ 1.5, NAN, "1.50000" },
	};
	int decimals;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		decimals = sf_figure_decimals(rows[i].value, rows[i].noise);
		assert_string_equal(sf_figure(rows[i].value, decimals).text,
				    rows[i].text);
	}
	assert_string_equal(sf_figure_signed(2, 2).text, "+2.00");
	assert_string_equal(sf_figure_signed(-2, 2).text, "-2.00");
	assert_string_equal(sf_figure_signed(NAN, 2).text, "-");
}

static void test_p(void **unused)
{
	(void)unused;
	assert_string_equal(sf_figure_p(0.002).text, "0.0020");
	assert_string_equal(sf_figure_p(1).text, "1.0000");
	assert_string_equal(sf_figure_p(0.0001).text, "0.0001");
	assert_string_equal(sf_figure_p(0.00009).text, "< 0.0001");
	assert_string_equal(sf_figure_p(0).text, "< 0.0001");
	assert_string_equal(sf_figure_p(NAN).text, "-");
	assert_string_equal(sf_figure_p_is(0.002).text, "p = 0.0020");
	assert_string_equal(sf_figure_p_is(0).text, "p < 0.0001");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimals),
		cmocka_unit_test(test_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
