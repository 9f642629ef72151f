use resource_model::authorization::Rows;
use resource_model::schema::Attribute;

use super::{Alias, Writer};

/// ` AND …`: none but these rows; nothing where all are meant.
pub(super) fn and_rows(writer: &mut Writer, from: Option<Alias>, rows: &Rows) {
    if !rows.are_all() {
        writer.sql(" AND ");
        write_rows(writer, from, rows);
    }
}

/// A condition that holds for these rows.
pub(super) fn write_rows(writer: &mut Writer, from: Option<Alias>, rows: &Rows) {
    match rows {
        Rows::All => drop(writer.sql("TRUE")),
        Rows::None => drop(writer.sql("FALSE")),
        Rows::Of(owner, value) => {
            let collation = writer.dialect().exact_collation(owner.kind());
            write_own(writer, from, owner);
            writer.sql(collation).sql(" = ");
            writer.bind(owner.kind(), value.clone());
        }
    }
}

fn write_own(writer: &mut Writer, from: Option<Alias>, attribute: &Attribute) {
    match from {
        Some(alias) => writer.column(alias, attribute.identifier()),
        None => writer.identifier(attribute.identifier()),
    };
}
