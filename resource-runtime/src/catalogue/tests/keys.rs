//! Keys, unique sets and indexes.

use resource_model::schema::{ReferentialAction, StoredColumn, StoredSequence, StoredUnique};

use super::Difference::{self, Fatal, Tolerable};
use super::{after, fatal, tolerable, unique};

#[test]
fn a_primary_key_is_the_same_column_and_assigned() {
    assert_eq!(
        after(|it| it.primary_key.clear()),
        fatal(
            "the table `cars` has no primary key, but `Car` 1.0 needs `id`; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        after(|it| it.primary_key = ["id", "name"].map(String::from).to_vec()),
        fatal(
            "the primary key of the table `cars` is `id`, `name`, but `Car` 1.0 needs `id`; \
             rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
    assert_eq!(
        after(|it| it.assigns_key = false),
        fatal(
            "the database does not assign the primary key `cars.id`, but `Car` 1.0 needs that it \
             does; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}

#[test]
fn sequence_behind_the_keys_comes_with_its_remedy() {
    let sequence = StoredSequence {
        schema: String::from("public"),
        name: String::from("cars_id_seq"),
    };
    let sentence = "the next value that the database assigns to `cars.id` is not above all that \
                    rows have, so that new items will be refused; advance it with `SELECT \
                    setval('\"public\".\"cars_id_seq\"', (SELECT max(\"id\") FROM \"cars\"))`";
    assert_eq!(after(|it| it.behind = Some(sequence)), tolerable(sentence));
}

#[test]
fn primary_key_may_be_assigned_again_but_not_be_missing() {
    let again = after(|it| it.assigns_key_again = true);
    let sentence = "the database may assign a value of `cars.id` again once the newest row is \
                    deleted; rebuild the table by the statements that the command `check --rebuild cars` prints";
    assert_eq!(again, tolerable(sentence));
    let elsewhere = after(|it| {
        it.assigns_key_again = true;
        it.primary_key = vec![String::from("seats")];
    });
    assert_eq!(elsewhere.len(), 1, "{elsewhere:?}");
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
            "the primary key of the table `cars` is `name`, but `Car` 1.0 needs `id`; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}

#[test]
fn unique_set_matches_in_any_order_but_not_in_part() {
    assert_eq!(
        after(|it| it.unique.iter_mut().for_each(|set| set.columns.reverse())),
        []
    );
    let missing = "the table `cars` lets rows share `name`, `seats`, but `Car` 1.0 calls them \
                   unique together; forbid it with `CREATE UNIQUE INDEX \"cars.name.seats\" ON \"cars\" \
                   (\"name\", \"seats\")`";
    assert_eq!(
        after(|it| it.unique.retain(|set| set.columns.len() == 1)),
        fatal(missing)
    );
    let narrower = after(|it| {
        it.unique.retain(|set| set.columns.len() == 1);
        it.unique.push(unique(vec![String::from("name")]));
    });
    let undeclared = Tolerable(String::from(
        "the table `cars` lets no rows share `name`, which no registered version calls unique, so \
         that writes may be refused that all of them allow; declare it with `unique`, or drop the constraint",
    ));
    assert_eq!(narrower, [fatal(missing), vec![undeclared]].concat());
    assert_eq!(
        after(|it| it.unique.retain(|set| set.columns.len() > 1)),
        fatal(
            "the table `cars` lets rows share `plate`, but `Car` 1.0 calls it unique; forbid it \
             with `CREATE UNIQUE INDEX \"cars.plate\" ON \"cars\" (\"plate\")`"
        )
    );
}

/// The differences of a table with this unique set besides.
fn with_unique(columns: &[&str], change: impl FnOnce(&mut StoredUnique)) -> Vec<Difference> {
    let mut undeclared = unique(columns.iter().map(|it| (*it).to_owned()).collect());
    change(&mut undeclared);
    after(|it| {
        let mut column = it.columns[0].clone();
        (column.name, column.has_default) = (String::from("undeclared"), false);
        it.columns.push(StoredColumn {
            name: String::from("counted"),
            has_default: true,
            ..column.clone()
        });
        it.columns.push(column);
        it.unique.push(undeclared);
    })
}

#[test]
fn undeclared_unique_set_is_named_with_its_columns() {
    let sentence = |what: &str, remedy: &str| {
        tolerable(&format!(
            "the table `cars` lets no rows share {what}, which no registered version calls \
             unique, so that writes may be refused that all of them allow; {remedy}"
        ))
    };
    let plain = "declare it with `unique`, or drop the constraint";
    assert_eq!(with_unique(&["sold"], |_| ()), sentence("`sold`", plain));
    let some = with_unique(&["seats", "undeclared"], |it| it.has_condition = true);
    let what = "`seats`, `undeclared` where a condition is true";
    assert_eq!(some, sentence(what, "drop the unique index"));
    let loose = with_unique(&["plate"], |it| it.has_collation = true);
    assert_eq!(
        loose,
        sentence("`plate` in a collation of its own", "drop the unique index")
    );
    let computed = with_unique(&["sold"], |it| it.has_expression = true);
    let what = "`sold`, the value of an expression";
    assert_eq!(computed, sentence(what, "drop the unique index"));
    let expression = with_unique(&[], |it| it.has_expression = true);
    assert_eq!(
        expression,
        sentence("the value of an expression", "drop the unique index")
    );
    assert_eq!(with_unique(&["counted"], |_| ()).len(), 1);
}

#[test]
fn undeclared_unique_set_that_refuses_nothing_is_no_difference() {
    for columns in [
        &["id"][..],
        &["sold", "id"],
        &["plate", "sold"],
        &["sold", "seats", "name"],
        &["undeclared"],
    ] {
        assert_eq!(with_unique(columns, |_| ()), [], "{columns:?}");
        let some = with_unique(columns, |it| it.has_condition = true);
        assert_eq!(some, [], "{columns:?}");
    }
    let computed = with_unique(&["plate"], |it| it.has_expression = true);
    assert_eq!(computed, []);
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
             `cars`, but `Car` 1.0 needs it; rebuild the table by the statements that the command `check --rebuild cars` prints"
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
             needs it; rebuild the table by the statements that the command `check --rebuild cars` prints"
        )
    );
}

#[test]
fn foreign_key_with_actions_is_named_for_each_event() {
    let found = after(|it| {
        for key in &mut it.foreign_keys {
            if key.columns == ["next_id"] {
                key.on_delete = Some(ReferentialAction::SetNull);
                key.on_update = Some(ReferentialAction::Cascade);
            }
        }
    });
    let key = "the foreign key from `next_id` to `id` of `cars` in the table `cars` is";
    let remedy =
        "rebuild the table by the statements that the command `check --rebuild cars` prints";
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
        it.foreign_keys.last_mut().unwrap().on_delete = Some(ReferentialAction::Cascade);
    });
    assert_eq!(one_of_two.len(), 1, "{one_of_two:?}");
}

#[test]
fn an_action_of_a_foreign_key_that_no_version_has_is_fatal() {
    let undeclared = |target: &str| {
        after(|it| {
            let mut key = it.foreign_keys.last().cloned().unwrap();
            key.columns = vec![String::from("wheels")];
            key.target_columns = vec![String::from("id")];
            key.target = target.to_owned();
            key.on_delete = Some(ReferentialAction::Cascade);
            it.foreign_keys.push(key);
        })
    };
    assert_eq!(undeclared("trucks"), []);
    assert_eq!(
        undeclared("cars"),
        fatal(
            "the foreign key from `wheels` to `id` of `cars` in the table `cars` is `ON DELETE CASCADE`, but no \
             registered version has this reference; rebuild the table by the statements that the \
             command `check --rebuild cars` prints"
        )
    );
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
fn every_difference_is_reported() {
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
