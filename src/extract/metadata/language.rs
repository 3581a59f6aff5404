//! Language tags: declared ones tidied, missing ones guessed from the text.

use whatlang::Lang;

use super::{Field, MetadataSource};

/// Tags that say nothing: undetermined, several, none, and the private-use default of some systems.
const VOID: [&str; 5] = ["und", "mul", "zxx", "mis", "xx"];

/// A declared tag with its usual case (`EN_us` becomes `en-US`), if it looks like a BCP 47 tag.
pub(super) fn normalize(tag: &str, source: MetadataSource) -> Option<Field> {
    // A list of languages names the main one first.
    let tag = tag.split([',', ';', ' ']).next()?.trim();
    let mut parts = tag.split(['-', '_']);
    let language = parts.next()?.to_ascii_lowercase();
    let is_language = (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
    if !is_language || VOID.contains(&language.as_str()) {
        return None;
    }
    let mut value = language;
    for part in parts.take(4) {
        if part.is_empty() || part.len() > 8 || !part.bytes().all(|b| b.is_ascii_alphanumeric()) {
            break;
        }
        let is_alphabetic = part.bytes().all(|b| b.is_ascii_alphabetic());
        value.push('-');
        match part.len() {
            2 if is_alphabetic => value.push_str(&part.to_ascii_uppercase()),
            4 if is_alphabetic => {
                value.push_str(&part[..1].to_ascii_uppercase());
                value.push_str(&part[1..].to_ascii_lowercase());
            }
            _ => value.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(Field { value, source })
}

/// The language of a text by its script and trigrams; at most its first 4,000 characters are looked at.
pub(super) fn detect(text: &str) -> Option<Field> {
    let end = text.char_indices().nth(4000).map_or(text.len(), |(end, _)| end);
    let guess = whatlang::detect(&text[..end])?;
    let source =
        if guess.is_reliable() { MetadataSource::Detected } else { MetadataSource::DetectedUnsurely };
    Some(Field { value: tag_of(guess.lang()).to_owned(), source })
}

/// The shortest ISO 639 code, as BCP 47 asks for.
fn tag_of(lang: Lang) -> &'static str {
    match lang {
        Lang::Epo => "eo",
        Lang::Eng => "en",
        Lang::Rus => "ru",
        Lang::Cmn => "zh",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Ita => "it",
        Lang::Ben => "bn",
        Lang::Fra => "fr",
        Lang::Deu => "de",
        Lang::Ukr => "uk",
        Lang::Kat => "ka",
        Lang::Ara => "ar",
        Lang::Hin => "hi",
        Lang::Jpn => "ja",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Pol => "pl",
        Lang::Amh => "am",
        Lang::Jav => "jv",
        Lang::Kor => "ko",
        Lang::Nob => "nb",
        Lang::Dan => "da",
        Lang::Swe => "sv",
        Lang::Fin => "fi",
        Lang::Tur => "tr",
        Lang::Nld => "nl",
        Lang::Hun => "hu",
        Lang::Ces => "cs",
        Lang::Ell => "el",
        Lang::Bul => "bg",
        Lang::Bel => "be",
        Lang::Mar => "mr",
        Lang::Kan => "kn",
        Lang::Ron => "ro",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Lit => "lt",
        Lang::Lav => "lv",
        Lang::Est => "et",
        Lang::Tam => "ta",
        Lang::Vie => "vi",
        Lang::Urd => "ur",
        Lang::Tha => "th",
        Lang::Guj => "gu",
        Lang::Uzb => "uz",
        Lang::Pan => "pa",
        Lang::Aze => "az",
        Lang::Ind => "id",
        Lang::Tel => "te",
        Lang::Pes => "fa",
        Lang::Mal => "ml",
        Lang::Ori => "or",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Sin => "si",
        Lang::Khm => "km",
        Lang::Tuk => "tk",
        Lang::Aka => "ak",
        Lang::Zul => "zu",
        Lang::Sna => "sn",
        Lang::Afr => "af",
        Lang::Lat => "la",
        Lang::Slk => "sk",
        Lang::Cat => "ca",
        Lang::Tgl => "tl",
        Lang::Hye => "hy",
        Lang::Cym => "cy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_tags_get_their_usual_case() {
        let tag = |tag| normalize(tag, MetadataSource::HtmlLang).map(|field| field.value);
        assert_eq!(tag("EN_us").as_deref(), Some("en-US"));
        assert_eq!(tag("zh-hant-TW").as_deref(), Some("zh-Hant-TW"));
        assert_eq!(tag("de, en").as_deref(), Some("de"));
        assert_eq!(tag("es-419").as_deref(), Some("es-419"));
        for void in ["", "und", "english", "{{lang}}", "1"] {
            assert_eq!(tag(void), None, "{void}");
        }
    }

    #[test]
    fn a_long_text_is_recognized_and_a_short_one_is_not_trusted() {
        let german = "Der Sturm hat in der vergangenen Nacht mehrere alte Eichen im Stadtpark entwurzelt, \
                      wie die Verwaltung am Morgen mitteilte. Verletzt wurde niemand.";
        let field = detect(german).unwrap();
        assert_eq!((field.value.as_str(), field.source), ("de", MetadataSource::Detected));
        assert_eq!(detect("oak").unwrap().source, MetadataSource::DetectedUnsurely);
        assert_eq!(detect("123 – 456"), None);
    }
}
