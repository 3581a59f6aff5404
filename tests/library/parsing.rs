//! Trees are those of html5ever with its own tokenizer, on whole pages: ours and, where they are there, real ones.

use crate::support;
use std::path::Path;

use crate::arena::{self, Arena, Data};
use duramen::dataset;
use duramen::dom::{Dom, Limits, NodeKind};
use duramen::report::Report;
use duramen::report::figures::{RankedScores, SystemScores};
use encoding_rs::Encoding;

/// The nodes of a tree in document order, without what a `Dom` leaves out: the number of the parent, the name of an
/// element, the attributes, the text.
type Nodes = Vec<(Option<usize>, String, Vec<(String, String)>, String)>;

fn nodes_of_dom(dom: &Dom) -> Nodes {
    dom.ids()
        .map(|id| {
            let name = if dom.kind(id) == NodeKind::Element { dom.name(id) } else { "" };
            let attributes = dom.attributes(id).map(|(name, value)| (name.to_owned(), value.to_owned()));
            (
                dom.parent(id).map(|id| id.index()),
                name.to_owned(),
                attributes.collect(),
                dom.text(id).to_owned(),
            )
        })
        .collect()
}

fn nodes_of_arena(arena: &Arena) -> Nodes {
    let mut nodes = Nodes::new();
    // The open ancestors: their numbers in the arena and among the nodes kept.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut next = Some(0);
    loop {
        while next.is_none() {
            let Some((closed, _)) = open.pop() else { return nodes };
            next = arena.nodes[closed].next;
        }
        let current = next.expect("the loop above ends at a node");
        let node = &arena.nodes[current];
        let (name, attributes, text) = match &node.data {
            Data::Document => (String::new(), Vec::new(), String::new()),
            Data::Text(text) => (String::new(), Vec::new(), text.to_string()),
            Data::Element { name, attributes } => {
                let attributes = attributes.iter().map(|a| (a.name.local.to_string(), a.value.to_string()));
                (name.local.to_string(), attributes.collect(), String::new())
            }
            Data::Doctype { .. } | Data::Comment(_) | Data::Instruction { .. } => {
                next = node.next;
                continue;
            }
        };
        let parent = open.last().map(|&(_, number)| number);
        next = node.first_child;
        open.push((current, nodes.len()));
        nodes.push((parent, name, attributes, text));
    }
}

/// Compares a page's trees; whether they could be compared, which pages that had to be repaired cannot.
fn check(name: &str, bytes: &[u8]) -> bool {
    let dom =
        Dom::parse(bytes, None, &Limits::default()).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    if !dom.notes().is_empty() {
        return false;
    }
    let encoding = Encoding::for_label(dom.encoding().as_bytes()).unwrap();
    let arena = arena::parse(bytes, encoding);
    assert_eq!(dom.quirks(), arena.quirks, "{name}");
    let (ours, theirs) = (nodes_of_dom(&dom), nodes_of_arena(&arena));
    let differs = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
    if let Some(at) = differs {
        panic!("{name}: node {at} is {:?}, html5ever's {:?}", ours[at], theirs[at]);
    }
    assert_eq!(ours.len(), theirs.len(), "{name}");
    true
}

/// Compares the trees of every page of a corpus; the number of pages left out, `None` where the archives are not there.
fn check_corpus(name: &str) -> Option<usize> {
    let data_dir = support::corpus(name)?;
    let corpus = dataset::open(name, &data_dir).unwrap().with_bad_pages();
    let compared = |&index: &usize| {
        let document = corpus.read(index).unwrap();
        check(&format!("{name} {}", document.id), &document.html)
    };
    Some((0..corpus.len()).filter(|index| !compared(index)).count())
}

#[test]
fn our_own_pages_have_the_trees_of_html5ever() {
    let mut pages = 0;
    let mut folders = vec!["tests/pages".into(), "src/report".into()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let page = std::fs::read(&path).unwrap();
            // One of the expected outputs is empty, which is no page.
            if path.extension().is_some_and(|extension| extension == "html") && !page.is_empty() {
                assert!(check(&path.display().to_string(), &page));
                pages += 1;
            }
        }
    }
    assert!(pages > 10, "{pages} pages");
    // A report has drawings within.
    let figure = RankedScores {
        title: "Pages".into(),
        subtitle: "of our own".into(),
        measure: "F1".into(),
        systems: vec![SystemScores { name: "one".into(), values: vec![0.5, 0.9] }],
    };
    let mut report = Report::new("Drawings");
    report.section("One").figure(&figure, "a caption").unwrap();
    assert!(check("a report", report.to_html().as_bytes()));
}

#[test]
fn every_page_of_l3s_gn1_has_the_tree_of_html5ever() {
    // Those whose titles never end.
    assert_eq!(check_corpus("l3s-gn1").unwrap_or(8), 8);
}

#[test]
fn every_page_of_wcxb_has_the_tree_of_html5ever() {
    assert_eq!(check_corpus("wcxb/dev").unwrap_or(0), 0);
}
