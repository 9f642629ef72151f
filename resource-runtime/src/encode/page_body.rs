use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use hyper::body::{Body, Frame};
use tokio::task::JoinHandle;

use super::hand_over::{Piece, Pieces};

/// The body of a page that may still be read while it is sent. Let go before its end, it has the
/// reading end, too.
#[derive(Debug)]
pub(super) struct PageBody {
    /// None once it is at its end.
    coming: Option<Coming>,
}

#[derive(Debug)]
struct Coming {
    pieces: Pieces,
    /// None where all is read.
    reading: Option<JoinHandle<()>>,
}

/// The page could not be read to its end, and a part of it is sent: why stands in the log.
#[derive(Debug)]
pub(super) struct CutOff;

impl PageBody {
    pub(super) const fn new(pieces: Pieces, reading: Option<JoinHandle<()>>) -> Self {
        let coming = Some(Coming { pieces, reading });
        Self { coming }
    }
}

impl Body for PageBody {
    type Data = Bytes;
    type Error = CutOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CutOff>>> {
        let Some(coming) = &mut self.coming else {
            return Poll::Ready(None);
        };
        let piece = ready!(coming.pieces.poll(context));
        if !matches!(piece, Some(Piece::Items(_))) {
            // The reading ends by itself, after it has told the log how.
            self.coming = None;
        }
        Poll::Ready(Some(match piece {
            Some(Piece::Items(bytes) | Piece::End(bytes)) => Ok(Frame::data(bytes)),
            None => Err(CutOff),
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.coming.is_none()
    }
}

impl Drop for PageBody {
    fn drop(&mut self) {
        // Before the pieces are let go, so that whoever cannot give any has been told to end.
        let coming = self.coming.as_ref();
        if let Some(reading) = coming.and_then(|it| it.reading.as_ref()) {
            reading.abort();
        }
    }
}

impl Display for CutOff {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("the page could not be read to its end")
    }
}

impl Error for CutOff {}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use axum::body::Bytes;
    use http_body_util::BodyExt as _;
    use hyper::body::Body as _;

    use super::PageBody;
    use crate::encode::hand_over::{HandOver, Piece};

    const PIECE: Bytes = Bytes::from_static(b"piece");

    #[tokio::test]
    async fn the_last_piece_ends_the_body() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(PIECE).unwrap();
        giving.give(Piece::Items(PIECE)).unwrap();
        giving.give(Piece::End(PIECE)).unwrap();
        let mut body = PageBody::new(hand_over.take().unwrap(), None);
        drop(giving);
        for pieces_left in (0..3).rev() {
            assert_eq!(body.size_hint().exact(), None);
            let frame = body.frame().await.unwrap().unwrap();
            assert_eq!(frame.into_data().unwrap(), PIECE);
            assert_eq!(body.is_end_stream(), pieces_left == 0);
        }
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn what_is_not_read_to_its_end_is_cut_off() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(PIECE).unwrap();
        let mut body = PageBody::new(hand_over.take().unwrap(), None);
        drop(giving);
        assert!(body.frame().await.unwrap().is_ok());
        assert!(body.frame().await.unwrap().is_err());
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_body_that_is_let_go_ends_the_reading() {
        let hand_over = HandOver::default();
        let giving = hand_over.offer(PIECE).unwrap();
        let (ended, end) = tokio::sync::oneshot::channel::<()>();
        let reading = tokio::spawn(async move {
            let _held = (giving, ended);
            pending::<()>().await;
        });
        drop(PageBody::new(hand_over.take().unwrap(), Some(reading)));
        assert!(end.await.is_err());
    }
}
