/* SPDX-License-Identifier: MIT */
/*
 * test_collect_guess.c - sets told from each other, on texts of each.
 */
#include "tests/support/test_shm.h"

#include <iconv.h>
#include <string.h>

#include "stages/collect/collect.h"

#define JAPANESE                                                              \
	"/* このファイルは設定を読み込み、エラーがあれば名前を表示します。 */\n"
#define CHINESE                                                               \
	"// 这个函数读取配置文件，如果没有找到就返回错误代码，调用者需要检查。\n"
#define KOREAN                                                                \
	"# 이 함수는 설정 파일을 읽고 오류가 있으면 이름을 출력합니다. 호출하는 " \
	"쪽에서 확인해야 합니다.\n"
#define RUSSIAN                                                               \
	"; Эта функция читает файл настроек и возвращает ошибку, если его нет.\n"
#define UKRAINIAN                                                             \
	"; Ця функція читає файл налаштувань і повертає помилку, якщо його немає." \
	" Її має перевірити той, хто викликає.\n"
#define GREEK                                                                 \
	"; Αυτή η συνάρτηση διαβάζει το αρχείο ρυθμίσεων και επιστρέφει σφάλμα.\n"
#define HEBREW                                                                \
	"; הפונקציה הזאת קוראת את קובץ ההגדרות ומחזירה שגיאה אם הוא לא נמצא.\n"
#define POLISH                                                                \
	"; Ta funkcja czyta plik z ustawieniami i zwraca błąd, jeśli go nie ma; " \
	"część źródeł jest już gotowa, ąęśćżźńół.\n"
#define GERMAN                                                                \
	"; Diese Funktion liest die Datei für Einstellungen; größere Änderungen " \
	"müssen geprüft werden.\n"
#define TRADITIONAL                                                           \
	"// 這個函數讀取設定檔，如果沒有找到就傳回錯誤代碼，呼叫的人需要檢查。\n"

static const struct {
	const char *text;
	const char *set;
	enum collect_text want;
} cases[] = {
	{ JAPANESE, "CP932", COLLECT_TEXT_SHIFT_JIS },
	{ CHINESE, "GB18030", COLLECT_TEXT_GB18030 },
	{ CHINESE, "GBK", COLLECT_TEXT_GB18030 },
	{ KOREAN, "EUC-KR", COLLECT_TEXT_EUC_KR },
	{ RUSSIAN, "CP1251", COLLECT_TEXT_CYRILLIC },
	{ UKRAINIAN, "CP1251", COLLECT_TEXT_CYRILLIC },
	/* none of these is taken for another */
	{ JAPANESE, "EUC-JP", COLLECT_TEXT_UNKNOWN },
	{ TRADITIONAL, "BIG5", COLLECT_TEXT_UNKNOWN },
	{ RUSSIAN, "KOI8-R", COLLECT_TEXT_UNKNOWN },
	{ RUSSIAN, "ISO-8859-5", COLLECT_TEXT_UNKNOWN },
	{ RUSSIAN, "CP866", COLLECT_TEXT_UNKNOWN },
	{ GREEK, "CP1253", COLLECT_TEXT_UNKNOWN },
	{ GREEK, "ISO-8859-7", COLLECT_TEXT_UNKNOWN },
	{ HEBREW, "CP1255", COLLECT_TEXT_UNKNOWN },
	{ POLISH, "CP1250", COLLECT_TEXT_UNKNOWN },
	{ POLISH, "ISO-8859-2", COLLECT_TEXT_UNKNOWN },
	{ GERMAN, "CP1252", COLLECT_TEXT_WESTERN },
};

/* bytes in `out`, of how often the text is there */
static size_t
encode(const char *text, const char *set, unsigned times, char *out,
       size_t room)
{
	iconv_t cd = iconv_open(set, "UTF-8");
	char copy[4096];
	char *to = out;

	assert_true(cd != (iconv_t)-1);
	while (times-- > 0) {
		char *from = copy;
		size_t nr = strlen(text);

		memcpy(copy, text, nr);
		if (iconv(cd, &from, &nr, &to, &room) == (size_t)-1)
			fail_msg("%s has no %.20s", set, from);
	}
	iconv_close(cd);
	return (size_t)(to - out);
}

static void
test_guess_knows_each_set_by_a_sentence(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		for (unsigned times = 1; times < 20; times += 9) {
			char text[8192];
			size_t bytes = encode(cases[i].text, cases[i].set,
					      times, text, sizeof(text));
			enum collect_text got =
				collect_text_probe(text, bytes, true);

			if (got != cases[i].want)
				fail_msg("%s, %u times: got %d, want %d: %.30s",
					 cases[i].set, times, (int)got,
					 (int)cases[i].want, cases[i].text);
		}
	}
}

/* A beginning of 8 KiB ends within a character as likely as not. */
static void
test_guess_takes_a_text_that_is_cut(void **state)
{
	char text[8192];

	for (size_t i = 0; i < 6; i++) {
		size_t bytes = encode(cases[i].text, cases[i].set, 3, text,
				      sizeof(text));

		for (size_t cut = 0; cut < 4; cut++)
			ASSERT_EQ(collect_text_probe(text, bytes - cut, false),
				  cases[i].want);
	}
}

/* A word alone could be of several sets. */
static void
test_guess_leaves_a_few_words_alone(void **state)
{
	char text[64];

	ASSERT_EQ(collect_text_probe(
			  text,
			  encode("# 파일\n", "EUC-KR", 1, text, sizeof(text)),
			  true),
		  COLLECT_TEXT_UNKNOWN);
	ASSERT_EQ(collect_text_probe(
			  text,
			  encode("# файл\n", "CP1251", 1, text, sizeof(text)),
			  true),
		  COLLECT_TEXT_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guess_knows_each_set_by_a_sentence),
		cmocka_unit_test(test_guess_takes_a_text_that_is_cut),
		cmocka_unit_test(test_guess_leaves_a_few_words_alone),
	};

	return cmocka_run_group_tests_name("collect/guess", tests, NULL, NULL);
}
