//! The values of all features, of the words and of the sums under the scores, as one number: a faster way to count a page
//! changes none of them.

use std::path::{Path, PathBuf};

use duramen::dataset::synth::{SynthConfig, generate};
use duramen::dom::Limits;
use duramen::features::measures::Measures;
use duramen::features::{Column, FeatureMatrix, FeatureSpec, TokenLists, catalogue, stated_words};
use duramen::page::Page;
use duramen::view::{PageView, View};

#[test]
fn the_values_of_all_features_are_those_that_models_have_learned_with() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> = std::fs::read_dir(tests.join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("page.html"))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut pages: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let config = SynthConfig { sites: 12, pages_per_site: 2, ..SynthConfig::default() };
    pages.extend(generate(&config).unwrap().into_iter().map(|page| page.original));
    let mut digest = Digest(0);
    for bytes in &pages {
        let page = Page::parse("page", None, bytes, None, &Limits::default()).unwrap();
        digest.add_page(&page);
    }
    // Of the pages of the tests and 24 made ones. If these stay, a feature's definition alone changes it, and models are trained anew
    // then.
    let known = std::fs::read_to_string(tests.join("references/features.txt")).unwrap();
    assert_eq!(format!("{:#x}", digest.0), known.trim());
}

/// A number of numbers in their order.
struct Digest(u64);

impl Digest {
    fn add(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// All that is observed of a page, but for its layout and learned scores.
    fn add_page(&mut self, page: &Page) {
        let is_of_page = |spec: &&FeatureSpec| !spec.needs_layout && !spec.needs_score;
        let specs: Vec<&'static FeatureSpec> = catalogue::all().filter(is_of_page).collect();
        for view in [View::Blocks, View::Dom] {
            let view = PageView::new(page, view);
            let measures = Measures::new(page, &view, None);
            for (spec, column) in specs.iter().zip(FeatureMatrix::from_measures(&measures, &specs).columns) {
                spec.id.bytes().for_each(|byte| self.add(byte.into()));
                match column {
                    Column::Values(values) => values.iter().for_each(|&value| self.add(value.into())),
                    Column::ChildTags(_) | Column::SiblingTags(_) => {}
                }
            }
            for lists in [TokenLists::from_classes(&measures), TokenLists::from_words(&measures)] {
                for v in 0..view.tree.len() as u32 {
                    lists.of(v).iter().for_each(|&key| self.add(key));
                    self.add(0);
                }
            }
        }
        stated_words(page.dom()).iter().flat_map(|word| word.bytes()).for_each(|byte| self.add(byte.into()));
    }
}
