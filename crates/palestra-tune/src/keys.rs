//! Structs of settings: every key with its description, type, default and bounds in one place.

/// Defines a struct that is read from a section of a plan, and the list of its keys for `palestra methods`.
///
/// The comment of a key is its description, and its name that of the field or the text after `as`. A default is shown
/// as it is written, or as the text after `=>`.
macro_rules! keys {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $struct:ident {
            $(
                $(#[doc = $about:literal])+
                $key:ident $(as $name:literal)?: $type:ty = $default:expr $(=> $shown:literal)? $(, in $bounds:expr)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        $visibility struct $struct {
            $($(#[doc = $about])+ $visibility $key: $type,)*
        }

        impl $struct {
            /// Key, description and default of each setting.
            #[allow(dead_code, reason = "only the settings of methods are listed")]
            $visibility const LIST: &'static [(&'static str, &'static str, &'static str)] = &[
                $((
                    $crate::keys::name!($key $(as $name)?),
                    concat!($($about),+).trim_ascii(),
                    $crate::keys::shown!($default $(=> $shown)?),
                ),)*
            ];
        }

        impl Default for $struct {
            fn default() -> $struct {
                $struct { $($key: $default,)* }
            }
        }

        impl<'de> serde::Deserialize<'de> for $struct {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$struct, D::Error> {
                struct KeyVisitor;

                impl<'de> serde::de::Visitor<'de> for KeyVisitor {
                    type Value = $struct;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a section")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut section: A) -> Result<$struct, A::Error> {
                        let mut values = $struct::default();
                        while let Some(key) = section.next_key::<String>()? {
                            match key.as_str() {
                                $($crate::keys::name!($key $(as $name)?) => {
                                    values.$key = section.next_value_seed($crate::keys::seed!($($bounds)?))?;
                                })*
                                unknown => {
                                    let known = &[$($crate::keys::name!($key $(as $name)?)),*];
                                    return Err(serde::de::Error::unknown_field(unknown, known));
                                }
                            }
                        }
                        Ok(values)
                    }
                }

                deserializer.deserialize_map(KeyVisitor)
            }
        }
    };
}

macro_rules! name {
    ($key:ident as $name:literal) => {
        $name
    };
    ($key:ident) => {
        stringify!($key)
    };
}

macro_rules! shown {
    ($default:expr => $shown:literal) => {
        $shown
    };
    ($default:expr) => {
        stringify!($default)
    };
}

macro_rules! seed {
    () => {
        std::marker::PhantomData
    };
    ($bounds:expr) => {
        palestra_settings::within($bounds)
    };
}

pub(crate) use {keys, name, seed, shown};

#[cfg(test)]
pub(crate) mod tests {
    use palestra_settings::Document;
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    /// Checks that the defaults that are shown are those that are used, where they can be read.
    pub(crate) fn check_shown<T: Default + DeserializeOwned + PartialEq + Debug>(
        list: &[(&str, &str, &str)],
    ) {
        for (key, about, default) in list {
            assert!(!about.is_empty() && !default.is_empty(), "{key}");
            let mut document = Document::default();
            document.set(key, default).unwrap();
            let read = document.read::<T>();
            // A default that depends on other things is shown in words.
            if let Ok(read) = read {
                assert_eq!(read, T::default(), "{key}");
            } else {
                assert!(default.contains(' ') || *default == "none", "{key}: {default}");
            }
        }
    }
}
