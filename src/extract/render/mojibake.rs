//! Words of a text that were read in a wrong encoding (mojibake), by this program or by whoever wrote the page.

use encoding_rs::{WINDOWS_1251, WINDOWS_1252};

/// From which share of such words on a text has a problem. Fewer are a sign that is quoted, or a character that is lost.
const LEAST_SHARE: f64 = 0.005;

/// What of a text was read in a wrong encoding.
#[derive(Debug, PartialEq)]
pub(super) struct Mojibake {
    /// The share of the words that it is seen in, at least 0.005 and at most 1.
    pub share: f64,
    /// What is said of it, with the first such word.
    pub problem: String,
}

impl Mojibake {
    /// Looks for words that were read in a wrong encoding; None where there are none, or fewer than one in 200.
    ///
    /// A word is what stands between white space. It counts if it holds
    /// - U+FFFD, or a control character U+0080 to U+009F;
    /// - UTF-8 that was read as windows-1252 or windows-1251, and nothing else beyond ASCII: "donâ€™t", "cafÃ©", "РєРѕС‚";
    /// - four signs of U+00A1 to U+00FF on end, two of them letters: most legacy encodings of other scripts, read as
    ///   windows-1252.
    ///
    /// The share is of the tokens of the text, among which each Han and Kana character is one.
    ///
    /// Measured on all shown text of 6,484 real pages (wcxb-dev, cleaneval, waddle, wwwxmu, fundus, unlabelled): 240 pages hold such
    /// a word and 59 are named. Read one by one, all 59 are mojibake or lost characters that the page itself holds, so that no right
    /// page is named. Of 1,284 reference texts that are not ASCII (waddle, wwwxmu, fundus), encoded and read wrongly, are named:
    /// UTF-8 as windows-1252 1,243, and as windows-1251 all 224 in Cyrillic letters; as windows-1252 all 451 in GBK and in Big5, 7 in
    /// Shift_JIS and in EUC-JP, 3 in EUC-KR, 224 in windows-1251 and in KOI8-U, 215 in windows-1253; windows-1252 as UTF-8 348 of 385.
    /// The others of these have too few characters beyond ASCII. UTF-8 as GBK is seen where bytes are left over, in 605 of 1,284.
    /// Not seen are Latin letters of one single-byte encoding read as another: windows-1250 as windows-1252, windows-1252 as windows-1251.
    pub(super) fn of(text: &str) -> Option<Mojibake> {
        let words = text.split_ascii_whitespace().filter(|word| !word.is_ascii());
        let mut garbled = words.flat_map(str::split_whitespace).filter(|word| is_garbled(word));
        let first: String = garbled.next()?.chars().take(20).collect();
        let count = 1 + garbled.count();
        let all = count.max(crate::tokens::count(text) as usize);
        let share = count as f64 / all as f64;
        (share >= LEAST_SHARE).then(|| Mojibake {
            share,
            problem: format!(
                "{count} of {all} words look as if they were read in a wrong encoding, the first is {first:?}"
            ),
        })
    }
}

/// Whether a word, which is not ASCII, shows that it was read in a wrong encoding.
fn is_garbled(word: &str) -> bool {
    let (mut signs, mut letters) = (0, 0);
    for c in word.chars() {
        match c {
            '\u{fffd}' | '\u{80}'..='\u{9f}' => return true,
            '\u{a1}'..='\u{ff}' => (signs, letters) = (signs + 1, letters + u32::from(c >= '\u{c0}')),
            _ => (signs, letters) = (0, 0),
        }
        if signs >= 4 && letters >= 2 {
            return true;
        }
    }
    match word.chars().find(|c| !c.is_ascii()) {
        // Left out is what Spanish and French words in capitals look like before a sign: "É®", "Í»".
        Some('\u{c2}'..='\u{f4}') => {
            let (bytes, _, unmapped) = WINDOWS_1252.encode(word);
            !unmapped
                && std::str::from_utf8(&bytes)
                    .is_ok_and(|read| !read.contains(|c| matches!(c, '\u{240}'..='\u{37f}')))
        }
        // Russian letters, but a letter alone could be a preposition before a sign; or the signs U+2000 to U+203F.
        Some('Р' | 'С' | 'в') => {
            let (bytes, _, unmapped) = WINDOWS_1251.encode(word);
            let read = std::str::from_utf8(&bytes).ok().filter(|_| !unmapped);
            read.is_some_and(|read| {
                let (mut letters, mut signs) = (0, 0);
                let known = read.chars().filter(|c| !c.is_ascii()).all(|c| {
                    letters += u32::from(matches!(c, '\u{401}'..='\u{457}'));
                    signs += u32::from(matches!(c, '\u{2000}'..='\u{203f}'));
                    matches!(c, '\u{401}'..='\u{457}' | '\u{2000}'..='\u{203f}')
                });
                known && (letters >= 2 || signs > 0)
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str, encoding: &'static encoding_rs::Encoding) -> String {
        encoding.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    #[test]
    fn words_in_a_wrong_encoding_are_counted() {
        let french =
            "Hier soir, une conférence sur l’histoire de la vieille rue a été donnée à la bibliothèque.";
        let found = Mojibake::of(&read_as(french, WINDOWS_1252)).unwrap();
        let problem =
            "5 of 16 words look as if they were read in a wrong encoding, the first is \"confÃ©rence\"";
        assert_eq!(found, Mojibake { share: 5.0 / 16.0, problem: problem.to_owned() });
        let russian = "Вчера вечером в городской библиотеке прошла лекция";
        for (text, least) in [
            (read_as(russian, WINDOWS_1251), 0.8),
            (read_as(russian, WINDOWS_1252), 1.0),
            // Whoever wrote the page read it as ISO 8859-1, or put bytes of windows-1252 into UTF-8.
            (french.bytes().map(char::from).collect(), 0.3),
            ("It was \u{93}a day\u{94} in June".to_owned(), 0.3),
            ("Une conf\u{fffd}rence".to_owned(), 0.5),
            (WINDOWS_1252.decode(&WINDOWS_1251.encode(russian).0).0.into_owned(), 0.7),
            (
                WINDOWS_1252
                    .decode(&encoding_rs::GBK.encode("昨天晚上，市图书馆举行了讲座").0)
                    .0
                    .into_owned(),
                1.0,
            ),
            (
                WINDOWS_1252
                    .decode(&encoding_rs::EUC_KR.encode("시립 도서관에서 강연이 열렸고").0)
                    .0
                    .into_owned(),
                0.5,
            ),
            (
                WINDOWS_1252
                    .decode(&encoding_rs::SHIFT_JIS.encode("昨日、図書館で講演会。").0)
                    .0
                    .into_owned(),
                1.0,
            ),
        ] {
            let share = Mojibake::of(&text).map(|found| found.share);
            assert!(share >= Some(least), "{share:?} {text}");
        }
    }

    #[test]
    fn a_text_that_is_read_right_has_no_problem() {
        for text in [
            "",
            "plain",
            "L’été, « né\u{a0}», ÉTÉ… NESCAFÉ® DÉJÀ-VU “À” ¡Ñandú! SÍ» Köö’ TÄÄLLÄ. Ærø, þæð",
            "Вчера Её СССР, Р. С. «С» С… В” Рё Сё Ві",
            "昨天晚上，市图书馆举行了讲座 昨日、図書館で講演会。 어제 저녁 χθες",
            "©®™ ···· »»»» €£¥§ 20°–30° ½×¼",
        ] {
            assert_eq!(Mojibake::of(text), None);
        }
        // A sign that is quoted in a long text.
        assert_eq!(Mojibake::of(&format!("They wrote Ã© for it. {}", "oak ".repeat(200))), None);
    }
}
