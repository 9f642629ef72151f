//! One planner: a random filter made of columns, and the text that it prints, sent by a client, become equal statements.
#![allow(
    dead_code,
    reason = "the tests read the definitions; no item is ever built"
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "a random number is as random without its upper bits"
)]

use chrono::{DateTime, Days, NaiveDate, Utc};
use resource_model::query::{ListParameters, PageLimits, list};
use resource_model::samples::caller;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Query, Source};
use crate::authorization::{Caller, View};
use crate::items::Reader;
use crate::{
    ApiResource, Column, Dialect, FieldValue, Filter, Order, QueryLimits, RecordError, Text, Value,
    Values,
};

const QUERIES: u64 = 10_000;

#[derive(Debug, ApiResource)]
#[resource(name = "Shelf", url = "/shelves", version = "1.0")]
#[resource(scopes, owner(field = "keeper", bypass = "admin"))]
struct Shelf {
    id: i64,
    keeper: String,
    place: Option<i16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, FieldValue)]
enum Genre {
    Fiction,
    Travel,
}

/// A book with an attribute of each kind that is compared, and one that a caller needs a scope for.
#[derive(Debug, ApiResource)]
#[resource(name = "Book", url = "/books", version = "1.0")]
#[resource(scopes, owner(field = "reader", bypass = "admin"))]
#[resource(subresource(shelf = "shelf_id"))]
struct Book {
    id: i64,
    reader: String,
    title: Option<String>,
    genre: Genre,
    pages: i32,
    weight: Option<f64>,
    price: Decimal,
    is_lent: bool,
    isbn: Option<Uuid>,
    printed: NaiveDate,
    returned: Option<DateTime<Utc>>,
    cover: Option<Vec<u8>>,
    index: Option<serde_json::Value>,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(references = Shelf)]
    shelf_id: Option<i64>,
}

/// Numbers that look random and are the same in every run (xorshift).
struct Random {
    state: u64,
    /// The values that the filter compares with, apart from null.
    values: Vec<Value>,
}

impl Random {
    const fn number(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    const fn below(&mut self, end: u64) -> u64 {
        (self.number() >> 32) % end
    }

    /// An integer of any size: each number of bits is as likely as the others.
    const fn integer(&mut self) -> i64 {
        (self.number() >> self.below(64)).cast_signed()
    }

    fn text(&mut self) -> String {
        // Rarely a zero byte, which no database stores.
        let letters = [
            'a', 'B', '_', '%', '\\', '"', ',', ')', '\n', 'é', '𝄞', '[', '\'', ' ',
        ];
        let letter = |at: u64| letters.get(at as usize).copied().unwrap_or('z');
        let zero = self.below(500) == 0;
        let text = (0..self.below(6)).map(|_| letter(self.below(20)));
        text.chain(zero.then_some('\0')).collect()
    }

    /// Rarely none.
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(5) > 0).then(|| make(self))
    }

    fn filter(&mut self, depth: u64) -> Filter<Book> {
        match self.below(if depth == 0 { 1 } else { 6 }) {
            0..3 => self.test(),
            3 => !self.filter(depth - 1),
            joint => (0..self.below(3)).fold(self.filter(depth - 1), |filter, _| {
                let other = self.filter(depth - 1);
                if joint == 4 {
                    filter.and(other)
                } else {
                    filter.or(other)
                }
            }),
        }
    }

    fn test(&mut self) -> Filter<Book> {
        let place = Book::SHELF.column(Shelf::PLACE);
        match self.below(22) {
            0 => self.compare(Book::ID, Self::integer),
            1 => self.compare(Book::READER, Self::text),
            2 => self.compare(Book::TITLE, |it| it.maybe(Self::text)),
            3 => self.compare(Book::GENRE, |it| {
                [Genre::Fiction, Genre::Travel][it.below(2) as usize]
            }),
            4 => self.compare(Book::PAGES, |it| it.integer() as i32),
            5 => self.compare(Book::WEIGHT, |it| {
                it.maybe(|it| f64::from_bits(it.number()))
            }),
            6 => self.compare(Book::PRICE, |it| {
                Decimal::new(it.integer() >> 8, it.below(9) as u32)
            }),
            7 => self.compare(Book::IS_LENT, |it| it.below(2) == 0),
            8 => self.compare(Book::ISBN, |it| {
                it.maybe(|it| Uuid::from_u64_pair(it.number(), it.number()))
            }),
            9 => self.compare(Book::PRINTED, |it| {
                NaiveDate::default() + Days::new(it.below(1 << 20))
            }),
            10 => self.compare(Book::RETURNED, |it| {
                it.maybe(|it| DateTime::from_timestamp_nanos(it.integer()))
            }),
            11 => self.compare(Book::COVER, |it| it.maybe(|it| it.text().into_bytes())),
            12 => self.compare(Book::REMARK, |it| it.maybe(Self::text)),
            13 => self.compare(Book::SHELF_ID, |it| it.maybe(Self::integer)),
            14 => self.compare(place, |it| it.maybe(|it| it.integer() as i16)),
            15 => self.compare(Book::SHELF.column(Shelf::KEEPER), Self::text),
            16 => Book::INDEX.is_null(),
            17 => self.like(Book::READER),
            18 => self.like(Book::GENRE),
            19 => self.like(Book::SHELF.column(Shelf::KEEPER)),
            _ => self.like(Book::TITLE),
        }
    }

    fn compare<T: FieldValue, P>(
        &mut self,
        column: Column<Book, T, P>,
        make: fn(&mut Self) -> T,
    ) -> Filter<Book> {
        let value = |random: &mut Self| {
            let value = make(random);
            let stored = Some(value.to_value()).filter(|it| *it != Value::Null);
            random.values.extend(stored);
            value
        };
        match self.below(8) {
            0 => column.eq(value(self)),
            1 => column.ne(value(self)),
            2 => column.gt(value(self)),
            3 => column.ge(value(self)),
            4 => column.lt(value(self)),
            5 => column.le(value(self)),
            6 => column.is_null(),
            _ => column.is_in((0..self.below(5)).map(|_| value(self)).collect::<Vec<_>>()),
        }
    }

    fn like<T: Text, P>(&mut self, column: Column<Book, T, P>) -> Filter<Book> {
        match self.below(3) {
            0 => column.like(self.text()),
            1 => column.ilike(self.text()),
            _ => column.starts_with(&self.text()),
        }
    }

    /// Criteria of an order, and the texts in which a client writes them.
    fn order(&mut self) -> (Vec<Order<Book>>, Vec<String>) {
        let criteria = (0..self.below(4)).map(|_| match self.below(5) {
            0 => self.criterion(Book::ID),
            1 => self.criterion(Book::TITLE),
            2 => self.criterion(Book::PRICE),
            3 => self.criterion(Book::REMARK),
            _ => self.criterion(Book::SHELF.column(Shelf::PLACE)),
        });
        criteria.unzip()
    }

    fn criterion<T, P>(&mut self, column: Column<Book, T, P>) -> (Order<Book>, String) {
        match self.below(2) {
            0 => (column.asc(), format!("asc({column:?})")),
            _ => (column.desc(), format!("desc({column:?})")),
        }
    }
}

/// A source that is never read.
struct Unread;

impl Source for Unread {
    type Item<R: ApiResource> = R;

    fn reader(&mut self) -> Reader<'_> {
        panic!("nothing is read")
    }

    fn make<R: ApiResource>(_: &mut Values<'_>) -> Result<R, RecordError> {
        panic!("no item is made")
    }
}

#[test]
fn one_planner_for_columns_and_for_the_text_of_clients() {
    let callers = [
        Caller::System,
        Caller::Trusted,
        caller("ann", "book.read shelf.read"),
        caller("root", "book.read audit admin"),
    ];
    let mut random = Random {
        state: 7,
        values: Vec::new(),
    };
    let (mut equal, mut refused) = (0, 0);
    for number in 0..QUERIES {
        let caller = &callers[random.below(4) as usize];
        random.values.clear();
        let filter = random.filter(4);
        let (orders, texts) = random.order();
        let parameters = ListParameters {
            filter: Some(filter.to_string()),
            order: Some(texts.join(",")),
            limit: Some(number.to_string()),
            ..ListParameters::default()
        };
        let query = Query::new(Unread).filter(filter);
        let query = orders.into_iter().fold(query, Query::order_by);
        let query = query.limit(number);
        let built = query.untyped.resolve(caller, None);
        let view = View::new(Book::DEFINITION, caller);
        let page = PageLimits::new(10, QUERIES);
        let parsed = list(
            view,
            &parameters,
            page,
            QueryLimits::new().length(64 * 1024),
        );
        match (built, parsed) {
            (Ok(built), Ok(parsed)) => {
                for dialect in [Dialect::Sqlite, Dialect::Postgres] {
                    let [built, parsed] =
                        [&built, &parsed].map(|it| resource_sql::page(dialect, view, it));
                    assert_eq!(built, parsed, "{number}: {parameters:?}");
                    let count = built.matching.count();
                    let is_bound =
                        |value: &Value| count.binds().iter().any(|bind| bind.value == *value);
                    let lost = random.values.iter().find(|value| !is_bound(value));
                    assert_eq!(lost, None, "{number}: {parameters:?}");
                }
                equal += 1;
            }
            (Err(built), Err(parsed)) => {
                let code = Some(parsed.code().number());
                assert_eq!(built.code(), code, "{number}: {parameters:?}");
                refused += 1;
            }
            (built, parsed) => panic!("{number}: {parameters:?}: {built:?} is not {parsed:?}"),
        }
    }
    // The comparison would prove little if most queries were refused, and nothing of refusals if none were.
    assert!(
        equal > QUERIES / 2 && refused > QUERIES / 100,
        "{equal} equal, {refused} refused"
    );
}
