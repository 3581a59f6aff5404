//! The model file: JSON with a format name, a version and a checksum over the rest.
//!
//! ```json
//! {"format": "duramen-model", "version": 1, "checksum": "<SHA-256 of the body's bytes>", "body": {...}}
//! ```
//! The version is 2 where counts are expected ones, with a field `fraction-bits` in the body: all but `nodes` and
//! `sources` are then multiples of 2^-`fraction-bits`. Files of counted models have neither, so that programs that
//! know whole counts only read them as before and refuse the others. The version is 3 where the model has what is
//! learned beyond counts, the fields `scores`, `weights`, `page-type-decision`, `page-confidence`,
//! `comment-split` and `site` in the body, whatever its counts, and 4 where `scores` tell the type of a page (by weights of
//! terms; files of version 3 had trees for it, which are not read any more).
//!
//! The body holds configuration, sources and counts. The checksum is over the body as serialized compactly, with
//! object keys in a fixed order, so that equal models are equal files.
//!
//! # Packed
//! The models in the program are packed, since reading JSON is most of a short run: the number of tables of
//! words, their lengths (4 bytes each, the least first), the tables, which are read where they lie, and the
//! rest of the body as MessagePack. A test holds each packed model against its JSON file; with `DURAMEN_PACK_MODELS=1` it writes
//! them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::ModelConfig;
use super::counts::{Counts, FRACTION_BITS, FeatureCounts};
use super::hmt::Model;
use super::layers::Layers;
use super::layers::boosted_scores::BoostedScores;
use super::layers::token_table::TokenTable;
use super::sealed::Sealed;
use crate::dist::GeometricStatistic;
use crate::error::{Error, Result};
use crate::files::write_whole;

/// The version of a model whose counts are whole.
const WHOLE: u32 = 1;
/// The version of a model whose counts are fractions.
const FRACTIONS: u32 = 2;
/// The version of a model with a learned score or weights.
const LEARNED: u32 = 3;
/// The version of a model that tells types of pages, and the newest that this program reads.
const PAGE_TYPES: u32 = 4;
/// The largest whole count of a file: what every reader of JSON holds exactly, and far from where sums overflow.
const MAX_COUNT: u64 = 1 << 53;
/// The largest number of a file whose counts are fractions; larger than [`MAX_COUNT`], since its last bits count
/// for nothing. With [`FRACTION_BITS`] a count may so be 2^38.
pub(crate) const MAX_FRACTIONS: u64 = 1 << 62;

const SEALED: Sealed = Sealed {
    format: "duramen-model",
    name: "a model file",
    newest: PAGE_TYPES,
    remedy: "train it again with `duramen train`, or fetch an undamaged copy",
};

/// What a file holds: in one object what was counted and what was learned beyond.
type Body = Layers<Counted>;

#[derive(Serialize, Deserialize)]
struct Counted {
    config: ModelConfig,
    /// Tag vocabulary size and number of bins of each feature: the shape that the counts were made with.
    categories: Vec<usize>,
    sources: BTreeMap<String, u64>,
    nodes: u64,
    /// Not there where it is 0: see above.
    #[serde(default, rename = "fraction-bits", skip_serializing_if = "is_zero")]
    fraction_bits: u32,
    transitions: Vec<u64>,
    siblings: Vec<u64>,
    features: Vec<FeatureBody>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FeatureBody {
    /// For each state the number of nodes and the sum of the count over them.
    Geometric { n: Vec<u64>, sum: Vec<u64> },
    /// For each category the number of nodes in each state.
    Categorical { counts: Vec<u64> },
}

impl Model {
    /// The model file's bytes. Equal models give equal bytes.
    pub fn to_json(&self) -> String {
        let body = self.body();
        SEALED.write(version(&body), &body)
    }

    fn body(&self) -> Body {
        let counts = self.counts();
        let counted = Counted {
            config: self.config().clone(),
            categories: self.specs().iter().map(|spec| spec.kind.categories()).collect(),
            sources: self.sources().clone(),
            nodes: counts.nodes,
            fraction_bits: counts.fraction_bits,
            transitions: counts.transitions.clone(),
            siblings: counts.siblings.clone(),
            features: counts
                .features
                .iter()
                .map(|feature| match feature {
                    FeatureCounts::Geometric(statistics) => FeatureBody::Geometric {
                        n: statistics.iter().map(|s| s.n).collect(),
                        sum: statistics.iter().map(|s| s.sum).collect(),
                    },
                    FeatureCounts::Categorical(counts) => FeatureBody::Categorical { counts: counts.clone() },
                })
                .collect(),
        };
        self.layers().clone().put_beside(counted).0
    }

    /// The SHA-256 over the model's body that its file carries: equal for equal models.
    pub fn digest(&self) -> String {
        Sealed::checksum_of(&self.to_json()).expect("what was just written")
    }

    /// Reads a model file's text; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Model`] for what is no model, is of a newer version, was damaged (its checksum differs), or does
    /// not fit this program's schema.
    pub fn from_json(text: &str, subject: &str) -> Result<Self> {
        let (stated, body) = SEALED.read(text, subject)?;
        let damaged = |problem: String| SEALED.damaged(subject, problem);
        let body: Body = serde_json::from_str(body).map_err(|error| damaged(error.to_string()))?;
        if version(&body) != stated {
            let fields =
                "its \"version\" does not go with its \"fraction-bits\" and what was learned beyond counts";
            return Err(damaged(fields.to_owned()));
        }
        model_of(body).map_err(|problem| match problem {
            Error::Usage { what, .. } => damaged(what),
            other => other,
        })
    }

    /// The [packed form](self#packed) of a model that is part of the program.
    #[cfg(test)]
    pub(super) fn to_packed(&self) -> Vec<u8> {
        let mut body = self.body();
        let tables = body.scores.iter_mut().flat_map(BoostedScores::tables_mut);
        let tables: Vec<Vec<u8>> = tables.map(|table| table.bytes().to_vec()).collect();
        let mut packed = (tables.len() as u32).to_le_bytes().to_vec();
        tables.iter().for_each(|table| packed.extend((table.len() as u32).to_le_bytes()));
        packed.extend(tables.concat());
        packed.extend(rmp_serde::to_vec_named(&body).expect("a body has no keys that are not strings"));
        packed
    }

    /// Reads a model that is part of the program; its tables of words stay where they lie.
    ///
    /// # Errors
    /// [`Error::Model`] for what [`Model::to_packed`] did not write.
    pub(super) fn from_packed(packed: &'static [u8], subject: &str) -> Result<Self> {
        let damaged = |problem: &str| Error::model(subject, problem, "pack it again");
        let cut = || damaged("it is cut short");
        let (n, rest) = packed.split_first_chunk().ok_or_else(cut)?;
        let (lengths, rest) = rest.split_at_checked(4 * u32::from_le_bytes(*n) as usize).ok_or_else(cut)?;
        let lengths = lengths.as_chunks().0.iter().map(|length| u32::from_le_bytes(*length) as usize);
        let (tables, body) = rest.split_at_checked(lengths.clone().sum()).ok_or_else(cut)?;
        let mut body: Body = rmp_serde::from_slice(body).map_err(|error| damaged(&error.to_string()))?;
        let mut at = 0;
        for (table, length) in body.scores.iter_mut().flat_map(BoostedScores::tables_mut).zip(lengths) {
            *table = TokenTable::from_bytes(Cow::Borrowed(&tables[at..at + length]))?;
            at += length;
        }
        model_of(body)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`Error::Io`] and as [`Model::from_json`].
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        let text = String::from_utf8(text).map_err(|_| {
            Error::model(
                path.display(),
                "not a model file: it is not text",
                "name a file made by `duramen train`",
            )
        })?;
        Self::from_json(&text, &path.display().to_string())
    }

    /// Writes a model file atomically: aside, then renamed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, self.to_json().as_bytes())
    }
}

fn version(body: &Body) -> u32 {
    match body.beside().fraction_bits {
        _ if body.scores.as_ref().is_some_and(BoostedScores::tells_page_type) => PAGE_TYPES,
        _ if body.iter().next().is_some() => LEARNED,
        0 => WHOLE,
        _ => FRACTIONS,
    }
}

fn model_of(body: Body) -> Result<Model> {
    let (layers, counted) = body.put_beside(());
    if counted.config.boosted.is_some() && layers.scores.is_none() {
        return Err(misfit("boosted scores"));
    }
    let (config, counts, sources) = counted.into_counts()?;
    Model::from_parts(config, counts, sources, layers)
}

impl Counted {
    /// Whether no number is so large that sums could overflow.
    fn is_in_range(&self) -> bool {
        let tables = self.features.iter().flat_map(|feature| match feature {
            FeatureBody::Geometric { n, sum } => [n.as_slice(), sum.as_slice()],
            FeatureBody::Categorical { counts } => [counts.as_slice(), &[]],
        });
        let most = if self.fraction_bits == 0 { MAX_COUNT } else { MAX_FRACTIONS };
        let mut whole = self.sources.values().chain([&self.nodes]);
        let mut numbers = tables.flatten().chain(&self.transitions).chain(&self.siblings);
        whole.all(|&number| number <= MAX_COUNT) && numbers.all(|&number| number <= most)
    }

    fn into_counts(self) -> Result<(ModelConfig, Counts, BTreeMap<String, u64>)> {
        let expected = Counts::empty(&self.config)?;
        let specs = self.config.check()?;
        if specs.iter().map(|spec| spec.kind.categories()).ne(self.categories.iter().copied()) {
            return Err(misfit("feature categories"));
        }
        if !self.is_in_range() {
            return Err(Error::usage(
                "a count is larger than any corpus (2^53, or 2^62 units of a fraction)",
                "",
            ));
        }
        if self.fraction_bits > FRACTION_BITS {
            let found = format!("\"fraction-bits\" is {}, {FRACTION_BITS} at most", self.fraction_bits);
            return Err(Error::usage(found, ""));
        }
        let features: Vec<FeatureCounts> = self
            .features
            .into_iter()
            .map(|feature| match feature {
                FeatureBody::Geometric { n, sum } if n.len() != sum.len() => Err(misfit("feature counts")),
                FeatureBody::Geometric { n, sum } => Ok(FeatureCounts::Geometric(
                    n.into_iter().zip(sum).map(|(n, sum)| GeometricStatistic { n, sum }).collect(),
                )),
                FeatureBody::Categorical { counts } => Ok(FeatureCounts::Categorical(counts)),
            })
            .collect::<Result<_>>()?;
        let same = |(a, b): (&FeatureCounts, &FeatureCounts)| match (a, b) {
            (FeatureCounts::Geometric(a), FeatureCounts::Geometric(b)) => a.len() == b.len(),
            (FeatureCounts::Categorical(a), FeatureCounts::Categorical(b)) => a.len() == b.len(),
            _ => false,
        };
        if features.len() != expected.features.len() || !features.iter().zip(&expected.features).all(same) {
            return Err(misfit("feature counts"));
        }
        if (self.transitions.len(), self.siblings.len())
            != (expected.transitions.len(), expected.siblings.len())
        {
            return Err(misfit("transition counts"));
        }
        let mut counts = Counts {
            states: expected.states,
            nodes: self.nodes,
            fraction_bits: self.fraction_bits,
            transitions: self.transitions,
            siblings: self.siblings,
            features,
        };
        counts.reduce();
        Ok((self.config, counts, self.sources))
    }
}

fn misfit(problem: &str) -> Error {
    Error::usage(format!("its {problem} do not fit its configuration"), "")
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
