//! Circles of imports: which file uses what another file defines, and which files so reach each other.
//!
//! An import points to the file that defines the item. What a `mod.rs` re-exports is followed to that file, and neither
//! the re-export nor `mod x;` is an import of its own. Code for tests does not count.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// More files than this may not be in one circle.
pub const MOST_FILES: usize = 3;

/// Files each of which reaches every other by imports, and the imports among them.
pub struct Circle {
    pub files: BTreeSet<String>,
    /// One for each pair of files, as `FILE:LINE uses PATH of FILE`.
    pub imports: Vec<String>,
}

/// The circles of more than [`MOST_FILES`] files in one crate, given its files by their paths below `src`.
///
/// # Panics
/// If a file is not Rust.
pub fn circles(sources: &[(String, String)]) -> Vec<Circle> {
    let imports = imports(sources);
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reach(&imports, file))).collect();
    let mut circles: Vec<Circle> = Vec::new();
    for (file, others) in &reached {
        let back = |other: &&&String| reached.get(**other).is_some_and(|others| others.contains(file));
        let files: BTreeSet<String> = others.iter().filter(back).copied().cloned().collect();
        if files.len() <= MOST_FILES || circles.iter().any(|circle| circle.files.contains(*file)) {
            continue;
        }
        let imports = files.iter().flat_map(|from| {
            let inside = imports[from].iter().filter(|(to, _)| files.contains(*to));
            inside.map(move |(to, (line, path))| format!("{from}:{line} uses {path} of {to}"))
        });
        let imports = imports.collect();
        circles.push(Circle { files, imports });
    }
    circles
}

/// By importing file and defining file: the line and the path of the first such import.
type Imports = BTreeMap<String, BTreeMap<String, (usize, String)>>;

/// All files that `start` reaches by at least one import.
fn reach<'a>(imports: &'a Imports, start: &'a String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(file) = pending.pop() {
        let next = imports.get(file).into_iter().flat_map(BTreeMap::keys);
        pending.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

fn imports(sources: &[(String, String)]) -> Imports {
    let mut reader = Reader::default();
    for (file, text) in sources.iter().filter(|(file, _)| file != "main.rs") {
        let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        reader.file.clone_from(file);
        reader.module = module_of(file);
        reader.modules.entry(reader.module.clone()).or_default().file.clone_from(file);
        reader.visit_file(&parsed);
    }
    let Reader { modules, for_tests, .. } = reader;
    let tested = |module: &Path| for_tests.iter().any(|root| module.starts_with(root));
    let mut imports = Imports::new();
    for (name, module) in modules.iter().filter(|(name, _)| !tested(name)) {
        for (line, path) in &module.paths {
            if let Some(file) = defining_file(&modules, name, path, 20).filter(|file| *file != module.file) {
                let of_file = imports.entry(module.file.clone()).or_default();
                of_file.entry(file.to_owned()).or_insert_with(|| (*line, path.join("::")));
            }
        }
    }
    imports
}

/// Segments of a path.
type Path = Vec<String>;

fn module_of(file: &str) -> Path {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').filter(|part| *part != "lib").map(str::to_owned).collect()
}

/// What stands in one module: a file, or a `mod x { ... }` in one.
#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    /// Whether a macro writes items that cannot be seen here.
    has_written_items: bool,
    /// What a name stands for after `use`; a function and a type may share one.
    aliases: BTreeMap<String, Vec<Path>>,
    globs: Vec<Path>,
    /// The paths of its code and of what it imports without handing it on, with their lines.
    paths: Vec<(usize, Path)>,
}

/// The file with the item that `path` names in module `from`; none if it is of another crate or no item.
///
/// `steps` bounds how often a name leads to another, since `use a::a` may lead to itself.
fn defining_file<'a>(
    modules: &'a BTreeMap<Path, Module>,
    from: &Path,
    path: &[String],
    steps: usize,
) -> Option<&'a str> {
    let (name, rest) = path.split_first().filter(|_| steps > 0)?;
    let look = |from: &Path, path: &[String]| defining_file(modules, from, path, steps - 1);
    match name.as_str() {
        "crate" => return look(&Path::new(), rest),
        "self" => return look(from, rest),
        "super" => return look(&from[..from.len().checked_sub(1)?].to_vec(), rest),
        _ => {}
    }
    let here = modules.get(from)?;
    let child = [from.as_slice(), std::slice::from_ref(name)].concat();
    if let Some(module) = modules.get(&child)
        && !rest.is_empty()
    {
        let written = || module.has_written_items.then_some(module.file.as_str());
        // Not what an alias of this name stands for: a function may share the module's name, and has nothing in it.
        return look(&child, rest).or_else(written);
    }
    if here.items.contains(name) {
        return Some(&here.file);
    }
    let aliased = here.aliases.get(name).into_iter().flatten().map(|target| [target, rest].concat());
    // A path that a glob has led to is not looked for behind the same glob again.
    let globs = here.globs.iter().filter(|target| !path.starts_with(target));
    let globbed = globs.map(|target| [target, path].concat());
    aliased.chain(globbed).find_map(|path| look(from, &path))
}

/// Collects the modules of the crate file by file.
#[derive(Default)]
struct Reader {
    modules: BTreeMap<Path, Module>,
    /// Modules under `#[cfg(test)]`.
    for_tests: Vec<Path>,
    /// Where it reads.
    file: String,
    module: Path,
}

impl Reader {
    fn here(&mut self) -> &mut Module {
        self.modules.entry(self.module.clone()).or_default()
    }

    fn import(&mut self, tree: &syn::UseTree, mut path: Path, handed_on: bool) {
        let (named, alias) = match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                return self.import(&part.tree, path, handed_on);
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path.clone(), handed_on));
            }
            syn::UseTree::Glob(_) => return self.here().globs.push(path),
            syn::UseTree::Name(name) => (name.ident.to_string(), None),
            syn::UseTree::Rename(name) => (name.ident.to_string(), Some(name.rename.to_string())),
        };
        // `a::{self}` is `a`.
        if named != "self" {
            path.push(named);
        }
        if !handed_on {
            self.here().paths.push((tree.span().start().line, path.clone()));
        }
        let alias = alias.or_else(|| path.last().cloned()).expect("a use names something");
        self.here().aliases.entry(alias).or_default().push(path);
    }

    /// Records the paths among the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons, mut after_dot): (Path, usize, bool) = (Path::new(), 0, false);
        let mut line = 0;
        for token in tokens {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(_) if after_dot => {}
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.here().paths.push((line, std::mem::take(&mut path)));
                    }
                    line = ident.span().start().line;
                    path.push(ident.to_string());
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => self.here().paths.push((line, std::mem::take(&mut path))),
            }
            colons = 0;
            after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        }
        self.here().paths.push((line, path));
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

fn name_and_attributes(item: &syn::Item) -> (Option<&syn::Ident>, &[syn::Attribute]) {
    match item {
        syn::Item::Const(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Enum(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
        syn::Item::Impl(item) => (None, &item.attrs),
        syn::Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
        syn::Item::Mod(item) => (None, &item.attrs),
        syn::Item::Static(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Struct(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Trait(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Type(item) => (Some(&item.ident), &item.attrs),
        syn::Item::Use(item) => (None, &item.attrs),
        other => {
            panic!("line {}: the check of circles does not know such an item", other.span().start().line)
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (name, attributes) = name_and_attributes(item);
        let for_tests = is_for_tests(attributes);
        match item {
            syn::Item::Mod(inner) => {
                self.module.push(inner.ident.to_string());
                if for_tests {
                    self.for_tests.push(self.module.clone());
                } else if let Some((_, items)) = &inner.content {
                    self.here().file = self.file.clone();
                    items.iter().for_each(|item| self.visit_item(item));
                }
                self.module.pop();
            }
            _ if for_tests => {}
            syn::Item::Use(import) => {
                let handed_on = !matches!(import.vis, syn::Visibility::Inherited);
                self.import(&import.tree, Path::new(), handed_on);
            }
            _ => {
                self.here().items.extend(name.map(ToString::to_string));
                self.here().has_written_items |=
                    matches!(item, syn::Item::Macro(item) if item.ident.is_none());
                visit::visit_item(self, item);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.here().paths.push((path.span().start().line, segments));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }

    // `pub(in path)` and attributes name no item that is used.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
