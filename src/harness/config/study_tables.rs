//! `StudyTables`, the studies that an experiment asks for, as its file has them: a later room knows what they mean.

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

/// A study's setting as it stands in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Setting>),
    /// A table.
    Table(StudyTables),
}

impl Setting {
    /// The setting that says the same as a value.
    ///
    /// # Panics
    /// If the value cannot be written as TOML: with keys that are not text, or with nothing where something must stand.
    pub fn of(value: &impl Serialize) -> Setting {
        let json = serde_json::to_string(value).expect("keys are text");
        serde_json::from_str(&json).expect("TOML has a place for every value")
    }

    /// The value that says the same.
    ///
    /// # Errors
    /// If it is another kind of value.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&serde_json::to_string(self)?)
    }
}

/// Keys with their settings, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StudyTables(Vec<(String, Setting)>);

impl StudyTables {
    /// The setting under a key.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, setting)| setting)
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// Adds a key with its setting.
    pub fn insert(&mut self, key: &str, setting: Setting) {
        self.0.push((key.to_owned(), setting));
    }
}

impl Serialize for StudyTables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, setting) in &self.0 {
            map.serialize_entry(key, setting)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for StudyTables {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = StudyTables;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StudyTables, A::Error> {
                let mut tables = StudyTables::default();
                while let Some(entry) = map.next_entry()? {
                    tables.0.push(entry);
                }
                Ok(tables)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_keep_their_order_and_kind_from_json_to_toml_and_back() {
        let text = "z = 1\na = 0.5\nm = [\"x\", true]\nb = 2.0\n\n[t]\ny = -3\nc = \"\"\n";
        let json = r#"{"z":1,"a":0.5,"m":["x",true],"b":2.0,"t":{"y":-3,"c":""}}"#;
        let tables: StudyTables = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&tables).unwrap(), json);
        assert_eq!(toml::to_string(&tables).unwrap(), text);
        // What is read as TOML comes by name.
        let of_toml: StudyTables = toml::from_str(text).unwrap();
        assert_eq!(of_toml.keys().collect::<Vec<_>>(), ["a", "b", "m", "t", "z"]);
        assert!(of_toml.keys().all(|key| key == "t" || of_toml.get(key) == tables.get(key)));
        assert_eq!(Setting::of(&tables), Setting::Table(tables.clone()));
        assert_eq!(tables.get("a").unwrap().read::<f64>().unwrap(), 0.5);
        assert!(tables.get("a").unwrap().read::<bool>().is_err());
    }
}
