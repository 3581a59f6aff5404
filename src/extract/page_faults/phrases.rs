//! What pages say that are not what was asked for, in the languages of the corpora.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::tokens;

/// That a page is not there, in small letters.
const GONE: &[&str] = &[
    "not found",
    "page unavailable",
    "could not be found",
    "couldn't be found",
    "cannot be found",
    "can't be found",
    "could not find the page",
    "couldn't find the page",
    "can't find the page",
    "we can't find",
    "no longer available",
    "no longer exists",
    "no longer at this",
    "does not exist",
    "doesn't exist",
    "page has moved",
    "pages have moved",
    "page has been moved",
    "page has been removed",
    "have been removed",
    "been moved or deleted",
    "page that is not available",
    "unfortunately not available",
    "error occurred",
    "error has occurred",
    "out of date or broken",
    "currently undergoing maintenance",
    "nicht gefunden",
    "existiert nicht",
    "nicht mehr verfügbar",
    "introuvable",
    "n'existe pas",
    "n’existe pas",
    "n'existe plus",
    "n’existe plus",
    "no encontrad",
    "no existe",
    "não encontrad",
    "não existe",
    "non trovat",
    "non esiste",
    "niet gevonden",
    "bestaat niet",
    "ikke funnet",
    "ikke fundet",
    "hittades inte",
    "finns inte",
    "ei löydy",
    "nie znalezion",
    "nie istnieje",
    "nenalezen",
    "neexistuje",
    "nem található",
    "не найден",
    "не существует",
    "не знайден",
    "не е намерен",
    "δεν βρέθηκε",
    "bulunamadı",
    "页面不存在",
    "找不到",
    "見つかりません",
    "찾을 수 없",
    "غير موجود",
    "یافت نشد",
    "לא נמצא",
    "tidak ditemukan",
    "không tìm thấy",
    "ไม่พบ",
];
/// The codes of HTTP for it.
const CODES: [&str; 3] = ["403", "404", "410"];
/// How texts begin that stand where something is yet to come.
const LOADING: &[&str] = &[
    "loading",
    "please wait",
    "lädt",
    "chargement",
    "cargando",
    "carregando",
    "caricamento",
    "загрузка",
    "加载中",
    "読み込み中",
];
/// Parts of names of elements that stand in until a script has filled the page.
const STAND_INS: &[&str] =
    &["skeleton", "splash", "spinner", "preloader", "loading", "placeholder", "shimmer", "skel "];

/// Finds parts of texts, ASCII in any case.
fn finder(parts: &[&str]) -> AhoCorasick {
    AhoCorasick::builder().ascii_case_insensitive(true).build(parts).expect("a few short texts")
}

/// Whether a text, its letters outside ASCII small, says that a page is not there.
pub(super) fn says_gone(text: &str) -> bool {
    static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| finder(GONE));
    FINDER.is_match(text)
}

/// Whether a word of a title or heading is one of HTTP's codes for that.
pub(super) fn has_code(text: &str) -> bool {
    tokens::iter(text).any(|word| CODES.contains(&word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// Whether a text, in small letters, says that something is yet to come.
pub(super) fn is_loading(text: &str) -> bool {
    LOADING.iter().any(|beginning| text.starts_with(beginning))
}

/// Whether the name of a class speaks of what stands in until a script has filled the page.
pub(super) fn is_stand_in(name: &str) -> bool {
    static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| finder(STAND_INS));
    FINDER.is_match(name)
}

/// Whether an id is one that scripts fill an element of with the whole page.
pub(super) fn is_root(id: &str) -> bool {
    ["root", "app", "__next", "__nuxt", "main-app", "react-root"].contains(&id)
}
