//! Keys, unique sets and indexes.

use super::Difference::Fatal;
use super::{after, fatal, tolerable};

#[test]
fn a_primary_key_is_the_same_column_and_assigned() {
    assert_eq!(
        after(|it| it.primary_key.clear()),
        fatal(
            "the table `cars` has no primary key, but `Car` 1.0 needs `id`; rebuild the table \
             with the primary key of `schema_sql`"
        )
    );
    assert_eq!(
        after(|it| it.primary_key = ["id", "name"].map(String::from).to_vec()),
        fatal(
            "the primary key of the table `cars` is `id`, `name`, but `Car` 1.0 needs `id`; \
             rebuild the table with the primary key of `schema_sql`"
        )
    );
    assert_eq!(
        after(|it| it.assigns_key = false),
        fatal(
            "the database does not assign the primary key `cars.id`, but `Car` 1.0 needs that it \
             does; rebuild the table with the primary key of `schema_sql`"
        )
    );
}

#[test]
fn a_primary_key_that_is_no_column_is_one_difference() {
    let found = after(|it| {
        it.columns.retain(|it| it.name != "id");
        it.primary_key = vec![String::from("name")];
    });
    assert_eq!(
        found,
        fatal(
            "the primary key of the table `cars` is `name`, but `Car` 1.0 needs `id`; rebuild \
             the table with the primary key of `schema_sql`"
        )
    );
}

#[test]
fn what_is_unique_is_so_in_any_order_and_in_no_other_set() {
    assert_eq!(
        after(|it| it.unique.iter_mut().for_each(|set| set.reverse())),
        []
    );
    let missing = "the table `cars` lets rows share `name`, `seats`, but `Car` 1.0 calls them \
                   unique together; forbid it with `CREATE UNIQUE INDEX \"cars.name.seats\" ON \"cars\" \
                   (\"name\", \"seats\")`";
    assert_eq!(
        after(|it| it.unique.retain(|set| set.len() == 1)),
        fatal(missing)
    );
    let narrower = after(|it| {
        it.unique.retain(|set| set.len() == 1);
        it.unique.push(vec![String::from("name")]);
    });
    assert_eq!(narrower, fatal(missing));
    assert_eq!(
        after(|it| it.unique.retain(|set| set.len() > 1)),
        fatal(
            "the table `cars` lets rows share `plate`, but `Car` 1.0 calls it unique; forbid it \
             with `CREATE UNIQUE INDEX \"cars.plate\" ON \"cars\" (\"plate\")`"
        )
    );
}

#[test]
fn a_foreign_key_has_the_same_pairs_of_columns() {
    let reversed = after(|it| {
        for key in &mut it.foreign_keys {
            key.columns.reverse();
            key.target_columns.reverse();
        }
    });
    assert_eq!(reversed, []);
    let crossed = after(|it| {
        for key in &mut it.foreign_keys {
            key.columns.reverse();
        }
    });
    assert_eq!(
        crossed,
        fatal(
            "the table `cars` has no foreign key from `name`, `seats` to `name`, `seats` of \
             `cars`, but `Car` 1.0 needs it; rebuild the table with the foreign key of \
             `schema_sql`"
        )
    );
    let elsewhere = after(|it| {
        for key in &mut it.foreign_keys {
            if key.columns == ["next_id"] {
                key.target = String::from("trucks");
            }
        }
    });
    assert_eq!(
        elsewhere,
        fatal(
            "the table `cars` has no foreign key from `next_id` to `id` of `cars`, but `Car` 1.0 \
             needs it; rebuild the table with the foreign key of `schema_sql`"
        )
    );
}

#[test]
fn a_foreign_key_that_follows_its_row_is_told_for_each_event() {
    let found = after(|it| {
        for key in &mut it.foreign_keys {
            if key.columns == ["next_id"] {
                key.on_delete = Some(String::from("SET NULL"));
                key.on_update = Some(String::from("CASCADE"));
            }
        }
    });
    let key = "the foreign key from `next_id` to `id` of `cars` in the table `cars` is";
    let remedy = "rebuild the table with the foreign key of `schema_sql`";
    let sentence = |action: &str, event: &str| {
        Fatal(format!(
            "{key} `{action}`, but `Car` 1.0 needs the {event} to be refused; {remedy}"
        ))
    };
    assert_eq!(
        found,
        [
            sentence("ON DELETE SET NULL", "delete"),
            sentence("ON UPDATE CASCADE", "update")
        ]
    );
    let mut second = None;
    let twice = after(|it| {
        second = it.foreign_keys.last().cloned();
        it.foreign_keys.extend(second.clone());
    });
    assert_eq!(twice, []);
    let one_of_two = after(|it| {
        it.foreign_keys.extend(second);
        it.foreign_keys.last_mut().unwrap().on_delete = Some(String::from("CASCADE"));
    });
    assert_eq!(one_of_two.len(), 1, "{one_of_two:?}");
}

#[test]
fn an_index_may_go_on_behind_the_columns_that_are_needed() {
    let longer = after(|it| {
        it.indexes
            .iter_mut()
            .for_each(|it| it.push(String::from("sold")));
    });
    assert_eq!(longer, []);
    let missing = "the table `cars` has no index on `next_id`, so that finding rows by it reads \
                   all of them; create it with `CREATE INDEX \"cars.next_id\" ON \"cars\" \
                   (\"next_id\")`";
    assert_eq!(after(|it| it.indexes.clear()), tolerable(missing));
    let behind = after(|it| {
        it.indexes
            .iter_mut()
            .for_each(|it| it.insert(0, String::from("sold")));
    });
    assert_eq!(behind, tolerable(missing));
}

#[test]
fn every_difference_is_told() {
    let found = after(|it| {
        it.columns.clear();
        it.primary_key.clear();
        it.unique.clear();
        it.indexes.clear();
        it.foreign_keys.clear();
    });
    // The key, six columns, two unique sets, the key of two columns, and the index.
    assert_eq!(found.len(), 1 + 6 + 2 + 1 + 1, "{found:?}");
}
