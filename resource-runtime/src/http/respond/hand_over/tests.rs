//! Pieces that are given and taken, in memory and in the file.

use std::future::poll_fn;
use std::sync::Arc;

use resource_model::error::DatabaseFailure;

use super::{HandOver, Pieces};
use crate::http::respond::Unsent;
use crate::http::respond::unsent::Waiting;

const MIB: usize = 1024 * 1024;

fn hand_over() -> HandOver {
    HandOver::new(Arc::new(Unsent::new(MIB, 1024 * 1024)), true)
}

fn old() -> Vec<u8> {
    b"old".to_vec()
}

fn new() -> Vec<u8> {
    b"new".to_vec()
}

async fn next(pieces: &mut Pieces) -> Option<Vec<u8>> {
    let piece = poll_fn(|context| pieces.poll(context)).await?;
    match piece.waiting {
        Waiting::InMemory(bytes) => Some(bytes.to_vec()),
        Waiting::InFile(mut part) => {
            let mut bytes = Vec::new();
            while part.left() > 0 {
                bytes.extend_from_slice(&pieces.read(&mut part).unwrap());
            }
            Some(bytes)
        }
    }
}

#[tokio::test]
async fn nobody_is_waited_for() {
    let hand_over = hand_over();
    let giving = hand_over.offer(old()).unwrap();
    for _ in 0..1000 {
        giving.give(new(), false).unwrap();
    }
    giving.give(old(), true).unwrap();
    let mut pieces = hand_over.pieces().await;
    drop(giving);
    let mut received = Vec::new();
    while let Some(bytes) = next(&mut pieces).await {
        received.push(bytes);
    }
    assert_eq!(received.len(), 1002);
    assert_eq!((&received[0], &received[1001]), (&old(), &old()));
}

#[tokio::test]
async fn what_memory_has_no_room_for_comes_from_the_file() {
    let unsent = Arc::new(Unsent::new(MIB, 1024 * 1024));
    let piece = |index: u8| vec![index; 100_000];
    let hand_over = HandOver::new(Arc::clone(&unsent), true);
    let giving = hand_over.offer(piece(0)).unwrap();
    for index in 1..8 {
        giving.give(piece(index), index == 7).unwrap();
    }
    assert_eq!(unsent.used(), (200_000, 6 * 7 * 16 * 1024));
    let mut pieces = hand_over.pieces().await;
    drop(giving);
    for index in 0..8 {
        assert_eq!(next(&mut pieces).await, Some(piece(index)));
    }
    assert_eq!(next(&mut pieces).await, None);
    assert_eq!(unsent.used(), (0, 0));
}

#[test]
fn new_pages_are_refused_before_those_that_have_begun() {
    let unsent = Arc::new(Unsent::new(MIB, 1024 * 1024));
    let hand_over = || HandOver::new(Arc::clone(&unsent), true);
    let page = hand_over();
    let piece = || vec![0; MIB / 4];
    // The first piece lies in memory, the others in the file.
    let giving = page.offer(piece()).unwrap();
    for _ in 0..3 {
        giving.give(piece(), false).unwrap();
    }
    let refused = hand_over().offer(old());
    assert!(matches!(refused, Err(DatabaseFailure::Overloaded(_))));
    giving.give(piece(), false).unwrap();
    let refused = giving.give(piece(), false);
    assert!(matches!(refused, Err(DatabaseFailure::Overloaded(_))));
    drop((giving, page));
    assert_eq!(unsent.used(), (0, 0));
    hand_over().offer(old()).unwrap();
}

#[tokio::test]
async fn what_was_not_taken_makes_room_for_the_next_attempt() {
    let hand_over = hand_over();
    drop(hand_over.offer(old()).unwrap());
    assert!(hand_over.take().is_none());
    let earlier = hand_over.offer(old()).unwrap();
    let _giving = hand_over.offer(new()).unwrap();
    assert!(earlier.give(old(), false).is_err());
    assert_eq!(next(&mut hand_over.pieces().await).await, Some(new()));
}

#[tokio::test]
async fn what_was_taken_leaves_no_room_for_another_attempt() {
    let hand_over = hand_over();
    let giving = hand_over.offer(old()).unwrap();
    assert!(!hand_over.is_taken());
    let mut pieces = hand_over.pieces().await;
    drop(giving);
    assert!(hand_over.is_taken());
    assert!(hand_over.offer(new()).is_err());
    assert!(hand_over.take().is_none());
    assert_eq!(next(&mut pieces).await, Some(old()));
    assert_eq!(next(&mut pieces).await, None);
}

#[tokio::test]
async fn nothing_is_read_for_who_has_gone() {
    let hand_over = hand_over();
    let giving = hand_over.offer(old()).unwrap();
    drop(hand_over.pieces().await);
    assert!(giving.give(new(), false).is_err());
}
