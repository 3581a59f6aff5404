//! The fonts that pages are set in: bundled, so that lines break alike on every machine.
//!
//! Most pages ask for Arial or Times New Roman, or for no font, which browsers answer with the latter. Neither is free, so
//! the glyphs are DejaVu's, with the advance widths and line heights of those two (`advances.txt`).

use std::sync::{Arc, LazyLock, Mutex};

use blitz_dom::FontContext;
use parley::fontique::{
    Blob, Collection, CollectionOptions, FontInfoOverride, GenericFamily, Script, ScriptExt, SourceCache,
};

use crate::metrics::{Face, Widths, patched, widths};

/// The families, with the names under which pages ask for them, in regular, bold, italic and bold italic.
static FAMILIES: [(&str, &[&str]); 6] = [
    ("serif", &["Times New Roman", "Times", "Liberation Serif", "Tinos"]),
    ("sans", &["Arial", "Helvetica", "Liberation Sans", "Arimo"]),
    ("mono", &["DejaVu Sans Mono"]),
    ("courier", &["Courier New", "Courier", "Liberation Mono", "Cousine"]),
    ("dejavu sans", &["DejaVu Sans"]),
    ("dejavu serif", &["DejaVu Serif"]),
];

/// Which family each generic family of CSS is; without a line here one is not known, as in Chromium on Linux.
static GENERIC: [(GenericFamily, &str); 8] = [
    (GenericFamily::Serif, "Times New Roman"),
    (GenericFamily::SansSerif, "Arial"),
    (GenericFamily::Monospace, "DejaVu Sans Mono"),
    (GenericFamily::Cursive, "Times New Roman"),
    (GenericFamily::Fantasy, "Times New Roman"),
    (GenericFamily::SystemUi, "DejaVu Sans"),
    (GenericFamily::UiSansSerif, "DejaVu Sans"),
    (GenericFamily::Math, "Times New Roman"),
];

/// The fonts as they were before their widths were set, by the number of the data that they were made into.
static ORIGINALS: Mutex<Vec<(u64, &'static [u8])>> = Mutex::new(Vec::new());

/// The collection is made once; copies share the font data.
static CONTEXT: LazyLock<Mutex<FontContext>> = LazyLock::new(|| Mutex::new(make()));

/// A collection with the bundled fonts and no other.
pub(crate) fn context() -> FontContext {
    CONTEXT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
}

/// The width of a text in em, in the font of buttons (`sans`) or of plain text.
pub(crate) fn text_width(text: &str, sans: bool) -> f32 {
    static SANS: LazyLock<Widths> = LazyLock::new(|| widths("sans"));
    static SERIF: LazyLock<Widths> = LazyLock::new(|| widths("serif"));
    let widths: &Widths = if sans { &SANS } else { &SERIF };
    text.chars().map(|c| f32::from(widths.get(&c).copied().unwrap_or(1024)) / 2048.0).sum()
}

fn make() -> FontContext {
    let options = CollectionOptions { shared: false, system_fonts: false };
    let mut context =
        FontContext { source_cache: SourceCache::new_shared(), collection: Collection::new(options) };
    let collection = &mut context.collection;
    for (family, names) in &FAMILIES {
        for (font, original) in faces(family).into_iter().zip(originals(family)) {
            let blob = Blob::new(font);
            ORIGINALS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((blob.id(), original));
            for name in *names {
                let named = FontInfoOverride {
                    family_name: Some(name),
                    width: None,
                    style: None,
                    weight: None,
                    axes: None,
                };
                collection.register_fonts(blob.clone(), Some(named));
            }
        }
    }
    for (generic, name) in &GENERIC {
        let family = collection.family_id(name);
        collection.set_generic_families(*generic, family.into_iter());
    }
    let fallback: Vec<_> =
        ["Times New Roman", "DejaVu Sans"].iter().filter_map(|n| collection.family_id(n)).collect();
    for &(script, _) in Script::all_samples() {
        collection.set_fallbacks(script, fallback.iter().copied());
    }
    collection.register_fonts(Blob::new(Arc::new(blitz_dom::BULLET_FONT)), None);
    context
}

/// The font that the data of this number were made of.
pub(crate) fn original(data: u64) -> Option<&'static [u8]> {
    let originals = ORIGINALS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    originals.iter().find(|(id, _)| *id == data).map(|(_, font)| *font)
}

/// The four fonts of a family as they come: regular, bold, italic, bold italic.
fn originals(family: &str) -> [&'static [u8]; 4] {
    use dejavu::{sans, sans_mono, serif};
    match family {
        "serif" | "dejavu serif" => [serif::regular(), serif::bold(), serif::italic(), serif::bold_italic()],
        "courier" | "mono" => {
            [sans_mono::regular(), sans_mono::bold(), sans_mono::oblique(), sans_mono::bold_oblique()]
        }
        _ => [sans::regular(), sans::bold(), sans::oblique(), sans::bold_oblique()],
    }
}

/// The same with the widths and lines of what pages ask for.
fn faces(family: &str) -> [Arc<dyn AsRef<[u8]> + Send + Sync>; 4] {
    type Font = Arc<dyn AsRef<[u8]> + Send + Sync>;
    let fonts = originals(family);
    let set = |face: Face, sections: [&str; 4]| {
        std::array::from_fn(|i| Arc::new(patched(fonts[i], face, &widths(sections[i]))) as Font)
    };
    match family {
        "serif" => set(Face::TIMES, ["serif", "serif bold", "serif italic", "serif bold italic"]),
        "sans" => set(Face::ARIAL, ["sans", "sans bold", "sans", "sans bold"]),
        "courier" => set(Face::COURIER, ["", "", "", ""]),
        _ => fonts.map(|font| Arc::new(font) as Font),
    }
}
