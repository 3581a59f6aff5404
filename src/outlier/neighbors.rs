//! The exact nearest rows of many rows: tiles of rows that stand near each other, taken from the nearest on until no further
//! one can hold a nearer row.
//!
//! A distance is computed by the same operations in the same order whichever tiles, registers and threads compute it, and
//! bounds are computed by those operations too, so that rounding never separates them: results are exact and the same
//! everywhere.

use rayon::prelude::*;

use super::distinct::DistinctRows;

/// Rows of a tile whose distances are computed together.
const LANES: usize = 32;
/// The most rows of a tile.
const TILE: usize = 2 * LANES;

/// The distances to the nearest rows: squares, ascending, each once, with the number of rows that are so far.
pub(super) type Nearest = Vec<(f64, u64)>;

/// For each of `queries` the distances to its `k` nearest among the rows that `among` stands for (the last may stand for
/// more rows than are needed), all if there are fewer, given to `use_nearest` for what is made of them.
///
/// With `leave_out` both are the same rows and each leaves out itself once.
pub(super) fn nearest<T: Send + Clone + Default>(
    queries: &DistinctRows,
    among: &DistinctRows,
    k: u64,
    leave_out: bool,
    use_nearest: impl Fn(&Nearest) -> T + Sync,
) -> Vec<T> {
    let candidates: Vec<Tile> = tiles(among).into_par_iter().map(|rows| Tile::new(among, rows)).collect();
    let groups = tiles(queries);
    let found: Vec<Vec<T>> = groups
        .par_iter()
        .map(|rows| {
            let search = Search { queries, among, candidates: &candidates, k, leave_out, rows };
            pulp::Arch::new().dispatch(search).into_iter().map(|one| use_nearest(&one.finish())).collect()
        })
        .collect();
    let mut results = vec![T::default(); queries.len()];
    for (rows, found) in groups.iter().zip(found) {
        for (&row, one) in rows.iter().zip(found) {
            results[row as usize] = one;
        }
    }
    results
}

/// The rows split into tiles: halved, again and again, at the middle of the column with the widest range.
fn tiles(rows: &DistinctRows) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    let mut pending = vec![(0..rows.len() as u32).collect::<Vec<u32>>()];
    while let Some(mut part) = pending.pop() {
        if part.len() <= TILE {
            if !part.is_empty() {
                parts.push(part);
            }
            continue;
        }
        let (low, high) = range(rows, &part);
        let width = |column: &usize| high[*column] - low[*column];
        let widest = (0..rows.columns).rev().max_by(|a, b| width(a).total_cmp(&width(b)));
        let widest = widest.expect("a matrix has a column");
        let value = |i: u32| rows.row(i as usize)[widest];
        let middle = part.len().div_ceil(TILE) / 2 * TILE;
        part.select_nth_unstable_by(middle, |&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
        let upper = part.split_off(middle);
        pending.extend([upper, part]);
    }
    parts
}

/// The least and the greatest value of each column.
fn range(rows: &DistinctRows, part: &[u32]) -> (Vec<f64>, Vec<f64>) {
    let first = rows.row(part[0] as usize);
    let (mut low, mut high) = (first.to_vec(), first.to_vec());
    for &i in part {
        for (column, &value) in rows.row(i as usize).iter().enumerate() {
            low[column] = low[column].min(value);
            high[column] = high[column].max(value);
        }
    }
    (low, high)
}

/// Rows that stand near each other, and the box that they stand in.
struct Tile {
    rows: Vec<u32>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// For every [`LANES`] rows the values of the first column, then of the second and so on; infinite where there is no
    /// row.
    values: Vec<f64>,
}

impl Tile {
    fn new(all: &DistinctRows, rows: Vec<u32>) -> Tile {
        let (low, high) = range(all, &rows);
        let groups = rows.chunks(LANES);
        let mut values = vec![f64::INFINITY; groups.len() * LANES * all.columns];
        for (group, values) in groups.zip(values.chunks_mut(LANES * all.columns)) {
            for (lane, &row) in group.iter().enumerate() {
                for (column, &value) in all.row(row as usize).iter().enumerate() {
                    values[column * LANES + lane] = value;
                }
            }
        }
        Tile { rows, low, high, values }
    }

    /// No row of the tile is nearer than this to any row in the box.
    fn bound(&self, low: &[f64], high: &[f64]) -> f64 {
        let mut sum = 0.0;
        for column in 0..low.len() {
            let gap = (self.low[column] - high[column]).max(low[column] - self.high[column]).max(0.0);
            sum += gap * gap;
        }
        sum
    }
}

/// The squared distances of a row to some rows of a tile.
#[inline(always)]
fn distances(row: &[f64], values: &[f64]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (x, column) in row.iter().zip(values.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let difference = x - column[lane];
            sums[lane] += difference * difference;
        }
    }
    sums
}

/// The search for the rows of one tile of queries.
struct Search<'a> {
    queries: &'a DistinctRows,
    among: &'a DistinctRows,
    candidates: &'a [Tile],
    k: u64,
    leave_out: bool,
    rows: &'a [u32],
}

impl pulp::NullaryFnOnce for Search<'_> {
    type Output = Vec<Collector>;

    #[inline(always)]
    fn call(self) -> Vec<Collector> {
        let (low, high) = range(self.queries, self.rows);
        let mut order: Vec<(f64, &Tile)> =
            self.candidates.iter().map(|tile| (tile.bound(&low, &high), tile)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut collectors = vec![Collector::new(self.k); self.rows.len()];
        for (bound, tile) in order {
            if collectors.iter().all(|collector| bound >= collector.limit) {
                break;
            }
            for (&query, collector) in self.rows.iter().zip(&mut collectors) {
                let row = self.queries.row(query as usize);
                if tile.bound(row, row) >= collector.limit {
                    continue;
                }
                let values = tile.values.chunks_exact(LANES * self.queries.columns);
                for (rows, values) in tile.rows.chunks(LANES).zip(values) {
                    let distances = distances(row, values);
                    // One look at all lanes: most rows are too far.
                    let mut is_any_near = false;
                    for distance in &distances {
                        is_any_near |= *distance < collector.limit;
                    }
                    if !is_any_near {
                        continue;
                    }
                    for (&other, distance) in rows.iter().zip(distances) {
                        let itself = u64::from(self.leave_out && other == query);
                        collector.add(distance, self.among.counts[other as usize] - itself);
                    }
                }
            }
        }
        collectors
    }
}

/// Keeps the nearest of what it is given.
#[derive(Clone)]
struct Collector {
    k: u64,
    found: Nearest,
    /// As many are cleared when there are so many.
    room: usize,
    /// What is as far or further is not among the nearest.
    limit: f64,
}

impl Collector {
    fn new(k: u64) -> Collector {
        Collector { k, found: Vec::new(), room: TILE, limit: f64::INFINITY }
    }

    fn add(&mut self, distance: f64, count: u64) {
        if distance < self.limit && count > 0 {
            self.found.push((distance, count));
            if self.found.len() >= self.room {
                self.clear();
            }
        }
    }

    /// Takes out what is not among the nearest, and sets the limit.
    fn clear(&mut self) {
        let by_distance = |a: &(f64, u64), b: &(f64, u64)| a.0.total_cmp(&b.0);
        // Each counts one or more, so that the first k are enough; finding them takes less than sorting all.
        let k = self.k as usize;
        if self.found.len() > k {
            self.found.select_nth_unstable_by(k - 1, by_distance);
            self.found.truncate(k);
        }
        let mut sum: u64 = self.found.iter().map(|&(_, count)| count).sum();
        if sum > self.k {
            self.found.sort_unstable_by(by_distance);
            while let Some(&(_, count)) = self.found.last()
                && sum - count >= self.k
            {
                sum -= count;
                self.found.pop();
            }
        }
        if sum >= self.k {
            self.limit = self.found.iter().map(|found| found.0).fold(0.0, f64::max);
        }
        self.room = 2 * self.found.len() + TILE;
    }

    /// The nearest, in order.
    fn finish(mut self) -> Nearest {
        self.clear();
        self.found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.found.dedup_by(|next, kept| {
            let is_equal = next.0 == kept.0;
            if is_equal {
                kept.1 += next.1;
            }
            is_equal
        });
        self.found
    }
}
