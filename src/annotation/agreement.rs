//! `Agreement`, how far readers of the same pages gave the same labels.

use crate::label::Label;

const N: usize = Label::COUNT;

/// The labels that two or more readers gave the same words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Agreement {
    /// Krippendorff's coincidences: for each word with m labels, each ordered pair of them adds 1 / (m - 1).
    coincidences: [[f64; N]; N],
    /// Words that the first and the second reader gave these labels.
    pairs: [[f64; N]; N],
    /// Pages that were read more than once.
    pub pages: usize,
}

impl Agreement {
    /// Adds a page: for each of its blocks the words, and the label that each reader gave it. The first two readers are those of
    /// [`Agreement::kappa`].
    pub fn add(&mut self, blocks: impl IntoIterator<Item = (u32, Vec<Label>)>) {
        self.pages += 1;
        for (words, labels) in blocks {
            let words = f64::from(words);
            let [first, second, ..] = labels[..] else { continue };
            self.pairs[first.index()][second.index()] += words;
            let others = (labels.len() - 1) as f64;
            for (i, one) in labels.iter().enumerate() {
                for (_, other) in labels.iter().enumerate().filter(|(j, _)| *j != i) {
                    self.coincidences[one.index()][other.index()] += words / others;
                }
            }
        }
    }

    /// Cohen's kappa over words between the first and the second reader (Cohen 1960): of all labels, or of one against all others.
    /// None where chance alone would agree.
    pub fn kappa(&self, of: Option<Label>) -> Option<f64> {
        let table = merged(&self.pairs, of);
        let all: f64 = table.iter().flatten().sum();
        let row = |label: usize| table[label].iter().sum::<f64>();
        let column = |label: usize| table.iter().map(|row| row[label]).sum::<f64>();
        let agreed = (0..N).map(|label| table[label][label]).sum::<f64>() / all;
        let by_chance = (0..N).map(|label| row(label) * column(label)).sum::<f64>() / (all * all);
        (by_chance < 1.0).then(|| (agreed - by_chance) / (1.0 - by_chance))
    }

    /// Krippendorff's alpha for nominal data over words (Krippendorff 2004, section 11.3), of any number of readers: of all labels,
    /// or of one against all others. None where chance alone would agree.
    pub fn alpha(&self, of: Option<Label>) -> Option<f64> {
        let table = merged(&self.coincidences, of);
        let sums: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
        let all: f64 = sums.iter().sum();
        let differing: f64 = all - (0..N).map(|label| table[label][label]).sum::<f64>();
        let expected = (all * all - sums.iter().map(|sum| sum * sum).sum::<f64>()) / (all - 1.0);
        (expected > 0.0).then(|| 1.0 - differing / expected)
    }

    /// F1 of the words of a label, the second reader's against the first's; none where neither gave it.
    pub fn f1(&self, label: Label) -> Option<f64> {
        let label = label.index();
        let first: f64 = self.pairs[label].iter().sum();
        let second: f64 = self.pairs.iter().map(|row| row[label]).sum();
        (first + second > 0.0).then(|| 2.0 * self.pairs[label][label] / (first + second))
    }
}

/// The table with all labels but one as a single one.
fn merged(table: &[[f64; N]; N], of: Option<Label>) -> [[f64; N]; N] {
    let Some(of) = of else { return *table };
    let mut merged = [[0.0; N]; N];
    let place = |label: usize| usize::from(label == of.index());
    for (first, row) in table.iter().enumerate() {
        for (second, words) in row.iter().enumerate() {
            merged[place(first)][place(second)] += words;
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units with a word each, and the number of each reader's label; a dot where a reader is silent.
    fn of(readers: &[&str]) -> Agreement {
        let mut agreement = Agreement::default();
        let label = |reader: &&str, unit: usize| {
            let digit = reader.chars().nth(unit)?.to_digit(10)?;
            Label::from_index(digit as usize)
        };
        let units = 0..readers[0].len();
        agreement
            .add(units.map(|unit| (1, readers.iter().filter_map(|reader| label(reader, unit)).collect())));
        agreement
    }

    #[test]
    fn kappa_is_that_of_a_worked_example() {
        // Twenty times both, five times the first alone, ten times the second, fifteen times neither: by hand .4.
        let first = "1".repeat(25) + &"0".repeat(25);
        let second = "1".repeat(20) + &"0".repeat(5) + &"1".repeat(10) + &"0".repeat(15);
        let agreement = of(&[&first, &second]);
        assert!((agreement.kappa(None).unwrap() - 0.4).abs() < 1e-12);
        assert!((agreement.kappa(Some(Label::Headline)).unwrap() - 0.4).abs() < 1e-12);
        assert!((agreement.f1(Label::Headline).unwrap() - 40.0 / 55.0).abs() < 1e-12);
        assert_eq!(agreement.f1(Label::Comments), None);
    }

    #[test]
    fn alpha_is_that_of_krippendorff_s_example() {
        // "Computing Krippendorff's alpha-reliability" (2011), example C: nominal data, four observers, missing values.
        let readers = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        let agreement = of(&readers);
        assert!((agreement.alpha(None).unwrap() - 0.743_421_052_631_579).abs() < 1e-12);
        // Where all say the same, nothing can be said.
        assert_eq!(of(&["11", "11"]).alpha(None), None);
        assert_eq!(of(&["11", "11"]).kappa(None), None);
    }
}
