//! Pages by site, for extractors that compare the pages of one.

use std::collections::HashMap;

use crate::extract::metadata::Metadata;
use crate::page::Page;

/// The pages of one site with their numbers.
#[derive(Debug, Default)]
pub struct Site {
    pub numbers: Vec<usize>,
    pub pages: Vec<Page>,
}

/// Sorts pages into sites, in the order of their first pages: by the host of the address that a page was got from or
/// else states; all pages without one are one site.
pub fn by_host(pages: impl IntoIterator<Item = (usize, Page)>) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    let mut known: HashMap<Option<String>, usize> = HashMap::new();
    for (number, page) in pages {
        let place = *known.entry(host(&page)).or_insert_with(|| {
            sites.push(Site::default());
            sites.len() - 1
        });
        sites[place].numbers.push(number);
        sites[place].pages.push(page);
    }
    sites
}

fn host(page: &Page) -> Option<String> {
    let stated = || Metadata::of(page, "").canonical.map(|field| field.value);
    let address = page.url().map(str::to_owned).or_else(stated)?;
    Some(url::Url::parse(&address).ok()?.host_str()?.trim_start_matches("www.").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_host_and_pages_without_one_stay_together_in_order() {
        let page = |url: Option<&str>, html: &str| {
            Page::parse("p", url.map(str::to_owned), html.as_bytes(), None, &Default::default()).unwrap()
        };
        let pages = [
            page(None, "<p>x"),
            page(Some("http://b.example/1"), "<p>x"),
            page(Some("https://www.a.example/"), "<p>x"),
            page(None, "<link rel=canonical href='https://b.example/2'><p>x"),
            page(Some("no address"), "<p>x"),
        ];
        let sites = by_host(pages.into_iter().enumerate());
        let numbers: Vec<Vec<usize>> = sites.into_iter().map(|site| site.numbers).collect();
        assert_eq!(numbers, [vec![0, 4], vec![1, 3], vec![2]]);
    }
}
