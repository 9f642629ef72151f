//! The extractors of a body and of path parameters.

use std::fmt;

use axum::extract::path::ErrorKind as Kind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRef, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use resource_model::error::{
    ApiError, Error, ErrorCode, FieldError, did_you_mean, truncate_for_display,
};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, IntoDeserializer as _, MapAccess, Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};

use crate::Api;
use crate::http::extract::{self, Member, without_position};

/// The body of a request, one JSON object, as a `T`.
///
/// The request is refused as that of a resource is: a `Content-Type` other than JSON, a body of more than
/// [`body_limit`](crate::ApiBuilder::body_limit) bytes, a mistake in its JSON with its line and column, a name that
/// stands twice, one that the struct does not have, a missing one, and a value that does not fit.
///
/// ```
/// use resource_runtime::handlers::{Body, Reply};
///
/// #[derive(serde::Deserialize)]
/// struct Play { seconds: u32 }
///
/// async fn play(Body(play): Body<Play>) -> Reply<u32> {
///     Reply::ok(play.seconds)
/// }
/// # let routes = axum::Router::new().route("/plays", axum::routing::post(play));
/// # drop(resource_runtime::Api::builder().routes(routes));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T>
where
    Api: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let limit = Api::from_ref(state).body_limit();
        let (request, body) = request.into_parts();
        let bytes = extract::body(&request.method, &request.headers, body, limit).await?;
        let members = extract::object(&bytes).map_err(Error::of_refusal)?;
        let typed = T::deserialize(Members {
            members: members.into_iter(),
            current: None,
        });
        typed.map(Self).map_err(|Violations(problems)| {
            Error::of_refusal(ApiError::of_problems(ErrorCode::InvalidItem, problems))
        })
    }
}

/// The parameters of a path: a value, a tuple of values in their order, or a struct with their names. A segment that
/// does not fit its type is the address of nothing: 404 with the code 10001.
///
/// ```
/// use resource_runtime::handlers::{Path, Reply};
///
/// async fn play(Path((album, track)): Path<(i64, i16)>) -> Reply<String> {
///     Reply::ok(format!("{album}/{track}"))
/// }
/// # let routes = axum::Router::new().route("/plays/{album}/{track}", axum::routing::post(play));
/// # drop(resource_runtime::Api::builder().routes(routes));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(request: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = axum::extract::Path::from_request_parts(request, state).await;
        path.map(|axum::extract::Path(values)| Self(values))
            .map_err(|rejection| {
                // A handler with other parameters than its path is a defect.
                if rejection.status().is_server_error() {
                    return Error::internal(rejection.body_text());
                }
                let description = format!("nothing is at this path{}", reason(rejection));
                Error::of_refusal(ApiError::new(ErrorCode::NoSuchItem, description))
            })
    }
}

/// The reason why a segment of a path does not fit its type, in words of the client: the text of axum names Rust types.
fn reason(rejection: PathRejection) -> String {
    let PathRejection::FailedToDeserializePathParams(failure) = rejection else {
        return String::new();
    };
    let (value, expected) = match failure.into_kind() {
        Kind::ParseErrorAtKey {
            value,
            expected_type,
            ..
        }
        | Kind::ParseErrorAtIndex {
            value,
            expected_type,
            ..
        }
        | Kind::ParseError {
            value,
            expected_type,
        } => (value, expected_type),
        // The type is one of the user's own.
        Kind::DeserializeError { value, .. } => (value, ""),
        _ => return String::new(),
    };
    let problem = match expected {
        "bool" => "is neither `true` nor `false`",
        "char" => "is not one character",
        "f32" | "f64" => "is not a number",
        "" => "does not fit",
        _ if value.parse::<i128>().is_ok() => "is out of range",
        _ => "is not an integer",
    };
    format!(": `{}` {problem}", truncate_for_display(&value))
}

/// The members of a body, of which serde makes a value.
struct Members<'body> {
    members: std::vec::IntoIter<Member<'body>>,
    /// The member whose name was read last.
    current: Option<Member<'body>>,
}

/// The problems of a body that does not fit its type.
#[derive(Debug)]
struct Violations(Vec<FieldError>);

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Violations;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Violations> {
        self.current = self.members.next();
        let name = self.current.as_ref().map(|member| member.name.clone());
        name.map(|name| seed.deserialize(name.into_deserializer()))
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Violations> {
        let Some(Member { name, value }) = self.current.take() else {
            return Err(de::Error::custom("a value was read before its name"));
        };
        let typed = seed.deserialize(&mut serde_json::Deserializer::from_str(value));
        typed.map_err(|error| {
            let message = in_words(&without_position(&error));
            Violations::of(&name, &format!("does not fit: {message}"))
        })
    }
}

/// The message of serde about a value, without the names of Rust types.
fn in_words(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return truncate_for_display(message);
    };
    let integer = |least: i128, greatest: i128| format!("an integer from {least} to {greatest}");
    let expected = match expected {
        "i8" => integer(i8::MIN.into(), i8::MAX.into()),
        "i16" => integer(i16::MIN.into(), i16::MAX.into()),
        "i32" => integer(i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => integer(i64::MIN.into(), i64::MAX.into()),
        "u8" => integer(0, u8::MAX.into()),
        "u16" => integer(0, u16::MAX.into()),
        "u32" => integer(0, u32::MAX.into()),
        "u64" | "usize" => integer(0, u64::MAX.into()),
        "f32" | "f64" => String::from("a number"),
        other => truncate_for_display(other),
    };
    format!("{}, expected {expected}", truncate_for_display(found))
}

impl<'de> Deserializer<'de> for Members<'de> {
    type Error = Violations;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violations> {
        visitor.visit_map(self)
    }

    /// Refuses names that the struct does not have, all at once: a misspelt one would otherwise be ignored.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Violations> {
        let names = self.members.as_slice().iter().map(|member| &*member.name);
        let unknown = names.filter(|name| !fields.contains(name)).map(|name| {
            let shown = truncate_for_display(name);
            let suggestion = did_you_mean(name, fields.iter().copied());
            FieldError::new(
                &*shown,
                format!("`{shown}` is not expected here{suggestion}"),
            )
        });
        // As many as a response of a resource names, which should not outgrow its request.
        let unknown: Vec<_> = unknown.take(MAX_UNKNOWN).collect();
        if unknown.is_empty() {
            visitor.visit_map(self)
        } else {
            Err(Violations(unknown))
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Violations> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Violations> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Violations> {
        visitor.visit_enum(MapAccessDeserializer::new(self))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// The number of unknown names that a response tells.
const MAX_UNKNOWN: usize = 20;

impl Violations {
    fn of(name: &str, message: &str) -> Self {
        Self(vec![FieldError::new(name, format!("`{name}` {message}"))])
    }
}

impl de::Error for Violations {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = truncate_for_display(&message.to_string());
        Self(vec![FieldError::new("", message)])
    }

    fn missing_field(field: &'static str) -> Self {
        Self::of(field, "is required")
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the body does not fit")
    }
}

impl std::error::Error for Violations {}
