//! The statements by which people find values that do not fit a definition; they are never sent.

use resource_model::schema::{Attribute, ResourceDefinition};

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

/// The keys and the values of the rows that do not fit for this reason; of `keys`, where no condition finds them all.
pub fn find_misfits(
    dialect: Dialect,
    definition: &ResourceDefinition,
    attribute: &Attribute,
    misfit: Misfit,
    keys: &[i64],
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
        Misfit::Form if !keys.is_empty() => {
            let key = definition.key_attributes().map(Attribute::identifier);
            writer.sql(" WHERE ").identifiers(key).sql(" IN (");
            writer.list(", ", keys, |writer, key| {
                writer.integer(*key);
            });
            writer.sql(")");
        }
        Misfit::Form => {}
    }
    writer.finish()
}
