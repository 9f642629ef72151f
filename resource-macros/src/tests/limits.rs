//! Tests of the rules for sets of fields, operations and limits of pages.

use super::assert_struct_errors;

#[test]
fn a_unique_set_has_several_different_fields_of_the_struct() {
    assert_struct_errors(
        "unique(label)",
        &[(
            "label",
            "`unique` on a struct takes several fields; for one field write `unique` on `label`",
        )],
    );
    assert_struct_errors(
        "unique(label, label)",
        &[("label", "`label` is named twice; remove one")],
    );
    assert_struct_errors(
        "unique(label, place)",
        &[("place", "no field `place`; did you mean `place_id`?")],
    );
    assert_struct_errors(
        "unique(label, xyz)",
        &[("xyz", "no field `xyz`; name fields of this struct")],
    );
}

#[test]
fn an_index_has_several_different_fields_of_the_struct() {
    assert_struct_errors("index(label, place_id)", &[]);
    assert_struct_errors(
        "index(label)",
        &[(
            "label",
            "`index` on a struct takes several fields; for one field write `index` on `label`",
        )],
    );
    assert_struct_errors(
        "index(label, xyz)",
        &[("xyz", "no field `xyz`; name fields of this struct")],
    );
}

#[test]
fn operations_are_the_five_each_once() {
    assert_struct_errors(
        "operations(list, retreive)",
        &[(
            "retreive",
            "unknown operation `retreive`; did you mean `retrieve`?",
        )],
    );
    assert_struct_errors(
        "operations(list, patch)",
        &[(
            "patch",
            "unknown operation `patch`; \
             the operations are `list`, `create`, `retrieve`, `update`, `delete`",
        )],
    );
    assert_struct_errors(
        "operations(list, delete, list)",
        &[("list", "`list` is named twice; remove one")],
    );
}

#[test]
fn limits_are_numbers_in_order() {
    assert_struct_errors("limit(default = 10, max = 10)", &[]);
    assert_struct_errors("limit(max = 10)", &[]);
    assert_struct_errors(
        "limit(default = 11, max = 10)",
        &[(
            "11",
            "`default` 11 is above `max`; write at most `default = 10`",
        )],
    );
    let takes = "takes a whole number up to 4294967295";
    assert_struct_errors(
        "limit(default = -1, max = 4294967296)",
        &[
            ("-1", &format!("`default` {takes}: `default = 10`")),
            ("4294967296", &format!("`max` {takes}: `max = 1000`")),
        ],
    );
    assert_struct_errors("limit(all, max = 10)", &[]);
    assert_struct_errors("limit(all = true)", &[("true", "`all` takes no value")]);
    assert_struct_errors(
        "limit(defualt = 1)",
        &[("defualt", "unknown key `defualt`; did you mean `default`?")],
    );
    assert_struct_errors(
        "limit(max = 1, max = 2)",
        &[("max", "`max` is given twice; keep one of them")],
    );
    assert_struct_errors(
        "limit()",
        &[(
            "limit",
            "`limit` takes numbers: `limit(default = 10, max = 1000)`",
        )],
    );
}
