//! `XPathQuery`, an XPath 1.0 expression that selects nodes of a page.
//!
//! The evaluator is the crate `xpath-eval`: it is the one that runs over a tree of somebody else's (here the frozen
//! [`Dom`], by the two traits below), needs no copy of the page, knows all of XPath 1.0, names the place of a syntax
//! error and walks the tree without recursion. The others (`sxd-xpath`, `xee-xpath`, `skyscraper`, `xrust`) need a
//! tree of their own, and names that XML allows, which those of HTML attributes are not. What it does not have is a
//! bound on the expression, which it reads by recursion; [`XPathQuery::parse`] puts one before it.
//!
//! Names: an HTML element is in no namespace, as HTML pages are queried everywhere (`//div`); elements of SVG and
//! MathML are in one, so that no plain name selects them, and `*[name()='svg']` does.

use std::cmp::Ordering;

use xpath_eval::{
    EvaluationContext, ExpandedName, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, Value,
};

use super::arena::{Dom, NodeKind};
use crate::error::{Error, Result, did_you_mean};
use crate::index::NodeId;

/// The longest expression that is taken, in characters.
const MAX_LENGTH: usize = 8_192;
/// The deepest nesting of brackets that is taken.
const MAX_NESTING: usize = 32;
/// The most operators of one character, as which chains are nested as deep as they are long. Of those that are
/// words (`or`) the length lets no more than 1,700 stand, which a small stack holds.
const MAX_OPERATORS: usize = 512;

const FUNCTIONS: [&str; 27] = [
    "boolean",
    "ceiling",
    "concat",
    "contains",
    "count",
    "false",
    "floor",
    "id",
    "lang",
    "last",
    "local-name",
    "name",
    "namespace-uri",
    "normalize-space",
    "not",
    "number",
    "position",
    "round",
    "starts-with",
    "string",
    "string-length",
    "substring",
    "substring-after",
    "substring-before",
    "sum",
    "translate",
    "true",
];

/// An XPath 1.0 expression that selects nodes.
///
/// # Examples
/// ```
/// use duramen::dom::{Dom, XPathQuery};
/// let dom = Dom::parse(b"<div class='story x'><p>a<p>b</div><p>c", None, &Default::default()).unwrap();
/// let select = |query: &str| -> Result<String, duramen::Error> {
///     let found = XPathQuery::parse(query)?.select(&dom)?;
///     Ok(found.into_iter().map(|id| dom.text_content(id)).collect::<Vec<_>>().join(" "))
/// };
/// assert_eq!(select("//div[contains(@class, 'story')]/p")?, "a b");
/// assert_eq!(select("(//p)[last()] | /html/body/div/p[1]")?, "a c");
/// assert_eq!(
///     select("//div[@class=").unwrap_err().to_string(),
///     "the XPath '//div[@class=' cannot be read at character 14: unexpected end of input, expected an expression; \
///      write XPath 1.0, such as //div[@id='content']"
/// );
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct XPathQuery {
    text: String,
    parsed: Expr,
}

impl XPathQuery {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`Error::Usage`] with the place and what was expected for what is no XPath 1.0; also for one that selects no
    /// nodes (`count(//p)`), for variables, namespace prefixes and unknown functions (with the nearest name), and
    /// for more than 8,192 characters, brackets more than 32 deep or more than 512 of the operators `| + - = < > *`.
    pub fn parse(expression: &str) -> Result<XPathQuery> {
        let text = expression.trim();
        let refuse =
            |problem: String, remedy: &str| Error::usage(format!("the XPath '{text}' {problem}"), remedy);
        if let Some(problem) = beyond_bounds(text) {
            // The expression itself may be a megabyte.
            return Err(Error::usage(format!("the XPath has {problem}"), "write a shorter one"));
        }
        let parsed = xpath_eval::parse(text).map_err(|error| {
            let character = text[..error.position].chars().count() + 1;
            refuse(
                format!("cannot be read at character {character}: {}", error.message),
                "write XPath 1.0, such as //div[@id='content']",
            )
        })?;
        if !selects_nodes(&parsed) {
            return Err(refuse(
                "gives no nodes but a text, number or truth value".to_owned(),
                "write a path, such as //div[@id='content']",
            ));
        }
        match unknown_name(&parsed) {
            Some((problem, remedy)) => Err(refuse(problem, &remedy)),
            None => Ok(XPathQuery { text: text.to_owned(), parsed }),
        }
    }

    /// The expression.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The elements and text nodes of a page that the expression selects, in document order; the document node if
    /// it is selected; attributes are left out.
    ///
    /// # Errors
    /// [`Error::Usage`] for a function with too few or too many arguments, or with text where it takes nodes.
    pub fn select(&self, dom: &Dom) -> Result<Vec<NodeId>> {
        let context = EvaluationContext::new(Node::of(dom, NodeId::ROOT));
        let value = xpath_eval::evaluate(&self.parsed, &context).map_err(|error| {
            Error::usage(format!("the XPath '{}': {error}", self.text), "see XPath 1.0, section 4")
        })?;
        let Value::NodeSet(nodes) = value else { return Ok(Vec::new()) };
        let mut ids: Vec<NodeId> =
            nodes.into_iter().filter(|node| node.attribute.is_none()).map(|node| node.id).collect();
        ids.sort_unstable();
        Ok(ids)
    }
}

/// What of an expression exceeds the bounds, if anything does. Quoted text counts for its length only.
fn beyond_bounds(text: &str) -> Option<String> {
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Some(format!("{length} characters, the most is {MAX_LENGTH}"));
    }
    let (mut nesting, mut operators) = (0_usize, 0);
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => nesting += 1,
            (None, ')' | ']') => nesting = nesting.saturating_sub(1),
            (None, '|' | '+' | '-' | '=' | '<' | '>' | '*') => operators += 1,
            _ => {}
        }
        if nesting > MAX_NESTING {
            return Some(format!("brackets nested more than {MAX_NESTING} deep"));
        }
    }
    (operators > MAX_OPERATORS).then(|| format!("more than {MAX_OPERATORS} operators"))
}

/// Whether the value of an expression is a set of nodes, which in XPath 1.0 its form tells.
fn selects_nodes(expression: &Expr) -> bool {
    match expression {
        Expr::Union(..) => true,
        Expr::Path(PathExpr::Location(_) | PathExpr::FilterLocation(..)) => true,
        Expr::Path(PathExpr::Filter(FilterExpr { primary, .. })) => match primary {
            PrimaryExpr::Parenthesized(inner) => selects_nodes(inner),
            PrimaryExpr::Function(call) => call.name.local == "id",
            // Named as unknown below.
            PrimaryExpr::Variable(_) => true,
            PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => false,
        },
        _ => false,
    }
}

/// The first variable, prefix or function that nothing is known of: what is wrong, and what to write instead.
fn unknown_name(expression: &Expr) -> Option<(String, String)> {
    let mut pending = vec![expression];
    let mut paths: Vec<&LocationPath> = Vec::new();
    while let Some(expression) = pending.pop() {
        let filter = match expression {
            Expr::Or(a, b) | Expr::And(a, b) | Expr::Union(a, b) => {
                pending.extend([&**b, &**a]);
                None
            }
            Expr::Equality(a, _, b) => {
                pending.extend([&**b, &**a]);
                None
            }
            Expr::Relational(a, _, b) => {
                pending.extend([&**b, &**a]);
                None
            }
            Expr::Additive(a, _, b) => {
                pending.extend([&**b, &**a]);
                None
            }
            Expr::Multiplicative(a, _, b) => {
                pending.extend([&**b, &**a]);
                None
            }
            Expr::Negate(a) => {
                pending.push(a);
                None
            }
            Expr::Path(PathExpr::Location(path)) => {
                paths.push(path);
                None
            }
            Expr::Path(PathExpr::Filter(filter)) => Some(filter),
            Expr::Path(PathExpr::FilterLocation(filter, path)) => {
                paths.push(path);
                Some(filter)
            }
        };
        if let Some(FilterExpr { primary, predicates }) = filter {
            pending.extend(predicates);
            match primary {
                PrimaryExpr::Variable(name) => {
                    return Some((
                        format!("has the variable ${}", name.local),
                        "write its value; there are no variables".to_owned(),
                    ));
                }
                PrimaryExpr::Function(call) => {
                    let name = call.name.local.as_str();
                    if call.name.prefix.is_some() || !FUNCTIONS.contains(&name) {
                        return Some((
                            format!("has the unknown function {name}()"),
                            did_you_mean(name, FUNCTIONS),
                        ));
                    }
                    pending.extend(&call.args);
                }
                PrimaryExpr::Parenthesized(inner) => pending.push(inner),
                PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => {}
            }
        }
        for step in paths.drain(..).flat_map(|path| &path.steps) {
            pending.extend(&step.predicates);
            let prefix = match &step.node_test {
                NodeTest::NamespaceWildcard(prefix) => Some(prefix),
                NodeTest::QName(name) => name.prefix.as_ref(),
                _ => None,
            };
            if let Some(prefix) = prefix {
                return Some((
                    format!("has the namespace prefix {prefix}:"),
                    "write the name as in *[name()='svg']".to_owned(),
                ));
            }
        }
    }
    None
}

/// A node of a page as XPath sees it: one of the tree, or an attribute of an element.
#[derive(Debug, Clone, Copy)]
struct Node<'a> {
    dom: &'a Dom,
    id: NodeId,
    attribute: Option<Attribute<'a>>,
}

#[derive(Debug, Clone, Copy)]
struct Attribute<'a> {
    /// Its place among the attributes of its element, from 1.
    place: u32,
    name: &'a str,
    value: &'a str,
}

impl<'a> Node<'a> {
    fn of(dom: &'a Dom, id: NodeId) -> Self {
        Node { dom, id, attribute: None }
    }

    /// Attributes stand after their element and before its children.
    fn place(self) -> (NodeId, u32) {
        (self.id, self.attribute.map_or(0, |attribute| attribute.place))
    }

    /// The local name and the namespace, of what has a name.
    fn name(self) -> Option<(&'a str, Option<&'static str>)> {
        match self.attribute {
            Some(attribute) => Some((attribute.name, None)),
            None if self.dom.kind(self.id) != NodeKind::Element => None,
            None if self.dom.is_html_element(self.id) => Some((self.dom.name(self.id), None)),
            // Which of the two is nowhere asked: a prefix cannot be written.
            None => Some((self.dom.name(self.id), Some("http://www.w3.org/2000/svg"))),
        }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Node<'_> {}

impl<'a> xpath_eval::Node<'a> for Node<'a> {
    fn kind(self) -> xpath_eval::NodeKind {
        match (self.attribute, self.dom.kind(self.id)) {
            (Some(_), _) => xpath_eval::NodeKind::Attribute,
            (None, NodeKind::Document) => xpath_eval::NodeKind::Root,
            (None, NodeKind::Element) => xpath_eval::NodeKind::Element,
            (None, NodeKind::Text) => xpath_eval::NodeKind::Text,
        }
    }

    fn parent(self) -> Option<Self> {
        match self.attribute {
            Some(_) => Some(Node::of(self.dom, self.id)),
            None => self.dom.parent(self.id).map(|id| Node::of(self.dom, id)),
        }
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        let own = self.attribute.is_none().then(|| self.dom.children(self.id));
        own.into_iter().flatten().map(move |id| Node::of(self.dom, id))
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        let own = self.attribute.is_none().then(|| self.dom.attributes(self.id));
        own.into_iter().flatten().zip(1..).map(move |((name, value), place)| Node {
            attribute: Some(Attribute { place, name, value }),
            ..self
        })
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'a {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        self.name().map(|(name, namespace)| ExpandedName {
            namespace_uri: namespace.map(str::to_owned),
            local_name: name.to_owned(),
        })
    }

    fn string_value(self) -> String {
        match self.attribute {
            Some(attribute) => attribute.value.to_owned(),
            None => self.dom.text_content(self.id),
        }
    }

    fn document_order(self, other: Self) -> Ordering {
        self.place().cmp(&other.place())
    }

    fn has_expanded_name(self, namespace: Option<&str>, name: &str) -> bool {
        self.name() == Some((name, None)) && namespace.is_none()
    }

    fn with_string_value<R>(self, f: impl FnOnce(&str) -> R) -> R {
        match self.attribute {
            Some(attribute) => f(attribute.value),
            None if self.dom.kind(self.id) == NodeKind::Text => f(self.dom.text(self.id)),
            None => f(&self.dom.text_content(self.id)),
        }
    }

    fn is_id_attribute(self) -> bool {
        self.attribute.is_some_and(|attribute| attribute.name == "id")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::XPathQuery;
    use crate::dom::xpath::XPaths;
    use crate::dom::{Dom, Limits};

    fn dom(html: &str) -> Dom {
        Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap()
    }

    fn select(dom: &Dom, query: &str) -> Vec<String> {
        let found = XPathQuery::parse(query).unwrap().select(dom).unwrap();
        found.into_iter().map(|id| dom.text_content(id).trim().to_owned()).collect()
    }

    fn error(query: &str) -> String {
        XPathQuery::parse(query).unwrap_err().to_string()
    }

    const HTML: &str = "<div id=a class='post wrapper-09'><p>one<p lang=en>two <b>bold</b></div>\
                        <div id=b class=menu><p>three</div><svg><title>four</title></svg><p>five";

    #[test]
    fn the_parts_of_the_language_that_wrappers_use() {
        let dom = dom(HTML);
        for (query, texts) in [
            ("/html/body/div[1]/p[2]/b", &["bold"][..]),
            ("//p[@lang='en']", &["two bold"]),
            ("//div[contains(@class, 'post') and not(@id='b')]/p[1]", &["one"]),
            ("//div[starts-with(@class, 'menu')]", &["three"]),
            ("//p[count(ancestor::*) = 2]", &["five"]),
            ("//p[position() < 2 and ../@id != 'b']", &["one"]),
            ("//p[normalize-space(.) = 'two bold' or . = 'five']", &["two bold", "five"]),
            ("(//p)[position() = 1 or position() = 4]", &["one", "five"]),
            ("//b/text() | //p[text()='one']", &["one", "bold"]),
            ("//*[name()='svg']", &["four"]),
            ("//svg", &[]),
            ("id('b')/*", &["three"]),
            ("//div/@id", &[]),
            (
                "//div[translate(substring-before(concat(normalize-space(@class),' '),' '),'0123456789','')='post']/p[last()]",
                &["two bold"],
            ),
        ] {
            assert_eq!(select(&dom, query), texts, "{query}");
        }
        assert_eq!(XPathQuery::parse("/").unwrap().select(&dom).unwrap(), [crate::index::NodeId::ROOT]);
    }

    #[test]
    fn errors_name_the_place_and_what_to_write() {
        let all = [
            "",
            "//",
            "//div[",
            "//div[@]",
            "//p]",
            "p[1",
            "//é[",
            "foo::p",
            "count(//p)",
            "'a'",
            "1 + 1",
            "$x",
            "svg:a",
            "//p[contain(., 'a')]",
            "//p[position(]",
        ];
        let text: String = all.iter().map(|query| format!("{query}\n  {}\n", error(query))).collect();
        insta::assert_snapshot!(text);
        let wrong = XPathQuery::parse("//p[contains('a')]").unwrap();
        let message = wrong.select(&dom(HTML)).unwrap_err().to_string();
        assert!(message.contains("contains() expects 2 argument(s), got 1"), "{message}");
    }

    #[test]
    fn a_hostile_expression_is_refused_or_answered_on_a_small_stack() {
        let all = [
            "(".repeat(100_000),
            "//p[".repeat(33),
            format!("{}//p{}", "(".repeat(32), ")".repeat(32)),
            format!("//p{}{}", "[not(p".repeat(15), ")]".repeat(15)),
            vec!["//p"; 513].join("|"),
            vec!["1"; 513].join("="),
            format!("//p[{}1]", "-".repeat(512)),
            format!("//p[{}]", vec!["1"; 250].join(" or ")),
            format!("//p[{}]", vec!["(0)"; 1600].join("or")),
            format!("//p[{}]", vec!["'a'"; 1300].join("and")),
            format!("//p[{}]", vec!["(1)"; 1300].join("div")),
            "/p".repeat(4_000),
            "//p".repeat(2_000),
        ];
        let answer = move || {
            let dom = dom(HTML);
            for query in all {
                if let Ok(query) = XPathQuery::parse(&query) {
                    query.select(&dom).unwrap();
                }
            }
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(answer).unwrap().join().unwrap();
    }

    #[test]
    fn a_page_of_many_nodes_is_searched_at_once() {
        let wide = dom(&"<p class='a b'>x".repeat(100_000));
        let deep = dom(&("<div>".repeat(500) + &"<b>x</b> y".repeat(50_000)));
        for dom in [&wide, &deep] {
            for query in [
                "(//p[@class='a b' and count(ancestor::*) = 2])[99999]",
                "//b[count(ancestor::*) > 100][1]",
                "//*[@id]",
            ] {
                XPathQuery::parse(query).unwrap().select(dom).unwrap();
            }
        }
        assert_eq!(select(&wide, "/html/body/p[100000]"), ["x"]);
    }

    /// Trees of a few names, in which names repeat among siblings.
    fn html() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[a-z ]{0,5}",
            Just("<!-- c -->".to_owned()),
            Just("<svg><a>x</a><title>t</title></svg>".to_owned()),
            Just("<math><mi>x<b>y</b></mi></math>".to_owned()),
        ];
        leaf.prop_recursive(4, 60, 6, |inner| {
            let name =
                prop_oneof![Just("div"), Just("p"), Just("b"), Just("table"), Just("x-y"), Just("template")];
            (name, prop::collection::vec(inner, 0..6))
                .prop_map(|(name, inner)| format!("<{name}>{}</{name}>", inner.concat()))
        })
    }

    proptest! {
        #[test]
        fn the_path_of_a_node_selects_that_node_alone(html in html()) {
            let dom = dom(&format!("<body>{html}"));
            let paths = XPaths::new(&dom);
            for id in dom.ids() {
                let path = paths.of(id);
                prop_assert_eq!(XPathQuery::parse(&path).unwrap().select(&dom).unwrap(), [id], "{}", path);
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,30}|[/@()\\[\\]a-z*|='\" ]{0,30}") {
            let page = dom(HTML);
            if let Ok(query) = XPathQuery::parse(&text) {
                let _ = query.select(&page);
            }
        }
    }
}
