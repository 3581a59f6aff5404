//! The tests of html5lib, which all implementations of the standard are held against: tokens, trees and encodings.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use serde_json::{Map, Value, json};

use super::tokenizer::reference::assert_same_tree;
use super::tokenizer::tokenize;

/// The files of a folder of the archive, by name; none, after saying so on the test's output, where the archive is not there.
pub(super) fn files(folder: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let shared = std::env::var_os("DURAMEN_SHARED").filter(|shared| !shared.is_empty());
    let shared = shared.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), Into::into);
    let Ok(archive) = File::open(shared.join("datasets/html5lib-tests.tar.zst")) else {
        assert!(!shared.join("datasets").is_dir(), "html5lib-tests.tar.zst is not among the archives");
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        println!("left out: {test} needs the archives of ../shared/datasets");
        return Vec::new();
    };
    let mut archive = tar::Archive::new(zstd::Decoder::new(archive).unwrap());
    let mut files = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_str().unwrap().to_owned();
        let Some((_, name)) = path.split_once(&format!("/{folder}/")) else { continue };
        if name.ends_with(ending) && !name.contains('/') {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.push((name.to_owned(), bytes));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "{folder}");
    files
}

/// A test of a tokenizer: the input, the state that it begins in and the tag seen last, and the tokens.
struct TokenTest {
    file: String,
    description: String,
    input: String,
    state: String,
    last_tag: String,
    expected: Vec<Value>,
}

/// The tests whose input is a text: a lone surrogate is in none.
fn token_tests() -> Vec<TokenTest> {
    let mut tests = Vec::new();
    for (file, bytes) in files("tokenizer", ".test") {
        let list: Value = serde_json::from_slice(&bytes).unwrap();
        // Its trees are for XML, which has fewer characters.
        let Some(list) = list.get("tests") else { continue };
        for test in list.as_array().unwrap() {
            let is_escaped = test["doubleEscaped"] == true;
            let text = |value: &Value| -> Option<String> {
                let text = value.as_str().unwrap();
                if is_escaped {
                    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
                } else {
                    Some(text.to_owned())
                }
            };
            let Some(input) = text(&test["input"]) else { continue };
            let unescape = |token: &Value| -> Value {
                let parts = token.as_array().unwrap().iter();
                parts.map(|part| part.as_str().map_or(part.clone(), |_| text(part).into())).collect()
            };
            let expected: Vec<Value> = test["output"].as_array().unwrap().iter().map(unescape).collect();
            let states =
                test["initialStates"].as_array().cloned().unwrap_or_else(|| vec!["Data state".into()]);
            for state in states {
                tests.push(TokenTest {
                    file: file.clone(),
                    description: test["description"].as_str().unwrap().to_owned(),
                    input: input.clone(),
                    state: state.as_str().unwrap().to_owned(),
                    last_tag: test["lastStartTag"].as_str().unwrap_or("first").to_owned(),
                    expected: expected.clone(),
                });
            }
        }
    }
    tests
}

/// Keeps tokens as the tests write them, those after the one that leads into the state of a test.
struct Tokens {
    state: fn() -> TokenSinkResult<()>,
    is_foreign: bool,
    has_begun: Cell<bool>,
    tokens: RefCell<Vec<Value>>,
}

impl TokenSink for Tokens {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut tokens = self.tokens.borrow_mut();
        let text = |text: Option<StrTendril>| text.map(|text| text.to_string());
        match token {
            Token::TagToken(_) if !self.has_begun.replace(true) => return (self.state)(),
            Token::TagToken(tag) => {
                let attributes: Map<String, Value> = tag
                    .attrs
                    .iter()
                    .map(|a| (a.name.local.to_string(), a.value.to_string().into()))
                    .collect();
                tokens.push(match (tag.kind, tag.self_closing) {
                    (TagKind::StartTag, true) => json!(["StartTag", &*tag.name, attributes, true]),
                    (TagKind::StartTag, false) => json!(["StartTag", &*tag.name, attributes]),
                    (TagKind::EndTag, _) => json!(["EndTag", &*tag.name]),
                });
            }
            Token::DoctypeToken(doctype) => tokens.push(json!([
                "DOCTYPE",
                text(doctype.name),
                text(doctype.public_id),
                text(doctype.system_id),
                !doctype.force_quirks
            ])),
            Token::CommentToken(comment) => tokens.push(json!(["Comment", comment.to_string()])),
            Token::CharacterTokens(characters) => push_text(&mut tokens, &characters),
            Token::NullCharacterToken => push_text(&mut tokens, "\0"),
            Token::EOFToken | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.is_foreign
    }
}

fn push_text(tokens: &mut Vec<Value>, text: &str) {
    match tokens.last_mut() {
        Some(Value::Array(last)) if last[0] == "Character" => {
            last[1] = format!("{}{text}", last[1].as_str().unwrap()).into();
        }
        _ if text.is_empty() => {}
        _ => tokens.push(json!(["Character", text])),
    }
}

/// What our tokenizer makes of a test, whose state is that behind a tag that the input begins with.
fn tokens_of(test: &TokenTest) -> Vec<Value> {
    let state: fn() -> TokenSinkResult<()> = match test.state.as_str() {
        "Data state" | "CDATA section state" => || TokenSinkResult::Continue,
        "RCDATA state" => || TokenSinkResult::RawData(Rcdata),
        "RAWTEXT state" => || TokenSinkResult::RawData(Rawtext),
        "Script data state" => || TokenSinkResult::RawData(ScriptData),
        "PLAINTEXT state" => || TokenSinkResult::Plaintext,
        other => panic!("{other}"),
    };
    let is_cdata = test.state == "CDATA section state";
    let sink =
        Tokens { state, is_foreign: is_cdata, has_begun: Cell::new(false), tokens: RefCell::default() };
    let before = if is_cdata { "<![CDATA[" } else { "" };
    tokenize(&format!("<{}>{before}{}", test.last_tag, test.input), &sink);
    sink.tokens.take()
}

#[test]
fn tokens_are_those_of_the_tests_of_html5lib() {
    let tests = token_tests();
    let wrong: Vec<String> = tests
        .iter()
        .filter_map(|test| {
            let found = tokens_of(test);
            let TokenTest { file, description, input, state, expected, .. } = test;
            (found != *expected)
                .then(|| format!("{file}, {description}, {state}: {input:?}\n  {found:?}\n  {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), tests.len(), wrong.join("\n"));
}

#[test]
fn trees_of_the_tests_of_html5lib_are_those_of_html5ever() {
    for test in token_tests() {
        assert_same_tree(&test.input);
        assert_same_tree(&format!("<{}>{}", test.last_tag, test.input));
    }
}
