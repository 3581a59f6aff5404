//! The article's text with the images that belong to it: the system of HP Laboratories.
//!
//! P. M. Joshi, S. Liu, "Web Document Text and Images Extraction using DOM Analysis and Natural Language Processing", HPL-2009-187,
//! DocEng 2009. The [article's subtree](ArticleSubtree) is found by the sizes of paragraphs (section 4.2); an image in it stays if its
//! caption (section 4.3) and the article speak of the same people, places and organisations (section 4.4).
//!
//! # What the paper leaves open
//!
//! - **Captions** are the shown text of the first block element around the image, with the paper's block tags. Where that is the
//!   article's subtree itself the caption is the article, and they are similar.
//! - **Small blocks** are captions of fewer words than the parameter `small`, 50 by default. One is similar to the article if it names an entity that
//!   the article, the caption included, names `frequent` times or more, 2 by default.
//! - **Large blocks** are similar from a cosine of `similarity` on, 0.5 by default: the middle of its range.
//! - **Entities**: the paper used GATE; the recogniser here is [`crate::entities::Rules`], or any program
//!   ([`CommandRecognizer`]).
//! - **Bounds**: captions of more than 2,000,000 characters together are not read, and images beyond have none.

mod subtree;

use std::collections::HashMap;
use std::time::Duration;

use super::metadata::Metadata;
use super::pictures::Picture;
use super::registry::{ExtractorInfo, OnlyWith, Parameter, Range, Values};
use super::{ArticleImage, ExtractError, Extraction, PageExtractor, PageImages};
use crate::dom::Dom;
use crate::entities::{CommandRecognizer, EntityRecognizer, Frequencies, Rules};
use crate::index::NodeId;
use crate::page::Page;
use crate::tokens;
pub use subtree::{ArticleSubtree, DEFAULT_CHARACTERS, is_block};

const ID: &str = "article-images";
const DEFAULT_SMALL: u32 = 50;
const DEFAULT_FREQUENT: u32 = 2;
const DEFAULT_SIMILARITY: f64 = 0.5;
/// The most characters of all captions of a page.
const MOST_CAPTION_CHARACTERS: usize = 2_000_000;

const WITH_COMMAND: OnlyWith = OnlyWith { parameter: "recognizer", values: &["command"], implied: true };

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "the first large run of paragraphs, with the images whose captions name whom the article names",
    reference: "Joshi & Liu 2009 (HPL-2009-187)",
    needs: &[],
    parameters: &[
        Parameter::new(
            "characters",
            Range::Integer { min: 0, max: 1_000_000, default: DEFAULT_CHARACTERS as i64 },
            "the characters that an article has at least",
        ),
        Parameter::new(
            "small",
            Range::Integer { min: 0, max: 100_000, default: DEFAULT_SMALL as i64 },
            "captions of fewer words are matched with the article's frequent entities, others by the cosine",
        ),
        Parameter::new(
            "frequent",
            Range::Integer { min: 1, max: 1_000, default: DEFAULT_FREQUENT as i64 },
            "how often the article names an entity that is frequent",
        ),
        Parameter::new(
            "similarity",
            Range::Number { min: 0.0, max: 1.0, default: DEFAULT_SIMILARITY },
            "the least cosine between the entities of a large caption and of the article",
        ),
        Parameter::new(
            "recognizer",
            Range::Choice { options: &["rules", "command"], default: "rules" },
            "what finds the entities: rules, or a program",
        ),
        Parameter {
            name: "program",
            range: Range::Text { default: "" },
            what: "the command line of a program that reads texts and writes their entities, as JSON lines",
            only_with: Some(WITH_COMMAND),
        },
        Parameter {
            name: "timeout",
            range: Range::Number { min: 0.1, max: 86_400.0, default: 30.0 },
            what: "seconds that the program may take for a page",
            only_with: Some(WITH_COMMAND),
        },
    ],
    reads_source: false,
    build: |values: &Values<'_>| {
        let settings = Settings {
            characters: values.small("characters").into(),
            small: values.small("small"),
            frequent: values.small("frequent"),
            similarity: values.number("similarity"),
        };
        let recognizer: Box<dyn EntityRecognizer> = match values.text("recognizer") {
            "command" => {
                let timeout = Duration::from_secs_f64(values.number("timeout"));
                let field = "parameter 'program' of extractor 'article-images'";
                Box::new(CommandRecognizer::new(values.text("program"), timeout, field)?)
            }
            _ => Box::new(Rules),
        };
        Ok(Box::new(ArticleImages::new(settings, recognizer)))
    },
}];

/// The thresholds of the system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The characters that an article has at least (section 4.2). Default 500.
    pub characters: u64,
    /// Captions of fewer words are small blocks. Default 50.
    pub small: u32,
    /// How often the article names an entity that is frequent, 1 and up. Default 2.
    pub frequent: u32,
    /// The least cosine of a large caption, 0 to 1. Default 0.5.
    pub similarity: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            characters: DEFAULT_CHARACTERS,
            small: DEFAULT_SMALL,
            frequent: DEFAULT_FREQUENT,
            similarity: DEFAULT_SIMILARITY,
        }
    }
}

/// The extractor `article-images`. Linear in the page but for captions that lie in each other.
pub struct ArticleImages {
    settings: Settings,
    recognizer: Box<dyn EntityRecognizer>,
}

impl ArticleImages {
    /// The system with a recogniser of entities.
    pub fn new(settings: Settings, recognizer: Box<dyn EntityRecognizer>) -> Self {
        ArticleImages { settings, recognizer }
    }

    /// The images of the article.
    fn images(&self, page: &Page, article: &ArticleSubtree) -> Result<Vec<ArticleImage>, ExtractError> {
        let dom = page.dom();
        let pictures: Vec<Picture> = Picture::on_page(page)
            .into_iter()
            .filter(|picture| !picture.is_dot() && article.holds(dom, picture.node))
            .collect();
        let shown: Vec<NodeId> = dom.shown_texts().collect();
        // Each block is a caption once, however many images it holds.
        let mut captions: Vec<String> = Vec::new();
        let mut caption_of: HashMap<NodeId, Option<usize>> = HashMap::new();
        let mut characters = 0;
        let numbers: Vec<Option<usize>> = pictures
            .iter()
            .map(|picture| {
                let block = dom.ancestors(picture.node).find(|&above| is_block(dom, above))?;
                *caption_of.entry(block).or_insert_with(|| {
                    if characters > MOST_CAPTION_CHARACTERS {
                        return None;
                    }
                    let caption = subtree::text(dom, &shown, block);
                    characters += caption.len();
                    let number = (!caption.trim().is_empty()).then_some(captions.len());
                    if number.is_some() {
                        captions.push(caption);
                    }
                    number
                })
            })
            .collect();
        if captions.is_empty() {
            return Ok(Vec::new());
        }
        let text = article.text(dom);
        let texts: Vec<&str> =
            std::iter::once(text.as_str()).chain(captions.iter().map(String::as_str)).collect();
        let language = Metadata::read(page, &text).language.map(|language| language.value);
        let language = language.as_deref().map(|tag| tag.split('-').next().unwrap_or(tag));
        let mentions = self.recognizer.mentions(&texts, language).map_err(ExtractError::Page)?;
        let frequencies = Frequencies::count_texts(&mentions);
        let (article, captions_named) = (&frequencies[0], &frequencies[1..]);
        let is_similar = |number: usize| {
            let caption = &captions_named[number];
            match tokens::count(&captions[number]) < self.settings.small {
                true => article.shares_frequent(caption, self.settings.frequent),
                false => article.cosine(caption) >= self.settings.similarity,
            }
        };
        let kept = pictures.into_iter().zip(numbers);
        let kept = kept.filter(|(_, number)| number.is_some_and(is_similar));
        Ok(kept.map(|(picture, _)| ArticleImage { picture, probability: None }).collect())
    }
}

impl PageExtractor for ArticleImages {
    fn id(&self) -> &str {
        ID
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let dom: &Dom = page.dom();
        let Some(article) = ArticleSubtree::find(dom, self.settings.characters) else {
            let nothing = Extraction::from_full_text(dom, std::iter::empty());
            return Ok(Extraction { images: Some(PageImages::default()), ..nothing });
        };
        let images = Some(PageImages { images: self.images(page, &article)?, lead: None });
        Ok(Extraction { images, ..Extraction::from_full_text(dom, article.texts(dom)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<body><div id=nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></div>\
        <div id=main><h1>Town mourns its oak</h1>\
        <p>The oldest oak of Lindholm fell on Monday night, Mayor Maria Lindqvist said. {filler}</p>\
        <div class=photo><img src=mayor.jpg><span>Maria Lindqvist at the green.</span></div>\
        <div class=ad><img src=car.jpg><span>Drive the new Roadster, says Peter Smith.</span></div>\
        <div class=bare><img src=plain.jpg></div>\
        <p>Lindqvist promised a new tree. {filler}</p>\
        <ul><li><a href=/a>Another story with a long headline</a><li><a href=/b>One more story of today</a></ul>\
        <p>Nobody was hurt. {filler}</p></div>\
        <div id=foot>Terms and privacy</div></body>";

    fn extract(html: &str) -> (Page, Extraction) {
        let page =
            Page::parse("p", Some("https://a.example/".into()), html.as_bytes(), None, &Default::default())
                .unwrap();
        let extraction =
            ArticleImages::new(Settings::default(), Box::new(Rules)).extract_page(&page).unwrap();
        (page, extraction)
    }

    fn html() -> String {
        HTML.replace("{filler}", &"The storm had lasted for six hours by then. ".repeat(5))
    }

    #[test]
    fn the_image_whose_caption_names_whom_the_article_names_stays() {
        let (page, extraction) = extract(&html());
        let images: Vec<&str> = extraction
            .images
            .as_ref()
            .unwrap()
            .images
            .iter()
            .map(|image| page.dom().attribute(image.picture.node, "src").unwrap())
            .collect();
        assert_eq!(images, ["mayor.jpg"]);
        let text: String = page
            .dom()
            .shown_texts()
            .filter(|&id| extraction.labels[id] == crate::label::Label::FullText)
            .map(|id| page.dom().text(id))
            .collect();
        assert!(text.contains("Town mourns") && text.contains("Nobody was hurt"), "{text}");
        assert!(
            !text.contains("Home") && !text.contains("Another story") && !text.contains("Terms"),
            "{text}"
        );
    }

    #[test]
    fn a_page_without_a_large_run_of_paragraphs_has_no_article() {
        for html in ["<p>Short.", "<img src=a.jpg>", "<template><p>x</template>"] {
            let (page, extraction) = extract(html);
            assert_eq!(extraction.images, Some(PageImages::default()), "{html}");
            assert!(
                page.dom().ids().all(|id| extraction.labels[id] == crate::label::Label::NotContent),
                "{html}"
            );
        }
    }

    #[test]
    fn ten_thousand_images_and_images_in_each_other_are_read() {
        let image = |number| format!("<div class=bare><img src={number}.jpg>Maria Lindqvist {number}</div>");
        let many: String = (0..10_000).map(image).collect();
        let (_, extraction) = extract(&html().replace("<div class=bare><img src=plain.jpg></div>", &many));
        assert_eq!(extraction.images.unwrap().images.len(), 10_001);
        let nested: String =
            (0..3_000).map(|number| format!("<div><img src={number}.jpg>Maria Lindqvist. ")).collect();
        let (_, extraction) = extract(&format!("<body><div>{nested}"));
        assert!(!extraction.images.unwrap().images.is_empty());
    }
}
