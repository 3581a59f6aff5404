//! `Extracted`, what JavaScript is told of a page.

use std::collections::BTreeMap;

use duramen::{Document, Label, LabelSet, NodeRecord, RenderedPage};
use serde::Serialize;

use super::asked::Asked;

/// The record of a page with what was asked for beside it; `js/index.d.ts` documents it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extracted<'a, Records> {
    id: &'a str,
    url: Option<&'a str>,
    status: &'a str,
    problem: Option<&'a str>,
    title: Option<&'a str>,
    author: Option<&'a str>,
    date: Option<&'a str>,
    date_modified: Option<&'a str>,
    language: Option<&'a str>,
    site: Option<&'a str>,
    description: Option<&'a str>,
    image: Option<&'a str>,
    license: Option<&'a str>,
    categories: &'a [String],
    tags: &'a [String],
    fingerprint: Option<&'a str>,
    confidence: Option<f64>,
    /// The most probable type.
    kind: Option<&'static str>,
    /// P(type).
    page_type: Option<BTreeMap<&'static str, f64>>,
    /// P(fault), each for itself.
    page_fault: Option<BTreeMap<&'static str, f64>>,
    words: &'a BTreeMap<Label, u64>,
    hidden_words: u64,
    text: &'a str,
    comments: String,
    markdown: Option<String>,
    html: Option<String>,
    records: Records,
    blocks: Option<Vec<Block>>,
}

/// A shown text node.
#[derive(Serialize)]
struct Block {
    xpath: String,
    tag: String,
    label: Label,
    kept: bool,
    probabilities: Option<BTreeMap<Label, f64>>,
    text: String,
}

impl From<NodeRecord> for Block {
    fn from(node: NodeRecord) -> Block {
        let NodeRecord { xpath, tag, label, kept, posterior: probabilities, text, .. } = node;
        Block { xpath, tag, label, kept, probabilities, text }
    }
}

impl<'a> Extracted<'a, ()> {
    /// What a document has of what was asked for.
    pub fn of(document: &'a Document, asked: &Asked) -> Extracted<'a, impl Serialize> {
        let record: &RenderedPage = &document.record;
        let render = asked.render();
        Extracted {
            id: &record.id,
            url: record.url.as_deref(),
            status: record.status,
            problem: record.problem.as_deref(),
            title: record.title.as_deref(),
            author: record.author.as_deref(),
            date: record.date.as_deref(),
            date_modified: record.date_modified.as_deref(),
            language: record.language.as_deref(),
            site: record.site.as_deref(),
            description: record.description.as_deref(),
            image: record.image.as_deref(),
            license: record.license.as_deref(),
            categories: &record.categories,
            tags: &record.tags,
            fingerprint: record.fingerprint.as_deref(),
            confidence: record.confidence,
            kind: record.most_probable_type().map(|kind| kind.name()),
            page_type: record
                .page_type
                .as_ref()
                .map(|types| types.iter().map(|(kind, p)| (kind.name(), *p)).collect()),
            page_fault: record
                .page_fault
                .as_ref()
                .map(|faults| faults.iter().map(|(fault, p)| (fault.name(), *p)).collect()),
            words: &record.words,
            hidden_words: record.hidden_words,
            text: &record.text,
            comments: document.text_of(LabelSet::COMMENTS),
            markdown: asked.markdown.then(|| document.markdown(&render)),
            html: asked.html.then(|| document.html(&render)),
            records: &record.records,
            blocks: asked.blocks.then(|| document.blocks().into_iter().map(Block::from).collect()),
        }
    }
}
