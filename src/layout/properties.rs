//! The CSS properties of a layout: the 32 of Potvin & Villemaire (2018, footnote 2), and `display`.

/// The names of the properties. The paper's 32 in its order, then `display`.
pub static PROPERTIES: [&str; Property::COUNT] = [
    "background-color",
    "border-bottom-color",
    "border-bottom-style",
    "border-bottom-width",
    "border-left-color",
    "border-left-style",
    "border-left-width",
    "border-right-color",
    "border-right-style",
    "border-right-width",
    "border-top-color",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-top-style",
    "border-top-width",
    "color",
    "font-size",
    "font-style",
    "font-weight",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "outline-color",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "position",
    "text-align",
    "text-decoration",
    "visibility",
    "display",
];

/// A property of [`PROPERTIES`], by its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property(usize);

impl Property {
    /// The number of properties.
    pub const COUNT: usize = 33;
    /// How many of them, the first, are the paper's.
    pub const OF_PAPER: usize = 32;

    /// The property of this name.
    pub fn named(name: &str) -> Option<Property> {
        PROPERTIES.iter().position(|&known| known == name).map(Property)
    }

    /// All properties, in order.
    pub fn all() -> impl Iterator<Item = Property> {
        (0..Self::COUNT).map(Property)
    }

    /// The index in [`PROPERTIES`].
    pub fn index(self) -> usize {
        self.0
    }

    /// The name.
    pub fn name(self) -> &'static str {
        PROPERTIES[self.0]
    }
}
