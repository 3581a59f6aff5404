//! `Session`, pages under annotation: what is known of each, what the model says of the rest, and the journal of all that was done.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::answer::runs;
use super::order::{Order, PageSummary, PlacedBlock, expected_f1};
use super::session_view::{Beside, GivenLabel, Labelled, Listed, Opened, Overview, Preview, SameSite};
use super::sheet::looks_of;
use super::shown_page::shown_html;
use super::{Agreement, Answer, LabelFolder, Mark, PageToLabel, Status, Work, code_of_label, label_of_code};
use crate::dom::Limits;
use crate::error::{Error, Result};
use crate::extract::hmt::Hmt;
use crate::extract::render::{RenderOptions, Selection, to_markdown};
use crate::extract::site::site_of;
use crate::extract::{Extraction, Extractor};
use crate::files::LineFile;
use crate::index::NodeMap;
use crate::label::{Label, LabelSet};
use crate::model::{Observation, PageType, Site, SitePrior};
use crate::page::Page;
use crate::tokens;
use crate::training::{Doubt, DoubtOfBlock};

/// What was done, a line each; beside the labels.
const JOURNAL: &str = "annotations.log";
/// The pages of the session, so that none changes under the annotator's hands.
const PAGES: &str = ".pages";
/// Pages that are kept parsed.
const MOST_OPEN: usize = 16;
/// Pages that are shown before marks go to all of a site, and of each so many characters.
const PREVIEW: usize = 3;
const PREVIEW_CHARS: usize = 400;
/// Of so many pages accepted last it is said how many needed a mark.
const LAST: usize = 10;
/// From this probability on a label needs no look.
const CERTAIN: f64 = 0.95;

/// A page of the session.
#[derive(Debug)]
struct Known {
    listed: Listed,
    /// The last that each annotator did.
    work: BTreeMap<String, Work>,
    /// The label that each block has already, for review.
    given: Vec<Option<GivenLabel>>,
    /// The kind that the page has already, for review.
    given_kind: Option<PageType>,
    /// What another system makes of the page.
    beside: Option<Beside>,
}

impl Known {
    /// The marks that a page has before anybody has worked on it: its given labels.
    fn first_marks(&self) -> Vec<Mark> {
        let labels: Vec<Option<Label>> =
            self.given.iter().map(|given| label_of_code(given.as_ref()?.label)).collect();
        let marks = runs(&labels).filter(|(_, label)| label.is_some());
        marks.map(|([from, to], label)| Mark { from, to, label, is_copied: false }).collect()
    }
}

/// A page that is parsed and seen by the model.
#[derive(Debug)]
struct InMemory {
    id: String,
    page: PageToLabel,
    /// Given the kind that the annotator said, if so.
    observation: Observation,
    kind: Option<PageType>,
}

/// Pages under annotation by one annotator, in a folder of labels.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    hmt: Hmt,
    annotator: String,
    limits: Limits,
    pages: BTreeMap<String, Known>,
    order: Vec<String>,
    summaries: BTreeMap<String, PageSummary>,
    journal: LineFile,
    labels: LabelFolder,
    /// The pages that the annotator has accepted, the latest at the end.
    accepted: Vec<String>,
    /// The pages looked at last, the latest at the end.
    open: Vec<InMemory>,
    /// What the other accepted pages of its site say for the page that was asked about last: the same for all of its marks.
    site: Option<(String, Site)>,
}

impl Session {
    /// A session in a folder of labels; what its journal has is known.
    ///
    /// # Errors
    /// If the journal or the index of the labels cannot be read.
    pub fn open(folder: &Path, hmt: Hmt, annotator: &str, limits: Limits) -> Result<Self> {
        let mut done: Vec<Work> = Vec::new();
        let path = folder.join(JOURNAL);
        let mut number = 0;
        let journal = LineFile::open(&path, |line| {
            number += 1;
            done.push(serde_json::from_str(line).map_err(|error| {
                Error::data(
                    format!("{}, line {number}", path.display()),
                    error.to_string(),
                    "it was written by another version, or by hand; remove the line, or label into another folder",
                )
            })?);
            Ok(true)
        })?;
        let mut session = Session {
            folder: folder.to_owned(),
            hmt,
            annotator: annotator.to_owned(),
            limits,
            pages: BTreeMap::new(),
            order: Vec::new(),
            summaries: BTreeMap::new(),
            journal,
            labels: LabelFolder::open(folder)?,
            accepted: Vec::new(),
            open: Vec::new(),
            site: None,
        };
        for work in done {
            // Of pages that are not among those of this session too: they count for their sites.
            session.note(work);
        }
        Ok(session)
    }

    fn known(&mut self, id: &str) -> &mut Known {
        self.pages.entry(id.to_owned()).or_insert_with(|| Known {
            listed: Listed {
                id: id.to_owned(),
                url: None,
                site: String::new(),
                confidence: None,
                doubt: None,
                disagreement: None,
                status: Status::Open,
            },
            work: BTreeMap::new(),
            given: Vec::new(),
            given_kind: None,
            beside: None,
        })
    }

    /// One more page to label. It is written beside the labels, and the model has a first look at it.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Page`] of a page that the model cannot see.
    pub fn add(&mut self, page: PageToLabel) -> Result<()> {
        self.look_at(&page).map(drop)
    }

    /// Adds a page, and gives what the model makes of it.
    fn look_at(&mut self, page: &PageToLabel) -> Result<Extraction> {
        page.write(&self.folder.join(PAGES))?;
        self.site = None;
        let id = page.page.id().to_owned();
        let url = page.page.url().map(str::to_owned);
        let site = site_of(&page.page).unwrap_or_else(|| page.folder().unwrap_or_default().to_owned());
        let failed = |problem| Error::page(&id, problem);
        let observation = self.hmt.model().observation(&page.page).map_err(failed)?;
        let extraction =
            self.hmt.extraction_of(&page.page, &observation).map_err(|error| error.on(&page.page))?;
        let confidence = expected_f1(&page.page, &extraction);
        self.summaries.insert(id.clone(), PageSummary::new(&page.page, &extraction, confidence));
        let status = self.pages.get(&id).and_then(|known| known.work.get(&self.annotator));
        let status = status.map_or(Status::Open, |work| work.status);
        self.known(&id).listed =
            Listed { id: id.clone(), url, site, confidence, doubt: None, disagreement: None, status };
        self.order.push(id);
        Ok(extraction)
    }

    /// One more page, to review: with the labels and the kind that it has already, and how far the labels are doubted.
    ///
    /// # Errors
    /// As [`Session::add`].
    pub fn add_reviewed(&mut self, page: PageToLabel, doubt: &Doubt, kind: Option<PageType>) -> Result<()> {
        let id = page.page.id().to_owned();
        self.add(page)?;
        let known = self.known(&id);
        known.listed.doubt = Some(doubt.mean);
        (known.given, known.given_kind) = (given(doubt), kind);
        Ok(())
    }

    /// One more page, to compare what the model and another system make of it.
    ///
    /// # Errors
    /// As [`Session::add`], and [`Error::Page`] of a page that the other system cannot extract.
    pub fn add_compared(&mut self, page: PageToLabel, other: &dyn Extractor) -> Result<()> {
        let of_page = &page.page;
        let found = other.extract_site(&[of_page]).pop().expect("a result for each page");
        let found = found.map_err(|error| error.on(of_page))?;
        let own = self.look_at(&page)?;
        let (mut differ, mut kept) = (0, 0);
        let (mut labels, mut p) = (String::new(), Vec::new());
        for block in of_page.blocks().leaves() {
            let text = of_page.blocks().texts_of(block)[0];
            let [own, other] = [&own, &found].map(|found| LabelSet::ARTICLE.contains(found.labels[text]));
            let words = tokens::count(&of_page.blocks().text(of_page.dom(), block));
            differ += if own == other { 0 } else { words };
            kept += if own || other { words } else { 0 };
            let label = found.labels[text];
            labels.push(code_of_label(label));
            p.extend(found.posteriors.as_ref().map(|posteriors| per_cent(posteriors[text][label.index()])));
        }
        let text = markdown(of_page, &found);
        let known = self.known(of_page.id());
        known.listed.disagreement = Some(f64::from(differ) / f64::from(kept.max(1)));
        known.beside = Some(Beside { name: other.id().to_owned(), labels, p, text });
        Ok(())
    }

    /// Puts the pages in an order; those that are done come last.
    pub fn sort(&mut self, order: Order, seed: u64) {
        self.order.sort();
        let summaries: Vec<PageSummary> = self.order.iter().map(|id| self.summaries[id].clone()).collect();
        let is_done = |page: usize| self.pages[&self.order[page]].listed.status != Status::Open;
        let open = order.of(&summaries, is_done, seed);
        let done = (0..self.order.len()).filter(|&page| is_done(page));
        self.order = open.into_iter().chain(done).map(|page| self.order[page].clone()).collect();
    }

    /// Puts the pages with the most doubtful labels first, or those on which two systems disagree most; those that are done come last.
    pub fn sort_by_doubt(&mut self) {
        let doubt = |id: &String| {
            let Listed { doubt, disagreement, .. } = self.pages[id].listed;
            doubt.or(disagreement).unwrap_or(0.0)
        };
        let is_done = |id: &String| self.pages[id].listed.status != Status::Open;
        let mut order = std::mem::take(&mut self.order);
        order.sort_by(|a, b| {
            is_done(a).cmp(&is_done(b)).then(doubt(b).total_cmp(&doubt(a))).then_with(|| a.cmp(b))
        });
        self.order = order;
    }

    /// The pages in their order.
    pub fn list(&self) -> Vec<&Listed> {
        self.order.iter().map(|id| &self.pages[id].listed).collect()
    }

    /// Whether there is a page of this name.
    pub fn has(&self, id: &str) -> bool {
        self.summaries.contains_key(id)
    }

    /// The page, parsed, as the last of those in memory, as the model sees it given its kind.
    fn load(&mut self, id: &str, kind: Option<PageType>) -> Result<&InMemory> {
        let at = self.open.iter().position(|open| open.id == id);
        let page = match at.map(|at| self.open.remove(at)) {
            Some(open) if open.kind == kind => open,
            Some(open) => self.seen(open.page, kind)?,
            None => self.seen(self.read(id)?, kind)?,
        };
        if self.open.len() == MOST_OPEN {
            self.open.remove(0);
        }
        self.open.push(page);
        Ok(self.open.last().expect("it was put there"))
    }

    fn read(&self, id: &str) -> Result<PageToLabel> {
        let path = self.folder.join(PAGES).join(format!("{id}.html"));
        let bytes = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
        let url = self.pages[id].listed.url.clone();
        PageToLabel::parse(id, url, bytes, None, &self.limits)
    }

    fn seen(&self, page: PageToLabel, kind: Option<PageType>) -> Result<InMemory> {
        let id = page.page.id().to_owned();
        let observation = self.hmt.model().observation_given(&page.page, kind);
        let observation = observation.map_err(|problem| Error::page(&id, problem))?;
        Ok(InMemory { id, page, observation, kind })
    }

    /// A page as it is opened.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn page(&mut self, id: &str) -> Result<Opened> {
        let known = &self.pages[id];
        let (given, beside) = (known.given.clone(), known.beside.clone());
        let first = || Work { marks: known.first_marks(), kind: known.given_kind, ..Work::new(id) };
        let work = known.work.get(&self.annotator).cloned();
        let work = work.or_else(|| (!given.is_empty()).then(first));
        let kind = work.as_ref().and_then(|work| work.kind);
        let InMemory { page, .. } = self.load(id, kind)?;
        let blocks: Vec<_> = page.page.blocks().leaves().collect();
        Ok(Opened {
            blocks: blocks.into_iter().map(|block| looks_of(&page.page, block)).collect(),
            work,
            given,
            beside,
        })
    }

    /// The page as HTML that is safe to show: see [`shown_html`].
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn html(&mut self, id: &str) -> Result<String> {
        Ok(shown_html(&self.read(id)?.page))
    }

    /// What is known of a page given marks.
    ///
    /// # Errors
    /// [`Error::Usage`] for a mark of blocks that are not there.
    pub fn labelled(&mut self, id: &str, marks: &[Mark], kind: Option<PageType>) -> Result<Labelled> {
        let site = self.site(id)?;
        self.load(id, kind)?;
        let open = self.open.last().expect("it was loaded");
        let known = known_labels(&open.page, marks)?;
        let extraction = self.extraction(open, site, &known)?;
        let posteriors = extraction.posteriors.as_ref().expect("exact inference gives them");
        let mut found = Labelled {
            labels: String::new(),
            p: Vec::new(),
            least_certain: None,
            uncertain: 0,
            kinds: extraction.page_type.as_ref().map_or(Vec::new(), PageType::by_probability),
            confidence: expected_f1(&open.page.page, &extraction),
            text: String::new(),
        };
        found.kinds.retain(|(_, p)| *p >= 0.05);
        let mut least = f64::INFINITY;
        for (block, number) in open.page.page.blocks().leaves().zip(1..) {
            let text = open.page.page.blocks().texts_of(block)[0];
            let label = extraction.labels[text];
            let p = posteriors[text][label.index()];
            found.labels.push(code_of_label(label));
            found.p.push(per_cent(p));
            if known[text].is_none() {
                found.uncertain += usize::from(p < CERTAIN);
                if p < least {
                    (least, found.least_certain) = (p, Some(number));
                }
            }
        }
        found.text = markdown(&open.page.page, &extraction);
        Ok(found)
    }

    /// The extraction of a page given the labels of some of its texts, and what is known of its site without it.
    fn extraction(
        &self,
        open: &InMemory,
        mut site: Site,
        known: &NodeMap<Option<Label>>,
    ) -> Result<Extraction> {
        let page = &open.page.page;
        site.observe_known(page, &open.observation.view, known);
        let extraction = self.hmt.extraction_given(page, &open.observation, Some(&site), known);
        extraction.map_err(|error| error.on(page))
    }

    /// What the accepted pages of a page's site say, without the page itself.
    fn site(&mut self, id: &str) -> Result<Site> {
        if let Some((of, site)) = &self.site
            && of == id
        {
            return Ok(site.clone());
        }
        let mut site = Site::new(SitePrior::default())?;
        let name = self.pages[id].listed.site.clone();
        let of_site: Vec<(String, String)> = self
            .pages
            .iter()
            .filter(|(other, known)| {
                *other != id && known.listed.site == name && self.summaries.contains_key(*other)
            })
            .filter_map(|(other, known)| {
                let mut accepted = known.work.values().filter(|work| work.status == Status::Accepted);
                Some((other.clone(), accepted.next_back()?.labels.clone()?))
            })
            .collect();
        for (other, labels) in of_site {
            let open = self.load(&other, None)?;
            let labels = labels_of(&labels);
            let mut known = NodeMap::filled(open.page.page.dom().len(), None);
            for (block, label) in open.page.page.blocks().leaves().zip(labels) {
                open.page.page.blocks().texts_of(block).iter().for_each(|&id| known[id] = Some(label));
            }
            site.observe_known(&open.page.page, &open.observation.view, &known);
        }
        self.site = Some((id.to_owned(), site.clone()));
        Ok(site)
    }

    /// Writes what was done with a page into the journal; of an accepted page its labels too.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Usage`] for marks of blocks that are not there, and for a page that is skipped without a reason.
    pub fn save(&mut self, mut work: Work) -> Result<()> {
        let id = work.page.clone();
        work.annotator = self.annotator.clone();
        if work.status == Status::Skipped && work.note.trim().is_empty() {
            return Err(Error::usage(format!("{id} is skipped without a reason"), "write why into the note"));
        }
        (work.labels, work.before) = (None, None);
        if work.status == Status::Accepted {
            let labelled = self.labelled(&id, &work.marks, work.kind)?;
            let labels = labels_of(&labelled.labels);
            work.before = Some(self.before(&id, &labels)?);
            work.kind = work.kind.or_else(|| labelled.kinds.first().map(|(kind, _)| *kind));
            let note = Some(work.note.clone()).filter(|note| !note.trim().is_empty());
            let answer = Answer { labels, kind: work.kind, is_doubtful: false, note };
            work.labels = Some(labelled.labels);
            let open = self.open.iter().find(|open| open.id == id).expect("it was loaded");
            self.labels.put(&open.page, &answer)?;
            self.labels.write_index()?;
        }
        self.journal.append(&serde_json::to_string(&work).expect("its keys are strings"))?;
        self.journal.sync()?;
        self.known(&id).listed.status = work.status;
        self.note(work);
        Ok(())
    }

    /// Takes in what was done with a page.
    fn note(&mut self, work: Work) {
        // What is known of the site without a page does not change by what is done with that page.
        self.site.take_if(|(of, _)| *of != work.page);
        if work.annotator == self.annotator {
            self.accepted.retain(|id| *id != work.page);
            if work.status == Status::Accepted {
                self.accepted.push(work.page.clone());
            }
        }
        self.known(&work.page).work.insert(work.annotator.clone(), work);
    }

    /// How far the session is.
    pub fn overview(&self) -> Overview<'_> {
        let pages = self.list();
        let count = |status: Status| pages.iter().filter(|page| page.status == status).count();
        let before: Vec<[f64; 2]> = self
            .order
            .iter()
            .filter_map(|id| self.pages[id].work.get(&self.annotator))
            .filter_map(|work| work.before)
            .collect();
        let last: Vec<&Work> = self
            .accepted
            .iter()
            .rev()
            .take(LAST)
            .filter_map(|id| self.pages[id].work.get(&self.annotator))
            .collect();
        let was_changed = |work: &&&Work| work.marks != self.pages[&work.page].first_marks();
        let mean =
            |which: usize| before.iter().map(|of_page| of_page[which]).sum::<f64>() / before.len() as f64;
        Overview {
            accepted: count(Status::Accepted),
            skipped: count(Status::Skipped),
            all: pages.len(),
            before: (!before.is_empty()).then(|| [mean(0), mean(1)]),
            last: [last.len(), last.iter().filter(|work| was_changed(work)).count()],
            pages,
        }
    }

    /// Gives the open pages of a page's site the marks of its blocks that stand in the same place (path of tags, and classes), where all
    /// blocks of a place have one label, marked or found: a place with several says nothing. With `apply` that is done, else only looked at.
    ///
    /// # Errors
    /// As [`Session::save`].
    pub fn same_site(&mut self, id: &str, apply: bool) -> Result<SameSite> {
        let Some(work) = self.pages[id].work.get(&self.annotator).cloned() else {
            return Ok(SameSite::default());
        };
        let labels = labels_of(&self.labelled(id, &work.marks, work.kind)?.labels);
        let page = &self.load(id, work.kind)?.page;
        let known = known_labels(page, &work.marks)?;
        // Of each place the labels, and whether one of them was marked.
        let mut of_place: BTreeMap<u64, (BTreeSet<Label>, bool)> = BTreeMap::new();
        for ((placed, block), label) in
            PlacedBlock::of(&page.page).into_iter().zip(page.page.blocks().leaves()).zip(labels)
        {
            let (labels, is_marked) = of_place.entry(placed.place).or_default();
            labels.insert(label);
            *is_marked |= known[page.page.blocks().texts_of(block)[0]].is_some();
        }
        of_place.retain(|_, (labels, is_marked)| labels.len() == 1 && *is_marked);
        let site = self.pages[id].listed.site.clone();
        let is_other = |other: &&String| {
            let listed = &self.pages[*other].listed;
            *other != id && listed.site == site && listed.status == Status::Open
        };
        let others: Vec<String> = self.order.iter().filter(is_other).cloned().collect();
        let mut same = SameSite::default();
        for other in others {
            let page = &self.load(&other, None)?.page;
            let new: Vec<Mark> = (1..)
                .zip(PlacedBlock::of(&page.page))
                .filter_map(|(block, placed)| {
                    let label = of_place.get(&placed.place)?.0.first().copied();
                    Some(Mark { from: block, to: block, label, is_copied: true })
                })
                .collect();
            if new.is_empty() {
                continue;
            }
            same.pages += 1;
            same.blocks += new.len();
            // What the annotator marked by hand stands over it.
            let own = self.pages[&other].work.get(&self.annotator).cloned();
            let marks: Vec<Mark> =
                new.into_iter().chain(own.iter().flat_map(|work| work.marks.clone())).collect();
            if same.preview.len() < PREVIEW {
                let text = self.labelled(&other, &marks, None)?.text;
                same.preview
                    .push(Preview { id: other.clone(), text: text.chars().take(PREVIEW_CHARS).collect() });
            }
            if apply {
                let own = own.unwrap_or_else(|| Work::new(&other));
                self.save(Work { marks, ..own })?;
            }
        }
        Ok(same)
    }

    /// How far the annotators of the pages agree, over all pages that two or more of them have accepted.
    ///
    /// # Errors
    /// If a page cannot be read.
    pub fn agreement(&mut self) -> Result<Agreement> {
        let mut agreement = Agreement::default();
        let read_twice: Vec<(String, Vec<String>)> = self
            .order
            .iter()
            .map(|id| {
                (id.clone(), self.pages[id].work.values().filter_map(|work| work.labels.clone()).collect())
            })
            .filter(|(_, labels): &(String, Vec<String>)| labels.len() > 1)
            .collect();
        for (id, labels) in read_twice {
            let page = &self.load(&id, None)?.page;
            let of_readers: Vec<Vec<Label>> = labels.iter().map(|labels| labels_of(labels)).collect();
            let blocks = PlacedBlock::of(&page.page).into_iter().enumerate().map(|(block, placed)| {
                let labels = of_readers.iter().filter_map(|labels| labels.get(block).copied());
                (placed.words, labels.collect())
            });
            agreement.add(blocks);
        }
        Ok(agreement)
    }

    /// The F1 of the article's words of a page before a mark of it was seen: of the model, and with what was known of the site.
    fn before(&mut self, id: &str, labels: &[Label]) -> Result<[f64; 2]> {
        let site = self.site(id)?;
        self.load(id, None)?;
        let open = self.open.last().expect("it was loaded");
        let nothing = NodeMap::filled(open.page.page.dom().len(), None);
        let page = &open.page.page;
        let alone = self.hmt.extraction_of(page, &open.observation).map_err(|error| error.on(page))?;
        let adapted = self.extraction(open, site, &nothing)?;
        Ok([alone, adapted].map(|extraction| f1(&open.page, &extraction, labels)))
    }
}

/// Rounded down, so that only what is certain is 100.
fn per_cent(p: f64) -> u8 {
    (100.0 * p).floor() as u8
}

/// What is extracted, as Markdown.
fn markdown(page: &Page, extraction: &Extraction) -> String {
    let kept = Selection::default().kept(page, extraction);
    kept.map_or(String::new(), |kept| to_markdown(page, &kept, &RenderOptions::default()))
}

/// The labels of a page's blocks, from their letters.
fn labels_of(letters: &str) -> Vec<Label> {
    letters.chars().filter_map(label_of_code).collect()
}

/// The labels that a page has already.
fn given(doubt: &Doubt) -> Vec<Option<GivenLabel>> {
    let of_block = |block: &Option<DoubtOfBlock>| {
        block.map(|DoubtOfBlock { given, p, found, .. }| GivenLabel {
            label: code_of_label(given),
            p: per_cent(p),
            found: code_of_label(found),
        })
    };
    doubt.blocks.iter().map(of_block).collect()
}

/// The F1 of the words of the article's blocks against labels.
fn f1(page: &PageToLabel, extraction: &Extraction, labels: &[Label]) -> f64 {
    let is_content = |label: Label| LabelSet::ARTICLE.contains(label);
    let (mut both, mut found, mut right) = (0.0, 0.0, 0.0);
    for (block, label) in page.page.blocks().leaves().zip(labels) {
        for &id in page.page.blocks().texts_of(block) {
            let words = f64::from(tokens::count(page.page.dom().text(id)));
            let [is_found, is_right] = [extraction.labels[id], *label].map(is_content);
            both += if is_found && is_right { words } else { 0.0 };
            found += if is_found { words } else { 0.0 };
            right += if is_right { words } else { 0.0 };
        }
    }
    if found + right == 0.0 { 1.0 } else { 2.0 * both / (found + right) }
}

/// The label of each text that the marks name.
fn known_labels(page: &PageToLabel, marks: &[Mark]) -> Result<NodeMap<Option<Label>>> {
    let blocks: Vec<_> = page.page.blocks().leaves().collect();
    let mut known = NodeMap::filled(page.page.dom().len(), None);
    for Mark { from, to, label, .. } in marks {
        if *from == 0 || from > to || *to > blocks.len() {
            return Err(Error::usage(
                format!("{}: a mark of blocks {from} to {to}", page.page.id()),
                format!("the page has blocks 1 to {}", blocks.len()),
            ));
        }
        for block in &blocks[from - 1..*to] {
            page.page.blocks().texts_of(block).iter().for_each(|&id| known[id] = *label);
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests;
