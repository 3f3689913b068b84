// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers, bars, strips and shades.
 */
#include "glances.h"

#include "gauge.h"

static void assert_number(double value, size_t width, const char *wanted)
{
	char text[32];

	sf_gauge_number(value, width, 1, text, sizeof(text));
	assert_string_equal(text, wanted);
}

static void test_numbers(void **unused)
{
	(void)unused;
	assert_number(NAN, 5, "    -");
	assert_number(INFINITY, 5, "    -");
	assert_number(0, 5, "  0.0");
	assert_number(999.94, 5, "999.9");
	assert_number(1234.5, 5, " 1234");
	assert_number(12345.6, 5, "12346");
	assert_number(123456, 5, " 123k");
	assert_number(99999999, 5, " 100M");
	assert_number(1e13, 5, "  10T");
}

static void assert_bar(double in_force, double learned, const char *wanted)
{
	char bar[9];

	sf_gauge_ratio(in_force, learned, 8, bar);
	assert_string_equal(bar, wanted);
}

static void test_bars(void **unused)
{
	(void)unused;
	assert_bar(0, 0, "........");
	assert_bar(512, 512, "====....");
	assert_bar(1024, 1024, "========");
	assert_bar(0, 1024, ".......|");
	assert_bar(1024, 0, "|=======");
	assert_bar(512, 700, "====.|..");
	assert_bar(512, 530, "====....");
	/* No number of the kernel's is so large, but it would stay in the bar. */
	assert_bar(5000, 9000, "=======|");
}

static void test_window(void **unused)
{
	struct sf_row rows[16];
	const struct sf_row *list[16];
	struct sf_domain domains[16];
	char strip[9];
	size_t i;

	(void)unused;
	for (i = 0; i < 16; i++) {
		domains[i] = stock_domain(0, 0);
		rows[i].domain = &domains[i];
		list[i] = &rows[i];
	}
	sf_gauge_window(list, 16, 8, strip);
	assert_string_equal(strip, "");
	for (i = 0; i < 16; i++)
		domains[i].newidle = "accumulator";
	domains[15].window_pos = 1023;
	domains[14].window_pos = domains[13].window_pos = 128;
	sf_gauge_window(list, 16, 8, strip);
	assert_string_equal(strip, "+2.....|");
	sf_gauge_window(&list[4], 12, 8, strip);
	assert_string_equal(strip, "92.....|");
	domains[14].newidle = "dice";
	sf_gauge_window(&list[14], 2, 8, strip);
	assert_string_equal(strip, ".......|");
}

static void test_shades(void **unused)
{
	(void)unused;
	assert_int_equal(sf_gauge_shade(0, 10), 0);
	assert_int_equal(sf_gauge_shade(NAN, 10), 0);
	assert_int_equal(sf_gauge_shade(1, 0), 0);
	assert_int_equal(sf_gauge_shade(0.01, 10), 1);
	assert_int_equal(sf_gauge_shade(10, 10), 9);
	assert_int_equal(sf_gauge_shade(11, 10), 9);
	assert_int_equal(sf_shade_char(0), ' ');
	assert_int_equal(sf_shade_char(9), '@');
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_shades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
