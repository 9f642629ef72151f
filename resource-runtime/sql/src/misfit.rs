//! The statements by which people find values that do not fit a definition, and keys that several rows share.

use resource_model::schema::{Attribute, ResourceDefinition};

use crate::form::write_ordered;
use crate::item::write_table;
use crate::{Dialect, SqlWriter, Statement};

/// The reason for which values do not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Misfit {
    /// Null, where a value is required.
    Null,
    /// A text or bytes of another length.
    Length,
    /// A number beyond a limit.
    Range,
    /// A value that its type in Rust cannot hold, of which a database knows nothing.
    Form,
}

/// The keys and the values of the rows that do not fit for this reason; of all rows, where no condition finds them.
pub fn find_misfits(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    misfit: Misfit,
) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    let columns = definition.key_attributes().map(Attribute::identifier);
    let others = std::iter::once(attribute.identifier()).filter(|_| !attribute.is_primary_key());
    writer.sql("SELECT ").identifiers(columns.chain(others));
    writer
        .sql(" FROM ")
        .identifier(definition.table_identifier());
    let column = attribute.identifier();
    let (min, max) = attribute.length_limits();
    let (least, greatest) = attribute.value_limits();
    match misfit {
        Misfit::Null => drop(writer.sql(" WHERE ").identifier(column).sql(" IS NULL")),
        Misfit::Length => {
            writer.sql(" WHERE length(").identifier(column);
            writer
                .sql(") NOT BETWEEN ")
                .integer(min.unwrap_or(0).into());
            writer.sql(" AND ").integer(max.unwrap_or(u32::MAX).into());
        }
        Misfit::Range => {
            writer.sql(" WHERE ");
            let limits = [(" < ", least), (" > ", greatest)];
            let limits = limits
                .into_iter()
                .filter_map(|(sign, limit)| Some((sign, limit?)));
            writer.list(" OR ", limits, |writer, (sign, limit)| {
                // As a number, also where the column holds it as a text.
                writer
                    .sql("CAST(")
                    .identifier(column)
                    .sql(" AS double precision)");
                writer.sql(sign).real(limit.as_real());
            });
        }
        Misfit::Form => {}
    }
    writer.finish()
}

/// The keys that several rows share, as text or number of the database.
pub fn find_shared_keys(dialect: Dialect, definition: &ResourceDefinition) -> Statement {
    let mut writer = SqlWriter::new(dialect);
    let keys = |writer: &mut SqlWriter| {
        writer.list(", ", definition.key_attributes(), |writer, key| {
            write_ordered(writer, None, key);
        });
    };
    keys(writer.sql("SELECT "));
    write_table(&mut writer, definition);
    keys(writer.sql(" GROUP BY "));
    writer.sql(" HAVING count(*) > 1");
    writer.finish()
}
