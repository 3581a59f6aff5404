//! Region accuracy: how near the sizes of the detected regions are to the real ones (Pappas et al. 2012, equation 4).

use serde::{Deserialize, Serialize};

/// The densities of one region, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Densities {
    /// Of the region as detected; 0 if it was not.
    pub detected: u64,
    /// Of the region as annotated.
    pub real: u64,
}

impl Densities {
    /// `c / (|c - r| + c)`, from 0 (not detected) to 1 (as large as the real one).
    ///
    /// A region too short by a share scores lower by that share; one too long loses less: twice the size is 1/2 of
    /// the size over, so 2/3. The equation does not speak of a region that is neither real nor detected; it is exact.
    ///
    /// # Examples
    /// ```
    /// use duramen::eval::region_accuracy::Densities;
    /// assert_eq!(Densities { detected: 50, real: 100 }.accuracy(), 0.5);
    /// assert_eq!(Densities { detected: 100, real: 50 }.accuracy(), 2.0 / 3.0);
    /// ```
    pub fn accuracy(self) -> f64 {
        let Densities { detected, real } = self;
        match detected.abs_diff(real) {
            0 => 1.0,
            difference => detected as f64 / (difference as f64 + detected as f64),
        }
    }
}

/// The region accuracy of documents, each given by the densities of its real regions: the mean over documents of
/// the mean over a document's regions. A document without regions is left out, as `k` divides; none if no document
/// has one.
///
/// It compares sizes alone: a detected region with other text of the same length is exact.
///
/// # Examples
/// ```
/// use duramen::eval::region_accuracy::{Densities, region_accuracy};
/// let article = Densities { detected: 900, real: 1000 };
/// let missed_comments = Densities { detected: 0, real: 300 };
/// assert_eq!(region_accuracy(&[vec![article, missed_comments], vec![article]]), Some((0.45 + 0.9) / 2.0));
/// ```
pub fn region_accuracy<D: AsRef<[Densities]>>(documents: &[D]) -> Option<f64> {
    let with_regions = documents.iter().map(AsRef::as_ref).filter(|regions| !regions.is_empty());
    let means =
        with_regions.map(|regions| regions.iter().map(|r| r.accuracy()).sum::<f64>() / regions.len() as f64);
    let (sum, n) = means.fold((0.0, 0u32), |(sum, n), mean| (sum + mean, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(detected: u64, real: u64) -> f64 {
        Densities { detected, real }.accuracy()
    }

    #[test]
    fn equation_4_worked_by_hand() {
        assert_eq!(accuracy(1000, 1000), 1.0);
        // 900 / (100 + 900); 1200 / (200 + 1200); 0 / (500 + 0).
        assert_eq!(accuracy(900, 1000), 0.9);
        assert_eq!(accuracy(1200, 1000), 1200.0 / 1400.0);
        assert_eq!(accuracy(0, 500), 0.0);
    }

    #[test]
    fn text_where_none_is_scores_one_half_by_the_equation_and_nothing_where_none_is_one() {
        assert_eq!(accuracy(70, 0), 0.5);
        assert_eq!(accuracy(0, 0), 1.0);
    }

    #[test]
    fn documents_weigh_the_same_whatever_the_number_of_their_regions() {
        let (exact, missed) = (Densities { detected: 5, real: 5 }, Densities { detected: 0, real: 5 });
        assert_eq!(region_accuracy(&[vec![exact], vec![exact, missed, missed, missed]]), Some(0.625));
    }

    #[test]
    fn documents_without_regions_do_not_count() {
        let exact = Densities { detected: 5, real: 5 };
        assert_eq!(region_accuracy(&[vec![exact], vec![]]), Some(1.0));
        assert_eq!(region_accuracy::<Vec<Densities>>(&[vec![]]), None);
        assert_eq!(region_accuracy::<Vec<Densities>>(&[]), None);
    }
}
