//! Pages by site, for extractors that compare the pages of one.

use std::collections::HashMap;

use crate::extract::site::site_of;
use crate::page::Page;

/// The pages of one site with their numbers.
#[derive(Debug, Default)]
pub struct Site {
    pub numbers: Vec<usize>,
    pub pages: Vec<Page>,
}

/// Sorts pages into sites ([`site_of`]), in the order of their first pages; all pages without an address are one site.
pub fn by_site(pages: impl IntoIterator<Item = (usize, Page)>) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    let mut known: HashMap<Option<String>, usize> = HashMap::new();
    for (number, page) in pages {
        let place = *known.entry(site_of(&page)).or_insert_with(|| {
            sites.push(Site::default());
            sites.len() - 1
        });
        sites[place].numbers.push(number);
        sites[place].pages.push(page);
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_site_and_pages_without_one_stay_together_in_order() {
        let page = |url: Option<&str>, html: &str| {
            Page::parse("p", url.map(str::to_owned), html.as_bytes(), None, &Default::default()).unwrap()
        };
        let pages = [
            page(None, "<p>x"),
            page(Some("http://www.b.example/1"), "<p>x"),
            page(Some("https://news.a.example/"), "<p>x"),
            page(None, "<link rel=canonical href='https://b.example/2'><p>x"),
            page(Some("no address"), "<p>x"),
        ];
        let sites = by_site(pages.into_iter().enumerate());
        let numbers: Vec<Vec<usize>> = sites.into_iter().map(|site| site.numbers).collect();
        assert_eq!(numbers, [vec![0, 4], vec![1, 3], vec![2]]);
    }
}
