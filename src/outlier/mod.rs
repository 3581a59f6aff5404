//! Outlier scores of the rows of a matrix: each detector is fitted to rows and scores them, higher for what differs more.
