//! What a command says of its inputs.

/// What a command that ended without an error says of its inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Everything was done.
    Done,
    /// Some inputs failed, as was said of each.
    SomeFailed,
    /// The user interrupted it, and it has said how to go on.
    Interrupted,
}
