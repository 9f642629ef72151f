//! The database of a hook: the transaction of the write itself.

use resource_runtime::{
    Api, ApiResource, HookError, HookResult, Messages, Validator, WriteContext, sqlx,
};
use resource_tests::{
    Service, TestDatabase, apply, assert_error, assert_no_content, every_database,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Room", url = "/rooms", version = "1.0")]
struct Room {
    id: i64,
    #[resource(unique)]
    name: String,
    seats: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Booking", url = "/bookings", version = "1.0")]
#[resource(validator = Seats)]
struct Booking {
    id: i64,
    #[resource(references = Room)]
    room_id: i64,
    guests: i64,
    note: Option<String>,
}

#[derive(Debug, Default)]
struct Seats;

impl Validator<Booking> for Seats {
    async fn validate(
        &self,
        booking: &Booking,
        context: &mut WriteContext<'_, Booking>,
        messages: &mut Messages<Booking>,
    ) -> HookResult {
        let database = context.database().await?;
        let Some(room) = database
            .items::<Room>()
            .get_for_update(booking.room_id)
            .await?
        else {
            return Ok(());
        };
        let bookings: Vec<Booking> = database
            .items()
            .filter(Booking::ROOM_ID.eq(booking.room_id))
            .limit(99)
            .all()
            .await?;
        let others = bookings.iter().filter(|other| other.id != booking.id);
        let taken: i64 = others.map(|other| other.guests).sum();
        if taken + booking.guests > room.seats {
            let left = room.seats - taken;
            messages.about(
                Booking::GUESTS,
                format!("are too many: {left} seats are left"),
            );
        }
        Ok(())
    }

    async fn before_create(
        &self,
        booking: &mut Booking,
        context: &mut WriteContext<'_, Booking>,
    ) -> HookResult {
        let database = context.database().await?;
        if let Some(connection) = database.sqlite() {
            let starred = sqlx::query("UPDATE rooms SET name = name || '*' WHERE id = ?");
            starred.bind(booking.room_id).execute(connection).await?;
        } else if let Some(connection) = database.postgres() {
            let starred = sqlx::query("UPDATE rooms SET name = name || '*' WHERE id = $1");
            starred.bind(booking.room_id).execute(connection).await?;
        }
        let room = database
            .items::<Room>()
            .get_for_update(booking.room_id)
            .await?;
        booking.note = room.map(|room| room.name);
        if booking.guests == 13 {
            return Err(HookError::refused("not thirteen"));
        }
        Ok(())
    }
}

#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
#[resource(validator = Clerk)]
struct Ticket {
    id: i64,
    title: String,
    note: Option<String>,
    #[resource(read_only, default = 0)]
    edits: i64,
}

/// Changes the item itself by SQL of its own.
#[derive(Debug, Default)]
struct Clerk;

impl Validator<Ticket> for Clerk {
    async fn before_update(
        &self,
        _: &mut Ticket,
        context: &mut WriteContext<'_, Ticket>,
    ) -> HookResult {
        let database = context.database().await?;
        let edit = "UPDATE tickets SET edits = edits + 1, title = 'of the hook'";
        if let Some(connection) = database.sqlite() {
            sqlx::query(edit).execute(connection).await?;
        } else if let Some(connection) = database.postgres() {
            sqlx::query(edit).execute(connection).await?;
        }
        Ok(())
    }
}

const BOOKINGS: &str = "/api/1.0/bookings";
const ROOMS: &str = "/api/1.0/rooms";

fn rooms(file: &TestDatabase) -> Service {
    let service = Service::start_on(file, |database| {
        Api::builder()
            .resource::<Room>()
            .resource::<Booking>()
            .build(database)
    });
    service.create(ROOMS, &json!({"name": "blue", "seats": 20}));
    service
}

#[apply(every_database)]
fn validator_may_query_the_database() {
    let service = rooms(&TestDatabase::default());
    let path = service.create(BOOKINGS, &json!({"room_id": 1, "guests": 15}));
    assert_error(
        &service.post(BOOKINGS, &json!({"room_id": 1, "guests": 6})),
        400,
        10010,
    )
    .naming(&["`guests` are too many: 5 seats are left"]);
    assert_no_content(&service.put(&path, &json!({"guests": 20})));
    assert_error(&service.put(&path, &json!({"guests": 21})), 400, 10010).naming(&["20 seats"]);
}

#[apply(every_database)]
fn hook_sees_rows_of_its_own_transaction() {
    let service = rooms(&TestDatabase::default());
    let path = service.create(BOOKINGS, &json!({"room_id": 1, "guests": 1}));
    assert_eq!(service.read(&path)["note"], "blue*");
    assert_eq!(service.read("/api/1.0/rooms/1")["name"], "blue*");
}

#[apply(every_database)]
fn rows_of_a_hook_are_rolled_back_with_the_write() {
    let service = rooms(&TestDatabase::default());
    let thirteen = json!({"room_id": 1, "guests": 13});
    assert_error(&service.post(BOOKINGS, &thirteen), 400, 10010).naming(&["not thirteen"]);
    let nowhere = json!({"room_id": 9, "guests": 1});
    assert_error(&service.post(BOOKINGS, &nowhere), 400, 10031).naming(&["`room_id`"]);
    assert_eq!(service.read("/api/1.0/rooms/1")["name"], "blue");
    assert_eq!(service.read(BOOKINGS)["totalItems"], 0);
}

/// The stored item differs from the one that the hook saw, as after a write of another client. Only in the exclusive
/// attempt no other client can have written it.
#[apply(every_database)]
fn hook_may_change_its_own_item_by_sql() {
    let service = Service::start(|database| Api::builder().resource::<Ticket>().build(database));
    let path = service.create("/api/1.0/tickets", &json!({"title": "first"}));
    assert_no_content(&service.put(&path, &json!({"note": "of the client"})));
    let ticket = |title: &str, edits: i64| json!({"id": 1, "title": title, "note": "of the client", "edits": edits});
    assert_eq!(service.read(&path), ticket("of the hook", 1));
    // The statement comes after the hook, so its value is the one that stays.
    assert_no_content(&service.put(&path, &json!({"title": "of the client"})));
    assert_eq!(service.read(&path), ticket("of the client", 2));
}

#[apply(every_database)]
fn uncommitted_rows_of_others_are_invisible() {
    let file = TestDatabase::default();
    let service = rooms(&file);
    let mut other = file.other_program();
    other.execute("BEGIN; UPDATE rooms SET seats = 1000 WHERE id = 1");
    let waiting = std::thread::scope(|scope| {
        let answer = scope.spawn(|| service.post(BOOKINGS, &json!({"room_id": 1, "guests": 21})));
        other.execute("ROLLBACK");
        answer.join().unwrap()
    });
    assert_error(&waiting, 400, 10010).naming(&["20 seats are left"]);
}

#[apply(every_database)]
fn concurrent_writes_with_hooks_are_serializable() {
    let service = rooms(&TestDatabase::default());
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let body = json!({"room_id": 1, "guests": 3});
        let book = |_| {
            let (service, body) = (&service, body.clone());
            scope.spawn(move || service.post(BOOKINGS, &body).status)
        };
        let threads: Vec<_> = (0..16).map(book).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let created = answers.iter().filter(|status| **status == 201).count();
    assert_eq!((created, answers.len()), (6, 16), "{answers:?}");
}
