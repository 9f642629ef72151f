//! Writes of items from Rust, by the same steps as those of clients.

use std::fmt;
use std::marker::PhantomData;

use resource_model::error::Error;
use resource_model::query::Expected;
use resource_model::schema::ResourceDefinition;
use resource_model::value::{Key, Record, RecordError, Values};

use super::source::{ItemChange, ItemWrite, Privileged, ResourceType, Sink, WithoutHooks, Written};
use super::{Items, TypedFuture, unreadable};
use crate::authorization::Caller;
use crate::{ApiResource, Column, Draft, KeyOperand, Operand};

impl<R: ApiResource, S: Sink> Items<R, S> {
    /// Stores a new item, a struct or a draft of [`new!`](crate::new), and returns it as it was written, after its hooks
    /// and with its key. The values of a struct stand as they are, but for a key that the database assigns; changes by a
    /// trigger are not read back.
    ///
    /// The model is checked, and the validator and the hooks of the resource run as for a client's request.
    ///
    /// # Errors
    ///
    /// [`Refused`](crate::ErrorKind::Refused) by the model, the validator, a hook or the table;
    /// [`NotUnique`](crate::ErrorKind::NotUnique), [`MissingReference`](crate::ErrorKind::MissingReference),
    /// [`Conflict`](crate::ErrorKind::Conflict) and [`Unavailable`](crate::ErrorKind::Unavailable), after all of which
    /// nothing was done; [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) and
    /// [`Internal`](crate::ErrorKind::Internal). [`Configuration`](crate::ErrorKind::Configuration) where `R` is no
    /// resource of the API.
    pub fn insert(self, item: impl Into<Draft<R>>) -> WriteFuture<S::Writing, S::Item<R>> {
        let change = ItemChange::Create(item.into().into_record());
        write::<R, S, _>(self.source, change, |written| {
            made(R::DEFINITION, S::make::<R>, written)
        })
    }

    /// Changes the item whose primary key is `key`, once the [`Update`] is awaited.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, name: String, seconds: Option<i64> }
    /// async fn rename(api: &Api) -> Result<(), Error> {
    ///     let tracks = api.items::<Track>();
    ///     tracks.update(7).set(Track::NAME, "Aja").set(Track::SECONDS, None).await
    /// }
    /// ```
    ///
    /// Its errors are those of [`insert`](Self::insert), and [`NotFound`](crate::ErrorKind::NotFound).
    pub fn update(self, key: impl KeyOperand<R::Key>) -> Update<R, S> {
        Update::new(self.source, key.into_key())
    }

    /// Deletes the item whose primary key is `key`, once the [`Deletion`] is awaited.
    ///
    /// Its errors are those of [`update`](Self::update), and [`StillInUse`](crate::ErrorKind::StillInUse) where other items refer to
    /// it.
    pub fn delete(self, key: impl KeyOperand<R::Key>) -> Deletion<R, S> {
        Deletion(self.update(key))
    }

    /// The same items, written without the validator and the hooks of the resource: for imports and repairs. The
    /// model is checked all the same.
    pub fn without_hooks(self) -> Items<R, WithoutHooks<S>>
    where
        S: Privileged,
    {
        Items::new(WithoutHooks(self.source))
    }
}

/// A change of one item, or of the items of a query, which awaiting it makes.
#[must_use = "an update changes nothing until it is awaited"]
pub struct Update<R, S, W = Key> {
    pub(super) sink: S,
    /// The key of the item, or the items that the change is about.
    pub(super) of: W,
    pub(super) record: Record,
    expected: Expected,
    resource: PhantomData<fn() -> R>,
}

impl<R: ApiResource, S, W> Update<R, S, W> {
    pub(super) fn new(sink: S, of: W) -> Self {
        Self {
            sink,
            of,
            record: Record::absent(R::ATTRIBUTES.len()),
            expected: Expected::new(),
            resource: PhantomData,
        }
    }

    /// Sets an attribute. All others keep their values, but for those with a default on update.
    pub fn set<T>(mut self, column: Column<R, T>, value: impl Operand<T>) -> Self {
        self.record.set(column.index(), value.into_value());
        self
    }
}

impl<R: ApiResource, S> Update<R, S> {
    /// Changes the item only if it still has this value, as it was read: that of its revision, or of any attribute. Several
    /// are compared together.
    ///
    /// ```
    /// # use resource_runtime::{Api, ApiResource, Error};
    /// # #[derive(ApiResource)]
    /// # #[resource(name = "Track", url = "/tracks", version = "1.0")]
    /// # struct Track { id: i64, plays: i64, #[resource(revision)] revision: i64 }
    /// async fn count(api: &Api, track: &Track) -> Result<(), Error> {
    ///     let update = api.items::<Track>().update(track.id);
    ///     let unchanged = update.if_match(Track::REVISION, track.revision);
    ///     unchanged.set(Track::PLAYS, track.plays + 1).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Changed`](crate::ErrorKind::Changed) where the item has another value, beside those of the update.
    pub fn if_match<T>(mut self, column: Column<R, T>, value: impl Operand<T>) -> Self {
        let attribute = R::ATTRIBUTES.get(column.index());
        self.expected
            .extend(attribute.map(|it| (it, it.adjusted(value.into_value()))));
        self
    }
}

/// A deletion of one item, which awaiting it makes.
#[derive(Debug)]
#[must_use = "a deletion deletes nothing until it is awaited"]
pub struct Deletion<R: ApiResource, S>(Update<R, S>);

impl<R: ApiResource, S> Deletion<R, S> {
    /// Deletes the item only if it still has this value, as [`Update::if_match`] changes it.
    pub fn if_match<T>(self, column: Column<R, T>, value: impl Operand<T>) -> Self {
        Self(self.0.if_match(column, value))
    }
}

impl<R: ApiResource, S: Sink> IntoFuture for Deletion<R, S> {
    type Output = Result<(), Error>;
    type IntoFuture = WriteFuture<S::Writing>;

    fn into_future(self) -> Self::IntoFuture {
        let change = ItemChange::Delete(self.0.of, self.0.expected);
        write::<R, S, _>(self.0.sink, change, |_| Ok(()))
    }
}

impl<R: ApiResource, S: Sink> IntoFuture for Update<R, S> {
    type Output = Result<(), Error>;
    type IntoFuture = WriteFuture<S::Writing>;

    fn into_future(self) -> Self::IntoFuture {
        let change = ItemChange::Update(self.of, self.record, self.expected);
        write::<R, S, _>(self.sink, change, |_| Ok(()))
    }
}

/// The future of a write, whose result is a `T`.
pub type WriteFuture<W, T = ()> = TypedFuture<W, Written, T>;

/// Makes a change of `R`, and takes of its result what the caller gets.
pub(super) fn write<R: ApiResource, S: Sink, T>(
    sink: S,
    change: ItemChange,
    take: fn(Written) -> Result<T, Error>,
) -> WriteFuture<S::Writing, T> {
    let write = ItemWrite {
        resource: ResourceType::of::<R>(),
        change,
        with_hooks: true,
        caller: Caller::System,
    };
    TypedFuture(sink.write(write), take)
}

/// The item that a write returns.
pub(super) fn made<I>(
    resource: &ResourceDefinition,
    make: fn(&mut Values<'_>) -> Result<I, RecordError>,
    written: Written,
) -> Result<I, Error> {
    let mut values = written.into_item()?.into_values();
    make(&mut values).map_err(|error| unreadable(resource, values.last(), None, &error).into())
}

/// Leaves the values out, which may be secret.
impl<R: ApiResource, S, W> fmt::Debug for Update<R, S, W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = R::DEFINITION.name();
        formatter.debug_tuple("Update").field(&resource).finish()
    }
}
