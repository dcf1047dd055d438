//! The serde deserializer over the values of a [`Document`](crate::Document).

use crate::document::{Entry, Value};
use crate::error::ReadError;
use crate::place::{PLACED, Place, SourceLocation};
use palestra_core::InputError;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// The newtype whose value may be a list or a single item.
pub(crate) const ONE_OR_MANY: &str = "$palestra::OneOrMany";

/// The key that names the variant of an enum in a section.
const NAME: &str = "name";

/// A value with its place.
#[derive(Clone)]
pub(crate) struct ValueReader<'de> {
    content: Content<'de>,
    place: Place,
    /// For a section, keys that were read before: known, and to be left out.
    taken: &'de [String],
}

#[derive(Clone, Copy)]
enum Content<'de> {
    Value(&'de Value),
    Section(&'de [Entry]),
}

impl<'de> ValueReader<'de> {
    pub(crate) fn new(value: &'de Value, place: Place) -> ValueReader<'de> {
        let content = match value {
            Value::Table(entries) => Content::Section(entries),
            value => Content::Value(value),
        };
        ValueReader { content, place, taken: &[] }
    }

    pub(crate) fn of_section(entries: &'de [Entry], place: Place, taken: &'de [String]) -> ValueReader<'de> {
        ValueReader { content: Content::Section(entries), place, taken }
    }

    /// The value as in a message.
    fn found(&self) -> String {
        match self.content {
            Content::Value(value) => value.to_string(),
            Content::Section(entries) => Value::Table(entries.to_vec()).to_string(),
        }
    }

    fn refused(&self, expected: impl Into<String>) -> ReadError {
        ReadError::placed(self.place.invalid_value(&self.found(), expected))
    }

    fn section<V: Visitor<'de>>(&self, entries: &'de [Entry], visitor: V) -> Result<V::Value, ReadError> {
        let reader = SectionReader { entries: entries.iter(), value: None, section: self };
        visitor.visit_map(reader).map_err(|error| error.in_section(&self.place, entries, self.taken))
    }
}

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let value = match self.content {
            Content::Section(entries) => self.section(entries, visitor),
            Content::Value(value) => match value {
                Value::Text(text) => visitor.visit_borrowed_str(text),
                Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e18 => {
                    if *number < 0.0 {
                        visitor.visit_i64(*number as i64)
                    } else {
                        visitor.visit_u64(*number as u64)
                    }
                }
                Value::Number(number) => visitor.visit_f64(*number),
                Value::Flag(flag) => visitor.visit_bool(*flag),
                Value::List(items) => {
                    visitor.visit_seq(ListReader { items: items.iter(), place: &self.place })
                }
                Value::Date(_) => Err(ReadError::invalid_type(Unexpected::Other("a date"), &visitor)),
                Value::Table(entries) => self.section(entries, visitor),
            },
        };
        value.map_err(|error| error.at_value(&self.place, &self.found()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.content {
            Content::Value(Value::List(_)) if name == ONE_OR_MANY => self.deserialize_any(visitor),
            _ if name == ONE_OR_MANY => visitor.visit_seq(SingleReader(Some(self))),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match name {
            PLACED => visitor.visit_seq(PlacedReader { n_read: 0, value: self }),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.content {
            Content::Section(_) => Err(self.refused(format!("one or more sections [[{}]]", self.place.key))),
            Content::Value(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.content {
            Content::Section(_) => self.deserialize_any(visitor),
            Content::Value(_) => Err(self.refused(format!("a section [{}]", self.place.key))),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        kind: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let (name, location) = match self.content {
            Content::Value(Value::Text(name)) => (name, self.place.location),
            Content::Section(entries) => match entries.iter().find(|entry| entry.key == NAME) {
                Some(Entry { value: Value::Text(name), location, .. }) => (name, Some(*location)),
                Some(entry) => {
                    let place = self.place.of_key(NAME, entry.location);
                    let found = entry.value.to_string();
                    return Err(ReadError::placed(
                        place.invalid_value(&found, "a string in quotation marks"),
                    ));
                }
                None => {
                    let expected = format!("one of {}", variants.join(", "));
                    return Err(ReadError::placed(self.place.missing(NAME, expected)));
                }
            },
            Content::Value(_) => {
                let key = &self.place.key;
                return Err(match kind.contains(' ') {
                    true => self.refused(format!("a name or a section [{key}]")),
                    false => self.refused("a string in quotation marks"),
                });
            }
        };
        let place = Place { location, ..self.place.clone() };
        let read = visitor.visit_enum(VariantReader { name, value: self });
        read.map_err(|error| error.at_variant(&place, kind).at_value(&place, name))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        identifier ignored_any
    }
}

/// The keys of a section, in the order of the file.
struct SectionReader<'a, 'de> {
    entries: std::slice::Iter<'de, Entry>,
    value: Option<&'de Entry>,
    section: &'a ValueReader<'de>,
}

impl<'de> MapAccess<'de> for SectionReader<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        self.value = self.entries.find(|entry| !self.section.taken.contains(&entry.key));
        let Some(entry) = self.value else { return Ok(None) };
        seed.deserialize(entry.key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let entry = self.value.take().ok_or_else(|| ReadError::custom("a key before its value"))?;
        let place = self.section.place.of_key(&entry.key, entry.location);
        let found = || entry.value.to_string();
        let value = seed.deserialize(ValueReader::new(&entry.value, place.clone()));
        // The error of a `deserialize_with` function, which sees the value and not the reader.
        value.map_err(|error| error.at_value(&place, &found()))
    }
}

/// The items of a list. They have its key.
struct ListReader<'a, 'de> {
    items: std::slice::Iter<'de, (Value, SourceLocation)>,
    place: &'a Place,
}

impl<'de> SeqAccess<'de> for ListReader<'_, 'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some((item, location)) = self.items.next() else { return Ok(None) };
        let place = Place { location: Some(*location), ..self.place.clone() };
        let value = seed.deserialize(ValueReader::new(item, place.clone()));
        value.map(Some).map_err(|error| error.at_value(&place, &item.to_string()))
    }
}

/// A single item that stands for a list.
struct SingleReader<'de>(Option<ValueReader<'de>>);

impl<'de> SeqAccess<'de> for SingleReader<'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        self.0.take().map(|value| seed.deserialize(value)).transpose()
    }
}

/// Key, container, line and column of a value, then the value.
struct PlacedReader<'de> {
    n_read: usize,
    value: ValueReader<'de>,
}

impl<'de> SeqAccess<'de> for PlacedReader<'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Place { key, container, location } = &self.value.place;
        let SourceLocation { line, column } = location.unwrap_or_default();
        self.n_read += 1;
        match self.n_read {
            1 => seed.deserialize(key.as_str().into_deserializer()),
            2 => seed.deserialize(container.as_str().into_deserializer()),
            3 => seed.deserialize(line.into_deserializer()),
            4 => seed.deserialize(column.into_deserializer()),
            _ => seed.deserialize(self.value.clone()),
        }
        .map(Some)
    }
}

/// A variant: its name, and the other keys of the section for its fields.
struct VariantReader<'de> {
    name: &'de str,
    value: ValueReader<'de>,
}

impl<'de> EnumAccess<'de> for VariantReader<'de> {
    type Error = ReadError;
    type Variant = ValueReader<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, ValueReader<'de>), ReadError> {
        /// The key that is read already.
        static TAKEN: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| vec![NAME.to_owned()]);
        let name = seed.deserialize(self.name.into_deserializer())?;
        let rest = match self.value.content {
            Content::Section(entries) => ValueReader::of_section(entries, self.value.place, &TAKEN),
            // The name alone: all fields have their defaults.
            Content::Value(_) => ValueReader::of_section(&[], self.value.place, &TAKEN),
        };
        Ok((name, rest))
    }
}

impl<'de> VariantAccess<'de> for ValueReader<'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        let Content::Section(entries) = self.content else { return Ok(()) };
        let Some(entry) = entries.iter().find(|entry| entry.key != NAME) else { return Ok(()) };
        let unknown = InputError::unknown_key(self.place.section_name(), &entry.key, [NAME]);
        Err(ReadError::placed(unknown.at(entry.key_location)))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }
}
