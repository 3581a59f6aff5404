//! What a reader sees of a page and of the Markdown made of it, to compare the two. The tests of rendering read with it too.

use duramen::dom::{BlockKind, Limits};
use duramen::extract::render::RenderOptions;
use duramen::page::Page;
use duramen::{NodeId, tokens};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page of `https://page.example/a/b`, whatever its characters: a comment stands where bytes would be told to be binary data.
///
/// # Panics
/// If it is no page.
pub fn page(html: &str) -> Page {
    let url = Some("https://page.example/a/b".to_owned());
    let html = format!("<!--{}-->{html}", " ".repeat(4096));
    Page::parse("page", url, html.as_bytes(), Some("utf-8"), &Limits::default()).unwrap()
}

/// The text of the page's blocks, white space as it stands: what no rendering may change but in white space.
pub fn blocks(page: &Page) -> Vec<String> {
    let (dom, tree) = (page.dom(), page.blocks());
    let leaves = tree.blocks().iter().filter(|block| block.kind == BlockKind::Leaf);
    let text = |texts: &[NodeId]| {
        let mut text = String::new();
        let (Some(&first), Some(&last)) = (texts.first(), texts.last()) else { return text };
        for id in dom.ids().skip(first.index()).take_while(|&id| id <= last) {
            // Blank text between words parts them, if it is not inside a script.
            if texts.contains(&id)
                || !dom.is_visible_text(id) && !dom.ancestors(id).any(|a| dom.tag(a).hides_text())
            {
                text.push_str(dom.text(id));
            }
        }
        text
    };
    leaves.map(|block| text(tree.texts_of(block))).collect()
}

/// The words of a text.
pub fn words_of(text: &str) -> Vec<String> {
    tokens::iter(text).map(str::to_owned).collect()
}

/// Links, images and tables on and off.
pub fn all_options() -> impl Iterator<Item = RenderOptions> {
    (0..8).map(|bits| RenderOptions {
        links: bits & 1 > 0,
        images: bits & 2 > 0,
        tables: bits & 4 > 0,
        ..RenderOptions::default()
    })
}

/// The text that a reader of Markdown sees, without the alternative texts of images.
pub fn read_markdown(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_GFM
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST;
    let mut text = String::new();
    let mut images = 0;
    // A table that pipes cannot express.
    let mut html = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Html(line) => html.push_str(&line),
            Event::End(TagEnd::HtmlBlock) => {
                text.push_str(&blocks(&page(&std::mem::take(&mut html))).concat());
                text.push('\n');
            }
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(piece) | Event::Code(piece) if images == 0 => text.push_str(&piece),
            Event::SoftBreak | Event::HardBreak => text.push('\n'),
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
            Event::Start(_) | Event::End(_) => text.push('\n'),
            _ => {}
        }
    }
    text
}

/// Without soft hyphens either, which Markdown leaves out.
pub fn without_white_space(text: &str) -> String {
    text.replace('\u{ad}', "").split_whitespace().collect()
}
