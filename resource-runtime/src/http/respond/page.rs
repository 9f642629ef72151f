//! The encoder of a page: its items become JSON while rows are read, in pieces where the page is long.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use resource_model::error::DatabaseFailure;
use tokio::task::JoinHandle;

use super::Shape;
use super::answer::json;
use super::hand_over::{Giving, HandOver, Pieces};
use super::page_body::PageBody;
use crate::store::{Row, RowVisitor};

/// Length in bytes from which a page is sent in pieces of about this length, each of which ends with the
/// item that made it so long.
pub(super) const PIECE: usize = 64 * 1024;

/// Capacity of the buffer of a page at its beginning, which grows as it needs.
const SHORT: usize = 1024;

/// Capacity of the buffer of a further piece, which does not grow where items are of usual length.
const ROOM: usize = PIECE + PIECE / 8;

/// Encodes the items of a page while their rows are lent.
#[derive(Debug)]
pub(crate) struct PageEncoder {
    shape: Arc<Shape>,
    bytes: Vec<u8>,
    empty: bool,
    hand_over: Arc<HandOver>,
    /// None while the page is short.
    giving: Option<Giving>,
    /// The given pieces, where none may be sent before all are read.
    kept: Option<Pieces>,
    /// Number of bytes that were given.
    given: usize,
    should_yield: bool,
}

impl PageEncoder {
    pub(crate) fn new(shape: Arc<Shape>, hand_over: Arc<HandOver>) -> Self {
        let mut bytes = Vec::with_capacity(SHORT);
        bytes.extend_from_slice(b"{\"items\":[");
        Self {
            shape,
            bytes,
            empty: true,
            hand_over,
            giving: None,
            kept: None,
            given: 0,
            should_yield: false,
        }
    }

    /// The response with a whole page, of which nothing is being sent yet. The total stands last in it, as
    /// it is known last.
    pub(crate) fn answer(mut self, total: u64) -> Result<Response, DatabaseFailure> {
        if self.giving.is_none() {
            self.write_end(total);
            return Ok(json(self.bytes));
        }
        if let Some(pieces) = self.kept.take() {
            let length = self.end(total)?;
            return Ok(json(Body::new(PageBody::whole(pieces, length))));
        }
        // No length is told, though it is known: the page alone decides on that, never the speed of reading.
        let pieces = self.hand_over.take();
        let pieces = pieces.ok_or_else(|| DatabaseFailure::internal("others send the page"))?;
        self.end(total)?;
        Ok(json(Body::new(PageBody::new(pieces, None))))
    }

    /// Ends a page that is being sent, and returns its length.
    pub(crate) fn end(mut self, total: u64) -> Result<u64, DatabaseFailure> {
        self.write_end(total);
        let length = self.given + self.bytes.len();
        let giving = self.giving.ok_or_else(|| {
            DatabaseFailure::internal("what is sent was read by an earlier attempt")
        })?;
        giving.give(self.bytes, true)?;
        u64::try_from(length).map_err(DatabaseFailure::internal)
    }

    fn write_end(&mut self, total: u64) {
        let end = format!("],\"totalItems\":{total}}}");
        self.bytes.extend_from_slice(end.as_bytes());
    }

    fn hand_over(&mut self) -> Result<(), DatabaseFailure> {
        let mut piece = std::mem::replace(&mut self.bytes, Vec::with_capacity(ROOM));
        // A slow client should not hold the spare capacity of a buffer that has grown.
        if piece.capacity() > ROOM {
            piece.shrink_to_fit();
        }
        self.given += piece.len();
        self.should_yield = true;
        match &self.giving {
            Some(giving) => giving.give(piece, false)?,
            None if self.shape.is_plain() && self.hand_over.can_be_cut_off => {
                self.giving = Some(self.hand_over.offer(piece)?);
            }
            // A page that a hook formats is kept to its end, because a failing hook is a defect, which has an
            // answer of its own. So is a page whose client could not tell that it was cut off.
            None => {
                let (giving, pieces) = self.hand_over.begin(piece)?;
                (self.giving, self.kept) = (Some(giving), Some(pieces));
            }
        }
        Ok(())
    }
}

/// The response whose pieces come while `reading` goes on.
pub(crate) fn begun_page(pieces: Pieces, reading: JoinHandle<()>) -> Response {
    json(Body::new(PageBody::new(pieces, Some(reading))))
}

impl RowVisitor for PageEncoder {
    fn visit(&mut self, row: &dyn Row) -> Result<(), DatabaseFailure> {
        if !self.empty {
            self.bytes.push(b',');
        }
        self.empty = false;
        self.shape.write(row, &mut self.bytes)?;
        if self.bytes.len() >= PIECE {
            self.hand_over()?;
        }
        Ok(())
    }

    fn is_quick(&self) -> bool {
        self.shape.is_plain()
    }

    fn should_yield(&mut self) -> bool {
        std::mem::take(&mut self.should_yield)
    }

    fn may_begin(&self) -> bool {
        // Pieces that are being sent cannot be taken back for another attempt.
        !self.hand_over.is_taken()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hyper::body::Body as _;
    use resource_model::error::DatabaseFailure;
    use resource_model::query::Selection;
    use resource_model::schema::{Attribute, ResourceDefinition, Version};
    use resource_model::value::ValueRef;

    use super::{PIECE, PageEncoder};
    use crate::authorization::View;
    use crate::http::respond::{Formatters, HandOver, Shape, Unsent};
    use crate::store::{Row, RowVisitor as _};

    struct Text(String);

    impl Row for Text {
        fn value(&self, _: usize) -> Result<ValueRef<'_>, DatabaseFailure> {
            Ok(ValueRef::Text(&self.0))
        }
    }

    fn long() -> Text {
        Text("a".repeat(PIECE))
    }

    fn hand_over() -> Arc<HandOver> {
        Arc::new(HandOver::new(Arc::new(Unsent::new(10 * PIECE, 0)), true))
    }

    /// Makes an encoder for each attempt to read the same page.
    fn attempts(hand_over: &Arc<HandOver>) -> impl Fn() -> PageEncoder {
        const ATTRIBUTES: &[Attribute] = &[Attribute::of::<String>("text")];
        let definition =
            ResourceDefinition::new("Letter", "letters", Version::new(1, 0)).attributes(ATTRIBUTES);
        let selection = Selection::all(View::unrestricted(&definition));
        let shape = Arc::new(Shape::of(&definition, &selection, &Formatters::default()));
        let hand_over = Arc::clone(hand_over);
        move || PageEncoder::new(shape.clone(), hand_over.clone())
    }

    #[tokio::test]
    async fn an_attempt_of_which_nothing_was_taken_leaves_nothing() {
        let hand_over = hand_over();
        let attempt = attempts(&hand_over);
        let mut given_up = attempt();
        given_up.visit(&long()).unwrap();
        drop(given_up);
        let answer = attempt().answer(0).unwrap();
        let empty = br#"{"items":[],"totalItems":0}"#;
        let length = u64::try_from(empty.len()).unwrap();
        assert_eq!(answer.body().size_hint().exact(), Some(length));
    }

    #[tokio::test]
    async fn what_is_being_sent_is_not_ended_by_another_attempt() {
        let hand_over = hand_over();
        let attempt = attempts(&hand_over);
        let mut first = attempt();
        first.visit(&long()).unwrap();
        let _sent = hand_over.pieces().await;
        assert!(attempt().end(0).is_err());
        assert!(attempt().visit(&long()).is_err());
        first.visit(&long()).unwrap();
        first.end(2).unwrap();
    }

    #[tokio::test]
    async fn a_piece_is_due_at_64_kib() {
        let hand_over = hand_over();
        let mut page = attempts(&hand_over)();
        let around = r#"{"items":[{"text":""}"#.len();
        page.visit(&Text("a".repeat(PIECE - around - 1))).unwrap();
        assert!(hand_over.take().is_none());
        page.visit(&Text(String::new())).unwrap();
        assert!(hand_over.take().is_some());
    }
}
