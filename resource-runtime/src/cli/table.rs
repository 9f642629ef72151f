/// Lines whose columns are as wide as their widest cell; the last is as wide as it is.
pub(super) fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    rows.iter().fold(String::new(), |text, row| {
        let cells = row.iter().zip(widths);
        let line = cells.fold(String::new(), |line, (cell, width)| {
            line + &format!("{cell:width$}  ")
        });
        text + line.trim_end() + "\n"
    })
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "long", "x"], ["größer", "b", ""]];
        let rows = rows.map(|row| row.map(String::from));
        assert_eq!(aligned(&rows), "a       long  x\ngrößer  b\n");
    }
}
