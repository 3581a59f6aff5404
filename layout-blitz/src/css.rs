//! Style sheets without anything that would be fetched.
