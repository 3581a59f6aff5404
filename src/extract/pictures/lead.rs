//! The lead image: one choice among the images that a page states, its pictures, and none.
//!
//! A conditional logit (McFadden 1974, "Conditional logit analysis of qualitative choice behavior"): the probability of a candidate
//! is proportional to exp(weights . features); *none* has a feature of its own.

use serde::{Deserialize, Serialize};

use super::names::in_name;
use super::stated::{StatedImage, StatedImages, Statement};
use super::{Picture, key};
use crate::index::NodeId;

/// The features of a candidate, by name, in the order of `Feature`.
pub const LEAD_FEATURES: [&str; 14] = [
    "none",
    "og-image",
    "twitter-image",
    "image-src",
    "json-ld-image",
    "other-statement",
    "near-stated",
    "ln-odds",
    "on-page",
    "first-image",
    "earlier-images",
    "interface-name",
    "advertising-name",
    "small",
];

/// A feature, for its place among the others.
#[derive(Clone, Copy)]
enum Feature {
    None,
    OpenGraph,
    Twitter,
    ImageSource,
    JsonLd,
    OtherStatement,
    NearStated,
    LnOdds,
    OnPage,
    FirstImage,
    EarlierImages,
    InterfaceName,
    AdvertisingName,
    Small,
}

/// A candidate for the lead image.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its address; empty for none.
    pub url: String,
    /// The picture's element, if it is on the page.
    pub node: Option<NodeId>,
    /// Its features, in the order of [`LEAD_FEATURES`].
    pub features: [f64; LEAD_FEATURES.len()],
}

impl Candidate {
    /// Whether the page states it as its image.
    fn is_stated(&self) -> bool {
        self.features[Feature::OpenGraph as usize..=Feature::OtherStatement as usize].contains(&1.0)
    }
}

fn yes_no(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// The pictures least probably of the article are no candidates.
const LEAST: f64 = 0.02;

/// The candidates of a page: none, the images that it states, and its pictures that may be of the article.
pub fn candidates(pictures: &[Picture], probabilities: &[f64], stated: &StatedImages) -> Vec<Candidate> {
    let mut none = [0.0; LEAD_FEATURES.len()];
    none[Feature::None as usize] = 1.0;
    let mut found = vec![Candidate { url: String::new(), node: None, features: none }];
    let mut keys: Vec<Vec<String>> = vec![Vec::new()];
    let mut images_before = 0u32;
    for (picture, &p) in pictures.iter().zip(probabilities) {
        let own: Vec<String> = picture.addresses.iter().map(|url| key(url)).collect();
        let is_stated = stated.iter().any(|image| own.contains(&image.key));
        let Some(url) = picture.url().filter(|_| p >= LEAST || is_stated) else { continue };
        let mut features = [0.0; LEAD_FEATURES.len()];
        let p = p.clamp(0.001, 0.999);
        let mut set = |feature: Feature, value: f64| features[feature as usize] = value;
        set(Feature::LnOdds, (p / (1.0 - p)).ln());
        set(Feature::OnPage, 1.0);
        set(Feature::FirstImage, yes_no(p >= 0.5 && images_before == 0));
        set(Feature::EarlierImages, f64::from(images_before.min(5)));
        let is_small = [picture.width, picture.height].iter().flatten().any(|&side| side < 100);
        set(Feature::Small, yes_no(is_small));
        images_before += u32::from(p >= 0.5);
        found.push(Candidate { url: url.to_owned(), node: Some(picture.node), features });
        keys.push(own);
    }
    for image in stated.iter() {
        let at = keys.iter().position(|keys| keys.contains(&image.key)).unwrap_or_else(|| {
            let features = [0.0; LEAD_FEATURES.len()];
            found.push(Candidate { url: image.url.clone(), node: None, features });
            keys.push(vec![image.key.clone()]);
            found.len() - 1
        });
        // The page's own word for it is the better address; the first statement goes before others.
        if !found[at].is_stated() {
            found[at].url = image.url.clone();
        }
        let feature = match image.statement {
            Statement::OpenGraph => Feature::OpenGraph,
            Statement::Twitter => Feature::Twitter,
            Statement::ImageSource => Feature::ImageSource,
            Statement::JsonLd => Feature::JsonLd,
            Statement::Other => Feature::OtherStatement,
        };
        found[at].features[feature as usize] = 1.0;
    }
    for candidate in &mut found {
        let is_near = |image: &StatedImage| begin_alike(&candidate.url, &image.url);
        let is_near = !candidate.is_stated() && stated.iter().any(is_near);
        let mut set = |feature: Feature, is: bool| candidate.features[feature as usize] = yes_no(is);
        set(Feature::NearStated, is_near);
        set(Feature::InterfaceName, in_name("interface", &candidate.url));
        set(Feature::AdvertisingName, in_name("advertising", &candidate.url));
    }
    found
}

/// Whether the file names of two addresses begin alike, as those of one image in two sizes do.
fn begin_alike(a: &str, b: &str) -> bool {
    const LEAST: usize = 8;
    let name = |url: &str| {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let (a, b) = (name(a), name(b));
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    same >= LEAST && 2 * same >= a.len().min(b.len())
}

/// The weights of the choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadWeights {
    /// The features' names.
    features: Vec<String>,
    weights: Vec<f64>,
}

impl LeadWeights {
    /// Of weights in the order of [`LEAD_FEATURES`].
    pub fn new(weights: [f64; LEAD_FEATURES.len()]) -> LeadWeights {
        LeadWeights { features: LEAD_FEATURES.map(str::to_owned).to_vec(), weights: weights.to_vec() }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let is_right = self.features == LEAD_FEATURES
            && self.weights.len() == LEAD_FEATURES.len()
            && self.weights.iter().all(|weight| weight.is_finite());
        if is_right {
            Ok(())
        } else {
            Err("the weights of the lead image do not fit its features".to_owned())
        }
    }

    /// The probability of each candidate; they add up to 1.
    pub fn probabilities(&self, candidates: &[Candidate]) -> Vec<f64> {
        choice(&self.weights, candidates)
    }

    /// The most probable image with its probability (the first of equals); nothing where none is more probable than all images
    /// together.
    pub fn choose<'a>(&self, candidates: &'a [Candidate]) -> Option<(&'a Candidate, f64)> {
        let of_candidates = || candidates.iter().zip(self.probabilities(candidates));
        let none: f64 =
            of_candidates().filter(|(candidate, _)| candidate.url.is_empty()).map(|(_, p)| p).sum();
        let images = of_candidates().filter(|(candidate, _)| !candidate.url.is_empty());
        images.rev().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| none <= 0.5)
    }
}

/// The probabilities of candidates under weights.
pub fn choice(weights: &[f64], candidates: &[Candidate]) -> Vec<f64> {
    let sum = |candidate: &Candidate| -> f64 {
        weights.iter().zip(&candidate.features).map(|(weight, feature)| weight * feature).sum()
    };
    let sums: Vec<f64> = candidates.iter().map(sum).collect();
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = sums.iter().map(|sum| (sum - most).exp()).collect();
    let total: f64 = exponentials.iter().sum();
    exponentials.into_iter().map(|x| x / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn of(html: &str, probabilities: &[f64]) -> Vec<Candidate> {
        let url = Some("https://a.example/".to_owned());
        let page = Page::parse("p", url, html.as_bytes(), None, &Default::default()).unwrap();
        let pictures = Picture::on_page(&page);
        candidates(&pictures, probabilities, &StatedImages::read(&page))
    }

    #[test]
    fn a_stated_image_that_stands_on_the_page_is_one_candidate() {
        let html = "<meta property=og:image content=/b.jpg><link rel=image_src href=/c.jpg><img src=a.jpg><img src=b.jpg>";
        let found = of(html, &[0.9, 0.8]);
        let urls: Vec<&str> = found.iter().map(|candidate| candidate.url.as_str()).collect();
        assert_eq!(
            urls,
            ["", "https://a.example/a.jpg", "https://a.example/b.jpg", "https://a.example/c.jpg"]
        );
        let value = |at: usize, name: &str| {
            found[at].features[LEAD_FEATURES.iter().position(|known| *known == name).unwrap()]
        };
        assert_eq!((value(1, "og-image"), value(2, "og-image"), value(3, "image-src")), (0.0, 1.0, 1.0));
        assert_eq!(
            (value(1, "first-image"), value(2, "first-image"), value(2, "earlier-images")),
            (1.0, 0.0, 1.0)
        );
        assert_eq!((value(2, "on-page"), value(3, "on-page")), (1.0, 0.0));
    }

    /// Each feature by its name on a candidate where it is set, with its value, and on one where it is not.
    #[test]
    fn every_feature_is_set_where_its_name_says_and_only_there() {
        let html = "<meta property=og:image content=/open.jpg><meta name=twitter:image content=/twitter.jpg>
            <link rel=image_src href=/source.jpg><meta itemprop=image content=/other.jpg>
            <script type=application/ld+json>{\"@type\": \"Article\", \"image\": \"/json.jpg\"}</script>
            <link rel=image_src href=/harbour-lights-large.jpg><img src=harbour-lights-little.jpg width=600 height=400>
            <img src=icons/logo.png><img src=banner/ad.jpg><img src=little.jpg width=60 height=80>";
        let found = of(html, &[0.9, 0.8, 0.7, 0.1]);
        let expected = [
            ("none", "", 1.0),
            ("og-image", "open.jpg", 1.0),
            ("twitter-image", "twitter.jpg", 1.0),
            ("image-src", "source.jpg", 1.0),
            ("json-ld-image", "json.jpg", 1.0),
            ("other-statement", "other.jpg", 1.0),
            ("near-stated", "harbour-lights-little.jpg", 1.0),
            ("ln-odds", "harbour-lights-little.jpg", 9f64.ln()),
            ("on-page", "little.jpg", 1.0),
            ("first-image", "harbour-lights-little.jpg", 1.0),
            ("earlier-images", "little.jpg", 3.0),
            ("interface-name", "icons/logo.png", 1.0),
            ("advertising-name", "banner/ad.jpg", 1.0),
            ("small", "little.jpg", 1.0),
        ];
        assert_eq!(expected.map(|(name, ..)| name), LEAD_FEATURES);
        for (at, (name, file, value)) in expected.into_iter().enumerate() {
            let url = if file.is_empty() { String::new() } else { format!("https://a.example/{file}") };
            let candidate = found.iter().find(|candidate| candidate.url == url).expect(file);
            assert!((candidate.features[at] - value).abs() < 1e-9, "{name}: {candidate:?}");
            assert!(found.iter().any(|other| other.features[at] == 0.0), "{name} is never 0");
        }
        let small: Vec<&str> =
            found.iter().filter(|c| c.features[13] == 1.0).map(|c| c.url.as_str()).collect();
        assert_eq!(small, ["https://a.example/little.jpg"]);
    }

    #[test]
    fn probabilities_add_up_and_none_is_a_choice() {
        let found = of("<img src=a.jpg>", &[0.4]);
        let mut weights = [0.0; LEAD_FEATURES.len()];
        weights[0] = 2.0;
        let weights = LeadWeights::new(weights);
        let p = weights.probabilities(&found);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12 && p[0] > p[1]);
        assert_eq!(weights.choose(&found), None);
        assert_eq!(weights.choose(&of("<p>x", &[])), None);
    }
}
