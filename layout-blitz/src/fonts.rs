//! The fonts that pages are set in: bundled, so that lines break alike on every machine.

use std::sync::Arc;

use blitz_dom::FontContext;
use parley::fontique::{Blob, Collection, CollectionOptions, GenericFamily, Script, ScriptExt, SourceCache};

/// The generic families of CSS.
const GENERIC: [GenericFamily; 11] = [
    GenericFamily::Serif,
    GenericFamily::SansSerif,
    GenericFamily::Monospace,
    GenericFamily::Cursive,
    GenericFamily::Fantasy,
    GenericFamily::SystemUi,
    GenericFamily::UiSerif,
    GenericFamily::UiSansSerif,
    GenericFamily::UiMonospace,
    GenericFamily::UiRounded,
    GenericFamily::Math,
];

/// A collection with the bundled fonts and no other.
pub(crate) fn context() -> FontContext {
    let options = CollectionOptions { shared: false, system_fonts: false };
    let mut context =
        FontContext { source_cache: SourceCache::new_shared(), collection: Collection::new(options) };
    let collection = &mut context.collection;
    let mut families = Vec::new();
    for font in
        [dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans::oblique(), dejavu::sans::bold_oblique()]
    {
        let registered = collection.register_fonts(Blob::new(Arc::new(font)), None);
        families.extend(registered.into_iter().map(|(family, _)| family));
    }
    families.dedup();
    for generic in GENERIC {
        collection.set_generic_families(generic, families.iter().copied());
    }
    for &(script, _) in Script::all_samples() {
        collection.set_fallbacks(script, families.iter().copied());
    }
    collection.register_fonts(Blob::new(Arc::new(blitz_dom::BULLET_FONT)), None);
    context
}
